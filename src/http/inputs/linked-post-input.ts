// From what a client sent of a venue or organizer to the command's input.
import type { OrganizerInput, VenueInput } from '../../commands/linked-posts.ts';
import { ORGANIZER_ROWS } from '../../domain/organizer.ts';
import { VENUE_ROWS } from '../../domain/venue.ts';
import { isEmpty } from '../parameters/readers.ts';
import { truthy } from '../schemas/words.ts';
import { type Given, plainInput, postInput, text } from './post-input.ts';

export function venueInput(given: Given): VenueInput {
  return {
    ...postInput(given),
    ...plainInput(withFlags(given), VENUE_ROWS),
    ...text(given, 'slug', 'slug'),
    ...coordinates(given),
  };
}

/** Flags of venues are words, with many for yes. */
const withFlags = (given: Given): Given => ({
  ...given,
  ...(given.show_map !== undefined && { show_map: truthy(given.show_map) }),
  ...(given.show_map_link !== undefined && { show_map_link: truthy(given.show_map_link) }),
});

/** Both or none; both empty take them away. */
function coordinates({ geo_lat: lat, geo_lng: lng }: Given): Pick<VenueInput, 'coordinates'> {
  if (lat === undefined || lng === undefined) return {};
  if (isNothing(lat) && isNothing(lng)) return { coordinates: null };
  return { coordinates: { lat: Number(lat), lng: Number(lng) } };
}

/** 0 is a place. */
const isNothing = (value: unknown): boolean => value !== 0 && value !== '0' && isEmpty(value);

export function organizerInput(given: Given): OrganizerInput {
  return {
    ...postInput(given),
    ...plainInput(given, ORGANIZER_ROWS),
    ...text(given, 'slug', 'slug'),
  };
}
