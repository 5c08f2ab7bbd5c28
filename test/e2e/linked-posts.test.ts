import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startDocumentedService } from '../support/documented.ts';
import { NOON, someEvent, type TestService } from '../support/service.ts';

let daybook: TestService;
const test = suite('venues, organizers and slugs over HTTP');

test.before(async () => {
  daybook = await startDocumentedService();
});
test.before.each(() => {
  daybook.clock.at = NOON;
});
test.after(() => daybook.close());

const put = (target: string, body: object) => daybook.request('editor', 'PUT', target, body);

const CONTACTS = {
  venues: {
    ...{ address: '1 Mill Lane', city: 'Leeds', country: 'United Kingdom', province: 'York', state: '', zip: 'LS1' },
    ...{ phone: '0113', website: 'https://v.example/' },
  },
  organizers: { phone: '0113', website: 'https://o.example/', email: 'not checked' },
} as const;

for (const [collection, contacts] of Object.entries(CONTACTS)) {
  const kind = collection.slice(0, -1);

  test(`${collection}: empty members are absent, others come as stored, json_ld in single reads`, async () => {
    const bare = await daybook.created('editor', collection, { [kind]: 'Bare & simple' });
    assert.equal(
      [bare[kind], bare.slug, bare.url],
      ['Bare &#038; simple', 'bare-simple', `http://cal.example/${kind}/bare-simple/`],
    );
    for (const name of ['description', 'image', 'phone', 'website', 'email', 'rest_url', 'json_ld', 'stateprovince'])
      assert.not.ok(name in bare, name);
    const full = await daybook.created('editor', collection, { [kind]: 'Full', description: 'd', ...contacts });
    for (const [name, value] of Object.entries(contacts)) assert.is(full[name], value === '' ? undefined : value, name);
    const { json_ld: jsonLd, ...read } = (await daybook.get(`/${collection}/${full.id}`)).body;
    assert.equal(read, full);
    assert.is(jsonLd['@type'], kind === 'venue' ? 'Place' : 'Person');
  });

  test(`${collection}: updates keep what is not sent and clear what is sent empty`, async () => {
    const image = 'https://i.example/x.jpg';
    const made = await daybook.created('editor', collection, { [kind]: 'Merge', description: 'd', image, ...contacts });
    daybook.clock.at += 60;
    const { modified, modified_utc, ...same } = (await put(`/${collection}/${made.id}`, { [kind]: 'Merge' })).body;
    const { modified: _m, modified_utc: _u, ...before } = made;
    assert.equal(same, before);
    const empty = Object.fromEntries(Object.keys(contacts).map((name) => [name, '']));
    const cleared = (await put(`/${collection}/${made.id}`, { ...empty, description: '', image: '' })).body;
    for (const name of [...Object.keys(contacts), 'description', 'image']) assert.not.ok(name in cleared, name);
    for (const name of ['', ' ', '\u0001'])
      assert.is((await put(`/${collection}/${made.id}`, { [kind]: name })).status, 400, JSON.stringify(name));
  });

  test(`${collection}: a second one of the same name is the first one; others' stay as they are`, async () => {
    const first = await daybook.created('author', collection, { [kind]: 'Twin', phone: '1' });
    const own = await daybook.request('author', 'POST', `/${collection}`, { [kind]: 'TWIN', phone: '2' });
    assert.equal([own.status, own.body.id, own.body[kind], own.body.phone], [201, first.id, 'Twin', '2']);
    const foreign = await daybook.request('otherAuthor', 'POST', `/${collection}`, { [kind]: 'twin', phone: '3' });
    assert.equal([foreign.status, foreign.body.id, foreign.body.phone], [201, first.id, '2']);
    assert.is((await daybook.get(`/${collection}/${first.id}`)).body.phone, '2');
    const other = await daybook.created('author', collection, { [kind]: 'Twin', description: 'another' });
    assert.equal([other.id === first.id, other.slug], [false, 'twin-2']);
    await daybook.request('author', 'DELETE', `/${collection}/${first.id}`);
    assert.is.not((await daybook.created('author', collection, { [kind]: 'Twin', description: 'x' })).id, first.id);
  });

  test(`${collection}: unknown ids and slugs are 400, and so is an id of something else`, async () => {
    const { id: event } = await daybook.created('editor', 'events', someEvent());
    for (const target of [
      `/${collection}/99999`,
      `/${collection}/0`,
      `/${collection}/${event}`,
      `/${collection}/by-slug/unheard`,
    ])
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const { status, body } = await daybook.request(
          'editor',
          method,
          target,
          method === 'PUT' ? { phone: '1' } : undefined,
        );
        const named = target.includes('slug') ? 'slug' : 'id';
        assert.equal([method, target, status, Object.keys(body.data.params ?? {})], [method, target, 400, [named]]);
      }
  });

  test(`${collection}: trashed, trashed again, and restored`, async () => {
    const made = await daybook.created('editor', collection, { [kind]: 'Bin' });
    const gone = await daybook.request('editor', 'DELETE', `/${collection}/by-slug/bin`);
    assert.equal([gone.status, gone.body.status, gone.body.slug], [200, 'trash', 'bin__trashed']);
    assert.is((await daybook.request('editor', 'DELETE', `/${collection}/by-slug/bin`)).status, 400);
    assert.is((await daybook.request('editor', 'DELETE', `/${collection}/by-slug/bin__trashed`)).status, 410);
    assert.is((await daybook.request('editor', 'DELETE', `/${collection}/${made.id}`)).status, 410);
    assert.is((await daybook.get(`/${collection}/${made.id}`)).status, 403);
    assert.is((await daybook.get(`/${collection}/${made.id}`, 'editor')).status, 200);
    const back = (await put(`/${collection}/${made.id}`, { status: 'publish' })).body;
    assert.equal([back.status, back.slug], ['publish', 'bin']);
  });
}

