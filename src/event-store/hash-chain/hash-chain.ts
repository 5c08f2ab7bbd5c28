// Hashes every event on its way into the log: each hash covers the event and the hash of the event before it in its
// stream (see event-hash.ts). Changing an event afterwards means changing every later one of its stream as well.
import { setImmediate as endOfRound } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { NewEvent, RecordedEvent, Revision } from '../envelope.ts';
import {
  type AppendOutcome,
  type EventStore,
  EventStoreUnavailable,
  type ExpectedRevision,
  type StreamAppend,
} from '../event-store.ts';
import { GENESIS, hashOf } from './event-hash.ts';

/** About 200 bytes each. */
const MAX_STREAMS = 50_000;
/** No stream is that long: expecting it is a conflict in every store. */
const NEVER: Revision = 2 ** 40;
const PAGE = 1_000;
/** How many streams of an append are hashed before other requests have their turn. */
const PORTION = 50;
/** How far back a repeated append without expectation is recognised. */
const LOOK_BACK = 200;
/** Retries against writers of other processes, for appends without expectation. */
const MAX_ATTEMPTS = 100;

interface StreamEnd {
  readonly revision: Revision;
  readonly hash: string;
}

/** An append without expectation, at a definite revision. */
interface Placed {
  readonly append: StreamAppend;
  /** Its first event is stored there already. */
  readonly isRepeat: boolean;
}

/**
 * A store that hashes its appends; reads return what is stored, hashes included. It wraps the store itself, below
 * everything that changes events on read, because hashes cover what is stored. An append to streams that were just read
 * through this store needs no further read. Ids are written in lower case, as every store returns them. An append
 * without expectation (`any`) is recognised as a repeat among the last 200 events of its stream; with concurrent
 * writers it is tried 100 times, then rejected with `EventStoreUnavailable`.
 */
