// Pages of events: one round trip for total and ids, one for documents that are not cached.
import { degreesOfLatitude } from '../distance.ts';
import { ALL, type EventDocument, type LinkedPostDocument, statusCode, type TermDocument } from '../documents.ts';
import {
  type EventQuery,
  type LinkedPostQuery,
  looksBehindMasks,
  MAX_NEWEST,
  type NewestQuery,
  type PageOf,
  type ScheduledPost,
  type TextSearch,
  timeRanges,
  type Visibility,
} from '../queries.ts';
import { searchWord, type TokenPattern, tokenPatterns } from '../search-text.ts';
import { type Terms, termViews } from '../term-queries.ts';
import { bodies, parsedBody } from './documents.ts';
import { flagFilters, statusFilter } from './event-flags.ts';
import {
  attendanceCountersFor,
  clampedTime,
  DIGITS,
  datedKey,
  NEWEST,
  namePrefix,
  SCHEDULED,
} from './index-entries.ts';
import { type Keys, letterOf } from './keys.ts';
import type { Reader } from './reader.ts';

/** A visibility in the format of the scripts: codes of the public statuses, of own ones, and the author. */
const visibilityCodes = ({ statuses, own }: Visibility) => ({
  open: [...new Set(statuses.map(statusCode))],
  own: [...new Set(own?.statuses.map(statusCode))],
  author: own?.author ?? 0,
});

const distinct = (ids: readonly number[] | undefined): number[] | undefined => ids && [...new Set(ids)];

/** A search word in the format of the scripts. */
interface Word {
  readonly text: string;
  /** Patterns that tokens must match, one each; U+0001 marks where a token begins or ends. */
  readonly patterns: readonly string[];
  /** Whether an event with such tokens certainly contains the word. */
  readonly exact: boolean;
}

/** Surrounds each token of the index; no token contains it. */
const AROUND = '\u0001';

const withEnds = ({ text, begins, ends }: TokenPattern): string =>
  `${begins ? AROUND : ''}${text}${ends ? AROUND : ''}`;

function wordOf(word: string): Word {
  const text = searchWord(word);
  const patterns = tokenPatterns(text);
  // A single pattern without anchors is the word itself.
  const exact = patterns.length > 0 && patterns.every(({ begins, ends }) => !begins && !ends);
  return { text, patterns: patterns.map(withEnds), exact };
}

const searchQuestion = ({ words, without }: TextSearch) => ({
  words: words.map(wordOf),
  without: without.map(wordOf),
});

/** The query in the format of the scripts; null if nothing can match. */
function question(query: EventQuery): string | null {
  const ranges = timeRanges(query.bounds);
  const { startFrom, startTo, endFrom, endTo } = ranges;
  if (startFrom > startTo || endFrom > endTo) return null;
  const visibility = visibilityCodes(query.visibility);
  const { search, nearby, page } = query;
  return JSON.stringify({
    range: [startFrom, startTo, endFrom, endTo].map(clampedTime),
    visibility,
    beside: visibility.own.filter((status) => !visibility.open.includes(status)),
    ...page,
    order: query.order,
    search: search && searchQuestion(search),
    masked: looksBehindMasks(query),
    unmasked: visibilityCodes(query.unmasked),
    linked: { venue: visibilityCodes(query.linked.venue), organizer: visibilityCodes(query.linked.organizer) },
    categories: distinct(query.categories),
    tags: distinct(query.tags),
    venues: distinct(query.venues),
    organizers: distinct(query.organizers),
    include: distinct(query.include),
    flags: flagFilters(query),
    statuses: statusFilter(query),
    parent: query.parent,
    // The entry of a series among names, without its id.
    collapse: query.collapse && { names: namePrefix('series', ALL), digits: DIGITS },
    geolocated: query.geolocated,
    nearby: nearby && { ...nearby, band: degreesOfLatitude(nearby.radiusKm) },
  });
}

/** The ids of a page of events with the total. */
export async function findEvents(reader: Reader, keys: Keys, query: EventQuery): Promise<PageOf<number>> {
  const asked = question(query);
  if (asked === null) return { items: [], total: 0 };
  const [total = 0, ...items] = await reader.run('listEvents', keys.base, asked);
  return { items, total };
}

/** A page of events with the total. */
export async function listEvents(reader: Reader, keys: Keys, query: EventQuery): Promise<PageOf<EventDocument>> {
  const { items, total } = await findEvents(reader, keys, query);
  return { items: await bodies<EventDocument>(reader, keys, 'event', items), total };
}

/** The next start or end of any event after an instant, in UTC seconds. */
export async function nextEdge(reader: Reader, keys: Keys, now: number): Promise<number | null> {
  const edge = await reader.run('nextEdge', keys.base, String(now));
  return edge === null ? null : Number(edge);
}

// Pages of venues and organizers: one round trip for total and ids, one for documents that are not cached.

function linkedPostQuestion(query: LinkedPostQuery): string {
  const visibility = visibilityCodes(query.visibility);
  const { upcoming } = query;
  return JSON.stringify({
    letter: letterOf(query.kind),
    statuses: [...new Set([...visibility.open, ...visibility.own])],
    visibility: { ...visibility, own: visibility.own.filter((status) => !visibility.open.includes(status)) },
    ...query.page,
    event: query.event,
    search: query.search?.map(searchWord),
    events: { visible: visibilityCodes(query.events.visible), unmasked: visibilityCodes(query.events.unmasked) },
    hasEvents: query.hasEvents,
    counters: attendanceCountersFor(query.events),
    upcoming: upcoming && {
      from: clampedTime(Math.ceil(upcoming.from)),
      visibility: visibilityCodes(upcoming.visibility),
    },
  });
}

/** A page of venues or organizers with the total. */
export async function listLinkedPosts(
  reader: Reader,
  keys: Keys,
  query: LinkedPostQuery,
): Promise<PageOf<LinkedPostDocument>> {
  const [total = 0, ...ids] = await reader.run('listLinkedPosts', keys.base, linkedPostQuestion(query));
  return { items: await bodies<LinkedPostDocument>(reader, keys, query.kind, ids), total };
}

// Queries by publication date: the newest events, and scheduled posts. One set each, and one round trip.

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

// Terms are few, so all of them are cached, derived from documents and counts, until one changes.

/** Bodies and counts in turn, as the script returns them. Throws `ReadModelDamaged`. */
function viewsOf(answer: readonly string[], place: string): Terms {
  const counts = new Map<TermDocument, number>();
  for (let at = 0; at + 1 < answer.length; at += 2)
    // Only documents of terms are in the set that the script reads.
    counts.set(parsedBody<TermDocument>(answer[at] ?? '', place), Number(answer[at + 1]));
  return termViews(counts.keys(), (term) => counts.get(term) ?? 0);
}

/**
 * All terms that are not deleted; the same object until a term or a count changes. Costs a round trip only if their
 * version is not cached.
 */
export function termCache(reader: Reader, keys: Keys): () => Promise<Terms> {
  let known: { readonly version: string; readonly terms: Terms } | null = null;

  async function read(): Promise<Terms> {
    const [version = '', ...answer] = await reader.run('terms', keys.base);
    if (known?.version !== version) known = { version, terms: viewsOf(answer, `a term of ${keys.base}`) };
    return known.terms;
  }

  return async () => {
    if (known && reader.cache.find(keys.termsVersion)?.text === known.version) return known.terms;
    // With an empty cache the terms are read in the same round trip as their version.
    const [[current], terms] = await Promise.all([reader.values([keys.termsVersion]), known ? null : read()]);
    if (terms) return terms;
    return known && current?.text === known.version ? known.terms : read();
  };
}
