// How a user gets into the desk: links for a new password, which administrators hand out, and sessions.

import { metadataOf } from '../../../commands/context.ts';
import { streamOfUser } from '../../../commands/reservations/user-names.ts';
import { ApiError } from '../../../http/errors.ts';
import { bodyOf, documented } from '../../../http/openapi/documentation/documentation.ts';
import { reading } from '../../../http/openapi/documentation/reads.ts';
import type { Right } from '../../../http/openapi/documentation/rights.ts';
import { ID } from '../../../http/plugins/routing.ts';
import type { PathParameters, Routes } from '../../../http/route.ts';
import { contextOf } from '../../../http/routes/writing.ts';
import { byId } from '../../../http/schemas/path.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import { fold } from '../../../log/envelope.ts';
import type { Caller } from '../../auth/caller.ts';
import { mayKeepCredentials, mayManageUsers } from '../../auth/policy.ts';
import { digestOf, newLongSecret, resetLinkPath } from '../../auth/sessions.ts';
import { issueResetLink } from '../commands/desk-access.ts';
import { endOf, isRunning, RESET_LINK_SECONDS } from '../domain/desk-access.ts';
import { evolveUser } from '../domain/user.ts';
import { keepsCredentials, managesUsers, type UserRouteDependencies } from './user-answers.ts';
import { carriedOut } from './user-refusals.ts';
import { passwordLink, sessions, userTables } from './user-schema.ts';

const toManage: Right = { of: 'endpoint', may: mayManageUsers };
const toKeep: Right = { of: 'users', may: mayKeepCredentials };
const about = { group: 'Users' } as const;

export const userAccessRoutes: Routes<UserRouteDependencies> = async (api, dependencies) => {
  const { users, store, access } = dependencies;

  api.post(
    `/users/${ID}/password-link`,
    {
      schema: {
        ...documented(
          {
            ...about,
            summary: 'user.password_link',
            description: 'user.password_link_description',
            right: toManage,
            errors: ['rest_forbidden', 'rest_user_not_found'],
            takes: ['ChangeReason'],
          },
          { 200: { description: 'password_link', ...bodyOf(passwordLink), carries: [] } },
        ),
        params: byId,
        body: userTables.passwordLink,
      },
      config: { allow: (caller) => (mayManageUsers(caller) ? ['POST'] : []) },
      preHandler: managesUsers,
    },
    async (request, reply) => {
      const { id } = request.params;
      const secret = newLongSecret();
      const context = contextOf(request);
      carriedOut(await issueResetLink(users, metadataOf(context), id, digestOf(secret)));
      const { site } = request.links;
      return reply.send({
        url: `${site}${resetLinkPath(id, secret)}`,
        expires: instantText(context.now + RESET_LINK_SECONDS),
      });
    },
  );

  /** From the log: a session that has ended a moment ago is not shown. */
  async function runningOf(id: number, now: EpochSeconds) {
    const user = fold(await store.readStream(streamOfUser(id)), evolveUser);
    if (!user || user.erased) throw new ApiError('rest_user_not_found');
    const running = (user.sessions ?? []).filter((session) => isRunning(session, now));
    return running.map((session) => ({
      id: session.id,
      started: instantText(session.started),
      expires: instantText(endOf(session)),
    }));
  }

  const ofSessions = {
    allow: (caller: Caller, { id }: PathParameters) =>
      mayKeepCredentials(caller, id) ? (['GET', 'DELETE'] as const) : [],
  };

  api.get(
    `/users/${ID}/sessions`,
    {
      schema: {
        ...reading({
          ...about,
          summary: 'user.sessions',
          right: toKeep,
          answer: sessions,
          errors: ['rest_forbidden', 'rest_user_not_found'],
        }),
        params: byId,
        querystring: userTables.sessions,
      },
      config: ofSessions,
      preHandler: keepsCredentials,
    },
    async (request, reply) => {
      const shown = JSON.stringify({ sessions: await runningOf(request.params.id, request.now) });
      return reply.conditional(shown, `"${digestOf(shown)}"`);
    },
  );

  api.delete(
    `/users/${ID}/sessions`,
    {
      schema: {
        ...documented(
          {
            ...about,
            summary: 'user.end_sessions',
            right: toKeep,
            errors: ['rest_forbidden', 'rest_user_not_found'],
          },
          { 200: { description: 'answer.changed', ...bodyOf(sessions), carries: [] } },
        ),
        params: byId,
        querystring: userTables.endSessions,
      },
      config: ofSessions,
      preHandler: keepsCredentials,
    },
    async (request, reply) => {
      const { params, query, caller, id: requestId, now } = request;
      await access.end({ user: caller, now, id: requestId }, params.id, query.session ?? 'all');
      return reply.send({ sessions: await runningOf(params.id, now) });
    },
  );
};

const instantText = (at: EpochSeconds): string => new Date(at * 1000).toISOString();
