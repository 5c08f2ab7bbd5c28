// Index rows of events: updated row by row, so that a change of one member writes as little as possible.
import { parseStored } from '../damage.ts';
import { EVENT_FLAGS, type EventDocument, endOf, searchedText, statusCode } from '../documents.ts';
import type { Connection, Row, Value } from './connection.ts';
import { type EdgeCountChanges, edgeCountChanges, magnitudeOf } from './edge-counts.ts';
import { eventStatusCode, FREE_LINKS, kindCode, type LinkKind, ONLINE_LINKS, STATUS_LINKS } from './schema.ts';
import { searchIndex } from './search-index.ts';

/** Links as stored with the event, to know what to remove when they change: kind, target, life. */
type StoredLink = readonly [kind: number, target: number, life: number];

/** The index entries of an event; null: nothing. */
interface Indexed {
  readonly columns: Row;
  /** `StoredLink`s as JSON. */
  readonly links: string;
  readonly text: string;
}

const PUBLISHED = statusCode('publish');
const CATEGORY = kindCode('category');
const TAG = kindCode('tag');
const COLUMNS = [
  'id',
  'starts_at',
  'ends_at',
  'date',
  'status',
  'author',
  'hidden',
  ...EVENT_FLAGS,
  'protected',
  'parent',
  'magnitude',
] as const;

const column = ({ columns }: Indexed, name: (typeof COLUMNS)[number]): number =>
  Number(columns[COLUMNS.indexOf(name)] ?? 0);

/** Throws `ReadModelDamaged`. */
const linksOf = (event: Indexed): StoredLink[] =>
  parseStored(event.links, `the row of event ${column(event, 'id')} in its table event_detail`);

const distinctIds = (ids: readonly number[], kind: LinkKind): StoredLink[] =>
  [...new Set(ids)].map((id) => [kindCode(kind), id, 0]);

export function storedLinks({
  categories,
  tags,
  venues,
  organizers,
  eventStatus,
  isVirtual,
  isFree,
}: EventDocument): StoredLink[] {
  return [
    ...distinctIds(categories, 'category'),
    ...distinctIds(tags, 'tag'),
    ...venues.map(({ id, life }): StoredLink => [kindCode('venue'), id, life]),
    ...organizers.map(({ id, life }): StoredLink => [kindCode('organizer'), id, life]),
    ...(eventStatus ? [[STATUS_LINKS, eventStatusCode(eventStatus), 0] as const] : []),
    ...(isVirtual ? [[ONLINE_LINKS, 0, 0] as const] : []),
    ...(isFree ? [[FREE_LINKS, 0, 0] as const] : []),
  ];
}

export function indexedOf(event: EventDocument, links: readonly StoredLink[]): Indexed {
  const { id, startsAt, date, author, parent } = event;
  const endsAt = endOf(event);
  const flags = [event.hidden, ...EVENT_FLAGS.map((flag) => event[flag]), event.protected].map(Number);
  return {
    columns: [
      id,
      startsAt,
      endsAt,
      date,
      statusCode(event.status),
      author,
      ...flags,
      parent,
      magnitudeOf(endsAt - startsAt),
    ],
    links: JSON.stringify(links),
    text: searchedText(event),
  };
}

const DELETE_LINK =
  'DELETE FROM event_link WHERE kind = ? AND target = ? AND starts_at = ? AND event_id = ? AND life = ?';
const INSERT_LINK = 'INSERT OR IGNORE INTO event_link (kind, target, starts_at, event_id, life) VALUES (?, ?, ?, ?, ?)';

/** Keeps the index rows of events consistent with their documents. Use it inside one transaction. */
export interface EventIndex {
  /** `null` removes the event. */
  replace(id: number, event: EventDocument | null): void;
  /** Writes the collected sums; returns whether any term's count has changed. */
  finish(): { readonly termCounts: 'changed' | 'unchanged' };
}

