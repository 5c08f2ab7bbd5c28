// The routes of users: for administrators, and for each user their own account.
import type { FastifyReply } from 'fastify';
import type { Written } from '../../../commands/context.ts';
import type { CommandResult } from '../../../commands/handle-command.ts';
import { streamOfUser } from '../../../commands/reservations/user-names.ts';
import { present } from '../../../domain/present.ts';
import { userHistory } from '../../../editorial/history/queries/user-history.ts';
import { entityTag } from '../../../http/answers/etag.ts';
import type { Body } from '../../../http/answers/reply.ts';
import { ApiError, forbidden, invalidParameters } from '../../../http/errors.ts';
import { guardedRoutes } from '../../../http/guarded-routes.ts';
import {
  answering,
  changing,
  creating,
  deleting,
  listing,
  listingHistory,
  reading,
} from '../../../http/openapi/documentation.ts';
import { CREDENTIAL, ID } from '../../../http/plugins/routing.ts';
import type { Links, Routes } from '../../../http/route.ts';
import { sendHistory, sendPart } from '../../../http/routes/pages.ts';
import {
  answerWrite,
  awaitPosition,
  contextOf,
  type RouteDependencies,
  sendWritten,
  writtenOr,
} from '../../../http/routes/writing.ts';
import { page } from '../../../http/schemas/lists.ts';
import { byCredential, byId } from '../../../http/schemas/path.ts';
import Type from '../../../http/schemas/type.ts';
import { instantText } from '../../../kernel/time/instant.ts';
import type { EpochSeconds, Zone } from '../../../kernel/time/zone.ts';
import { fold } from '../../../log/envelope.ts';
import type { StreamReader } from '../../../log/event-store.ts';
import { digestOf } from '../../../queries/digest.ts';
import type { Finder } from '../../../queries/log-fallback.ts';
import { mayKeepCredentials, mayManageUsers } from '../../auth/policy.ts';
import { newLongSecret, resetLinkPath, secretDigest } from '../../auth/sessions.ts';
import { changeUser } from '../commands/user-changes.ts';
import {
  addUser,
  issueCredential,
  passwordOf,
  removeUser,
  revokeCredential,
  setPassword,
  type UserDependencies,
  updateUser,
} from '../commands/users.ts';
import { endOf, isRunning, issueResetLink, RESET_LINK_SECONDS } from '../domain/desk-access.ts';
import { removeSearch, saveSearch } from '../domain/saved-searches.ts';
import { evolveUser, type UserAccount } from '../domain/user.ts';
import { credentialObject, type Directory, type UserView, viewIn, viewOf } from '../queries/list-users.ts';
import type { DeskAccess } from './desk-access.ts';
import {
  addedUser,
  credentials,
  issuedCredential,
  passwordLink,
  searches,
  sessions,
  userTables,
} from './user-schema.ts';

// Shared by the routes of users: rights, representation, and refusals on the wire.

export interface UserRouteDependencies extends RouteDependencies {
  readonly users: UserDependencies;
  readonly directory: Directory;
  readonly access: Pick<DeskAccess, 'end'>;
  /** Documents built from the log, for what the read model does not have yet. */
  readonly fromLog: Pick<Finder, 'fetch'>;
  readonly store: StreamReader;
  readonly siteZone: Zone;
}

/** A user as clients see it. */
const userObject = ({ credentials, identity, ...user }: UserView, links: Links) => ({
  ...user,
  credentials: credentials.map(credentialObject),
  url: `${links.root}/users/${user.id}`,
  ...(identity && { single_sign_on: identity }),
});

const DEFAULT_LABEL = 'first token';

const about = { group: 'Users', answer: Type.Ref('User') } as const;
const ofOne = { ...about, errors: ['rest_user_not_found'] } as const;
const toManage = { of: 'endpoint', may: mayManageUsers } as const;
const managing = guardedRoutes(toManage, about);
const managingOne = guardedRoutes(toManage, ofOne);
/** Administrators, and users for themselves. */
const keeping = guardedRoutes({ of: 'users', may: mayKeepCredentials }, ofOne);
/** All who are signed in. */
const own = guardedRoutes({ of: 'endpoint', may: (caller) => mayKeepCredentials(caller, caller?.id ?? 0) }, about);

