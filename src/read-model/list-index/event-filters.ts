// The filters of a query as one test of an event: by its traits, its time, its words and what it is linked to.
// decision 12: rights are a part of the query.

import { LABEL_PARAMETERS, labelOf } from '../../calendar/event/domain/event-labels.ts';
import { EVENT_STATUSES } from '../../calendar/event/domain/event-status.ts';
import { POST_STATUSES, type PostStatus } from '../../calendar/resource/domain/post.ts';
import { askedOnce } from '../../kernel/event-loop/shared-work.ts';
import { degreesOfLatitude, distanceKm } from '../distance.ts';
import {
  type EventQuery,
  isVisible,
  looksBehindMasks,
  type TextSearch,
  timeRanges,
  type Visibility,
} from '../queries.ts';
import type { EventTable, Target, TargetKind } from './event-table.ts';
import type { LinkedPosts } from './linked-posts.ts';
import { eventStatusIn, FLAGS, flagBit, statusIn, TRAITS } from './traits.ts';
import { searched, type Words } from './words.ts';

/** Phrases that the texts of all events of a result have to be looked at for. */
export type Unproven = TextSearch;

const HIDDEN = flagBit('hidden');
const PROTECTED = flagBit('protected');

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
    const value = flag === 'hidden' || flag === 'protected' ? undefined : query[flag];
    if (value !== undefined && value !== ((traits & flagBit(flag)) !== 0)) return NEVER;
  }
  const happens = EVENT_STATUSES[eventStatusIn(traits)];
  if (happens === undefined || query.eventStatuses?.includes(happens) === false) return NEVER;
  const status = POST_STATUSES[statusIn(traits)];
  if (status === undefined) return NEVER;
  const verdict = verdictFor(query.visibility, status, OWN);
  const isMasked = (traits & PROTECTED) !== 0 && looksBehindMasks(query);
  const unmasked = isMasked ? verdictFor(query.unmasked, status, OWN_UNMASKED) : ALWAYS;
  if (verdict === NEVER || unmasked === NEVER) return NEVER;
  return verdict === ALWAYS && unmasked === ALWAYS ? ALWAYS : (verdict | unmasked) & ~ALWAYS;
}

/** Whether a query finds an event with these traits, by any author. */
export const isWanted = (query: EventQuery, traits: number): boolean => verdictOf(query, traits) === ALWAYS;

function verdictFor({ statuses, own }: Visibility, status: PostStatus, ifOwn: number): number {
  if (statuses.includes(status)) return ALWAYS;
  return own?.statuses.includes(status) ? ifOwn : NEVER;
}

// Filters by what events are linked to: a bit for each filter, and for each target the bits of the filters that it is one of.

export const BITS = { category: 1, tag: 2, venue: 4, organizer: 8, parent: 16, nearby: 32, geolocated: 64 } as const;
/** The bit of the first filter by labels; the others follow. */
const LABEL_BIT = 128;

export interface Linked {
  /** By the number of a target. */
  readonly marks: Uint16Array;
  /** An event must have all of these bits, and none of those. */
  readonly required: number;
  readonly excluded: number;
  /** The targets of each required filter. */
  readonly filters: readonly (readonly Target[])[];
  /** Venues with the bit `nearby`, and how far they are. */
  readonly near: readonly { readonly target: Target; readonly km: number }[];
}

/** One for all queries, which follow one another: making one for each took as long as most of them. */
let lastMarks = new Uint16Array(0);
let lastNumbers: number[] = [];

/** As many marks as there are targets, none set. */
function freshMarks(size: number): Uint16Array {
  if (lastMarks.length < size) lastMarks = new Uint16Array(2 * size);
  else for (const number of lastNumbers) lastMarks[number] = 0;
  lastNumbers = [];
  return lastMarks;
}

/** The filters of the query, which are valid until the next one. */
export function linkedFilters(table: EventTable, posts: LinkedPosts, query: EventQuery): Linked {
  const marks = freshMarks(table.targets());
  const filters: Target[][] = [];
  const nearby: { target: Target; km: number }[] = [];
  let required = 0;
  let excluded = 0;

  function mark(bit: number, targets: Iterable<Target | undefined>): Target[] {
    const marked: Target[] = [];
    for (const target of targets) {
      if (target === undefined) continue;
      marks[target.number] = (marks[target.number] ?? 0) | bit;
      lastNumbers.push(target.number);
      marked.push(target);
    }
    return marked;
  }

  function want(bit: number, targets: Iterable<Target | undefined>): void {
    required |= bit;
    filters.push(mark(bit, targets));
  }

  const plain = (kind: TargetKind, ids: readonly (number | string)[]) =>
    Array.from(new Set(ids), (id) => table.target(kind, id));

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
      if (target) nearby.push({ target, km });
      yield target;
    }
  }

  if (query.categories) want(BITS.category, plain('category', query.categories));
  if (query.tags) want(BITS.tag, plain('tag', query.tags));
  for (const [at, wire] of LABEL_PARAMETERS.entries()) {
    const labels = query[wire]?.map((value) => labelOf(wire, value));
    if (labels) want(LABEL_BIT << at, plain('label', labels));
  }
  if (query.venues) want(BITS.venue, alive('venue', query.venues));
  if (query.organizers) want(BITS.organizer, alive('organizer', query.organizers));
  if (query.parent !== undefined) want(BITS.parent, plain('parent', [query.parent]));
  if (query.nearby) want(BITS.nearby, near(query.nearby));
  if (query.geolocated !== undefined) mark(BITS.geolocated, located());
  if (query.geolocated === true) required |= BITS.geolocated;
  if (query.geolocated === false) excluded |= BITS.geolocated;
  return { marks, required, excluded, filters, near: nearby };
}

