import { allUsers } from '../../commands/users/user-changes.ts';
import { synopsis } from '../command.ts';
import { JSON_FLAG } from '../values.ts';
import { credentialLines, shown, usersCommand } from './shared.ts';

const SPEC = synopsis({
  name: 'users list',
  summary: 'list all users with their tokens',
  description: ['A line for each user (id, login, role, e-mail address), with a line for each token below it.'],
  arguments: {},
  options: { json: JSON_FLAG },
  examples: [['daybook users list', 'lists all users']],
});

export const listUsers = usersCommand('read', SPEC, async ({ json }, { store, out }) => {
  const users = await allUsers(store);
  if (json) return out(JSON.stringify(users.map(shown)));
  for (const user of users) {
    out([user.id, user.login, user.role, user.email || '-'].join('\t'));
    for (const line of credentialLines(user)) out(`\t${line}`);
  }
});
