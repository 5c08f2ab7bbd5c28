// A unit of work: everything that one request appends, decided on one view of the log and written in one append. Later
// decisions see what it has recorded, so a request may create a venue and link it.

import type { Evolve, Fact } from '../domain/decider.ts';
import {
  type EventMetadata,
  fold,
  type NewEvent,
  type Position,
  type RecordedEvent,
  type Revision,
} from '../event-store/envelope.ts';
import type { AppendOutcome, EventStore, ExpectedRevision, StreamAppend } from '../event-store/event-store.ts';
import { eventOf } from '../event-store/writing.ts';
import type { IdSequence } from './reservations/ids.ts';
import { type DrawnIds, openDrawnIds } from './reservations/ids.ts';
import {
  type FreeSlug,
  findFreeSlug,
  openSlugSearches,
  type PromisedSlug,
  type SlugRequest,
  type SlugSearches,
} from './reservations/slugs.ts';

interface Loaded<State> {
  readonly state: State | null;
  /** Of the last event; -1 if there is none. */
  readonly revision: Revision;
  readonly position: Position;
}

/**
 * The order within a batch: some engines write stream after stream, and may be interrupted between two. `closing` is an
 * append of its own behind all others, also of a stream that comes earlier.
 */
const TURNS = ['first', 'in turn', 'last', 'closing'] as const;
type Turn = (typeof TURNS)[number];

export interface UnitOfWork {
  readonly metadata: EventMetadata;
  readonly newEventId: () => string;
  /** The log as it will be: what is stored, then what this unit has recorded. */
  readonly store: Pick<EventStore, 'readStream'>;
  /** Folds a stream. */
  load<State, F extends Fact>(stream: string, evolve: Evolve<State, F>): Promise<Loaded<State>>;
  /** Plans facts at the end of a stream, at the revision at which this unit read it. */
  record(stream: string, facts: readonly Fact[], turn?: Turn): Promise<void>;
  /**
   * A slug for a resource that this unit creates; not offered again in this process before the unit of work has ended.
   */
  findSlug(request: SlugRequest): Promise<FreeSlug>;
  /** An id; one that an earlier attempt of the same command drew and did not use, if there is one. */
  nextId(sequence: Pick<IdSequence, 'next'>): Promise<number>;
  /** Plans an append that was prepared on `store`, in order. */
  add(append: StreamAppend | null): void;
  /** Plans an append after all others: releases of what is no longer needed. */
  addLast(append: StreamAppend | null): void;
  /** Writes everything, in the order in which streams were first planned; nothing if nothing was planned. */
  commit(): Promise<AppendOutcome>;
  /** Streams in the order in which `commit` writes them. */
  planned(): readonly StreamAppend[];
  /** Ends the unit, written or not: its promised slugs are free for others. */
  end(): void;
}

/** Shared between units: searches by all of a process, ids by the attempts of one command. */
interface UnitOfWorkOptions {
  readonly slugSearches: SlugSearches;
  readonly ids: DrawnIds;
}

