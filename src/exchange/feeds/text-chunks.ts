// Pieces of long texts: built one at a time for the whole process, once for concurrent readers, and cached.
import { LRUCache } from 'lru-cache';
import { openGate } from '../../queries/gate.ts';

export interface PieceLimits {
  /** Of all cached pieces; the least recently used are dropped first. */
  readonly maxBytes: number;
  /** How many may wait to begin. */
  readonly maxWaiting: number;
}

/** More calendars are requested than can be built in reasonable time. */
export class TooManyCalendars extends Error {
  override readonly name = 'TooManyCalendars';
}

export interface Pieces {
  /** A piece by a unique name of its text: cached, being built for another reader, or built by `make` in its turn. */
  find(name: string, make: () => Promise<string>): Promise<Uint8Array>;
  /** Runs work for one reader alone in its turn. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Runs what comes before the first piece, in its turn. Rejects with `TooManyCalendars` if too many are waiting. */
  begin<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function openPieces({ maxBytes, maxWaiting }: PieceLimits): Pieces {
  const beginning = openGate({ concurrency: 1, maxWaiting, refused: () => new TooManyCalendars() });
  // A reader that has begun is not refused in the middle, and requests one piece at a time.
  const going = openGate({ concurrency: 1, maxWaiting: Infinity, refused: () => new TooManyCalendars() });
  const cached = new LRUCache<string, Uint8Array>({
    maxSize: maxBytes,
    // An empty piece has a size, too.
    sizeCalculation: ({ length }) => Math.max(1, length),
  });
  const underWay = new Map<string, Promise<Uint8Array>>();

  async function made(name: string, make: () => Promise<string>): Promise<Uint8Array> {
    const piece = Buffer.from(await going.pass(make));
    cached.set(name, piece);
    return piece;
  }

  return {
    async find(name, make) {
      const found = cached.get(name);
      if (found) return found;
      const before = underWay.get(name);
      if (before) return before;
      const making = made(name, make).finally(() => underWay.delete(name));
      underWay.set(name, making);
      return making;
    },
    inTurn: (work) => going.pass(work),
    begin: (work) => beginning.pass(work),
  };
}
