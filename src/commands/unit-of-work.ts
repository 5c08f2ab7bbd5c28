// A unit of work: everything that one request appends, decided on one view of the log and written in one append. Later
// decisions see what it has recorded, so a request may create a venue and link it.
// decision 1

import type { Evolve, Fact, Rejected } from '../domain/decider.ts';
import type { Series, SeriesFact } from '../editorial/series/domain/facts.ts';
import { evolveSeries } from '../editorial/series/domain/occurrences.ts';
import { dateOfEvent, detachDate } from '../editorial/series/domain/series.ts';
import { EVENT_PREFIX, SERIES_PREFIX, seriesOf } from '../editorial/series/facts/occurrences.ts';
import { type EventMetadata, fold, type NewEvent, type RecordedEvent } from '../log/envelope.ts';
import type { AppendOutcome, EventStore, ExpectedRevision, StreamAppend, StreamReader } from '../log/event-store.ts';
import { excerpt } from '../log/excerpt.ts';
import { eventOf } from '../log/writing.ts';
import { type DrawnIds, type Ids, openDrawnIds } from './reservations/ids.ts';
import { openSlugSearches, type PromisedSlug, type SlugSearches } from './reservations/slug-searches.ts';
import { findFreeSlug, type SlugRequest } from './reservations/slugs.ts';

/**
 * The order within a batch: some engines write stream after stream, and may be interrupted between two. `closing` is an
 * append of its own behind all others, also of a stream that comes earlier.
 */
const TURNS = { first: 0, 'in turn': 1, last: 2, closing: 3 } as const;
type Turn = keyof typeof TURNS;

export type UnitOfWork = ReturnType<typeof beginUnitOfWork>;

/** Shared between units: searches by all of a process, ids by the attempts of one command. */
interface UnitOfWorkOptions {
  readonly slugSearches: SlugSearches;
  /** Another one until the first id is drawn: whether an attempt may draw is decided on what it has read. */
  ids: DrawnIds;
}

