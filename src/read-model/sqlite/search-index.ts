// The full-text index: which events have a token in their text. Every change of a text is written with its batch.
import { eachToken, tokensOf } from '../search-text.ts';
import type { Connection } from './connection.ts';
import { chunkOf, emptyBitmap, packed, packedIds, setMember, unpackInto } from './event-sets.ts';

/** Collects the changes of a batch, so that each stored set is written once. Use it inside one transaction. */
interface SearchIndex {
  /** The event has another text; null: none. */
  replace(event: number, before: string | null, now: string | null): void;
  write(): void;
}

/** Events that a token gains or loses. */
type Moves = Map<number, 'in' | 'out'>;

const NO_TOKENS: ReadonlySet<string> = new Set();

/** The same by chunk. */
function byChunk(moves: Moves): Map<number, Moves> {
  const chunks = new Map<number, Moves>();
  for (const [event, move] of moves) {
    const chunk = chunks.get(chunkOf(event)) ?? new Map();
    chunks.set(chunkOf(event), chunk.set(event, move));
  }
  return chunks;
}

export function searchIndex({ change, column }: Connection): SearchIndex {
  const changes = new Map<string, Moves>();

  const move = (token: string, event: number, to: 'in' | 'out') => {
    const moves = changes.get(token) ?? new Map();
    changes.set(token, moves.set(event, to));
  };

  const idOf = (token: string): number | bigint => {
    const id = column('SELECT id FROM token WHERE text = ?').get(token);
    return id === undefined ? change('INSERT INTO token (text) VALUES (?)').run(token).lastInsertRowid : Number(id);
  };

  const writeChunk = (id: number, chunk: number, moves: Moves) => {
    const bitmap = emptyBitmap();
    const stored = column('SELECT members FROM posting WHERE token = ? AND chunk = ?').get(id, chunk);
    if (stored instanceof Uint8Array) unpackInto(bitmap, stored);
    for (const [event, to] of moves) setMember(bitmap, event, to);
    const members = packed(bitmap);
    if (members) change('INSERT OR REPLACE INTO posting VALUES (?, ?, ?)').run(id, chunk, members);
    else change('DELETE FROM posting WHERE token = ? AND chunk = ?').run(id, chunk);
    return members;
  };

  const writeToken = (token: string, moves: Moves) => {
    const id = Number(idOf(token));
    const left = [...byChunk(moves)].map(([chunk, ofChunk]) => writeChunk(id, chunk, ofChunk));
    // A token that no text has any more would only be searched in vain.
    if (left.some((members) => members === null))
      change('DELETE FROM token WHERE id = ? AND NOT EXISTS (SELECT 1 FROM posting WHERE token = token.id)').run(id);
  };

  return {
    replace(event, before, now) {
      const gone = before === null ? NO_TOKENS : tokensOf(before);
      const come = now === null ? NO_TOKENS : tokensOf(now);
      for (const token of gone) if (!come.has(token)) move(token, event, 'out');
      for (const token of come) if (!gone.has(token)) move(token, event, 'in');
    },
    write() {
      for (const [token, moves] of changes) writeToken(token, moves);
      changes.clear();
    },
  };
}

// The full-text index of a fill: it starts empty and each text comes once, so that postings can be collected by the
// hundred thousand before they are written.

/** Postings that are collected before they are written: some megabytes. */
const GATHERED = 500_000;

/** Ends a list. */
const END = -1;

interface SearchFill {
  /** Each event once. */
  add(event: number, text: string): void;
  /** Writes what is left. */
  write(): void;
}

