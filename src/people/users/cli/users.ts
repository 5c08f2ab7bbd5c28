// `daybook users`: users and their tokens, written to the log whether a service runs or not.
import { command, type Group } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/errors.ts';
import { printable, readSecret } from '../../../cli/terminal.ts';
import { JSON_FLAG, oneOf, POSITIVE_INTEGER } from '../../../cli/values.ts';
import { BUSY, contextOfOperator, onLog, SURROUNDINGS, type Surroundings } from '../../../cli/with-log.ts';
import type { CommandContext } from '../../../commands/context.ts';
import type { Outcome } from '../../../commands/handle-command.ts';
import { idOfUser, ownerOfName } from '../../../commands/reservations/user-names.ts';
import { type Config, siteAddress } from '../../../config.ts';
import { present } from '../../../domain/present.ts';
import type { Rejection } from '../../../domain/rejections.ts';
import { linesOfEntry } from '../../../editorial/history/cli/history.ts';
import * as queries from '../../../editorial/history/queries/user-history.ts';
import type { Answer } from '../../../http/schemas/components.ts';
import type { Zone } from '../../../kernel/time/zone.ts';
import { fold } from '../../../log/envelope.ts';
import type { EventStore } from '../../../log/event-store.ts';
import type { LogStores } from '../../../stores.ts';
import { ROLES } from '../../auth/caller.ts';
import { hashPassword, newSecret } from '../../auth/passwords.ts';
import { newLongSecret, resetLinkPath, secretDigest } from '../../auth/sessions.ts';
import { allUsers, changeUser } from '../commands/user-changes.ts';
import * as commands from '../commands/users.ts';
import {
  issueCredential,
  passwordOf,
  revokeCredential,
  setPassword,
  type UserDependencies,
  updateUser,
} from '../commands/users.ts';
import { issueResetLink } from '../domain/desk-access.ts';
import { comparedName, evolveUser, isUsableAdministrator, type UserAccount } from '../domain/user.ts';
import { credentialObject, viewOf } from '../queries/list-users.ts';

// Shared by the subcommands of `daybook users`.

interface UsersDependencies extends Surroundings {
  readonly store: EventStore;
  /** Brings the read model up to the end of the log, so that an announced user can sign in. */
  readonly project: () => Promise<unknown>;
  /** The zone of the dates in a history. */
  readonly siteZone: Zone;
  /** The address of the desk, without a slash at its end. */
  readonly site: string;
  /** What is typed or piped in, and never shown. */
  readonly readSecret: () => Promise<string>;
}

const dependenciesOf = ({ store, project }: LogStores, config: Config): UsersDependencies => ({
  store,
  project,
  siteZone: config.siteZone,
  readSecret,
  ...SURROUNDINGS,
  site: siteAddress(config),
});

const creating = onLog('create', dependenciesOf);
const reading = onLog('read', dependenciesOf);
const writing = onLog('existing', dependenciesOf);

const NAME = { label: 'NAME', description: 'login or e-mail address of the user' } as const;
const ROLE = oneOf(ROLES);
const LABEL = {
  value: 'LABEL',
  description: 'what the token is for',
  default: 'command line',
} as const;
const FORCE = { description: 'also if no administrator with a token would be left' } as const;

const contextOf = contextOfOperator('daybook users');

/** What is carried out, by the names of arguments and options. */
interface Sent {
  readonly name: string;
  readonly display?: string;
  readonly email?: string | undefined;
  readonly label?: string;
  readonly id?: number | undefined;
  readonly credential?: number | undefined;
  readonly force?: boolean | undefined;
}

/**
 * Carries out a change, and waits until the read model shows it. Without `--force` the last administrator is protected. Throws
 * `UsageError` for what is refused.
 */
async function applied<Result>(
  dependencies: UsersDependencies,
  input: Sent,
  change: (on: UserDependencies, context: CommandContext) => Promise<Outcome<Result>>,
): Promise<Result> {
  const { store, newId, project } = dependencies;
  const administrators = async () => (await allUsers(store)).filter(isUsableAdministrator).map(({ id }) => id);
  const on = { store, newEventId: newId, newSecret, hashSecret: hashPassword, ...(!input.force && { administrators }) };
  const result = await change(on, contextOf(dependencies));
  if (result.kind === 'rejected') throw await refusal(store, result.rejection, input);
  await project();
  return result.written;
}

