// The fields of a resource under their wire names, with values as written. Derived ones (links, details) are left out,
// except for instants: they also depend on zone rules.
import { type CalendarEvent, FURTHER_EVENT_ROWS, type Link } from '../calendar/event/domain/calendar-event.ts';
import { costText, costValues } from '../calendar/event/domain/cost.ts';
import { ORGANIZER_ROWS, type Organizer } from '../calendar/linked-post/domain/organizer.ts';
import { VENUE_ROWS, type Venue } from '../calendar/linked-post/domain/venue.ts';
import { byWire } from '../calendar/resource/domain/fields.ts';
import type { Image } from '../calendar/resource/domain/image.ts';
import type { Post } from '../calendar/resource/domain/post.ts';
import { TERM_ROWS, type Term } from '../calendar/term/domain/term.ts';
import { toWallClock } from '../kernel/time/zone.ts';
import type { Json } from '../log/envelope.ts';
import { plainImage, type RenderingSettings, utc } from './post-fragment.ts';

export type Fields = { readonly [field: string]: Json };

/** Fields whose values are ids, and the kind of those ids. */
export const REFERENCES = {
  categories: 'category',
  tags: 'tag',
  venue: 'venue',
  organizer: 'organizer',
} as const;

/** `password` is whether there is one; neither it nor its hash is ever included. */
export function eventFields(event: CalendarEvent, settings: RenderingSettings): Fields {
  const { schedule, cost } = event;
  return {
    title: event.title,
    description: event.description,
    excerpt: event.excerpt,
    start_date: schedule.start,
    end_date: schedule.end,
    timezone: schedule.timezone,
    utc_start_date: utc(schedule.startsAt),
    utc_end_date: utc(schedule.endsAt),
    all_day: schedule.allDay,
    venue: event.venues.map(reference),
    organizer: event.organizers.map(reference),
    categories: event.categories,
    tags: event.tags,
    cost: cost === null ? '' : costText(cost, settings),
    cost_details: cost && { currency_symbol: cost.symbol, currency_position: cost.position, values: costValues(cost) },
    website: event.website,
    image: imageValue(event.image),
    ...byWire(FURTHER_EVENT_ROWS, event),
    post_parent: event.parent,
    event_status: event.eventStatus ?? null,
    notices: (event.notices ?? []).flatMap(({ text }) => (text === '' ? [] : [text])),
    is_virtual: event.online?.isVirtual ?? null,
    virtual_url: event.online?.virtualUrl ?? null,
    virtual_video_source: event.online?.virtualVideoSource ?? '',
    ...event.extensions,
    ...postFields(event, settings),
  };
}

/** Place, directions and display of a venue; coordinates and image come in between. */
const [PLACE, CONTACT, DISPLAY] = [
  VENUE_ROWS.filter(({ fact }) => fact !== 'VenueContactChanged' && fact !== 'VenueMapDisplayChanged'),
  VENUE_ROWS.filter(({ fact }) => fact === 'VenueContactChanged'),
  VENUE_ROWS.filter(({ fact }) => fact === 'VenueMapDisplayChanged'),
] as const;

export const venueFields = (venue: Venue, settings: RenderingSettings): Fields => ({
  ...byWire(PLACE, venue),
  geo_lat: venue.coordinates?.lat ?? null,
  geo_lng: venue.coordinates?.lng ?? null,
  ...byWire(CONTACT, venue),
  image: imageValue(venue.image),
  ...byWire(DISPLAY, venue),
  ...postFields(venue, settings),
});

export const organizerFields = (organizer: Organizer, settings: RenderingSettings): Fields => ({
  ...byWire(ORGANIZER_ROWS, organizer),
  image: imageValue(organizer.image),
  ...postFields(organizer, settings),
});

export const termFields = (term: Term): Fields => ({ ...byWire(TERM_ROWS, term), parent: term.parent || null });

/** A floating date changes with every change, so it counts as unset. */
const postFields = (post: Post, { siteZone }: RenderingSettings): Fields => ({
  slug: post.slug,
  status: post.status,
  date: post.dateFloats ? null : toWallClock(post.date, siteZone),
  author: post.author,
  password: post.passwordHash !== null,
});

/** With its life: a renewed link is another one. */
const reference = ({ id, life }: Link): Json => ({ id, life });

// Plain data.
const imageValue = (image: Image | null): Json => image && (plainImage(image) as Json);
