import * as commands from '../../commands/users/users.ts';
import { synopsis } from '../command.ts';
import { applied, changeDependencies, FORCE, NAME, usersCommand, usersMetadata } from './shared.ts';

const SPEC = synopsis({
  name: 'users remove',
  summary: 'remove a user',
  description: ['What the user wrote stays. The id is never reused; `daybook erase` erases personal data.'],
  arguments: { name: NAME },
  options: { force: FORCE },
  examples: [['daybook users remove maria', 'removes maria and all of her tokens']],
});

export const removeUser = usersCommand('existing', SPEC, async ({ name, force }, dependencies) => {
  const removing = commands.removeUser(changeDependencies(dependencies, force), usersMetadata(dependencies), name);
  const { user } = await applied(SPEC.name, dependencies, removing);
  dependencies.out(`Removed ${user.login} (user ${user.id}); the id is not given again.`);
});
