import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  createOrganizer,
  evolveOrganizer,
  type Organizer,
  type OrganizerPatch,
} from '../../../src/calendar/linked-post/domain/organizer.ts';
import {
  createVenue,
  evolveVenue,
  type Venue,
  type VenuePatch,
} from '../../../src/calendar/linked-post/domain/venue.ts';
import { toWallClock } from '../../../src/kernel/time/zone.ts';
import { organizerJsonLd, venueJsonLd } from '../../../src/rendering/json-ld.ts';
import {
  maskedOrganizerFragment,
  maskedVenueFragment,
  organizerFragment,
  venueFragment,
} from '../../../src/rendering/linked-post-fragment.ts';
import { fill, SLOT, type SlotName } from '../../../src/rendering/slots.ts';
import { factsOf, given, NEW_YORK, NOW } from '../../support/given.ts';

const test = suite('venue and organizer fragments');
const SETTINGS = { siteZone: NEW_YORK, signBefore: '$', signAfter: '', freeLabel: 'Free' } as const;
const LINKS = {
  site: 'https://cal.example',
  root: 'https://cal.example/api',
  host: 'cal.example',
  siteTime: (instant: number) => toWallClock(instant, NEW_YORK),
};
const BORN = { author: 1, status: 'publish' } as const;

const venue = (patch: VenuePatch = {}, slug = 'north-hall'): Venue =>
  given(evolveVenue, factsOf(createVenue(5, { name: 'North Hall', ...BORN, ...patch }, { now: NOW, slug }))).state;
const organizer = (patch: OrganizerPatch = {}, slug = 'ann'): Organizer =>
  given(evolveOrganizer, factsOf(createOrganizer(6, { name: 'Ann', ...BORN, ...patch }, { now: NOW, slug }))).state;

type Shown = { readonly [key: string]: unknown };
const read = (fragment: string, values = {}): Shown => JSON.parse(fill(fragment, { ...LINKS, ...values }));

const POST = {
  author: '1',
  status: 'publish',
  date: '2026-03-01 05:00:00',
  date_utc: '2026-03-01 10:00:00',
  modified: '2026-03-01 05:00:00',
  modified_utc: '2026-03-01 10:00:00',
};
const IMAGE = { id: 9, url: 'https://x.example/a.png', width: null, height: null };
const EVERYTHING: VenuePatch = {
  description: 'Large & old',
  image: IMAGE,
  address: '1 Mill Lane',
  city: 'Leeds',
  country: 'United Kingdom',
  province: 'Yorkshire',
  state: 'none',
  zip: 'LS1 1AA',
  phone: '12',
  website: 'https://hall.example',
  coordinates: { lat: 53.8, lng: -1.5 },
};
const SHOWN_VENUE = {
  id: 5,
  ...POST,
  url: 'https://cal.example/venue/north-hall/',
  venue: 'North Hall',
  description: '<p>Large &#038; old</p>',
  slug: 'north-hall',
  image: { url: 'https://x.example/a.png', id: 9, extension: 'png' },
  address: '1 Mill Lane',
  city: 'Leeds',
  country: 'United Kingdom',
  province: 'Yorkshire',
  state: 'none',
  zip: 'LS1 1AA',
  phone: '12',
  website: 'https://hall.example',
  stateprovince: 'Yorkshire',
  geo_lat: 53.8,
  geo_lng: -1.5,
  show_map: true,
  show_map_link: true,
  global_id: 'cal.example?id=5',
  global_id_lineage: ['cal.example?id=5'],
};
const CONTACT: OrganizerPatch = {
  description: 'Tall',
  image: IMAGE,
  phone: '12',
  website: 'https://ann.example',
  email: 'ann@example.org',
};
const SHOWN_ORGANIZER = {
  id: 6,
  ...POST,
  url: 'https://cal.example/organizer/ann/',
  organizer: 'Ann',
  description: '<p>Tall</p>',
  slug: 'ann',
  image: { url: 'https://x.example/a.png', id: 9, extension: 'png' },
  phone: '12',
  website: 'https://ann.example',
  email: 'ann@example.org',
  global_id: 'cal.example?id=6',
  global_id_lineage: ['cal.example?id=6'],
};

function same(one: Shown, expected: Shown): void {
  assert.equal(one, expected);
  assert.equal(Object.keys(one), Object.keys(expected));
}

test('a venue shows what it has, in order', () => same(read(venueFragment(venue(EVERYTHING))), SHOWN_VENUE));

test('of a venue, what is empty is absent', () => {
  const { id, url, venue: name, slug, show_map, show_map_link, global_id, global_id_lineage } = SHOWN_VENUE;
  const least = { id, ...POST, url, venue: name, slug, show_map, show_map_link, global_id, global_id_lineage };
  same(read(venueFragment(venue())), least);
  const hidden = read(venueFragment(venue({ showMap: false, showMapLink: false }, '')));
  assert.equal([hidden.show_map, hidden.show_map_link, 'slug' in hidden], [false, false, false]);
});

test('the json_ld of a venue comes before show_map', () => {
  const keys = Object.keys(read(venueFragment(venue()), { jsonLdThenComma: '"json_ld":{},' }));
  assert.is(keys[keys.indexOf('json_ld') + 1], 'show_map');
});

