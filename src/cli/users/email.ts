import { updateUser } from '../../commands/users/users.ts';
import { synopsis } from '../command.ts';
import { applied, changeDependencies, NAME, usersCommand, usersMetadata } from './shared.ts';

const SPEC = synopsis({
  name: 'users email',
  summary: 'change the e-mail address of a user',
  arguments: { name: NAME, email: { label: 'EMAIL', description: "the new address; '' removes it" } },
  options: {},
  examples: [['daybook users email maria maria@calendar.example', 'sets the address']],
});

export const changeEmail = usersCommand('existing', SPEC, async ({ name, email }, dependencies) => {
  const changing = updateUser(changeDependencies(dependencies), usersMetadata(dependencies), name, { email });
  const { user } = await applied(SPEC.name, dependencies, changing);
  const effect = user.email === '' ? 'has no e-mail address' : `has the e-mail address ${user.email}`;
  dependencies.out(`${user.login} (user ${user.id}) ${effect}.`);
});