export function beginUnitOfWork(
  store: EventStore,
  metadata: EventMetadata,
  newEventId: () => string,
  shared: UnitOfWorkOptions = { slugSearches: openSlugSearches(), ids: openDrawnIds() },
) {
  const promised: PromisedSlug[] = [];
  const streams = new Map<string, readonly RecordedEvent[]>();
  /** Ends of streams that were not read whole, latest event first. */
  const ends = new Map<string, { readonly limit: number; readonly events: readonly RecordedEvent[] }>();
  const plans = new Map<string, { expected: ExpectedRevision; events: NewEvent[]; turn: Turn }>();
  const closings = new Map<string, { expected: ExpectedRevision; events: NewEvent[] }>();

  async function stored(stream: string): Promise<readonly RecordedEvent[]> {
    const cached = streams.get(stream);
    if (cached) return cached;
    const events = await store.readStream(stream);
    streams.set(stream, events);
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
   * The revision of the last event, as this unit first read it: a decision on an older one must not be written after a newer one.
   */
  async function revisionOf(stream: string): Promise<ExpectedRevision> {
    const [last] = ends.get(stream)?.events ?? [(await stored(stream)).at(-1)];
    return last?.revision ?? 'no_stream';
  }

  async function asPlanned(stream: string): Promise<readonly RecordedEvent[]> {
    // What is derived from a series is copied by the plan that begins the stream.
    const events = plans.get(stream)?.expected === 'no_stream' ? [] : await stored(stream);
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
    const inOrder = [...plans].sort(([, one], [, other]) => TURNS[one.turn] - TURNS[other.turn]);
    return [...inOrder, ...closings].map(([stream, { expected, events }]) => ({ stream, expected, events }));
  }

  /** The first change of one date of a series: its events so far become the beginning of a stream of its own. */
  async function beginOwnStream(stream: string): Promise<void> {
    if (plans.has(stream) || !stream.startsWith(EVENT_PREFIX)) return;
    const last = ends.get(stream)?.events[0] ?? (await stored(stream)).at(-1);
    const series = last && seriesOf(last);
    if (series === undefined) return;
    const events = await stored(stream);
    const of = `${SERIES_PREFIX}${series}`;
    const state = fold<Series, SeriesFact>(await asPlanned(of), evolveSeries);
    const date = state && dateOfEvent(state, Number(stream.slice(EVENT_PREFIX.length)));
    const decision = state && date && detachDate(state, date.wallClock);
    if (decision?.kind !== 'accepted') throw new Error(`${stream} is no date of ${of}`);
    // A writer may have died between the two appends.
    const apart = decision.facts.length === 0 ? [] : [{ type: 'EventSetApart', data: {} }];
    const write = (some: readonly Fact[], by: EventMetadata): NewEvent[] =>
      some.map((fact) => eventOf(fact, { metadata: by, newEventId }));
    if (decision.facts.length > 0)
      plan({ stream: of, expected: await revisionOf(of), events: write(decision.facts, metadata) }, 'in turn');
    const copies = [
      ...events.map(({ type, schemaVersion, data, metadata: by }) => ({
        id: newEventId(),
        type,
        schemaVersion,
        data,
        metadata: by,
      })),
      ...write(apart, { ...metadata, ofSeries: series }),
    ];
    plan({ stream, expected: 'no_stream', events: copies }, 'in turn');
  }

  const visible: StreamReader = {
    async readStream(stream, options = {}) {
      const { direction: way, limit: most, from } = options;
      const isWhole = streams.has(stream) || plans.has(stream);
      if (!isWhole && way === 'backwards' && most !== undefined && most > 0 && from === undefined)
        return [...(await storedEnd(stream, most))];
      return excerpt(await asPlanned(stream), options);
    },
  };

  return {
    metadata,
    newEventId,
    /** The log as it will be: what is stored, then what this unit has recorded. */
    store: visible,
    /** Folds a stream. `revision`: of the last event; -1 if there is none. */
    async load<State, F extends Fact>(stream: string, evolve: Evolve<State, F>) {
      const events = await asPlanned(stream);
      const last = events.at(-1);
      return { state: fold(events, evolve), revision: last?.revision ?? -1, position: last?.position ?? '' };
    },
    /** Plans facts at the end of a stream, at the revision at which this unit read it. */
    async record(stream: string, facts: readonly Fact[], turn: Turn = 'in turn') {
      if (facts.length === 0) return;
      await beginOwnStream(stream);
      const events = facts.map((fact) => eventOf(fact, { metadata, newEventId }));
      if (turn === 'closing') {
        const before = (await asPlanned(stream)).at(-1);
        closings.set(stream, { expected: before?.revision ?? 'no_stream', events });
        return;
      }
      const expected = await revisionOf(stream);
      plan({ stream, expected, events }, turn);
    },
    /**
     * Plans the first facts of a resource whose id this unit has drawn. Nothing is read: no other writer has the id, and if a
     * stream were there, the append would conflict.
     */
    begin(stream: string, facts: readonly Fact[]) {
      const events = facts.map((fact) => eventOf(fact, { metadata, newEventId }));
      plan({ stream, expected: 'no_stream', events }, 'in turn');
    },
    /**
     * A slug for a resource that this unit creates; not offered again in this process before the unit of work has ended.
     */
    async findSlug(request: SlugRequest) {
      // Reservations and releases of this unit are visible only to itself.
      const own = `slug-${request.kind}-${request.base}`;
      if ([...plans.keys()].some((stream) => stream.startsWith(own))) return findFreeSlug(visible, request);
      const slug = await shared.slugSearches.find(store, request);
      promised.push(slug);
      return slug;
    },
    /**
     * An id for a new resource of a kind; one that an earlier attempt of the same command drew and did not use, if there is
     * one. Its stream is not read: an id is drawn once, and its append would not succeed otherwise.
     */
    async nextId(sequence: Pick<Ids, 'next' | 'drawn'>, kind: string) {
      const id = await shared.ids.next(sequence, metadata);
      streams.set(`${kind}-${id}`, []);
      return id;
    },
    /** Whole blocks of ids for the dates of one series, at least `count`; drawn again as `nextId` is. */
    nextBlock: (sequence: Pick<Ids, 'block' | 'drawn'>, count: number) => shared.ids.block(sequence, count, metadata),
    /** Plans an append that was prepared on `store`, in order. */
    add(append: StreamAppend | null) {
      if (append) plan(append, 'in turn');
    },
    /** Plans an append after all others: releases of what is no longer needed. */
    addLast(append: StreamAppend | null) {
      if (append) plan(append, 'last');
    },
    /** Writes everything, in the order in which streams were first planned; nothing if nothing was planned. */
    async commit(): Promise<AppendOutcome> {
      const appends = planned();
      if (appends.length === 0) return { kind: 'appended', written: [] };
      return shared.ids.write(async (reservations) => {
        const outcome = await store.append([...reservations, ...appends]);
        return outcome.kind === 'conflict'
          ? outcome
          : { ...outcome, written: outcome.written.slice(reservations.length) };
      });
    },
    /** Streams in the order in which `commit` writes them. */
    planned,
    /** Ends the unit, written or not: its promised slugs are free for others. */
    end() {
      for (const { release } of promised.splice(0)) release();
    },
  };
}

/** The result of an attempt: the stream of the resource that the answer shows, and how to fold it. */
export interface Planned<State, F extends Fact> {
  readonly kind: 'planned';
  readonly id: number;
  readonly stream: string;
  readonly evolve: Evolve<State, F>;
  readonly created: boolean;
  /** The number of the credential that is issued to a user. */
  readonly credential?: number | undefined;
}

export type Attempt<State, F extends Fact> = Planned<State, F> | Rejected;
