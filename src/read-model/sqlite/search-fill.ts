// The full-text index of a fill: it starts empty and each text comes once, so that postings can be collected by the
// hundred thousand before they are written.
import { eachToken } from '../search-text.ts';
import type { Connection } from './connection.ts';
import { chunkOf, emptyBitmap, packed, packedIds, setMember, unpackInto } from './event-set.ts';
import { tokenTable } from './token-table.ts';

/** Postings that are collected before they are written: some megabytes. */
const GATHERED = 500_000;

/** Ends a list. */
const NONE = -1;

export interface SearchFill {
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
    for (const ids of byChunk(listOf(head))) {
      seen.add(chunkOf(ids[0] ?? 0));
      writeChunk(token, stored === undefined, ids);
    }
  }

  /** Ascending. */
  function listOf(head: number): number[] {
    const ids: number[] = [];
    for (let at = head; at !== NONE; at = before[at] ?? NONE) ids.push(events[at] ?? 0);
    return ids.length > 1 ? ids.sort((one, other) => one - other) : ids;
  }

  function write(): void {
    const seen = new Set<number>();
    for (const [number, text] of table.tokens.entries()) writeToken(text, heads[number] ?? NONE, seen);
    for (const chunk of seen) begun.add(chunk);
    table.clear();
    heads.length = 0;
    count = 0;
  }

  return {
    add(event, text) {
      eachToken(text, (from, to, hash) => {
        const token = table.numberOf(text, from, to, hash);
        const head = heads[token] ?? NONE;
        if (head !== NONE && events[head] === event) return;
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
function byChunk(ids: readonly number[]): (readonly number[])[] {
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
