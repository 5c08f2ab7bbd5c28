// Pieces of long texts: built one at a time for the whole process, once for concurrent readers, and cached.
import { LRUCache } from 'lru-cache';
import { openQueue, singleFlight } from '../../kernel/event-loop/shared-work.ts';

export interface PieceLimits {
  /** The bytes of all cached pieces; the least recently used are dropped first. */
  readonly maxBytes: number;
  /** How many may wait to begin. */
  readonly maxWaiting: number;
}

/** More calendars are requested than can be built in reasonable time. */
export class TooManyCalendars extends Error {
  override readonly name = 'TooManyCalendars';
}

export function openPieces({ maxBytes, maxWaiting }: PieceLimits) {
  const begin = openQueue({ maxWaiting, refused: () => new TooManyCalendars() });
  // A reader that has begun is not refused in the middle, and requests one piece at a time.
  const inTurn = openQueue();
  const cached = new LRUCache<string, Uint8Array>({
    maxSize: maxBytes,
    // An empty piece has a size, too.
    sizeCalculation: ({ length }) => Math.max(1, length),
  });
  const making = singleFlight<Uint8Array>();

  async function makePiece(name: string, make: () => Promise<string>): Promise<Uint8Array> {
    const piece = Buffer.from(await inTurn(make));
    cached.set(name, piece);
    return piece;
  }

  return {
    /** A piece by a unique name of its text: cached, being built for another reader, or built by `make` in its turn. */
    async find(name: string, make: () => Promise<string>): Promise<Uint8Array> {
      return cached.get(name) ?? making(name, () => makePiece(name, make));
    },
    /** Runs work for one reader alone in its turn. */
    inTurn,
    /** Runs what comes before the first piece, in its turn. Rejects with `TooManyCalendars` if too many are waiting. */
    begin,
  };
}
