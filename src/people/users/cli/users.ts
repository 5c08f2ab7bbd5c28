// `daybook users`: users and their tokens, written to the log whether a service runs or not.
import { type Group, synopsis } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/errors.ts';
import { commandsOn } from '../../../cli/log-commands.ts';
import { printable, readSecret } from '../../../cli/terminal.ts';
import { JSON_FLAG, oneOf, POSITIVE_INTEGER } from '../../../cli/values.ts';
import { operatorMetadata, SURROUNDINGS, type Surroundings } from '../../../cli/with-log.ts';
import { idOfUser, ownerOfName } from '../../../commands/reservations/user-names.ts';
import { siteAddress } from '../../../config.ts';
import { linesOfEntry } from '../../../editorial/history/cli/history.ts';
import * as queries from '../../../editorial/history/queries/user-history.ts';
import type { Answer } from '../../../http/schemas/components.ts';
import { instantText } from '../../../kernel/time/instant.ts';
import { resolveZone, type Zone } from '../../../kernel/time/zone.ts';
import { type EventMetadata, fold } from '../../../log/envelope.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { ROLES } from '../../auth/caller.ts';
import { hashPassword, newSecret } from '../../auth/passwords.ts';
import { newLongSecret, resetLinkPath, secretDigest } from '../../auth/sessions.ts';
import { allUsers, type ChangeDependencies, changeUser } from '../commands/user-changes.ts';
import * as commands from '../commands/users.ts';
import {
  issueCredential,
  passwordOf,
  revokeCredential,
  setPassword,
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
  /** Zone of the dates in a history; default: UTC. */
  readonly siteZone?: Zone;
  /** The address of the desk, without a slash at its end. */
  readonly site: string;
  /** What is typed or piped in, and never shown. */
  readonly readSecret: () => Promise<string>;
}

/** A subcommand that works on the log. Throws `UsageError`. */
const usersCommand = commandsOn(
  ({ store, project }, config): UsersDependencies => ({
    store,
    project,
    siteZone: config.siteZone,
    readSecret,
    ...SURROUNDINGS,
    site: siteAddress(config),
  }),
);

const NAME = { label: 'NAME', description: 'login or e-mail address of the user' } as const;
const ROLE = oneOf(ROLES);
const LABEL = {
  value: 'LABEL',
  description: 'what the token is for',
  default: 'command line',
} as const;
const FORCE = { description: 'also if no administrator with a token would be left' } as const;

/** Without `--force` the last administrator is protected. */
function changeDependencies({ store, newId }: UsersDependencies, force = false): ChangeDependencies {
  const administrators = async () => (await allUsers(store)).filter(isUsableAdministrator).map(({ id }) => id);
  return { store, newEventId: newId, ...(!force && { administrators }) };
}

const usersMetadata = (surroundings: UsersDependencies): EventMetadata =>
  operatorMetadata('daybook users', surroundings);

/** Waits for a change, and for the read model to show it. */
async function applied<Outcome extends UserWritten>(
  name: string,
  { project }: UsersDependencies,
  changing: Promise<Outcome | UserRefused>,
): Promise<Outcome> {
  const outcome = await changing;
  if ('why' in outcome) throw refusal(name, outcome);
  await project();
  return outcome;
}

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