// Search.

export interface Searching {
  /** By text: `mark` where an event may match, as far as its words tell; null: words were not searched. */
  readonly marks: Uint8Array | null;
  readonly mark: number;
  /** At most so many are found. */
  readonly most: number;
  readonly unproven: Unproven | null;
}

interface Marked extends Searching {
  readonly marks: Uint8Array;
}

/** Among the marks: not to be found. */
const EXCLUDED = 255;

/** The texts of so few events are read sooner than the marks of one word are made. */
const FEW = 4;

/** Facets are counted for the search of a list, its pages follow one another, and some searches are marked at a time. Of 100,000 events each takes 100 kB. */
const MAX_MARKED = 8;
const markedBy = askedOnce((_table: EventTable) => new Map<string, Marked>(), new WeakMap());

/** Whether the words are not worth searching. */
const isOfFew = ({ include }: EventQuery): boolean => include !== undefined && include.length <= FEW;

/** Makes the marks of a search, step by step: what finds events does it at once where nothing was made before. */
export function* marking(table: EventTable, query: EventQuery): Generator<undefined, void> {
  const { search } = query;
  if (search === undefined || isOfFew(query)) return;
  const marked = markedBy(table);
  const key = JSON.stringify([search.words, search.without]);
  const before = marked.get(key);
  const marks = (before && withLatest(table.words, search, before)) ?? (yield* marksOf(table.words, search));
  marked.delete(key);
  marked.set(key, marks);
  for (const [oldest] of marked) if (marked.size > MAX_MARKED) marked.delete(oldest);
}

export function searching(table: EventTable, query: EventQuery): Searching | null {
  const { search, include = [] } = query;
  if (search === undefined) return null;
  if (isOfFew(query)) {
    const unproven = search.words.length + search.without.length === 0 ? null : search;
    return { marks: null, mark: 0, most: include.length, unproven };
  }
  for (const _ of marking(table, query));
  return [...markedBy(table).values()].at(-1) ?? null;
}

const patternsOf = ({ words, without }: TextSearch) => {
  const exact = without.map(searched).filter(({ isExact }) => isExact);
  return {
    required: words.flatMap((word) => searched(word).patterns),
    excluded: exact.flatMap(({ patterns }) => patterns),
  };
};

function* marksOf(words: Words, search: TextSearch): Generator<undefined, Marked> {
  const marks = new Uint8Array(words.texts());
  const { required, excluded } = patternsOf(search);
  let mark = 0;
  let most = marks.length;
  for (const pattern of required) {
    most = yield* words.mark(pattern, marks, mark, mark + 1, most);
    mark += 1;
  }
  for (const pattern of excluded) yield* words.mark(pattern, marks, mark, EXCLUDED, most);
  const isUnproven = (word: string): boolean => !searched(word).isExact;
  const unproven = { words: search.words.filter(isUnproven), without: search.without.filter(isUnproven) };
  const isProven = unproven.words.length + unproven.without.length === 0;
  const result = { marks, mark, most, unproven: isProven ? null : unproven };
  // While others had their turn, more may have come than is kept.
  return withLatest(words, search, result) ?? result;
}

/** Marks with the texts that were added since they were made; null: too many were. */
function withLatest(words: Words, search: TextSearch, earlier: Marked): Marked | null {
  const { marks, mark, most } = earlier;
  if (marks.length === words.texts()) return earlier;
  const latest = words.since(marks.length);
  if (latest === null) return null;
  const { required, excluded } = patternsOf(search);
  const added = latest.map((has) => (required.every(has) && !excluded.some(has) ? mark : EXCLUDED));
  const all = new Uint8Array(words.texts());
  all.set(marks);
  all.set(added, marks.length);
  return { ...earlier, marks: all, most: most + added.length };
}

/** By traits; of one query. */
const verdicts = new Uint8Array(TRAITS);

/** The one test of an event, until another one is made. */
export function testOf(table: EventTable, query: EventQuery, linked: Linked, search: Searching | null) {
  const links = table.links();
  const { id, text, traits, author, startsAt, endsAt, linkFrom, linkCount } = table.columns;
  const { startFrom, startTo, endFrom, endTo } = timeRanges(query.bounds);
  verdicts.fill(UNKNOWN);
  const own = query.visibility.own?.author;
  const ownUnmasked = query.unmasked.own?.author;
  const included = query.include && new Set(query.include);
  const { marks, required, excluded } = linked;
  const isLinked = (required | excluded) !== 0;
  const [searchMarks, mark] = [search?.marks ?? undefined, search?.mark];

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
    if (searchMarks !== undefined && searchMarks[text[slot] ?? 0] !== mark) return false;
    if (isLinked) {
      let bits = 0;
      const from = linkFrom[slot] ?? 0;
      const to = from + (linkCount[slot] ?? 0);
      for (let at = from; at < to; at++) bits |= marks[links[at] ?? 0] ?? 0;
      if ((bits & required) !== required || (bits & excluded) !== 0) return false;
    }
    return included === undefined || included.has(id[slot] ?? 0);
  };
}
