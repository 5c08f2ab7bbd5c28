// Venues and organizers as clients see them: members without a value are left out.
import type { Organizer } from '../domain/organizer.ts';
import type { Venue } from '../domain/venue.ts';
import { displayText } from '../text/paragraphs.ts';
import { displayTitle } from '../text/typography.ts';
import { globalIdMembers, imageObject, postMembers, postUrl, presentMembers } from './post-fragment.ts';
import { SLOT } from './slots.ts';

export function venueFragment(venue: Venue): string {
  const { coordinates } = venue;
  return (
    `{"id":${venue.id},${postMembers(venue)},"url":"${postUrl('venue', venue)}",` +
    `"venue":${JSON.stringify(displayTitle(venue.name))},` +
    presentMembers([
      ['description', displayText(venue.description)],
      ['slug', venue.slug],
    ]) +
    `${venue.image ? `"image":${imageObject(venue.image)},` : ''}` +
    presentMembers([
      ['address', venue.address],
      ['city', venue.city],
      ['country', venue.country],
      ['province', venue.province],
      ['state', venue.state],
      ['zip', venue.zip],
      ['phone', venue.phone],
      ['website', venue.website],
      ['stateprovince', venue.stateprovince],
    ]) +
    `${coordinates ? `"geo_lat":${coordinates.lat},"geo_lng":${coordinates.lng},` : ''}${SLOT.jsonLdThenComma}` +
    `"show_map":${venue.showMap},"show_map_link":${venue.showMapLink},${globalIdMembers(venue.id)}}`
  );
}

/** What a reader sees who owes the password. The name stays. */
export function maskedVenueFragment(venue: Venue): string {
  const blank = (name: string, text: string): string => (text === '' ? '' : `"${name}":"",`);
  return (
    `{"id":${venue.id},${postMembers(venue)},"url":"${postUrl('venue', venue)}",` +
    `"venue":${JSON.stringify(displayTitle(venue.name))},${blank('description', venue.description)}` +
    `${presentMembers([['slug', venue.slug]])}${venue.image ? '"image":false,' : ''}` +
    blank('address', venue.address) +
    blank('city', venue.city) +
    blank('country', venue.country) +
    blank('province', venue.province) +
    blank('state', venue.state) +
    blank('zip', venue.zip) +
    blank('phone', venue.phone) +
    blank('website', venue.website) +
    blank('stateprovince', venue.stateprovince) +
    `${venue.coordinates ? '"geo_lat":0,"geo_lng":0,' : ''}` +
    `"show_map":null,"show_map_link":null,${globalIdMembers(venue.id)}}`
  );
}

export function organizerFragment(organizer: Organizer): string {
  return (
    `{"id":${organizer.id},${postMembers(organizer)},"url":"${postUrl('organizer', organizer)}",` +
    `"organizer":${JSON.stringify(displayTitle(organizer.name))},` +
    presentMembers([
      ['description', displayText(organizer.description)],
      ['slug', organizer.slug],
    ]) +
    `${organizer.image ? `"image":${imageObject(organizer.image)},` : ''}` +
    presentMembers([
      ['phone', organizer.phone],
      ['website', organizer.website],
      ['email', organizer.email],
    ]) +
    `${SLOT.jsonLdThenComma}${globalIdMembers(organizer.id)}}`
  );
}

/** What a reader sees who owes the password. The name stays. */
export function maskedOrganizerFragment(organizer: Organizer): string {
  const blank = (name: string, text: string): string => (text === '' ? '' : `"${name}":"",`);
  return (
    `{"id":${organizer.id},${postMembers(organizer)},"url":"${postUrl('organizer', organizer)}",` +
    `"organizer":${JSON.stringify(displayTitle(organizer.name))},${blank('description', organizer.description)}` +
    `${presentMembers([['slug', organizer.slug]])}${organizer.image ? '"image":false,' : ''}` +
    blank('phone', organizer.phone) +
    blank('website', organizer.website) +
    blank('email', organizer.email) +
    `${globalIdMembers(organizer.id)}}`
  );
}
