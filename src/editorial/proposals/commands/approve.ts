// Approving a proposal: its wish is decided again on the log of now, and its facts are recorded with the approval. A
// proposal in a set is approved for the set, which applies it.
//
// The order in the unit of work lets every beginning of it stand: `ProposalApproved` keeps its author from revising it,
// then come the facts of the target, and `ProposalApplied` behind them. Where the store has no transactions, an
// interrupted approval is completed later (complete.ts) or by approving again. Facts of the target name the proposal, so
// they are recorded once; an approval that no longer fits is set back, so that its author can revise it.

import type { CommandContext } from '../../../commands/context.ts';
import { type CommandResult, handleCommand, recordDecision } from '../../../commands/handle-command.ts';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import type { Attempt, UnitOfWork } from '../../../commands/unit-of-work.ts';
import { evolveAll, type Fact, type Rejected, rejected } from '../../../domain/decider.ts';
import type { ProposalConflict, Rejection } from '../../../domain/rejections.ts';
import { fold, instantOf } from '../../../log/envelope.ts';
import { systemActor } from '../../../log/writing.ts';
import { afterRepairs } from '../../change-sets/commands/membership.ts';
import { presentPolicy } from '../../review-rules/commands/present-policy.ts';
import {
  approveProposal,
  conflictsBetween,
  evolveProposal,
  type Proposal,
  type ProposalFact,
  settleApproval,
} from '../domain/proposal.ts';
import type { How } from './decide-wish.ts';
import {
  howOf,
  isInTrash,
  knowing,
  PROPOSALS,
  type Presented,
  type PresentTarget,
  type ProposalDependencies,
  type ProposalResult,
  presentProposal,
  presentTarget,
} from './proposals.ts';
import { TARGETS, type TargetState } from './targets.ts';

/** Another wish has come into the place of the one that was read: it is read again. */
const REVISED = rejected('busy');
const MAX_READINGS = 20;

export async function approveProposalOf(
  dependencies: ProposalDependencies,
  context: CommandContext,
  id: number,
  text: string,
): Promise<ProposalResult> {
  for (let reading = 1; reading <= MAX_READINGS; reading += 1) {
    const result = await approveOnce(dependencies, context, id, text);
    if (result !== REVISED) return result;
  }
  return REVISED;
}

async function approveOnce(
  dependencies: ProposalDependencies,
  context: CommandContext,
  id: number,
  text: string,
): Promise<ProposalResult> {
  const stream = streamOf('proposal', id);
  const earlier = fold(await dependencies.store.readStream(stream), evolveProposal);
  if (!earlier) return rejected('proposal_not_found');
  const { kind, id: target } = earlier.target;
  const commands = TARGETS[kind];
  let entitled = null as PresentTarget | null;
  const approving: CommandContext = { ...context, proposal: { id, author: earlier.author }, ifRevision: undefined };
  const within: NonNullable<CommandContext['within']> = async (unit, attempt) => {
    const current = await presentProposal(unit, context, id, 'approve');
    if (current.kind === 'rejected') return current;
    entitled = current.present;
    const approved = await recordApproval(unit, dependencies, context, { earlier, ...current, text });
    if (approved.kind === 'rejected') return approved;
    if (approved.kind === 'given')
      return planned('proposal', id, evolveProposal) as Awaited<ReturnType<typeof attempt>>;
    const result = approved.isMade ? planned(kind, target, commands.evolve) : await attempt();
    if (result.kind === 'rejected') return result;
    const applied = { type: 'ProposalApplied', data: { by: context.caller?.id ?? 0 } } as const;
    await unit.record(stream, [applied], 'closing');
    return result as Awaited<ReturnType<typeof attempt>>;
  };
  const decide = commands[await howNow(dependencies, earlier)];
  const carriedOut = { ...approving, within, idempotencyKey: undefined };
  const result = await decide(dependencies, carriedOut, target, earlier.wish);
  if (result.kind === 'written')
    return knowing(await presentAfter(dependencies, id), entitled && { present: entitled });
  if (entitled && result.rejection.code !== 'busy') await settleProposal(dependencies, context, id, result.rejection);
  return result;
}

const howNow = async (dependencies: ProposalDependencies, proposal: Proposal): Promise<How> =>
  proposal.base < 0
    ? howOf(proposal, (await presentTarget(dependencies, proposal.target)).state)
    : (proposal.action ?? 'change');

