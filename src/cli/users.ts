// `daybook users`: add NAME, list, revoke NAME.
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ROLES, type Role } from '../auth/caller.ts';
import { hashPassword, newSecret, tokenText } from '../auth/passwords.ts';
import { fold } from '../commands/unit.ts';
import { addUser, revokeCredential, type UserRefused } from '../commands/users.ts';
import { evolveUser, type UserAccount } from '../domain/user.ts';
import type { EpochSeconds } from '../domain/zone.ts';
import { type EventMetadata, LOG_START, type RecordedEvent } from '../event-store/envelope.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { UsageError } from './usage-error.ts';

export interface UsersDependencies {
  readonly store: EventStore;
  /** Brings the read model up to the end of the log, so that a user who was told of can sign in. */
  readonly project: () => Promise<void>;
  readonly now: () => EpochSeconds;
  /** UUIDs, for events and for the run as a whole. */
  readonly newId: () => string;
  /** Takes one line of the answer, without its end. */
  readonly out: (line: string) => void;
}

export const USERS_USAGE = `daybook users add NAME --role ROLE [--id N] [--email E] [--label L] [--json]
daybook users list [--json]
daybook users revoke NAME [--credential N]
Roles: ${ROLES.join(', ')}`;

const DEFAULT_LABEL = 'command line';
const PAGE = 1000;

type Flags = NonNullable<ParseArgsConfig['options']>;

/** Carries out `daybook users ...`; `args` is what stands behind `users`. Throws `UsageError`. */
export async function runUsers(args: readonly string[], dependencies: UsersDependencies): Promise<void> {
  const [subcommand, ...rest] = args;
  switch (subcommand) {
    case 'add':
      return add(rest, dependencies);
    case 'list':
      return list(rest, dependencies);
    case 'revoke':
      return revoke(rest, dependencies);
    default: {
      const said = subcommand === undefined ? 'users: what to do is missing' : `users: unknown word "${subcommand}"`;
      throw new UsageError(`${said}; allowed: add, list, revoke.\n${USERS_USAGE}`);
    }
  }
}

async function add(args: readonly string[], dependencies: UsersDependencies): Promise<void> {
  const flags = {
    role: { type: 'string' },
    id: { type: 'string' },
    email: { type: 'string', default: '' },
    label: { type: 'string', default: DEFAULT_LABEL },
    json: { type: 'boolean', default: false },
  } as const;
  const { values, positionals } = read('add', args, flags);
  const login = onlyName('add', positionals);
  const { store, newId, project, out } = dependencies;
  const { email, label } = values;
  const id = values.id === undefined ? {} : { id: positiveInteger('add', '--id', values.id) };
  const profile = { login, email, label, name: login, role: roleFrom(values.role), ...id };
  const users = { store, newEventId: newId, newSecret, hashSecret: hashPassword };
  const added = await addUser(users, metadataFor(dependencies), profile);
  if (added.kind === 'refused') throw explained('add', added);
  await project();
  const { user, credentialId, secret } = added;
  const password = tokenText({ user: user.id, credential: credentialId, secret });
  if (values.json) {
    out(JSON.stringify({ id: user.id, name: user.login, role: user.role, password }));
    return;
  }
  out(`Added ${user.login} (user ${user.id}, ${user.role}).`);
  out(`Token, shown this once: ${password}`);
}

async function list(args: readonly string[], { store, out }: UsersDependencies): Promise<void> {
  const { values, positionals } = read('list', args, { json: { type: 'boolean', default: false } } as const);
  if (positionals.length > 0) throw new UsageError(`users list: "${positionals.join(' ')}" is too much.`);
  const users = await allUsers(store);
  if (values.json) {
    out(JSON.stringify(users.map(shown)));
    return;
  }
  for (const user of users) {
    out([user.id, user.login, user.role, user.email || '-'].join('\t'));
    for (const { id, label, issued } of shown(user).credentials) out(`\tcredential ${id}\t${label}\tissued ${issued}`);
  }
}

async function revoke(args: readonly string[], dependencies: UsersDependencies): Promise<void> {
  const { values, positionals } = read('revoke', args, { credential: { type: 'string' } } as const);
  const login = onlyName('revoke', positionals);
  const which = values.credential === undefined ? 'all' : positiveInteger('revoke', '--credential', values.credential);
  const { store, newId, project, out } = dependencies;
  const revoked = await revokeCredential({ store, newEventId: newId }, metadataFor(dependencies), login, which);
  if (revoked.kind === 'refused') throw explained('revoke', revoked);
  await project();
  const left = revoked.user.credentials.length;
  out(
    `Revoked ${which === 'all' ? 'every credential' : `credential ${which}`} of ${revoked.user.login}; ${left} left.`,
  );
}

/** What may be told of a user: no hashes. */
const shown = ({ id, login, name, email, role, credentials }: UserAccount) => ({
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

/** From the log itself: it is right even where no read model has been made yet. */
async function allUsers(store: EventStore): Promise<UserAccount[]> {
  const streams = new Map<string, RecordedEvent[]>();
  let after = LOG_START;
  for (;;) {
    const page = await store.readAll({ after, prefixes: ['user-'], limit: PAGE });
    for (const event of page) streams.set(event.stream, [...(streams.get(event.stream) ?? []), event]);
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.position;
  }
  const users = [...streams.values()].flatMap((events) => fold(events, evolveUser) ?? []);
  return users.sort((one, other) => one.id - other.id);
}

function metadataFor({ now, newId }: UsersDependencies): EventMetadata {
  const correlationId = newId();
  return {
    actor: { id: null, name: 'daybook users' },
    instant: new Date(now() * 1000).toISOString(),
    correlationId,
    causationId: correlationId,
  };
}

/** Takes arguments apart; what does not belong there is named, with what would. */
function read<const Options extends Flags>(word: string, args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [problem = ''] = error.message.split('. ');
    const allowed = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(`users ${word}: ${problem}; allowed: ${allowed.join(', ')}.`);
  }
}

function onlyName(word: string, positionals: readonly string[]): string {
  const [name, ...more] = positionals;
  if (name === undefined) throw new UsageError(`users ${word}: the NAME is missing.\n${USERS_USAGE}`);
  if (more.length > 0) throw new UsageError(`users ${word}: one NAME at a time; "${more.join(' ')}" is too much.`);
  return name;
}

function roleFrom(text: string | undefined): Role {
  const role = ROLES.find((known) => known === text);
  if (role) return role;
  const said = text === undefined ? '--role is missing' : `unknown role "${text}"`;
  throw new UsageError(`users add: ${said}; allowed: ${ROLES.join(', ')}.`);
}

function positiveInteger(word: string, flag: string, text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new UsageError(`users ${word}: ${flag} takes a positive integer, not "${text}".`);
}

function explained(word: string, { why, value }: UserRefused): UsageError {
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
      return new UsageError(`users ${word}: there is no credential ${value} to revoke.`, 1);
    case 'busy':
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
