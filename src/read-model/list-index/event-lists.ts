// Lists of events. Every event is tested by one function; a query only chooses which events to walk: those of its time, or
// those that one of its filters names.

import { EVENT_STATUSES } from '../../domain/event-status.ts';
import { POST_STATUSES, type PostStatus } from '../../domain/post.ts';
import { degreesOfLatitude, distanceKm } from '../distance.ts';
import { statusCode } from '../documents.ts';
import {
  type EventAccess,
  type EventQuery,
  isVisible,
  looksBehindMasks,
  MAX_NEWEST,
  type NewestQuery,
  type TextSearch,
  timeRanges,
  type Visibility,
} from '../queries.ts';
import {
  type EventTable,
  eventStatusIn,
  flagBit,
  statusIn,
  type Target,
  type TargetKind,
  TRAITS,
} from './event-table.ts';
import type { LinkedPosts } from './linked-posts.ts';
import { FLAGS } from './rows.ts';
import { type Compare, countWhile } from './slots.ts';
import { searched } from './words.ts';

/** Events by their slots. */
export interface FoundEvents {
  readonly slots: readonly number[];
  readonly total: number;
}

/** Phrases that the texts of all events of a result have to be looked at for. */
export type Unproven = TextSearch;

/** Either a page, or all that may match, of which the texts have to be read. */
export type EventsFound = FoundEvents & { readonly unproven: Unproven | null };

const HIDDEN = flagBit('hidden');
const PROTECTED = flagBit('protected');
const PUBLISHED = statusCode('publish');

/** Whether a reader may see the event of a slot. */
export function visibleIn({ columns }: EventTable, visibility: Visibility): (slot: number) => boolean {
  const { traits, author } = columns;
  const open = POST_STATUSES.map((status) => visibility.statuses.includes(status));
  const { own } = visibility;
  const owned = POST_STATUSES.map((status) => own?.statuses.includes(status) === true);
  return (slot) => {
    const status = statusIn(traits[slot] ?? 0);
    return open[status] === true || (owned[status] === true && author[slot] === own?.author);
  };
}

/** Whether a reader may know what the event of a slot is linked to. */
export function accessibleIn(table: EventTable, { visible, unmasked }: EventAccess): (slot: number) => boolean {
  const { traits } = table.columns;
  const [sees, looksBehind] = [visibleIn(table, visible), visibleIn(table, unmasked)];
  return (slot) => sees(slot) && (((traits[slot] ?? 0) & PROTECTED) === 0 || looksBehind(slot));
}

// Filters by traits: what each combination of them means is found once, in a table.

const NEVER = 0;
const ALWAYS = 1;
/** If it is the reader's own. */
const OWN = 2;
/** If it is the own of those who may look behind its password. */
const OWN_UNMASKED = 4;
/** No event with these traits was met yet. */
const UNKNOWN = 255;

function verdictOf(query: EventQuery, traits: number): number {
  if ((traits & HIDDEN) !== 0) return NEVER;
  for (const flag of FLAGS) {
    const wanted = flag === 'hidden' || flag === 'protected' ? undefined : query[flag];
    if (wanted !== undefined && wanted !== ((traits & flagBit(flag)) !== 0)) return NEVER;
  }
  const happens = EVENT_STATUSES[eventStatusIn(traits)];
  if (happens === undefined || query.eventStatuses?.includes(happens) === false) return NEVER;
  const status = POST_STATUSES[statusIn(traits)];
  if (status === undefined) return NEVER;
  const seen = verdictFor(query.visibility, status, OWN);
  const isMasked = (traits & PROTECTED) !== 0 && looksBehindMasks(query);
  const unmasked = isMasked ? verdictFor(query.unmasked, status, OWN_UNMASKED) : ALWAYS;
  if (seen === NEVER || unmasked === NEVER) return NEVER;
  return seen === ALWAYS && unmasked === ALWAYS ? ALWAYS : (seen | unmasked) & ~ALWAYS;
}

function verdictFor({ statuses, own }: Visibility, status: PostStatus, ifOwn: number): number {
  if (statuses.includes(status)) return ALWAYS;
  return own?.statuses.includes(status) ? ifOwn : NEVER;
}

// Filters by what events are linked to: a bit for each filter, and for each target the bits of the filters that it is one of.