test('map flags of a venue are true by default, and accept many words', async () => {
  const { id, show_map, show_map_link } = await daybook.created('editor', 'venues', { venue: 'Map' });
  assert.equal([show_map, show_map_link], [true, true]);
  for (const [word, shown] of [
    ['no', false],
    ['YES', true],
    ['', false],
    [true, true],
    [false, false],
    ['on', true],
    ['0', false],
  ] as const)
    assert.is((await put(`/venues/${id}`, { show_map: word })).body.show_map, shown, JSON.stringify(word));
  assert.is((await put(`/venues/${id}`, { show_map: 5 })).status, 400);
});

test('coordinates of a venue come together, within their bounds', async () => {
  const { id } = await daybook.created('editor', 'venues', { venue: 'Globe', geo_lat: 0, geo_lng: '-180' });
  const read = async () => (await daybook.get(`/venues/${id}`)).body;
  assert.equal([(await read()).geo_lat, (await read()).geo_lng], [0, -180]);
  for (const body of [
    { geo_lat: 1 },
    { geo_lat: 91, geo_lng: 1 },
    { geo_lat: 1, geo_lng: 180.1 },
    { geo_lat: 'x', geo_lng: 1 },
  ])
    assert.is((await put(`/venues/${id}`, body)).status, 400, JSON.stringify(body));
  await put(`/venues/${id}`, { geo_lat: '', geo_lng: null });
  assert.not.ok('geo_lat' in (await read()));
});

test('stateprovince follows the state or the province unless it is sent', async () => {
  const of = async (body: object) =>
    (await daybook.created('editor', 'venues', { venue: JSON.stringify(body), ...body })).stateprovince;
  assert.is(await of({ state: 'TX', country: 'US' }), 'TX');
  assert.is(await of({ state: 'TX', province: 'P', country: 'Spain' }), 'P');
  assert.is(await of({ state: 'TX', stateprovince: 'said' }), 'said');
});

test('an emptied stateprovince empties state and province, too', async () => {
  const region = async (made: object, sent: object) => {
    const { id } = await daybook.created('editor', 'venues', { venue: JSON.stringify([made, sent]), ...made });
    const { state, province, stateprovince } = (await put(`/venues/${id}`, sent)).body;
    return { state, province, stateprovince };
  };
  const none = { state: undefined, province: undefined, stateprovince: undefined };
  assert.equal(await region({ state: 'TX', country: 'US' }, { stateprovince: '' }), none);
  assert.equal(await region({ province: 'P', country: 'Spain' }, { stateprovince: '' }), none);
  assert.equal(await region({ state: 'TX', province: 'P', stateprovince: 'said' }, { stateprovince: '' }), none);
  assert.equal(await region({ state: 'TX', province: 'P' }, { stateprovince: '', state: 'NY' }), {
    ...none,
    ...{ state: 'NY', stateprovince: 'NY' },
  });
});

