// The filters of an event query as SQL. Each has a condition on `e`, the event; some can also lead: they find the
// candidates in an index of their own, so that no other event is read.
import type { FilterFlag } from '../../domain/calendar-event.ts';
import { EVENT_STATUSES, type EventStatus } from '../../domain/event-status.ts';
import { degreesOfLatitude, distanceKm } from '../distance.ts';
import { EVENT_FLAGS, statusCode } from '../documents.ts';
import {
  type EventAccess,
  type EventQuery,
  looksBehindMasks,
  type Nearby,
  type TextSearch,
  type TimeRanges,
  type Visibility,
} from '../queries.ts';
import { searchWord, type TokenPattern, tokenPatterns } from '../search-text.ts';
import type { Connection, Value } from './connection.ts';
import { type EventSet, emptyBitmap, intersection, isMember, sizeOf, union, unpackInto } from './event-sets.ts';
import {
  eventStatusCode,
  FREE_LINKS,
  kindCode,
  type LinkKind,
  ONLINE_LINKS,
  STATUS_LINKS,
  statusList,
} from './schema.ts';

/** A piece of SQL with the values of its question marks. */
export interface Sql {
  readonly text: string;
  readonly values: readonly Value[];
}

export interface EventFilter {
  readonly condition: Sql;
  /**
   * A SELECT of all `id`s that match the condition (at least those within the time ranges), possibly with duplicates.
   */
  readonly lead?: Sql;
  /** How many entries of an index the condition may look up for one event; absent: one. */
  readonly lookups?: number;
}

const sql = (text: string, ...values: Value[]): Sql => ({ text, values });

/** Joins pieces with a separator. */
export const joined = (pieces: readonly Sql[], between: string): Sql => ({
  text: pieces.map(({ text }) => text).join(between),
  values: pieces.flatMap(({ values }) => values),
});

/** Posts (by an alias) that a reader may see. */
export function visible(alias: string, { statuses, own }: Visibility): Sql {
  const open = `${alias}.status IN (${statusList(statuses)})`;
  if (!own) return sql(open);
  return sql(`(${open} OR ${alias}.author = ? AND ${alias}.status IN (${statusList(own.statuses)}))`, own.author);
}

/** The time ranges as conditions on an alias; open ends are left out. */
function within(ranges: TimeRanges): Sql {
  const limits: readonly (readonly [condition: string, value: number])[] = [
    ['e.starts_at >= ?', ranges.startFrom],
    ['e.starts_at <= ?', ranges.startTo],
    ['e.ends_at >= ?', ranges.endFrom],
    ['e.ends_at <= ?', ranges.endTo],
  ];
  const finite = limits.filter(([, value]) => Number.isFinite(value));
  return joined([sql('1'), ...finite.map(([text, value]) => sql(text, value))], ' AND ');
}

/** Events (by an alias) without a password, or whose password the reader does not need. */
const unmasked = (alias: string, visibility: Visibility): Sql =>
  joined([sql(`(${alias}.protected = 0 OR`), visible(alias, visibility), sql(')')], ' ');

/** Events (by an alias) whose links a reader may know. */
export const accessible = (alias: string, access: EventAccess): Sql =>
  joined([visible(alias, access.visible), unmasked(alias, access.unmasked)], ' AND ');

/** What every list requires: not hidden, visible, in time, and not protected if filters look behind the password. */
export function always(query: EventQuery, ranges: TimeRanges): Sql {
  const open = [sql('e.hidden = 0'), visible('e', query.visibility), within(ranges)];
  return joined(looksBehindMasks(query) ? [...open, unmasked('e', query.unmasked)] : open, ' AND ');
}

/** The links of some targets whose start is within limits. */
function linked(links: Sql, lookups: number, ranges: TimeRanges): EventFilter {
  return {
    lookups,
    condition: joined(
      [sql('EXISTS (SELECT 1 FROM'), links, sql('AND l.starts_at = e.starts_at AND l.event_id = e.id)')],
      ' ',
    ),
    lead: joined(
      [
        sql('SELECT l.event_id AS id FROM'),
        links,
        sql('AND l.starts_at >= ? AND l.starts_at <= ?', ranges.startFrom, ranges.startTo),
      ],
      ' ',
    ),
  };
}

