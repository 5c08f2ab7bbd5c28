// Changes of the search index by a batch: which events a token gains or loses, by chunks of adjacent ids.
import { tokensOf } from '../search-text.ts';
import type { Payload } from './batch-payload.ts';

/** Ids per chunk: an id within one takes two bytes, and all of them a bitmap of 8 KiB. */
export const CHUNK = 2 ** 16;

/** The tokens of a chunk are split over this many texts, so that removing one rewrites little. */
export const BLOCKS = 64;

/** From this number on, added events are sent as a bitmap that the server merges with its own. */
const MASKED = 64;

interface Moves {
  readonly come: number[];
  readonly gone: number[];
}

interface TokenChanges {
  /** An event has other tokens. */
  replace(event: number, before: ReadonlySet<string>, now: ReadonlySet<string>): void;
  /**
   * Number of chunks; for each its number, the number of its tokens, and for each token what
   * lua/include/token-index.lua reads.
   */
  write(payload: Payload): void;
}

/** Which of the texts holds a token (FNV-1a). */
function blockOf(token: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < token.length; at++) hash = Math.imul(hash ^ token.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % BLOCKS;
}

function packed(offsets: readonly number[]): Buffer {
  const list = Buffer.allocUnsafe(2 * offsets.length);
  offsets.forEach((offset, at) => {
    list.writeUInt16BE(offset, 2 * at);
  });
  return list;
}

/** Bits as Redis counts them: the first is the highest of the first byte. */
function maskOf(offsets: readonly number[]): Buffer {
  const mask = Buffer.alloc((Math.max(...offsets) >> 3) + 1);
  for (const offset of offsets) mask[offset >> 3] = (mask[offset >> 3] ?? 0) | (128 >> (offset & 7));
  return mask;
}

const NOTHING = Buffer.alloc(0);
const NO_TOKENS: ReadonlySet<string> = new Set();

/** The tokens of a search text; `''`: none. */
export const searchedTokens = (text: string): ReadonlySet<string> => (text === '' ? NO_TOKENS : tokensOf(text));

export function tokenChanges(): TokenChanges {
  const chunks = new Map<number, Map<string, Moves>>();

  const movesOf = (tokens: Map<string, Moves>, token: string): Moves => {
    const found = tokens.get(token);
    if (found) return found;
    const moves: Moves = { come: [], gone: [] };
    tokens.set(token, moves);
    return moves;
  };

  return {
    replace(event, before, now) {
      const chunk = Math.floor(event / CHUNK);
      const offset = event - chunk * CHUNK;
      const tokens = chunks.get(chunk) ?? new Map<string, Moves>();
      chunks.set(chunk, tokens);
      for (const token of before) if (!now.has(token)) movesOf(tokens, token).gone.push(offset);
      for (const token of now) if (!before.has(token)) movesOf(tokens, token).come.push(offset);
    },
    write(payload) {
      payload.number(chunks.size);
      for (const [chunk, tokens] of chunks) {
        payload.value(String(chunk));
        payload.number(tokens.size);
        for (const [token, { come, gone }] of tokens) {
          const masked = come.length >= MASKED;
          payload.number(blockOf(token));
          payload.value(token);
          payload.value(masked ? NOTHING : packed(come));
          payload.value(masked ? maskOf(come) : NOTHING);
          payload.value(packed(gone));
        }
      }
    },
  };
}
