// Events, venues and organizers as the API answers them, for pages. Without the password of a protected resource texts and
// lists are empty, and `all_day` is null.
import type { PictureFocus } from '../calendar/picture/domain/picture.ts';
import type { Answer } from '../http/schemas/components.ts';
import { lineOfHtml } from '../kernel/text/html-text.ts';

/** A picture in lists: the point of it that stays in sight. */
export interface ImageAnswer extends Answer<'Image'> {
  focus?: PictureFocus;
}

export type VenueAnswer = Answer<'Venue'>;
export type OrganizerAnswer = Answer<'Organizer'>;

export interface TermAnswer extends Answer<'EventTerm'> {
  /** The path of its page; absent if it has been removed meanwhile, and where pages are not linked. */
  path?: string;
}

export interface EventAnswer extends Omit<Answer<'Event'>, 'categories' | 'tags' | 'image'> {
  image: ImageAnswer | false;
  categories: TermAnswer[];
  tags: TermAnswer[];
}

/** An event has one venue, several, or none. */
export const venuesOf = ({ venue }: Pick<EventAnswer, 'venue'>): readonly VenueAnswer[] =>
  'venue' in venue ? [venue] : venue;

/** What its venues are called, as plain texts. */
export const venueNames = (event: Pick<EventAnswer, 'venue'>): readonly string[] =>
  venuesOf(event).map(({ venue }) => lineOfHtml(venue));

/** Names of venues with their cities. */
export const venueNamesWithCities = (event: EventAnswer): readonly string[] =>
  venuesOf(event).map(({ venue, city }) => lineOfHtml(city ? `${venue}, ${city}` : venue));
