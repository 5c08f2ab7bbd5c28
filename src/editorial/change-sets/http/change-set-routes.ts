// The routes of sets of proposals: collecting them, and carrying them out together, now or at an instant.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CommandContext, Written } from '../../../commands/context.ts';
import type { CommandResult } from '../../../commands/handle-command.ts';
import type { MemberProblem } from '../../../domain/rejections.ts';
import { entityTag } from '../../../http/answers/etag.ts';
import type { Body } from '../../../http/answers/reply.ts';
import { ApiError, forbidden, invalidParameters, refusedParameter, rejectionError } from '../../../http/errors.ts';
import { ID } from '../../../http/plugins/routing.ts';
import type { Method, PathParameters, Routes } from '../../../http/route.ts';
import { pageMembers, totalsOf } from '../../../http/routes/pages.ts';
import {
  awaitPosition,
  contextOf,
  POSITION_HEADER,
  previewContextOf,
  type RouteDependencies,
  VIEW_DEADLINE_MS,
} from '../../../http/routes/writing.ts';
import { byId } from '../../../http/schemas/path.ts';
import { type DateSent, resolveInstant } from '../../../kernel/time/date-input.ts';
import { phrase } from '../../../locales/phrases.ts';
import type { EventStore } from '../../../log/event-store.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import { mayAssignAuthors } from '../../../people/auth/policy.ts';
import { pagingOf, windowOf } from '../../../queries/arguments.ts';
import { digestOf } from '../../../queries/digest.ts';
import type { ProposalDependencies } from '../../proposals/commands/proposals.ts';
import { applyChangeSet, tryChangeSet } from '../commands/apply.ts';
import {
  changeChangeSetOf,
  openChangeSetOf,
  scheduleChangeSetOf,
  unscheduleChangeSetOf,
  withdrawChangeSetOf,
} from '../commands/change-sets.ts';
import { loadChangeSet, loadChangeSets } from '../commands/load.ts';
import type { Moment } from '../commands/plan.ts';
import { reviewChangeSet, type SetReviewStep } from '../commands/review.ts';
import { CHANGE_SET_STATES, type ChangeSet, isPending } from '../domain/change-set.ts';
import { changeSetObject, problemsFor } from './change-set-answers.ts';
import { CHANGE_SET_DOCUMENTATION } from './change-set-documentation.ts';
import {
  changeSetApply,
  changeSetCreate,
  changeSetList,
  changeSetMembers,
  changeSetRead,
  changeSetReview,
  changeSetSchedule,
  changeSetUpdate,
} from './change-set-schema.ts';

export interface ChangeSetRouteDependencies extends RouteDependencies {
  readonly proposals: ProposalDependencies;
  /** The log as it is shown: sets as a whole. Steps, and answers to them, are about the log itself. */
  readonly shown: EventStore;
}

const REVIEW_STEPS: { readonly [path: string]: SetReviewStep } = {
  approve: 'approve',
  'request-changes': 'request_changes',
  comments: 'comment',
};