export function beginUnitOfWork(
  store: EventStore,
  metadata: EventMetadata,
  newEventId: () => string,
  { slugSearches, ids }: UnitOfWorkOptions = { slugSearches: openSlugSearches(), ids: openDrawnIds() },
): UnitOfWork {
  const promised: PromisedSlug[] = [];
  const read = new Map<string, readonly RecordedEvent[]>();
  /** Ends of streams that were not read whole, latest event first. */
  const ends = new Map<string, { readonly limit: number; readonly events: readonly RecordedEvent[] }>();
  const plans = new Map<string, { expected: ExpectedRevision; events: NewEvent[]; turn: Turn }>();
  const closings = new Map<string, { expected: ExpectedRevision; events: NewEvent[] }>();

  async function stored(stream: string): Promise<readonly RecordedEvent[]> {
    const cached = read.get(stream);
    if (cached) return cached;
    const events = await store.readStream(stream);
    read.set(stream, events);
    return events;
  }

  /** The last events of a stream without planned facts: it may be long, and only its end is needed. */
  async function storedEnd(stream: string, limit: number): Promise<readonly RecordedEvent[]> {
    const cached = ends.get(stream);
    if (cached && cached.limit >= limit) return cached.events.slice(0, limit);
    const events = await store.readStream(stream, { direction: 'backwards', limit });
    if (!cached) ends.set(stream, { limit, events });
    return events;
  }

  /**
   * Of the last event, as this unit first read it: a decision on an older one must not be written after a newer one.
   */
  async function revisionOf(stream: string): Promise<ExpectedRevision> {
    const [last] = ends.get(stream)?.events ?? [(await stored(stream)).at(-1)];
    return last?.revision ?? 'no_stream';
  }

  async function asPlanned(stream: string): Promise<readonly RecordedEvent[]> {
    const events = await stored(stream);
    const added = [...(plans.get(stream)?.events ?? []), ...(closings.get(stream)?.events ?? [])];
    if (added.length === 0) return events;
    const position = events.at(-1)?.position ?? '';
    return [
      ...events,
      ...added.map((event, index) => ({ ...event, stream, revision: events.length + index, position })),
    ];
  }

  function plan({ stream, expected, events }: StreamAppend, turn: Turn): void {
    const cached = plans.get(stream);
    if (cached) cached.events.push(...events);
    else plans.set(stream, { expected, events: [...events], turn });
  }

  function planned(): StreamAppend[] {
    const all = [...plans];
    const inOrder = TURNS.flatMap((wanted) => all.filter(([, { turn }]) => turn === wanted));
    return [...inOrder, ...closings].map(([stream, { expected, events }]) => ({ stream, expected, events }));
  }

  const visible: UnitOfWork['store'] = {
    async readStream(stream, options = {}) {
      const { direction: way, limit: most, from } = options;
      const isWhole = read.has(stream) || plans.has(stream);
      if (!isWhole && way === 'backwards' && most !== undefined && most > 0 && from === undefined)
        return [...(await storedEnd(stream, most))];
      const events = await asPlanned(stream);
      const { direction = 'forwards', limit = events.length } = options;
      if (direction === 'forwards') return events.slice(options.from ?? 0).slice(0, limit);
      return events
        .slice(0, (options.from ?? events.length) + 1)
        .reverse()
        .slice(0, limit);
    },
  };

  return {
    metadata,
    newEventId,
    store: visible,
    async load(stream, evolve) {
      const events = await asPlanned(stream);
      const last = events.at(-1);
      return { state: fold(events, evolve), revision: last?.revision ?? -1, position: last?.position ?? '' };
    },
    async record(stream, facts, turn = 'in turn') {
      if (facts.length === 0) return;
      const events = facts.map((fact) => eventOf(fact, { metadata, newEventId }));
      if (turn === 'closing') {
        const before = (await asPlanned(stream)).at(-1);
        closings.set(stream, { expected: before?.revision ?? 'no_stream', events });
        return;
      }
      const expected = await revisionOf(stream);
      plan({ stream, expected, events }, turn);
    },
    async findSlug(request) {
      // Reservations and releases of this unit are visible only to itself.
      const own = `slug-${request.kind}-${request.wanted}`;
      if ([...plans.keys()].some((stream) => stream.startsWith(own))) return findFreeSlug(visible, request);
      const slug = await slugSearches.find(store, request);
      promised.push(slug);
      return slug;
    },
    nextId: (sequence) => ids.next(sequence, metadata),
    add(append) {
      if (append) plan(append, 'in turn');
    },
    addLast(append) {
      if (append) plan(append, 'last');
    },
    async commit() {
      const appends = planned();
      if (appends.length === 0) return { kind: 'appended', written: [] };
      return store.append(appends);
    },
    planned,
    end() {
      for (const { release } of promised.splice(0)) release();
    },
  };
}
