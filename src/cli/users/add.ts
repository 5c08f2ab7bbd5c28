import { hashPassword, newSecret } from '../../auth/passwords.ts';
import * as commands from '../../commands/users/users.ts';
import { synopsis } from '../command.ts';
import { POSITIVE_INTEGER } from '../values.ts';
import { applied, LABEL, NAME, passwordOf, ROLE, usersCommand, usersMetadata } from './shared.ts';

const SPEC = synopsis({
  name: 'users add',
  summary: 'add a user and show the first token',
  description: [
    'The token is shown once and stored only as a hash. It works while the service is stopped or running.',
    'The first user may be added before the first start of the service.',
  ],
  arguments: { name: { ...NAME, description: 'login: 1 to 60 characters, no colon' } },
  options: {
    role: { value: 'ROLE', description: 'what the user may do', type: ROLE, required: true },
    id: { value: 'N', description: 'id of the user', type: POSITIVE_INTEGER, otherwise: 'the next free one' },
    email: { value: 'EMAIL', description: 'e-mail address, also for signing in', default: '' },
    label: LABEL,
    json: { description: 'answer with one line {"id":…,"name":…,"role":…,"password":"…"}' },
  },
  examples: [
    ['daybook users add maria --role editor', 'adds an editor and shows the token'],
    ['daybook users add robot --role author --label "ticket shop" --json', 'the same for a script'],
  ],
});

export const addUser = usersCommand('create', SPEC, async (given, dependencies) => {
  const { name: login, role, id, email, label, json } = given;
  const { store, newId, out } = dependencies;
  const profile = { login, email, label, name: login, role, ...(id !== undefined && { id }) };
  const adding = commands.addUser(
    { store, newEventId: newId, newSecret, hashSecret: hashPassword },
    usersMetadata(dependencies),
    profile,
  );
  const added = await applied(SPEC.name, dependencies, adding);
  const { user } = added;
  const password = passwordOf(added);
  if (json) return out(JSON.stringify({ id: user.id, name: user.login, role: user.role, password }));
  out(`Added ${user.login} (user ${user.id}, ${user.role}).`);
  out(`Token, shown this once: ${password}`);
});