/** `prefix`: of the names of the tables. Use it inside transactions. */
export function searchFill({ db }: Connection, prefix: string): SearchFill {
  const findToken = db.prepare<[string], number>(`SELECT id FROM ${prefix}token WHERE text = ?`).pluck();
  const addToken = db.prepare<[string]>(`INSERT INTO ${prefix}token (text) VALUES (?)`);
  const findPosting = db
    .prepare<[number, number], Uint8Array>(`SELECT members FROM ${prefix}posting WHERE token = ? AND chunk = ?`)
    .pluck();
  const putPosting = db.prepare<[number, number, Uint8Array]>(
    `INSERT OR REPLACE INTO ${prefix}posting VALUES (?, ?, ?)`,
  );

  // A list per token, latest first: its head here, the links in two large arrays, which cost the garbage collector
  // nothing.
  const table = tokenTable();
  const heads: number[] = [];
  const events = new Float64Array(GATHERED);
  const before = new Int32Array(GATHERED);
  let count = 0;
  /** Chunks that have been written to before; there may be postings to add to. */
  const begun = new Set<number>();

  function writeChunk(token: number, isNew: boolean, ids: readonly number[]): void {
    const chunk = chunkOf(ids[0] ?? 0);
    const stored = isNew || !begun.has(chunk) ? undefined : findPosting.get(token, chunk);
    putPosting.run(token, chunk, stored === undefined ? packedIds(ids) : merged(stored, ids));
  }

  function writeToken(text: string, head: number, seen: Set<number>): void {
    const stored = findToken.get(text);
    const token = stored ?? Number(addToken.run(text).lastInsertRowid);
    for (const ids of splitByChunk(listOf(head))) {
      seen.add(chunkOf(ids[0] ?? 0));
      writeChunk(token, stored === undefined, ids);
    }
  }

  /** Ascending. */
  function listOf(head: number): number[] {
    const ids: number[] = [];
    for (let at = head; at !== END; at = before[at] ?? END) ids.push(events[at] ?? 0);
    return ids.length > 1 ? ids.sort((one, other) => one - other) : ids;
  }

  function write(): void {
    const seen = new Set<number>();
    for (const [number, text] of table.tokens.entries()) writeToken(text, heads[number] ?? END, seen);
    for (const chunk of seen) begun.add(chunk);
    table.clear();
    heads.length = 0;
    count = 0;
  }

  return {
    add(event, text) {
      eachToken(text, (from, to, hash) => {
        const token = table.numberOf(text, from, to, hash);
        const head = heads[token] ?? END;
        if (head !== END && events[head] === event) return;
        events[count] = event;
        before[count] = head;
        heads[token] = count;
        count += 1;
        if (count === GATHERED) write();
      });
    },
    write,
  };
}

/** Sorted ids, split where chunks end. */
function splitByChunk(ids: readonly number[]): (readonly number[])[] {
  if (chunkOf(ids[0] ?? 0) === chunkOf(ids.at(-1) ?? 0)) return [ids];
  const chunks: (readonly number[])[] = [];
  let from = 0;
  for (let at = 1; at <= ids.length; at++) {
    if (at < ids.length && chunkOf(ids[at] ?? 0) === chunkOf(ids[from] ?? 0)) continue;
    chunks.push(ids.slice(from, at));
    from = at;
  }
  return chunks;
}

function merged(stored: Uint8Array, ids: readonly number[]): Uint8Array {
  const bitmap = emptyBitmap();
  unpackInto(bitmap, stored);
  for (const id of ids) setMember(bitmap, id, 'in');
  return packed(bitmap) ?? stored;
}

// Numbers for tokens, in order of first occurrence. A token is looked up in place in its text, by a hash from splitting
// the text: most are known already, and need not become strings again.

/** Initial slots; always a power of two. */
const SLOTS = 2 ** 16;
const FREE = -1;

interface TokenTable {
  /** The number of `text.slice(from, to)`. */
  numberOf(text: string, from: number, to: number, hash: number): number;
  /** By their numbers. */
  readonly tokens: readonly string[];
  clear(): void;
}

export function tokenTable(): TokenTable {
  const tokens: string[] = [];
  const hashes: number[] = [];
  let slots = new Int32Array(SLOTS).fill(FREE);

  const isAt = (number: number, text: string, from: number, to: number, hash: number): boolean =>
    hashes[number] === hash && tokens[number]?.length === to - from && text.startsWith(tokens[number] ?? '', from);

  /** Half of the slots stay free, so that there is always one near. */
  function grow(): void {
    slots = new Int32Array(slots.length * 2).fill(FREE);
    for (const [number, hash] of hashes.entries()) slots[freeSlot(hash)] = number;
  }

  function freeSlot(hash: number): number {
    let slot = hash & (slots.length - 1);
    while (slots[slot] !== FREE) slot = (slot + 1) & (slots.length - 1);
    return slot;
  }

  return {
    numberOf(text, from, to, hash) {
      const mask = slots.length - 1;
      let slot = hash & mask;
      for (let number = slots[slot] ?? FREE; number !== FREE; number = slots[slot] ?? FREE) {
        if (isAt(number, text, from, to, hash)) return number;
        slot = (slot + 1) & mask;
      }
      slots[slot] = tokens.length;
      tokens.push(text.slice(from, to));
      hashes.push(hash);
      if (tokens.length * 2 > slots.length) grow();
      return tokens.length - 1;
    },
    tokens,
    clear() {
      tokens.length = 0;
      hashes.length = 0;
      slots.fill(FREE);
    },
  };
}
