// The events of dates that repeat. A series is one stream, `series-<id>`; the event of each of its dates has a stream
// of its own only once it has been changed apart from the others. Until then its stream is derived here from the facts of
// the series, so that every reader finds an event like any other.
// decision 20
import { LRUCache } from 'lru-cache';
import type { Fact } from '../../../domain/decider.ts';
import {
  factOf,
  instantOf,
  type Json,
  type Position,
  type RecordedEvent,
  type Revision,
} from '../../../log/envelope.ts';
import type { EventStore, ReadStreamOptions, SubscribeOptions } from '../../../log/event-store.ts';
import { excerpt } from '../../../log/excerpt.ts';
import { currentSchemaVersion } from '../../../log/upcasting/upcast.ts';
import type { Series, SeriesFact } from '../domain/facts.ts';
import { afterFact, type Happening } from '../domain/occurrences.ts';

/** Ids of dates come in aligned blocks of this size. One stream per block names the series that owns it. */
export const OCCURRENCE_BLOCK = 64;
/** The stream that names the owner of an id. */
export const ownerStream = (id: number): string => `occurrences-${Math.floor(id / OCCURRENCE_BLOCK)}`;
/** The owner of a block of ids; the only fact of its stream. */
export interface BlockOwner {
  readonly series: number;
}

export const EVENT_PREFIX = 'event-';
export const SERIES_PREFIX = 'series-';

/** The streams of a read that is about all events, also those of dates. */
export const ALL_EVENTS = [EVENT_PREFIX, SERIES_PREFIX] as const;

/** Events at once, and the rest of the last fact: they are folded and applied together. */
const PORTION = 500;

/** Folded series, and owners of blocks, that are kept at hand. */
const MAX_SERIES = 500;
const MAX_OWNERS = 10_000;

interface Folded {
  readonly series: Series;
  readonly revision: number;
}

/** The series that an event of a date was recorded with; undefined for every other event. */
export const seriesOf = ({ metadata }: RecordedEvent): number | undefined => metadata.ofSeries;

/**
 * Whether an event stands in the stream of a date for a fact of its series that is unknown here: what that fact means for the
 * date is unknown as well.
 */
export const isAboutSeries = (event: RecordedEvent): boolean =>
  seriesOf(event) !== undefined && !event.type.startsWith('Event');

/**
 * A store in which the events of dates can be read like any others. `readStream` of such an event tells what its series
 * says about it, and then what its own stream says. Reads of the log that follow events and series both, as projections
 * do, get the events of the dates right before the fact of the series that they follow from, at its position, unless they ask
 * for them in their series; all others get the log as it is. Appends pass unchanged: writers begin the stream of a date by `OccurrenceDetached`.
 */
