// How many listed events start or end before an instant, without reading them: counts per status in buckets of three
// sizes. They give the exact number of events in a window of time.

import type { TimeRanges } from '../queries.ts';
import { type Connection, numberOf, type Value } from './connection.ts';

/** Bucket sizes as powers of two of seconds: about a year, twelve days, nine hours. */
const LEVELS = [25, 20, 15] as const;
const [YEARS, WEEKS, HOURS] = LEVELS;

const EDGES = { start: 0, end: 1 } as const;
type Edge = keyof typeof EDGES;

/** Statuses are numbers below this. */
const MAX_STATUSES = 8;

const bucketOf = (instant: number, level: number): number => Math.floor(instant / 2 ** level);

/** Lengths from this power of two of seconds (36 hours) on have an index of their own, by power and start. */
const LONG = 17;
/** Lengths of more than a thousand years count as this. */
const MAX_POWER = 35;

/** The power of two below a length in seconds. */
export const magnitudeOf = (length: number): number => Math.min(MAX_POWER, Math.floor(Math.log2(Math.max(1, length))));

/** Up to this many events are counted one by one: that is faster; tests may lower it. */
const FEW = 20;

/** Collects the changes of a batch, so that each bucket is written once. */
export interface EdgeCountChanges {
  add(status: number, startsAt: number, endsAt: number, by: 1 | -1): void;
  write(): void;
}

export function edgeCountChanges({ change }: Connection): EdgeCountChanges {
  /** By bucket, edge, level and status, all in one number. */
  const changes = new Map<number, number>();
  const addEdge = (edge: Edge, status: number, instant: number, by: number) => {
    for (let level = 0; level < LEVELS.length; level++) {
      const bucket = bucketOf(instant, LEVELS[level] ?? 0);
      const key = ((bucket * 2 + EDGES[edge]) * LEVELS.length + level) * MAX_STATUSES + status;
      changes.set(key, (changes.get(key) ?? 0) + by);
    }
  };
  return {
    add(status, startsAt, endsAt, by) {
      addEdge('start', status, startsAt, by);
      addEdge('end', status, endsAt, by);
    },
    write() {
      const upsert = change(
        `INSERT INTO edge_count VALUES (?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET events = events + excluded.events`,
      );
      for (const [key, by] of changes) {
        if (by === 0) continue;
        const [byLevel, status] = divided(key, MAX_STATUSES);
        const [byEdge, level] = divided(byLevel, LEVELS.length);
        const [bucket, edge] = divided(byEdge, 2);
        upsert.run(edge, LEVELS[level] ?? 0, status, bucket, by);
      }
      changes.clear();
    },
  };
}

/** Quotient, rounded down, and remainder. */
function divided(number: number, by: number): readonly [number, number] {
  const quotient = Math.floor(number / by);
  return [quotient, number - quotient * by];
}

/** Counts listed events of some statuses (an SQL list, see `statusList`). */
interface EdgeCounts {
  /** In a window of time. */
  within(ranges: TimeRanges): number;
}

export function edgeCounts(connection: Connection, statuses: string): EdgeCounts {
  const count = (sql: string, ...values: Value[]) => numberOf(connection, sql, ...values);
  const listed = `hidden = 0 AND status IN (${statuses})`;
  const buckets = (edge: Edge, level: number) =>
    `(SELECT coalesce(sum(events), 0) FROM edge_count
      WHERE edge = ${EDGES[edge]} AND level = ${level} AND status IN (${statuses}) AND bucket >= ? AND bucket < ?)`;
  const until = (edge: Edge) =>
    `SELECT ${LEVELS.map((level) => buckets(edge, level)).join(' + ')}
      + (SELECT count(*) FROM event INDEXED BY event_by_${edge} WHERE ${edge}s_at >= ? AND ${edge}s_at < ? AND ${listed})`;
  const sql = { start: until('start'), end: until('end') };

  /** Events whose edge is at or before an instant. */
  const upTo = (edge: Edge, instant: number): number => {
    if (instant === -Infinity) return 0;
    const before = instant === Infinity ? 2 ** 52 : instant + 1;
    const coarse = bucketOf(before, YEARS);
    const middle = bucketOf(before, WEEKS);
    const fine = bucketOf(before, HOURS);
    const first = [-(2 ** 52), coarse, coarse * 2 ** (YEARS - WEEKS), middle];
    return count(sql[edge], ...first, middle * 2 ** (WEEKS - HOURS), fine, fine * 2 ** HOURS, before);
  };

  /** Events that start at or before one instant and end after a later one. */
  const spanning = (start: number, end: number): number => {
    if (start === -Infinity || end === Infinity) return 0;
    let events = 0;
    const length = end - start;
    if (length < 2 ** LONG)
      events += count(
        `SELECT count(*) FROM event INDEXED BY event_by_start
         WHERE starts_at > ? AND starts_at <= ? AND ends_at > ? AND ends_at - starts_at < ${2 ** LONG} AND ${listed}`,
        end - 2 ** LONG,
        start,
        end,
      );
    for (let magnitude = Math.max(LONG, magnitudeOf(length)); magnitude <= MAX_POWER; magnitude++)
      events += count(
        `SELECT count(*) FROM event INDEXED BY event_by_magnitude
         WHERE magnitude >= ${LONG} AND magnitude = ? AND starts_at > ? AND starts_at <= ? AND ends_at > ? AND ${listed}`,
        magnitude,
        magnitude === MAX_POWER ? -(2 ** 52) : end - 2 ** (magnitude + 1),
        start,
        end,
      );
    return events;
  };

  /** Events that start at or before one instant and end at or before another. */
  const corner = (start: number, end: number): number => {
    if (start >= end) return upTo('end', end);
    return upTo('start', start) - spanning(start, end);
  };

  return {
    within({ startFrom, startTo, endFrom, endTo }) {
      if (statuses === '' || startFrom > startTo || endFrom > endTo) return 0;
      const starting = upTo('start', startTo) - upTo('start', startFrom - 1);
      if (starting === 0) return 0;
      if (starting <= FEW)
        return count(
          `SELECT count(*) FROM event INDEXED BY event_by_start
           WHERE starts_at >= ? AND starts_at <= ? AND ends_at >= ? AND ends_at <= ? AND ${listed}`,
          startFrom,
          startTo,
          endFrom,
          endTo,
        );
      const before = corner(startFrom - 1, endTo) - corner(startFrom - 1, endFrom - 1);
      return corner(startTo, endTo) - corner(startTo, endFrom - 1) - before;
    },
  };
}
