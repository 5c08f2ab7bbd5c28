// Queries by publication date: the newest events, and scheduled posts.
import { isPostKind } from '../documents.ts';
import { statusCode } from '../indexed-fields.ts';
import { MAX_NEWEST, type NewestQuery, type ScheduledPost } from '../queries.ts';
import { kindCode, kindOfCode } from './codes.ts';
import type { Connection } from './connection.ts';

const PUBLISHED = statusCode('publish');
const SCHEDULED = statusCode('future');
const EVENT = kindCode('event');

/** Published events that are not hidden, by descending publication date. */
export function newestEvents({ column }: Connection, { limit }: NewestQuery): number[] {
  return column(
    `SELECT id FROM event INDEXED BY event_newest WHERE status = ${PUBLISHED} AND hidden = 0
       ORDER BY date DESC, id DESC LIMIT ?`,
  )
    .all(Math.min(limit, MAX_NEWEST))
    .map(Number);
}

/** The earliest scheduled publication, whatever the clock says; null if there is none. */
export function nextScheduled({ column }: Connection): number | null {
  const date = column(
    `SELECT min(date) FROM (
       SELECT (SELECT min(date) FROM event INDEXED BY event_scheduled WHERE status = ${SCHEDULED}) AS date
       UNION ALL
       SELECT (SELECT min(date) FROM linked_post INDEXED BY linked_post_scheduled WHERE status = ${SCHEDULED}))`,
  ).get();
  return date == null ? null : Number(date);
}

/** Scheduled posts that are due at an instant, the earliest first. */
export function scheduledUntil({ rows }: Connection, instant: number, limit: number): ScheduledPost[] {
  const due = rows(
    `SELECT date, id, kind FROM (
       SELECT * FROM (SELECT date, id, ${EVENT} AS kind FROM event INDEXED BY event_scheduled
                      WHERE status = ${SCHEDULED} AND date <= ? ORDER BY date, id LIMIT ?)
       UNION ALL
       SELECT * FROM (SELECT date, id, kind FROM linked_post INDEXED BY linked_post_scheduled
                      WHERE status = ${SCHEDULED} AND date <= ? ORDER BY date, id LIMIT ?))
     ORDER BY date, id LIMIT ?`,
  ).all(instant, limit, instant, limit, limit);
  return due.flatMap(([date, id, code]) => {
    const kind = kindOfCode(Number(code));
    return isPostKind(kind) ? [{ kind, id: Number(id), date: Number(date) }] : [];
  });
}
