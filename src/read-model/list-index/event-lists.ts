// Lists of events. Every event is tested by one function; a query only chooses which events to walk: those of its time, or
// those that one of its filters names.
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { openRepeated } from '../../kernel/memory/repeated.ts';
import { statusCode } from '../documents.ts';
import { type EventExplained, type EventQuery, MAX_NEWEST, type NewestQuery, timeRanges } from '../queries.ts';
import { type Linked, linkedFilters, type Searching, searching, testOf, type Unproven } from './event-filters.ts';
import type { EventTable, Target } from './event-table.ts';
import type { LinkedPosts } from './linked-posts.ts';
import { type Compare, countWhile } from './slots.ts';
import { flagBit, statusIn } from './traits.ts';

const HIDDEN = flagBit('hidden');
const PUBLISHED = statusCode('publish');

/** Events by their slots. */
interface EventSlots {
  readonly slots: readonly number[];
  readonly total: number;
}

/** Either a page, or all that may match, of which the texts have to be read. */
export type EventMatches = EventSlots & { readonly unproven: Unproven | null };

export type EventPlace = Pick<EventExplained, 'place' | 'total'>;

// Walking.

/** Sorting candidates takes about so many times as long as walking as many events in order. */
const SORTING = 8;
/** With more targets, their events are not counted within the time but altogether. */
const MAX_COUNTED = 16;

interface Walk {
  /** Visits events in the order of lists, each once, until one returns false. */
  each(visit: (slot: number) => boolean): void;
  /** A page of it, where not all have to be visited to count them. */
  readonly pageOf?: (page: EventQuery['page']) => EventSlots;
}

/** Events that pass tests, each visited once; the filters and the time of the query say which are tested. */
export function walkOf(
  table: EventTable,
  query: EventQuery,
  tests: (slot: number) => boolean,
  { filters }: Linked,
  search: Searching | null,
): Walk {
  const { startsAt } = table.columns;
  const ranges = timeRanges(query.bounds);
  // What ends from then on has not begun earlier than the longest event lasts.
  const startFrom = Math.max(ranges.startFrom, ranges.endFrom - table.longest());
  const isBefore = (slot: number): boolean => (startsAt[slot] ?? 0) < startFrom;
  const isUpTo = (slot: number): boolean => (startsAt[slot] ?? 0) <= ranges.startTo;
  const within = ({ events }: Target | { readonly events: EventTable['order'] }) =>
    [countWhile(events, isBefore), countWhile(events, isUpTo)] as const;

  /** Those that pass, in order; each is tested before it is sorted. */
  function sorted(candidates: Iterable<number>): Walk {
    return {
      each(visit) {
        const passed = new Set<number>();
        for (const slot of candidates) if (tests(slot)) passed.add(slot);
        for (const slot of Int32Array.from(passed).sort(table.compare)) if (!visit(slot)) return;
      },
    };
  }

  function along(items: Int32Array, from: number, to: number): Walk {
    return {
      each(visit) {
        for (let at = from; at < to; at++) {
          const slot = items[at] ?? 0;
          if (tests(slot) && !visit(slot)) return;
        }
      },
    };
  }

  function* marked(marks: Uint8Array, mark: number): Generator<number> {
    const slots = table.slotsOfTexts();
    for (let text = marks.indexOf(mark); text >= 0; text = marks.indexOf(mark, text + 1)) {
      const slot = slots[text] ?? -1;
      if (slot >= 0) yield slot;
    }
  }

  function* inTime(targets: readonly Target[]): Generator<number> {
    for (const target of targets) {
      const [from, to] = within(target);
      yield* target.events.items.subarray(from, to);
    }
  }

  const [first, last] = within({ events: table.order });
  let best = along(table.order.items, first, last);
  let cost = last - first;
  const consider = (costs: number, make: () => Walk): void => {
    if (costs >= cost) return;
    cost = costs;
    best = make();
  };
  for (const targets of filters) {
    const [only] = targets;
    if (only && targets.length === 1) {
      const [from, to] = within(only);
      consider(to - from, () => along(only.events.items, from, to));
      continue;
    }
    const isCounted = targets.length <= MAX_COUNTED;
    const size = targets.reduce((sum, target) => {
      const [from, to] = isCounted ? within(target) : [0, target.events.length];
      return sum + to - from;
    }, 0);
    consider(SORTING * size, () => sorted(inTime(targets)));
  }
  // Looking through the marks is faster than walking.
  if (search?.marks) {
    const { marks, mark, most } = search;
    consider(marks.length / SORTING + SORTING * most, () => sorted(marked(marks, mark)));
  }
  const { include } = query;
  if (include) consider(SORTING * include.length, () => sorted(include.flatMap((id) => table.slotOf(id) ?? [])));
  if (ranges.endFrom > ranges.startFrom) {
    const { endsAt } = table.columns;
    const ended = countWhile(table.byEnd, (slot) => (endsAt[slot] ?? 0) < ranges.endFrom);
    const { items, length } = table.byEnd;
    consider(SORTING * (length - ended), () => sorted(items.subarray(ended, length)));
  }
  return best;
}