const BITS = { category: 1, tag: 2, venue: 4, organizer: 8, parent: 16, nearby: 32, geolocated: 64 } as const;

interface Linked {
  /** By the number of a target. */
  readonly marks: Uint8Array;
  /** An event must have all of these bits, and none of those. */
  readonly wanted: number;
  readonly unwanted: number;
  /** The targets of each wanted filter. */
  readonly filters: readonly (readonly Target[])[];
  /** Kilometres of targets with the bit `nearby`, by their numbers. */
  readonly distances: Float64Array;
}

function linkedFilters(table: EventTable, posts: LinkedPosts, query: EventQuery): Linked {
  const marks = new Uint8Array(table.targets());
  const filters: Target[][] = [];
  const distances = new Float64Array(query.nearby ? table.targets() : 0);
  let wanted = 0;
  let unwanted = 0;

  function mark(bit: number, found: Iterable<Target | undefined>): Target[] {
    const marked: Target[] = [];
    for (const target of found) {
      if (target === undefined) continue;
      marks[target.number] = (marks[target.number] ?? 0) | bit;
      marked.push(target);
    }
    return marked;
  }

  function want(bit: number, found: Iterable<Target | undefined>): void {
    wanted |= bit;
    filters.push(mark(bit, found));
  }

  const plain = (kind: TargetKind, ids: readonly number[]) => Array.from(new Set(ids), (id) => table.target(kind, id));

  /** In their present lives, those that the reader may see. */
  function* alive(kind: 'venue' | 'organizer', ids: Iterable<number>): Generator<Target | undefined> {
    for (const id of new Set(ids)) {
      const post = posts.of(kind, id);
      if (post && isVisible(post, query.linked[kind])) yield table.target(kind, id, post.life);
    }
  }

  function* located(): Generator<Target | undefined> {
    for (const venue of posts.all('venue'))
      if (venue.coordinates && isVisible(venue, query.linked.venue)) yield table.target('venue', venue.id, venue.life);
  }

  function* near({ lat, lng, radiusKm }: NonNullable<EventQuery['nearby']>): Generator<Target | undefined> {
    const band = degreesOfLatitude(radiusKm);
    for (const venue of posts.all('venue')) {
      const place = venue.coordinates;
      if (!place || Math.abs(place.lat - lat) > band || !isVisible(venue, query.linked.venue)) continue;
      const km = distanceKm({ lat, lng }, place);
      const target = km <= radiusKm ? table.target('venue', venue.id, venue.life) : undefined;
      if (target) distances[target.number] = km;
      yield target;
    }
  }

  if (query.categories) want(BITS.category, plain('category', query.categories));
  if (query.tags) want(BITS.tag, plain('tag', query.tags));
  if (query.venues) want(BITS.venue, alive('venue', query.venues));
  if (query.organizers) want(BITS.organizer, alive('organizer', query.organizers));
  if (query.parent !== undefined) want(BITS.parent, plain('parent', [query.parent]));
  if (query.nearby) want(BITS.nearby, near(query.nearby));
  if (query.geolocated !== undefined) mark(BITS.geolocated, located());
  if (query.geolocated === true) wanted |= BITS.geolocated;
  if (query.geolocated === false) unwanted |= BITS.geolocated;
  return { marks, wanted, unwanted, filters, distances };
}

// Search.

interface Searching {
  /** By slot: what an event has that is to be found, as far as the words tell. */
  readonly marks: Uint8Array;
  readonly mark: number;
  /** At most so many are found. */
  readonly most: number;
  readonly unproven: Unproven | null;
}

/** Among the marks: not to be found. */
const EXCLUDED = 255;

function searching(table: EventTable, { words, without }: TextSearch): Searching {
  const marks = new Uint8Array(table.slots());
  const places = table.slotsOfTexts();
  const unproven = { words: [] as string[], without: [] as string[] };
  let mark = 0;
  let most = table.order.length;
  for (const word of words) {
    const { patterns, isExact } = searched(word);
    if (!isExact) unproven.words.push(word);
    for (const pattern of patterns) {
      most = table.words.mark(pattern, places, marks, mark, mark + 1, most);
      mark += 1;
    }
  }
  for (const word of without) {
    const { patterns, isExact } = searched(word);
    if (!isExact) unproven.without.push(word);
    else for (const pattern of patterns) table.words.mark(pattern, places, marks, mark, EXCLUDED, most);
  }
  const isProven = unproven.words.length + unproven.without.length === 0;
  return { marks, mark, most, unproven: isProven ? null : unproven };
}

