// What is special about commands on venues.
import type { PlainInput } from '../domain/fields.ts';
import {
  type Coordinates,
  changeVenue,
  createVenue,
  evolveVenue,
  type VENUE_FIELDS,
  VENUE_ROWS,
  type Venue,
  type VenueFact,
} from '../domain/venue.ts';
import type { CommandContext } from './context.ts';
import type { LinkedPostInput, LinkedPostKind } from './linked-posts.ts';
import { storedFields } from './post-input.ts';

export interface VenueInput extends LinkedPostInput, PlainInput<typeof VENUE_FIELDS> {
  readonly coordinates?: Coordinates | null;
}

/** Name and description are those of every linked post. */
const OWN_ROWS = VENUE_ROWS.filter(({ kind }) => kind !== 'html');

const content = (context: CommandContext, { coordinates, ...input }: VenueInput): object => ({
  ...storedFields(context, OWN_ROWS, input),
  ...(coordinates === undefined ? {} : { coordinates }),
});

export const VENUES: LinkedPostKind<Venue, VenueFact, VenueInput> = {
  kind: 'venue',
  noun: 'Venue',
  evolve: evolveVenue,
  create: createVenue,
  change: changeVenue,
  content,
  overwritten: (context, input) => ({ showMap: true, showMapLink: true, ...content(context, input) }),
  blankName: 'could_not_create_venue',
  inTrash: 'venue_in_trash',
};
