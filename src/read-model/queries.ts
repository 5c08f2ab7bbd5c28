// Queries of a read model. Rights are part of the query, so totals never count what the reader may not see.

import { isHiddenLabel, LABEL_PARAMETERS, type LabelParameter } from '../calendar/event/domain/event-labels.ts';
import type { EventStatus } from '../calendar/event/domain/event-status.ts';
import { EVENT_TRAITS, type ListedFlag } from '../calendar/event/domain/event-traits.ts';
import type { PostKind, PostStatus } from '../calendar/resource/domain/post.ts';
import type { Position } from '../log/envelope.ts';
import type { EventDocument, PostIndex } from './documents.ts';

/** `limit` posts from the `offset`th on. */
export interface PageWindow {
  readonly offset: number;
  readonly limit: number;
}

/**
 * All words must occur and no excluded one; all of them folded (`foldLetters`). Each is a substring of title, excerpt
 * or description.
 */
export interface TextSearch {
  readonly words: readonly string[];
  readonly without: readonly string[];
}

/** Events with a venue within a radius. */
export interface Nearby {
  readonly lat: number;
  readonly lng: number;
  readonly radiusKm: number;
}

/** Bounds on instants (UTC seconds) of start and end; all given ones apply. */
export interface TimeBounds {
  /** start >= */
  readonly startsFrom?: number;
  /** start > */
  readonly startsAfter?: number;
  /** start < */
  readonly startsBefore?: number;
  /** end <= */
  readonly endsUntil?: number;
  /** end < */
  readonly endsBefore?: number;
  /** end > */
  readonly endsAfter?: number;
}

type FlagFilters = { readonly [Flag in ListedFlag]?: boolean };
type LabelFilters = { readonly [Wire in LabelParameter]?: readonly string[] };

/**
 * Filters combine with AND; the members of one list with OR; an empty list matches nothing. Hidden events never match.
 */
export interface EventQuery extends FlagFilters, LabelFilters {
  readonly visibility: Visibility;
  /** Protected events that filters by hidden content (see `MASKED_FILTERS`) may match. */
  readonly unmasked: Visibility;
  /** Venues and organizers through which filters may match. */
  readonly linked: { readonly venue: Visibility; readonly organizer: Visibility };
  readonly page: PageWindow;
  readonly bounds: TimeBounds;
  readonly search?: TextSearch;
  /** Term ids, including descendants. */
  readonly categories?: readonly number[];
  readonly tags?: readonly number[];
  /** Ids; links of an earlier life of a venue or organizer do not count. */
  readonly venues?: readonly number[];
  readonly organizers?: readonly number[];
  readonly include?: readonly number[];
  readonly parent?: number;
  readonly eventStatuses?: readonly EventStatus[];
  /** Leaves of each series only the first matching event, in the order of the list. */
  readonly collapse?: 'series';
  /** Whether a venue of the event has coordinates. */
  readonly geolocated?: boolean;
  readonly nearby?: Nearby;
  /** `start`: start, date, id ascending. `date`: date, id ascending. `distance`: nearest venue first, then as `start`. */
  readonly order: 'start' | 'date' | 'distance';
}

/**
 * Filters by content of an event that its password hides. COMPAT: filters by terms, venues and organizers list it
 * masked, as clients expect.
 */
const MASKED_FILTERS: readonly (keyof EventQuery)[] = [
  'search',
  ...EVENT_TRAITS.filter(({ behindPassword }) => behindPassword === 'hidden').map(({ member }) => member),
  ...LABEL_PARAMETERS.filter(isHiddenLabel),
  'geolocated',
  'nearby',
];

/** Whether a query would reveal what passwords hide if it matched protected events. */
export const looksBehindMasks = (query: EventQuery): boolean =>
  MASKED_FILTERS.some((name) => query[name] !== undefined);

/** The most events that `newestEvents` returns. */
export const MAX_NEWEST = 50;

/** Latest publication first, then the highest id. */
export interface NewestQuery {
  /** At most `MAX_NEWEST`. */
  readonly limit: number;
  /** Of those that this query finds, each date of a series. Without one, of published ones that are not hidden, protected ones included. */
  readonly of?: EventQuery | null;
}

/** A post that is to be published at `date` (UTC seconds). */
export interface ScheduledPost {
  readonly kind: PostKind;
  readonly id: number;
  readonly date: number;
  /** The series that an event is a date of; 0: none. */
  readonly series: number;
}

/** Venues or organizers. Order: date descending, id descending. */
export interface LinkedPostQuery {
  readonly kind: 'venue' | 'organizer';
  readonly visibility: Visibility;
  /** Events that count for `event`, `hasEvents` and `upcoming`. */
  readonly events: EventAccess;
  readonly page: PageWindow;
  /** Folded fragments; all must occur in the same field. An empty list matches nothing. */
  readonly search?: readonly string[];
  /** Linked to this event. */
  readonly event?: number;
  /** Linked (in its present life) to at least one event that is neither draft nor pending; false: to no such event. */
  readonly hasEvents?: boolean;
  /** Linked to a visible event that starts at or after `from` and is not hidden. */
  readonly upcoming?: { readonly from: number; readonly visibility: Visibility };
}

