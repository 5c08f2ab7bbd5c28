import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { organizerTables, venueTables } from '../../../../src/calendar/linked-post/http/linked-post-schema.ts';
import { ApiError } from '../../../../src/http/errors.ts';
import { linkedPosts } from '../../../../src/http/parameters/compile.ts';
import { context } from '../shell.ts';

const test = suite('linked posts');
const venue = linkedPosts('venue', venueTables.create);
const organizer = linkedPosts('organizer', organizerTables.create);
const verdict = async (validator: typeof venue, value: unknown) => validator(value, context());
const accepts = (validator: typeof venue, value: unknown) =>
  verdict(validator, value).then(
    (settled) => settled !== false,
    (error: unknown) => !(error instanceof ApiError) && Promise.reject(error),
  );

test('every shape of ids is accepted', async () => {
  for (const value of [11, '11', [11], [11, '12'], '11,12', '11, 12', { id: 11 }, { id: '11' }, [{ id: 11 }, 12]])
    assert.is(await accepts(venue, value), true, JSON.stringify(value));
});

test('nothing links nothing', async () => {
  for (const value of [0, '', '0', [], {}, [''], false]) {
    assert.equal(await verdict(venue, value), { value: [] }, JSON.stringify(value));
  }
});

test('unknown ids, other kinds, texts and the trash are refused', async () => {
  for (const value of [99_999, 21, 1, 19, 'City Hall', '11,x', [11, 99_999], { id: 99_999 }, { id: 'x' }, [[11]], true])
    assert.is(await accepts(venue, value), false, JSON.stringify(value));
  assert.is(await accepts(organizer, 11), false);
});

test('entries are accepted alone and in lists, with what their own table accepts', async () => {
  const hall = {
    venue: 'Hall',
    city: 'Leeds',
    show_map: false,
    website: 'https://hall.example',
    geo_lat: 1,
    geo_lng: 2,
  };
  for (const value of [hall, [hall], [11, hall], { venue: 'Hall', website: null }, { venue: '' }])
    assert.is(await accepts(venue, value), true, JSON.stringify(value));
  for (const broken of [
    { city: 'Nowhere' },
    { venue: 5 },
    { venue: 'B', website: 'not a url' },
    { venue: 'B', geo_lat: 1 },
    { venue: 'B', status: 'foo' },
  ])
    assert.is(await accepts(venue, broken), false, JSON.stringify(broken));
  assert.is(await accepts(organizer, { organizer: 'Acme' }), true);
  assert.is(await accepts(organizer, { phone: '5' }), false);
});

test('more than 500 members are refused', async () => {
  assert.is(
    await accepts(
      venue,
      Array.from({ length: 501 }, () => 11),
    ),
    false,
  );
});

test('entries are parsed in order, links looked up, fields coerced by the table', async () => {
  const value = [
    '11',
    { id: 12, city: 'ignored' },
    { venue: 'Hall', author: '2', show_map: true, geo_lat: '1.5', geo_lng: '2', unknown: 1 },
  ];
  assert.equal(await verdict(venue, value), {
    value: [
      { id: 11, life: 0 },
      { id: 12, life: 0 },
      { fields: { venue: 'Hall', author: 2, show_map: true, geo_lat: 1.5, geo_lng: 2 } },
    ],
  });
  assert.equal(await verdict(venue, '11,12'), {
    value: [
      { id: 11, life: 0 },
      { id: 12, life: 0 },
    ],
  });
});

test.run();
