// The routes of proposals: opening one on each kind of resource, reading them, and the steps of a review.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { eventExamples } from '../../../calendar/event/http/event-schema.ts';
import { linkedPostExamples } from '../../../calendar/linked-post/http/linked-post-schema.ts';
import { storable } from '../../../calendar/resource/commands/post-input.ts';
import { COLLECTIONS } from '../../../calendar/resource/domain/collections.ts';
import { termExamples } from '../../../calendar/term/http/term-schema.ts';
import type { Body } from '../../../http/answers/reply.ts';
import type { TaggedBody } from '../../../http/caches/shared-answers.ts';
import { ApiError, forbidden, foundOr, refusedParameter } from '../../../http/errors.ts';
import { guardedRoutes } from '../../../http/guarded-routes.ts';
import { changing, creating, type Documentation, listing, reading } from '../../../http/openapi/documentation.ts';
import { eventInput, organizerInput, termInput, venueInput } from '../../../http/parameters/inputs.ts';
import { ID } from '../../../http/plugins/routing.ts';
import type { Method, PathParameters, Routes } from '../../../http/route.ts';
import { sendMarked, sendPage } from '../../../http/routes/pages.ts';
import { awaitPosition, contextOf } from '../../../http/routes/writing.ts';
import { page } from '../../../http/schemas/lists.ts';
import { byId } from '../../../http/schemas/path.ts';
import Type, { type Static, type TObject } from '../../../http/schemas/type.ts';
import { type DateValue, resolveInstant } from '../../../kernel/time/date-input.ts';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import { phrase } from '../../../locales/phrases.ts';
import { fold } from '../../../log/envelope.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import { mayProposeNew, mayTake, partsIn } from '../../../people/auth/proposal-rights.ts';
import { pagingOf, windowOf } from '../../../queries/arguments.ts';
import { digestOf } from '../../../queries/digest.ts';
import type { ProposedState } from '../../compare/queries/compare-states.ts';
import type { StateInput } from '../../time-travel/http/as-of-reads.ts';
import { approveProposalOf } from '../commands/approve.ts';
import {
  type ProposalResult,
  presentTarget,
  proposeChange,
  proposeCreation,
  reviseProposalOf,
  stepProposal,
  subjectOf,
} from '../commands/proposals.ts';
import {
  evolveProposal,
  PROPOSAL_STATES,
  type Proposal,
  type ProposalStep,
  TARGET_KINDS,
  type Target,
  type TargetKind,
  type Wish,
} from '../domain/proposal.ts';
import { listProposals, type ProposalFilter } from '../queries/list-proposals.ts';
import {
  answerProposal,
  decidedNow,
  type ProposalRouteDependencies,
  proposalObject,
  proposalObjects,
} from './proposal-answers.ts';
import { previewOf } from './proposal-preview.ts';
import { proposalList, proposalRead, proposalStep, proposalTables } from './proposal-schema.ts';

// The documentation of the routes of proposals.

const EXAMPLES = { event: eventExamples, ...linkedPostExamples, ...termExamples };

const answer = Type.Ref('Proposal');
const about = { group: 'Proposals', answer } as const;

/** Who writes nothing has nothing to do with proposals; which they may see, and what they may do to them, follows from the resources. */
const mayReviewAny = (caller: Caller): boolean => TARGET_KINDS.some((kind) => mayProposeNew(caller, kind));
const forReviewers = guardedRoutes({ of: 'endpoint', may: mayReviewAny }, about);

/** How the command of a kind refuses a wish. */
const WISH_ERRORS: { readonly [Kind in TargetKind]: readonly ErrorCode[] } = {
  event: ['could-not-create-venue', 'could-not-create-organizer'],
  venue: ['could-not-create-venue'],
  organizer: ['could-not-create-organizer', 'organizer-is-erased'],
  category: ['term_exists', 'duplicate_term_slug'],
  tag: ['term_exists', 'duplicate_term_slug', 'rest_taxonomy_not_hierarchical'],
};

const PROPOSE_ERRORS = [
  'rest_nothing_proposed',
  'rest_target_in_trash',
  'rest_proposal_not_found',
  'rest_proposal_closed',
] as const;

/** Only an event is looked for by a command: the check of parameters looks for the others. */
const ID_ERRORS = ['rest-event-not-found', 'rest-invalid-event-id'] as const;

/** The errors of a proposed merge. */
const MERGE_ERRORS = ['rest_merged', 'rest_cannot_merge'] as const;

/** 201 for a new proposal, 200 for a revised one. */
function openingOrRevising(proposing: Parameters<typeof creating>[0]): Documentation {
  const opening = creating(proposing);
  return { ...opening, response: { ...opening.response, ...changing(proposing).response } };
}

const proposing = (kind: TargetKind, what: 'create' | 'change') =>
  ({
    summary: `proposal.propose_${what}`,
    description: 'proposal.propose',
    errors: [
      ...PROPOSE_ERRORS,
      ...WISH_ERRORS[kind],
      ...(what === 'create' ? [] : kind === 'event' ? ID_ERRORS : MERGE_ERRORS),
    ],
    example: EXAMPLES[kind][what],
  }) as const;