/** A user as the first place shows it that has a document of it. */
async function viewed(id: number, ...places: readonly Pick<Finder, 'fetch'>[]) {
  for (const { fetch } of places) {
    const [document] = await fetch([{ kind: 'user', id }]);
    const user = viewIn(document);
    if (document && user) return { user, revision: document.revision };
  }
  throw new ApiError('rest_user_not_found');
}

/** A user from the log, which has what was written a moment ago. */
async function recorded(store: StreamReader, id: number) {
  const events = await store.readStream(streamOfUser(id));
  const user = fold(events, evolveUser);
  if (!user || user.erased) throw new ApiError('rest_user_not_found');
  return { user, revision: events.at(-1)?.revision ?? 0 };
}

/** `location`: of what was made. */
const answerUser = (
  dependencies: RouteDependencies,
  reply: FastifyReply,
  written: Written<UserAccount>,
  body: object,
  location = '',
): Promise<Body> =>
  answerWrite(dependencies, reply, written, async () => ({
    status: location === '' ? 200 : 201,
    body,
    etag: entityTag(written.revision, ''),
    location,
  }));

export const userRoutes: Routes<UserRouteDependencies> = async (api, dependencies) => {
  const { queries, users, directory, beyondViews, fromLog, store, siteZone } = dependencies;
  const { perPage } = queries;

  api.get(
    '/users',
    managing(
      listing,
      {
        summary: 'user_list.summary',
        answer: page('users', 'user_list.answer', about.answer),
        errors: ['rest_user_page_not_found'],
        takes: ['AtLeast'],
      },
      { querystring: userTables.list({ perPage }) },
    ),
    async (request, reply) => {
      await awaitPosition(dependencies, request);
      const { links, query } = request;
      const all = await directory.users({ search: query.search, role: query.role });
      return sendPart(reply, all, (users) => ({ users: users.map((user) => userObject(user, links)) }), {
        perPage,
        path: 'users',
        names: ['page', 'per_page', 'search', 'role'],
        pastTheEnd: 'rest_user_page_not_found',
      });
    },
  );

  api.post(
    '/users',
    managing(
      creating,
      {
        example: { login: 'ann', role: 'author', name: 'Ann Miller', email: 'ann@music.example', label: 'laptop' },
        summary: 'user.create',
        description: 'user.token_once',
        answer: addedUser,
        errors: ['rest_user_exists'],
      },
      { body: userTables.create },
    ),
    async (request, reply) => {
      const { login, role, name = login, email = '', label = DEFAULT_LABEL } = request.body;
      const input = { login, role, name, email, label };
      const added = writtenOr(await addUser(users, { ...contextOf(request), ifRevision: undefined }, input), request);
      const { state: user } = added;
      const body = { ...userObject(viewOf(user), request.links), password: passwordOf(added) };
      return answerUser(dependencies, reply, added, body, `/users/${user.id}`);
    },
  );

  api.get(
    '/users/me',
    own(reading, { summary: 'user.read_own', takes: ['AtLeast'] }, { querystring: userTables.me }),
    async (request, reply) => {
      const { caller, links } = request;
      if (caller === null) throw forbidden(null);
      await awaitPosition(dependencies, request);
      // After a first sign-on the user may not be in the read model yet.
      const { user, revision } = await viewed(caller.id, beyondViews.either, fromLog);
      const body = { ...userObject(user, links), role: caller.role };
      return reply.conditional(body, entityTag(revision, digestOf(caller.role)));
    },
  );

  api.get(
    `/users/${ID}`,
    keeping(reading, { summary: 'user.read', takes: ['AtLeast'] }, { params: byId, querystring: userTables.one }),
    async (request, reply) => {
      await awaitPosition(dependencies, request);
      const { user, revision } = await viewed(request.params.id, beyondViews.either);
      return reply.conditional(userObject(user, request.links), entityTag(revision, ''));
    },
  );

  const answer = (reply: FastifyReply, result: CommandResult<UserAccount>): Promise<Body> => {
    const written = writtenOr(result, reply.request);
    return answerUser(dependencies, reply, written, userObject(viewOf(written.state), reply.request.links));
  };

  api.route({
    method: ['POST', 'PUT', 'PATCH'],
    url: `/users/${ID}`,
    ...managingOne(
      changing,
      {
        example: { name: 'Ann Miller-Jones' },
        summary: 'user.update',
        errors: ['rest_user_exists', 'rest_last_administrator'],
      },
      { params: byId, body: userTables.update },
    ),
    handler: async (request, reply) => {
      const { id } = request.params;
      const { role, name, email, login } = request.body;
      if (login !== undefined) await refuseOtherLogin(id, login);
      const patch = present({ role, name, email });
      return answer(reply, await updateUser(users, contextOf(request), id, patch));
    },
  });

  /** The login of a user never changes; sending it along unchanged does no harm. */
  async function refuseOtherLogin(id: number, login: unknown): Promise<void> {
    const user = viewIn((await fromLog.fetch([{ kind: 'user', id }]))[0]);
    if (user && user.login !== login) throw invalidParameters('login');
  }

  api.delete(
    `/users/${ID}`,
    managingOne(
      deleting,
      { summary: 'user.remove', errors: ['rest_last_administrator'] },
      { params: byId, querystring: userTables.one },
    ),
    async (request, reply) => {
      return answer(reply, await removeUser(users, contextOf(request), request.params.id));
    },
  );

  await api.register(credentialRoutes, dependencies);

  api.get(
    `/users/${ID}/history`,
    managingOne(
      listingHistory,
      {
        summary: 'user.history',
      },
      { params: byId, querystring: userTables.history({ perPage }) },
    ),
    async (request, reply) => {
      const { params, language } = request;
      const { id } = params;
      const entries = await userHistory({ store, siteZone, sentences: language.sentences }, id);
      const [newest] = entries;
      if (!newest) throw new ApiError('rest_user_not_found');
      const { revision } = newest;
      return sendHistory(reply, entries, { perPage, path: `users/${id}/history`, revision, language });
    },
  );

  // Administrators set a password here, users themselves at the desk.
  api.put(
    `/users/${ID}/password`,
    managingOne(
      changing,
      {
        example: { password: 'three words in a row' },
        summary: 'user.set_password',
        description: 'user.set_password_description',
      },
      { params: byId, body: userTables.password },
    ),
    async (request, reply) => {
      const { params, body } = request;
      return answer(reply, await setPassword(users, contextOf(request), params.id, body.password));
    },
  );

  await api.register(userAccessRoutes, dependencies);
  await api.register(userSearchRoutes, dependencies);
};

