// Watches the memory of this process: when it grows short, what can be given back is, first of all the caches. When that does
// not help, requests that take much of it are refused, then all, and only when that lasts does the process ask to be started again.
// What ended that is over once memory has not grown short again for some seconds, however much is in use: a calendar that takes
// four fifths of it would be refused its searches for good.
// In 256 MB with 100,000 events and 12 hostile connections 47 % of the readers of small things were answered within a second,
// as long as all were refused at once.

/** `short`: only small requests are answered. `full`: none. `exhausted`: for so long that it will not end by itself. */
export type MemoryState = 'enough' | 'short' | 'full' | 'exhausted';

/** Users have room for themselves, which the public does not take. */
export type Asker = 'public' | 'user';

export type MemoryWatch = ReturnType<typeof openMemoryWatch>;

interface MemoryWatchOptions {
  /** How much of what may be used is in use and cannot be given back, from 0 to 1. */
  readonly used: () => number;
  /** Returns what was freed to the system; holds the thread. */
  readonly collect: () => void;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  /** Called when the state is another one. */
  readonly report: (state: MemoryState) => void;
}

const SHORT_SOON = 0.8;
const SHORT = 0.85;
/** What begins takes some more before it is done: in 256 MiB a calendar a tenth, and as much garbage until that is collected. */
const ROOM_TO_BEGIN = { public: 0.7, user: SHORT };
/** The public does not make memory short with it, because searches would be refused then. */
const ROOM_TO_GO_ON = { public: SHORT_SOON, user: 0.92 };
/** What ended comes back at once, as long as it is asked for: not before memory has had enough for so long. */
const QUIET_MS = 5_000;
const NO_LONGER_SHORT = 0.8;
const FULL = 0.95;
/** Emptying caches costs all readers something: not again before it can have helped. */
const GIVE_BACK_EVERY_MS = 10_000;
/** Some of what is in use may be garbage, and no request is refused for that. It takes 150 ms, of which 15 to 30 MiB come back. */
const COLLECT_EVERY_MS = 2_000;
const EXHAUSTED_AFTER_MS = 60_000;

export function openMemoryWatch({ used, collect, elapsed, report }: MemoryWatchOptions) {
  const parts: (() => void)[] = [];
  let state: MemoryState = 'enough';
  let gaveBackAt = Number.NEGATIVE_INFINITY;
  let collectedAt = Number.NEGATIVE_INFINITY;
  let shortAt = Number.NEGATIVE_INFINITY;
  /** Since when all requests are refused. */
  let since = Number.POSITIVE_INFINITY;

  function become(next: MemoryState): void {
    if (next !== state) report(next);
    state = next;
  }

  function giveBack(): void {
    if (elapsed() - gaveBackAt < GIVE_BACK_EVERY_MS) return;
    gaveBackAt = elapsed();
    for (const part of parts) part();
    free();
  }

  function free(): void {
    collectedAt = elapsed();
    collect();
  }

  const isRefusingAll = (): boolean => state === 'full' || state === 'exhausted';

  /** What is measured may be garbage, or cached. */
  function hasRoom(asker: Asker, room: number): boolean {
    if (asker === 'public' ? state !== 'enough' : isRefusingAll()) return false;
    if (used() >= room && elapsed() - collectedAt >= COLLECT_EVERY_MS) free();
    if (used() >= room) giveBack();
    return used() < room;
  }

  /** What is refused is refused until it can be answered for a while. */
  function isShort(share: number): boolean {
    if (share >= SHORT) shortAt = elapsed();
    return share >= SHORT || (state !== 'enough' && share >= NO_LONGER_SHORT && elapsed() - shortAt < QUIET_MS);
  }

  return {
    /** As of the last look. */
    state: (): MemoryState => state,
    /** Whether something large that the public asks for may begin without a place. Measures, and costs no more than that. */
    isRoomy: () => state === 'enough' && used() < ROOM_TO_BEGIN.public,
    /**
     * Whether something very large may begin, when it is called first, and go on, when it is called again. It measures, and gives
     * back what it takes to have room.
     */
    openRoom(asker: Asker): () => boolean {
      let room = ROOM_TO_BEGIN[asker];
      return () => {
        const isThere = hasRoom(asker, room);
        room = ROOM_TO_GO_ON[asker];
        return isThere;
      };
    },
    /** Adds something that can be given back: called when memory grows short. */
    onShort: (part: () => void) => void parts.push(part),
    /** Measures, and gives back what it takes. */
    look() {
      if (used() >= SHORT_SOON) giveBack();
      if (used() >= SHORT && elapsed() - collectedAt >= COLLECT_EVERY_MS) free();
      const share = used();
      if (share < FULL) {
        since = Number.POSITIVE_INFINITY;
        return become(isShort(share) ? 'short' : 'enough');
      }
      shortAt = elapsed();
      since = Math.min(since, shortAt);
      become(elapsed() - since >= EXHAUSTED_AFTER_MS ? 'exhausted' : 'full');
    },
  };
}

/** Something large was not begun, or not brought to its end, for want of memory. */
export class MemoryShort extends Error {
  override readonly name = 'MemoryShort';
}
