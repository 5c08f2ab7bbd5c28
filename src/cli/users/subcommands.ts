// What the commands of `daybook users` share: how their words are read, and what they say when it cannot be.

import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ROLES, type Role } from '../../auth/caller.ts';
import { allUsers } from '../../commands/users/all-users.ts';
import type { ChangeDependencies } from '../../commands/users/user-changes.ts';
import type { UserRefused } from '../../commands/users/users.ts';
import { isUsableAdministrator } from '../../domain/user.ts';
import type { EventMetadata } from '../../event-store/envelope.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { systemActor, systemMetadata } from '../../event-store/writing.ts';
import type { EpochSeconds, Zone } from '../../time/zone.ts';
import { UsageError } from '../usage-error.ts';

export interface UsersDependencies {
  readonly store: EventStore;
  /** Brings the read model up to the end of the log, so that a user who was told of can sign in. */
  readonly project: () => Promise<unknown>;
  readonly now: () => EpochSeconds;
  /** UUIDs, for events and for the run as a whole. */
  readonly newId: () => string;
  /** On whose clock a history tells its dates; UTC when not given. */
  readonly siteZone?: Zone;
  /** Takes one line of the answer, without its end. */
  readonly out: (line: string) => void;
}

type Flags = NonNullable<ParseArgsConfig['options']>;

/** Without `--force` the last administrator stays one. */
export function commandsOf(
  { store, newId }: UsersDependencies,
  { force = false }: { readonly force?: boolean },
): ChangeDependencies {
  const administrators = async () => (await allUsers(store)).filter(isUsableAdministrator).map(({ id }) => id);
  return { store, newEventId: newId, ...(!force && { administrators }) };
}

export function metadataFor({ now, newId }: UsersDependencies): EventMetadata {
  return systemMetadata({ actor: systemActor('daybook users'), now: now(), correlationId: newId() });
}

/** Takes arguments apart; what does not belong there is named, with what would. */
export function readUsers<const Options extends Flags>(word: string, args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [problem = ''] = error.message.split('. ');
    const allowed = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(`users ${word}: ${problem}; allowed: ${allowed.join(', ')}.`);
  }
}

export function onlyName(word: string, positionals: readonly string[], usage: string): string {
  const [name, ...more] = positionals;
  if (name === undefined) throw new UsageError(`users ${word}: the NAME is missing.\n${usage}`);
  if (more.length > 0) throw new UsageError(`users ${word}: one NAME at a time; "${more.join(' ')}" is too much.`);
  return name;
}

/** A name and what it is to get, called `what` in the usage. */
export function nameAnd(word: string, what: string, positionals: readonly string[]): readonly [string, string] {
  const [name, value, ...more] = positionals;
  if (name === undefined) throw new UsageError(`users ${word}: the NAME is missing.`);
  if (value === undefined) throw new UsageError(`users ${word}: the ${what} is missing.`);
  if (more.length > 0) throw new UsageError(`users ${word}: "${more.join(' ')}" is too much.`);
  return [name, value];
}

export function roleFrom(word: string, text: string | undefined): Role {
  const role = ROLES.find((known) => known === text);
  if (role) return role;
  const said = text === undefined ? '--role is missing' : `unknown role "${text}"`;
  throw new UsageError(`users ${word}: ${said}; allowed: ${ROLES.join(', ')}.`);
}

export function positiveInteger(word: string, flag: string, text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new UsageError(`users ${word}: ${flag} takes a positive integer, not "${text}".`);
}

export function explained(word: string, { why, value }: UserRefused): UsageError {
  switch (why) {
    case 'login_taken':
      return new UsageError(`users ${word}: there is a user named "${value}" already.`, 1);
    case 'email_taken':
      return new UsageError(`users ${word}: another user signs in as "${value}".`, 1);
    case 'id_taken':
      return new UsageError(`users ${word}: the id ${value} is not free.`, 1);
    case 'unknown_user':
      return new UsageError(`users ${word}: there is no user "${value}".`, 1);
    case 'unknown_credential':
      return new UsageError(`users ${word}: there is no token ${value} to revoke.`, 1);
    case 'last_administrator':
      return new UsageError(
        `users ${word}: "${value}" is the last administrator with a token. Add another one first, or say --force.`,
        1,
      );
    case 'busy':
    case 'changed':
    case 'key_used':
      return new UsageError(`users ${word}: others were faster each time; try again.`, 1);
    case 'invalid_login':
      return new UsageError(`users ${word}: "${value}" cannot be a login: 1 to 60 characters, no colon.`);
    case 'invalid_email':
      return new UsageError(`users ${word}: "${value}" is not an e-mail address.`);
    case 'invalid_name':
    case 'invalid_label':
      return new UsageError(`users ${word}: "${value}" is blank.`);
  }
}
