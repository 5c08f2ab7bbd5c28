// Proposals as clients see them: what they say, what they would change, and what the resource would be.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { COLLECTIONS } from '../../../calendar/resource/domain/collections.ts';
import type { ProposalConflict, Rejection } from '../../../domain/rejections.ts';
import { loadSubmission } from '../../../exchange/submissions/commands/submissions.ts';
import { entityTag } from '../../../http/answers/etag.ts';
import type { Body } from '../../../http/answers/reply.ts';
import { rejectionError } from '../../../http/errors.ts';
import type { Links } from '../../../http/route.ts';
import { answerWrite, previewContextOf, type RouteDependencies } from '../../../http/routes/writing.ts';
import { instantText } from '../../../kernel/time/instant.ts';
import type { Json } from '../../../log/envelope.ts';
import { mayAssignAuthors } from '../../../people/auth/policy.ts';
import { partsIn } from '../../../people/auth/proposal-rights.ts';
import { openActors } from '../../../people/users/facts/actors.ts';
import type { RenderingSettings } from '../../../rendering/post-fragment.ts';
import { openMemberships } from '../../change-sets/commands/membership.ts';
import type { ChangeSet } from '../../change-sets/domain/change-set.ts';
import { changedFields, fieldsOf } from '../../history/queries/field-changes.ts';
import { presentPolicy } from '../../review-rules/commands/present-policy.ts';
import { conflictsOf, proposedStates } from '../commands/approve.ts';
import { type DecidedWish, decideWish } from '../commands/decide-wish.ts';
import {
  howOf,
  isInTrash,
  type Known,
  type ProposalDependencies,
  type ProposalResult,
  presentTarget,
  subjectOf,
} from '../commands/proposals.ts';
import type { TargetState } from '../commands/targets.ts';
import { isUndecided as isOpenToSteps, type Proposal, type Target } from '../domain/proposal.ts';
import { previewOf } from './proposal-preview.ts';

export interface ProposalRouteDependencies extends RouteDependencies {
  readonly proposals: ProposalDependencies;
  readonly display: RenderingSettings;
}

type Members = { readonly [member: string]: unknown };

/** The proposal after a write. Default status: 201 for a new one, otherwise 200. */
export async function answerProposal(
  dependencies: ProposalRouteDependencies,
  reply: FastifyReply,
  result: ProposalResult,
  status?: 202,
): Promise<Body> {
  const { request } = reply;
  if (result.kind === 'rejected') throw rejectionError(result.rejection, request.caller);
  const { written } = result;
  return answerWrite(dependencies, reply, written, async () => ({
    status: status ?? (written.created ? 201 : 200),
    body: await proposalObject(dependencies, request, written.state, written.known),
    etag: entityTag(written.revision, ''),
    location: `/proposals/${written.id}`,
  }));
}

const targetUrl = ({ root }: Links, { kind, id }: Target): string => `${root}/${COLLECTIONS[kind]}/${id}`;

/** What a list shows of each. */
export async function proposalObjects(
  { proposals: { store } }: ProposalRouteDependencies,
  { links, caller }: FastifyRequest,
  proposals: readonly Proposal[],
): Promise<Members[]> {
  const { person } = openActors(store);
  const { rules } = await presentPolicy(store);
  const people = (ids: readonly number[]) => Promise.all(ids.map(person));
  const maySeeSets = mayAssignAuthors(caller);
  const membershipOf = openMemberships(store);
  return Promise.all(
    proposals.map(membershipOf).map(async (membership) => {
      const { proposal, sets } = await membership;
      return {
        id: proposal.id,
        url: `${links.root}/proposals/${proposal.id}`,
        state: proposal.state,
        target: { ...proposal.target, url: targetUrl(links, proposal.target) },
        creates: proposal.base < 0,
        action: proposal.base < 0 ? 'create' : (proposal.action ?? 'change'),
        ...intoOf(links, proposal),
        base_revision: proposal.base < 0 ? null : proposal.base,
        note: proposal.note,
        author: await person(proposal.author),
        opened: instantText(proposal.opened),
        modified: instantText(proposal.modified),
        reviewers: await people(proposal.reviewers),
        decided_by: proposal.decidedBy === null ? null : await person(proposal.decidedBy),
        approvals: await people(proposal.approvals ?? []),
        approvals_needed: rules[proposal.target.kind].approvals,
        comments: await Promise.all(
          proposal.comments.map(async ({ by, at, text }) => ({
            actor: await person(by),
            instant: instantText(at),
            text,
          })),
        ),
        sets: maySeeSets ? sets.map((set) => setOf(links, set)) : [],
      };
    }),
  );
}

const setOf = ({ root }: Links, { id, name, state, schedule }: ChangeSet): Members => ({
  id,
  name,
  state,
  url: `${root}/sets/${id}`,
  at: schedule && instantText(schedule.at),
});