export function withHashChain(store: EventStore): EventStore {
  const hashes = openHashCache();
  let turn: Promise<unknown> = Promise.resolve();

  function cacheHashOf(event: RecordedEvent | undefined): void {
    if (event?.metadata.hash !== undefined) hashes.put(event.stream, event.revision, event.metadata.hash);
  }

  /** Null if there is no such event. */
  async function hashAt(stream: string, revision: Revision): Promise<string | null> {
    const cached = hashes.at(stream, revision);
    if (cached !== undefined) return cached;
    const [event] = await store.readStream(stream, { from: revision, limit: 1 });
    if (event?.revision !== revision) return null;
    const hash = event.metadata.hash ?? (await chainedHashAt(stream, revision));
    hashes.put(stream, revision, hash);
    return hash;
  }

  /** The hash of an event that was recorded without one: those before it have none either. */
  async function chainedHashAt(stream: string, revision: Revision): Promise<string> {
    let hash = GENESIS;
    for (let from = 0; from <= revision; from += PAGE) {
      const page = await store.readStream(stream, { from, limit: Math.min(PAGE, revision + 1 - from) });
      for (const event of page) hash = event.metadata.hash ?? hashOf(hash, event);
    }
    return hash;
  }

  async function endExpected(stream: string, expected: ExpectedRevision): Promise<StreamEnd | null> {
    if (expected === 'no_stream') return { revision: -1, hash: GENESIS };
    if (expected === 'any' || expected < 0) return null;
    const hash = await hashAt(stream, expected);
    return hash === null ? null : { revision: expected, hash };
  }

  async function appendHashed(appends: readonly StreamAppend[]): Promise<AppendOutcome> {
    // Added by this append itself: it may name a stream twice.
    const ends = new Map<string, StreamEnd>();
    const hashed: StreamAppend[] = [];
    for (const [index, append] of appends.entries()) {
      if (index % PORTION === PORTION - 1) await endOfRound();
      const { stream, expected } = append;
      const own = ends.get(stream);
      const end = own?.revision === expected ? own : await endExpected(stream, expected);
      // Without the previous event there is no hash to continue from. That event might be written between this check
      // and the append, so the revision becomes one that never exists: the store reports the conflict, in order.
      hashed.push(end === null ? { ...append, expected: NEVER } : hashBehind(end, append, ends));
    }
    const outcome = await store.append(hashed);
    if (outcome.kind === 'appended') {
      for (const [stream, { revision, hash }] of ends) hashes.put(stream, revision, hash);
    }
    return outcome;
  }

  async function place({ stream, events }: StreamAppend, own: Revision | undefined): Promise<Placed> {
    if (own !== undefined) return { append: { stream, expected: own, events }, isRepeat: false };
    const latest = await store.readStream(stream, { direction: 'backwards', limit: LOOK_BACK + events.length });
    const first = events[0]?.id.toLowerCase();
    const written = latest.find(({ id }) => id.toLowerCase() === first);
    const last = written === undefined ? (latest[0]?.revision ?? -1) : written.revision - 1;
    const expected = last < 0 ? 'no_stream' : last;
    return { append: { stream, expected, events }, isRepeat: written !== undefined };
  }

  async function placeAll(appends: readonly StreamAppend[]): Promise<Placed[]> {
    const ends = new Map<string, Revision>();
    const placed: Placed[] = [];
    for (const append of appends) {
      const { stream, expected, events } = append;
      const found = expected === 'any' ? await place(append, ends.get(stream)) : { append, isRepeat: false };
      placed.push(found);
      const end = found.append.expected;
      ends.set(stream, (typeof end === 'number' ? end : -1) + events.length);
    }
    return placed;
  }

  async function appendAnywhere(appends: readonly StreamAppend[]): Promise<AppendOutcome> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const placed = await placeAll(appends);
      const outcome = await appendHashed(placed.map(({ append }) => append));
      if (outcome.kind === 'appended') return outcome;
      const { stream } = outcome;
      if (!appends.some((append) => append.stream === stream && append.expected === 'any')) return outcome;
      const repeat = placed.find(({ append, isRepeat }) => isRepeat && append.stream === stream);
      if (repeat) throw new Error(`The event id ${repeat.append.events[0]?.id} is already in use.`);
    }
    throw new EventStoreUnavailable('The append came too late each time: too many others write the same streams.');
  }

  return {
    append(appends) {
      if (!appends.some(({ expected }) => expected === 'any')) return appendHashed(appends);
      // One after the other, so that appends of this process never race each other.
      const outcome = turn.then(() => appendAnywhere(appends));
      turn = outcome.catch(() => {});
      return outcome;
    },
    async readStream(stream, options) {
      const events = await store.readStream(stream, options);
      cacheHashOf(options?.direction === 'backwards' ? events[0] : events.at(-1));
      return events;
    },
    readAll: (options) => store.readAll(options),
    readByStream: (options) => store.readByStream(options),
    subscribe: (options) => store.subscribe(options),
    head: () => store.head(),
    close: () => store.close(),
  };
}

function hashBehind(end: StreamEnd, append: StreamAppend, ends: Map<string, StreamEnd>): StreamAppend {
  const { stream, expected } = append;
  let { revision, hash } = end;
  const events = append.events.map((event): NewEvent => {
    const id = event.id.toLowerCase();
    revision += 1;
    hash = hashOf(hash, { ...event, id, stream, revision });
    return { ...event, id, metadata: { ...event.metadata, hash } };
  });
  ends.set(stream, { revision, hash });
  return { stream, expected, events };
}

/** The last hashes of recently used streams, so that an append need not read what its writer has just read. */
function openHashCache() {
  // Not `max`: that allocates room for all of them at once, in every process that starts.
  const ends = new LRUCache<string, StreamEnd>({ maxSize: MAX_STREAMS, sizeCalculation: () => 1 });
  return {
    /** The hash of one event; undefined unless it is the newest cached one of its stream. */
    at(stream: string, revision: Revision): string | undefined {
      const end = ends.get(stream);
      return end?.revision === revision ? end.hash : undefined;
    },
    /** Older events than the cached one are ignored. Events never change, so no entry is ever outdated. */
    put(stream: string, revision: Revision, hash: string): void {
      const end = ends.get(stream);
      if (end === undefined || end.revision <= revision) ends.set(stream, { revision, hash });
    },
  };
}