/** Passes only the first date of each series; 0: an event is a date of none. */
export function firstOfSeries(): (series: number) => boolean {
  const passed = new Set<number>();
  return (series) => {
    if (series === 0) return true;
    if (passed.has(series)) return false;
    passed.add(series);
    return true;
  };
}

export interface EventSources {
  readonly table: EventTable;
  readonly posts: LinkedPosts;
  /** The series that the event of a slot is a date of; 0: none. */
  readonly seriesOf: (slot: number) => number;
  /** Another number whenever anything changes. */
  state: number;
}

// Pages of a list follow one another, and each has its total, for which all events are walked: 1 to 5 ms of 100,000. A list of
// which a page was read lately is kept with the next one, until anything changes. All indexes of a process share the room.

/** Bytes of slots and of queries. */
const MAX_KEPT_BYTES = 2 ** 22;
const MAX_KEPT_LISTS = 64;
/** Lists that are remembered to have been read. */
const REMEMBERED = 1_024;

/** The slots of all events, by the state of an index and a query without its page. */
const wholeLists = new LRUCache<string, Int32Array>({
  max: MAX_KEPT_LISTS,
  maxSize: MAX_KEPT_BYTES,
  sizeCalculation: ({ byteLength }, key) => byteLength + 2 * key.length,
});
const isRepeated = openRepeated(REMEMBERED);
let states = 0;

/** The number of the state of an index that has changed: lists of former states are not found any more, and make room for others. */
export const nextState = (): number => ++states;

// Counting. Everything of a time that the public may see is what is listed most: it is counted by two searches instead of a walk, which
// took 270 us of 100,000 events.

interface Counts {
  readonly changes: number;
  /** By place in `order` and in `byEnd`: how many of those before are published and not hidden. */
  readonly inOrder: Int32Array;
  readonly inEnds: Int32Array;
}

const countsOf = new WeakMap<EventTable, Counts>();

function counted({ columns }: EventTable, { items, length }: EventTable['order']): Int32Array {
  const counts = new Int32Array(length + 1);
  for (let at = 0; at < length; at++) {
    const traits = columns.traits[items[at] ?? 0] ?? 0;
    const isShown = statusIn(traits) === PUBLISHED && (traits & HIDDEN) === 0;
    counts[at + 1] = (counts[at] ?? 0) + Number(isShown);
  }
  return counts;
}

function countsFor(table: EventTable): Counts {
  const cached = countsOf.get(table);
  if (cached?.changes === table.changes()) return cached;
  const counts = {
    changes: table.changes(),
    inOrder: counted(table, table.order),
    inEnds: counted(table, table.byEnd),
  };
  countsOf.set(table, counts);
  return counts;
}

/** What a query has without filters. */
const COUNTED: ReadonlySet<string> = new Set(['visibility', 'unmasked', 'linked', 'page', 'bounds', 'order']);

