// Pages of venues and organizers.
import { type EventDocument, isPostKind, type LinkedPostDocument, statusCode } from '../documents.ts';
import {
  type EventAccess,
  isAccessible,
  type LinkedPostQuery,
  MAX_NEWEST,
  type NewestQuery,
  type PageOf,
  type ScheduledPost,
} from '../queries.ts';
import { searchFields, searchWord } from '../search-text.ts';
import { type Connection, numberOf, type Value } from './connection.ts';
import { readListed } from './document-rows.ts';
import { accessible, joined, type Sql, visible } from './event-filters.ts';
import { type Effort, isLong } from './event-queries.ts';
import { kindCode, kindOfCode, statusList } from './schema.ts';

const sql = (text: string, ...values: Value[]): Sql => ({ text, values });

/** Registers `in_one_field(text, words)`: whether one field of a text contains all words (a JSON list). */
export function registerFieldSearch({ db }: Connection): void {
  db.function('in_one_field', { deterministic: true }, (text, words) => {
    const wanted = JSON.parse(String(words)) as string[];
    return Number(searchFields(String(text)).some((field) => wanted.every((word) => field.includes(word))));
  });
}

function search(words: readonly string[]): Sql {
  if (words.length === 0) return sql('0');
  const wanted = words.map(searchWord);
  const anywhere = wanted.map((word) => sql('instr(p.text, ?) > 0', word));
  if (wanted.length === 1) return joined(anywhere, ' AND ');
  return joined([...anywhere, sql('in_one_field(p.text, ?)', JSON.stringify(wanted))], ' AND ');
}

/** Events that a post is linked to in its present life. */
const LINKED = `event_link l CROSS JOIN event e ON e.id = l.event_id
  WHERE l.kind = p.kind AND l.target = p.id AND l.life = p.life`;

/** Whether a post is linked to an event that fulfils all conditions. */
const linkedToOne = (...conditions: readonly Sql[]): Sql =>
  joined([sql(`EXISTS (SELECT 1 FROM ${LINKED} AND`), joined(conditions, ' AND '), sql(')')], ' ');

const withEvents = (events: EventAccess): Sql =>
  linkedToOne(sql(`e.status NOT IN (${statusList(['draft', 'pending'])})`), accessible('e', events));

const upcoming = ({ from, visibility }: NonNullable<LinkedPostQuery['upcoming']>, events: EventAccess): Sql =>
  linkedToOne(sql('l.starts_at >= ? AND e.hidden = 0', from), visible('e', visibility), accessible('e', events));

/** An event by its id; null if there is none. */
type EventById = (id: number) => EventDocument | null;

const MEMBERS = { venue: 'venues', organizer: 'organizers' } as const;

/** The posts linked to an event as JSON pairs of id and life: none if the reader may not know them. */
function linksOf(event: EventDocument | null, { kind, events }: LinkedPostQuery): string {
  const links = event && isAccessible(event, events) ? event[MEMBERS[kind]] : [];
  return JSON.stringify(links.map(({ id, life }) => [id, life]));
}

function conditions(query: LinkedPostQuery, eventById: EventById): Sql {
  const all = [sql(`p.kind = ${kindCode(query.kind)}`), visible('p', query.visibility)];
  if (query.event !== undefined) {
    const links = linksOf(eventById(query.event), query);
    all.push(sql('(p.id, p.life) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))', links));
  }
  if (query.search) all.push(search(query.search));
  if (query.hasEvents === true) all.push(withEvents(query.events));
  if (query.hasEvents === false) all.push(joined([sql('NOT'), withEvents(query.events)], ' '));
  if (query.upcoming) all.push(upcoming(query.upcoming, query.events));
  return joined(all, ' AND ');
}

/** What it costs to look at one of them, where an event of a list costs 1. */
function weightOf({ search: words, hasEvents, upcoming: next }: LinkedPostQuery): number {
  if (hasEvents !== undefined || next) return 10;
  return words ? 1 : 0.1;
}

/** Whether there are more than a query may look at in the calling thread. */
function tooMany({ column }: Connection, query: LinkedPostQuery, { candidates }: Effort): boolean {
  if (candidates === Infinity) return false;
  const most = Math.floor(candidates / weightOf(query));
  const some = 'SELECT 1 FROM linked_post INDEXED BY linked_post_by_date WHERE kind = ? LIMIT ?';
  return Number(column(`SELECT count(*) FROM (${some})`).get(kindCode(query.kind), most + 1)) > most;
}

/** A page of venues or organizers with the total; null if that takes more than the effort. */
export function listLinkedPosts(
  connection: Connection,
  query: LinkedPostQuery,
  eventById: EventById,
  effort: Effort,
): PageOf<LinkedPostDocument> | null {
  if (tooMany(connection, query, effort)) return null;
  const { text, values } = conditions(query, eventById);
  const total = numberOf(connection, `SELECT count(*) FROM linked_post p WHERE ${text}`, ...values);
  const { limit, offset } = query.page;
  if (limit === 0 || offset >= total) return { items: [], total };
  const ids = connection
    .column(`SELECT p.id FROM linked_post p WHERE ${text} ORDER BY p.date DESC, p.id DESC LIMIT ? OFFSET ?`)
    .all(...values, limit, offset);
  const keys = ids.map((id) => ({ kind: query.kind, id: Number(id) }));
  if (isLong(connection, keys, effort)) return null;
  return { items: keys.map((key): LinkedPostDocument => readListed(connection, key)), total };
}

// Queries by publication date: the newest events, and scheduled posts.

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
