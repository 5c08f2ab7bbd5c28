// Queries by publication date: the newest events, and scheduled posts. One set each, and one round trip.
import { MAX_NEWEST, type NewestQuery, type ScheduledPost } from '../queries.ts';
import { clampedTime, datedKey, NEWEST, SCHEDULED } from './index-entries.ts';
import type { Keys } from './keys.ts';
import type { Reader } from './reader.ts';

const setOf = ({ base }: Keys, set: string): string => `${base}:${set}`;

/** Published events that are not hidden, by descending publication date. */
export async function newestEvents(reader: Reader, keys: Keys, { limit }: NewestQuery): Promise<number[]> {
  if (limit <= 0) return [];
  const last = Math.min(limit, MAX_NEWEST) - 1;
  const members = (await reader.send('ZRANGE', setOf(keys, NEWEST), '0', String(last), 'REV')) as string[];
  return members.map((member) => datedKey(member).id);
}

/** Members with their scores: pairs in this protocol. */
type Scored = readonly (readonly [member: string, score: number])[];

/** The earliest scheduled publication, whatever the clock says; null if there is none. */
export async function nextScheduled(reader: Reader, keys: Keys): Promise<number | null> {
  const [first] = (await reader.send('ZRANGE', setOf(keys, SCHEDULED), '0', '0', 'WITHSCORES')) as Scored;
  return first === undefined ? null : Number(first[1]);
}

/** Scheduled posts that are due at an instant, the earliest first. */
export async function scheduledUntil(
  reader: Reader,
  keys: Keys,
  instant: number,
  limit: number,
): Promise<ScheduledPost[]> {
  const until = String(clampedTime(instant));
  const range = ['-inf', until, 'BYSCORE', 'LIMIT', '0', String(limit), 'WITHSCORES'];
  const due = (await reader.send('ZRANGE', setOf(keys, SCHEDULED), ...range)) as Scored;
  return due.map(([member, score]) => ({ ...datedKey(member), date: Number(score) }));
}
