// The venue: where calendar events happen.
import { accepted, type Decision, type Evolve, type Fact, UnexpectedFact } from '../../../domain/decider.ts';
import { type MergeFact, mergedPost, unmerged } from '../../../editorial/merges/domain/merge.ts';
import {
  blankOf,
  type Content,
  type FieldFact,
  type FieldInput,
  fieldFacts,
  fieldFold,
  flagOn,
  html,
  line,
  plainRows,
  takes,
  url,
  value,
} from '../../resource/domain/fields.ts';
import type { Image, ImageReference } from '../../resource/domain/image.ts';
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
  type PostInput,
  type PostPatch,
  postFacts,
  statusAfter,
  touchedBy,
} from '../../resource/domain/post.ts';

interface Coordinates {
  readonly lat: number;
  readonly lng: number;
}

/** The parts of an address; `''` if unknown. */
const ADDRESS = {
  address: line('address', 'VenueRelocated'),
  city: line('city', 'VenueRelocated'),
  country: line('country', 'VenueRelocated'),
  province: line('province', 'VenueRelocated'),
  state: line('state', 'VenueRelocated'),
  zip: line('zip', 'VenueRelocated'),
  /** State or province, depending on the country; derived if not given. */
  stateprovince: line('stateprovince', 'VenueRelocated'),
};

export const VENUE_FIELDS = {
  name: html('venue', 'VenueRenamed'),
  description: html('description', 'VenueDescribed'),
  ...ADDRESS,
  coordinates: value('coordinates', 'VenuePinned', null as Coordinates | null),
  phone: line('phone', 'VenueContactChanged'),
  website: url('website', 'VenueContactChanged'),
  image: value('image', 'VenueImageChanged', null as Image | null, takes<ImageReference | null>()),
  showMap: flagOn('show_map', 'VenueMapDisplayChanged'),
  showMapLink: flagOn('show_map_link', 'VenueMapDisplayChanged'),
};

export const VENUE_ROWS = plainRows(VENUE_FIELDS);
/** All but name and description. */
export const PLACE_ROWS = VENUE_ROWS.filter(({ kind }) => kind !== 'html');

type VenueAddress = Content<typeof ADDRESS>;
type VenueContent = Content<typeof VENUE_FIELDS>;

export interface Venue extends Post, VenueContent {
  /** How often it has been through the trash: links made in an earlier life are void. */
  readonly life: number;
}

export type VenueFact =
  | PostFact<'Venue'>
  | MergeFact<'Venue'>
  | Fact<'VenueDrafted', VenueContent & DraftedPost>
  | FieldFact<typeof VENUE_FIELDS>;

/** What commands take; absent members were not sent. */
export interface VenueInput extends PostInput, FieldInput<typeof VENUE_FIELDS> {}

/** What a command changes; absent members stay as they are. */
export interface VenuePatch extends PostPatch, Partial<VenueContent> {}

/** In the order in which facts have always stored these members. */
const BLANK_CONTENT: VenueContent = (({ coordinates, ...others }) => ({ ...others, coordinates }))(
  blankOf(VENUE_FIELDS),
);

const ADDRESS_KEYS = ['address', 'city', 'country', 'province', 'state', 'zip', 'stateprovince'] as const;
const AMERICAN = ['', 'US', 'United States'];

/** State or province, by the country of an address that does not say which. */
export const derivedStateProvince = ({ country, state, province }: VenueAddress): string =>
  AMERICAN.includes(country) && state !== '' ? state : province;

/** Creates a venue: first as a draft, then with its (settled) status. */
export function createVenue(id: number, patch: VenuePatch & NewPostPatch, context: PostContext): Decision<VenueFact> {
  const { author: _author, status: _status, date: _date, passwordHash: _hash, ...fields } = patch;
  const content = { ...BLANK_CONTENT, ...fields };
  const post = draftedPost(id, patch, context);
  const stateprovince = content.stateprovince || derivedStateProvince(content);
  const drafted = { ...content, stateprovince, ...post };
  return accepted([{ type: 'VenueDrafted', data: drafted }, ...firstStatusFacts('Venue', patch, post)]);
}

/** Changes a venue; returns facts for differences only. */
export function changeVenue(venue: Venue, patch: VenuePatch, { now, slug }: PostContext): Decision<VenueFact> {
  const status = statusAfter(venue, patch, now);
  return accepted([
    ...fieldFacts(VENUE_FIELDS, venue, { ...patch, ...addressAfter(venue, patch) }),
    ...postFacts('Venue', venue, patch, { status, slug, now }),
  ]);
}

function addressAfter(venue: Venue, patch: VenuePatch): VenueAddress {
  const keys = ADDRESS_KEYS.filter((key) => patch[key] !== undefined);
  // Clearing the region also clears what it would be derived from.
  const emptied = patch.stateprovince === '' ? { state: '', province: '' } : {};
  const address = { ...addressOf(venue), ...emptied, ...Object.fromEntries(keys.map((key) => [key, patch[key]])) };
  // A region that was given stays until it is changed or cleared; a derived one follows the address.
  const hasOwn = patch.stateprovince === undefined && derivedStateProvince(venue) !== venue.stateprovince;
  const stateprovince = hasOwn ? venue.stateprovince : patch.stateprovince || derivedStateProvince(address);
  return { ...address, stateprovince };
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

const contentIn = fieldFold(VENUE_FIELDS);

export const evolveVenue: Evolve<Venue, VenueFact> = (venue, fact, at) => {
  if (fact.type === 'VenueDrafted') return Object.assign({}, BLANK_CONTENT, fact.data, bornPost(at), { life: 0 });
  if (!venue) throw new UnexpectedFact(fact);
  const touched = { ...venue, ...touchedBy(venue, at) };
  if (fact.type === 'VenueMerged') return mergedPost(touched, fact.data);
  if (fact.type === 'VenueAbsorbed') return touched;
  const content = contentIn(fact);
  if (content) return { ...touched, ...content };
  const life = fact.type === 'VenueTrashed' ? venue.life + 1 : venue.life;
  const lived = { ...touched, ...evolvePost(touched, fact.type, 'Venue', fact.data), life };
  return fact.type === 'VenueRestored' ? unmerged(lived) : lived;
};
