// A calendar event as feeds tell it: what its reader may see, in words of no format yet.
import type { PostStatus } from '../../domain/post-status.ts';
import type { EpochSeconds, WallClock } from '../../time/zone.ts';

export interface FeedImage {
  readonly url: string;
  /** In lower case, without its dot; `''` when the address has none. */
  readonly extension: string;
}

/** Texts are plain; `''` where nothing is known, or nothing is shown while a password is owed. */
export interface FeedVenue {
  readonly name: string;
  /** Street, city and so on, in the order in which they are written. */
  readonly address: readonly string[];
  /** In degrees. */
  readonly coordinates: { readonly lat: number; readonly lng: number } | null;
}

export interface FeedOrganizer {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly website: string;
}

/** A category or tag. */
export interface FeedTerm {
  readonly name: string;
  readonly slug: string;
}

export interface FeedEvent {
  readonly id: number;
  /** How often it has changed, from 0. */
  readonly revision: number;
  readonly status: PostStatus;
  /** First and last fact of its stream. */
  readonly created: EpochSeconds;
  readonly modified: EpochSeconds;
  readonly published: EpochSeconds;
  /** A name that `resolveZone` knows. */
  readonly timezone: string;
  /** Whole days. False as well while a password is owed: then no one is told. */
  readonly isAllDay: boolean;
  /** What clocks of the zone show. */
  readonly start: WallClock;
  readonly end: WallClock;
  readonly startsAt: EpochSeconds;
  readonly endsAt: EpochSeconds;
  /** HTML, as clients of the API get it. */
  readonly title: string;
  readonly description: string;
  readonly excerpt: string;
  /** Absolute. */
  readonly url: string;
  readonly image: FeedImage | null;
  readonly venues: readonly FeedVenue[];
  readonly organizers: readonly FeedOrganizer[];
  /** Categories, then tags, each by name. */
  readonly terms: readonly FeedTerm[];
}
