// Commands of what the log alone has, one stream for each, numbered in the order of creation: webhooks, sources, submissions, sets.

import { accepted, type Decision, type Evolve, type Fact, type Rejected, rejected } from '../domain/decider.ts';
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
  type StepDependencies,
} from './handle-command.ts';
import { reserveIdIn } from './reservations/id-reservations.ts';
import { streamOf } from './reservations/reservations.ts';
import type { UnitOfWork } from './unit-of-work.ts';

export type { StepDependencies } from './handle-command.ts';

interface Numbered<State, F extends Fact> {
  readonly kind: CreatedKind;
  readonly evolve: Evolve<State, F>;
  /** What refuses a step of one that was never there, or is removed. */
  readonly missing: RejectionCode;
}

export interface Loaded<State> {
  readonly state: State;
  readonly revision: Revision;
  /** The position of its creation. */
  readonly begun: Position;
  /** The position of its latest event. */
  readonly position: Position;
}

const isRemoved = (state: object): boolean => 'removed' in state && state.removed === true;

/** What is done with them, and with each. */
export function numbered<State extends object, F extends Fact>(of: Numbered<State, F>) {
  const { kind, evolve, missing } = of;
  /** Creations take turns at it. */
  const ids = `ids-${kind}`;

  /** Removed ones are there. */
  async function recorded(store: StreamReader, id: number): Promise<Loaded<State> | null> {
    const events = await store.readStream(streamOf(kind, id));
    const state = fold(events, evolve);
    const [first, last] = [events[0], events.at(-1)];
    return state && first && last
      ? { state, revision: last.revision, begun: first.position, position: last.position }
      : null;
  }

  /** Null if there is none, or it was removed. */
  async function load(store: StreamReader, id: number): Promise<Loaded<State> | null> {
    const loaded = await recorded(store, id);
    return loaded && !isRemoved(loaded.state) ? loaded : null;
  }

  /** All that are not removed, by number. */
  async function all(store: StreamReader): Promise<Loaded<State>[]> {
    const reservations = await store.readStream(ids);
    const all = await Promise.all(reservations.map((_, index) => load(store, index + 1)));
    return all.filter((one) => one !== null);
  }

  /** Creates the next one, once for each key. What `plan` refuses draws no number. */
  function create(
    dependencies: CommandDependencies,
    context: CommandContext,
    plan: (unit: UnitOfWork) => Promise<Rejected | ((id: number) => F)>,
  ): Promise<CommandResult<State>> {
    return handleCommandOnce(dependencies, context, of, [ids], async (unit) => {
      // There is none to be changed.
      if (context.ifRevision !== undefined) return rejected('precondition_failed');
      const factOf = await plan(unit);
      if ('kind' in factOf) return factOf;
      const id = await reserveIdIn(unit, ids);
      return recordDecision(unit, of, id, accepted([factOf(id)]), 'created');
    });
  }

  /** Decides about one. Rejections beside those of `decide`: what it is missing with, `precondition_failed`, `busy`. */
  function step(
    dependencies: StepDependencies,
    context: CommandContext,
    id: number,
    decide: (state: State, unit: UnitOfWork) => Decision<F> | Promise<Decision<F>>,
  ): Promise<CommandResult<State>> {
    const stream = streamOf(kind, id);
    return handleCommand(dependencies, context, [stream], async (unit) => {
      const { state, revision } = await unit.load(stream, evolve);
      if (!state || isRemoved(state)) return rejected(missing);
      const { ifRevision } = context;
      if (ifRevision !== undefined && ifRevision !== revision) return rejected('precondition_failed');
      return recordDecision(unit, of, id, await decide(state, unit));
    });
  }

  /** Removes one, and the key of its personal data. Answers it as it was. */
  async function remove(
    dependencies: StepDependencies,
    context: CommandContext,
    id: number,
    removal: F,
    destroyKey: (subject: string) => Promise<unknown>,
  ): Promise<CommandResult<State>> {
    const before = await load(dependencies.store, id);
    const result = await step(dependencies, context, id, () => accepted([removal]));
    const after = await recorded(dependencies.store, id);
    // Also of one removed before: that may have been interrupted.
    if (after && isRemoved(after.state)) await destroyKey(streamOf(kind, id));
    if (result.kind === 'rejected') return result;
    const { written } = result;
    return { ...result, written: { ...written, state: { ...(before?.state ?? written.state), removed: true } } };
  }

  return { load, all, create, step, remove };
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
  handleCommand(dependencies, context, [stream], async (unit) => {
    const { state, revision } = await unit.load(stream, evolve);
    const { ifRevision } = context;
    if (ifRevision !== undefined && ifRevision !== revision + 1) return rejected('precondition_failed');
    const decision = await decide(state);
    if (decision.kind === 'rejected') return decision;
    await unit.record(stream, decision.facts);
    return { kind: 'planned', id: 1, stream, evolve, created: false };
  });
