import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  changeVenue,
  createVenue,
  derivedStateProvince,
  evolveVenue,
  type Venue,
  type VenueFact,
  type VenuePatch,
} from '../../../src/calendar/linked-post/domain/venue.ts';
import type { PostStatus } from '../../../src/calendar/resource/domain/post.ts';
import { DAY, factsOf, given, NOW, whenDecided } from '../../support/given.ts';
import { holdLinkedPostRules, IMAGE } from './linked-post-rules.ts';

const test = suite('venue');
const context = (slug = 'hall') => ({ now: NOW, slug });

type NewVenue = VenuePatch & { readonly author: number; readonly status: PostStatus };
const created = (patch: Partial<NewVenue> = {}) =>
  createVenue(5, { name: 'Hall', author: 3, status: 'publish', ...patch }, context());
const givenVenue = (patch: Partial<NewVenue> = {}) => given(evolveVenue, factsOf(created(patch)));
const changed =
  (patch: VenuePatch, slug = 'hall') =>
  (venue: Venue) =>
    changeVenue(venue, patch, context(slug));
const AUSTIN = { city: 'Austin', country: 'United States', state: 'TX', province: 'ignored' };

test('a new venue shows its map by default, and has only the given fields', () => {
  assert.equal(givenVenue().state, {
    id: 5,
    name: 'Hall',
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
    author: 3,
    slug: 'hall',
    status: 'publish',
    date: NOW,
    dateFloats: false,
    created: NOW,
    modified: NOW,
    before: null,
    passwordHash: null,
    life: 0,
  });
  assert.not(givenVenue({ showMap: false }).state.showMap);
});

test('a new venue is drafted, then brought into its status', () => {
  whenDecided(evolveVenue, null, created({ status: 'draft' }), NOW).thenTypes('VenueDrafted');
  whenDecided(evolveVenue, null, created(), NOW).thenTypes('VenueDrafted', 'VenuePublished');
  whenDecided(evolveVenue, null, created({ status: 'trash' }), NOW).thenTypes('VenueDrafted', 'VenueTrashed');
});

for (const [country, expected] of [
  ['', 'TX'],
  ['US', 'TX'],
  ['United States', 'TX'],
  ['Canada', 'QC'],
] as const)
  test(`the region is that which the country ${country || '(none)'} has`, () => {
    const address = { ...givenVenue().state, country, state: 'TX', province: 'QC' };
    assert.is(derivedStateProvince(address), expected);
    assert.is(givenVenue({ country, state: 'TX', province: 'QC' }).state.stateprovince, expected);
  });

test('a region that is given stays, also when the address changes', () => {
  const venue = givenVenue({ ...AUSTIN, stateprovince: 'Texas' });
  assert.is(venue.state.stateprovince, 'Texas');
  assert.is(venue.when(changed({ state: 'CA' })).state().stateprovince, 'Texas');
});

test('a derived region follows the address', () => {
  const moved = givenVenue(AUSTIN).when(changed({ state: 'CA' }));
  moved.thenTypes('VenueRelocated');
  assert.is(moved.state().stateprovince, 'CA');
  assert.is(
    givenVenue(AUSTIN)
      .when(changed({ country: 'Canada' }))
      .state().stateprovince,
    'ignored',
  );
});

test('sending the present address is no change', () => {
  givenVenue(AUSTIN).when(changed(AUSTIN)).thenNothing();
});

test('an emptied region takes state and province with it, unless they are sent along', () => {
  const emptied = { state: '', province: '', stateprovince: '' };
  const after = (patch: VenuePatch) => {
    const { state, province, stateprovince } = givenVenue({ ...AUSTIN, stateprovince: 'Texas' })
      .when(changed({ stateprovince: '', ...patch }))
      .state();
    return { state, province, stateprovince };
  };
  assert.equal(after({}), emptied);
  assert.equal(after({ state: 'NV' }), { ...emptied, state: 'NV', stateprovince: 'NV' });
  givenVenue(emptied)
    .when(changed({ stateprovince: '' }))
    .thenNothing();
});

const HERE = { lat: 53.8, lng: -1.5 };
const CHANGES: readonly (readonly [VenuePatch, VenueFact])[] = [
  [{ name: 'Barn' }, { type: 'VenueRenamed', data: { name: 'Barn' } }],
  [{ description: 'Large' }, { type: 'VenueDescribed', data: { description: 'Large' } }],
  [{ phone: '1' }, { type: 'VenueContactChanged', data: { phone: '1', website: '' } }],
  [
    { website: 'https://h.example' },
    { type: 'VenueContactChanged', data: { phone: '', website: 'https://h.example' } },
  ],
  [{ image: IMAGE }, { type: 'VenueImageChanged', data: { image: IMAGE } }],
  [{ coordinates: HERE }, { type: 'VenuePinned', data: { coordinates: HERE } }],
  [{ showMap: false }, { type: 'VenueMapDisplayChanged', data: { showMap: false, showMapLink: true } }],
  [{ author: 9 }, { type: 'VenueReassigned', data: { author: 9 } }],
  [{ passwordHash: 'salt' }, { type: 'VenuePasswordSet', data: { hash: 'salt' } }],
  [{ status: 'private' }, { type: 'VenueMadePrivate', data: { date: NOW } }],
  [{ date: NOW - DAY }, { type: 'VenueDated', data: { date: NOW - DAY } }],
];
test('an image and coordinates can be removed', () => {
  const outcome = givenVenue({ image: IMAGE, coordinates: HERE }).when(changed({ image: null, coordinates: null }));
  outcome.thenTypes('VenuePinned', 'VenueImageChanged');
  assert.equal([outcome.state().image, outcome.state().coordinates], [null, null]);
});

const word = fc.constantFrom('', 'a', 'b');
const anyPatch: fc.Arbitrary<VenuePatch> = fc.record(
  {
    name: fc.constantFrom('Hall', 'Barn'),
    description: word,
    address: word,
    city: word,
    country: fc.constantFrom('', 'US', 'Canada'),
    province: word,
    state: word,
    zip: word,
    stateprovince: word,
    phone: word,
    website: word,
    image: fc.constantFrom(null, IMAGE),
    coordinates: fc.constantFrom(null, HERE, { ...HERE, lng: 0 }, { ...HERE, lat: 0 }),
    showMap: fc.boolean(),
    showMapLink: fc.boolean(),
  },
  { requiredKeys: [] },
);

holdLinkedPostRules(test, {
  noun: 'Venue',
  evolve: evolveVenue,
  given: givenVenue,
  change: changed,
  changes: CHANGES,
  unknownTypes: ['VenueExploded', 'EventPublished', 'EventRetitled', 'OrganizerRenamed'],
  anyPatch,
  // An emptied region is derived again.
  shown: ({ stateprovince, ...patch }) => ({ ...patch, ...(stateprovince ? { stateprovince } : {}) }),
});

test.run();
