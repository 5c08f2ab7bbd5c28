// Deciding all proposals of a set on one view of the log: each sees what those before it have decided to.
// decision 22

import { type CommandContext, openCoordination } from '../../../commands/context.ts';
import type { CommandResult } from '../../../commands/handle-command.ts';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import type { UnitOfWork } from '../../../commands/unit-of-work.ts';
import { accepted, type Decision, rejected } from '../../../domain/decider.ts';
import type { MemberProblem, Rejection } from '../../../domain/rejections.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { isOutage } from '../../../log/writing.ts';
import { endMerge, type RestOfMerge, restOfMerge } from '../../merges/commands/complete.ts';
import { MERGED_KINDS } from '../../merges/domain/merge.ts';
import { isMade, unfitness } from '../../proposals/commands/approve.ts';
import { howOf, type ProposalDependencies, presentTarget } from '../../proposals/commands/proposals.ts';
import { TARGETS } from '../../proposals/commands/targets.ts';
import { approveProposal, type Proposal, type ProposalFact, type Target } from '../../proposals/domain/proposal.ts';
import { presentPolicy } from '../../review-rules/commands/present-policy.ts';
import { reviewedKinds } from '../../review-rules/domain/review-policy.ts';
import type { ChangeSet } from '../domain/change-set.ts';
import { approversOf, evolveSetMember, type SetMember } from '../domain/set-review.ts';
import { presentApprovals, presentReview } from './review.ts';

/**
 * `checked`: a member whose fields others have changed since is a problem. Begun: part of the set may have been written,
 * so what can be carried out is carried out, as often revised as each was then.
 */
type Stage = 'checked' | { readonly begunWith: readonly number[] | undefined };

interface Planning {
  readonly stage: Stage;
  /** Users who have approved the set as it is. */
  readonly approvals: readonly number[];
  /** Proposals that lack approvals at the instant of the set; null: it is applied now. */
  readonly unapproved: readonly number[] | null;
}

/** When it is applied: now, by a caller who sees it, or at the instant for which it was planned. */
export type Moment = 'now' | 'at_its_instant';

/** Adds everything that the members decide to. What cannot be carried out adds nothing, and is a problem. */
export async function planChangeSet(
  dependencies: ProposalDependencies,
  context: CommandContext,
  unit: UnitOfWork,
  set: ChangeSet,
  { stage = 'checked', moment = 'now' }: { readonly stage?: Stage; readonly moment?: Moment } = {},
) {
  const problems: MemberProblem[] = [];
  const targets = new Map<string, Target>();
  const planning: Planning = {
    stage,
    approvals: stage === 'checked' ? await presentApprovals(unit.store, set) : [],
    unapproved: moment === 'now' ? null : (await presentReview(unit.store, set)).unapproved,
  };
  for (const [at, id] of set.proposals.entries()) {
    const { state: member } = await unit.load(streamOf('proposal', id), evolveSetMember);
    const proposal = member?.proposal;
    const refusal = member
      ? await planMember(dependencies, context, unit, { ...member, at }, planning).catch((error: unknown) =>
          left(error, stage),
        )
      : ({ code: 'proposal_not_found' } as const);
    if (proposal) targets.set(streamOf(proposal.target.kind, proposal.target.id), proposal.target);
    if (refusal)
      problems.push({ proposal: id, code: refusal.code, fields: (refusal.fields ?? []).map(({ field }) => field) });
  }
  return {
    problems,
    /** What its members are about, each once. */
    targets: [...targets.values()],
  };
}

/** What has begun must end, or nothing behind it is ever shown: a member that meets a fault of ours is left out. */
function left(error: unknown, stage: Stage): Rejection {
  if (stage === 'checked' || isOutage(error)) throw error;
  return { code: 'not_decided' };
}

/** A proposal, and its place in the set. */
interface PlannedMember extends SetMember {
  readonly at: number;
}

