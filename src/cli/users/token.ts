import { hashPassword, newSecret } from '../../auth/passwords.ts';
import { issueCredential } from '../../commands/users/users.ts';
import { synopsis } from '../command.ts';
import { applied, LABEL, NAME, passwordOf, usersCommand, usersMetadata } from './shared.ts';

const SPEC = synopsis({
  name: 'users token',
  summary: 'issue another token and show it',
  description: ['Tokens that the user has already stay valid: `daybook users revoke` ends them.'],
  arguments: { name: NAME },
  options: {
    label: LABEL,
    json: { description: 'answer with one line {"id":…,"name":…,"credential":…,"password":"…"}' },
  },
  examples: [['daybook users token admin', 'issues a token for an administrator who has lost the first one']],
});

export const issueToken = usersCommand('existing', SPEC, async ({ name, label, json }, dependencies) => {
  const { store, newId, out } = dependencies;
  const commands = { store, newEventId: newId, newSecret, hashSecret: hashPassword };
  const issuing = issueCredential(commands, usersMetadata(dependencies), name, label);
  const issued = await applied(SPEC.name, dependencies, issuing);
  const { user, credentialId } = issued;
  const password = passwordOf(issued);
  if (json) return out(JSON.stringify({ id: user.id, name: user.login, credential: credentialId, password }));
  out(`Issued token ${credentialId} of ${user.login} (user ${user.id}).`);
  out(`Token, shown this once: ${password}`);
});