/** Ends an approval that was interrupted, and is refused now: it is set back, unless the target has its facts. */
export function settleProposal(
  dependencies: ProposalDependencies,
  { now, correlationId }: Pick<CommandContext, 'now' | 'correlationId'>,
  id: number,
  rejection: Rejection,
) {
  const stream = streamOf('proposal', id);
  const context = { caller: null, actor: systemActor('proposals'), now, correlationId };
  return handleCommand(dependencies, context, [stream], async (unit) => {
    const { state } = await unit.load(stream, evolveProposal);
    if (!state) return rejected('proposal_not_found');
    const problem = (await isMade(unit, state)) ? null : rejection;
    return recordDecision(unit, PROPOSALS, id, settleApproval(state, problem));
  });
}

/** Whether the facts of its target have been recorded. They are written in one append. */
export async function isMade({ store }: Pick<UnitOfWork, 'store'>, { id, target, base }: Proposal): Promise<boolean> {
  const since = await store.readStream(streamOf(target.kind, target.id), { from: base + 1 });
  return since.some(({ metadata }) => metadata.proposal?.id === id);
}

interface Approving extends Pick<Presented, 'proposal' | 'repairs' | 'present'> {
  /** As it was when its wish was read. */
  readonly earlier: Proposal;
  readonly text: string;
}

/** `given`: more are needed, or a set applies it. */
type Approval = Rejected | { readonly kind: 'given' } | { readonly kind: 'approved'; readonly isMade: boolean };

async function recordApproval(
  unit: UnitOfWork,
  { fieldsOf }: ProposalDependencies,
  context: CommandContext,
  { earlier, proposal, repairs, present, text }: Approving,
): Promise<Approval> {
  if (JSON.stringify(proposal.wish) !== JSON.stringify(earlier.wish)) return REVISED;
  const step = { by: context.caller?.id ?? 0, text };
  const { rules } = await presentPolicy(unit.store);
  const decision = afterRepairs({ repairs }, approveProposal(proposal, step, rules[proposal.target.kind].approvals));
  if (decision.kind === 'rejected') return decision;
  const isDone = await isMade(unit, proposal);
  const refusal = isDone ? null : unfitness(fieldsOf, proposal, present);
  if (refusal) return rejected(refusal);
  await unit.record(streamOf('proposal', proposal.id), decision.facts, 'first');
  const isGiven = decision.facts.some(({ type }) => GIVEN.includes(type));
  return isGiven ? { kind: 'given' } : { kind: 'approved', isMade: isDone };
}

const GIVEN: readonly ProposalFact['type'][] = ['ProposalApprovalGiven', 'ProposalApprovedForSet'];

/** What stands in the way of a wish before it is decided; null: nothing. */
export function unfitness(
  fieldsOf: ProposalDependencies['fieldsOf'],
  proposal: Proposal,
  present: PresentTarget,
): Rejection | null {
  if (isInTrash(present.state)) return { code: 'target_in_trash' };
  const fields = conflictsOf(fieldsOf, proposal, present.state, proposedStates(proposal, present));
  return fields.length === 0 ? null : { code: 'proposal_conflict', fields };
}

/** The target before the wish, and as the wish would have made it then. */
export function proposedStates(proposal: Proposal, { state, events }: PresentTarget) {
  const { evolve } = TARGETS[proposal.target.kind];
  const then = events.filter(({ revision }) => revision <= proposal.base);
  const base = then.length === events.length ? state : fold(then, evolve);
  const facts = Object.entries(proposal.facts).map(([type, data]): Fact => ({ type, data }));
  const last = then.at(-1);
  return { base, mine: evolveAll(evolve, base, facts, last ? instantOf(last) : proposal.opened) };
}

/** Fields of a wish that others have changed to something else since. */
export function conflictsOf(
  fieldsOf: ProposalDependencies['fieldsOf'],
  { target: { kind } }: Proposal,
  theirs: TargetState | null,
  { base, mine }: ReturnType<typeof proposedStates>,
): readonly ProposalConflict[] {
  if (!base || !theirs || !mine || base === theirs) return [];
  return conflictsBetween(fieldsOf(kind, base), fieldsOf(kind, theirs), fieldsOf(kind, mine));
}

/** What there is to do without the command: an approval was interrupted behind the facts of the target, or lacks others. */
const planned = (kind: string, id: number, evolve: unknown) =>
  // Facts of its kind are folded by its kind.
  ({ kind: 'planned', id, stream: streamOf(kind, id), evolve, created: false }) as Attempt<TargetState, Fact>;

async function presentAfter({ store }: ProposalDependencies, id: number): Promise<CommandResult<Proposal>> {
  const events = await store.readStream(streamOf('proposal', id));
  const state = fold(events, evolveProposal);
  const last = events.at(-1);
  if (!state || !last) throw new Error(`proposal-${id} was written and has no state`);
  return { kind: 'written', written: { id, state, revision: last.revision, position: last.position, created: false } };
}