async function planMember(
  dependencies: ProposalDependencies,
  context: CommandContext,
  unit: UnitOfWork,
  { proposal, revisions, at }: PlannedMember,
  planning: Planning,
): Promise<Rejection | null> {
  const { stage } = planning;
  // Approved by itself, or by the part of the set that has been written.
  if (proposal.state === 'applied') return null;
  const approval = await approvalOf(proposal, context, unit, planning);
  if (approval.kind === 'rejected') return approval.rejection;
  if (!(await isMade(unit, proposal))) {
    const begunWith = stage === 'checked' ? undefined : stage.begunWith;
    // What came into its place since was neither seen nor approved.
    if (begunWith && begunWith[at] !== revisions) return { code: 'precondition_failed' };
    const present = await presentTarget(unit, proposal.target);
    const unfit = unfitness(dependencies.fieldsOf, proposal, present);
    if (unfit && (stage === 'checked' || unfit.code !== 'proposal_conflict')) return unfit;
    const how = howOf(proposal, present.state);
    const refusal = await carryOut(dependencies, context, unit, proposal, (within, own) =>
      TARGETS[proposal.target.kind][how](within, own, proposal.target.id, proposal.wish),
    );
    if (refusal) return refusal;
  } else {
    // A merge is of several streams, and may have been interrupted behind the one that it is about.
    const rest = await restOfItsMerge(unit, proposal);
    const refusal =
      rest && (await carryOut(dependencies, context, unit, proposal, (within, own) => endMerge(within, own, rest)));
    if (refusal) return refusal;
  }
  // Behind the facts of its target: where a batch is no transaction, those come first.
  const applied: ProposalFact = { type: 'ProposalApplied', data: { by: context.caller?.id ?? 0 } };
  await unit.record(streamOf('proposal', proposal.id), [...approval.facts, applied]);
  return null;
}

/**
 * Applying a set approves its members, but for those that were approved for it. At the instant of a set each has the
 * approvals of the rules, as when it was planned. Users who write such resources directly may apply any; those whose writes are
 * reviewed need the approvals of the rules, which are those of the proposal and those of the set. Their own is one for
 * what others have proposed.
 */
async function approvalOf(
  proposal: Proposal,
  { caller }: CommandContext,
  { store }: UnitOfWork,
  { stage, approvals, unapproved }: Planning,
): Promise<Decision<ProposalFact>> {
  const { target } = proposal;
  const by = caller?.id ?? 0;
  const { rules } = await presentPolicy(store);
  const isReviewed = caller !== null && reviewedKinds(rules, caller.role).includes(target.kind);
  const approvers = approversOf(proposal, [...approvals, by]).size;
  const isLackingNow = isReviewed && stage === 'checked' && approvers < rules[target.kind].approvals;
  if (unapproved?.includes(proposal.id) ?? isLackingNow) return rejected('review_required');
  if (proposal.state === 'approved_for_set') return accepted([]);
  return approveProposal({ ...proposal, approvals: [], sets: [] }, { by, text: '' }, 1);
}

/** Takes the place of the append of a member's own command. */
const NOT_WRITTEN = rejected('busy');

async function restOfItsMerge({ store }: UnitOfWork, { target: { kind, id } }: Proposal): Promise<RestOfMerge | null> {
  const merged = MERGED_KINDS.find((one) => one === kind);
  return merged ? restOfMerge(store, { kind: merged, id }) : null;
}

/** Runs the command of a member on what the set has decided to so far, and takes over what it would write. */
async function carryOut(
  dependencies: ProposalDependencies,
  context: CommandContext,
  unit: UnitOfWork,
  { id, author }: Proposal,
  command: (dependencies: ProposalDependencies, context: CommandContext) => Promise<CommandResult<unknown>>,
): Promise<Rejection | null> {
  let isDecided = false;
  const within: NonNullable<CommandContext['within']> = async (inner, attempt) => {
    const result = await attempt();
    if (result.kind === 'rejected') return result;
    isDecided = true;
    for (const append of inner.planned()) unit.add(append);
    return NOT_WRITTEN;
  };
  const store: EventStore = { ...dependencies.store, readStream: unit.store.readStream };
  const own = { ...context, within, proposal: { id, author }, ifRevision: undefined, idempotencyKey: undefined };
  const result = await command({ ...dependencies, ...openCoordination(), store }, own);
  return isDecided || result.kind === 'written' ? null : result.rejection;
}
