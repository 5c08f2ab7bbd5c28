// Commands of what the log alone has, one stream for each, numbered in the order of creation: webhooks, sources, submissions, sets.

import { accepted, type Decision, type Evolve, type Fact } from '../domain/decider.ts';
import type { RejectionCode } from '../domain/rejections.ts';
import { fold, type Position, type Revision } from '../log/envelope.ts';
import type { StreamReader } from '../log/event-store.ts';
import type { CommandContext, CommandDependencies } from './context.ts';
import {
  type CommandResult,
  type CreatedKind,
  handleCommand,
  handleCommandOnce,
  recordDecision,
  refused,
} from './handle-command.ts';
import { reserveIdIn } from './reservations/id-reservations.ts';
import { streamOf } from './reservations/reservations.ts';
import type { Refused, UnitOfWork } from './unit-of-work.ts';

/** What commands need that draw no ids of posts and terms. */
export type StepDependencies = Pick<CommandDependencies, 'store' | 'newEventId' | 'turns' | 'slugSearches'>;
export interface Numbered<State, F extends Fact> {
  readonly kind: CreatedKind;
  readonly evolve: Evolve<State, F>;
  /** What refuses a step of one that was never there, or is removed. */
  readonly missing: RejectionCode;
}

export interface Loaded<State> {
  readonly state: State;
  readonly revision: Revision;
  /** Of its creation. */
  readonly begun: Position;
  /** Of its latest event. */
  readonly position: Position;
}

/** Creations take turns at it. */
const idsOf = (kind: CreatedKind): string => `ids-${kind}`;

const isRemoved = (state: object): boolean => 'removed' in state && state.removed === true;

/** Null if there is none; removed ones are there. */
export async function loadNumbered<State extends object, F extends Fact>(
  { kind, evolve }: Numbered<State, F>,
  store: StreamReader,
  id: number,
): Promise<Loaded<State> | null> {
  const events = await store.readStream(streamOf(kind, id));
  const state = fold<State, F>(events, evolve);
  const [first, last] = [events[0], events.at(-1)];
  return state && first && last
    ? { state, revision: last.revision, begun: first.position, position: last.position }
    : null;
}

/** All that are not removed, by number. */
export async function allNumbered<State extends object, F extends Fact>(
  of: Numbered<State, F>,
  store: StreamReader,
): Promise<Loaded<State>[]> {
  const reservations = await store.readStream(idsOf(of.kind));
  const all = await Promise.all(reservations.map((_, index) => loadNumbered(of, store, index + 1)));
  return all.filter((one) => one !== null).filter(({ state }) => !isRemoved(state));
}

/** Creates the next one, once for each key. What `plan` refuses draws no number. */
export function createNumbered<State extends object, F extends Fact>(
  of: Numbered<State, F>,
  dependencies: CommandDependencies,
  context: CommandContext,
  plan: (unit: UnitOfWork) => Promise<Refused | ((id: number) => F)>,
): Promise<CommandResult<State>> {
  const ids = idsOf(of.kind);
  return handleCommandOnce<State, F>(dependencies, context, of, [ids], async (unit) => {
    // There is none to be changed.
    if (context.ifRevision !== undefined) return refused({ code: 'precondition_failed' });
    const factOf = await plan(unit);
    if ('kind' in factOf) return factOf;
    const id = await reserveIdIn(unit, ids);
    return recordDecision(unit, of, id, accepted([factOf(id)]), 'created');
  });
}

/** Decides about one. Rejections beside those of `decide`: what it is missing with, `precondition_failed`, `busy`. */
export function takeStep<State extends object, F extends Fact>(
  of: Numbered<State, F>,
  dependencies: StepDependencies,
  context: CommandContext,
  id: number,
  decide: (state: State, unit: UnitOfWork) => Decision<F> | Promise<Decision<F>>,
): Promise<CommandResult<State>> {
  const stream = streamOf(of.kind, id);
  return handleCommand<State, F>(dependencies, context, [stream], async (unit) => {
    const { state, revision } = await unit.load(stream, of.evolve);
    if (!state || isRemoved(state)) return refused({ code: of.missing });
    const { ifRevision } = context;
    if (ifRevision !== undefined && ifRevision !== revision) return refused({ code: 'precondition_failed' });
    return recordDecision(unit, of, id, await decide(state, unit));
  });
}

/** Something that there is once, whose last fact says everything. */
interface Single<State, F extends Fact> {
  readonly stream: string;
  readonly evolve: Evolve<State, F>;
}

/** Decides about it. Its tags count its facts: it has one before it was ever set, too. */
export const setSingle = <State, F extends Fact>(
  { stream, evolve }: Single<State, F>,
  dependencies: StepDependencies,
  context: CommandContext,
  decide: (state: State | null) => Promise<Decision<F>>,
): Promise<CommandResult<State>> =>
  handleCommand<State, F>(dependencies, context, [stream], async (unit) => {
    const { state, revision } = await unit.load(stream, evolve);
    const { ifRevision } = context;
    if (ifRevision !== undefined && ifRevision !== revision + 1) return refused({ code: 'precondition_failed' });
    const decision = await decide(state);
    if (decision.kind === 'rejected') return decision;
    await unit.record(stream, decision.facts);
    return { kind: 'planned', id: 1, stream, evolve, created: false };
  });
