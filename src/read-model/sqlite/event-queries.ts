// Pages of events. Each query first finds its cheapest plan: the time index, or a filter's own.
import type { DocumentKey, EventDocument } from '../documents.ts';
import { type EventQuery, type PageOf, type TextSearch, type TimeRanges, timeRanges } from '../queries.ts';
import { type Connection, numberOf } from './connection.ts';
import { readListedEvents } from './document-rows.ts';
import { edgeCounts } from './edge-counts.ts';
import {
  always,
  type EventFilter,
  eventFilters,
  type Found,
  filterFound,
  found,
  joined,
  maxFound,
  oneOf,
  ownBeside,
  type Sql,
  testedOnly,
} from './event-filters.ts';
import { membersOf } from './event-sets.ts';
import { firstOfFound, withoutLater } from './first-of-series.ts';
import { listLinked } from './linked-lists.ts';
import { documentRow, statusList } from './schema.ts';
import { listInWindow } from './window-lists.ts';
import { MAX_WINDOW, windowOf } from './windows.ts';

const count = (connection: Connection, { text, values }: Sql): number => numberOf(connection, text, ...values);

const sql = (text: string, ...values: Sql['values']): Sql => ({ text, values });

/** Walks the events in the order of their starts. */
const BY_START = 'event e INDEXED BY event_by_start';

/** A candidate that is found by its id costs about as much as this many along the time index. */
const LOOKUP_COST = 4;

/** So many look-ups in an index take about as long as it takes to make a set of the events that one filter names. */
const MAX_LOOKUPS = 1_000_000;

/** With so few candidates their texts are read, which is faster than the search index. */
const FEW = 100;

/** A query being answered: its conditions, and what is known about its size. */
interface Plan {
  readonly query: EventQuery;
  readonly base: Sql;
  readonly filters: readonly EventFilter[];
  /** All that are visible and in time; null: not counted, because the leader has few candidates. */
  readonly inTime: number | null;
  /** The filter with the cheapest candidates; null: all events in time. */
  readonly leader: EventFilter | null;
  /** How many candidates that is. */
  readonly cost: number;
}

/** The number of visible events in time, ignoring other filters. */
function countInTime(connection: Connection, query: EventQuery, ranges: TimeRanges, base: Sql): number {
  const open = edgeCounts(connection, statusList(query.visibility.statuses)).within(ranges);
  const own = ownBeside(query.visibility);
  if (!own) return open;
  return open + count(connection, joined([sql('SELECT count(*) FROM event e WHERE'), own, sql('AND'), base], ' '));
}

/** The first filter with at most so many candidates, which it then names itself; null if none has so few. */
function withFew({ column }: Connection, filters: readonly EventFilter[], most: number) {
  for (const filter of filters) {
    if (!filter.lead) continue;
    const found = column(`SELECT id FROM (${filter.lead.text}) LIMIT ?`).all(...filter.lead.values, most + 1);
    if (found.length > most) continue;
    const lead = sql('SELECT value AS id FROM json_each(?)', JSON.stringify([...new Set(found)]));
    return { filter, leader: { ...filter, lead }, cost: found.length };
  }
  return null;
}

/**
 * Counts the candidates of each filter, never further than the best so far or than `ceiling`, so choosing costs no more
 * than the choice.
 */
function plan(connection: Connection, query: EventQuery, { candidates: ceiling, few: most }: Effort): Plan {
  const ranges = timeRanges(query.bounds);
  const base = always(query, ranges);
  const filters = eventFilters(connection, query, ranges);
  // Distances are found with the candidates of their filter, few or many.
  const few = query.order === 'distance' ? null : withFew(connection, filters, most);
  if (few) {
    const others = filters.filter((filter) => filter !== few.filter);
    return { query, base, filters: [few.leader, ...others], inTime: null, leader: few.leader, cost: few.cost };
  }
  const inTime = countInTime(connection, query, ranges, base);
  let leader: EventFilter | null = null;
  let cost = inTime;
  for (const filter of filters) {
    if (!filter.lead) continue;
    const { text, values } = filter.lead;
    const max = Math.min(cost, ceiling + 1);
    const limited = sql(`SELECT count(*) FROM (SELECT 1 FROM (${text}) LIMIT ?)`, ...values, max);
    const costs = count(connection, limited);
    if (costs >= max) continue;
    leader = filter;
    cost = costs;
  }
  return { query, base, filters, inTime, leader, cost };
}

/** The conditions on so many candidates. A filter with hundreds of targets names its events once instead of testing each. */
function conditions(base: Sql, filters: readonly EventFilter[], candidates: number): Sql {
  const tests = filters.map(({ condition, lead, lookups = 1 }) =>
    lead && lookups * candidates > MAX_LOOKUPS
      ? sql(`e.id IN (SELECT id FROM (${lead.text}))`, ...lead.values)
      : condition,
  );
  return joined([base, ...tests], ' AND ');
}

