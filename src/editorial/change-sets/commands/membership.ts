// Which sets a proposal is in: what its own stream says, held against the sets themselves.
//
// A set collects a proposal in its stream first and drops it there last, so approvals and collections of one proposal meet
// in one stream, on engines without transactions too. In between, and after a kill, a proposal may name a set that does
// not have it: such a name counts for nothing and is taken back by the next step. A scheduled set of an earlier release
// counts although its proposals do not name it.
// decision 22

import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import { handleCommand, recordDecision } from '../../../commands/handle-command.ts';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import { type Decision, evolveAll, rejected } from '../../../domain/decider.ts';
import { askedOnce } from '../../../kernel/event-loop/shared-work.ts';
import type { StreamReader } from '../../../log/event-store.ts';
import { isOutage, systemActor } from '../../../log/writing.ts';
import { evolveProposal, isUndecided, type Proposal, type ProposalFact } from '../../proposals/domain/proposal.ts';
import { type ChangeSet, isPending } from '../domain/change-set.ts';
import { loadAgenda, loadChangeSet, loadChangeSets } from './load.ts';

export interface Membership {
  /** Without the sets that it is not in any more, and with those that it does not name. */
  readonly proposal: Proposal;
  /** What its stream lacks for that. */
  readonly repairs: readonly ProposalFact[];
  /** The pending sets that it is in. */
  readonly sets: readonly ChangeSet[];
  /** Whether one of them is being written: until it has ended, the proposal stays as it is. */
  readonly isBeingApplied: boolean;
}

/** Looks proposals up on one view of the log: each set is read once. */
export function openMemberships(store: StreamReader): (proposal: Proposal) => Promise<Membership> {
  // Read with the first proposal: a list without any would not wait for it, and an outage would end the process.
  let agenda: ReturnType<typeof loadAgenda> | null = null;
  const setOf = askedOnce((id: number) => loadChangeSet(store, id));
  return async (proposal) => {
    agenda ??= loadAgenda(store);
    const { scheduled, underWay } = await agenda;
    const named = isUndecided(proposal) ? (proposal.sets ?? []) : [];
    const candidates = isUndecided(proposal) ? [...named, ...scheduled.keys()] : [];
    const sets = await Promise.all([...new Set([...candidates, ...(underWay ? [underWay.set] : [])])].map(setOf));
    const having = sets.flatMap((set) => (set?.state.proposals.includes(proposal.id) ? [set.state] : []));
    const pending = isUndecided(proposal) ? having.filter(isPending) : [];
    const ids = pending.map(({ id }) => id);
    const repairs: ProposalFact[] = [
      ...ids.filter((id) => !named.includes(id)).map((set) => ({ type: 'ProposalCollected', data: { set } }) as const),
      ...named.filter((id) => !ids.includes(id)).map((set) => ({ type: 'ProposalReleased', data: { set } }) as const),
    ];
    return {
      proposal: evolveAll(evolveProposal, proposal, repairs, proposal.modified) ?? proposal,
      repairs,
      sets: pending,
      isBeingApplied: having.some(({ id }) => id === underWay?.set),
    };
  };
}

/** A step of a proposal, with what its stream lacks before it. */
export const afterRepairs = (
  { repairs }: Pick<Membership, 'repairs'>,
  decision: Decision<ProposalFact>,
): Decision<ProposalFact> =>
  decision.kind === 'rejected' ? decision : { ...decision, facts: [...repairs, ...decision.facts] };

type Repairing = Pick<CommandContext, 'now' | 'correlationId'>;

/** Writes into the streams of proposals which sets they are in. What cannot be written now is repaired by a later step. */
export async function repairMemberships(
  dependencies: CommandDependencies,
  { now, correlationId }: Repairing,
  proposals: readonly number[],
): Promise<void> {
  const context = { caller: null, actor: systemActor('sets'), now, correlationId };
  for (const id of proposals) {
    const stream = streamOf('proposal', id);
    await handleCommand(dependencies, context, [stream], async (unit) => {
      const { state } = await unit.load(stream, evolveProposal);
      if (!state) return rejected('proposal_not_found');
      const { repairs, isBeingApplied } = await openMemberships(unit.store)(state);
      const facts = isBeingApplied ? [] : repairs;
      return recordDecision(unit, { kind: 'proposal', evolve: evolveProposal }, id, { kind: 'accepted', facts });
    }).catch((error: unknown) => {
      if (!isOutage(error)) throw error;
    });
  }
}

/** Repairs all proposals in pending sets, and these: they are approved for a set that may have been decided since. */
export async function repairAllMemberships(
  dependencies: CommandDependencies,
  context: Repairing,
  proposals: readonly number[],
): Promise<void> {
  const sets = await loadChangeSets(dependencies.store);
  const all = new Set([...proposals, ...sets.flatMap((set) => set.proposals)]);
  await repairMemberships(dependencies, context, [...all]);
}