// Walking.

/** Sorting candidates takes about so many times as long as walking as many events in order. */
const SORTING = 8;
/** With more targets, their events are not counted within the time but altogether. */
const MAX_COUNTED = 16;

interface Walk {
  /** Visits events in the order of lists, each once. */
  each(visit: (slot: number) => void): void;
}

function walkOf(
  table: EventTable,
  query: EventQuery,
  tests: (slot: number) => boolean,
  { filters }: Linked,
  search: Searching | null,
): Walk {
  const { startsAt } = table.columns;
  const ranges = timeRanges(query.bounds);
  const isBefore = (slot: number): boolean => (startsAt[slot] ?? 0) < ranges.startFrom;
  const isUpTo = (slot: number): boolean => (startsAt[slot] ?? 0) <= ranges.startTo;
  const within = ({ events }: Target | { readonly events: EventTable['order'] }) =>
    [countWhile(events, isBefore), countWhile(events, isUpTo)] as const;

  /** Those that pass, in order; each is tested before it is sorted. */
  function sorted(candidates: Iterable<number>): Walk {
    return {
      each(visit) {
        const passed = new Set<number>();
        for (const slot of candidates) if (tests(slot)) passed.add(slot);
        for (const slot of Int32Array.from(passed).sort(table.compare)) visit(slot);
      },
    };
  }

  function along(items: Int32Array, from: number, to: number): Walk {
    return {
      each(visit) {
        for (let at = from; at < to; at++) {
          const slot = items[at] ?? 0;
          if (tests(slot)) visit(slot);
        }
      },
    };
  }

  function marked({ marks, mark }: Searching): number[] {
    const found: number[] = [];
    for (let slot = marks.indexOf(mark); slot >= 0; slot = marks.indexOf(mark, slot + 1)) found.push(slot);
    return found;
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
  if (search) consider(table.slots() / SORTING + SORTING * search.most, () => sorted(marked(search)));
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

/** The one test of an event. */
function testOf(table: EventTable, query: EventQuery, linked: Linked, search: Searching | null) {
  const links = table.links();
  const { id, traits, author, startsAt, endsAt, linkFrom, linkCount } = table.columns;
  const { startFrom, startTo, endFrom, endTo } = timeRanges(query.bounds);
  const verdicts = new Uint8Array(TRAITS).fill(UNKNOWN);
  const own = query.visibility.own?.author;
  const ownUnmasked = query.unmasked.own?.author;
  const included = query.include && new Set(query.include);
  const { marks, wanted, unwanted } = linked;
  const isLinked = (wanted | unwanted) !== 0;

  return (slot: number): boolean => {
    const some = traits[slot] ?? 0;
    let verdict = verdicts[some] ?? NEVER;
    if (verdict === UNKNOWN) {
      verdict = verdictOf(query, some);
      verdicts[some] = verdict;
    }
    if (verdict === NEVER) return false;
    const start = startsAt[slot] ?? 0;
    const end = endsAt[slot] ?? 0;
    if (start < startFrom || start > startTo || end < endFrom || end > endTo) return false;
    if ((verdict & OWN) !== 0 && author[slot] !== own) return false;
    if ((verdict & OWN_UNMASKED) !== 0 && author[slot] !== ownUnmasked) return false;
    if (search !== null && search.marks[slot] !== search.mark) return false;
    if (isLinked) {
      let seen = 0;
      const from = linkFrom[slot] ?? 0;
      const to = from + (linkCount[slot] ?? 0);
      for (let at = from; at < to; at++) seen |= marks[links[at] ?? 0] ?? 0;
      if ((seen & wanted) !== wanted || (seen & unwanted) !== 0) return false;
    }
    return included === undefined || included.has(id[slot] ?? 0);
  };
}

/** Of each series only the first date; 0: of none. */
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
}

export function findEvents({ table, posts, seriesOf }: EventSources, query: EventQuery): EventsFound {
  const search = query.search ? searching(table, query.search) : null;
  const linked = linkedFilters(table, posts, query);
  const walk = walkOf(table, query, testOf(table, query, linked, search), linked, search);
  const { offset, limit } = query.page;
  const isNew = firstOfSeries();
  const isFirst = query.collapse ? (slot: number): boolean => isNew(seriesOf(slot)) : null;
  const unproven = search?.unproven ?? null;
  if (query.order === 'start' && unproven === null) {
    const slots: number[] = [];
    let total = 0;
    walk.each((slot) => {
      if (isFirst !== null && !isFirst(slot)) return;
      if (total >= offset && total < offset + limit) slots.push(slot);
      total += 1;
    });
    return { slots, total, unproven };
  }
  const all: number[] = [];
  walk.each((slot) => all.push(slot));
  // Which date is the first one is said when it is known which of them are found.
  if (unproven !== null) return { slots: inOrder(table, query, linked, all, all.length), total: all.length, unproven };
  if (isFirst === null)
    return { slots: inOrder(table, query, linked, all, offset + limit).slice(offset), total: all.length, unproven };
  const first = inOrder(table, query, linked, all, all.length).filter(isFirst);
  return { slots: first.slice(offset, offset + limit), total: first.length, unproven };
}

/** The first so many, which come in the order of lists. */
function inOrder(
  table: EventTable,
  { order }: EventQuery,
  linked: Linked,
  slots: readonly number[],
  count: number,
): readonly number[] {
  const { date, id } = table.columns;
  if (order === 'start') return slots.slice(0, count);
  if (order === 'date')
    return slots
      .toSorted((one, other) => (date[one] ?? 0) - (date[other] ?? 0) || (id[one] ?? 0) - (id[other] ?? 0))
      .slice(0, count);
  return nearest(
    slots,
    Float64Array.from(slots, (slot) => kilometres(table, linked, slot)),
    count,
  );
}

/** Of the nearest venue. */
function kilometres({ columns, links }: EventTable, { marks, distances }: Linked, slot: number): number {
  const all = links();
  const from = columns.linkFrom[slot] ?? 0;
  let km = Infinity;
  for (let at = from; at < from + (columns.linkCount[slot] ?? 0); at++) {
    const target = all[at] ?? 0;
    if (((marks[target] ?? 0) & BITS.nearby) !== 0) km = Math.min(km, distances[target] ?? Infinity);
  }
  return km;
}

/** Numbers sort much faster than places: only those up to the last that is wanted are sorted as such. */
function nearest(slots: readonly number[], km: Float64Array, count: number): readonly number[] {
  const last = km.toSorted()[Math.min(count, km.length) - 1];
  if (last === undefined) return [];
  const places: number[] = [];
  let equal = 0;
  for (let at = 0; at < slots.length; at++) if ((km[at] ?? 0) < last) places.push(at);
  equal = count - places.length;
  places.sort((one, other) => (km[one] ?? 0) - (km[other] ?? 0) || one - other);
  for (let at = 0; at < slots.length && equal > 0; at++) {
    if (km[at] !== last) continue;
    places.push(at);
    equal -= 1;
  }
  return places.flatMap((at) => slots[at] ?? []);
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

/** Published events that are not hidden, by descending publication date, then id. */
export function newestEvents({ columns, order }: EventTable, { limit }: NewestQuery): readonly number[] {
  const { date, id, traits } = columns;
  const most = Math.min(limit, MAX_NEWEST);
  const later: Compare = (one, other) => (date[other] ?? 0) - (date[one] ?? 0) || (id[other] ?? 0) - (id[one] ?? 0);
  let newest: number[] = [];
  /** None behind it is among the newest. */
  let last: number | undefined;
  for (let at = 0; at < order.length; at++) {
    const slot = order.items[at] ?? 0;
    const some = traits[slot] ?? 0;
    if (statusIn(some) !== PUBLISHED || (some & HIDDEN) !== 0) continue;
    if (last !== undefined && later(slot, last) > 0) continue;
    newest.push(slot);
    if (newest.length < 2 * most) continue;
    newest = newest.sort(later).slice(0, most);
    last = newest.at(-1);
  }
  return newest
    .sort(later)
    .slice(0, most)
    .map((slot) => id[slot] ?? 0);
}