export function eventIndex(connection: Connection): EventIndex {
  const { change, rows } = connection;
  const edges = edgeCountChanges(connection);
  const search = searchIndex(connection);
  const terms = termCountChanges(connection);

  const stored = (id: number): Indexed | null => {
    const row = rows(
      `SELECT ${COLUMNS.join(', ')}, links, text FROM event JOIN event_detail ON event_id = id WHERE id = ?`,
    ).get(id);
    if (!row) return null;
    return { columns: row.slice(0, COLUMNS.length), links: String(row.at(-2)), text: String(row.at(-1)) };
  };

  const writeLinks = (event: Indexed, sql: string) => {
    const values: Value[] = [column(event, 'starts_at'), column(event, 'id')];
    for (const [kind, target, life] of linksOf(event)) change(sql).run(kind, target, ...values, life);
  };

  const count = (event: Indexed, by: 1 | -1) => {
    countEdges(edges, event, by);
    terms.add(event, linksOf(event), by);
  };

  const takeOutLinks = (event: Indexed) => writeLinks(event, DELETE_LINK);
  const enterLinks = (event: Indexed) => writeLinks(event, INSERT_LINK);

  const takeOut = (id: number, before: Indexed) => {
    count(before, -1);
    takeOutLinks(before);
    search.replace(id, before.text, null);
    change('DELETE FROM event WHERE id = ?').run(id);
    change('DELETE FROM event_detail WHERE event_id = ?').run(id);
  };

  const enter = (id: number, now: Indexed) => {
    count(now, 1);
    enterLinks(now);
    change(INSERT).run(...now.columns);
    change('INSERT INTO event_detail VALUES (?, ?, ?)').run(id, now.links, now.text);
    search.replace(id, null, now.text);
  };

  const update = (id: number, before: Indexed, now: Indexed) => {
    count(before, -1);
    count(now, 1);
    if (before.links !== now.links || column(before, 'starts_at') !== column(now, 'starts_at')) {
      takeOutLinks(before);
      enterLinks(now);
    }
    if (before.columns.join() !== now.columns.join()) change(UPDATE).run(...now.columns.slice(1), id);
    if (before.links !== now.links || before.text !== now.text)
      change('UPDATE event_detail SET links = ?, text = ? WHERE event_id = ?').run(now.links, now.text, id);
    if (before.text !== now.text) search.replace(id, before.text, now.text);
  };

  return {
    replace(id, event) {
      const before = stored(id);
      if (!event) return before ? takeOut(id, before) : undefined;
      const now = indexedOf(event, storedLinks(event));
      if (before) update(id, before, now);
      else enter(id, now);
    },
    finish() {
      edges.write();
      search.write();
      return { termCounts: terms.write() };
    },
  };
}

/** Collects how many public events a term gains or loses. */
interface TermCountChanges {
  add(event: Indexed, links: readonly StoredLink[], by: 1 | -1): void;
  write(): 'changed' | 'unchanged';
}

export function termCountChanges({ change }: Connection): TermCountChanges {
  const counts = new Map<string, number>();
  return {
    add(event, links, by) {
      if (column(event, 'status') !== PUBLISHED || column(event, 'protected') === 1) return;
      for (const [kind, target] of links) {
        if (kind !== CATEGORY && kind !== TAG) continue;
        const key = `${kind} ${target}`;
        counts.set(key, (counts.get(key) ?? 0) + by);
      }
    },
    write() {
      const changed = [...counts].filter(([, by]) => by !== 0);
      const upsert = change(
        'INSERT INTO term_count VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET events = events + excluded.events',
      );
      for (const [key, by] of changed) upsert.run(...key.split(' ').map(Number), by);
      counts.clear();
      return changed.length > 0 ? 'changed' : 'unchanged';
    },
  };
}

export const insertInto = (table: string): string =>
  `INSERT INTO ${table} (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`;
const INSERT = insertInto('event');
const UPDATE = `UPDATE event SET ${COLUMNS.slice(1)
  .map((name) => `${name} = ?`)
  .join(', ')} WHERE id = ?`;

/** Hidden events are in no list, so no total counts them. */
export function countEdges(edges: EdgeCountChanges, event: Indexed, by: 1 | -1): void {
  if (column(event, 'hidden') === 1) return;
  edges.add(column(event, 'status'), column(event, 'starts_at'), column(event, 'ends_at'), by);
}