export function withOccurrences(store: EventStore): EventStore {
  const folded = new LRUCache<string, Folded>({ max: MAX_SERIES });
  // Not `max`: that allocates room for all of them at once, in every process that starts.
  const owners = new LRUCache<string, number>({ maxSize: MAX_OWNERS, sizeCalculation: () => 1 });

  async function ownerOf(id: number): Promise<number | null> {
    const stream = ownerStream(id);
    const cached = owners.get(stream);
    if (cached !== undefined) return cached;
    const [fact] = await store.readStream(stream, { limit: 1 });
    if (!fact) return null;
    const { series } = fact.data as unknown as BlockOwner; // Only series are written there.
    owners.set(stream, series);
    return series;
  }

  /** The events of one date that follow from all series to which it belonged. */
  async function derived(id: number, options?: ReadStreamOptions): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    // It may come back to a series that it has left.
    const leftAt = new Map<number, Revision>();
    for (let next = await ownerOf(id); next !== null; ) {
      const facts = await store.readStream(`${SERIES_PREFIX}${next}`, unknownOf(options));
      const expand = options?.unknown === 'in place' ? expandedLeniently : expandedStrictly;
      const { ofDate, left } = throughout(facts, id, leftAt.get(next) ?? -1, expand);
      events.push(...ofDate);
      if (left) leftAt.set(next, left.at);
      next = left?.into ?? null;
    }
    return events;
  }

  async function readOccurrence(
    stream: string,
    stored: readonly RecordedEvent[],
    options?: ReadStreamOptions,
  ): Promise<RecordedEvent[]> {
    const own = stored.length === 0 ? [] : await store.readStream(stream, unknownOf(options));
    const ofSeries = await derived(Number(stream.slice(EVENT_PREFIX.length)), options);
    const copies = own.findIndex((event) => seriesOf(event) === undefined);
    return [...ofSeries, ...own.slice(copies < 0 ? own.length : copies)];
  }

  async function readEvent(stream: string, options?: ReadStreamOptions): Promise<readonly RecordedEvent[]> {
    const stored = await store.readStream(stream, options);
    // The first events of the stream of a date are copies of what its series told before.
    if (stored.length > 0 && !stored.some((event) => seriesOf(event) !== undefined)) return stored;
    if (stored.length === 0 && (await ownerOf(Number(stream.slice(EVENT_PREFIX.length)))) === null) return stored;
    return excerpt(await readOccurrence(stream, stored, options), options);
  }

  const readStream: EventStore['readStream'] = (stream, options) =>
    stream.startsWith(EVENT_PREFIX) ? readEvent(stream, options) : store.readStream(stream, options);

  /** The series before one of its facts; null before the first. Rejections: those of the store. */
  async function before({ stream, revision }: RecordedEvent): Promise<Series | null> {
    if (revision === 0) return null;
    const cached = folded.get(stream);
    if (cached?.revision === revision - 1) return cached.series;
    let series: Series | null = null;
    const earlier = await store.readStream(stream, { limit: revision, unknown: 'in place' });
    for (const event of earlier) series = expandedLeniently(series, event).series;
    return series;
  }

  /** A fact of a series behind the events that follow from it. */
  async function expanded(event: RecordedEvent): Promise<RecordedEvent[]> {
    const { series, dates } = expandedLeniently(await before(event), event);
    if (series) folded.set(event.stream, { series, revision: event.revision });
    return [...dates.flatMap(({ events }) => events()), event];
  }

  /** Expands events in portions that end behind a whole fact. */
  async function* expandedIn(events: readonly RecordedEvent[], most: number): AsyncGenerator<RecordedEvent[]> {
    let portion: RecordedEvent[] = [];
    for (const event of events) {
      portion.push(...(event.stream.startsWith(SERIES_PREFIX) ? await expanded(event) : [event]));
      if (portion.length < most) continue;
      yield portion;
      portion = [];
    }
    if (portion.length > 0) yield portion;
  }

  /** A page of as many events as the limit, and the rest of the last fact: what is behind it comes with the next read. */
  async function pageOf(events: readonly RecordedEvent[], limit: number): Promise<RecordedEvent[]> {
    for await (const portion of expandedIn(events, limit)) return portion;
    return [];
  }

  /** Whole streams: those of series, each with those that are derived from it. */
  async function* expandedStreams(batch: readonly RecordedEvent[], upTo: Position): AsyncGenerator<RecordedEvent[]> {
    const others = batch.filter(({ stream }) => !stream.startsWith(SERIES_PREFIX));
    if (others.length > 0) yield others;
    const series = batch.filter(({ stream }) => stream.startsWith(SERIES_PREFIX));
    for (const facts of Map.groupBy(series, ({ stream }) => stream).values()) {
      yield facts;
      for (const [id, date] of begunIn(facts)) {
        const whole = await wholeOccurrence(id, date, upTo);
        if (whole.length > 0) yield whole;
      }
    }
  }

  /** All events of a date, as far as they are not in a stream of its own. */
  async function wholeOccurrence(id: number, { events, hasLeft }: BegunDate, upTo: Position): Promise<RecordedEvent[]> {
    const all = hasLeft ? (await derived(id)).filter(({ position }) => position <= upTo) : events;
    if (!all.some(({ type }) => type === 'EventSetApart')) return all;
    const [own] = await store.readStream(`${EVENT_PREFIX}${id}`, { limit: 1 });
    return own && own.position <= upTo ? [] : all;
  }

  const follows = ({ prefixes, occurrences }: Pick<SubscribeOptions, 'prefixes' | 'occurrences'>): boolean =>
    occurrences === undefined && prefixes?.includes(EVENT_PREFIX) === true && prefixes.includes(SERIES_PREFIX);

  return {
    ...store,
    readStream,
    async readAll(options) {
      const events = await store.readAll(options);
      return follows(options) && options.direction !== 'backwards' ? pageOf(events, options.limit) : events;
    },
    async *readByStream(options) {
      for await (const batch of store.readByStream(options)) {
        if (follows(options)) yield* expandedStreams(batch, options.upTo);
        else yield batch;
      }
    },
    async *subscribe(options) {
      for await (const batch of store.subscribe(options)) {
        if (follows(options)) yield* expandedIn(batch, PORTION);
        else yield batch;
      }
    },
  };
}