const called = ({ login, id }: UserAccount): string => `${login} (user ${id})`;

/** The public part of a user: no hashes. */
function publicPart(account: UserAccount): Omit<Answer<'User'>, 'url' | 'single_sign_on'> {
  const { identity: _, credentials, ...user } = viewOf(account);
  return { ...user, credentials: credentials.map(credentialObject) };
}

/** Users label their own credentials: a label must not look like a line of output. */
const credentialLines = (user: UserAccount): string[] =>
  publicPart(user).credentials.map(({ id, label, issued }) => `token ${id}\t${printable(label)}\tissued ${issued}`);

async function refusal(store: EventStore, { code, parameter = '' }: Rejection, input: Sent): Promise<UsageError> {
  if (code === 'last_administrator') {
    const { login } = await userNamed(store, input.name);
    return new UsageError(
      `"${login}" is the last administrator with a token. Add another one first, or use --force.`,
      1,
    );
  }
  const sentence = SENTENCES[code === 'invalid_parameter' ? parameter : code];
  return new UsageError(sentence?.(input) ?? BUSY, code === 'invalid_parameter' || code === 'password_length' ? 2 : 1);
}

/** Why something is refused, by the code or the invalid parameter. */
const SENTENCES: { readonly [why: string]: (input: Sent) => string } = {
  login_taken: ({ name }) => `there is a user named "${name}" already.`,
  email_taken: ({ email }) => `another user signs in as "${email}".`,
  id_taken: ({ id }) => `the id ${id} is not free.`,
  user_not_found: ({ name }) => noSuchUser(name),
  credential_not_found: ({ credential }) => `there is no token ${credential} to revoke.`,
  password_length: () => 'a password must have 12 to 1,000 characters.',
  login: ({ name }) => `"${name}" cannot be a login: it must have 1 to 60 characters and no colon.`,
  email: ({ email }) => `"${email}" is not an e-mail address.`,
  name: ({ display }) => `"${display}" is blank.`,
  label: ({ label }) => `"${label}" is blank.`,
};

const noSuchUser = (name: string): string => `there is no user "${name}".`;

async function userNamed(store: EventStore, name: string): Promise<UserAccount> {
  const stream = await ownerOfName(store, comparedName(name));
  const user = stream === null ? null : fold(await store.readStream(stream), evolveUser);
  if (!user) throw new UsageError(noSuchUser(name), 1);
  return user;
}

const add = command(
  {
    name: 'users add',
    summary: 'add a user and show the first token',
    description: [
      'The token is shown once and stored only as a hash. It works while the service is stopped or running.',
      'The first user may be added before the first start of the service.',
    ],
    arguments: { name: { ...NAME, description: 'login: 1 to 60 characters, no colon' } },
    options: {
      role: { value: 'ROLE', description: 'what the user may do', type: ROLE, required: true },
      id: { value: 'N', description: 'id of the user', type: POSITIVE_INTEGER, otherwise: 'the next free one' },
      email: { value: 'EMAIL', description: 'e-mail address, also for signing in', default: '' },
      label: LABEL,
      json: { description: 'answer with one line {"id":…,"name":…,"role":…,"password":"…"}' },
    },
    examples: [
      ['daybook users add maria --role editor', 'adds an editor and shows the token'],
      ['daybook users add robot --role author --label "ticket shop" --json', 'the same for a script'],
    ],
  },
  async (input, dependencies) => {
    const profile = present({ ...input, login: input.name });
    const added = await applied(dependencies, input, (...on) => commands.addUser(...on, profile));
    const { state: user } = added;
    const password = passwordOf(added);
    return {
      json: { id: user.id, name: user.login, role: user.role, password },
      lines: [`Added ${user.login} (user ${user.id}, ${user.role}).`, `Token, shown this once: ${password}`],
    };
  },
  creating,
);