export const changeSetRoutes: Routes<ChangeSetRouteDependencies> = async (api, dependencies) => {
  const { proposals, queries, views, shown: log } = dependencies;

  async function answer(reply: FastifyReply, result: CommandResult<ChangeSet>): Promise<Body> {
    const { request } = reply;
    if (result.kind === 'written') return shown(reply, result.written);
    const { rejection } = result;
    if (rejection.problems) throw unfit(request, rejection.problems);
    throw rejectionError(rejection, request.caller);
  }

  async function shown(reply: FastifyReply, { state, revision, position, created }: Written<ChangeSet>): Promise<Body> {
    const { links } = reply.request;
    reply.header('etag', entityTag(revision, '')).header(POSITION_HEADER, position);
    if (created) reply.code(201).header('location', `${links.root}/sets/${state.id}`);
    return JSON.stringify(await changeSetObject(proposals.store, reply.request, state));
  }

  async function present(id: number) {
    const found = await loadChangeSet(log, id);
    if (!found) throw new ApiError('rest_set_not_found');
    return found;
  }

  const route = (method: Method) => ({
    config: { allow: (caller: Caller): readonly Method[] => (mayAssignAuthors(caller) ? [method] : []) },
    preHandler: async ({ caller }: FastifyRequest): Promise<void> => {
      if (!mayAssignAuthors(caller)) throw forbidden(caller);
    },
  });
  const { list, read, open, change, collect, apply, schedule, unschedule, withdraw } = CHANGE_SET_DOCUMENTATION;
  const { review } = CHANGE_SET_DOCUMENTATION;

  api.get(
    '/sets',
    { ...route('GET'), schema: { ...list, querystring: changeSetList({ perPage: queries.perPage }) } },
    async (request, reply) => {
      const { query } = request;
      await awaitPosition(dependencies, request);
      const states = CHANGE_SET_STATES.filter((state) => query.state === undefined || state === query.state);
      const found = await loadChangeSets(log, states);
      const paging = pagingOf(query, queries.perPage);
      const { offset, limit } = windowOf(paging);
      const sets: object[] = [];
      for (const set of found.slice(offset, offset + limit)) sets.push(await changeSetObject(log, request, set));
      const body = JSON.stringify({
        sets,
        ...pageMembers(`${request.links.root}/sets/`, query, ['page', 'per_page', 'state'], {
          paging,
          total: found.length,
        }),
      });
      return reply.headers(totalsOf(found.length, paging)).conditional(body, `"${digestOf(body)}"`);
    },
  );

  api.post('/sets', { ...route('POST'), schema: { ...open, body: changeSetCreate } }, async ({ body }, reply) => {
    const { name, description = '', proposals: sent } = body;
    const opened = { name: String(name).trim(), description: String(description).trim(), proposals: unique(sent?.ids) };
    return answer(reply, await openChangeSetOf(proposals, contextOf(reply.request), opened));
  });

  api.get(
    `/sets/${ID}`,
    { ...route('GET'), schema: { ...read, params: byId, querystring: changeSetRead } },
    async (request, reply) => {
      await awaitPosition(dependencies, request);
      const { state, revision } = await present(request.params.id);
      // One that failed says why, whatever has changed since: a dry run says whether it would fit now.
      const isToCome = isPending(state) && state.state !== 'failed';
      const fit = isToCome
        ? await fitOf(request, state, previewContextOf(request), state.schedule ? 'at_its_instant' : 'now')
        : {};
      const body = JSON.stringify({ ...(await changeSetObject(log, request, state)), ...fit });
      return reply.conditional(body, entityTag(revision, digestOf(body)), request.language);
    },
  );

  api.route({
    ...route('PATCH'),
    method: 'PATCH',
    url: `/sets/${ID}`,
    schema: { ...change, params: byId, body: changeSetUpdate },
    handler: async ({ params, body }, reply) => {
      const { name, description, proposals: sent } = body;
      const changed = {
        ...(name !== undefined && { name: String(name).trim() }),
        ...(description !== undefined && { description: String(description).trim() }),
        ...(sent !== undefined && { proposals: sent.ids }),
      };
      return answer(reply, await changeChangeSetOf(proposals, contextOf(reply.request), params.id, changed));
    },
  });

  api.post(
    `/sets/${ID}/members`,
    { ...route('POST'), schema: { ...collect, params: byId, body: changeSetMembers } },
    async ({ params, body }, reply) =>
      answer(
        reply,
        await changeChangeSetOf(proposals, contextOf(reply.request), params.id, { add: body.proposals.ids }),
      ),
  );

  for (const [path, step] of Object.entries(REVIEW_STEPS)) {
    /** Those who may not judge their own sets are not offered to. */
    const allow = async (caller: Caller, { id }: PathParameters): Promise<readonly Method[]> => {
      if (!mayAssignAuthors(caller)) return [];
      const isOwn = step !== 'comment' && (await loadChangeSet(log, id))?.state.author === caller?.id;
      return isOwn ? [] : ['POST'];
    };
    api.post(
      `/sets/${ID}/${path}`,
      {
        ...route('POST'),
        config: { allow },
        schema: { ...review[step], params: byId, body: changeSetReview },
      },
      async ({ params, body }, reply) => {
        const judged = { text: String(body.text ?? '').trim(), seen: body.revisions };
        return answer(reply, await reviewChangeSet(proposals, contextOf(reply.request), params.id, step, judged));
      },
    );
  }

  api.post(
    `/sets/${ID}/apply`,
    { ...route('POST'), schema: { ...apply, params: byId, body: changeSetApply } },
    async ({ params, body }, reply) => {
      const { request } = reply;
      if (body.dry_run === true) return tried(reply, params.id);
      const result = await applyChangeSet(proposals, contextOf(request), params.id, { seen: body.revisions });
      if (result.kind === 'unfit') throw unfit(request, result.problems);
      if (result.kind === 'rejected') return answer(reply, result);
      const isShown = await views.reached(result.written.position, VIEW_DEADLINE_MS);
      if (!isShown) reply.header('x-daybook-views', 'lagging');
      return shown(reply, result.written);
    },
  );

  async function tried(reply: FastifyReply, id: number): Promise<Body> {
    const { request } = reply;
    const { state, revision, position } = await present(id);
    const fit = await fitOf(request, state, contextOf(request), 'now');
    reply.header('etag', entityTag(revision, '')).header(POSITION_HEADER, position);
    return JSON.stringify({ ...(await changeSetObject(log, request, state)), ...fit });
  }

  /** What applying it would come to: now, or at its instant as far as can be said. */
  async function fitOf(request: FastifyRequest, set: ChangeSet, context: CommandContext, moment: Moment) {
    const { problems, others } = await tryChangeSet({ ...proposals, store: log }, context, set, moment);
    return { fits: problems.length === 0, problems: problemsFor(request, problems), others };
  }

  api.post(
    `/sets/${ID}/schedule`,
    { ...route('POST'), schema: { ...schedule, params: byId, body: changeSetSchedule } },
    async ({ params, body }, reply) => {
      const { request } = reply;
      const at = instantOf(request, body.at);
      return answer(reply, await scheduleChangeSetOf(proposals, contextOf(request), params.id, at));
    },
  );

  api.delete(
    `/sets/${ID}/schedule`,
    { ...route('DELETE'), schema: { ...unschedule, params: byId, querystring: changeSetRead } },
    async (request, reply) =>
      answer(reply, await unscheduleChangeSetOf(proposals, contextOf(request), request.params.id)),
  );

  api.delete(
    `/sets/${ID}`,
    { ...route('DELETE'), schema: { ...withdraw, params: byId, querystring: changeSetRead } },
    async (request, reply) =>
      answer(reply, await withdrawChangeSetOf(proposals, contextOf(request), request.params.id)),
  );
};

const unfit = (request: FastifyRequest, problems: readonly MemberProblem[]): ApiError =>
  new ApiError('rest_set_unfit', { data: { problems: problemsFor(request, problems) } });

const unique = (ids: readonly number[] = []): readonly number[] => [...new Set(ids)];

function instantOf({ now, siteZone: zone }: FastifyRequest, sent: DateSent): number {
  const at = resolveInstant(sent, { now, zone });
  if (at === null) throw invalidParameters('at');
  const told = new Date(now * 1000).toISOString();
  if (at <= now) throw refusedParameter('at', phrase('allowed_to_come', { name: 'at', now: told }));
  return at;
}
