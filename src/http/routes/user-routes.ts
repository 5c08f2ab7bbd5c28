// The routes of users: for administrators, and for each user their own account.

import type { FastifyRequest } from 'fastify';
import { tokenText } from '../../auth/passwords.ts';
import { mayKeepCredentials, mayManageUsers } from '../../auth/policy.ts';
import { metadataOf } from '../../commands/context.ts';
import { addUserOnce, removeUser, updateUser } from '../../commands/users/users.ts';
import type { UserProfile } from '../../domain/user.ts';
import { pageCount, pagingOf, windowOf } from '../../queries/arguments.ts';
import { hashOf } from '../../queries/assemble.ts';
import { userHistory } from '../../queries/history/user-history.ts';
import { viewIn, viewOf } from '../../queries/list-users.ts';
import type { UserDocument } from '../../read-model/documents.ts';
import { ApiError, forbidden, invalidParameters } from '../errors.ts';
import { entityTag } from '../etag.ts';
import { present } from '../inputs.ts';
import { USER_DOCUMENTATION } from '../openapi/documentation/user-documentation.ts';
import { type ApiAnswer, givenBy, type Method, type Route } from '../route.ts';
import { userTables } from '../schemas/user.ts';
import { conditional } from './reading.ts';
import {
  assertKeeps,
  assertManages,
  asWritten,
  carriedOut,
  keyOf,
  pageEnvelope,
  shownUser,
  totalsOf,
  type UserRouteDependencies,
} from './user-answers.ts';
import { credentialRoutes } from './user-credential-routes.ts';
import { answerWrite, awaitPosition, contextOf } from './writing.ts';

const READ: readonly Method[] = ['GET'];
const WRITE_METHODS: readonly Method[] = ['POST', 'PUT', 'PATCH'];
const EVERYTHING: readonly Method[] = ['GET', ...WRITE_METHODS, 'DELETE'];
const NOTHING: readonly Method[] = [];

const DEFAULT_LABEL = 'first token';

