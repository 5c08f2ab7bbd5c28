// Which events and series the last batches have changed, so that what other connections keep in memory can follow.
import type { DocumentKey } from '../documents.ts';
import type { Connection, Value } from './connection.ts';
import { kindCode } from './schema.ts';

/** Batches of which it is kept. */
const MAX_BATCHES = 200;

/** Marks a batch, also one that changes no event: a batch without the mark is not known. */
const MARK = -1;

const EVENT = kindCode('event');
const SERIES = kindCode('series');

/** Which data, and how often it has changed. */
export function versionOf({ rows }: Connection): { readonly epoch: Value; readonly change: number } {
  const [epoch = null, change] = rows('SELECT epoch, changes FROM meta').get() ?? [];
  return { epoch, change: Number(change) };
}

/** Notes what the batch changes that has just been counted. */
export function noteChanges(connection: Connection, keys: Iterable<DocumentKey>): void {
  const { change } = connection;
  const number = versionOf(connection).change;
  const insert = change('INSERT OR IGNORE INTO event_change VALUES (?, ?, ?)');
  insert.run(number, MARK, 0);
  for (const { kind, id } of keys) if (kind === 'event' || kind === 'series') insert.run(number, kindCode(kind), id);
  change('DELETE FROM event_change WHERE change <= ?').run(number - MAX_BATCHES);
}

/** Ids of what has changed since a change; null if that is not known of each batch. */
export function changesSince(
  connection: Connection,
  before: number,
): { readonly events: ReadonlySet<number>; readonly series: ReadonlySet<number> } | null {
  const events = new Set<number>();
  const series = new Set<number>();
  let batches = 0;
  for (const [kind, id] of connection.rows('SELECT kind, id FROM event_change WHERE change > ?').all(before)) {
    if (kind === MARK) batches += 1;
    if (kind === EVENT) events.add(Number(id));
    if (kind === SERIES) series.add(Number(id));
  }
  return batches === versionOf(connection).change - before ? { events, series } : null;
}