/** So many numbers have a statement of their own; more are unpacked from one value, which takes longer for few. */
const MAX_SPELT_OUT = 4;

/** That the number before it is one of these. */
export function oneOf(numbers: readonly number[]): Sql {
  if (numbers.length === 1) return sql('= ?', ...numbers);
  if (numbers.length <= MAX_SPELT_OUT) return sql(`IN (${numbers.map(() => '?').join(', ')})`, ...numbers);
  return sql('IN (SELECT value FROM json_each(?))', JSON.stringify(numbers));
}

const targets = (kind: LinkKind, ids: readonly number[]): Sql =>
  joined([sql(`l.kind = ${kindCode(kind)} AND l.target`), oneOf(ids)], ' ');

const linkedToTerms = (kind: 'category' | 'tag', ids: readonly number[], ranges: TimeRanges): EventFilter =>
  linked(joined([sql('event_link l WHERE'), targets(kind, ids)], ' '), ids.length, ranges);

/** Scheduled events have no such link: these are found by excluding all others. */
function ofStatus(statuses: readonly EventStatus[], ranges: TimeRanges): EventFilter {
  const isScheduledToo = statuses.includes('scheduled');
  const targets = EVENT_STATUSES.filter(
    (status) => status !== 'scheduled' && statuses.includes(status) !== isScheduledToo,
  );
  const codes = targets.map(eventStatusCode).join(', ');
  const filter = linked(sql(`event_link l WHERE l.kind = ${STATUS_LINKS} AND l.target IN (${codes})`), 1, ranges);
  return isScheduledToo ? not(filter) : filter;
}

const not = ({ condition }: EventFilter): EventFilter => ({ condition: joined([sql('NOT'), condition], ' ') });

/** By whether it has a link that only says so. */
function marked(kind: typeof ONLINE_LINKS | typeof FREE_LINKS, wanted: boolean, ranges: TimeRanges): EventFilter {
  const filter = linked(sql(`event_link l WHERE l.kind = ${kind} AND l.target = 0`), 1, ranges);
  return wanted ? filter : not(filter);
}

/** A link counts while the linked post is in the same life, for readers who may see that post. */
function linkedToPosts(
  kind: 'venue' | 'organizer',
  ids: readonly number[],
  visibility: Visibility,
  ranges: TimeRanges,
): EventFilter {
  const alive = 'event_link l JOIN linked_post p ON p.kind = l.kind AND p.id = l.target AND p.life = l.life';
  const links = [sql(`${alive} WHERE`), targets(kind, ids), sql('AND'), visible('p', visibility)];
  return linked(joined(links, ' '), ids.length, ranges);
}

/** Visible venues within the radius: id, life, kilometres. */
function venuesNearby({ rows }: Connection, { lat, lng, radiusKm }: Nearby, visibility: Visibility): number[][] {
  const band = degreesOfLatitude(radiusKm);
  const seen = visible('p', visibility);
  const candidates = rows(
    `SELECT id, life, lat, lng FROM linked_post p
     WHERE kind = ${kindCode('venue')} AND lat >= ? AND lat <= ? AND ${seen.text}`,
  ).all(lat - band, lat + band, ...seen.values);
  const near: number[][] = [];
  for (const [id, life, venueLat, venueLng] of candidates) {
    const km = distanceKm({ lat, lng }, { lat: Number(venueLat), lng: Number(venueLng) });
    if (km <= radiusKm) near.push([Number(id), Number(life), km]);
  }
  return near;
}

function nearby(connection: Connection, place: Nearby, visibility: Visibility, ranges: TimeRanges): EventFilter {
  const links = `(SELECT value ->> 0 AS id, value ->> 1 AS life, value ->> 2 AS km FROM json_each(?)) n
    CROSS JOIN event_link l ON l.kind = ${kindCode('venue')} AND l.target = n.id AND l.life = n.life`;
  const near = venuesNearby(connection, place, visibility);
  const venues = JSON.stringify(near);
  return {
    lookups: near.length,
    condition: sql(`EXISTS (SELECT 1 FROM ${links} AND l.starts_at = e.starts_at AND l.event_id = e.id)`, venues),
    lead: sql(
      `SELECT l.event_id AS id, n.km FROM ${links} AND l.starts_at >= ? AND l.starts_at <= ?`,
      venues,
      ranges.startFrom,
      ranges.startTo,
    ),
  };
}

