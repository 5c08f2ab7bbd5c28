// Places that visitors name: cities and venues of the calendar, and coordinates.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { VenueAnswer } from '../../../src/pages/answers.ts';
import { places } from '../../../src/pages/places.ts';

const test = suite('places');

/** As far as places are made of it. */
const venue = (id: number, name: string, fields: Partial<VenueAnswer> = {}): VenueAnswer =>
  ({ id, venue: name, slug: `v${id}`, url: '', show_map: true, ...fields }) as VenueAnswer;

const KNOWN = places([
  venue(1, 'Zum Anker', { city: 'Köln', geo_lat: 50.9, geo_lng: 6.9 }),
  venue(2, 'Ångström Hall', { city: 'Köln', geo_lat: 51.1, geo_lng: 7.1 }),
  venue(3, 'York', { city: 'Leeds', geo_lat: 53.8, geo_lng: -1.5 }),
  venue(4, 'Barn', { city: 'York', geo_lat: 53.96, geo_lng: -1.08 }),
  venue(5, 'Without a place', { city: 'Nowhere' }),
  venue(6, 'Behind a password', { show_map: null, geo_lat: 0, geo_lng: 0, city: '' }),
]);

test('cities come first, then venues, each by its letters; what has no coordinates is no place', () => {
  assert.equal(KNOWN.names, ['Köln', 'Leeds', 'York', 'Ångström Hall', 'Barn', 'Zum Anker']);
  assert.equal(
    KNOWN.venues.map(({ id }) => id),
    [2, 4, 6, 5, 3, 1],
  );
});

const FOUND: readonly (readonly [text: string, point: object | null])[] = [
  ['Köln', { lat: 51, lng: 7 }],
  ['  koln ', { lat: 51, lng: 7 }],
  ['angstrom hall', { lat: 51.1, lng: 7.1 }],
  ['YORK', { lat: 53.96, lng: -1.08 }],
  ['53.8, -1.5', { lat: 53.8, lng: -1.5 }],
  ['-53;1', { lat: -53, lng: 1 }],
  ['53.8', null],
  ['1e2, 3', null],
  ['Without a place', null],
  ['Behind a password', null],
  ['Nowhere', null],
  ['', null],
  ['constructor', null],
];
for (const [text, point] of FOUND)
  test(`"${text}" is ${point ? JSON.stringify(point) : 'no place'}`, () => assert.equal(KNOWN.find(text), point));

test('at most 100 names are suggested, all of them are found', () => {
  const many = places(
    Array.from({ length: 150 }, (_, at) => venue(at, `Hall ${at}`, { geo_lat: at / 10, geo_lng: 1 })),
  );
  assert.is(many.names.length, 100);
  assert.equal(many.find('Hall 149'), { lat: 14.9, lng: 1 });
});

test.run();
