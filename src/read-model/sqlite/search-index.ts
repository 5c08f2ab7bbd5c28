// The full-text index: which events have a token in their text. Every change of a text is written with its batch.

import { tokensOf } from '../search-text.ts';
import type { Connection } from './connection.ts';
import { chunkOf, emptyBitmap, packed, setMember, unpackInto } from './event-set.ts';

/** Collects the changes of a batch, so that each stored set is written once. Use it inside one transaction. */
export interface SearchIndex {
  /** The event has another text; null: none. */
  replace(event: number, before: string | null, now: string | null): void;
  write(): void;
}

/** Events that a token gains or loses. */
type Moves = Map<number, 'in' | 'out'>;

const NONE: ReadonlySet<string> = new Set();

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
      const gone = before === null ? NONE : tokensOf(before);
      const come = now === null ? NONE : tokensOf(now);
      for (const token of gone) if (!come.has(token)) move(token, event, 'out');
      for (const token of come) if (!gone.has(token)) move(token, event, 'in');
    },
    write() {
      for (const [token, moves] of changes) writeToken(token, moves);
      changes.clear();
    },
  };
}
