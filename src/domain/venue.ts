// The venue: where calendar events happen.
import { accepted, type Decision, type Evolve, type Fact, UnfoldableFact } from './decider.ts';
import type { Image } from './image.ts';
import {
  bornPost,
  type DraftedPost,
  draftedPost,
  evolvePost,
  firstStatusFacts,
  type NewPostPatch,
  type Post,
  type PostContext,
  type PostFact,
  type PostPatch,
  postFacts,
  statusAfter,
  touchedBy,
} from './post.ts';

/** Everything an address consists of; `''` where nothing is known. */
export interface VenueAddress {
  readonly address: string;
  readonly city: string;
  readonly country: string;
  readonly province: string;
  readonly state: string;
  readonly zip: string;
  /** State or province, whichever the country has; derived when not given. */
  readonly stateprovince: string;
}

export interface Coordinates {
  readonly lat: number;
  readonly lng: number;
}

export interface VenueContent extends VenueAddress {
  readonly name: string;
  readonly description: string;
  readonly phone: string;
  readonly website: string;
  readonly image: Image | null;
  readonly showMap: boolean;
  readonly showMapLink: boolean;
  readonly coordinates: Coordinates | null;
}

export interface Venue extends Post, VenueContent {
  /** How often it has been through the trash: links made in an earlier life are void. */
  readonly life: number;
}

export type VenueFact =
  | PostFact<'Venue'>
  | Fact<'VenueDrafted', VenueContent & DraftedPost>
  | Fact<'VenueRenamed', Pick<VenueContent, 'name'>>
  | Fact<'VenueDescribed', Pick<VenueContent, 'description'>>
  | Fact<'VenueRelocated', VenueAddress>
  | Fact<'VenuePinned', Pick<VenueContent, 'coordinates'>>
  | Fact<'VenueContactChanged', Pick<VenueContent, 'phone' | 'website'>>
  | Fact<'VenueImageChanged', Pick<VenueContent, 'image'>>
  | Fact<'VenueMapDisplayChanged', Pick<VenueContent, 'showMap' | 'showMapLink'>>;

/** What a command changes; absent members stay as they are. */
export interface VenuePatch extends PostPatch, Partial<VenueContent> {}

const BLANK_CONTENT: VenueContent = {
  name: '',
  description: '',
  address: '',
  city: '',
  country: '',
  province: '',
  state: '',
  zip: '',
  stateprovince: '',
  phone: '',
  website: '',
  image: null,
  showMap: true,
  showMapLink: true,
  coordinates: null,
};

const ADDRESS_KEYS = ['address', 'city', 'country', 'province', 'state', 'zip', 'stateprovince'] as const;
const AMERICAN = ['', 'US', 'United States'];

/** State or province by the country, for an address that does not say it. */
export const derivedStateProvince = ({ country, state, province }: VenueAddress): string =>
  AMERICAN.includes(country) && state !== '' ? state : province;

/** Creates a venue: drafted first, then brought into its (settled) status. */
export function createVenue(id: number, patch: VenuePatch & NewPostPatch, context: PostContext): Decision<VenueFact> {
  const { author: _author, status: _status, date: _date, passwordHash: _hash, ...sent } = patch;
  const content = { ...BLANK_CONTENT, ...sent };
  const post = draftedPost(id, patch, context);
  const stateprovince = content.stateprovince || derivedStateProvince(content);
  const drafted = { ...content, stateprovince, ...post };
  return accepted([{ type: 'VenueDrafted', data: drafted }, ...firstStatusFacts('Venue', patch, post)]);
}

/** Changes a venue; facts come out for what differs. */
export function changeVenue(venue: Venue, patch: VenuePatch, { now, slug }: PostContext): Decision<VenueFact> {
  const facts: VenueFact[] = [];
  const { name = venue.name, description = venue.description, image = venue.image } = patch;
  if (name !== venue.name) facts.push({ type: 'VenueRenamed', data: { name } });
  if (description !== venue.description) facts.push({ type: 'VenueDescribed', data: { description } });
  facts.push(...addressFacts(venue, patch));
  const { phone = venue.phone, website = venue.website } = patch;
  if (phone !== venue.phone || website !== venue.website)
    facts.push({ type: 'VenueContactChanged', data: { phone, website } });
  if (image?.id !== venue.image?.id) facts.push({ type: 'VenueImageChanged', data: { image } });
  const { showMap = venue.showMap, showMapLink = venue.showMapLink } = patch;
  if (showMap !== venue.showMap || showMapLink !== venue.showMapLink)
    facts.push({ type: 'VenueMapDisplayChanged', data: { showMap, showMapLink } });
  const status = statusAfter(venue, patch, now);
  return accepted([...facts, ...postFacts('Venue', venue, patch, { status, slug, now })]);
}

function addressFacts(venue: Venue, patch: VenuePatch): VenueFact[] {
  const facts: VenueFact[] = [];
  const sent = ADDRESS_KEYS.filter((key) => patch[key] !== undefined);
  // An emptied region takes with it what it would be derived from.
  const emptied = patch.stateprovince === '' ? { state: '', province: '' } : {};
  const address = { ...addressOf(venue), ...emptied, ...Object.fromEntries(sent.map((key) => [key, patch[key]])) };
  // A region of its own stays until another is given or it is emptied; a derived one follows the address.
  const hasOwn = patch.stateprovince === undefined && derivedStateProvince(venue) !== venue.stateprovince;
  const stateprovince = hasOwn ? venue.stateprovince : patch.stateprovince || derivedStateProvince(address);
  const relocated: VenueAddress = { ...address, stateprovince };
  if (ADDRESS_KEYS.some((key) => relocated[key] !== venue[key]))
    facts.push({ type: 'VenueRelocated', data: relocated });
  const { coordinates = venue.coordinates } = patch;
  if (coordinates?.lat !== venue.coordinates?.lat || coordinates?.lng !== venue.coordinates?.lng)
    facts.push({ type: 'VenuePinned', data: { coordinates } });
  return facts;
}

const addressOf = ({ address, city, country, province, state, zip, stateprovince }: VenueAddress): VenueAddress => ({
  address,
  city,
  country,
  province,
  state,
  zip,
  stateprovince,
});

export const evolveVenue: Evolve<Venue, VenueFact> = (venue, fact, at) => {
  if (fact.type === 'VenueDrafted') return Object.assign({}, fact.data, bornPost(at), { life: 0 });
  if (!venue) throw new UnfoldableFact(fact.type);
  const touched = { ...venue, ...touchedBy(venue, at) };
  switch (fact.type) {
    case 'VenueRenamed':
    case 'VenueDescribed':
    case 'VenueRelocated':
    case 'VenuePinned':
    case 'VenueContactChanged':
    case 'VenueImageChanged':
    case 'VenueMapDisplayChanged':
      return { ...touched, ...fact.data };
    default: {
      const life = fact.type === 'VenueTrashed' ? venue.life + 1 : venue.life;
      return { ...touched, ...evolvePost(touched, fact.type, 'Venue', fact.data), life };
    }
  }
};
