// Opening, changing, scheduling and withdrawing sets of proposals: what changes nothing but the set itself.

import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import {
  type CommandResult,
  handleCommand,
  handleCommandOnce,
  recordDecision,
} from '../../../commands/handle-command.ts';
import { reserveIdIn } from '../../../commands/reservations/id-reservations.ts';
import { reserveSlug, streamOf } from '../../../commands/reservations/reservations.ts';
import type { UnitOfWork } from '../../../commands/unit-of-work.ts';
import { type Decision, evolveAll, type Rejected, rejected } from '../../../domain/decider.ts';
import { slugFrom } from '../../../kernel/text/slug.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import { collectProposal, evolveProposal } from '../../proposals/domain/proposal.ts';
import { presentPolicy } from '../../review-rules/commands/present-policy.ts';
import {
  type AgendaFact,
  type ChangeSet,
  type ChangeSetFact,
  changeChangeSet,
  evolveChangeSet,
  isPending,
  openChangeSet,
  scheduleChangeSet,
  unscheduleChangeSet,
  withdrawChangeSet,
} from '../domain/change-set.ts';
import { reviewOf, seenBy } from '../domain/set-review.ts';
import { AGENDA } from '../facts/whole-sets.ts';
import { CHANGE_SETS, IDS, loadAgenda, loadMembers } from './load.ts';
import { afterRepairs, openMemberships, repairMemberships } from './membership.ts';

export type ChangeSetResult = Promise<CommandResult<ChangeSet>>;

interface NewChangeSet {
  readonly name: string;
  readonly description: string;
  readonly proposals: readonly number[];
}

export function openChangeSetOf(
  dependencies: CommandDependencies,
  context: CommandContext,
  opened: NewChangeSet,
): ChangeSetResult {
  return handleCommandOnce(dependencies, context, CHANGE_SETS, [IDS], async (unit) => {
    const id = await reserveIdIn(unit, IDS);
    const refusal = await collect(unit, id, opened.proposals);
    if (refusal) return refusal;
    const key = await reserveSlug(unit, {
      kind: 'set',
      id,
      preferred: keyFrom(opened.name) || `set-${id}`,
      origin: 'derived',
    });
    const decision = openChangeSet({ ...opened, id, key, author: context.caller?.id ?? 0 });
    return recordDecision(unit, CHANGE_SETS, id, decision, 'created');
  });
}

/** A number would be taken for the id of a set. */
const keyFrom = (name: string): string => slugFrom(name).replace(/^(?=\d+$)/, 'set-');

/** Writes into the streams of proposals that a set has them, before the set says so. */
async function collect(unit: UnitOfWork, set: number, proposals: readonly number[]): Promise<Rejected | null> {
  const membershipOf = openMemberships(unit.store);
  for (const id of proposals) {
    const stream = streamOf('proposal', id);
    const { state } = await unit.load(stream, evolveProposal);
    if (!state) return rejected('proposal_not_found');
    const membership = await membershipOf(state);
    if (membership.isBeingApplied) return rejected('busy');
    const decision = afterRepairs(membership, collectProposal(membership.proposal, set));
    if (decision.kind === 'rejected') return decision;
    await unit.record(stream, decision.facts, 'first');
  }
  return null;
}

/** Decides a step of a set; what its agenda learns of it is written first, and the set itself is what counts. */
export function stepOfSet(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: number,
  decide: (set: ChangeSet, unit: UnitOfWork) => Decision<ChangeSetFact> | Promise<Decision<ChangeSetFact>>,
  announced?: EpochSeconds | null,
): ChangeSetResult {
  const streams = [streamOf('set', id), ...(announced === undefined ? [] : [AGENDA])];
  return handleCommand(dependencies, context, streams, async (unit) => {
    const { state, revision } = await unit.load(streamOf('set', id), evolveChangeSet);
    if (!state) return rejected('set_not_found');
    if (context.ifRevision !== undefined && context.ifRevision !== revision) return rejected('precondition_failed');
    const { underWay } = await loadAgenda(unit.store);
    if (underWay?.set === id) return rejected('busy');
    const decision = await decide(state, unit);
    const fact: AgendaFact = { type: 'ChangeSetAnnounced', data: { set: id, at: announced ?? null } };
    if (announced !== undefined && decision.kind === 'accepted' && decision.facts.length > 0)
      await unit.record(AGENDA, [fact], 'first');
    return recordDecision(unit, CHANGE_SETS, id, decision);
  });
}

const callerOf = ({ caller }: CommandContext): number => caller?.id ?? 0;

export async function changeChangeSetOf(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: number,
  { add = [], ...change }: Partial<NewChangeSet> & { readonly add?: readonly number[] },
): ChangeSetResult {
  const by = callerOf(context);
  let dropped: readonly number[] = [];
  const result = await stepOfSet(dependencies, context, id, async (set, unit) => {
    const proposals = [...new Set([...(change.proposals ?? set.proposals), ...add])];
    const added = proposals.filter((one) => !set.proposals.includes(one));
    dropped = set.proposals.filter((one) => !proposals.includes(one));
    const refusal = isPending(set) ? await collect(unit, id, added) : null;
    if (refusal) return refusal;
    const seen = set.schedule ? seenBy(by, await loadMembers(unit.store, { proposals: added })) : [];
    return approvedIfScheduled(unit, context, set, changeChangeSet(set, { ...change, proposals }, by, seen));
  });
  if (result.kind === 'written') await repairMemberships(dependencies, context, dropped);
  return result;
}

/** A decision after which a scheduled set would lack approvals that the rules demand is refused. */
async function approvedIfScheduled(
  { store }: UnitOfWork,
  { now }: CommandContext,
  before: ChangeSet,
  decision: Decision<ChangeSetFact>,
): Promise<Decision<ChangeSetFact>> {
  if (decision.kind === 'rejected' || decision.facts.length === 0) return decision;
  const set = evolveAll(evolveChangeSet, before, decision.facts, now);
  if (!set?.schedule || set.schedule.seen === undefined) return decision;
  const { rules } = await presentPolicy(store);
  const { unapproved } = reviewOf(set, await loadMembers(store, set), rules);
  const problems = unapproved.map((proposal) => ({ proposal, code: 'review_required', fields: [] }) as const);
  return problems.length === 0 ? decision : rejected({ code: 'set_unfit', problems });
}

export const scheduleChangeSetOf = (
  dependencies: CommandDependencies,
  context: CommandContext,
  id: number,
  at: EpochSeconds,
): ChangeSetResult => {
  const by = callerOf(context);
  return stepOfSet(
    dependencies,
    context,
    id,
    async (set, unit) => {
      const seen = seenBy(by, await loadMembers(unit.store, set));
      return approvedIfScheduled(unit, context, set, scheduleChangeSet(set, { at, by, seen }, context.now));
    },
    at,
  );
};

export const unscheduleChangeSetOf = (
  dependencies: CommandDependencies,
  context: CommandContext,
  id: number,
): ChangeSetResult => stepOfSet(dependencies, context, id, (set) => unscheduleChangeSet(set, callerOf(context)), null);

export async function withdrawChangeSetOf(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: number,
): ChangeSetResult {
  const decide = (set: ChangeSet) => withdrawChangeSet(set, callerOf(context));
  const result = await stepOfSet(dependencies, context, id, decide, null);
  if (result.kind === 'written') await repairMemberships(dependencies, context, result.written.state.proposals);
  return result;
}
