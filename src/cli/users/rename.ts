import { updateUser } from '../../commands/users/users.ts';
import { synopsis } from '../command.ts';
import { applied, changeDependencies, NAME, usersCommand, usersMetadata } from './shared.ts';

const SPEC = synopsis({
  name: 'users rename',
  summary: 'change the name under which a user is shown',
  description: ['The login stays what it is.'],
  arguments: { name: NAME, display: { label: 'DISPLAY-NAME', description: 'the name to show' } },
  options: {},
  examples: [['daybook users rename maria "Maria Lund"', 'shows the user as Maria Lund']],
});

export const renameUser = usersCommand('existing', SPEC, async ({ name, display }, dependencies) => {
  const renaming = updateUser(changeDependencies(dependencies), usersMetadata(dependencies), name, { name: display });
  const { user } = await applied(SPEC.name, dependencies, renaming);
  dependencies.out(`${user.login} (user ${user.id}) is shown as ${user.name}.`);
});
