// Venues and organizers as clients see them: members without a value are left out.
import type { Organizer } from '../calendar/linked-post/domain/organizer.ts';
import type { Venue } from '../calendar/linked-post/domain/venue.ts';
import { displayText } from '../kernel/text/paragraphs.ts';
import { displayTitle } from '../kernel/text/typography.ts';
import { globalIdMembers, hiddenMembers, imageObject, postMembers, postUrl, presentMembers } from './post-fragment.ts';
import { fragmentOf, slot } from './slots.ts';

const head = (kind: 'venue' | 'organizer', post: Venue | Organizer) => ({
  id: post.id,
  ...postMembers(post),
  url: postUrl(kind, post),
  [kind]: displayTitle(post.name),
  ...(post.mergedInto !== undefined && { merged_into: post.mergedInto }),
});

const place = ({ address, city, country, province, state, zip, phone, website, stateprovince }: Venue) => ({
  address,
  city,
  country,
  province,
  state,
  zip,
  phone,
  website,
  stateprovince,
});

const contact = ({ phone, website, email }: Organizer) => ({ phone, website, email });

export const venueFragment = (venue: Venue): string =>
  fragmentOf({
    ...head('venue', venue),
    ...presentMembers({ description: displayText(venue.description), slug: venue.slug }),
    ...(venue.image && { image: imageObject(venue.image) }),
    ...presentMembers(place(venue)),
    ...(venue.coordinates && { geo_lat: venue.coordinates.lat, geo_lng: venue.coordinates.lng }),
    json_ld: slot('jsonLdThenComma'),
    show_map: venue.showMap,
    show_map_link: venue.showMapLink,
    ...globalIdMembers(venue.id),
  });

/** For a reader who has not given the password. The name stays. */
export const maskedVenueFragment = (venue: Venue): string =>
  fragmentOf({
    ...head('venue', venue),
    ...hiddenMembers({ description: venue.description }),
    ...presentMembers({ slug: venue.slug }),
    ...(venue.image && { image: false }),
    ...hiddenMembers(place(venue)),
    ...(venue.coordinates && { geo_lat: 0, geo_lng: 0 }),
    show_map: null,
    show_map_link: null,
    ...globalIdMembers(venue.id),
  });

export const organizerFragment = (organizer: Organizer): string =>
  fragmentOf({
    ...head('organizer', organizer),
    ...presentMembers({ description: displayText(organizer.description), slug: organizer.slug }),
    ...(organizer.image && { image: imageObject(organizer.image) }),
    ...presentMembers(contact(organizer)),
    json_ld: slot('jsonLdThenComma'),
    ...globalIdMembers(organizer.id),
  });

/** For a reader who has not given the password. The name stays. */
export const maskedOrganizerFragment = (organizer: Organizer): string =>
  fragmentOf({
    ...head('organizer', organizer),
    ...hiddenMembers({ description: organizer.description }),
    ...presentMembers({ slug: organizer.slug }),
    ...(organizer.image && { image: false }),
    ...hiddenMembers(contact(organizer)),
    ...globalIdMembers(organizer.id),
  });
