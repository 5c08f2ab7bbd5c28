// The members of the API's answers that pages show. Without the password of a protected resource texts and lists are
// empty, and `all_day` is null.
import { lineOfHtml } from '../kernel/text/html-text.ts';
import type { Times } from './dates.ts';

export interface ShownTerm {
  readonly id: number;
  readonly name: string;
  /** Of its page; absent if it has been removed meanwhile. */
  readonly path?: string;
}

export interface ShownImage {
  readonly url: string;
  /** In pixels; absent where they are not known. */
  readonly width?: number;
  readonly height?: number;
  /** Smaller ones, by their names. */
  readonly sizes?: { readonly [name: string]: Pick<ShownImage, 'url' | 'width'> };
}

export interface ShownVenue {
  readonly id: number;
  readonly url: string;
  readonly venue: string;
  readonly slug: string;
  readonly description?: string;
  readonly address?: string;
  readonly zip?: string;
  readonly city?: string;
  readonly stateprovince?: string;
  readonly country?: string;
  readonly phone?: string;
  readonly website?: string;
  readonly show_map: boolean | null;
  readonly geo_lat?: number;
  readonly geo_lng?: number;
  readonly image?: ShownImage | false;
}

export interface ShownOrganizer {
  readonly id: number;
  readonly url: string;
  readonly organizer: string;
  readonly slug: string;
  readonly description?: string;
  readonly phone?: string;
  readonly website?: string;
  readonly email?: string;
  readonly image?: ShownImage | false;
}

/** What the public has been told about a change. */
interface ShownNotice {
  /** May be empty. */
  readonly text: string;
  readonly date: string;
  /** Where the beginning was moved. */
  readonly previous_start_date?: string;
}

export interface ShownEvent extends Times {
  readonly id: number;
  readonly url: string;
  readonly title: string;
  readonly slug: string;
  readonly description: string;
  readonly excerpt: string;
  readonly image: ShownImage | false;
  readonly utc_start_date: string;
  readonly utc_end_date: string;
  readonly timezone: string;
  readonly cost: string;
  readonly website: string;
  readonly featured: boolean | null;
  /** Absent: nothing was said about it. */
  readonly is_virtual?: boolean;
  readonly virtual_url?: string | null;
  readonly categories: readonly ShownTerm[];
  readonly tags: readonly ShownTerm[];
  readonly venue: ShownVenue | readonly ShownVenue[];
  readonly organizer: readonly ShownOrganizer[];
  /** Only once there is something to say. */
  readonly event_status?: 'scheduled' | 'canceled' | 'postponed';
  readonly notices?: readonly ShownNotice[];
  readonly json_ld?: object;
  /** Only of a date of a series. */
  readonly series?: { readonly id: number };
}

/** An event has one venue, several, or none. */
export const venuesOf = ({ venue }: Pick<ShownEvent, 'venue'>): readonly ShownVenue[] =>
  'venue' in venue ? [venue] : venue;

/** What its venues are called, as plain texts. */
export const venueNames = (event: Pick<ShownEvent, 'venue'>): readonly string[] =>
  venuesOf(event).map(({ venue }) => lineOfHtml(venue));

/** The same with their cities. */
export const venueNamesWithCities = (event: ShownEvent): readonly string[] =>
  venuesOf(event).map(({ venue, city }) => lineOfHtml(city ? `${venue}, ${city}` : venue));