/** The one that stays, of a merge. */
const intoOf = (links: Links, { action, wish, target: { kind } }: Proposal): Members => {
  if (action !== 'merge') return {};
  const into = { kind, id: Number(wish.into) };
  return { into: { ...into, url: targetUrl(links, into) } };
};

/** All of one: the difference, whether it still fits, and the resource as it would be. */
export async function proposalObject(
  dependencies: ProposalRouteDependencies,
  request: FastifyRequest,
  proposal: Proposal,
  known?: Known,
): Promise<Members> {
  const { proposals } = dependencies;
  const [object = {}] = await proposalObjects(dependencies, request, [proposal]);
  const present = known?.present ?? (await presentTarget(proposals, proposal.target));
  const states = proposedStates(proposal, present);
  const outcome = isUndecided(proposal)
    ? await outcomeOf(dependencies, request, proposal, present.state, known?.decided)
    : NO_OUTCOME;
  const conflicts = isUndecided(proposal) ? conflictsOf(proposals.fieldsOf, proposal, present.state, states) : [];
  return {
    ...object,
    changes: changesBetween(dependencies, proposal, states.base, states.mine),
    ...outcome,
    ...(outcome.fits === true && conflicts.length > 0 && conflicting(request, conflicts)),
    conflicts,
    ...(await submissionIn(dependencies, request, proposal, present.state)),
  };
}

/** Who has sent a submission from the public is for those who judge it. */
async function submissionIn(
  { proposals }: ProposalRouteDependencies,
  { caller }: FastifyRequest,
  proposal: Proposal,
  present: TargetState | null,
): Promise<Members> {
  if (proposal.submission === undefined) return {};
  const isReviewer = partsIn(caller, proposal, subjectOf(present)).includes('reviewer');
  const submission = isReviewer ? await loadSubmission(proposals.store, proposal.submission) : null;
  return { submission: submission && { name: submission.name, email: submission.email } };
}

const isUndecided = (proposal: Proposal): boolean => isOpenToSteps(proposal) || proposal.state === 'approved';

function changesBetween(
  { display }: ProposalRouteDependencies,
  { target: { kind } }: Proposal,
  base: TargetState | null,
  mine: TargetState | null,
): readonly { readonly field: string; readonly before: Json; readonly after: Json }[] {
  if (mine === null) return [];
  // What is folded as a kind is a state of that kind.
  const before = base && fieldsOf(kind, base, display);
  const after = fieldsOf(kind, mine, display);
  return changedFields(before, after).map((field) => ({
    field,
    before: before?.[field] ?? null,
    after: after[field] ?? null,
  }));
}

interface Outcome {
  /** Null: it is decided. */
  readonly fits: boolean | null;
  readonly problem: string | null;
  readonly preview: unknown;
}

const NO_OUTCOME: Outcome = { fits: null, problem: null, preview: null };

async function outcomeOf(
  dependencies: ProposalRouteDependencies,
  request: FastifyRequest,
  proposal: Proposal,
  present: TargetState | null,
  known: DecidedWish | undefined,
): Promise<Outcome> {
  if (isInTrash(present)) return unfit(request, { code: 'target_in_trash' });
  const decided = known ?? (await decideFor(dependencies, request, proposal, present));
  if (decided.kind === 'rejected') return unfit(request, decided.rejection);
  const preview = await previewOf(dependencies, request, proposal.target, decided);
  return { fits: true, problem: null, preview: JSON.parse(preview) };
}

/**
 * In the name of its author, as far as what is created is concerned. What a reader sends along (`If-Match`, a key) is
 * about the answer, not about the wish.
 */
const decideFor = (
  { proposals }: ProposalRouteDependencies,
  request: FastifyRequest,
  proposal: Proposal,
  present: TargetState | null,
) => decideWish(proposals, previewContextOf(request), proposal.target, proposal.wish, howOf(proposal, present));

const unfit = (request: FastifyRequest, rejection: Rejection): Outcome => ({
  fits: false,
  problem: rejectionError(rejection, request.caller).text(request.language),
  preview: null,
});

const conflicting = (request: FastifyRequest, fields: readonly ProposalConflict[]) => ({
  fits: false,
  problem: rejectionError({ code: 'proposal_conflict', fields }, request.caller).text(request.language),
});

/** What an undecided proposal comes to now; the rejection where it does not fit. */
export async function decidedNow(
  dependencies: ProposalRouteDependencies,
  request: FastifyRequest,
  proposal: Proposal,
): Promise<DecidedWish> {
  const { state } = await presentTarget(dependencies.proposals, proposal.target);
  if (isInTrash(state)) throw rejectionError({ code: 'target_in_trash' }, request.caller);
  if (!isUndecided(proposal))
    throw rejectionError({ code: 'proposal_closed', details: { state: proposal.state } }, request.caller);
  const decided = await decideFor(dependencies, request, proposal, state);
  if (decided.kind === 'rejected') throw rejectionError(decided.rejection, request.caller);
  return decided;
}
