// Pieces of long texts: made one at a time for the whole process, once for all who want the same, and cached.
import { LRUCache } from 'lru-cache';
import { openGate } from '../../queries/gate.ts';

export interface PieceLimits {
  /** Of all cached pieces; what was not asked for the longest goes first. */
  readonly maxBytes: number;
  /** How many may wait to begin. */
  readonly maxWaiting: number;
}

/** As many calendars are asked for as can be made in a long while. */
export class TooManyCalendars extends Error {
  override readonly name = 'TooManyCalendars';
}

export interface Pieces {
  /** A piece by a name that no other text ever has: cached, being made for another reader, or made by `make` in its turn. */
  find(name: string, make: () => Promise<string>): Promise<Uint8Array>;
  /** Does work for one reader alone in its turn. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Does what comes before the first piece, in its turn. Rejects with `TooManyCalendars` when too many wait already. */
  begin<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function openPieces({ maxBytes, maxWaiting }: PieceLimits): Pieces {
  const beginning = openGate({ concurrency: 1, maxWaiting, refused: () => new TooManyCalendars() });
  // A reader that has begun is not refused in the middle, and asks for one piece at a time.
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
      const known = cached.get(name);
      if (known) return known;
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
