import { ownerOfName } from '../../commands/reservations/user-names.ts';
import { comparedName, evolveUser } from '../../domain/user.ts';
import { fold } from '../../event-store/envelope.ts';
import { synopsis } from '../command.ts';
import { UsageError } from '../errors.ts';
import { printable } from '../terminal.ts';
import { JSON_FLAG } from '../values.ts';
import { credentialLines, NAME, shown, usersCommand } from './shared.ts';

const SPEC = synopsis({
  name: 'users show',
  summary: 'show one user',
  arguments: { name: NAME },
  options: { json: JSON_FLAG },
  examples: [['daybook users show maria', 'shows name, role, e-mail address and tokens']],
});

export const showUser = usersCommand('read', SPEC, async ({ name, json }, { store, out }) => {
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