const list = command(
  {
    name: 'users list',
    summary: 'list all users with their tokens',
    description: ['A line for each user (id, login, role, e-mail address), with a line for each token below it.'],
    options: { json: JSON_FLAG },
    examples: [['daybook users list', 'lists all users']],
  },
  async (_, { store }) => {
    const users = await allUsers(store);
    const lines = users.flatMap((user) => [
      [user.id, user.login, user.role, user.email || '-'].join('\t'),
      ...credentialLines(user).map((line) => `\t${line}`),
    ]);
    return { json: users.map(publicPart), lines };
  },
  reading,
);

const show = command(
  {
    name: 'users show',
    summary: 'show one user',
    arguments: { name: NAME },
    options: { json: JSON_FLAG },
    examples: [['daybook users show maria', 'shows name, role, e-mail address and tokens']],
  },
  async ({ name }, { store }) => {
    const user = await userNamed(store, name);
    const { identity } = user;
    const lines = [
      called(user),
      `  name:   ${user.name}`,
      `  e-mail: ${user.email || '-'}`,
      `  role:   ${user.role}`,
      ...(identity ? [`  single sign-on: ${identity.subject} at ${identity.issuer}`] : []),
      ...credentialLines(user).map((line) => `  ${line}`.replace('\t', '  ')),
    ];
    return {
      json: { ...publicPart(user), ...(identity && { single_sign_on: identity }) },
      lines: lines.map(printable),
    };
  },
  reading,
);

const token = command(
  {
    name: 'users token',
    summary: 'issue another token and show it',
    description: ['Tokens that the user has already stay valid: `daybook users revoke` ends them.'],
    arguments: { name: NAME },
    options: {
      label: LABEL,
      json: { description: 'answer with one line {"id":…,"name":…,"credential":…,"password":"…"}' },
    },
    examples: [['daybook users token admin', 'issues a token for an administrator who has lost the first one']],
  },
  async (input, dependencies) => {
    const issued = await applied(dependencies, input, (...on) => issueCredential(...on, input.name, input.label));
    const { state: user, credential } = issued;
    const password = passwordOf(issued);
    return {
      json: { id: user.id, name: user.login, credential, password },
      lines: [`Issued token ${credential} of ${called(user)}.`, `Token, shown this once: ${password}`],
    };
  },
  writing,
);

const revoke = command(
  {
    name: 'users revoke',
    summary: 'revoke one token of a user, or all of them',
    arguments: { name: NAME },
    options: {
      credential: { value: 'N', description: 'number of the token', type: POSITIVE_INTEGER, otherwise: 'all tokens' },
      force: FORCE,
    },
    examples: [['daybook users revoke maria --credential 2', 'revokes the token that `users show` lists as token 2']],
  },
  async (input, dependencies) => {
    const { name, credential } = input;
    const change = await applied(dependencies, input, (...on) => revokeCredential(...on, name, credential ?? 'all'));
    const { state: user } = change;
    const revoked = credential === undefined ? 'every token' : `token ${credential}`;
    return `Revoked ${revoked} of ${user.login}; ${user.credentials.length} left.`;
  },
  writing,
);

const setUserPassword = command(
  {
    name: 'users set-password',
    summary: 'set the password of a user for the desk',
    description: [
      'The password is asked for, or read from standard input: its first line, 12 to 1,000 characters.',
      'All sessions of the user at the desk end. Tokens stay valid.',
    ],
    arguments: { name: NAME },
    examples: [['daybook users set-password maria < password.txt', 'sets the password that the file contains']],
  },
  async (input, dependencies) => {
    const password = await dependencies.readSecret();
    const { state: user } = await applied(dependencies, input, (...on) => setPassword(...on, input.name, password));
    return `${called(user)} has a new password.`;
  },
  writing,
);

const resetLink = command(
  {
    name: 'users reset-link',
    summary: 'show a link with which a user sets a new password',
    description: ['The link works once, for 24 hours, until another one is issued or the password is set otherwise.'],
    arguments: { name: NAME },
    options: { json: { description: 'answer with one line {"id":…,"name":…,"url":"…"}' } },
    examples: [['daybook users reset-link maria', 'shows a link for maria']],
  },
  async (input, dependencies) => {
    const secret = newLongSecret();
    const digest = secretDigest(secret);
    const decide = (user: UserAccount) => issueResetLink(user, digest);
    const { state: user } = await applied(dependencies, input, (...on) => changeUser(...on, input.name, decide));
    const url = dependencies.site + resetLinkPath(user.id, secret);
    return {
      json: { id: user.id, name: user.login, url },
      lines: [`Link for a new password of ${called(user)}, for 24 hours:`, url],
    };
  },
  writing,
);