// The routes of a user's credentials: for the user, and for administrators.

const credentialRoutes: Routes<UserRouteDependencies> = async (api, dependencies) => {
  const { users, beyondViews, store } = dependencies;

  api.get(
    `/users/${ID}/credentials`,
    keeping(
      reading,
      { summary: 'user.credentials', answer: credentials, takes: ['AtLeast'] },
      { params: byId, querystring: userTables.one },
    ),
    async (request, reply) => {
      await awaitPosition(dependencies, request);
      const { user, revision } = await viewed(request.params.id, beyondViews.either);
      return reply.conditional({ credentials: user.credentials.map(credentialObject) }, entityTag(revision, ''));
    },
  );

  api.post(
    `/users/${ID}/credentials`,
    keeping(
      creating,
      {
        example: { label: 'phone' },
        summary: 'user.issue',
        description: 'user.token_once',
        answer: issuedCredential,
      },
      { params: byId, body: userTables.issue },
    ),
    async (request, reply) => {
      const { params, body } = request;
      const issued = writtenOr(await issueCredential(users, contextOf(request), params.id, body.label), request);
      const credential = viewOf(issued.state).credentials.find(({ id }) => id === issued.credential);
      // A repeated request, after its credential was revoked.
      if (!credential) throw new ApiError('rest_credential_not_found');
      const location = `/users/${issued.id}/credentials/${credential.id}`;
      const object = { ...credentialObject(credential), password: passwordOf(issued) };
      return answerUser(dependencies, reply, issued, object, location);
    },
  );

  api.delete(
    `/users/${ID}/credentials/${CREDENTIAL}`,
    keeping(
      deleting,
      {
        summary: 'user.revoke',
        answer: Type.Ref('Credential'),
        errors: ['rest_credential_not_found', 'rest_last_administrator'],
      },
      { params: byCredential, querystring: userTables.one },
    ),
    async (request, reply) => {
      const { id, credential: number } = request.params;
      // Afterwards its purpose is no longer known.
      const former = await credentialOf(id, number);
      const revoked = writtenOr(await revokeCredential(users, contextOf(request), id, number), request);
      if (!former) throw new ApiError('rest_credential_not_found');
      return answerUser(dependencies, reply, revoked, credentialObject(former));
    },
  );

  async function credentialOf(id: number, number: number): Promise<UserAccount['credentials'][number] | undefined> {
    const user = fold(await store.readStream(streamOfUser(id)), evolveUser);
    return user?.credentials.find((one) => one.id === number);
  }
};