test('a venue under a password keeps its name and place in the list only', () => {
  const blank = Object.fromEntries(
    ['description', 'address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'website', 'stateprovince'].map(
      (key) => [key, ''],
    ),
  );
  const hidden = {
    ...SHOWN_VENUE,
    ...blank,
    image: false,
    geo_lat: 0,
    geo_lng: 0,
    show_map: null,
    show_map_link: null,
  };
  same(read(maskedVenueFragment(venue({ ...EVERYTHING, passwordHash: 'salt' }))), hidden);
  const least = Object.keys(read(venueFragment(venue())));
  assert.equal(Object.keys(read(maskedVenueFragment(venue()))), least);
});

test('an organizer shows what it has, in order', () =>
  same(read(organizerFragment(organizer(CONTACT))), SHOWN_ORGANIZER));

test('of an organizer, what is empty is absent', () => {
  const { id, url, organizer: name, slug, global_id, global_id_lineage } = SHOWN_ORGANIZER;
  same(read(organizerFragment(organizer())), {
    id,
    ...POST,
    url,
    organizer: name,
    slug,
    global_id,
    global_id_lineage,
  });
});

test('the json_ld of an organizer comes before global_id', () => {
  const keys = Object.keys(read(organizerFragment(organizer()), { jsonLdThenComma: '"json_ld":{},' }));
  assert.is(keys[keys.indexOf('json_ld') + 1], 'global_id');
});

test('an organizer under a password keeps its name and place in the list only', () => {
  const hidden = { ...SHOWN_ORGANIZER, description: '', image: false, phone: '', website: '', email: '' };
  same(read(maskedOrganizerFragment(organizer(CONTACT))), hidden);
  const least = Object.keys(read(organizerFragment(organizer())));
  assert.equal(Object.keys(read(maskedOrganizerFragment(organizer()))), least);
});

test('what is not public is found by its id', () => {
  for (const status of ['draft', 'pending', 'trash'] as const) {
    assert.is(read(venueFragment(venue({ status }))).url, 'https://cal.example/?post_type=tribe_venue&p=5');
    const { url } = read(organizerFragment(organizer({ status })));
    assert.is(url, 'https://cal.example/?post_type=tribe_organizer&p=6');
  }
  assert.is(read(venueFragment(venue({ status: 'private' }))).url, SHOWN_VENUE.url);
});

test('schema.org objects of a venue and an organizer', () => {
  same(read(venueJsonLd(venue({ ...EVERYTHING, description: '<b>Large</b>' }))), {
    '@type': 'Place',
    name: 'North Hall',
    description: 'Large',
    image: 'https://x.example/a.png',
    address: {
      streetAddress: '1 Mill Lane',
      addressLocality: 'Leeds',
      addressRegion: 'Yorkshire',
      postalCode: 'LS1 1AA',
      addressCountry: 'United Kingdom',
      '@type': 'PostalAddress',
    },
    geo: { '@type': 'GeoCoordinates', latitude: 53.8, longitude: -1.5 },
    telephone: '12',
    sameAs: 'https://hall.example',
  });
  assert.equal(read(venueJsonLd(venue())).address, undefined, 'nothing is empty');
  same(read(organizerJsonLd(organizer(CONTACT))), {
    '@type': 'Person',
    name: 'Ann',
    description: 'Tall',
    image: 'https://x.example/a.png',
    url: 'https://ann.example',
    telephone: '12',
    email: 'ann@example.org',
    sameAs: 'https://ann.example',
  });
});

const SLOTS = Object.values(SLOT);
const NAMES = Object.keys(SLOT) as SlotName[]; // Keys of SLOT itself.
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom(...SLOTS, '"', '\\', '<p>', '\n', '\u0000', '\ud800'), { maxLength: 8 })
    .map((all) => all.join('')),
);
const TEXTS = ['name', 'description', 'phone', 'website'] as const;
const PLACE = ['address', 'city', 'country', 'province', 'state', 'zip', 'stateprovince'] as const;

test('whatever the texts hold, the fragments are JSON and every slot in them is ours', () => {
  const count = (fragment: string): number => [...fragment].filter((one) => SLOTS.some((slot) => slot === one)).length;
  const values = Object.fromEntries(NAMES.map((name) => [name, '']));
  const check = <Post>(render: (post: Post, settings: typeof SETTINGS) => string, post: Post, plain: Post): void => {
    const fragment = render(post, SETTINGS);
    assert.is(count(fragment), count(render(plain, SETTINGS)));
    JSON.parse(fill(fragment, values));
  };
  fc.assert(
    fc.property(anyText, (text) => {
      const texts = Object.fromEntries(TEXTS.map((key) => [key, text]));
      const place = Object.fromEntries(PLACE.map((key) => [key, text]));
      const image = { ...IMAGE, url: text };
      const hall = { ...venue({ ...texts, ...place, image, coordinates: { lat: 1e-7, lng: 1e21 } }), slug: text };
      for (const render of [venueFragment, maskedVenueFragment, venueJsonLd]) check<Venue>(render, hall, venue());
      const ann = { ...organizer({ ...texts, email: text, image }), slug: text };
      for (const render of [organizerFragment, maskedOrganizerFragment, organizerJsonLd])
        check<Organizer>(render, ann, organizer());
    }),
    { numRuns: 200 },
  );
});

test.run();
