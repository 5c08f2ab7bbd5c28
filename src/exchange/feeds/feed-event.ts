// A calendar event for feeds: what its reader may see, independent of the format.
import type { EventStatus } from '../../calendar/event/domain/event-status.ts';
import type { PostStatus } from '../../calendar/resource/domain/post.ts';
import type { EpochSeconds, WallClock } from '../../kernel/time/zone.ts';

export interface FeedImage {
  readonly url: string;
  /** In lower case, without its dot; `''` if the address has none. */
  readonly extension: string;
}

/** Texts are plain; `''` if unknown, or hidden by a password. */
export interface FeedVenue {
  readonly name: string;
  /** Street, city and so on, in postal order. */
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
interface FeedTerm {
  readonly name: string;
  readonly slug: string;
}

export interface FeedEvent {
  readonly id: number;
  /** How often it has changed, from 0. */
  readonly revision: number;
  readonly status: PostStatus;
  readonly eventStatus: EventStatus;
  /** The last text that was published about it; plain text, `''` if there is none. */
  readonly notice: string;
  /** First and last fact of its stream. */
  readonly created: EpochSeconds;
  readonly modified: EpochSeconds;
  readonly published: EpochSeconds;
  /** A name that `resolveZone` knows. */
  readonly timezone: string;
  /** Whole days. Also false without the password of the event: then it is hidden. */
  readonly isAllDay: boolean;
  /** Wall clock of the zone. */
  readonly start: WallClock;
  readonly end: WallClock;
  readonly startsAt: EpochSeconds;
  readonly endsAt: EpochSeconds;
  /** HTML, as in the API. */
  readonly title: string;
  readonly description: string;
  readonly excerpt: string;
  /** Absolute. */
  readonly url: string;
  readonly image: FeedImage | null;
  /** Where to attend online; `''` if nowhere, or hidden. */
  readonly onlineAt: string;
  readonly venues: readonly FeedVenue[];
  readonly organizers: readonly FeedOrganizer[];
  /** Categories, then tags, each by name. */
  readonly terms: readonly FeedTerm[];
  /** What other programs have no place for, in the words of the API: members that say something. */
  readonly further: object;
}