const giveRole = command(
  {
    name: 'users role',
    summary: 'give a user another role',
    arguments: { name: NAME, role: { label: 'ROLE', description: 'the new role', type: ROLE } },
    options: { force: FORCE },
    examples: [['daybook users role maria administrator', 'makes maria an administrator']],
  },
  async (input, dependencies) => {
    const { name, role } = input;
    const { state: user } = await applied(dependencies, input, (...on) => updateUser(...on, name, { role }));
    return `${called(user)} has the role ${user.role}.`;
  },
  writing,
);

const rename = command(
  {
    name: 'users rename',
    summary: 'change the name under which a user is shown',
    description: ['The login stays what it is.'],
    arguments: { name: NAME, display: { label: 'DISPLAY-NAME', description: 'the name to show' } },
    examples: [['daybook users rename maria "Maria Lund"', 'shows the user as Maria Lund']],
  },
  async (input, dependencies) => {
    const { name, display } = input;
    const { state: user } = await applied(dependencies, input, (...on) => updateUser(...on, name, { name: display }));
    return `${called(user)} is shown as ${user.name}.`;
  },
  writing,
);

const changeEmail = command(
  {
    name: 'users email',
    summary: 'change the e-mail address of a user',
    arguments: { name: NAME, email: { label: 'EMAIL', description: "the new address; '' removes it" } },
    examples: [['daybook users email maria maria@calendar.example', 'sets the address']],
  },
  async (input, dependencies) => {
    const { name, email } = input;
    const { state: user } = await applied(dependencies, input, (...on) => updateUser(...on, name, { email }));
    const effect = user.email === '' ? 'has no e-mail address' : `has the e-mail address ${user.email}`;
    return `${called(user)} ${effect}.`;
  },
  writing,
);

const remove = command(
  {
    name: 'users remove',
    summary: 'remove a user',
    description: ['What the user wrote stays. The id is never reused; `daybook erase` erases personal data.'],
    arguments: { name: NAME },
    options: { force: FORCE },
    examples: [['daybook users remove maria', 'removes maria and all of her tokens']],
  },
  async (input, dependencies) => {
    const { state: user } = await applied(dependencies, input, (...on) => commands.removeUser(...on, input.name));
    return `Removed ${called(user)}; the id is not given again.`;
  },
  writing,
);

const history = command(
  {
    name: 'users history',
    summary: 'show what happened to a user',
    arguments: { name: { ...NAME, count: 'optional' } },
    options: {
      id: { value: 'N', description: 'id of the user, also of one who was removed', type: POSITIVE_INTEGER },
      json: JSON_FLAG,
    },
    examples: [['daybook users history --id 7', 'shows who changed user 7, when and how']],
    check: ({ name, id }) => {
      if (name === undefined && id === undefined) return 'NAME or --id N is missing.';
      return name !== undefined && id !== undefined ? 'NAME and --id exclude each other.' : null;
    },
  },
  async ({ name = '', id: wanted }, { store, siteZone }) => {
    const id = wanted ?? (await idNamed(store, name));
    const entries = await queries.userHistory({ store, siteZone }, id);
    if (entries.length === 0) throw new UsageError(`there never was a user ${id}.`, 1);
    return { json: entries, lines: entries.flatMap(linesOfEntry) };
  },
  reading,
);

async function idNamed(store: EventStore, name: string): Promise<number> {
  const stream = await ownerOfName(store, comparedName(name));
  if (stream !== null) return idOfUser(stream);
  throw new UsageError(`there is no user "${name}". Try --id N for one who was removed.`, 1);
}

export const usersGroup: Group<UsersDependencies> = {
  name: 'users',
  subcommands: [
    ...[add, list, show, token, revoke, setUserPassword, resetLink],
    ...[giveRole, rename, changeEmail, remove, history],
  ],
};
