// From what a client sent of a venue or organizer to the command's input.
import type { Static } from 'typebox';
import type { OrganizerInput, VenueInput } from '../../commands/linked-posts.ts';
import { ORGANIZER_ROWS } from '../../domain/organizer.ts';
import { VENUE_ROWS } from '../../domain/venue.ts';
import type { organizerTables, venueTables } from '../schemas/linked-post.ts';
import { plainInput, postInput, present, slugSent } from './post-input.ts';

type VenueSent = Partial<Static<typeof venueTables.create>> & { readonly slug?: string };
type OrganizerSent = Partial<Static<typeof organizerTables.create>> & { readonly slug?: string };

export const venueInput = (sent: VenueSent): VenueInput => ({
  ...postInput(sent),
  ...plainInput(sent, VENUE_ROWS),
  ...present({ slug: slugSent(sent.slug), coordinates: coordinates(sent) }),
});

/** Both or none; both empty take them away. */
function coordinates({ geo_lat: lat, geo_lng: lng }: VenueSent): VenueInput['coordinates'] {
  if (lat === undefined || lng === undefined) return undefined;
  return lat === null || lng === null ? null : { lat, lng };
}

export const organizerInput = (sent: OrganizerSent): OrganizerInput => ({
  ...postInput(sent),
  ...plainInput(sent, ORGANIZER_ROWS),
  ...present({ slug: slugSent(sent.slug) }),
});
