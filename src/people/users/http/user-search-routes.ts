// The searches that a user keeps for the list of events at the desk.
import type { FastifyReply } from 'fastify';
import { metadataOf } from '../../../commands/context.ts';
import { streamOfUser } from '../../../commands/reservations/user-names.ts';
import { entityTag } from '../../../http/answers/etag.ts';
import { ApiError } from '../../../http/errors.ts';
import { bodyOf, documented } from '../../../http/openapi/documentation/documentation.ts';
import { USER_EXAMPLES } from '../../../http/openapi/documentation/examples.ts';
import { reading } from '../../../http/openapi/documentation/reads.ts';
import type { Right } from '../../../http/openapi/documentation/rights.ts';
import { ID } from '../../../http/plugins/routing.ts';
import type { PathParameters, Routes } from '../../../http/route.ts';
import { contextOf } from '../../../http/routes/writing.ts';
import { byId } from '../../../http/schemas/path.ts';
import { fold } from '../../../log/envelope.ts';
import type { Caller } from '../../auth/caller.ts';
import { mayKeepCredentials } from '../../auth/policy.ts';
import { removeSearch, saveSearch } from '../commands/saved-searches.ts';
import type { UserWritten } from '../commands/users.ts';
import { evolveUser } from '../domain/user.ts';
import { keepsCredentials, type UserRouteDependencies } from './user-answers.ts';
import { carriedOut } from './user-refusals.ts';
import { searches, userTables } from './user-schema.ts';

const about = { group: 'Users', right: { of: 'users', may: mayKeepCredentials } satisfies Right } as const;

export const userSearchRoutes: Routes<UserRouteDependencies> = async (api, { users, store }) => {
  const config = {
    allow: (caller: Caller, { id }: PathParameters) =>
      mayKeepCredentials(caller, id) ? (['GET', 'PUT', 'DELETE'] as const) : [],
  };

  api.get(
    `/users/${ID}/searches`,
    {
      schema: {
        ...reading({
          ...about,
          summary: 'user.searches',
          answer: searches,
          errors: ['rest_forbidden', 'rest_user_not_found'],
        }),
        params: byId,
        querystring: userTables.searches,
      },
      config,
      preHandler: keepsCredentials,
    },
    async (request, reply) => {
      // From the log: what was saved a moment ago is shown.
      const events = await store.readStream(streamOfUser(request.params.id));
      const user = fold(events, evolveUser);
      if (!user || user.erased) throw new ApiError('rest_user_not_found');
      return reply.conditional({ searches: user.searches ?? [] }, entityTag(events.at(-1)?.revision ?? 0, ''));
    },
  );

  const writing = {
    ...about,
    errors: ['rest_forbidden', 'rest_user_not_found', 'rest_precondition_failed'],
    takes: ['IfMatch', 'ChangeReason'],
  } as const;
  const answer = { 200: { description: 'answer.changed', ...bodyOf(searches), carries: ['ETag'] } } as const;

  const sendKept = (reply: FastifyReply, { user, revision }: UserWritten): FastifyReply =>
    reply.header('etag', entityTag(revision, '')).send({ searches: user.searches ?? [] });

  api.put(
    `/users/${ID}/searches`,
    {
      schema: {
        ...documented(
          {
            ...writing,
            summary: 'user.save_search',
            description: 'user.save_search_description',
            example: USER_EXAMPLES.search,
          },
          answer,
        ),
        params: byId,
        body: userTables.saveSearch,
      },
      config,
      preHandler: keepsCredentials,
    },
    async (request, reply) => {
      const { params, body } = request;
      const { name, query, former } = body;
      const context = contextOf(request);
      const terms = { former, ifRevision: context.ifRevision };
      return sendKept(
        reply,
        carriedOut(await saveSearch(users, metadataOf(context), params.id, { name, query }, terms)),
      );
    },
  );

  api.delete(
    `/users/${ID}/searches`,
    {
      schema: {
        ...documented({ ...writing, summary: 'user.remove_search' }, answer),
        params: byId,
        querystring: userTables.removeSearch,
      },
      config,
      preHandler: keepsCredentials,
    },
    async (request, reply) => {
      const { params, query } = request;
      const context = contextOf(request);
      const { ifRevision } = context;
      return sendKept(
        reply,
        carriedOut(await removeSearch(users, metadataOf(context), params.id, query.name, { ifRevision })),
      );
    },
  );
};
