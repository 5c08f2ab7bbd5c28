// The routes of sets of proposals: collecting them, and carrying them out together, now or at an instant.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CommandContext, Written } from '../../../commands/context.ts';
import type { CommandResult } from '../../../commands/handle-command.ts';
import type { MemberProblem } from '../../../domain/rejections.ts';
import { entityTag } from '../../../http/answers/etag.ts';
import type { Body } from '../../../http/answers/reply.ts';
import { ApiError, foundOr, invalidParameters, refusedParameter, rejectionError } from '../../../http/errors.ts';
import { guardedRoutes } from '../../../http/guarded-routes.ts';
import { changing, creating, deleting, listing, reading } from '../../../http/openapi/documentation.ts';
import { ID } from '../../../http/plugins/routing.ts';
import type { Method, PathParameters, Routes } from '../../../http/route.ts';
import { sendMarked, sendPart } from '../../../http/routes/pages.ts';
import {
  awaitPosition,
  contextOf,
  POSITION_HEADER,
  previewContextOf,
  type RouteDependencies,
  VIEW_DEADLINE_MS,
} from '../../../http/routes/writing.ts';
import { page } from '../../../http/schemas/lists.ts';
import { byId } from '../../../http/schemas/path.ts';
import Type from '../../../http/schemas/type.ts';
import { type DateValue, resolveInstant } from '../../../kernel/time/date-input.ts';
import { instantText } from '../../../kernel/time/instant.ts';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import { phrase } from '../../../locales/phrases.ts';
import type { EventStore } from '../../../log/event-store.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import { mayAssignAuthors } from '../../../people/auth/policy.ts';
import { openActors } from '../../../people/users/facts/actors.ts';
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
import { presentReview, reviewChangeSet, type SetReviewStep } from '../commands/review.ts';
import { CHANGE_SET_STATES, type ChangeSet, isPending } from '../domain/change-set.ts';
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

// The documentation of the routes of sets of proposals.

/** Sets are for those who may see every proposal. */
const answer = Type.Ref('ChangeSet');
const route = guardedRoutes({ of: 'endpoint', may: mayAssignAuthors }, { group: 'Proposals', answer });
const STEP_ERRORS = ['rest_set_not_found', 'rest_set_closed'] as const;

const JUDGE_ERRORS: readonly ErrorCode[] = [...STEP_ERRORS, 'rest_set_empty', 'rest_own_set'];

const REVIEW_ERRORS: { readonly [Step in SetReviewStep]: readonly ErrorCode[] } = {
  approve: [...JUDGE_ERRORS, 'rest_own_proposal', 'rest_set_already_approved'],
  request_changes: JUDGE_ERRORS,
  comment: ['rest_set_not_found'],
};

export interface ChangeSetRouteDependencies extends RouteDependencies {
  readonly proposals: ProposalDependencies;
  /** The log with sets as a whole. Steps, and answers to them, are about the log itself. */
  readonly wholeLog: EventStore;
}

const REVIEW_STEPS: { readonly [path: string]: SetReviewStep } = {
  approve: 'approve',
  'request-changes': 'request_changes',
  comments: 'comment',
};

