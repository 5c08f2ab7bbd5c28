// Keys in memory. Keys destroyed elsewhere are noticed within a moment, without a query per event.
import { LRUCache } from 'lru-cache';
import { EventStoreUnavailable } from '../event-store.ts';
import { type KeyState, KeysReplaced, type Subject, type SubjectKeys } from './subject-keys.ts';

/** The keys of some subjects; undefined for one that never had a key. */
export type KeyLookup = (subject: Subject) => KeyState | undefined;

/** Rejections: those of `SubjectKeys`. */
export interface KeyRing extends Pick<SubjectKeys, 'make' | 'destroy' | 'pepper' | 'isEmpty' | 'copy' | 'close'> {
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

export interface KeyRingOptions {
  /** Milliseconds of a monotonic clock; only differences matter. */
  readonly elapsed: () => number;
  /** For how long an answer is valid on whether a key was destroyed elsewhere; default 250 ms. */
  readonly believedForMs?: number;
}

/** Writes do not each wait for keys that do not answer. */
const PAUSE_MS = 1_000;

/** About 200 bytes each. */
const MAX_CACHED = 100_000;

export function openKeyRing(keys: SubjectKeys, { elapsed, believedForMs = 250 }: KeyRingOptions): KeyRing {
  const cache = new LRUCache<Subject, KeyState | 'none'>({ max: MAX_CACHED });
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
    if (erasures !== null && elapsed() - askedAt < believedForMs) return;
    const asking = elapsed();
    const [told] = await Promise.all([keys.erasures(), assertSame()]);
    if (told !== erasures) cache.clear();
    erasures = told;
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
      const found = new Map<Subject, KeyState | 'none'>();
      const missing: Subject[] = [];
      const take = (subject: Subject, isEnough: (state: KeyState | 'none') => boolean): void => {
        const state = cache.get(subject);
        if (state !== undefined && isEnough(state)) found.set(subject, state);
        else missing.push(subject);
      };
      // A missing key may have been created since.
      for (const subject of encrypted) take(subject, (state) => state !== 'none');
      for (const subject of others) if (!encrypted.has(subject)) take(subject, () => true);
      const askedIn = erasures;
      const asked = missing.length === 0 ? new Map<Subject, KeyState>() : await keys.find(missing);
      for (const subject of missing) {
        const state = asked.get(subject) ?? 'none';
        put(subject, state, askedIn);
        found.set(subject, state);
      }
      return (subject) => {
        const state = found.get(subject);
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
    copy: () => keys.copy(),
    close: () => keys.close(),
  };
}
