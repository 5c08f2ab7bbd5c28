// The password of a user for the desk: administrators set it here, users themselves at the desk.
import Type from 'typebox';
import { metadataOf } from '../../../commands/context.ts';
import { entityTag } from '../../../http/answers/etag.ts';
import { USER_EXAMPLES } from '../../../http/openapi/documentation/examples.ts';
import { changing } from '../../../http/openapi/documentation/writes.ts';
import { ID } from '../../../http/plugins/routing.ts';
import type { Routes } from '../../../http/route.ts';
import { answerWrite, contextOf } from '../../../http/routes/writing.ts';
import { byId } from '../../../http/schemas/path.ts';
import { mayManageUsers } from '../../auth/policy.ts';
import { setPassword } from '../commands/desk-access.ts';
import { viewOf } from '../queries/list-users.ts';
import { asWritten, managesUsers, shownUser, type UserRouteDependencies } from './user-answers.ts';
import { carriedOut } from './user-refusals.ts';
import { userTables } from './user-schema.ts';

export const passwordRoutes: Routes<UserRouteDependencies> = async (api, dependencies) => {
  const { users } = dependencies;

  api.put(
    `/users/${ID}/password`,
    {
      schema: {
        ...changing({
          group: 'Users',
          answer: Type.Ref('User'),
          right: { of: 'endpoint', may: mayManageUsers },
          example: USER_EXAMPLES.password,
          summary: 'user.set_password',
          description: 'user.set_password_description',
          errors: ['rest_user_not_found'],
        }),
        params: byId,
        body: userTables.password,
      },
      config: { allow: (caller) => (mayManageUsers(caller) ? ['PUT'] : []) },
      preHandler: managesUsers,
    },
    async (request, reply) => {
      const { params, body } = request;
      const context = contextOf(request);
      const terms = { ifRevision: context.ifRevision };
      const set = carriedOut(await setPassword(users, metadataOf(context), params.id, body.password, terms));
      return answerWrite(dependencies, reply, asWritten(set), async () => ({
        status: 200,
        body: shownUser(viewOf(set.user), request.links),
        etag: entityTag(set.revision, ''),
        location: '',
      }));
    },
  );
};
