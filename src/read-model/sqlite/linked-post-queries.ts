// Pages of venues and organizers.
import type { DocumentLink, LinkedPostDocument } from '../documents.ts';
import type { LinkedPostQuery, PageOf } from '../queries.ts';
import { searchFields, searchWord } from '../search-text.ts';
import { kindCode, statusList } from './codes.ts';
import { type Connection, numberOf, type Value } from './connection.ts';
import { readForList } from './document-rows.ts';
import { joined, type Sql, visible } from './event-filters.ts';

const sql = (text: string, ...values: Value[]): Sql => ({ text, values });

/** Makes `in_one_field(text, words)` known: whether one field of a text has all words (a JSON list). */
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

const WITH_EVENTS = `EXISTS (SELECT 1 FROM ${LINKED} AND e.status NOT IN (${statusList(['draft', 'pending'])}))`;

function upcoming({ from, visibility }: NonNullable<LinkedPostQuery['upcoming']>): Sql {
  const seen = visible('e', visibility);
  return sql(
    `EXISTS (SELECT 1 FROM ${LINKED} AND l.starts_at >= ? AND e.hidden = 0 AND ${seen.text})`,
    from,
    ...seen.values,
  );
}

/** The posts linked to an event as JSON pairs of id and life. */
export type LinksOfEvent = (event: number, kind: 'venue' | 'organizer') => readonly DocumentLink[];

function conditions(query: LinkedPostQuery, linksOf: LinksOfEvent): Sql {
  const all = [sql(`p.kind = ${kindCode(query.kind)}`), visible('p', query.visibility)];
  if (query.event !== undefined) {
    const links = linksOf(query.event, query.kind).map(({ id, life }) => [id, life]);
    all.push(sql('(p.id, p.life) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))', JSON.stringify(links)));
  }
  if (query.search) all.push(search(query.search));
  if (query.hasEvents !== undefined) all.push(sql(query.hasEvents ? WITH_EVENTS : `NOT ${WITH_EVENTS}`));
  if (query.upcoming) all.push(upcoming(query.upcoming));
  return joined(all, ' AND ');
}

/** A page of venues or organizers with the number of all that match. */
export function listLinkedPosts(
  connection: Connection,
  query: LinkedPostQuery,
  linksOf: LinksOfEvent,
): PageOf<LinkedPostDocument> {
  const { text, values } = conditions(query, linksOf);
  const total = numberOf(connection, `SELECT count(*) FROM linked_post p WHERE ${text}`, ...values);
  const { limit, offset } = query.page;
  if (limit === 0 || offset >= total) return { items: [], total };
  const ids = connection
    .column(`SELECT p.id FROM linked_post p WHERE ${text} ORDER BY p.date DESC, p.id DESC LIMIT ? OFFSET ?`)
    .all(...values, limit, offset);
  const items = ids.map(
    // The row of a venue or organizer holds one.
    (id) => readForList(connection, { kind: query.kind, id: Number(id) }) as LinkedPostDocument,
  );
  return { items, total };
}
