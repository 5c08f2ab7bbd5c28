// `daybook users token | role | rename | email | remove`.
import { hashPassword, newSecret, tokenText } from '../../auth/passwords.ts';
import {
  issueCredential,
  removeUser,
  type UserRefused,
  type UserWritten,
  updateUser,
} from '../../commands/users/users.ts';
import {
  commandsOf,
  explained,
  metadataFor,
  nameAnd,
  onlyName,
  readUsers,
  roleFrom,
  type UsersDependencies,
} from './subcommands.ts';

const FORCE = { force: { type: 'boolean', default: false } } as const;

const TOKEN_USAGE = 'daybook users token NAME [--label L] [--json]';
const REMOVE_USAGE = 'daybook users remove NAME [--force]';

export async function issueToken(args: readonly string[], dependencies: UsersDependencies): Promise<void> {
  const flags = {
    label: { type: 'string', default: 'command line' },
    json: { type: 'boolean', default: false },
  } as const;
  const { values, positionals } = readUsers('token', args, flags);
  const name = onlyName('token', positionals, TOKEN_USAGE);
  const { store, newId, project, out } = dependencies;
  const commands = { store, newEventId: newId, newSecret, hashSecret: hashPassword };
  const issued = await issueCredential(commands, metadataFor(dependencies), name, values.label);
  if (issued.kind === 'refused') throw explained('token', issued);
  await project();
  const { user, credentialId, secret } = issued;
  const password = tokenText({ user: user.id, credential: credentialId, secret });
  if (values.json) {
    out(JSON.stringify({ id: user.id, name: user.login, credential: credentialId, password }));
    return;
  }
  out(`Issued token ${credentialId} of ${user.login} (user ${user.id}).`);
  out(`Token, shown this once: ${password}`);
}

export async function changeRole(args: readonly string[], dependencies: UsersDependencies): Promise<void> {
  const { values, positionals } = readUsers('role', args, FORCE);
  const [name, text] = nameAnd('role', 'ROLE', positionals);
  const commands = commandsOf(dependencies, values);
  const role = roleFrom('role', text);
  const { user } = await settled('role', dependencies, updateUser(commands, metadataFor(dependencies), name, { role }));
  dependencies.out(`${user.login} (user ${user.id}) has the role ${user.role}.`);
}

export async function rename(args: readonly string[], dependencies: UsersDependencies): Promise<void> {
  const { positionals } = readUsers('rename', args, {});
  const [login, name] = nameAnd('rename', 'DISPLAY-NAME', positionals);
  const commands = commandsOf(dependencies, {});
  const renaming = updateUser(commands, metadataFor(dependencies), login, { name });
  const { user } = await settled('rename', dependencies, renaming);
  dependencies.out(`${user.login} (user ${user.id}) is shown as ${user.name}.`);
}

export async function changeEmail(args: readonly string[], dependencies: UsersDependencies): Promise<void> {
  const { positionals } = readUsers('email', args, {});
  const [name, email] = nameAnd('email', 'E-MAIL', positionals);
  const commands = commandsOf(dependencies, {});
  const changing = updateUser(commands, metadataFor(dependencies), name, { email });
  const { user } = await settled('email', dependencies, changing);
  const told = user.email === '' ? 'has no e-mail address' : `has the e-mail address ${user.email}`;
  dependencies.out(`${user.login} (user ${user.id}) ${told}.`);
}

export async function removeOne(args: readonly string[], dependencies: UsersDependencies): Promise<void> {
  const { values, positionals } = readUsers('remove', args, FORCE);
  const name = onlyName('remove', positionals, REMOVE_USAGE);
  const removing = removeUser(commandsOf(dependencies, values), metadataFor(dependencies), name);
  const { user } = await settled('remove', dependencies, removing);
  dependencies.out(`Removed ${user.login} (user ${user.id}); the id is not given again.`);
}

async function settled(
  word: string,
  { project }: UsersDependencies,
  changing: Promise<UserWritten | UserRefused>,
): Promise<UserWritten> {
  const outcome = await changing;
  if (outcome.kind === 'refused') throw explained(word, outcome);
  await project();
  return outcome;
}
