import { updateUser } from '../../commands/users/users.ts';
import { synopsis } from '../command.ts';
import { applied, changeDependencies, FORCE, NAME, ROLE, usersCommand, usersMetadata } from './shared.ts';

const SPEC = synopsis({
  name: 'users role',
  summary: 'give a user another role',
  arguments: { name: NAME, role: { label: 'ROLE', description: 'the new role', type: ROLE } },
  options: { force: FORCE },
  examples: [['daybook users role maria administrator', 'makes maria an administrator']],
});

export const changeRole = usersCommand('existing', SPEC, async ({ name, role, force }, dependencies) => {
  const commands = changeDependencies(dependencies, force);
  const changing = updateUser(commands, usersMetadata(dependencies), name, { role });
  const { user } = await applied(SPEC.name, dependencies, changing);
  dependencies.out(`${user.login} (user ${user.id}) has the role ${user.role}.`);
});
