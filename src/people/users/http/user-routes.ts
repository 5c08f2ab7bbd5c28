// The routes of users: for administrators, and for each user their own account.
import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { metadataOf } from '../../../commands/context.ts';
import { userHistory } from '../../../editorial/history/queries/user-history.ts';
import { entityTag } from '../../../http/answers/etag.ts';
import type { Body } from '../../../http/answers/reply.ts';
import { ApiError, forbidden, invalidParameters } from '../../../http/errors.ts';
import { USER_EXAMPLES } from '../../../http/openapi/documentation/examples.ts';
import { listing, reading } from '../../../http/openapi/documentation/reads.ts';
import type { Right } from '../../../http/openapi/documentation/rights.ts';
import { changing, creating, deleting } from '../../../http/openapi/documentation/writes.ts';
import { present } from '../../../http/parameters/inputs.ts';
import { ID } from '../../../http/plugins/routing.ts';
import type { Allow, Method, Routes } from '../../../http/route.ts';
import { pageMembers, totalsOf } from '../../../http/routes/pages.ts';
import { answerWrite, awaitPosition, contextOf } from '../../../http/routes/writing.ts';
import { page } from '../../../http/schemas/lists.ts';
import { byId } from '../../../http/schemas/path.ts';
import { pageCount, pagingOf, windowOf } from '../../../queries/arguments.ts';
import { digestOf } from '../../../queries/digest.ts';
import type { UserDocument } from '../../../read-model/documents.ts';
import type { Caller } from '../../auth/caller.ts';
import { tokenText } from '../../auth/passwords.ts';
import { mayKeepCredentials, mayManageUsers } from '../../auth/policy.ts';
import { addUserOnce, removeUser, type UserWritten, updateUser } from '../commands/users.ts';
import { viewIn, viewOf } from '../queries/list-users.ts';
import { userAccessRoutes } from './user-access-routes.ts';
import {
  asWritten,
  keepsCredentials,
  keyOf,
  managesUsers,
  shownUser,
  type UserRouteDependencies,
} from './user-answers.ts';
import { credentialRoutes } from './user-credential-routes.ts';
import { passwordRoutes } from './user-password-routes.ts';
import { carriedOut } from './user-refusals.ts';
import { addedUser, userTables } from './user-schema.ts';
import { userSearchRoutes } from './user-search-routes.ts';

const EVERYTHING: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const DEFAULT_LABEL = 'first token';
const LISTED = ['page', 'per_page', 'search', 'role'] as const;
const PAGE = ['page', 'per_page'] as const;

const toManage: Right = { of: 'endpoint', may: mayManageUsers };
const toKeep: Right = { of: 'users', may: mayKeepCredentials };
/** All who are signed in. */
const toBeSignedIn: Right = { of: 'endpoint', may: (caller) => mayKeepCredentials(caller, caller?.id ?? 0) };

const about = { group: 'Users', answer: Type.Ref('User') } as const;
const aboutManaging = { ...about, right: toManage } as const;

const forManagers =
  (...methods: Method[]) =>
  (caller: Caller): readonly Method[] =>
    mayManageUsers(caller) ? methods : [];