export type TermOrder = 'name' | 'id' | 'slug' | 'count' | 'description' | 'parent' | 'include' | 'none';

/** Terms. Equal keys are ordered by id in the same direction. Deleted ones never match. */
export interface TermQuery {
  readonly kind: 'category' | 'tag';
  /** Events that count for `event`. */
  readonly events: EventAccess;
  readonly page: PageWindow;
  /** Folded; a substring of name or slug, ignoring case and accents. */
  readonly search?: string;
  readonly include?: readonly number[];
  readonly exclude?: readonly number[];
  readonly slug?: string;
  /** Direct children only. */
  readonly parent?: number;
  /** Assigned to this event. */
  readonly event?: number;
  /** Leaves out terms with a count of 0. */
  readonly hideEmpty: boolean;
  /** Texts are sorted by their letters, ignoring case and accents. `include`: in the order of that list. */
  readonly orderBy: TermOrder;
  readonly direction: 'ascending' | 'descending';
}

/** What a list does with one event. */
export interface EventExplained {
  /** From 1, among all that the list has; null: the event is not in it. */
  readonly place: number | null;
  /** How many events the list has. */
  readonly total: number;
  /** Whether each of the conditions finds the event. */
  readonly met: readonly boolean[];
}

/** Ways to narrow a list, each of them alone beside what the list has already. */
export interface Facets {
  readonly flags: readonly ListedFlag[];
  readonly labels: readonly (readonly [wire: LabelParameter, value: string])[];
  /** In place of the categories of the list; ids as in `EventQuery`. */
  readonly categories: readonly (readonly number[])[];
  /** In place of the bounds of the list. */
  readonly periods: readonly TimeBounds[];
}

/** How many events each of these lists has, in the order of the facets. */
export type FacetCounts = { readonly [Kind in keyof Facets]: readonly number[] };

/**
 * A term with derived data: how many published, unprotected events have it, its effective parent, its ancestors' slugs
 * (outermost first).
 */
export interface TermView {
  readonly kind: 'category' | 'tag';
  readonly id: number;
  readonly revision: number;
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly parent: number;
  readonly ancestorSlugs: readonly string[];
  readonly count: number;
  /** The terms that were merged into it, if there are any: it is found by what they are found by. */
  readonly merged?: readonly Pick<TermView, 'id' | 'slug' | 'name'>[];
  /** As in its document. */
  readonly parkedAt?: Position;
}

/** The state of which a list is. */
export interface ListState {
  /** As `version` of the read model says it. */
  readonly version: string;
  readonly terms: ReadonlyMap<number, TermView>;
  /** Whether one of some documents (`keyText`) was changed since a version, or that is not known any more. */
  haveChanged(documents: readonly string[], since: string): boolean;
}

/** What is known of an event of a list, so that its document is not read; undefined: nothing. */
export type RecallListed<Known> = (
  listed: { readonly id: number; readonly revision: number },
  state: ListState,
) => Known | undefined;

/** One page of results, with the total. */
export interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

// Rights as a part of queries: which posts a reader may see, and which events may match by their content.

/** Posts that a reader may see: those with a status of `statuses`, and own ones with a status of `own.statuses`. */
export interface Visibility {
  readonly statuses: readonly PostStatus[];
  readonly own: { readonly author: number; readonly statuses: readonly PostStatus[] } | null;
}

/** Sees nothing. */
export const NO_POSTS: Visibility = { statuses: [], own: null };

/** Events whose links a reader may know: visible ones; if a password protects one, `unmasked` must include it too. */
export interface EventAccess {
  readonly visible: Visibility;
  readonly unmasked: Visibility;
}

export const isVisible = (
  { status, author }: Pick<PostIndex, 'status' | 'author'>,
  { statuses, own }: Visibility,
): boolean => statuses.includes(status) || (own !== null && own.author === author && own.statuses.includes(status));

/** Whether a reader may know what an event is linked to. */
export const isAccessible = (
  event: Pick<EventDocument, 'status' | 'author' | 'protected'>,
  { visible, unmasked }: EventAccess,
): boolean => isVisible(event, visible) && (!event.protected || isVisible(event, unmasked));

// Time bounds of a query as two closed ranges of whole seconds.

const least = (...values: (number | undefined)[]): number =>
  Math.min(Infinity, ...values.filter((value) => value !== undefined));
const greatest = (...values: (number | undefined)[]): number =>
  Math.max(-Infinity, ...values.filter((value) => value !== undefined));
const upwards = (value: number | undefined): number | undefined => (value === undefined ? undefined : Math.ceil(value));
const downwards = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : Math.floor(value);
const above = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : Math.floor(value) + 1;
const below = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : Math.ceil(value) - 1;

/** What the bounds allow. No event ends before it starts, so each range narrows the other one. */
export function timeRanges(bounds: TimeBounds) {
  const startFrom = greatest(upwards(bounds.startsFrom), above(bounds.startsAfter));
  const endTo = least(downwards(bounds.endsUntil), below(bounds.endsBefore));
  return {
    startFrom,
    startTo: Math.min(least(below(bounds.startsBefore)), endTo),
    endFrom: Math.max(greatest(above(bounds.endsAfter)), startFrom),
    endTo,
  };
}