/** `FROM … WHERE …` over the candidates of a filter. `d` has each candidate once. */
function led({ base, filters, cost }: Plan, leader: EventFilter | null, lead: Sql): Sql {
  const others = filters.filter((filter) => filter !== leader);
  return joined(
    [sql('FROM ('), lead, sql(') d CROSS JOIN event e ON e.id = d.id WHERE'), conditions(base, others, cost)],
    ' ',
  );
}

/** Each candidate of a leading filter once. */
const once = (lead: Sql): Sql => sql(`SELECT DISTINCT id FROM (${lead.text})`, ...lead.values);

/** Over events in the order of their starts; so many are expected to be looked at. */
const alongTime = ({ base, filters, cost }: Plan, candidates = cost): Sql =>
  joined([sql(`FROM ${BY_START} WHERE`), conditions(base, filters, candidates)], ' ');

function total(connection: Connection, planned: Plan, inTime: number): number {
  const { leader, filters, cost } = planned;
  if (filters.length === 0 || inTime === 0) return inTime;
  if (cost === 0) return 0;
  const from = leader?.lead ? led(planned, leader, once(leader.lead)) : alongTime(planned);
  return count(connection, joined([sql('SELECT count(*)'), from], ' '));
}

const ORDERS = {
  start: 'e.starts_at, e.date, e.id',
  date: 'e.date, e.id',
  distance: 'd.km, e.starts_at, e.date, e.id',
} as const;

/** Candidates of a nearby filter with the distance to their nearest venue. */
function byDistance(planned: Plan): Sql | null {
  const leader = planned.filters.find(({ lead }) => lead?.text.includes('n.km'));
  if (planned.query.order !== 'distance' || !leader?.lead) return null;
  const { text, values } = leader.lead;
  return led(planned, leader, sql(`SELECT id, min(km) AS km FROM (${text}) GROUP BY id`, ...values));
}

function pageSource(planned: Plan, matches: number, inTime: number): Sql {
  const { query, leader, cost } = planned;
  // Assumes that matches are evenly distributed: how many are walked until the page is full.
  const walk = Math.min(inTime, ((query.page.offset + query.page.limit) * inTime) / matches);
  if (!leader?.lead || (query.order === 'start' && walk < cost))
    return alongTime(planned, query.order === 'start' ? walk : cost);
  return led(planned, leader, once(leader.lead));
}

/** The sort key of candidates that come without a distance. */
const orderOf = ({ order }: EventQuery): string => (order === 'distance' ? ORDERS.start : ORDERS[order]);

function pageIds({ column }: Connection, planned: Plan, source: Sql): number[] {
  const { query } = planned;
  const nearest = byDistance(planned);
  const { text, values } = joined(
    [
      sql('SELECT e.id'),
      nearest ?? source,
      sql(
        `ORDER BY ${nearest ? ORDERS.distance : orderOf(query)} LIMIT ? OFFSET ?`,
        query.page.limit,
        query.page.offset,
      ),
    ],
    ' ',
  );
  return column(text)
    .all(...values)
    .map(Number);
}

/** The rows in which to search: those of the search index if they are few, otherwise those of the plan. */
function searchSource(planned: Plan, finds: Found): Sql {
  const { leader, cost } = planned;
  if (finds.within && maxFound(finds) * LOOKUP_COST < cost) {
    const own = sql('SELECT value AS id FROM json_each(?)', JSON.stringify(membersOf(finds.within)));
    return led(planned, null, own);
  }
  return leader?.lead ? led(planned, leader, once(leader.lead)) : alongTime(planned);
}

/** All results of a search, in order: to count them, each has to be checked anyway. */
function searched(connection: Connection, planned: Plan, search: TextSearch): number[] {
  if (planned.cost === 0) return [];
  const { query } = planned;
  // A token costs about as much as a text: with more tokens than texts, reading the texts is faster.
  const finds = planned.cost <= FEW ? testedOnly(search) : found(connection, search, planned.cost);
  const nearest = byDistance(planned);
  const source = nearest ?? searchSource(planned, finds);
  const order = nearest ? ORDERS.distance : orderOf(query);
  const { text, values } = joined([sql('SELECT e.id'), source, sql(`ORDER BY ${order}`)], ' ');
  const ids = connection
    .column(text)
    .all(...values)
    .map(Number);
  return filterFound(connection, finds, ids);
}

/** All results, in order, of a plan that nothing was counted for. */
function allOfFew({ column }: Connection, planned: Plan): number[] {
  const { leader, cost, query } = planned;
  if (cost === 0 || !leader?.lead) return [];
  const { text, values } = led(planned, leader, leader.lead);
  return column(`SELECT e.id ${text} ORDER BY ${orderOf(query)}`)
    .all(...values)
    .map(Number);
}

/** All results, in order, of each series only the first: to count them, each has to be looked at. */
function firstOfSeries(connection: Connection, planned: Plan): number[] {
  const { query, leader, cost } = planned;
  if (cost === 0) return [];
  const nearest = byDistance(planned);
  const source = nearest ?? (leader?.lead ? led(planned, leader, once(leader.lead)) : alongTime(planned));
  const order = nearest ? ORDERS.distance : orderOf(query);
  const { text, values } = joined([sql('SELECT e.id, e.parent'), source, sql(`ORDER BY ${order}`)], ' ');
  return withoutLater(connection, connection.rows(text).all(...values));
}

