// Writers that were made for other calendars: what they send under other names.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

let daybook: TestService;
const test = suite('writers that were made for other calendars');

test.before(async () => {
  daybook = await startTestService({ environment: { DAYBOOK_PREFIX_ALIASES: 'wp-json/tribe/events/v1' } });
});
test.after(() => daybook.close());

const EVENTS = '//wp-json/tribe/events/v1/events';
const names = (list: readonly Body[]): string[] => list.map(({ organizer }) => organizer);

test('venue_id, organizers and featured_image are taken as venue, organizer and image', async () => {
  const hall = await daybook.created('editor', 'venues', { venue: 'Hall' });
  const [choir, band] = [
    await daybook.created('editor', 'organizers', { organizer: 'Choir' }),
    await daybook.created('editor', 'organizers', { organizer: 'Band' }),
  ];
  const sent = someEvent({
    venue_id: String(hall.id),
    organizers: [choir.id, { id: band.id }],
    featured_image: 'https://pictures.example/a.jpg',
  });
  const made = await daybook.request('editor', 'POST', `${EVENTS}?strict=1`, sent);
  assert.is(made.status, 201, made.text);
  const { id, venue, organizer, image } = made.body;
  assert.equal([venue.id, names(organizer)], [hall.id, ['Choir', 'Band']]);
  assert.is(image.url, 'https://pictures.example/a.jpg');
  const change = (members: object) => daybook.request('editor', 'PATCH', `${EVENTS}/${id}?strict=1`, members);
  assert.equal(names((await change({ organizers: [{ organizer: 'Duo' }] })).body.organizer), ['Duo']);
  assert.is((await change({ venue_id: { venue: 'Pier' } })).body.venue.venue, 'Pier');
  assert.is((await change({ venue_id: hall.id, featured_image: image.id })).body.venue.venue, 'Hall');
  const cleared = await change({ venue_id: null, organizers: [], featured_image: '' });
  assert.equal([cleared.body.venue, cleared.body.organizer, cleared.body.image], [[], [], false]);
  const proposed = await daybook.request('editor', 'POST', `/events/${id}/proposals`, { venue_id: hall.id });
  assert.is(proposed.status, 201);
  assert.is((await daybook.get(`/events/${id}?with=proposal:${proposed.body.id}`, 'editor')).body.venue.id, hall.id);
});

test('under both names the same may be said; a contradiction is refused and writes nothing', async () => {
  const hall = await daybook.created('editor', 'venues', { venue: 'Loft' });
  const same = someEvent({
    title: 'Twice',
    venue: [hall.id],
    venue_id: `${hall.id}`,
    image: 'https://p.example/b.jpg',
  });
  const made = await daybook.request('editor', 'POST', EVENTS, { ...same, featured_image: 'https://p.example/b.jpg' });
  assert.equal([made.status, made.body.venue.id], [201, hall.id]);
  const before = await daybook.store.head();
  for (const [members, name, own] of [
    [{ venue: hall.id, venue_id: null }, 'venue_id', 'venue'],
    [{ organizer: 'x', organizers: [hall.id] }, 'organizer', ''],
    [{ image: 'https://p.example/b.jpg', featured_image: 'https://p.example/c.jpg' }, 'featured_image', 'image'],
    [{ organizer: { organizer: 'A' }, organizers: { organizer: 'B' } }, 'organizers', 'organizer'],
    [{ venue_id: 99_999 }, 'venue_id', ''],
    [{ organizers: ['Jane'] }, 'organizers', ''],
    [{ featured_image: 'c.jpg' }, 'featured_image', ''],
  ] as const) {
    const { status, body } = await daybook.request('editor', 'PATCH', `${EVENTS}/${made.body.id}`, members);
    assert.equal([status, body.code], [400, 'rest_invalid_param'], name);
    assert.ok(name in body.data.params, `${name}: ${JSON.stringify(body.data.params)}`);
    if (own !== '') assert.match(body.data.params[name], `${name} is another name of ${own}`);
  }
  assert.equal(await daybook.store.head(), before);
});

test.run();
