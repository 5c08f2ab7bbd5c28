// Given what happened, when a command comes, then these facts follow. And a world to run whole commands in: a log in
// memory, ids and event ids that count up, a clock that stands where it is put.
import * as assert from 'uvu/assert';
import {
  type CommandContext,
  type CommandDependencies,
  openCoordination,
  type Written,
} from '../../src/commands/context.ts';
import type { CommandResult } from '../../src/commands/handle-command.ts';
import { openIdSequence } from '../../src/commands/reservations/ids.ts';
import { type Decision, type Evolve, evolveAll, type Fact } from '../../src/domain/decider.ts';
import type { Rejection } from '../../src/domain/rejections.ts';
import { type EpochSeconds, resolveZone, type Zone } from '../../src/kernel/time/zone.ts';
import { LOG_START, type RecordedEvent } from '../../src/log/envelope.ts';
import type { AppendOutcome, EventStore, StreamAppend } from '../../src/log/event-store.ts';
import { openSqliteEventStore } from '../../src/log/sqlite/store.ts';
import { upcasters } from '../../src/log/upcasting/upcast.ts';
import type { User } from '../../src/people/auth/caller.ts';
import { withUpcasting } from './pipelines.ts';

/** 2026-03-01 10:00:00 UTC, 05:00:00 in New York: when tests begin. */
export const NOW: EpochSeconds = 1_772_359_200;
export const HOUR = 3_600;
export const DAY = 24 * HOUR;

export const zoneNamed = (name: string): Zone => {
  const zone = resolveZone(name);
  if (!zone) throw new Error(`there is no zone ${name}`);
  return zone;
};

export const NEW_YORK = zoneNamed('America/New_York');

export const factsOf = <F extends Fact>(decision: Decision<F>): readonly F[] => {
  if (decision.kind === 'rejected') throw new Error(`rejected: ${JSON.stringify(decision.rejection)}`);
  return decision.facts;
};

export interface Outcome<State, F extends Fact> {
  /** Exactly these facts, in this order. */
  thenFacts(...facts: readonly F[]): void;
  thenTypes(...types: readonly F['type'][]): void;
  thenNothing(): void;
  thenRejected(rejection: Rejection): void;
  /** What stands once the facts are recorded. */
  state(): State;
}

export interface Given<State, F extends Fact> {
  readonly state: State;
  when(decide: (state: State) => Decision<F>, at?: EpochSeconds): Outcome<State, F>;
}

/** What a decision leads to, recorded at an instant on what stood before. */
export function whenDecided<State, F extends Fact>(
  evolve: Evolve<State, F>,
  before: State | null,
  decision: Decision<F>,
  at: EpochSeconds,
): Outcome<State, F> {
  return {
    thenFacts: (...facts) => assert.equal(decision, { kind: 'accepted', facts }),
    thenTypes: (...types) =>
      assert.equal(
        factsOf(decision).map(({ type }) => type),
        types,
      ),
    thenNothing: () => assert.equal(decision, { kind: 'accepted', facts: [] }),
    thenRejected: (rejection) => assert.equal(decision, { kind: 'rejected', rejection }),
    state() {
      const state = evolveAll(evolve, before, factsOf(decision), at);
      if (!state) throw new Error('these facts make no state');
      return state;
    },
  };
}

/** Given facts that were recorded at an instant. */
export function given<State, F extends Fact>(
  evolve: Evolve<State, F>,
  facts: readonly F[],
  at: EpochSeconds = NOW,
): Given<State, F> {
  const state = evolveAll(evolve, null, facts, at);
  if (!state) throw new Error('these facts make no state');
  return { state, when: (decide, recorded = NOW) => whenDecided(evolve, state, decide(state), recorded) };
}

const user = (id: number, role: User['role']): User => ({ id, login: role, name: `The ${role}`, role });

export const EDITOR = user(2, 'editor');
export const AUTHOR = user(3, 'author');
export const CONTRIBUTOR = user(4, 'contributor');
export const SUBSCRIBER = user(5, 'subscriber');

export interface World {
  readonly dependencies: CommandDependencies;
  /** What commands of another process work with: the same log and ids, other turns. */
  readonly elsewhere: CommandDependencies;
  /** The log itself, past the hooks. */
  readonly store: EventStore;
  /** What a command is told; an editor at `NOW` unless said otherwise. */
  context(members?: Partial<CommandContext>): CommandContext;
  /** Stands between commands and the log. */
  onAppend: (appends: readonly StreamAppend[], pass: () => Promise<AppendOutcome>) => Promise<AppendOutcome>;
  /** How often a command has appended. */
  appends: number;
  /** Everything in the log but handed out ids. */
  log(): Promise<readonly RecordedEvent[]>;
  /** Types in one stream. */
  typesIn(stream: string): Promise<readonly string[]>;
}

/** A log in memory and what commands need around it. */
export function openWorld(): World {
  const store = withUpcasting(openSqliteEventStore({ file: ':memory:' }), upcasters);
  let count = 0;
  const newEventId = (): string => {
    count += 1;
    return `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
  };
  const ids = { first: 1, blockSize: 1, newEventId };
  let salts = 0;
  const hooked: EventStore = {
    ...store,
    append(appends) {
      world.appends += 1;
      return world.onAppend(appends, () => store.append(appends));
    },
  };
  const dependencies: CommandDependencies = {
    store: hooked,
    postIds: openIdSequence(store, { stream: 'ids-post', ...ids }),
    termIds: openIdSequence(store, { stream: 'ids-term', ...ids }),
    ...openCoordination(),
    newEventId,
    siteZone: NEW_YORK,
    // Salted as the real one is: the same password has another hash each time.
    hashPassword: async (password) => `hash of ${password} with salt ${++salts}`,
    verifyPassword: async (password, hash) => hash.startsWith(`hash of ${password} with salt `),
  };
  const world: World = {
    store,
    dependencies,
    elsewhere: { ...dependencies, ...openCoordination() },
    context: (members = {}) => ({
      caller: EDITOR,
      now: NOW,
      correlationId: 'request-1',
      reason: undefined,
      ifRevision: undefined,
      idempotencyKey: undefined,
      ...members,
    }),
    onAppend: (_appends, pass) => pass(),
    appends: 0,
    async log() {
      const events = await store.readAll({ after: LOG_START, limit: 10_000 });
      return events.filter(({ stream }) => !stream.startsWith('ids-'));
    },
    async typesIn(stream) {
      return (await store.readStream(stream)).map(({ type }) => type);
    },
  };
  return world;
}

/** The same log, seen by another process. */
export const elsewhere = (world: World): World => ({ ...world, dependencies: world.elsewhere });

/** What a command wrote; fails the test when it was refused. */
export async function written<State>(result: Promise<CommandResult<State>>): Promise<Written<State>> {
  const answer = await result;
  if (answer.kind === 'rejected') throw new Error(`refused: ${JSON.stringify(answer.rejection)}`);
  return answer.written;
}

/** Why a command was refused; fails the test when it was not. */
export async function refusal<State>(result: Promise<CommandResult<State>>): Promise<Rejection> {
  const answer = await result;
  if (answer.kind === 'written') throw new Error('it was not refused');
  return answer.rejection;
}
