// Pages of events: one round trip for total and ids, one for documents that are not cached.
import { degreesOfLatitude } from '../distance.ts';
import type { EventDocument } from '../documents.ts';
import { statusCode } from '../indexed-fields.ts';
import { type EventQuery, looksBehindMasks, type PageOf, type TextSearch } from '../queries.ts';
import { searchWord, type TokenPattern, tokenPatterns } from '../search-text.ts';
import { timeRanges } from '../time-ranges.ts';
import type { Visibility } from '../visibility.ts';
import { bodies } from './documents.ts';
import { clampedTime, flagFilters } from './index-entries.ts';
import type { Keys } from './keys.ts';
import type { Reader } from './reader.ts';

/** A visibility in the format of the scripts: codes of the public statuses, of own ones, and the author. */
export const visibilityCodes = ({ statuses, own }: Visibility) => ({
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
    parent: query.parent,
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