export function userRoutes(dependencies: UserRouteDependencies): Route[] {
  const { queries, users, directory, beyondViews, fromLog } = dependencies;
  const { perPage } = queries;
  const listed = userTables.list({ perPage });

  async function list(request: FastifyRequest): Promise<ApiAnswer> {
    await awaitPosition(dependencies, request);
    const { links } = request;
    const given = givenBy(listed, request);
    const found = await directory.users({ search: given.search, role: given.role });
    const paging = pagingOf(given, perPage);
    const total = found.length;
    // A list without users has one page all the same.
    if (paging.page > Math.max(1, pageCount(total, paging))) throw new ApiError('rest_user_page_not_found');
    const { offset, limit } = windowOf(paging);
    const page = found.slice(offset, offset + limit).map((user) => shownUser(user, links));
    const envelope = pageEnvelope(request, 'users', ['page', 'per_page', 'search', 'role'], { paging, total });
    const body = JSON.stringify({ users: page, ...envelope });
    return conditional(request, body, `"${hashOf(body)}"`, totalsOf(total, paging));
  }

  async function add(request: FastifyRequest): Promise<ApiAnswer> {
    const { links } = request;
    const { login, role, name = login, email = '', label = DEFAULT_LABEL } = givenBy(userTables.create, request);
    const wanted = { login, role, name, email, label };
    const metadata = metadataOf(contextOf(request));
    const added = carriedOut(await addUserOnce(users, metadata, wanted, keyOf(request)));
    const { user, credentialId } = added;
    const password =
      added.kind === 'written' ? tokenText({ user: user.id, credential: credentialId, secret: added.secret }) : null;
    return answerWrite(dependencies, request, asWritten(added), async () => ({
      status: 201,
      body: { ...shownUser(viewOf(user), links), password },
      etag: entityTag(added.revision, ''),
      location: `/users/${user.id}`,
    }));
  }

  async function documentOf(id: number): Promise<UserDocument | null> {
    const [document] = await beyondViews.either.fetch([{ kind: 'user', id }]);
    return document?.kind === 'user' ? document : null;
  }

  async function read(request: FastifyRequest): Promise<ApiAnswer> {
    await awaitPosition(dependencies, request);
    const document = await documentOf(request.target.id);
    const user = viewIn(document);
    if (!document || !user) throw new ApiError('rest_user_not_found');
    return conditional(request, shownUser(user, request.links), entityTag(document.revision, ''));
  }

  async function readOwn(request: FastifyRequest): Promise<ApiAnswer> {
    const { caller, links } = request;
    if (caller === null) throw forbidden(null);
    await awaitPosition(dependencies, request);
    // After a first sign-on the user may not be in the read model yet.
    const document = (await documentOf(caller.id)) ?? (await fromLog.fetch([{ kind: 'user', id: caller.id }]))[0];
    const user = viewIn(document);
    if (!document || !user) throw new ApiError('rest_user_not_found');
    const body = { ...shownUser(user, links), role: caller.role };
    return conditional(request, body, entityTag(document.revision, hashOf(caller.role)));
  }

  async function change(request: FastifyRequest): Promise<ApiAnswer> {
    const { target, links } = request;
    await refuseOtherLogin(request);
    const { ifRevision, ...context } = contextOf(request);
    const metadata = metadataOf({ ...context, ifRevision });
    const changed = carriedOut(await updateUser(users, metadata, target.id, patchIn(request), { ifRevision }));
    return answerWrite(dependencies, request, asWritten(changed), async () => ({
      status: 200,
      body: shownUser(viewOf(changed.user), links),
      etag: entityTag(changed.revision, ''),
      location: '',
    }));
  }

  /** The login of a user never changes; sending it along unchanged does no harm. */
  async function refuseOtherLogin({ given, target }: FastifyRequest): Promise<void> {
    if (given.login === undefined) return;
    const user = viewIn((await fromLog.fetch([{ kind: 'user', id: target.id }]))[0]);
    if (user && user.login !== given.login) throw invalidParameters('login');
  }

  async function remove(request: FastifyRequest): Promise<ApiAnswer> {
    const { target, links } = request;
    const context = contextOf(request);
    const { ifRevision } = context;
    const removed = carriedOut(await removeUser(users, metadataOf(context), target.id, { ifRevision }));
    return answerWrite(dependencies, request, asWritten(removed), async () => ({
      status: 200,
      body: shownUser(viewOf(removed.user), links),
      etag: entityTag(removed.revision, ''),
      location: '',
    }));
  }

  async function tellHistory(request: FastifyRequest): Promise<ApiAnswer> {
    const { target, given, language } = request;
    const { id } = target;
    const { store, siteZone } = dependencies;
    const entries = await userHistory({ store, siteZone, sentences: language.sentences }, id);
    if (entries.length === 0) throw new ApiError('rest_user_not_found');
    const paging = pagingOf(given, perPage);
    const total = entries.length;
    if (paging.page > pageCount(total, paging)) throw new ApiError('rest_history_page_not_found');
    const { offset, limit } = windowOf(paging);
    const envelope = pageEnvelope(request, `users/${id}/history`, ['page', 'per_page'], { paging, total });
    const body = JSON.stringify({ history: entries.slice(offset, offset + limit), ...envelope });
    const etag = entityTag(entries[0]?.revision ?? 0, hashOf(body));
    return { ...conditional(request, body, etag, totalsOf(total, paging)), language };
  }

  return [
    {
      path: '/users',
      allow: (caller) => (mayManageUsers(caller) ? ['GET', 'POST'] : NOTHING),
      endpoints: [
        {
          methods: READ,
          parameters: listed,
          documentation: USER_DOCUMENTATION.list,
          authorize: assertManages,
          handle: list,
        },
        {
          methods: ['POST'],
          parameters: userTables.create,
          documentation: USER_DOCUMENTATION.create,
          authorize: assertManages,
          handle: add,
        },
      ],
    },
    {
      path: '/users/me',
      allow: () => READ,
      endpoints: [{ methods: READ, parameters: userTables.me, documentation: USER_DOCUMENTATION.me, handle: readOwn }],
    },
    {
      path: '/users/{id}',
      allow: (caller, { id = 0 }) => {
        if (mayManageUsers(caller)) return EVERYTHING;
        return mayKeepCredentials(caller, id) ? READ : NOTHING;
      },
      endpoints: [
        {
          methods: READ,
          parameters: userTables.read,
          documentation: USER_DOCUMENTATION.read,
          authorize: assertKeeps,
          handle: read,
        },
        {
          methods: WRITE_METHODS,
          parameters: userTables.update,
          documentation: USER_DOCUMENTATION.update,
          authorize: assertManages,
          handle: change,
        },
        {
          methods: ['DELETE'],
          parameters: userTables.remove,
          documentation: USER_DOCUMENTATION.remove,
          authorize: assertManages,
          handle: remove,
        },
      ],
    },
    ...credentialRoutes(dependencies),
    {
      path: '/users/{id}/history',
      allow: (caller) => (mayManageUsers(caller) ? READ : NOTHING),
      endpoints: [
        {
          methods: READ,
          parameters: userTables.history({ perPage }),
          documentation: USER_DOCUMENTATION.history,
          authorize: assertManages,
          handle: tellHistory,
        },
      ],
    },
  ];
}

function patchIn(request: FastifyRequest): Partial<Omit<UserProfile, 'login'>> {
  const { role, name, email } = givenBy(userTables.update, request);
  return present({ role, name, email });
}
