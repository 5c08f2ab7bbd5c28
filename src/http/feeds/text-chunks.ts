// Pieces of long texts: made one at a time for the whole process, once for all who want the same, and cached.
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
  /** A piece by a name that no other text ever has: cached, being made for somebody else, or made by `make` in its turn. */
  find(name: string, make: () => Promise<string>): Promise<Uint8Array>;
  /** Does work for one reader alone in its turn. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Does what comes before the first piece, in its turn. Rejects with `TooManyCalendars` when too many wait already. */
  begin<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function openPieces({ maxBytes, maxWaiting }: PieceLimits): Pieces {
  const beginning = openGate({ atOnce: 1, mostWaiting: maxWaiting, refused: () => new TooManyCalendars() });
  // Whoever has begun is not refused in the middle, and asks for one piece at a time.
  const going = openGate({ atOnce: 1, mostWaiting: Infinity, refused: () => new TooManyCalendars() });
  /** What was asked for last stands last. */
  const cached = new Map<string, Uint8Array>();
  const underWay = new Map<string, Promise<Uint8Array>>();
  let bytes = 0;

  function cache(name: string, piece: Uint8Array): void {
    cached.set(name, piece);
    bytes += piece.length;
    for (const [oldest, { length }] of cached) {
      if (bytes <= maxBytes) break;
      cached.delete(oldest);
      bytes -= length;
    }
  }

  async function made(name: string, make: () => Promise<string>): Promise<Uint8Array> {
    const piece = Buffer.from(await going.pass(make));
    cache(name, piece);
    return piece;
  }

  return {
    async find(name, make) {
      const known = cached.get(name);
      if (known) {
        cached.delete(name);
        cached.set(name, known);
        return known;
      }
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