const APPROVE_ERRORS: readonly ErrorCode[] = [
  'rest_proposal_conflict',
  'rest_already_approved',
  'rest_target_in_trash',
  ...MERGE_ERRORS,
  ...new Set(TARGET_KINDS.flatMap((kind) => WISH_ERRORS[kind])),
];

const stepping = (step: Exclude<ProposalStep, 'revise'>) =>
  ({
    summary: `proposal.${step}`,
    errors: [
      'rest_proposal_not_found',
      ...(step === 'comment' ? [] : (['rest_proposal_closed'] as const)),
      ...(step === 'comment' || step === 'withdraw' ? [] : (['rest_own_proposal'] as const)),
      ...(step === 'approve' ? APPROVE_ERRORS : []),
    ],
    example: { text: 'Checked with the venue' },
  }) as const;

/** From what was sent of a kind to the input of its commands. */
const WISHES: { readonly [Kind in TargetKind]: (body: ProposalBody) => object } = {
  event: eventInput,
  venue: venueInput,
  organizer: organizerInput,
  category: termInput,
  tag: termInput,
};

const STEPS = {
  approve: 'approve',
  comments: 'comment',
  'request-changes': 'request_changes',
  reject: 'reject',
  withdraw: 'withdraw',
} as const;

interface ReviewDependencies extends ProposalRouteDependencies {
  /** For reads, on the log as it is shown: sets as a whole. Steps, and answers to them, are about the log itself. */
  readonly reading: ProposalRouteDependencies;
}

export const proposalRoutes: Routes<ReviewDependencies> = async (api, { reading: shown, ...dependencies }) => {
  const { proposals } = dependencies;

  const sendResult = (reply: FastifyReply, result: ProposalResult): Promise<Body> =>
    answerProposal(dependencies, reply, result);

  async function propose(reply: FastifyReply, kind: TargetKind, id: number | null, body: ProposalBody): Promise<Body> {
    const { request } = reply;
    if (kind === 'tag' && body.parent !== undefined) throw new ApiError('rest_taxonomy_not_hierarchical');
    const { revises, into } = body;
    const isMerge = into !== undefined;
    if (isMerge) refuseOthers(body);
    const wish = storable(isMerge ? { into } : WISHES[kind](body)) as Wish;
    const proposed = { wish, note: textOf(body.note) };
    const how = isMerge ? 'merge' : 'change';
    const context = contextOf(request);
    if (revises !== undefined) {
      const { proposal } = await present(request, Number(revises));
      const { target } = proposal;
      const isSame = target.kind === kind && (id === null ? proposal.base < 0 : target.id === id);
      if (!isSame) throw new ApiError('rest_proposal_not_found');
      return sendResult(reply, await reviseProposalOf(proposals, context, proposal.id, proposed, how));
    }
    return sendResult(
      reply,
      id === null
        ? await proposeCreation(proposals, context, kind, proposed)
        : await proposeChange(proposals, context, { kind, id }, proposed, how),
    );
  }

  const present = (request: FastifyRequest, id: number) => presentFor(shown, request, id);

  for (const kind of TARGET_KINDS) {
    const route = guardedRoutes({ of: 'endpoint', may: (caller) => mayProposeNew(caller, kind) }, about);
    api.post(
      `/${COLLECTIONS[kind]}/proposals`,
      route(openingOrRevising, proposing(kind, 'create'), { body: proposalTables[kind].create as TObject }),
      async ({ body }, reply) => propose(reply, kind, null, body),
    );
    api.post(
      `/${COLLECTIONS[kind]}/${ID}/proposals`,
      route(openingOrRevising, proposing(kind, 'change'), {
        params: byId,
        body: proposalTables[kind].update as TObject,
      }),
      async ({ params, body }, reply) => propose(reply, kind, params.id, body),
    );
  }

  api.get(
    '/proposals',
    forReviewers(
      listing,
      {
        summary: 'proposal.list',
        answer: page('proposals', 'proposal.page', answer),
        errors: ['rest_proposal_page_not_found'],
      },
      { querystring: proposalList({ perPage: dependencies.queries.perPage }) },
    ),
    async (request, reply) => {
      const { caller, query } = request;
      await awaitPosition(dependencies, request);
      const paging = pagingOf(query, dependencies.queries.perPage);
      const source = dependencies.queries.readModel;
      const { items, total } = await listProposals(source, caller, filterOf(request, query), windowOf(paging));
      const proposals = (await Promise.all(items.map(({ id }) => proposalAt(shown.proposals, id)))).filter(
        (one) => one !== null,
      );
      const page = { paging, total, path: 'proposals', names: ARGUMENTS } as const;
      const listed = { proposals: await proposalObjects(shown, request, proposals) };
      return sendPage(reply, listed, { ...page, pastTheEnd: 'rest_proposal_page_not_found' });
    },
  );

  api.get(
    `/proposals/${ID}`,
    forReviewers(
      reading,
      { summary: 'proposal.read', errors: ['rest_proposal_not_found'] },
      { params: byId, querystring: proposalRead },
    ),
    async (request, reply) => {
      await awaitPosition(dependencies, request);
      const { proposal, revision } = await present(request, request.params.id);
      return sendMarked(reply, await proposalObject(shown, request, proposal), {
        revision,
        language: request.language,
      });
    },
  );

  for (const [path, step] of Object.entries(STEPS)) {
    const allow = async (caller: Caller, { id }: PathParameters): Promise<readonly Method[]> => {
      const match = await findFor(shown, caller, id);
      const mayStep = match === null ? mayReviewAny(caller) : mayTake(step, match.parts) === true;
      return mayStep ? ['POST'] : [];
    };
    api.post(
      `/proposals/${ID}/${path}`,
      { ...forReviewers(changing, stepping(step), { params: byId, body: proposalStep }), config: { allow } },
      async ({ params, body }, reply) => {
        const context = contextOf(reply.request);
        const text = textOf(body.text);
        return sendResult(
          reply,
          step === 'approve'
            ? await approveProposalOf(proposals, context, params.id, text)
            : await stepProposal(proposals, context, params.id, step, text),
        );
      },
    );
  }
};

