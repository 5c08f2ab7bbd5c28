// `daybook users list | show | history`. Nothing of a hash is ever shown.

import { idOfUser, ownerOfName } from '../../commands/reservations/user-names.ts';
import { allUsers } from '../../commands/users/all-users.ts';
import { comparedName, evolveUser, type UserAccount } from '../../domain/user.ts';
import { fold } from '../../event-store/fold.ts';
import { userHistory } from '../../queries/history/user-history.ts';
import { resolveZone } from '../../time/zone.ts';
import { linesOfEntry, printable } from '../history.ts';
import { UsageError } from '../usage-error.ts';
import { onlyName, positiveInteger, readUsers, type UsersDependencies } from './subcommands.ts';

const JSON_FLAG = { json: { type: 'boolean', default: false } } as const;

const SHOW_USAGE = 'daybook users show NAME [--json]';
const HISTORY_USAGE = 'daybook users history NAME [--json] | --id N [--json]';

export async function listUsers(args: readonly string[], { store, out }: UsersDependencies): Promise<void> {
  const { values, positionals } = readUsers('list', args, JSON_FLAG);
  if (positionals.length > 0) throw new UsageError(`users list: "${positionals.join(' ')}" is too much.`);
  const users = await allUsers(store);
  if (values.json) {
    out(JSON.stringify(users.map(shown)));
    return;
  }
  for (const user of users) {
    out([user.id, user.login, user.role, user.email || '-'].join('\t'));
    for (const line of credentialLines(user)) out(`\t${line}`);
  }
}

export async function showUser(args: readonly string[], { store, out }: UsersDependencies): Promise<void> {
  const { values, positionals } = readUsers('show', args, JSON_FLAG);
  const name = onlyName('show', positionals, SHOW_USAGE);
  const stream = await ownerOfName(store, comparedName(name));
  const user = stream === null ? null : fold(await store.readStream(stream), evolveUser);
  if (!user) throw new UsageError(`users show: there is no user "${name}".`, 1);
  if (values.json) {
    out(JSON.stringify({ ...shown(user), ...(user.identity && { single_sign_on: user.identity }) }));
    return;
  }
  out(`${user.login} (user ${user.id})`);
  out(printable(`  name:   ${user.name}`));
  out(`  e-mail: ${user.email || '-'}`);
  out(`  role:   ${user.role}`);
  if (user.identity) out(printable(`  single sign-on: ${user.identity.subject} at ${user.identity.issuer}`));
  for (const line of credentialLines(user)) out(printable(`  ${line}`.replace('\t', '  ')));
}

export async function tellHistory(args: readonly string[], dependencies: UsersDependencies): Promise<void> {
  const { store, out, siteZone = resolveZone('UTC') } = dependencies;
  const { values, positionals } = readUsers('history', args, { ...JSON_FLAG, id: { type: 'string' } } as const);
  if (!siteZone) throw new Error('there is no zone UTC');
  const id =
    values.id === undefined ? await idNamed(store, positionals) : positiveInteger('history', '--id', values.id);
  const entries = await userHistory({ store, siteZone }, id);
  if (entries.length === 0) throw new UsageError(`users history: there never was a user ${id}.`, 1);
  if (values.json) out(JSON.stringify(entries));
  else for (const line of entries.flatMap(linesOfEntry)) out(line);
}

async function idNamed(store: UsersDependencies['store'], positionals: readonly string[]): Promise<number> {
  const name = onlyName('history', positionals, HISTORY_USAGE);
  const stream = await ownerOfName(store, comparedName(name));
  if (stream !== null) return idOfUser(stream);
  throw new UsageError(`users history: there is no user "${name}". Of one who was removed, say --id N.`, 1);
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

/** Whoever can sign in names credentials: a label must not look like a line of its own, nor command a terminal. */
const credentialLines = (user: UserAccount): string[] =>
  shown(user).credentials.map(({ id, label, issued }) => `token ${id}\t${printable(label)}\tissued ${issued}`);
