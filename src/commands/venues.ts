// What is special about commands on venues.

import {
  type Coordinates,
  changeVenue,
  createVenue,
  evolveVenue,
  type Venue,
  type VenueFact,
} from '../domain/venue.ts';
import { oneLine } from '../text/plain-text.ts';
import type { LinkedPostInput, LinkedPostKind } from './linked-posts.ts';

export interface VenueInput extends LinkedPostInput {
  readonly address?: string;
  readonly city?: string;
  readonly country?: string;
  readonly province?: string;
  readonly state?: string;
  readonly zip?: string;
  readonly stateprovince?: string;
  readonly phone?: string;
  readonly website?: string;
  readonly showMap?: boolean;
  readonly showMapLink?: boolean;
  readonly coordinates?: Coordinates | null;
}

const TEXTS = ['address', 'city', 'country', 'province', 'state', 'zip', 'stateprovince', 'phone'] as const;

function content(input: VenueInput): object {
  const texts = TEXTS.flatMap((key) => (input[key] === undefined ? [] : [[key, oneLine(input[key])] as const]));
  const { website, showMap, showMapLink, coordinates } = input;
  return {
    ...Object.fromEntries(texts),
    ...(website === undefined ? {} : { website: website.trim() }),
    ...(showMap === undefined ? {} : { showMap }),
    ...(showMapLink === undefined ? {} : { showMapLink }),
    ...(coordinates === undefined ? {} : { coordinates }),
  };
}

export const VENUES: LinkedPostKind<Venue, VenueFact, VenueInput> = {
  kind: 'venue',
  noun: 'Venue',
  evolve: evolveVenue,
  create: createVenue,
  change: changeVenue,
  content,
  overwritten: (input) => ({ showMap: true, showMapLink: true, ...content(input) }),
  blankName: 'could_not_create_venue',
  inTrash: 'venue_in_trash',
};