export const changeSetRoutes: Routes<ChangeSetRouteDependencies> = async (api, dependencies) => {
  const { proposals, queries, views, wholeLog: log } = dependencies;

  async function sendResult(reply: FastifyReply, result: CommandResult<ChangeSet>): Promise<Body> {
    const { request } = reply;
    if (result.kind === 'written') return sendSet(reply, result.written);
    const { rejection } = result;
    if (rejection.problems) throw unfit(request, rejection.problems);
    throw rejectionError(rejection, request.caller);
  }

  async function sendSet(
    reply: FastifyReply,
    { state, revision, position, created }: Written<ChangeSet>,
  ): Promise<Body> {
    const { links } = reply.request;
    reply.header('etag', entityTag(revision, '')).header(POSITION_HEADER, position);
    if (created) reply.code(201).header('location', `${links.root}/sets/${state.id}`);
    return JSON.stringify(await changeSetObject(proposals.store, reply.request, state));
  }

  const present = (id: number) => foundOr('rest_set_not_found', loadChangeSet(log, id));

  api.get(
    '/sets',
    route(
      listing,
      { summary: 'set.list', answer: page('sets', 'set.page', answer) },
      { querystring: changeSetList({ perPage: queries.perPage }) },
    ),
    async (request, reply) => {
      const { query } = request;
      await awaitPosition(dependencies, request);
      const states = CHANGE_SET_STATES.filter((state) => query.state === undefined || state === query.state);
      const all = await loadChangeSets(log, states);
      const objectsOf = async (some: readonly ChangeSet[]): Promise<object> => {
        const sets: object[] = [];
        for (const set of some) sets.push(await changeSetObject(log, request, set));
        return { sets };
      };
      const listed = { perPage: queries.perPage, path: 'sets', names: ['page', 'per_page', 'state'] };
      return sendPart(reply, all, objectsOf, listed);
    },
  );

  api.post(
    '/sets',
    route(
      creating,
      { summary: 'set.open', errors: ['rest_proposal_not_found'], example: { name: 'Spring programme' } },
      { body: changeSetCreate },
    ),
    async ({ body }, reply) => {
      const { name, description = '', proposals: members } = body;
      const opened = {
        name: String(name).trim(),
        description: String(description).trim(),
        proposals: unique(members?.ids),
      };
      return sendResult(reply, await openChangeSetOf(proposals, contextOf(reply.request), opened));
    },
  );

  api.get(
    `/sets/${ID}`,
    route(
      reading,
      { summary: 'set.read', errors: ['rest_set_not_found'] },
      { params: byId, querystring: changeSetRead },
    ),
    async (request, reply) => {
      await awaitPosition(dependencies, request);
      const { state, revision } = await present(request.params.id);
      // One that failed says why, whatever has changed since: a dry run says whether it would fit now.
      const isToCome = isPending(state) && state.state !== 'failed';
      const fit = isToCome
        ? await fitOf(request, state, previewContextOf(request), state.schedule ? 'at_its_instant' : 'now')
        : {};
      const body = { ...(await changeSetObject(log, request, state)), ...fit };
      return sendMarked(reply, body, { revision, language: request.language });
    },
  );

  api.patch(
    `/sets/${ID}`,
    route(
      changing,
      {
        summary: 'set.change',
        errors: [...STEP_ERRORS, 'rest_proposal_not_found', 'rest_set_unfit'],
        example: { name: 'Spring programme' },
      },
      { params: byId, body: changeSetUpdate },
    ),
    async ({ params, body }, reply) => {
      const { name, description, proposals: members } = body;
      const changed = {
        ...(name !== undefined && { name: String(name).trim() }),
        ...(description !== undefined && { description: String(description).trim() }),
        ...(members !== undefined && { proposals: members.ids }),
      };
      return sendResult(reply, await changeChangeSetOf(proposals, contextOf(reply.request), params.id, changed));
    },
  );

  api.post(
    `/sets/${ID}/members`,
    route(
      changing,
      {
        summary: 'set.collect',
        errors: [...STEP_ERRORS, 'rest_proposal_not_found', 'rest_set_unfit'],
        example: { proposals: '1' },
      },
      { params: byId, body: changeSetMembers },
    ),
    async ({ params, body }, reply) =>
      sendResult(
        reply,
        await changeChangeSetOf(proposals, contextOf(reply.request), params.id, { add: body.proposals.ids }),
      ),
  );

  for (const [path, step] of Object.entries(REVIEW_STEPS)) {
    /** `Allow` offers a judgement only of sets of others. */
    const allow = async (caller: Caller, { id }: PathParameters): Promise<readonly Method[]> => {
      if (!mayAssignAuthors(caller)) return [];
      const isOwn = step !== 'comment' && (await loadChangeSet(log, id))?.state.author === caller?.id;
      return isOwn ? [] : ['POST'];
    };
    api.post(
      `/sets/${ID}/${path}`,
      {
        ...route(
          changing,
          {
            summary: `set.${step}`,
            ...(step === 'approve' && { description: 'set.approve_description' as const }),
            errors: REVIEW_ERRORS[step],
            example: { text: 'Checked with the venues' },
          },
          { params: byId, body: changeSetReview },
        ),
        config: { allow },
      },
      async ({ params, body }, reply) => {
        const judged = { text: String(body.text ?? '').trim(), revisions: body.revisions };
        return sendResult(reply, await reviewChangeSet(proposals, contextOf(reply.request), params.id, step, judged));
      },
    );
  }

  api.post(
    `/sets/${ID}/apply`,
    route(
      changing,
      {
        summary: 'set.apply',
        errors: [...STEP_ERRORS, 'rest_set_empty', 'rest_set_unfit'],
        example: { dry_run: true },
      },
      { params: byId, body: changeSetApply },
    ),
    async ({ params, body }, reply) => {
      const { request } = reply;
      if (body.dry_run === true) return tried(reply, params.id);
      const result = await applyChangeSet(proposals, contextOf(request), params.id, { revisions: body.revisions });
      if (result.kind === 'unfit') throw unfit(request, result.problems);
      if (result.kind === 'rejected') return sendResult(reply, result);
      const isShown = await views.reached(result.written.position, VIEW_DEADLINE_MS);
      if (!isShown) reply.header('x-daybook-views', 'lagging');
      return sendSet(reply, result.written);
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
    route(
      changing,
      {
        summary: 'set.schedule',
        errors: [...STEP_ERRORS, 'rest_set_empty', 'rest_set_unfit'],
        example: { at: '2099-03-01T06:00:00Z' },
      },
      { params: byId, body: changeSetSchedule },
    ),
    async ({ params, body }, reply) => {
      const { request } = reply;
      const at = instantOf(request, body.at);
      return sendResult(reply, await scheduleChangeSetOf(proposals, contextOf(request), params.id, at));
    },
  );

  api.delete(
    `/sets/${ID}/schedule`,
    route(deleting, { summary: 'set.unschedule', errors: STEP_ERRORS }, { params: byId, querystring: changeSetRead }),
    async (request, reply) =>
      sendResult(reply, await unscheduleChangeSetOf(proposals, contextOf(request), request.params.id)),
  );

  api.delete(
    `/sets/${ID}`,
    route(deleting, { summary: 'set.withdraw', errors: STEP_ERRORS }, { params: byId, querystring: changeSetRead }),
    async (request, reply) =>
      sendResult(reply, await withdrawChangeSetOf(proposals, contextOf(request), request.params.id)),
  );
};

const unfit = (request: FastifyRequest, problems: readonly MemberProblem[]): ApiError =>
  new ApiError('rest_set_unfit', { data: { problems: problemsFor(request, problems) } });

const unique = (ids: readonly number[] = []): readonly number[] => [...new Set(ids)];

function instantOf({ now, siteZone: zone }: FastifyRequest, date: DateValue): number {
  const at = resolveInstant(date, { now, zone });
  if (at === null) throw invalidParameters('at');
  if (at <= now) throw refusedParameter('at', phrase('allowed_to_come', { name: 'at', now: instantText(now) }));
  return at;
}

// Sets of proposals as clients see them.

const problemsFor = (request: FastifyRequest, problems: readonly MemberProblem[]) =>
  problems.map(({ proposal, code, fields }) => ({ proposal, problem: problemIn(request, code), fields }));

/** What is refused for lack of approvals is in a proposal already. */
const problemIn = ({ caller, language }: FastifyRequest, code: MemberProblem['code']): string =>
  code === 'review_required'
    ? phrase('set_lacks_approvals')(language)
    : rejectionError({ code }, caller).text(language);

/** A set, with how far its review is by the rules of now. */
async function changeSetObject(store: EventStore, request: FastifyRequest, set: ChangeSet) {
  const { person } = openActors(store);
  const orNull = async (id: number | null) => (id === null ? null : person(id));
  const { revisions, approvals, changesRequested, needed, approvalCount, unapproved } = await presentReview(store, set);
  return {
    id: set.id,
    url: `${request.links.root}/sets/${set.id}`,
    name: set.name,
    key: set.key,
    description: set.description,
    state: set.state,
    author: await person(set.author),
    opened: instantText(set.opened),
    modified: instantText(set.modified),
    at: set.schedule && instantText(set.schedule.at),
    proposals: set.proposals,
    revisions,
    problems: problemsFor(request, set.problems),
    decided_by: await orNull(set.decidedBy),
    request: set.request,
    approvals: await Promise.all(approvals.map(person)),
    approvals_needed: needed,
    approvals_given: approvalCount,
    unapproved,
    changes_requested: await orNull(changesRequested),
    comments: await Promise.all(
      (set.comments ?? []).map(async ({ by, at, text }) => ({
        actor: await person(by),
        instant: instantText(at),
        text,
      })),
    ),
  };
}
