// From what a client sent of a venue or organizer to the command's input.
import type { OrganizerInput } from '../../commands/organizers.ts';
import type { VenueInput } from '../../commands/venues.ts';
import { isEmpty } from '../parameters/readers.ts';
import { truthy } from '../schemas/words.ts';
import { type Given, postInput, text } from './post-input.ts';

export function venueInput(given: Given): VenueInput {
  return {
    ...postInput(given),
    ...text(given, 'venue', 'name'),
    ...text(given, 'description', 'description'),
    ...text(given, 'slug', 'slug'),
    ...text(given, 'address', 'address'),
    ...text(given, 'city', 'city'),
    ...text(given, 'country', 'country'),
    ...text(given, 'province', 'province'),
    ...text(given, 'state', 'state'),
    ...text(given, 'zip', 'zip'),
    ...text(given, 'stateprovince', 'stateprovince'),
    ...text(given, 'phone', 'phone'),
    ...text(given, 'website', 'website'),
    ...(given.show_map === undefined ? {} : { showMap: truthy(given.show_map) }),
    ...(given.show_map_link === undefined ? {} : { showMapLink: truthy(given.show_map_link) }),
    ...coordinates(given),
  };
}

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
    ...text(given, 'organizer', 'name'),
    ...text(given, 'description', 'description'),
    ...text(given, 'slug', 'slug'),
    ...text(given, 'phone', 'phone'),
    ...text(given, 'website', 'website'),
    ...text(given, 'email', 'email'),
  };
}
