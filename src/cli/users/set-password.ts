import { hashPassword } from '../../auth/passwords.ts';
import { setPassword } from '../../commands/users/desk-access.ts';
import { synopsis } from '../command.ts';
import { applied, changeDependencies, NAME, usersCommand, usersMetadata } from './shared.ts';

const SPEC = synopsis({
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

export const setUserPassword = usersCommand('existing', SPEC, async ({ name }, dependencies) => {
  const password = await dependencies.readSecret();
  const commands = { ...changeDependencies(dependencies), hashSecret: hashPassword };
  const setting = setPassword(commands, usersMetadata(dependencies), name, password);
  const { user } = await applied(SPEC.name, dependencies, setting);
  dependencies.out(`${user.login} (user ${user.id}) has a new password.`);
});