/** How many events a query finds; null: they have to be walked. An end must be so far away that no event lasts from before the start until after it. */
function totalOf(table: EventTable, query: EventQuery): number | null {
  const { statuses, own } = query.visibility;
  const isPublic = own === null && statuses.length === 1 && statuses[0] === 'publish';
  const { startFrom, endTo, endFrom, startTo } = timeRanges(query.bounds);
  const isOpen = endTo === Number.POSITIVE_INFINITY || (startTo >= endTo && endTo - startFrom >= table.longest());
  if (
    !isPublic ||
    !isOpen ||
    endFrom > startFrom ||
    query.order !== 'start' ||
    Object.keys(query).some((name) => !COUNTED.has(name))
  )
    return null;
  const { startsAt, endsAt } = table.columns;
  const { inOrder, inEnds } = countsFor(table);
  const first = countWhile(table.order, (slot) => (startsAt[slot] ?? 0) < startFrom);
  if (endTo === Number.POSITIVE_INFINITY) {
    const last = countWhile(table.order, (slot) => (startsAt[slot] ?? 0) <= startTo);
    return Math.max(0, (inOrder[last] ?? 0) - (inOrder[first] ?? 0));
  }
  const ended = countWhile(table.byEnd, (slot) => (endsAt[slot] ?? 0) <= endTo);
  // None of those that start before also end after.
  return (inEnds[ended] ?? 0) - (inOrder[first] ?? 0);
}

/** Events that pass all tests, in the order of the query. */
function ordered({ table, posts }: EventSources, query: EventQuery, search: Searching | null): Walk {
  const linked = linkedFilters(table, posts, query);
  const walk = walkOf(table, query, testOf(table, query, linked, search), linked, search);
  if (query.order === 'date') return byDate(table, walk);
  return query.order === 'distance' && query.nearby ? nearestFirst(table, linked, walk) : walk;
}

/** Only lists of events by their ids are in this order, which are few. */
const byDate = (table: EventTable, walk: Walk): Walk => ({
  each(visit) {
    const slots: number[] = [];
    walk.each((slot) => slots.push(slot) > 0);
    for (const slot of slots.sort(lastPublished(table)).reverse()) if (!visit(slot)) return;
  },
});

const lastPublished =
  ({ columns: { date, id } }: EventTable): Compare =>
  (one, other) =>
    (date[other] ?? 0) - (date[one] ?? 0) || (id[other] ?? 0) - (id[one] ?? 0);

/** The first ones by an order, without all of them being sorted. */
export function firstBy<Item>(later: (one: Item, other: Item) => number, items: Iterable<Item>, most: number): Item[] {
  let latest: Item[] = [];
  /** None behind it is among them. */
  let last: Item | undefined;
  for (const item of items) {
    if (last !== undefined && later(item, last) > 0) continue;
    latest.push(item);
    if (latest.length < 2 * most) continue;
    latest = latest.sort(later).slice(0, most);
    last = latest.at(-1);
  }
  return latest.sort(later).slice(0, most);
}

const PASSED = 1;
const TAKEN = 2;

/**
 * The events of one venue after the other: events are neither measured nor sorted, which took 20 ms of 100,000. Events with
 * several venues count at the nearest, and those of venues that are equally far are in the order of lists.
 */
function nearestFirst(table: EventTable, { near }: Linked, walk: Walk): Walk {
  const { order, compare } = table;

  function slotsOf(venues: readonly Target[], marks: Uint8Array): number[] {
    const slots: number[] = [];
    for (const { events } of venues)
      for (let at = 0; at < events.length; at++) {
        const slot = events.items[at] ?? 0;
        if (marks[slot] !== PASSED) continue;
        marks[slot] = TAKEN;
        slots.push(slot);
      }
    if (venues.length === 1) return slots;
    if (SORTING * slots.length < order.length) return slots.sort(compare);
    const some = new Set(slots);
    return Array.from(order.items.subarray(0, order.length)).filter((slot) => some.has(slot));
  }

  function visitNearest(begun: (total: number) => void, visit: (slot: number) => boolean): void {
    const marks = new Uint8Array(table.slots());
    let left = 0;
    walk.each((slot) => {
      marks[slot] = PASSED;
      left += 1;
      return true;
    });
    begun(left);
    const nearest = near.toSorted((one, other) => one.km - other.km);
    for (let from = 0, to = 0; left > 0 && from < nearest.length; from = to) {
      while (to < nearest.length && nearest[to]?.km === nearest[from]?.km) to += 1;
      const venues = nearest.slice(from, to).map(({ target }) => target);
      const slots = slotsOf(venues, marks);
      left -= slots.length;
      for (const slot of slots) if (!visit(slot)) return;
    }
  }

  return {
    each: (visit) => visitNearest(() => {}, visit),
    pageOf({ offset, limit }) {
      const slots: number[] = [];
      let total = 0;
      const begun = (all: number): void => {
        total = all;
      };
      if (limit > 0) visitNearest(begun, (slot) => slots.push(slot) < offset + limit);
      else walk.each(() => ++total > 0);
      return { slots: slots.slice(offset), total };
    },
  };
}