// How a user gets into the desk: links for a new password, which administrators hand out, and sessions.

const userAccessRoutes: Routes<UserRouteDependencies> = async (api, dependencies) => {
  const { users, store, access } = dependencies;

  api.post(
    `/users/${ID}/password-link`,
    managingOne(
      answering(200, 'password_link', passwordLink),
      {
        summary: 'user.password_link',
        description: 'user.password_link_description',
        takes: ['ChangeReason'],
      },
      { params: byId, body: userTables.one },
    ),
    async (request, reply) => {
      const { id } = request.params;
      const secret = newLongSecret();
      const digest = secretDigest(secret);
      const context = { ...contextOf(request), ifRevision: undefined, idempotencyKey: undefined };
      writtenOr(await changeUser(users, context, id, (user) => issueResetLink(user, digest)), request);
      const { site } = request.links;
      return reply.send({
        url: `${site}${resetLinkPath(id, secret)}`,
        expires: instantText(context.now + RESET_LINK_SECONDS),
      });
    },
  );

  async function runningOf(id: number, now: EpochSeconds) {
    const { user } = await recorded(store, id);
    const running = (user.sessions ?? []).filter((session) => isRunning(session, now));
    return running.map((session) => ({
      id: session.id,
      started: instantText(session.started),
      expires: instantText(endOf(session)),
    }));
  }

  api.get(
    `/users/${ID}/sessions`,
    keeping(reading, { summary: 'user.sessions', answer: sessions }, { params: byId, querystring: userTables.one }),
    async (request, reply) => {
      const body = JSON.stringify({ sessions: await runningOf(request.params.id, request.now) });
      return reply.conditional(body, `"${secretDigest(body)}"`);
    },
  );

  api.delete(
    `/users/${ID}/sessions`,
    keeping(
      answering(200, 'answer.changed', sessions),
      { summary: 'user.end_sessions' },
      { params: byId, querystring: userTables.endSessions },
    ),
    async (request, reply) => {
      const { params, query, caller, id: requestId, now } = request;
      await access.end({ user: caller, now, id: requestId }, params.id, query.session ?? 'all');
      return reply.send({ sessions: await runningOf(params.id, now) });
    },
  );
};

// The searches that a user keeps for the list of events at the desk.

const userSearchRoutes: Routes<UserRouteDependencies> = async (api, { users, store }) => {
  api.get(
    `/users/${ID}/searches`,
    keeping(reading, { summary: 'user.searches', answer: searches }, { params: byId, querystring: userTables.one }),
    async (request, reply) => {
      const { user, revision } = await recorded(store, request.params.id);
      return reply.conditional({ searches: user.searches ?? [] }, entityTag(revision, ''));
    },
  );

  const answer = answering(200, 'answer.changed', searches, ['ETag']);
  const writing = { errors: ['rest_precondition_failed'], takes: ['IfMatch', 'ChangeReason'] } as const;

  const sendKept = (reply: FastifyReply, result: CommandResult<UserAccount>): Promise<Body> =>
    sendWritten(reply, result, async ({ state }) => ({ searches: state.searches ?? [] }));

  api.put(
    `/users/${ID}/searches`,
    keeping(
      answer,
      {
        ...writing,
        summary: 'user.save_search',
        description: 'user.save_search_description',
        example: { name: 'Drafts in winter', query: 'state=draft&search=winter' },
      },
      { params: byId, body: userTables.saveSearch },
    ),
    async (request, reply) => {
      const { params, body } = request;
      const { name, query, former } = body;
      const decide = (user: UserAccount) => saveSearch(user, { name, query }, former);
      return sendKept(reply, await changeUser(users, contextOf(request), params.id, decide));
    },
  );

  api.delete(
    `/users/${ID}/searches`,
    keeping(
      answer,
      { ...writing, summary: 'user.remove_search' },
      { params: byId, querystring: userTables.removeSearch },
    ),
    async (request, reply) => {
      const { params, query } = request;
      const decide = (user: UserAccount) => removeSearch(user, query.name);
      return sendKept(reply, await changeUser(users, contextOf(request), params.id, decide));
    },
  );
};
