import { digestOf, newLongSecret, resetLinkPath } from '../../auth/sessions.ts';
import { issueResetLink } from '../../commands/users/desk-access.ts';
import { synopsis } from '../command.ts';
import { applied, changeDependencies, NAME, usersCommand, usersMetadata } from './shared.ts';

const SPEC = synopsis({
  name: 'users reset-link',
  summary: 'show a link with which a user sets a new password',
  description: ['The link works once, for 24 hours, until another one is issued or the password is set otherwise.'],
  arguments: { name: NAME },
  options: { json: { description: 'answer with one line {"id":…,"name":…,"url":"…"}' } },
  examples: [['daybook users reset-link maria', 'shows a link for maria']],
});

export const showResetLink = usersCommand('existing', SPEC, async ({ name, json }, dependencies) => {
  const { site, out } = dependencies;
  const secret = newLongSecret();
  const issuing = issueResetLink(changeDependencies(dependencies), usersMetadata(dependencies), name, digestOf(secret));
  const { user } = await applied(SPEC.name, dependencies, issuing);
  const url = site + resetLinkPath(user.id, secret);
  if (json) return out(JSON.stringify({ id: user.id, name: user.login, url }));
  out(`Link for a new password of ${user.login} (user ${user.id}), for 24 hours:`);
  out(url);
});
