// Approving a proposal: its wish is decided again on the log of now, and its facts are recorded with the approval.
//
// The order in the unit of work lets every beginning of it stand: `ProposalApproved` keeps its author from revising it,
// then come the facts of the target, and `ProposalApplied` behind them. Where the store has no transactions, an
// interrupted approval is completed by approving again: a change that has been made decides to nothing more, and a
// resource that has been created is not created again.
import { evolveAll, type Fact } from '../../domain/decider.ts';
import {
  approveProposal,
  conflictsBetween,
  evolveProposal,
  type Proposal,
  type ProposalConflict,
} from '../../domain/proposal.ts';
import type { Rejection } from '../../domain/rejections.ts';
import { fold, instantOf, type RecordedEvent } from '../../event-store/envelope.ts';
import type { CommandContext } from '../context.ts';
import { type Attempt, type CommandResult, type Refused, refused } from '../handle-command.ts';
import { streamOf } from '../reservations/reservations.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { howOf, isInTrash, type ProposalDependencies, presentProposal, presentTarget } from './proposals.ts';
import { TARGETS, type TargetState } from './targets.ts';

/** Another wish has come into the place of the one that was read: it is read again. */
const REVISED: Refused = refused({ code: 'busy' });
const MAX_READINGS = 20;

export async function approveProposalOf(
  dependencies: ProposalDependencies,
  context: CommandContext,
  id: number,
  text: string,
): Promise<CommandResult<Proposal>> {
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
): Promise<CommandResult<Proposal>> {
  const stream = streamOf('proposal', id);
  const read = fold(await dependencies.store.readStream(stream), evolveProposal);
  if (!read) return refused({ code: 'proposal_not_found' });
  const { kind, id: target } = read.target;
  const commands = TARGETS[kind];
  const { state: present } = await presentTarget(dependencies, read.target);
  const approving: CommandContext = { ...context, proposal: { id, author: read.author }, ifRevision: undefined };
  const within: NonNullable<CommandContext['within']> = async (unit, attempt) => {
    const approved = await recordApproval(unit, dependencies, context, read, text);
    if (approved.kind === 'rejected') return approved;
    const result = approved.isMade ? alreadyMade(read, commands.evolve) : await attempt();
    if (result.kind === 'rejected') return result;
    const applied = { type: 'ProposalApplied', data: { by: context.caller?.id ?? 0 } } as const;
    await unit.record(stream, [applied], 'closing');
    return result as Awaited<ReturnType<typeof attempt>>;
  };
  const decide = commands[howOf(read, present)];
  const carriedOut = { ...approving, within, idempotencyKey: undefined };
  const result = await decide(dependencies, carriedOut, target, read.wish);
  return result.kind === 'rejected' ? result : presentAfter(dependencies, id);
}

type Approval = Refused | { readonly kind: 'approved'; readonly isMade: boolean };

async function recordApproval(
  unit: UnitOfWork,
  { fieldsOf }: ProposalDependencies,
  context: CommandContext,
  read: Proposal,
  text: string,
): Promise<Approval> {
  const found = await presentProposal(unit, context, read.id, 'approve');
  if (found.kind === 'rejected') return found;
  const { proposal, target } = found;
  if (JSON.stringify(proposal.wish) !== JSON.stringify(read.wish)) return REVISED;
  const step = { by: context.caller?.id ?? 0, text };
  const decision = approveProposal(proposal, step);
  if (decision.kind === 'rejected') return decision;
  const refusal = await unfitness(unit, fieldsOf, proposal);
  if (refusal) return refused(refusal);
  await unit.record(streamOf('proposal', proposal.id), decision.facts, 'first');
  return { kind: 'approved', isMade: proposal.base < 0 && target !== null };
}

/** What stands in the way of a wish before it is decided; null: nothing. */
export async function unfitness(
  { store }: Pick<UnitOfWork, 'store'>,
  fieldsOf: ProposalDependencies['fieldsOf'],
  proposal: Proposal,
): Promise<Rejection | null> {
  const { state, events } = await presentTarget({ store }, proposal.target);
  if (isInTrash(state)) return { code: 'target_in_trash' };
  const fields = conflictsOf(fieldsOf, proposal, events);
  return fields.length === 0 ? null : { code: 'proposal_conflict', fields };
}

/** The target before the wish, and as the wish would have made it then. */
export function proposedStates(proposal: Proposal, events: readonly RecordedEvent[]) {
  const { evolve } = TARGETS[proposal.target.kind];
  const then = events.filter(({ revision }) => revision <= proposal.base);
  const base = fold(then, evolve);
  const facts = Object.entries(proposal.facts).map(([type, data]): Fact => ({ type, data }));
  const last = then.at(-1);
  return { base, mine: evolveAll(evolve, base, facts, last ? instantOf(last) : proposal.opened) };
}

/** Fields of a wish that others have changed to something else since. */
export function conflictsOf(
  fieldsOf: ProposalDependencies['fieldsOf'],
  proposal: Proposal,
  events: readonly RecordedEvent[],
): ProposalConflict[] {
  const { kind } = proposal.target;
  const theirs = fold(events, TARGETS[kind].evolve);
  const { base, mine } = proposedStates(proposal, events);
  if (!base || !theirs || !mine) return [];
  return conflictsBetween(fieldsOf(kind, base), fieldsOf(kind, theirs), fieldsOf(kind, mine));
}

/** A creation that was interrupted behind its facts. */
const alreadyMade = ({ target: { kind, id } }: Proposal, evolve: unknown) =>
  // Facts of its kind are folded by its kind.
  ({ kind: 'planned', id, stream: streamOf(kind, id), evolve, created: false }) as Attempt<TargetState, Fact>;

async function presentAfter({ store }: ProposalDependencies, id: number): Promise<CommandResult<Proposal>> {
  const events = await store.readStream(streamOf('proposal', id));
  const state = fold(events, evolveProposal);
  const last = events.at(-1);
  if (!state || !last) throw new Error(`proposal-${id} was written and has no state`);
  return { kind: 'written', written: { id, state, revision: last.revision, position: last.position, created: false } };
}