function geolocated(wanted: boolean, visibility: Visibility): EventFilter {
  const { text, values } = visible('p', visibility);
  const located = `EXISTS (SELECT 1 FROM event_detail d CROSS JOIN json_each(d.links) l
    CROSS JOIN linked_post p ON p.kind = l.value ->> 0 AND p.id = l.value ->> 1 AND p.life = l.value ->> 2
    WHERE d.event_id = e.id AND l.value ->> 0 = ${kindCode('venue')} AND p.lat IS NOT NULL AND ${text})`;
  return { condition: sql(wanted ? located : `NOT ${located}`, ...values) };
}

function flag(name: FilterFlag, wanted: boolean, ranges: TimeRanges): EventFilter {
  if (!wanted) return { condition: sql(`e.${name} = 0`) };
  const range = 'starts_at >= ? AND starts_at <= ?';
  return {
    condition: sql(`e.${name} = 1`),
    lead: sql(
      `SELECT id FROM event INDEXED BY event_${name} WHERE ${name} = 1 AND ${range}`,
      ranges.startFrom,
      ranges.startTo,
    ),
  };
}

/** The filters of a query besides visibility, time and search. */
export function eventFilters(connection: Connection, query: EventQuery, ranges: TimeRanges): EventFilter[] {
  const filters: EventFilter[] = [];
  if (query.include) {
    const list = JSON.stringify(query.include);
    const members = 'SELECT value AS id FROM json_each(?)';
    filters.push({ condition: sql(`e.id IN (${members})`, list), lead: sql(members, list) });
  }
  if (query.parent !== undefined)
    filters.push({
      condition: sql('e.parent = ?', query.parent),
      lead: sql('SELECT id FROM event WHERE parent = ?', query.parent),
    });
  if (query.venues) filters.push(linkedToPosts('venue', query.venues, query.linked.venue, ranges));
  if (query.organizers) filters.push(linkedToPosts('organizer', query.organizers, query.linked.organizer, ranges));
  if (query.nearby) filters.push(nearby(connection, query.nearby, query.linked.venue, ranges));
  if (query.tags) filters.push(linkedToTerms('tag', query.tags, ranges));
  if (query.categories) filters.push(linkedToTerms('category', query.categories, ranges));
  for (const name of EVENT_FLAGS) {
    const wanted = query[name];
    if (wanted !== undefined) filters.push(flag(name, wanted, ranges));
  }
  if (query.eventStatuses) filters.push(ofStatus(query.eventStatuses, ranges));
  if (query.isVirtual !== undefined) filters.push(marked(ONLINE_LINKS, query.isVirtual, ranges));
  if (query.isFree !== undefined) filters.push(marked(FREE_LINKS, query.isFree, ranges));
  if (query.geolocated !== undefined) filters.push(geolocated(query.geolocated, query.linked.venue));
  return filters;
}

/** Own events that public statuses do not cover, as a condition; null if there are none to add. */
export function ownBeside({ statuses, own }: Visibility): Sql | null {
  const beside = own?.statuses.filter((status) => !statuses.includes(status)) ?? [];
  if (!own || beside.length === 0) return null;
  // `event_by_author` covers unpublished events; stated explicitly so that SQLite knows that it may use it.
  const unpublished = beside.includes('publish') ? '1' : `e.status > ${statusCode('publish')}`;
  return sql(`${unpublished} AND e.author = ? AND e.status IN (${statusList(beside)})`, own.author);
}

// Which events a text search finds. The index is exact for words within one token; otherwise it gives candidates whose
// texts have to be read.

