// `daybook users`: users and their tokens, written to the log whether a service runs or not.
import { command, type Group } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/errors.ts';
import { printable, readSecret } from '../../../cli/terminal.ts';
import { JSON_FLAG, oneOf, POSITIVE_INTEGER } from '../../../cli/values.ts';
import { BUSY, onLog, operatorMetadata, SURROUNDINGS, type Surroundings } from '../../../cli/with-log.ts';
import { idOfUser, ownerOfName } from '../../../commands/reservations/user-names.ts';
import { type Config, siteAddress } from '../../../config.ts';
import { linesOfEntry } from '../../../editorial/history/cli/history.ts';
import * as queries from '../../../editorial/history/queries/user-history.ts';
import type { Answer } from '../../../http/schemas/components.ts';
import { instantText } from '../../../kernel/time/instant.ts';
import type { Zone } from '../../../kernel/time/zone.ts';
import { type EventMetadata, fold } from '../../../log/envelope.ts';
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
  type UserRefused,
  type UserWritten,
  updateUser,
} from '../commands/users.ts';
import { issueResetLink } from '../domain/desk-access.ts';
import { comparedName, evolveUser, isUsableAdministrator, type UserAccount } from '../domain/user.ts';

// Shared by the subcommands of `daybook users`.

interface UsersDependencies extends Surroundings {
  readonly store: EventStore;
  /** Brings the read model up to the end of the log, so that an announced user can sign in. */
  readonly project: () => Promise<unknown>;
  /** Of the dates in a history. */
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

type Change<Outcome> = (on: UserDependencies, metadata: EventMetadata) => Promise<Outcome | UserRefused>;

/**
 * Carries out a change, and waits until the read model shows it. Without `--force` the last administrator is protected. Throws
 * `UsageError` for what is refused.
 */
async function applied<Outcome extends UserWritten>(
  dependencies: UsersDependencies,
  change: Change<Outcome>,
  { force = false }: { readonly force?: boolean } = {},
): Promise<Outcome> {
  const { store, newId, project } = dependencies;
  const administrators = async () => (await allUsers(store)).filter(isUsableAdministrator).map(({ id }) => id);
  const on = { store, newEventId: newId, newSecret, hashSecret: hashPassword, ...(!force && { administrators }) };
  const outcome = await change(on, operatorMetadata('daybook users', dependencies));
  if ('why' in outcome) throw refusal(outcome);
  await project();
  return outcome;
}

const called = ({ login, id }: UserAccount): string => `${login} (user ${id})`;

/** The public part of a user: no hashes. */
const shown = ({
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
    issued: instantText(credential.issued),
  })),
});

/** Users label their own credentials: a label must not look like a line of output. */
const credentialLines = (user: UserAccount): string[] =>
  shown(user).credentials.map(({ id, label, issued }) => `token ${id}\t${printable(label)}\tissued ${issued}`);

const refusal = ({ why, value }: UserRefused): UsageError =>
  new UsageError(REFUSALS[why]?.(value) ?? BUSY, why.startsWith('invalid') ? 2 : 1);

/** Of what is done here; other writers are what is left. */
const REFUSALS: { readonly [Why in UserRefused['why']]?: (value: string) => string } = {
  login_taken: (value) => `there is a user named "${value}" already.`,
  email_taken: (value) => `another user signs in as "${value}".`,
  id_taken: (value) => `the id ${value} is not free.`,
  unknown_user: (value) => `there is no user "${value}".`,
  unknown_credential: (value) => `there is no token ${value} to revoke.`,
  last_administrator: (value) =>
    `"${value}" is the last administrator with a token. Add another one first, or use --force.`,
  invalid_login: (value) => `"${value}" cannot be a login: it must have 1 to 60 characters and no colon.`,
  invalid_email: (value) => `"${value}" is not an e-mail address.`,
  invalid_password: () => 'a password must have 12 to 1,000 characters.',
  invalid_name: (value) => `"${value}" is blank.`,
  invalid_label: (value) => `"${value}" is blank.`,
};

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
  async ({ name: login, role, id, email, label }, dependencies) => {
    const profile = { login, email, label, name: login, role, ...(id !== undefined && { id }) };
    const added = await applied(dependencies, (...on) => commands.addUser(...on, profile));
    const { user } = added;
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
    return { json: users.map(shown), lines };
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
    const stream = await ownerOfName(store, comparedName(name));
    const user = stream === null ? null : fold(await store.readStream(stream), evolveUser);
    if (!user) throw new UsageError(`there is no user "${name}".`, 1);
    const { identity } = user;
    const lines = [
      called(user),
      `  name:   ${user.name}`,
      `  e-mail: ${user.email || '-'}`,
      `  role:   ${user.role}`,
      ...(identity ? [`  single sign-on: ${identity.subject} at ${identity.issuer}`] : []),
      ...credentialLines(user).map((line) => `  ${line}`.replace('\t', '  ')),
    ];
    return { json: { ...shown(user), ...(identity && { single_sign_on: identity }) }, lines: lines.map(printable) };
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
  async ({ name, label }, dependencies) => {
    const issued = await applied(dependencies, (...on) => issueCredential(...on, name, label));
    const { user, credentialId } = issued;
    const password = passwordOf(issued);
    return {
      json: { id: user.id, name: user.login, credential: credentialId, password },
      lines: [`Issued token ${credentialId} of ${called(user)}.`, `Token, shown this once: ${password}`],
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
  async ({ name, credential, ...terms }, dependencies) => {
    const { user } = await applied(dependencies, (...on) => revokeCredential(...on, name, credential ?? 'all'), terms);
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
  async ({ name }, dependencies) => {
    const password = await dependencies.readSecret();
    const { user } = await applied(dependencies, (...on) => setPassword(...on, name, password));
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
  async ({ name }, dependencies) => {
    const secret = newLongSecret();
    const digest = secretDigest(secret);
    const decide = (user: UserAccount) => issueResetLink(user, digest);
    const { user } = await applied(dependencies, (...on) => changeUser(...on, name, decide));
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
  async ({ name, role, ...terms }, dependencies) => {
    const { user } = await applied(dependencies, (...on) => updateUser(...on, name, { role }), terms);
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
  async ({ name, display }, dependencies) => {
    const { user } = await applied(dependencies, (...on) => updateUser(...on, name, { name: display }));
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
  async ({ name, email }, dependencies) => {
    const { user } = await applied(dependencies, (...on) => updateUser(...on, name, { email }));
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
  async ({ name, ...terms }, dependencies) => {
    const { user } = await applied(dependencies, (...on) => commands.removeUser(...on, name), terms);
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
  async ({ name = '', id: asked }, { store, siteZone }) => {
    const id = asked ?? (await idNamed(store, name));
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