test('a slug in a path is read as titles are; a slug beside it is the new one', async () => {
  const event = await daybook.created('editor', 'events', someEvent({ title: 'Café Été' }));
  assert.is(event.slug, 'cafe-ete');
  for (const slug of ['cafe-ete', 'CAFE-ETE', 'Caf%C3%A9%20%C3%89t%C3%A9', 'cafe.ete'])
    assert.is((await daybook.get(`/events/by-slug/${slug}`)).body.id, event.id, slug);
  const renamed = await daybook.request('editor', 'PATCH', '/events/by-slug/cafe-ete', { slug: 'Tea Room', id: 99 });
  assert.equal([renamed.body.id, renamed.body.slug], [event.id, 'tea-room']);
  assert.is((await daybook.get('/events/by-slug/cafe-ete')).status, 301);
  const venue = await daybook.created('editor', 'venues', { venue: 'Old Name' });
  assert.is(
    (await daybook.request('editor', 'PUT', '/venues/by-slug/old-name?slug=old-name', { city: 'x' })).body.slug,
    'old-name',
  );
  assert.is(
    (await daybook.request('editor', 'PUT', '/venues/by-slug/old-name', { slug: 'new-name' })).body.id,
    venue.id,
  );
  assert.is((await daybook.get('/venues/by-slug/new-name')).body.id, venue.id);
});

test('by id a slug has no effect, taken or not, and the answer says so; by slug it renames, as on events', async () => {
  for (const [collection, kind] of [
    ['venues', 'venue'],
    ['organizers', 'organizer'],
  ] as const) {
    await daybook.created('editor', collection, { [kind]: 'Taken' });
    const { id } = await daybook.created('editor', collection, { [kind]: 'Own' });
    for (const slug of ['taken', 'free']) {
      const { body, headers } = await daybook.request('editor', 'PATCH', `/${collection}/${id}`, { slug });
      assert.equal([body.slug, headers['x-daybook-unknown-parameters']], ['own', 'slug']);
    }
    const { body, headers } = await daybook.request('editor', 'PATCH', `/${collection}/by-slug/own`, { slug: 'taken' });
    assert.equal([body.slug, headers['x-daybook-unknown-parameters']], ['taken-2', undefined]);
  }
});

test("the path's id wins over one in the body or the query", async () => {
  const [one, other] = [
    await daybook.created('editor', 'events', someEvent()),
    await daybook.created('editor', 'events', someEvent()),
  ];
  const { body } = await daybook.request('editor', 'PUT', `/events/${one.id}?id=${other.id}`, {
    id: other.id,
    title: 'Which',
  });
  assert.equal([body.id, (await daybook.get(`/events/${other.id}`)).body.title], [one.id, 'Open rehearsal']);
  assert.is((await daybook.get(`/events/${one.id}?id=${other.id}`)).body.id, one.id);
});

test('slugs are unique per kind; drafts have none of their own', async () => {
  const slug = async (members: object) =>
    (await daybook.created('editor', 'events', someEvent({ title: 'Same', ...members }))).slug;
  assert.equal([await slug({}), await slug({}), await slug({ status: 'private' })], ['same', 'same-2', 'same-3']);
  assert.equal([await slug({ status: 'draft' }), await slug({ status: 'draft', slug: 'same' })], ['', 'same']);
  assert.is((await daybook.created('editor', 'venues', { venue: 'Same' })).slug, 'same');
  assert.is((await daybook.get('/events/by-slug/same', 'editor')).body.status, 'publish', 'the lowest id of several');
});

test('updating an event by an unknown slug is 404 with the right to write, reading it 400', async () => {
  const send = async (method: string, as: 'anonymous' | 'subscriber' | 'contributor') =>
    (await daybook.request(as, method, '/events/by-slug/unheard', method === 'PUT' ? {} : undefined)).status;
  assert.equal(
    [await send('PUT', 'anonymous'), await send('PUT', 'subscriber'), await send('PUT', 'contributor')],
    [401, 403, 404],
  );
  assert.equal([await send('GET', 'anonymous'), await send('DELETE', 'contributor')], [400, 400]);
});

test('an image address gets an id that serves from then on, for every kind', async () => {
  const url = 'https://i.example/stage.JPG?size=2';
  const event = await daybook.created('editor', 'events', someEvent({ image: url }));
  assert.is(event.image.url, url);
  const { id } = event.image;
  assert.is((await daybook.created('contributor', 'venues', { venue: 'Pictured', image: id })).image.id, id);
  assert.is(
    (await daybook.created('author', 'organizers', { organizer: 'Pictured', image: String(id) })).image.url,
    url,
  );
  assert.is(
    (await daybook.created('editor', 'events', someEvent({ image: url }))).image.id,
    id,
    'the same address, the same id',
  );
  const wrong = [
    '',
    'x.jpg',
    '/x.jpg',
    'ftp://i.example/x.jpg',
    'data:image/png;base64,AAAA',
    'javascript://i.example/%0aalert(1)',
    99_999,
    event.id,
    true,
  ];
  for (const image of wrong)
    assert.is((await daybook.request('editor', 'POST', '/events', someEvent({ image }))).status, 400, String(image));
  assert.is((await put(`/events/${event.id}`, { title: 'Kept' })).body.image.id, id);
});

test.run();