/** What the index knows about the results of a search. */
export interface Found {
  /** The candidates; null: all. */
  readonly within: EventSet | null;
  /** Excluded even so. */
  readonly outside: EventSet;
  /** The remaining condition on the text `t.text` of each; null: nothing. */
  readonly tests: Sql | null;
}

/** Uses no index: every text is tested. */
export const testedOnly = ({ words, without }: TextSearch): Found => ({
  within: null,
  outside: new Map(),
  tests: allOf([...words.map(has), ...without.map(lacks)]),
});

const has = (word: string): Sql => sql('instr(t.text, ?) > 0', searchWord(word));
const lacks = (word: string): Sql => sql('instr(t.text, ?) = 0', searchWord(word));
const allOf = (tests: readonly Sql[]): Sql | null => (tests.length === 0 ? null : joined(tests, ' AND '));

/** U+0001 is in no token. */
const AROUND = 'instr(char(1) || text || char(1), ?) > 0';

function tokensLike({ text, begins, ends }: TokenPattern): Sql {
  if (begins && ends) return sql('text = ?', text);
  if (!begins && !ends) return sql('instr(text, ?) > 0', text);
  return sql(AROUND, `${begins ? '\u0001' : ''}${text}${ends ? '\u0001' : ''}`);
}

/** Events with a token of a pattern; null: more such tokens than allowed. */
function eventsWith({ column, rows }: Connection, pattern: TokenPattern, maxTokens: number): EventSet | null {
  const { text, values } = tokensLike(pattern);
  const tokens = column(`SELECT id FROM token WHERE ${text} LIMIT ?`).all(...values, maxTokens + 1);
  if (tokens.length > maxTokens) return null;
  const events: EventSet = new Map();
  const postings = rows(
    'SELECT p.chunk, p.members FROM json_each(?) t CROSS JOIN posting p ON p.token = t.value',
  ).iterate(JSON.stringify(tokens));
  for (const [chunk, members] of postings) {
    const bitmap = events.get(Number(chunk)) ?? emptyBitmap();
    events.set(Number(chunk), bitmap);
    if (members instanceof Uint8Array) unpackInto(bitmap, members);
  }
  return events;
}

/** Events that may contain a word, and whether they certainly do; null: all may. */
function eventsWithWord(connection: Connection, word: string, maxTokens: number) {
  const patterns = tokenPatterns(searchWord(word));
  const sets = patterns.map((pattern) => eventsWith(connection, pattern, maxTokens)).filter((set) => set !== null);
  const [first, ...others] = sets;
  if (!first) return null;
  // A single pattern without anchors is the word itself.
  const exact = patterns.every(({ begins, ends }) => !begins && !ends);
  return { events: others.reduce(intersection, first), exact };
}

/**
 * Uses the index. A word that occurs in too many tokens (mostly of one or two letters) is searched for in the texts.
 */
export function found(connection: Connection, { words, without }: TextSearch, maxTokens: number): Found {
  const tests: Sql[] = [];
  let within: EventSet | null = null;
  for (const word of words) {
    const found = eventsWithWord(connection, word, maxTokens);
    if (found) within = within ? intersection(within, found.events) : found.events;
    if (!found?.exact) tests.push(has(word));
  }
  const outside: EventSet[] = [];
  for (const word of without) {
    const found = eventsWithWord(connection, word, maxTokens);
    if (found?.exact) outside.push(found.events);
    else tests.push(lacks(word));
  }
  return { within, outside: union(outside), tests: allOf(tests) };
}

/** At most this many events are found. */
export const maxFound = ({ within }: Found): number => (within ? sizeOf(within) : Infinity);

/** The matches among some ids, in the same order. */
export function filterFound({ column }: Connection, { within, outside, tests }: Found, ids: number[]): number[] {
  const candidates = ids.filter((id) => (!within || isMember(within, id)) && !isMember(outside, id));
  if (!tests || candidates.length === 0) return candidates;
  const tested = column(
    `SELECT c.value FROM json_each(?) c CROSS JOIN event_detail t ON t.event_id = c.value WHERE ${tests.text}`,
  ).all(JSON.stringify(candidates), ...tests.values);
  const passed = new Set(tested);
  return candidates.filter((id) => passed.has(id));
}
