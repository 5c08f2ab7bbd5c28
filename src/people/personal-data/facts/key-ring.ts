// Keys in memory. Keys destroyed elsewhere are noticed within a moment, without a query per event.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { LOG_START, type RecordedEvent } from '../../../log/envelope.ts';
import { type EventStore, EventStoreUnavailable } from '../../../log/event-store.ts';
import { PERSONAL_PREFIXES } from './personal-fields.ts';
import { type KeyState, KeysReplaced, type Subject, type SubjectKeys } from './subject-keys.ts';

/** The keys of some subjects; undefined for one that never had a key. */
type KeyLookup = (subject: Subject) => KeyState | undefined;

/** Rejections: those of `SubjectKeys`. */
export interface KeyRing
  extends Pick<SubjectKeys, 'make' | 'destroy' | 'identity' | 'pepper' | 'isEmpty' | 'copy' | 'close'> {
  /**
   * `encrypted`: subjects that must have a key, or a mark that it was destroyed; for `others` only the mark matters.
   */
  look(encrypted: ReadonlySet<Subject>, others: ReadonlySet<Subject>): Promise<KeyLookup>;
  /**
   * Rejects with `KeysReplaced` if the keys are not the original ones any more. Keys that cannot be reached are no
   * reason to reject.
   */
  assertInPlace(): Promise<void>;
}

interface KeyRingOptions {
  /** Milliseconds of a monotonic clock; only differences matter. */
  readonly elapsed: () => number;
}

/**
 * For how long an answer is valid on whether a key was destroyed elsewhere: `daybook erase` waits so long before it says that
 * the data is shown no more.
 */
export const BELIEVED_FOR_MS = 250;

/** Writes do not each wait for keys that do not answer. */
const PAUSE_MS = 1_000;

/** About 200 bytes each. */
const MAX_CACHED = 100_000;

export function openKeyRing(keys: SubjectKeys, { elapsed }: KeyRingOptions): KeyRing {
  // Not `max`: that allocates room for all of them at once, in every process that starts.
  const cache = new LRUCache<Subject, KeyState | 'none'>({ maxSize: MAX_CACHED, sizeCalculation: () => 1 });
  let erasures: string | null = null;
  let askedAt = 0;
  let pepper: Promise<Uint8Array> | null = null;
  let identity: string | null = null;
  let unansweredAt = Number.NEGATIVE_INFINITY;

  async function assertSame(): Promise<void> {
    const now = await keys.identity();
    if (identity !== null && now !== identity)
      throw new KeysReplaced(
        'The keys of personal data have been replaced under the running service by others, or by none. Put back those ' +
          'that belong to this log; the service then goes on by itself.',
      );
    identity = now;
  }

  async function refresh(): Promise<void> {
    if (erasures !== null && elapsed() - askedAt < BELIEVED_FOR_MS) return;
    const asking = elapsed();
    const [current] = await Promise.all([keys.erasures(), assertSame()]);
    if (current !== erasures) cache.clear();
    erasures = current;
    askedAt = asking;
  }

  /** `askedIn`: the number of erasures when it was read. A key that was found may have been destroyed since. */
  function put(subject: Subject, state: KeyState | 'none', askedIn: string | null): void {
    if (askedIn !== erasures) return;
    cache.set(subject, state);
  }

  return {
    async look(encrypted, others) {
      await refresh();
      const states = new Map<Subject, KeyState | 'none'>();
      const missing: Subject[] = [];
      const take = (subject: Subject, isEnough: (state: KeyState | 'none') => boolean): void => {
        const state = cache.get(subject);
        if (state !== undefined && isEnough(state)) states.set(subject, state);
        else missing.push(subject);
      };
      // A missing key may have been created since.
      for (const subject of encrypted) take(subject, (state) => state !== 'none');
      for (const subject of others) if (!encrypted.has(subject)) take(subject, () => true);
      const askedIn = erasures;
      const stored = missing.length === 0 ? new Map<Subject, KeyState>() : await keys.find(missing);
      for (const subject of missing) {
        const state = stored.get(subject) ?? 'none';
        put(subject, state, askedIn);
        states.set(subject, state);
      }
      return (subject) => {
        const state = states.get(subject);
        return state === 'none' ? undefined : state;
      };
    },
    async assertInPlace() {
      if (elapsed() - unansweredAt < PAUSE_MS) return;
      await assertSame().catch((error: unknown) => {
        if (!(error instanceof EventStoreUnavailable) || error instanceof KeysReplaced) throw error;
        unansweredAt = elapsed();
      });
    },
    async make(subjects) {
      await Promise.all([refresh(), assertSame()]);
      const states = new Map<Subject, KeyState>();
      for (const subject of subjects) {
        const state = cache.get(subject);
        if (state !== undefined && state !== 'none') states.set(subject, state);
      }
      const missing = subjects.filter((subject) => !states.has(subject));
      if (missing.length === 0) return states;
      const askedIn = erasures;
      for (const [subject, state] of await keys.make(missing)) {
        put(subject, state, askedIn);
        states.set(subject, state);
      }
      return states;
    },
    async destroy(subject) {
      cache.set(subject, 'destroyed');
      return keys.destroy(subject);
    },
    pepper() {
      pepper ??= keys.pepper().catch((error: unknown) => {
        pepper = null;
        throw error;
      });
      return pepper;
    },
    async isEmpty() {
      await assertSame();
      return keys.isEmpty();
    },
    identity: () => keys.identity(),
    copy: () => keys.copy(),
    close: () => keys.close(),
  };
}

// Subjects whose personal data cannot be read because their key is lost. Everything else of them works; operators are
// informed.

/** `missing`: there is no key. `other`: there is one that does not open it. */
type LostKey = 'missing' | 'other';

type Place = Pick<RecordedEvent, 'stream' | 'revision'>;

/** Exists while a store is open. */
export type Unreadable = ReturnType<typeof openUnreadable>;

export function openUnreadable(onFirst: (subject: Subject, why: LostKey) => void = () => {}) {
  const places = new Map<Subject, Place>();
  return {
    note(subject: Subject, why: LostKey, { stream, revision }: Place) {
      if (places.has(subject)) return;
      places.set(subject, { stream, revision });
      onFirst(subject, why);
    },
    /** An event could be decrypted; if it was unreadable before, its key is back. */
    opened(subject: Subject, { stream, revision }: Place) {
      const place = places.get(subject);
      if (place?.stream === stream && place.revision === revision) places.delete(subject);
    },
    /** In the order in which they were met. */
    subjects: (): readonly Subject[] => [...places.keys()],
    /** Streams in which their data was met: reading these again shows whether their keys are back. */
    streams: (): readonly string[] => [...places.values()].map(({ stream }) => stream),
  };
}

const PAGE = 500;

/**
 * Reads all personal data of a log once, page by page, so that `Unreadable` knows all of it. A signal ends it early.
 * Rejects with `EventStoreUnavailable`.
 */
export async function readEverythingPersonal(store: Pick<EventStore, 'readAll'>, signal?: AbortSignal): Promise<void> {
  let after = LOG_START;
  while (!signal?.aborted) {
    const page = await store.readAll({ after, prefixes: PERSONAL_PREFIXES, limit: PAGE });
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.position;
    await nextTurn();
  }
}
