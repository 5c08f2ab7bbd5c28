// Of the dates of a series the first in a list alone.
import { ALL } from '../documents.ts';
import type { Connection } from './connection.ts';
import { kindCode } from './schema.ts';

/** Ids in order, of each series only the first. */
export function firstOfFound(connection: Connection, ids: readonly number[]): number[] {
  const found = 'SELECT id, parent FROM event WHERE id IN (SELECT value FROM json_each(?)) AND parent IS NOT NULL';
  const parents = new Map(
    connection
      .rows(found)
      .all(JSON.stringify(ids))
      .map(([id, parent]) => [Number(id), parent]),
  );
  return withoutLater(
    connection,
    ids.map((id) => [id, parents.get(id) ?? null]),
  );
}

/** The same of ids with their parents: the parent of a date is its series. */
export function withoutLater({ column }: Connection, found: readonly (readonly unknown[])[]): number[] {
  const series: ReadonlySet<unknown> = new Set(
    column('SELECT id FROM name WHERE kind = ? AND name = ?').all(kindCode('series'), ALL),
  );
  const seen = new Set<unknown>();
  const firsts: number[] = [];
  for (const [id, parent] of found) {
    if (series.has(parent) && seen.has(parent)) continue;
    seen.add(parent);
    firsts.push(Number(id));
  }
  return firsts;
}