function utc(): Zone {
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

const ADD = synopsis({
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
});

const addUser = usersCommand('create', ADD, async (given, dependencies) => {
  const { name: login, role, id, email, label, json } = given;
  const { store, newId, out } = dependencies;
  const profile = { login, email, label, name: login, role, ...(id !== undefined && { id }) };
  const adding = commands.addUser(
    { store, newEventId: newId, newSecret, hashSecret: hashPassword },
    usersMetadata(dependencies),
    profile,
  );
  const added = await applied(ADD.name, dependencies, adding);
  const { user } = added;
  const password = passwordOf(added);
  if (json) return out(JSON.stringify({ id: user.id, name: user.login, role: user.role, password }));
  out(`Added ${user.login} (user ${user.id}, ${user.role}).`);
  out(`Token, shown this once: ${password}`);
});

const LIST = synopsis({
  name: 'users list',
  summary: 'list all users with their tokens',
  description: ['A line for each user (id, login, role, e-mail address), with a line for each token below it.'],
  arguments: {},
  options: { json: JSON_FLAG },
  examples: [['daybook users list', 'lists all users']],
});

const listUsers = usersCommand('read', LIST, async ({ json }, { store, out }) => {
  const users = await allUsers(store);
  if (json) return out(JSON.stringify(users.map(shown)));
  for (const user of users) {
    out([user.id, user.login, user.role, user.email || '-'].join('\t'));
    for (const line of credentialLines(user)) out(`\t${line}`);
  }
});

const SHOW = synopsis({
  name: 'users show',
  summary: 'show one user',
  arguments: { name: NAME },
  options: { json: JSON_FLAG },
  examples: [['daybook users show maria', 'shows name, role, e-mail address and tokens']],
});

const showUser = usersCommand('read', SHOW, async ({ name, json }, { store, out }) => {
  const stream = await ownerOfName(store, comparedName(name));
  const user = stream === null ? null : fold(await store.readStream(stream), evolveUser);
  if (!user) throw new UsageError(`users show: there is no user "${name}".`, 1);
  const { identity } = user;
  if (json) return out(JSON.stringify({ ...shown(user), ...(identity && { single_sign_on: identity }) }));
  out(`${user.login} (user ${user.id})`);
  out(printable(`  name:   ${user.name}`));
  out(`  e-mail: ${user.email || '-'}`);
  out(`  role:   ${user.role}`);
  if (identity) out(printable(`  single sign-on: ${identity.subject} at ${identity.issuer}`));
  for (const line of credentialLines(user)) out(printable(`  ${line}`.replace('\t', '  ')));
});

const TOKEN = synopsis({
  name: 'users token',
  summary: 'issue another token and show it',
  description: ['Tokens that the user has already stay valid: `daybook users revoke` ends them.'],
  arguments: { name: NAME },
  options: {
    label: LABEL,
    json: { description: 'answer with one line {"id":…,"name":…,"credential":…,"password":"…"}' },
  },
  examples: [['daybook users token admin', 'issues a token for an administrator who has lost the first one']],
});

const issueToken = usersCommand('existing', TOKEN, async ({ name, label, json }, dependencies) => {
  const { store, newId, out } = dependencies;
  const commands = { store, newEventId: newId, newSecret, hashSecret: hashPassword };
  const issuing = issueCredential(commands, usersMetadata(dependencies), name, label);
  const issued = await applied(TOKEN.name, dependencies, issuing);
  const { user, credentialId } = issued;
  const password = passwordOf(issued);
  if (json) return out(JSON.stringify({ id: user.id, name: user.login, credential: credentialId, password }));
  out(`Issued token ${credentialId} of ${user.login} (user ${user.id}).`);
  out(`Token, shown this once: ${password}`);
});

const REVOKE = synopsis({
  name: 'users revoke',
  summary: 'revoke one token of a user, or all of them',
  arguments: { name: NAME },
  options: {
    credential: { value: 'N', description: 'number of the token', type: POSITIVE_INTEGER, otherwise: 'all tokens' },
    force: FORCE,
  },
  examples: [['daybook users revoke maria --credential 2', 'revokes the token that `users show` lists as token 2']],
});

const revokeToken = usersCommand('existing', REVOKE, async ({ name, credential, force }, dependencies) => {
  const commands = changeDependencies(dependencies, force);
  const revoking = revokeCredential(commands, usersMetadata(dependencies), name, credential ?? 'all');
  const { user } = await applied(REVOKE.name, dependencies, revoking);
  const revoked = credential === undefined ? 'every token' : `token ${credential}`;
  dependencies.out(`Revoked ${revoked} of ${user.login}; ${user.credentials.length} left.`);
});

const SET_PASSWORD = synopsis({
  name: 'users set-password',
  summary: 'set the password of a user for the desk',
  description: [
    'The password is asked for, or read from standard input: its first line, 12 to 1,000 characters.',
    'All sessions of the user at the desk end. Tokens stay valid.',
  ],
  arguments: { name: NAME },
  options: {},
  examples: [['daybook users set-password maria < password.txt', 'sets the password that the file contains']],
});

const setUserPassword = usersCommand('existing', SET_PASSWORD, async ({ name }, dependencies) => {
  const password = await dependencies.readSecret();
  const commands = { ...changeDependencies(dependencies), hashSecret: hashPassword };
  const setting = setPassword(commands, usersMetadata(dependencies), name, password);
  const { user } = await applied(SET_PASSWORD.name, dependencies, setting);
  dependencies.out(`${user.login} (user ${user.id}) has a new password.`);
});

const RESET_LINK = synopsis({
  name: 'users reset-link',
  summary: 'show a link with which a user sets a new password',
  description: ['The link works once, for 24 hours, until another one is issued or the password is set otherwise.'],
  arguments: { name: NAME },
  options: { json: { description: 'answer with one line {"id":…,"name":…,"url":"…"}' } },
  examples: [['daybook users reset-link maria', 'shows a link for maria']],
});

const showResetLink = usersCommand('existing', RESET_LINK, async ({ name, json }, dependencies) => {
  const { site, out } = dependencies;
  const secret = newLongSecret();
  const digest = secretDigest(secret);
  const decide = (user: UserAccount) => issueResetLink(user, digest);
  const issuing = changeUser(changeDependencies(dependencies), usersMetadata(dependencies), name, decide);
  const { user } = await applied(RESET_LINK.name, dependencies, issuing);
  const url = site + resetLinkPath(user.id, secret);
  if (json) return out(JSON.stringify({ id: user.id, name: user.login, url }));
  out(`Link for a new password of ${user.login} (user ${user.id}), for 24 hours:`);
  out(url);
});

const GIVE_ROLE = synopsis({
  name: 'users role',
  summary: 'give a user another role',
  arguments: { name: NAME, role: { label: 'ROLE', description: 'the new role', type: ROLE } },
  options: { force: FORCE },
  examples: [['daybook users role maria administrator', 'makes maria an administrator']],
});

const changeRole = usersCommand('existing', GIVE_ROLE, async ({ name, role, force }, dependencies) => {
  const commands = changeDependencies(dependencies, force);
  const changing = updateUser(commands, usersMetadata(dependencies), name, { role });
  const { user } = await applied(GIVE_ROLE.name, dependencies, changing);
  dependencies.out(`${user.login} (user ${user.id}) has the role ${user.role}.`);
});

const RENAME = synopsis({
  name: 'users rename',
  summary: 'change the name under which a user is shown',
  description: ['The login stays what it is.'],
  arguments: { name: NAME, display: { label: 'DISPLAY-NAME', description: 'the name to show' } },
  options: {},
  examples: [['daybook users rename maria "Maria Lund"', 'shows the user as Maria Lund']],
});

const renameUser = usersCommand('existing', RENAME, async ({ name, display }, dependencies) => {
  const renaming = updateUser(changeDependencies(dependencies), usersMetadata(dependencies), name, { name: display });
  const { user } = await applied(RENAME.name, dependencies, renaming);
  dependencies.out(`${user.login} (user ${user.id}) is shown as ${user.name}.`);
});

const EMAIL = synopsis({
  name: 'users email',
  summary: 'change the e-mail address of a user',
  arguments: { name: NAME, email: { label: 'EMAIL', description: "the new address; '' removes it" } },
  options: {},
  examples: [['daybook users email maria maria@calendar.example', 'sets the address']],
});

const changeEmail = usersCommand('existing', EMAIL, async ({ name, email }, dependencies) => {
  const changing = updateUser(changeDependencies(dependencies), usersMetadata(dependencies), name, { email });
  const { user } = await applied(EMAIL.name, dependencies, changing);
  const effect = user.email === '' ? 'has no e-mail address' : `has the e-mail address ${user.email}`;
  dependencies.out(`${user.login} (user ${user.id}) ${effect}.`);
});

const REMOVE = synopsis({
  name: 'users remove',
  summary: 'remove a user',
  description: ['What the user wrote stays. The id is never reused; `daybook erase` erases personal data.'],
  arguments: { name: NAME },
  options: { force: FORCE },
  examples: [['daybook users remove maria', 'removes maria and all of her tokens']],
});

const removeUser = usersCommand('existing', REMOVE, async ({ name, force }, dependencies) => {
  const removing = commands.removeUser(changeDependencies(dependencies, force), usersMetadata(dependencies), name);
  const { user } = await applied(REMOVE.name, dependencies, removing);
  dependencies.out(`Removed ${user.login} (user ${user.id}); the id is not given again.`);
});

const HISTORY = synopsis({
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
});

const userHistory = usersCommand('read', HISTORY, async ({ name = '', id: asked, json }, dependencies) => {
  const { store, out, siteZone = utc() } = dependencies;
  const id = asked ?? (await idNamed(store, name));
  const entries = await queries.userHistory({ store, siteZone }, id);
  if (entries.length === 0) throw new UsageError(`users history: there never was a user ${id}.`, 1);
  if (json) out(JSON.stringify(entries));
  else for (const line of entries.flatMap(linesOfEntry)) out(line);
});

async function idNamed(store: EventStore, name: string): Promise<number> {
  const stream = await ownerOfName(store, comparedName(name));
  if (stream !== null) return idOfUser(stream);
  throw new UsageError(`users history: there is no user "${name}". Try --id N for one who was removed.`, 1);
}

export const usersGroup: Group<UsersDependencies> = {
  name: 'users',
  subcommands: {
    add: addUser,
    list: listUsers,
    show: showUser,
    token: issueToken,
    revoke: revokeToken,
    'set-password': setUserPassword,
    'reset-link': showResetLink,
    role: changeRole,
    rename: renameUser,
    email: changeEmail,
    remove: removeUser,
    history: userHistory,
  },
};
