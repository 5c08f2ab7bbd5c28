import { revokeCredential } from '../../commands/users/users.ts';
import { synopsis } from '../command.ts';
import { POSITIVE_INTEGER } from '../values.ts';
import { applied, changeDependencies, FORCE, NAME, usersCommand, usersMetadata } from './shared.ts';

const SPEC = synopsis({
  name: 'users revoke',
  summary: 'revoke one token of a user, or all of them',
  arguments: { name: NAME },
  options: {
    credential: { value: 'N', description: 'number of the token', type: POSITIVE_INTEGER, otherwise: 'all tokens' },
    force: FORCE,
  },
  examples: [['daybook users revoke maria --credential 2', 'revokes the token that `users show` lists as token 2']],
});

export const revokeToken = usersCommand('existing', SPEC, async ({ name, credential, force }, dependencies) => {
  const commands = changeDependencies(dependencies, force);
  const revoking = revokeCredential(commands, usersMetadata(dependencies), name, credential ?? 'all');
  const { user } = await applied(SPEC.name, dependencies, revoking);
  const revoked = credential === undefined ? 'every token' : `token ${credential}`;
  dependencies.out(`Revoked ${revoked} of ${user.login}; ${user.credentials.length} left.`);
});
