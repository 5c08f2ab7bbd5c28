// Opening, changing, scheduling and withdrawing sets of proposals: what changes nothing but the set itself.
import {
  type Agenda,
  type AgendaFact,
  type ChangeSet,
  type ChangeSetFact,
  changeChangeSet,
  evolveAgenda,
  evolveChangeSet,
  NO_AGENDA,
  openChangeSet,
  scheduleChangeSet,
  unscheduleChangeSet,
  withdrawChangeSet,
} from '../../domain/change-set.ts';
import type { Decision } from '../../domain/decider.ts';
import { fold } from '../../event-store/envelope.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { AGENDA } from '../../event-store/whole-sets.ts';
import { slugFrom } from '../../text/slug.ts';
import type { EpochSeconds } from '../../time/zone.ts';
import type { CommandContext, CommandDependencies } from '../context.ts';
import { type CommandResult, handleCommand, handleCommandOnce, recordDecision, refused } from '../handle-command.ts';
import { reserveIdIn } from '../reservations/id-reservations.ts';
import { reserveSlug, streamOf } from '../reservations/reservations.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

export const CHANGE_SETS = { kind: 'set', evolve: evolveChangeSet } as const;
/** Openings take turns at it. */
export const IDS = 'ids-set';

type Streams = Pick<EventStore, 'readStream'>;
export type ChangeSetResult = Promise<CommandResult<ChangeSet>>;

export async function loadAgenda(store: Streams): Promise<Agenda> {
  return fold<Agenda, AgendaFact>(await store.readStream(AGENDA), evolveAgenda) ?? NO_AGENDA;
}

export async function loadChangeSet(store: Streams, id: number) {
  const events = await store.readStream(streamOf('set', id));
  const state = fold<ChangeSet, ChangeSetFact>(events, evolveChangeSet);
  return state && { state, revision: events.at(-1)?.revision ?? 0, position: events.at(-1)?.position ?? '' };
}

/** Whether a proposal is in the set whose facts are being written: until it has ended, the proposal stays as it is. */
export async function isBeingApplied(store: Streams, proposal: number): Promise<boolean> {
  const { underWay } = await loadAgenda(store);
  const set = underWay && (await loadChangeSet(store, underWay.set));
  return set?.state.proposals.includes(proposal) ?? false;
}

export interface NewChangeSet {
  readonly name: string;
  readonly description: string;
  readonly proposals: readonly number[];
}

export function openChangeSetOf(
  dependencies: CommandDependencies,
  context: CommandContext,
  opened: NewChangeSet,
): ChangeSetResult {
  return handleCommandOnce<ChangeSet, ChangeSetFact>(dependencies, context, CHANGE_SETS, [IDS], async (unit) => {
    const unknown = await unknownMember(unit, opened.proposals);
    if (unknown) return unknown;
    const id = await reserveIdIn(unit, IDS);
    const key = await reserveSlug(unit, { kind: 'set', id, wanted: keyFrom(opened.name) || `set-${id}` });
    const decision = openChangeSet({ ...opened, id, key, author: context.caller?.id ?? 0 });
    return recordDecision(unit, CHANGE_SETS, id, decision, 'created');
  });
}

/** A number would be taken for the id of a set. */
const keyFrom = (name: string): string => slugFrom(name).replace(/^(?=\d+$)/, 'set-');

async function unknownMember(unit: UnitOfWork, proposals: readonly number[]) {
  for (const id of proposals) {
    const [first] = await unit.store.readStream(streamOf('proposal', id), { direction: 'backwards', limit: 1 });
    if (!first) return refused({ code: 'proposal_not_found' });
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
  return handleCommand<ChangeSet, ChangeSetFact>(dependencies, context, streams, async (unit) => {
    const { state, revision } = await unit.load(streamOf('set', id), evolveChangeSet);
    if (!state) return refused({ code: 'set_not_found' });
    if (context.ifRevision !== undefined && context.ifRevision !== revision)
      return refused({ code: 'precondition_failed' });
    const { underWay } = await loadAgenda(unit.store);
    if (underWay?.set === id) return refused({ code: 'busy' });
    const decision = await decide(state, unit);
    const fact: AgendaFact = { type: 'ChangeSetAnnounced', data: { set: id, at: announced ?? null } };
    if (announced !== undefined && decision.kind === 'accepted' && decision.facts.length > 0)
      await unit.record(AGENDA, [fact], 'first');
    return recordDecision(unit, CHANGE_SETS, id, decision);
  });
}

const callerOf = ({ caller }: CommandContext): number => caller?.id ?? 0;

export const changeChangeSetOf = (
  dependencies: CommandDependencies,
  context: CommandContext,
  id: number,
  { add = [], ...change }: Partial<NewChangeSet> & { readonly add?: readonly number[] },
): ChangeSetResult =>
  stepOfSet(dependencies, context, id, async (set, unit) => {
    const proposals = [...new Set([...(change.proposals ?? set.proposals), ...add])];
    const unknown = await unknownMember(
      unit,
      proposals.filter((one) => !set.proposals.includes(one)),
    );
    return unknown ?? changeChangeSet(set, { ...change, proposals }, callerOf(context));
  });

export const scheduleChangeSetOf = (
  dependencies: CommandDependencies,
  context: CommandContext,
  id: number,
  at: EpochSeconds,
): ChangeSetResult =>
  stepOfSet(dependencies, context, id, (set) => scheduleChangeSet(set, { at, by: callerOf(context) }, context.now), at);

export const unscheduleChangeSetOf = (
  dependencies: CommandDependencies,
  context: CommandContext,
  id: number,
): ChangeSetResult => stepOfSet(dependencies, context, id, (set) => unscheduleChangeSet(set, callerOf(context)), null);

export const withdrawChangeSetOf = (
  dependencies: CommandDependencies,
  context: CommandContext,
  id: number,
): ChangeSetResult => stepOfSet(dependencies, context, id, (set) => withdrawChangeSet(set, callerOf(context)), null);