/**
 * Visits a list until that returns false, of each series only the first if it is collapsed; answers how many were visited.
 */
function visited(
  { seriesOf }: EventSources,
  { collapse }: EventQuery,
  walk: Walk,
  visit: (slot: number, rank: number) => boolean,
): number {
  const isFirst = firstOfSeries();
  let count = 0;
  walk.each((slot) => {
    if (collapse && !isFirst(seriesOf(slot))) return true;
    return visit(slot, count++);
  });
  return count;
}

export function findEvents(sources: EventSources, query: EventQuery): EventMatches {
  const { page, ...list } = query;
  const { offset, limit } = page;
  const unpaged = JSON.stringify(list);
  const key = `${sources.state} ${unpaged}`;
  const whole = wholeLists.get(key);
  if (whole) return { slots: [...whole.subarray(offset, offset + limit)], total: whole.length, unproven: null };
  const search = searching(sources.table, query);
  const slots: number[] = [];
  const unproven = search?.unproven ?? null;
  if (unproven !== null) {
    // Which date is the first one is said when it is known which of them are found.
    ordered(sources, query, search).each((slot) => slots.push(slot) > 0);
    return { slots, total: slots.length, unproven };
  }
  const walk = ordered(sources, query, search);
  if (walk.pageOf && !query.collapse) return { ...walk.pageOf(page), unproven };
  const knownTotal = totalOf(sources.table, query);
  const all: number[] = [];
  const isKept = knownTotal === null && isRepeated(crc32(unpaged));
  const total = visited(sources, query, walk, (slot, rank) => {
    if (rank >= offset && rank < offset + limit) slots.push(slot);
    if (isKept) all.push(slot);
    return knownTotal === null || rank + 1 < offset + limit;
  });
  if (isKept) wholeLists.set(key, Int32Array.from(all));
  return { slots, total: knownTotal ?? total, unproven };
}

/** Where an event is in a list. Null: the texts of all that may match have to be read. */
export function placeOf(sources: EventSources, query: EventQuery, id: number): EventPlace | null {
  const search = searching(sources.table, query);
  if (search?.unproven) return null;
  const target = sources.table.slotOf(id);
  let place: number | null = null;
  const total = visited(sources, query, ordered(sources, query, search), (slot, rank) => {
    if (slot === target) place = rank + 1;
    return true;
  });
  return { place, total };
}

/** The next start or end after an instant, of any event; null: there is none. */
export function nextEdge({ columns, order, byEnd }: EventTable, now: number): number | null {
  const { startsAt, endsAt } = columns;
  const start = countWhile(order, (slot) => (startsAt[slot] ?? 0) <= now);
  const end = countWhile(byEnd, (slot) => (endsAt[slot] ?? 0) <= now);
  const edges = [
    ...(start < order.length ? [startsAt[order.items[start] ?? 0] ?? 0] : []),
    ...(end < byEnd.length ? [endsAt[byEnd.items[end] ?? 0] ?? 0] : []),
  ];
  return edges.length === 0 ? null : Math.min(...edges);
}

/** Those that were published last; all that may match, in any order, if their texts have to be read. */
export function newestEvents(sources: EventSources, { limit, of }: NewestQuery): EventMatches {
  const { table } = sources;
  const { traits } = table.columns;
  const search = of ? searching(table, of) : null;
  const slots: number[] = [];
  const add = (slot: number): boolean => slots.push(slot) > 0;
  if (of) ordered(sources, { ...of, order: 'start' }, search).each(add);
  else
    for (const slot of table.order.items.subarray(0, table.order.length)) {
      const some = traits[slot] ?? 0;
      if (statusIn(some) === PUBLISHED && (some & HIDDEN) === 0) add(slot);
    }
  const unproven = search?.unproven ?? null;
  const last = unproven === null ? firstBy(lastPublished(table), slots, Math.min(limit, MAX_NEWEST)) : slots;
  return { slots: last, total: slots.length, unproven };
}