/** Whether a plan reads more than this many candidates, or walks more to get to its page. */
function exceeds({ query, filters, cost }: Plan, ceiling: number): boolean {
  if (ceiling === Infinity) return false;
  // Each word is searched for among all tokens, or in texts of any length.
  if (query.search || query.collapse) return cost > 0;
  const { offset, limit } = query.page;
  const isCounted = filters.length === 0 && query.search === undefined && query.order === 'start';
  return (isCounted ? Math.min(cost, offset + limit) : cost) > ceiling;
}

/** An event in memory is looked at at least so many times faster than one in the file. */
const WINDOW_GAIN = 64;

/** From a window in memory, where one filter at most would look at many events; null: not so, or there is none. */
function inMemory(connection: Connection, planned: Plan, { many }: Effort): PageOf<number> | null {
  const { query, base, filters, inTime, leader, cost } = planned;
  const [filter = null, ...others] = filters;
  const isOne = others.length === 0 && filter === leader && query.order === 'start';
  const isCounted = filter === null && !query.search && !query.collapse;
  const isMost = inTime !== null && inTime <= MAX_WINDOW && cost * WINDOW_GAIN > inTime;
  if (cost <= many || !isMost || !isOne || isCounted) return null;
  const window = windowOf(connection, base);
  return window && listInWindow(connection, window, { query, lead: filter?.lead ?? null, maxTokens: cost });
}

/** The ids of a page of events with the total; null if that would read more candidates than it may. */
export function findEvents(connection: Connection, query: EventQuery, effort: Effort): PageOf<number> | null {
  const linked = listLinked(connection, query, effort.linked);
  if (linked) return linked;
  const planned = plan(connection, query, effort);
  if (exceeds(planned, effort.candidates)) return null;
  const listed = inMemory(connection, planned, effort);
  if (listed) return listed;
  const { limit, offset } = query.page;
  if (query.search) {
    const all = searched(connection, planned, query.search);
    const ids = query.collapse ? firstOfFound(connection, all) : all;
    return { items: ids.slice(offset, offset + limit), total: ids.length };
  }
  if (query.collapse) {
    const ids = firstOfSeries(connection, planned);
    return { items: ids.slice(offset, offset + limit), total: ids.length };
  }
  if (planned.inTime === null) {
    const ids = allOfFew(connection, planned);
    return { items: ids.slice(offset, offset + limit), total: ids.length };
  }
  const matches = total(connection, planned, planned.inTime);
  if (limit === 0 || offset >= matches) return { items: [], total: matches };
  return { items: pageIds(connection, planned, pageSource(planned, matches, planned.inTime)), total: matches };
}

/**
 * The documents of such a page; also null if they have more than `maxBytes`. Without a place, the order `distance` is
 * that by start.
 */
export function listEvents(connection: Connection, query: EventQuery, effort: Effort): PageOf<EventDocument> | null {
  const found = findEvents(connection, query, effort);
  if (found === null) return null;
  const items = readListedEvents(connection, found.items, effort.bytes);
  return items && { items, total: found.total };
}

/** The work that a query may do in the calling thread. */
export interface Effort {
  readonly candidates: number;
  readonly bytes: number;
  /** With so few candidates of one filter the others are tested at once: looking for a better plan takes longer. */
  readonly few: number;
  /** With more candidates than this they are looked for in memory; see windows.ts. */
  readonly many: number;
  /** With at most so many events they are cached for each target of a filter; see linked-events.ts. */
  readonly linked: number;
}

export const UNLIMITED: Effort = { candidates: Infinity, bytes: Infinity, few: 200, many: 2_000, linked: 4_000 };
/** Some milliseconds. */
export const BRIEF: Effort = { ...UNLIMITED, candidates: 2_000, bytes: 500_000 };

/** Whether documents are longer together than a query may read in the calling thread: reading a megabyte takes 10 ms. */
export function isLong(connection: Connection, keys: readonly DocumentKey[], { bytes }: Effort): boolean {
  return keys.length > 0 && bytes !== Infinity && bytesOf(connection, keys) > bytes;
}

/** Of the largest part of each document. SQLite knows it without reading them. */
function bytesOf(connection: Connection, keys: readonly DocumentKey[]): number {
  const { text, values } = oneOf(keys.map(documentRow));
  return numberOf(connection, `SELECT sum(octet_length(full)) FROM document WHERE row ${text}`, ...values);
}

/** The next start or end of any event after an instant, in UTC seconds. */
export function nextEdge({ column }: Connection, now: number): number | null {
  const edge = column(
    `SELECT min(edge) FROM (
       SELECT (SELECT min(starts_at) FROM event WHERE starts_at > ?) AS edge
       UNION ALL SELECT (SELECT min(ends_at) FROM event WHERE ends_at > ?))`,
  ).get(now, now);
  return edge == null ? null : Number(edge);
}