export const userRoutes: Routes<UserRouteDependencies> = async (api, dependencies) => {
  const { queries, users, directory, beyondViews, fromLog, store, siteZone } = dependencies;
  const { perPage } = queries;
  const ofAll = { allow: forManagers('GET', 'POST') };

  api.get(
    '/users',
    {
      schema: {
        ...listing({
          ...aboutManaging,
          summary: 'user_list.summary',
          answer: page('users', 'user_list.answer', about.answer),
          errors: ['rest_forbidden', 'rest_user_page_not_found'],
          takes: ['AtLeast'],
        }),
        querystring: userTables.list({ perPage }),
      },
      config: ofAll,
      preHandler: managesUsers,
    },
    async (request, reply) => {
      await awaitPosition(dependencies, request);
      const { links, query } = request;
      const found = await directory.users({ search: query.search, role: query.role });
      const paging = pagingOf(query, perPage);
      const total = found.length;
      // A list without users has one page all the same.
      if (paging.page > Math.max(1, pageCount(total, paging))) throw new ApiError('rest_user_page_not_found');
      const { offset, limit } = windowOf(paging);
      const shown = found.slice(offset, offset + limit).map((user) => shownUser(user, links));
      const body = JSON.stringify({
        users: shown,
        ...pageMembers(`${links.root}/users/`, query, LISTED, { paging, total }),
      });
      return reply.headers(totalsOf(total, paging)).conditional(body, `"${digestOf(body)}"`);
    },
  );

  api.post(
    '/users',
    {
      schema: {
        ...creating({
          ...aboutManaging,
          example: USER_EXAMPLES.create,
          summary: 'user.create',
          description: 'user.token_once',
          answer: addedUser,
          errors: ['rest_user_exists'],
        }),
        body: userTables.create,
      },
      config: ofAll,
      preHandler: managesUsers,
    },
    async (request, reply) => {
      const { login, role, name = login, email = '', label = DEFAULT_LABEL } = request.body;
      const wanted = { login, role, name, email, label };
      const metadata = metadataOf(contextOf(request));
      const added = carriedOut(await addUserOnce(users, metadata, wanted, keyOf(request)));
      const { user, credentialId } = added;
      const password =
        added.kind === 'written' ? tokenText({ user: user.id, credential: credentialId, secret: added.secret }) : null;
      return answerWrite(dependencies, reply, asWritten(added), async () => ({
        status: 201,
        body: { ...shownUser(viewOf(user), request.links), password },
        etag: entityTag(added.revision, ''),
        location: `/users/${user.id}`,
      }));
    },
  );

  async function documentOf(id: number): Promise<UserDocument | null> {
    const [document] = await beyondViews.either.fetch([{ kind: 'user', id }]);
    return document?.kind === 'user' ? document : null;
  }

  api.get(
    '/users/me',
    {
      schema: {
        ...reading({
          ...about,
          summary: 'user.read_own',
          right: toBeSignedIn,
          errors: ['rest_forbidden'],
          takes: ['AtLeast'],
        }),
        querystring: userTables.me,
      },
      config: { allow: () => ['GET'] },
    },
    async (request, reply) => {
      const { caller, links } = request;
      if (caller === null) throw forbidden(null);
      await awaitPosition(dependencies, request);
      // After a first sign-on the user may not be in the read model yet.
      const document = (await documentOf(caller.id)) ?? (await fromLog.fetch([{ kind: 'user', id: caller.id }]))[0];
      const user = viewIn(document);
      if (!document || !user) throw new ApiError('rest_user_not_found');
      const body = { ...shownUser(user, links), role: caller.role };
      return reply.conditional(body, entityTag(document.revision, digestOf(caller.role)));
    },
  );

  const ofId: { readonly allow: Allow } = {
    allow(caller, { id }) {
      if (mayManageUsers(caller)) return EVERYTHING;
      return mayKeepCredentials(caller, id) ? ['GET'] : [];
    },
  };

  api.get(
    `/users/${ID}`,
    {
      schema: {
        ...reading({
          ...about,
          summary: 'user.read',
          right: toKeep,
          errors: ['rest_forbidden', 'rest_user_not_found'],
          takes: ['AtLeast'],
        }),
        params: byId,
        querystring: userTables.read,
      },
      config: ofId,
      preHandler: keepsCredentials,
    },
    async (request, reply) => {
      await awaitPosition(dependencies, request);
      const document = await documentOf(request.params.id);
      const user = viewIn(document);
      if (!document || !user) throw new ApiError('rest_user_not_found');
      return reply.conditional(shownUser(user, request.links), entityTag(document.revision, ''));
    },
  );

  const answer = (reply: FastifyReply, written: Omit<UserWritten, 'kind'>): Promise<Body> =>
    answerWrite(dependencies, reply, asWritten(written), async () => ({
      status: 200,
      body: shownUser(viewOf(written.user), reply.request.links),
      etag: entityTag(written.revision, ''),
      location: '',
    }));

  api.route({
    method: ['POST', 'PUT', 'PATCH'],
    url: `/users/${ID}`,
    schema: {
      ...changing({
        ...aboutManaging,
        example: USER_EXAMPLES.change,
        summary: 'user.update',
        errors: ['rest_user_not_found', 'rest_user_exists', 'rest_last_administrator'],
      }),
      params: byId,
      body: userTables.update,
    },
    config: ofId,
    preHandler: managesUsers,
    handler: async (request, reply) => {
      const { id } = request.params;
      const { role, name, email, login } = request.body;
      if (login !== undefined) await refuseOtherLogin(id, login);
      const context = contextOf(request);
      const { ifRevision } = context;
      const patch = present({ role, name, email });
      return answer(reply, carriedOut(await updateUser(users, metadataOf(context), id, patch, { ifRevision })));
    },
  });

  /** The login of a user never changes; sending it along unchanged does no harm. */
  async function refuseOtherLogin(id: number, login: unknown): Promise<void> {
    const user = viewIn((await fromLog.fetch([{ kind: 'user', id }]))[0]);
    if (user && user.login !== login) throw invalidParameters('login');
  }

  api.delete(
    `/users/${ID}`,
    {
      schema: {
        ...deleting({
          ...aboutManaging,
          summary: 'user.remove',
          errors: ['rest_user_not_found', 'rest_last_administrator'],
        }),
        params: byId,
        querystring: userTables.remove,
      },
      config: ofId,
      preHandler: managesUsers,
    },
    async (request, reply) => {
      const context = contextOf(request);
      const { ifRevision } = context;
      const removed = await removeUser(users, metadataOf(context), request.params.id, { ifRevision });
      return answer(reply, carriedOut(removed));
    },
  );

  await api.register(credentialRoutes, dependencies);

  api.get(
    `/users/${ID}/history`,
    {
      schema: {
        ...listing({
          ...aboutManaging,
          summary: 'user.history',
          answer: page('history', 'history.answer', Type.Ref('Revision')),
          errors: ['rest_forbidden', 'rest_user_not_found', 'rest_history_page_not_found'],
        }),
        params: byId,
        querystring: userTables.history({ perPage }),
      },
      config: { allow: forManagers('GET') },
      preHandler: managesUsers,
    },
    async (request, reply) => {
      const { params, query, language, links } = request;
      const { id } = params;
      const entries = await userHistory({ store, siteZone, sentences: language.sentences }, id);
      if (entries.length === 0) throw new ApiError('rest_user_not_found');
      const paging = pagingOf(query, perPage);
      const total = entries.length;
      if (paging.page > pageCount(total, paging)) throw new ApiError('rest_history_page_not_found');
      const { offset, limit } = windowOf(paging);
      const body = JSON.stringify({
        history: entries.slice(offset, offset + limit),
        ...pageMembers(`${links.root}/users/${id}/history/`, query, PAGE, { paging, total }),
      });
      return reply
        .headers(totalsOf(total, paging))
        .conditional(body, entityTag(entries[0]?.revision ?? 0, digestOf(body)), language);
    },
  );

  await api.register(passwordRoutes, dependencies);
  await api.register(userAccessRoutes, dependencies);
  await api.register(userSearchRoutes, dependencies);
};