/** A merge is proposed on its own. */
function refuseOthers(body: ProposalBody): void {
  const others = Object.keys(body).filter((member) => !['id', 'into', 'note', 'revises'].includes(member));
  if (others.length > 0) throw refusedParameter('into', phrase('merged_alone', { others: others.join(', ') }));
}

/** What was sent of a proposal: the members of its kind, and those about it. */
type ProposalBody = { readonly [member: string]: unknown };

async function proposalAt({ store }: ProposalRouteDependencies['proposals'], id: number): Promise<Proposal | null> {
  return fold(await store.readStream(`proposal-${id}`), evolveProposal);
}

/** From the log: it is right at once, and its rights follow from what its target is now. Null: not for the caller. */
async function findFor({ proposals }: ProposalRouteDependencies, caller: Caller, id: number) {
  const events = await proposals.store.readStream(`proposal-${id}`);
  const proposal = fold(events, evolveProposal);
  if (!proposal) return null;
  const { state } = await presentTarget(proposals, proposal.target);
  const parts = partsIn(caller, proposal, subjectOf(state));
  return parts.length === 0 ? null : { proposal, parts, revision: events.at(-1)?.revision ?? 0 };
}

const presentFor = (dependencies: ProposalRouteDependencies, { caller }: FastifyRequest, id: number) =>
  foundOr('rest_proposal_not_found', findFor(dependencies, caller, id));

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

const ARGUMENTS = [
  ...(['page', 'per_page', 'state', 'kind', 'target', 'author', 'reviewer'] as const),
  ...(['opened_after', 'opened_before'] as const),
] as const;

type Filters = Static<ReturnType<typeof proposalList>>;

function filterOf({ now, siteZone }: FastifyRequest, query: Filters): ProposalFilter {
  const { state, kind, target, author, reviewer, opened_after: from, opened_before: before } = query;
  const instantOf = (date: DateValue | undefined): number | undefined =>
    date === undefined ? undefined : (resolveInstant(date, { now, zone: siteZone }) ?? undefined);
  const filter = {
    states: state === undefined ? undefined : PROPOSAL_STATES.filter((one) => state.split(',').includes(one)),
    kind: TARGET_KINDS.find((one) => one === kind),
    target,
    author,
    reviewer,
    openedFrom: instantOf(from),
    openedBefore: instantOf(before),
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

/** `?proposal=7` of a single read: the resource as that proposal would make it, to those who may see it. */
export function findProposed(
  dependencies: ProposalRouteDependencies,
  request: FastifyRequest,
  kind: TargetKind,
  { proposal }: StateInput,
  id: number,
): Promise<TaggedBody> | null {
  if (proposal === undefined) return null;
  if (request.caller === null) throw forbidden(null);
  return proposedFor(dependencies, request, { kind, id }, proposal).then(({ text }) => ({
    text,
    etag: `"${digestOf(text)}"`,
  }));
}

/** A target as the proposal with this id would make it. */
async function proposedFor(
  dependencies: ProposalRouteDependencies,
  request: FastifyRequest,
  { kind, id }: Target,
  proposalId: number,
) {
  const { proposal } = await presentFor(dependencies, request, proposalId);
  if (proposal.target.kind !== kind || proposal.target.id !== id) throw new ApiError('rest_proposal_not_found');
  const decided = await decidedNow(dependencies, request, proposal);
  return { proposal, decided, text: await previewOf(dependencies, request, proposal.target, decided) };
}

/** `proposal:7` as a side of a comparison: a resource as that proposal would make it. */
export async function proposedState(
  dependencies: ProposalRouteDependencies,
  request: FastifyRequest,
  target: Target,
  proposalId: number,
): Promise<ProposedState> {
  const { proposal, decided, text } = await proposedFor(dependencies, request, target, proposalId);
  const { author, opened } = proposal;
  const { state } = decided.written;
  return { proposal: proposalId, author, opened, state, body: { text, mark: () => digestOf(text) } };
}
