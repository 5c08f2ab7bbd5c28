// What may be asked of a read model. Rights are part of the question, so totals never count what the reader may not see.
import type { PostKind } from '../domain/post.ts';
import type { PostStatus } from '../domain/post-status.ts';

/** Which posts a reader may see: those with a status of `statuses`, and own ones with a status of `own.statuses`. */
export interface Visibility {
  readonly statuses: readonly PostStatus[];
  readonly own: { readonly author: number; readonly statuses: readonly PostStatus[] } | null;
}

/** `limit` posts from the `offset`th on. */
export interface PageWindow {
  readonly offset: number;
  readonly limit: number;
}

/** All words must occur, none of the excluded; all of them folded (`foldLetters`). Each is a substring of title, excerpt or description. */
export interface TextSearch {
  readonly words: readonly string[];
  readonly without: readonly string[];
}

/** Events whose venue lies within a radius. */
export interface Nearby {
  readonly lat: number;
  readonly lng: number;
  readonly radiusKm: number;
}

/** Bounds on instants (UTC seconds) of start and end; all given ones must hold. */
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

/** Filters combine with AND; the members of one list with OR; an empty list matches nothing. Hidden events never match. */
export interface EventQuery {
  readonly visibility: Visibility;
  readonly page: PageWindow;
  readonly bounds: TimeBounds;
  readonly search?: TextSearch;
  /** Whether `search` matches password-protected events: for the public it never does. */
  readonly searchProtected: 'never' | 'always';
  /** Term ids, descendants already included. */
  readonly categories?: readonly number[];
  readonly tags?: readonly number[];
  /** Ids; links of an earlier life of a venue or organizer do not count. */
  readonly venues?: readonly number[];
  readonly organizers?: readonly number[];
  readonly featured?: boolean;
  readonly ticketed?: boolean;
  readonly include?: readonly number[];
  readonly parent?: number;
  /** Whether a venue of the event has coordinates. */
  readonly geolocated?: boolean;
  readonly nearby?: Nearby;
  /** `start`: start, date, id ascending. `date`: date, id ascending. `distance`: nearest venue first, then as `start`. */
  readonly order: 'start' | 'date' | 'distance';
}

/** The most events that `newestEvents` answers. */
export const MOST_NEWEST = 50;

/** Of published events, the latest to be published; protected ones are among them. */
export interface NewestQuery {
  /** At most `MOST_NEWEST`. */
  readonly limit: number;
}

/** A post that is to be published at `date` (UTC seconds). */
export interface ScheduledPost {
  readonly kind: PostKind;
  readonly id: number;
  readonly date: number;
}

/** Venues or organizers. Order: date descending, id descending. */
export interface LinkedPostQuery {
  readonly kind: 'venue' | 'organizer';
  readonly visibility: Visibility;
  readonly page: PageWindow;
  /** Folded fragments; all must occur in the same field. An empty list matches nothing. */
  readonly search?: readonly string[];
  /** Linked to this event. */
  readonly event?: number;
  /** Linked (in its present life) to at least one event that is neither draft nor pending; false: to none such. */
  readonly hasEvents?: boolean;
  /** Linked to an event that starts at or after `from`, is not hidden and visible by `visibility`. */
  readonly upcoming?: { readonly from: number; readonly visibility: Visibility };
}

export type TermOrder = 'name' | 'id' | 'slug' | 'count' | 'description' | 'parent' | 'include' | 'none';

/** Terms. Equal keys are ordered by id in the same direction. Deleted ones never match. */
export interface TermQuery {
  readonly kind: 'category' | 'tag';
  readonly page: PageWindow;
  /** Folded; a substring of name or slug without regard to case and accents. */
  readonly search?: string;
  readonly include?: readonly number[];
  readonly exclude?: readonly number[];
  readonly slug?: string;
  /** Direct children only. */
  readonly parent?: number;
  /** Assigned to this event. */
  readonly event?: number;
  /** Leaves out terms that no published event carries. */
  readonly hideEmpty: boolean;
  /** Texts compare by their letters, without case and accents. `include`: in the order of that list. */
  readonly orderBy: TermOrder;
  readonly direction: 'ascending' | 'descending';
}

/** A term with what follows from others: how many published events carry it, its present parent, its ancestors' slugs (outermost first). */
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
}

/** One page of an answer, with the number of all that match. */
export interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}
