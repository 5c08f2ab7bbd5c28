// Shared by the subcommands of `daybook users`.

import {
  type Arguments,
  type Command,
  command,
  type Given,
  type Options,
  type Synopsis,
} from '../../../cli/command.ts';
import { UsageError } from '../../../cli/errors.ts';
import { printable, readSecret } from '../../../cli/terminal.ts';
import { oneOf } from '../../../cli/values.ts';
import { operatorMetadata, SURROUNDINGS, type Surroundings, withLog } from '../../../cli/with-log.ts';
import { siteAddress } from '../../../config.ts';
import type { Answer } from '../../../http/schemas/components.ts';
import { resolveZone, type Zone } from '../../../kernel/time/zone.ts';
import type { EventMetadata } from '../../../log/envelope.ts';
import type { EventStore } from '../../../log/event-store.ts';
import type { Opening } from '../../../opening/log.ts';
import { ROLES } from '../../auth/caller.ts';
import { tokenText } from '../../auth/passwords.ts';
import { allUsers, type ChangeDependencies } from '../commands/user-changes.ts';
import type { CredentialIssued, UserRefused, UserWritten } from '../commands/users.ts';
import { isUsableAdministrator, type UserAccount } from '../domain/user.ts';

export interface UsersDependencies extends Surroundings {
  readonly store: EventStore;
  /** Brings the read model up to the end of the log, so that an announced user can sign in. */
  readonly project: () => Promise<unknown>;
  /** Zone of the dates in a history; default: UTC. */
  readonly siteZone?: Zone;
  /** The address of the desk, without a slash at its end. */
  readonly site: string;
  /** What is typed or piped in, and never shown. */
  readonly readSecret: () => Promise<string>;
}

/** A subcommand that works on the log. Throws `UsageError`. */
export const usersCommand = <A extends Arguments, O extends Options>(
  opening: Opening,
  spec: Synopsis<A, O>,
  perform: (given: Given<A, O>, dependencies: UsersDependencies) => Promise<void>,
): Command<Given<A, O>, UsersDependencies> => {
  const work = async (given: Given<A, O>, dependencies: UsersDependencies): Promise<0> => {
    await perform(given, dependencies);
    return 0;
  };
  return command(spec, {
    perform: work,
    run: (given) =>
      withLog(opening, ({ store, project }, config) =>
        work(given, {
          ...{ store, project, siteZone: config.siteZone, readSecret, ...SURROUNDINGS },
          site: siteAddress(config),
        }),
      ),
  });
};

export const NAME = { label: 'NAME', description: 'login or e-mail address of the user' } as const;
export const ROLE = oneOf(ROLES);
export const LABEL = {
  value: 'LABEL',
  description: 'what the token is for',
  default: 'command line',
} as const;
export const FORCE = { description: 'also if no administrator with a token would be left' } as const;

/** Without `--force` the last administrator is protected. */
export function changeDependencies({ store, newId }: UsersDependencies, force = false): ChangeDependencies {
  const administrators = async () => (await allUsers(store)).filter(isUsableAdministrator).map(({ id }) => id);
  return { store, newEventId: newId, ...(!force && { administrators }) };
}

export const usersMetadata = (surroundings: UsersDependencies): EventMetadata =>
  operatorMetadata('daybook users', surroundings);

/** Waits for a change, and for the read model to show it. */
export async function applied<Outcome extends UserWritten>(
  name: string,
  { project }: UsersDependencies,
  changing: Promise<Outcome | UserRefused>,
): Promise<Outcome> {
  const outcome = await changing;
  if ('why' in outcome) throw refusal(name, outcome);
  await project();
  return outcome;
}

export const passwordOf = ({ user, credentialId, secret }: CredentialIssued): string =>
  tokenText({ user: user.id, credential: credentialId, secret });

/** The public part of a user: no hashes. */
export const shown = ({
  id,
  login,
  name,
  email,
  role,
  credentials,
}: UserAccount): Omit<Answer<'User'>, 'url' | 'single_sign_on'> => ({
  id,
  login,
  name,
  email,
  role,
  credentials: credentials.map((credential) => ({
    id: credential.id,
    label: credential.label,
    issued: new Date(credential.issued * 1000).toISOString(),
  })),
});

/** Users label their own credentials: a label must not look like a line of output. */
export const credentialLines = (user: UserAccount): string[] =>
  shown(user).credentials.map(({ id, label, issued }) => `token ${id}\t${printable(label)}\tissued ${issued}`);

export function utc(): Zone {
  const zone = resolveZone('UTC');
  if (!zone) throw new Error('the runtime has no zone UTC');
  return zone;
}

function refusal(name: string, { why, value }: UserRefused): UsageError {
  const [sentence, exitCode] = sentenceOf(why, value);
  return new UsageError(`${name}: ${sentence}`, exitCode);
}

function sentenceOf(why: UserRefused['why'], value: string): readonly [sentence: string, exitCode: 1 | 2] {
  switch (why) {
    case 'login_taken':
      return [`there is a user named "${value}" already.`, 1];
    case 'email_taken':
      return [`another user signs in as "${value}".`, 1];
    case 'id_taken':
      return [`the id ${value} is not free.`, 1];
    case 'unknown_user':
      return [`there is no user "${value}".`, 1];
    case 'unknown_credential':
      return [`there is no token ${value} to revoke.`, 1];
    case 'last_administrator':
      return [`"${value}" is the last administrator with a token. Add another one first, or use --force.`, 1];
    case 'busy':
    case 'changed':
    case 'key_used':
      return ['other writers were faster each time. Try again.', 1];
    case 'invalid_login':
      return [`"${value}" cannot be a login: it must have 1 to 60 characters and no colon.`, 2];
    case 'invalid_email':
      return [`"${value}" is not an e-mail address.`, 2];
    case 'invalid_password':
      return ['a password must have 12 to 1,000 characters.', 2];
    case 'unknown_session':
    case 'invalid_settings':
    case 'invalid_link':
      return [`${value} is not valid any more.`, 1];
    case 'invalid_name':
    case 'invalid_label':
      return [`"${value}" is blank.`, 2];
  }
}
