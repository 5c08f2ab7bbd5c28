// Hashes every event on its way into the log: each hash covers the event and the hash of the event before it in its
// stream (see event-hash.ts). Changing an event afterwards means changing every later one of its stream as well.
import { LRUCache } from 'lru-cache';
import type { NewEvent, Revision } from '../envelope.ts';
import type { StreamAppend } from '../event-store.ts';
import type { Inward, StageMaker, Unit } from '../pipeline.ts';
import { GENESIS, hashOf } from './event-hash.ts';

/** About 200 bytes each. */
const MAX_STREAMS = 50_000;
/** No stream is that long: expecting it is a conflict in every store. */
const NEVER: Revision = 2 ** 40;
const PAGE = 1_000;
interface StreamEnd {
  readonly revision: Revision;
  readonly hash: string;
}

const BEGINNING: StreamEnd = { revision: -1, hash: GENESIS };

/**
 * Hashes what is written; what is read stays as it is stored, hashes included. It is the innermost stage, because hashes
 * cover what is stored. An append to a stream that was just read needs no further read. Ids are written in lower case, as
 * every store returns them.
 */
export const hashChain: StageMaker = (log) => {
  /**
   * The last hashes of recently used streams, so that an append need not read what its writer has just read. Not `max`: that
   * allocates room for all of them at once, in every process that starts.
   */
  const ends = new LRUCache<string, StreamEnd>({ maxSize: MAX_STREAMS, sizeCalculation: () => 1 });

  /** Older events than the cached one are ignored. Events never change, so no entry is ever outdated. */
  function put(stream: string, revision: Revision, hash: string): void {
    const end = ends.get(stream);
    if (end === undefined || end.revision <= revision) ends.set(stream, { revision, hash });
  }

  /** Null if there is no such event. */
  async function storedHashAt(stream: string, revision: Revision): Promise<string | null> {
    const [event] = await log.readStream(stream, { from: revision, limit: 1 });
    if (event?.revision !== revision) return null;
    const hash = event.metadata.hash ?? (await chainedHashAt(stream, revision));
    put(stream, revision, hash);
    return hash;
  }

  /** The hash of an event that was recorded without one: those before it have none either. */
  async function chainedHashAt(stream: string, revision: Revision): Promise<string> {
    let hash = GENESIS;
    for (let from = 0; from <= revision; from += PAGE) {
      const page = await log.readStream(stream, { from, limit: Math.min(PAGE, revision + 1 - from) });
      for (const event of page) hash = event.metadata.hash ?? hashOf(hash, event);
    }
    return hash;
  }

  return {
    async prepare(batch) {
      // The ends that the streams of a unit are expected to have; one that it names again ends with its own events.
      const endsOf = new Map<Unit, Map<string, StreamEnd>>();
      for (const unit of batch) {
        const expectedEnds = new Map<string, StreamEnd>();
        for (const { stream, expected } of unit) {
          if (typeof expected !== 'number' || expected < 0 || expectedEnds.has(stream)) continue;
          const cached = ends.get(stream);
          const hash = cached?.revision === expected ? cached.hash : await storedHashAt(stream, expected);
          if (hash !== null) expectedEnds.set(stream, { revision: expected, hash });
        }
        endsOf.set(unit, expectedEnds);
      }
      const done = new Map<StreamAppend['events'], Hashed>();
      return (unit) => hashedBehind(endsOf.get(unit) ?? new Map(), done);
    },
    written({ stream, events }, revision) {
      const hash = events.at(-1)?.metadata.hash;
      if (hash !== undefined) put(stream, revision, hash);
    },
    ofStream(events) {
      const [first, last] = [events[0], events.at(-1)];
      const end = first && last && first.revision > last.revision ? first : last;
      if (end?.metadata.hash !== undefined) put(end.stream, end.revision, end.metadata.hash);
      return events;
    },
  };
};

/** Events with their hashes, behind an end of their stream. */
interface Hashed {
  readonly behind: StreamEnd;
  readonly append: StreamAppend;
  readonly end: StreamEnd;
}

/** Hashes the appends of a unit one after the other. `done`: by the events as they come, which several units may share. */
function hashedBehind(ends: Map<string, StreamEnd>, done: Map<StreamAppend['events'], Hashed>): Inward {
  return (append) => {
    const { stream, expected } = append;
    const end = expected === 'no_stream' ? BEGINNING : ends.get(stream);
    // Without the previous event there is no hash to continue from. That event might be written between this check and the
    // append, so the revision becomes one that never exists: the engine reports the conflict, in order.
    if (end === undefined || (expected !== 'no_stream' && end.revision !== expected))
      return { ...append, expected: NEVER };
    const previous = done.get(append.events);
    if (previous?.append.stream === stream && previous.behind.hash === end.hash) {
      ends.set(stream, previous.end);
      return previous.append;
    }
    let { revision, hash } = end;
    const events = append.events.map((event): NewEvent => {
      const id = event.id.toLowerCase();
      revision += 1;
      hash = hashOf(hash, { ...event, id, stream, revision });
      return { ...event, id, metadata: { ...event.metadata, hash } };
    });
    const hashed = { behind: end, append: { stream, expected, events }, end: { revision, hash } };
    done.set(append.events, hashed);
    ends.set(stream, hashed.end);
    return hashed.append;
  };
}
