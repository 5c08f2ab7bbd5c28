// The projection of venues.
import { evolveVenue, type Venue, type VenueFact } from '../src/calendar/linked-post/domain/venue.ts';
import { factOf, instantOf } from '../src/log/envelope.ts';
import type { LinkedPostDocument } from '../src/read-model/documents.ts';
import { maskedVenueFragment, venueFragment } from '../src/rendering/linked-post-fragment.ts';
import { shownBy } from './pictures.ts';
import { type AnyProjection, asJson, type Place, projectionOf } from './projection.ts';

export const venuesProjection = (): AnyProjection =>
  projectionOf<Venue>({
    kind: 'venue',
    prefix: 'venue-',
    fold: (state, event) => evolveVenue(state, factOf<VenueFact>(event), instantOf(event)),
    document: venueDocument,
  });

/** The document of one venue; answers to writes are built from it, too. */
export const venueDocument = (venue: Venue, at: Place): LinkedPostDocument => ({
  ...indexedVenue(venue, at),
  state: asJson(venue),
  fragments: {
    full: venueFragment(venue),
    masked: venue.passwordHash === null ? null : maskedVenueFragment(venue),
  },
});

/** What it is found and sorted by. */
export const indexedVenue = (venue: Venue, at: Place): Omit<LinkedPostDocument, 'state' | 'fragments'> => ({
  kind: 'venue',
  id: venue.id,
  ...at,
  status: venue.status,
  author: venue.author,
  slug: venue.slug,
  ...(venue.formerSlugs && { formerSlugs: venue.formerSlugs }),
  date: venue.date,
  protected: venue.passwordHash !== null,
  name: venue.name,
  life: venue.life,
  ...shownBy(venue),
  ...(venue.mergedInto !== undefined && { mergedInto: venue.mergedInto }),
  // Behind a password only the name, which is public, is searchable.
  searchable: venue.passwordHash === null ? textsOf(venue) : [venue.name],
  coordinates: venue.passwordHash === null ? venue.coordinates : null,
});

/** Country and website are not searched. */
const textsOf = (venue: Venue): string[] => [
  venue.name,
  venue.description,
  venue.address,
  venue.city,
  venue.province,
  venue.state,
  venue.stateprovince,
  venue.zip,
  venue.phone,
];
