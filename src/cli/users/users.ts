// `daybook users`: what is typed, and which command it is.

import { ROLES } from '../../auth/caller.ts';
import { hashPassword, newSecret, tokenText } from '../../auth/passwords.ts';
import { addUser, type CredentialIssued, revokeCredential } from '../../commands/users/users.ts';
import { UsageError } from '../usage-error.ts';
import { changeEmail, changeRole, issueToken, removeOne, rename } from './changing.ts';
import { listUsers, showUser, tellHistory } from './showing.ts';
import {
  commandsOf,
  explained,
  metadataFor,
  onlyName,
  positiveInteger,
  readUsers,
  roleFrom,
  type UsersDependencies,
} from './subcommands.ts';

export type { UsersDependencies } from './subcommands.ts';

export const USERS_USAGE = `daybook users add NAME --role ROLE [--id N] [--email E] [--label L] [--json]
daybook users list [--json]
daybook users show NAME [--json]
daybook users token NAME [--label L] [--json]
daybook users revoke NAME [--credential N] [--force]
daybook users role NAME ROLE [--force]
daybook users rename NAME DISPLAY-NAME
daybook users email NAME E-MAIL   ('' for none)
daybook users remove NAME [--force]
daybook users history NAME [--json] | --id N [--json]
Roles: ${ROLES.join(', ')}. --force also where no administrator with a token would be left.`;

const DEFAULT_LABEL = 'command line';

type Run = (args: readonly string[], dependencies: UsersDependencies) => Promise<void>;

const WORDS: { readonly [word: string]: Run } = {
  add,
  list: listUsers,
  show: showUser,
  token: issueToken,
  revoke,
  role: changeRole,
  rename,
  email: changeEmail,
  remove: removeOne,
  history: tellHistory,
};

/** Carries out `daybook users ...`; `args` is what stands behind `users`. Throws `UsageError`. */
export async function runUsers(args: readonly string[], dependencies: UsersDependencies): Promise<void> {
  const [word, ...rest] = args;
  const run = word !== undefined && Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
  if (run) return run(rest, dependencies);
  const said = word === undefined ? 'users: what to do is missing' : `users: unknown word "${word}"`;
  throw new UsageError(`${said}; allowed: ${Object.keys(WORDS).join(', ')}.\n${USERS_USAGE}`);
}

async function add(args: readonly string[], dependencies: UsersDependencies): Promise<void> {
  const flags = {
    role: { type: 'string' },
    id: { type: 'string' },
    email: { type: 'string', default: '' },
    label: { type: 'string', default: DEFAULT_LABEL },
    json: { type: 'boolean', default: false },
  } as const;
  const { values, positionals } = readUsers('add', args, flags);
  const login = onlyName('add', positionals, USERS_USAGE);
  const { store, newId, project, out } = dependencies;
  const { email, label } = values;
  const id = values.id === undefined ? {} : { id: positiveInteger('add', '--id', values.id) };
  const profile = { login, email, label, name: login, role: roleFrom('add', values.role), ...id };
  const users = { store, newEventId: newId, newSecret, hashSecret: hashPassword };
  const added = await addUser(users, metadataFor(dependencies), profile);
  if (added.kind === 'refused') throw explained('add', added);
  await project();
  const { user } = added;
  const password = passwordOf(added);
  if (values.json) {
    out(JSON.stringify({ id: user.id, name: user.login, role: user.role, password }));
    return;
  }
  out(`Added ${user.login} (user ${user.id}, ${user.role}).`);
  out(`Token, shown this once: ${password}`);
}

const passwordOf = ({ user, credentialId, secret }: CredentialIssued): string =>
  tokenText({ user: user.id, credential: credentialId, secret });

async function revoke(args: readonly string[], dependencies: UsersDependencies): Promise<void> {
  const flags = { credential: { type: 'string' }, force: { type: 'boolean', default: false } } as const;
  const { values, positionals } = readUsers('revoke', args, flags);
  const login = onlyName('revoke', positionals, USERS_USAGE);
  const which = values.credential === undefined ? 'all' : positiveInteger('revoke', '--credential', values.credential);
  const commands = commandsOf(dependencies, values);
  const revoked = await revokeCredential(commands, metadataFor(dependencies), login, which);
  if (revoked.kind === 'refused') throw explained('revoke', revoked);
  await dependencies.project();
  const left = revoked.user.credentials.length;
  dependencies.out(
    `Revoked ${which === 'all' ? 'every token' : `token ${which}`} of ${revoked.user.login}; ${left} left.`,
  );
}