/** The events of one date that follow from facts of a series after a revision, and when and where it went, if it left. */
function throughout(facts: readonly RecordedEvent[], id: number, since: Revision, expand: typeof expandedStrictly) {
  const ofDate: RecordedEvent[] = [];
  let series: Series | null = null;
  for (const event of facts) {
    const before: Series | null = series;
    const after = expand(series, event);
    series = after.series;
    if (event.revision <= since) continue;
    ofDate.push(...after.dates.filter((one) => one.id === id).flatMap(({ events }) => events()));
    const into = after.isKnown ? successorIn(before, event, id) : null;
    if (into !== null) return { ofDate, left: { into, at: event.revision } };
  }
  return { ofDate, left: null };
}

function successorIn(before: Series | null, event: RecordedEvent, id: number): number | null {
  const fact = factOf<SeriesFact>(event);
  if (fact.type !== 'SeriesSplit') return null;
  return fact.data.leave.some((wallClock) => before?.dates.get(wallClock)?.id === id) ? fact.data.into : null;
}

interface BegunDate {
  readonly events: RecordedEvent[];
  hasLeft: boolean;
}

/** The events of all dates that began in a series; a date that left it has more in another one. */
function begunIn(facts: readonly RecordedEvent[]): ReadonlyMap<number, BegunDate> {
  const begun = new Map<number, BegunDate>();
  let series: Series | null = null;
  for (const event of facts) {
    const before: Series | null = series;
    const after = expandedLeniently(series, event);
    series = after.series;
    for (const { id, isFirst, events } of after.dates) {
      if (isFirst) begun.set(id, { events: [], hasLeft: false });
      begun.get(id)?.events.push(...events());
    }
    if (!after.isKnown || event.type !== 'SeriesSplit') continue;
    const { leave } = factOf<Extract<SeriesFact, { readonly type: 'SeriesSplit' }>>(event).data;
    for (const wallClock of leave) {
      const date = begun.get(before?.dates.get(wallClock)?.id ?? 0);
      if (date) date.hasLeft = true;
    }
  }
  return begun;
}

const unknownOf = (options: ReadStreamOptions | undefined): ReadStreamOptions =>
  options?.unknown ? { unknown: options.unknown } : {};

/** A series after one of its facts, and the events of its dates that follow from that. */
interface Expansion {
  readonly series: Series | null;
  readonly dates: readonly {
    readonly id: number;
    readonly isFirst: boolean;
    readonly events: () => readonly RecordedEvent[];
  }[];
  readonly isKnown: boolean;
}

/** Throws what the fold does for a fact that is unknown here. */
function expandedStrictly(before: Series | null, event: RecordedEvent): Expansion {
  const { series, happenings } = afterFact(before, factOf(event), instantOf(event));
  const dates = happenings.map((one) => ({
    id: one.id,
    isFirst: one.after === -1,
    events: () => eventsOf(one, event),
  }));
  return { series, dates, isKnown: true };
}

/**
 * An unknown event leaves the series unchanged and is passed on to each date that is not detached: it may change any of
 * them, so their projection parks them at it.
 */
function expandedLeniently(series: Series | null, event: RecordedEvent): Expansion {
  try {
    const expansion = expandedStrictly(series, event);
    // Made here, where a fact that they cannot be made of is one that is unknown.
    const dates = expansion.dates.map(({ id, isFirst, events }) => {
      const made = events();
      return { id, isFirst, events: () => made };
    });
    return { ...expansion, dates };
  } catch {
    const attached = [...(series?.dates.values() ?? [])].filter(({ isDetached }) => !isDetached);
    const dates = attached.map(({ id, revision }) => ({
      id,
      isFirst: false,
      events: () => [occurrenceEvent(event, id, revision, { type: event.type, data: null })],
    }));
    return { series, dates, isKnown: false };
  }
}

const eventsOf = ({ id, after, facts }: Happening, cause: RecordedEvent): RecordedEvent[] =>
  facts().map((fact, index) => occurrenceEvent(cause, id, after + 1 + index, fact));

function occurrenceEvent(cause: RecordedEvent, id: number, revision: number, { type, data }: Fact): RecordedEvent {
  // It has no hash of its own: the fact of the series has.
  const { hash: _hash, ...metadata } = cause.metadata;
  return {
    id: `${cause.id}.${id}.${revision}`,
    stream: `${EVENT_PREFIX}${id}`,
    revision,
    position: cause.position,
    type,
    schemaVersion: currentSchemaVersion(type),
    data: data as Json, // Facts are plain data by construction.
    metadata: { ...metadata, ofSeries: Number(cause.stream.slice(SERIES_PREFIX.length)) },
  };
}
