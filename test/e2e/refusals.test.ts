// What is refused says what may be sent instead, in the language of the reader.
import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LANGUAGE_CODES } from '../../src/locales/languages.ts';
import { startDocumentedService } from '../support/documented.ts';
import { type As, type Body, someEvent, type TestService } from '../support/service.ts';

let daybook: TestService;
const test = suite('refused parameters over HTTP');

test.before(async () => {
  daybook = await startDocumentedService();
});
test.after(() => daybook.close());

const STATUSES = 'publish, future, draft, pending, private, trash';
const DATE =
  'must be a date such as 2027-03-01, 2027-03-01 20:00, 2027-03-01T20:00:00Z. It must be in the years 1000 to 9999, and not Unix time 0 (1970-01-01 00:00 UTC).';

const reads: readonly (readonly [target: string, name: string, sentence: string, as?: As])[] = [
  ['/events?per_page=0', 'per_page', 'must be 1 to 50.'],
  ['/events?page=x', 'page', 'must be a whole number from 1.'],
  ['/venues?status=foo', 'status', `must be one or several of ${STATUSES}, any.`, 'editor'],
  ['/events?status=draft', 'status', 'must be publish: other ones need the right to edit.'],
  ['/events?start_date=soon', 'start_date', DATE],
  ['/events?start_date=1970-01-01', 'start_date', DATE],
  ['/events?start_date=0025-01-01', 'start_date', DATE],
  ['/events?categories=nowhere', 'categories', 'must be 1 to 500 existing slugs, names or ids (category).'],
  ['/events?venue=9999', 'venue', 'must be 1 to 500 existing ids (venue).'],
  ['/events?include=x', 'include', 'must be 1 to 500 ids.'],
  ['/events?post_parent=9999', 'post_parent', 'must be an existing id (event).'],
  ['/events?geoloc_lat=91&geoloc_lng=0', 'geoloc_lat', 'must be -90 to 90, and come together with geoloc_lng.'],
  ['/events?geoloc_radius=0', 'geoloc_radius', 'must be more than 0 and at most 20040.'],
  ['/organizers/by-slug/nowhere', 'slug', 'must be an existing slug (organizer).'],
  ['/changes?per_page=0', 'per_page', 'must be 1 to 100.', 'editor'],
];

for (const [target, name, sentence, as] of reads)
  test(`${target} says what ${name} may be`, async () => {
    const { status, body } = await daybook.get(target, as);
    assert.equal([status, body.code], [400, 'rest_invalid_param']);
    assert.equal(body.data.params, { [name]: `${name} ${sentence}` });
    assert.is(body.message, `Invalid parameter(s): ${name}. ${name} ${sentence}`);
  });

const writes: readonly (readonly [members: object, name: string, sentence: string])[] = [
  [{ status: 'live' }, 'status', `must be one of ${STATUSES}.`],
  [{ start_date: '2027-02-30' }, 'start_date', DATE],
  [{ start_date: '0025-03-01 10:00' }, 'start_date', DATE],
  [{ start_date: '999-12-31T23:59:59Z' }, 'start_date', DATE],
  [{ timezone: 'Mars' }, 'timezone', 'must be a time zone such as Europe/Paris, UTC+2, +05:30.'],
  [{ website: 'example' }, 'website', 'must be an absolute address such as https://example.org/.'],
  [{ author: 9999 }, 'author', 'must be an existing id (user).'],
  [{ title: ' ' }, 'title', 'must be a text that is not empty, of at most 65536 bytes.'],
  [{ venue: 9999 }, 'venue', 'must be existing ids that are not in the trash, or objects with the member venue.'],
  [{ cost: [[1]] }, 'cost', 'must be an amount or a text such as 12.50, $10 - $20, Free, or at most 500 of them.'],
];

for (const [members, name, sentence] of writes)
  test(`an event with ${JSON.stringify(members)} is refused with what ${name} may be`, async () => {
    const { status, body } = await daybook.request('editor', 'POST', '/events', someEvent(members));
    assert.is(status, 400);
    assert.equal(body.data.params, { [name]: `${name} ${sentence}` });
  });

const LONG = 'é'.repeat(131_073);
const TOO_LONG = 'has 262146 bytes of UTF-8, but may have at most 262144.';

test('a text has at most 256 KiB in each member, resource and notation', async () => {
  const { id } = await daybook.created('editor', 'events', someEvent());
  const form = new URLSearchParams({ ...someEvent(), excerpt: LONG }).toString();
  const asForm = { 'content-type': 'application/x-www-form-urlencoded' };
  const nested = { description: LONG };
  const sent: readonly (readonly [name: string, text: string, method: string, target: string, body: unknown])[] = [
    ['description', 'description', 'POST', '/events', someEvent({ description: LONG })],
    ['excerpt', 'excerpt', 'POST', '/events', form],
    ['description', 'description', 'PATCH', `/events/${id}`, { description: LONG }],
    ['description', 'description', 'POST', '/venues', { venue: 'Hall', description: LONG }],
    ['description', 'description', 'POST', '/organizers', { organizer: 'Band', description: LONG }],
    ['venue', 'venue.description', 'POST', '/events', someEvent({ venue: { venue: 'Hall', ...nested } })],
    [
      'organizer',
      'organizer.description',
      'POST',
      '/events',
      someEvent({ organizer: [{ organizer: 'B', ...nested }] }),
    ],
    ['description', 'description', 'POST', `/events/${id}/proposals`, { description: LONG }],
    ['note', 'note', 'POST', `/events/${id}/proposals`, { excerpt: 'x', note: LONG }],
  ];
  for (const [name, text, method, target, body] of sent) {
    const answer = await daybook.request('editor', method, target, body, typeof body === 'string' ? asForm : {});
    assert.equal([answer.status, answer.body.code], [400, 'rest_invalid_param'], target);
    assert.equal(answer.body.data.params, { [name]: `${text} ${TOO_LONG}` });
  }
  const title = await daybook.request('editor', 'POST', '/events', someEvent({ title: 'x'.repeat(65_537) }));
  assert.is(title.body.data.params.title, 'title has 65537 bytes of UTF-8, but may have at most 65536.');
});

test('a text of 256 KiB is accepted, unless cleaning it makes it longer', async () => {
  const signs = '&'.repeat(100_000);
  for (const description of [LONG.slice(1), signs]) {
    const made = await daybook.created('administrator', 'events', someEvent({ description }));
    assert.is((await daybook.get(`/events/${made.id}`, 'administrator')).status, 200);
  }
  const { status, body } = await daybook.request('author', 'POST', '/events', someEvent({ description: signs }));
  assert.equal(
    [status, body.data.params],
    [400, { description: 'description has 500000 bytes of UTF-8, but may have at most 262144.' }],
  );
});

test('a longer text of an earlier release is shown, kept and put back whole', async () => {
  const { id } = await daybook.created('editor', 'events', someEvent({ description: 'short' }));
  const before = await daybook.store.readStream(`event-${id}`);
  const metadata = before[0]?.metadata;
  assert.ok(metadata);
  const description = `<p>${'é&amp;'.repeat(120_000)}</p>`;
  const fact = { id: randomUUID(), type: 'EventDescribed', schemaVersion: 1, data: { description }, metadata };
  await daybook.store.append([{ stream: `event-${id}`, expected: before.length - 1, events: [fact] }]);
  const change = (members: object) => daybook.request('editor', 'PATCH', `/events/${id}`, members);
  const changed = await change({ title: 'Changed' });
  assert.equal([changed.status, changed.body.title], [200, 'Changed']);
  assert.is(changed.body.description.split('é').length, 120_001);
  const listed = await daybook.get(`/events?include=${id}`);
  assert.is(listed.body.events[0].description, changed.body.description);
  assert.is((await change({ description })).body.data.params.description.split(' has ')[0], 'description');
  assert.is((await change({ description: 'short again' })).status, 200);
  const back = await daybook.request('editor', 'POST', `/events/${id}/revert`, { revision: before.length });
  assert.equal([back.status, back.body.description], [200, changed.body.description]);
});

test('each of several refused parameters is explained', async () => {
  const { body } = await daybook.get('/events?page=0&per_page=0');
  assert.is(
    body.message,
    'Invalid parameter(s): page, per_page. page must be a whole number from 1. per_page must be 1 to 50.',
  );
  assert.equal(body.data.params, {
    page: 'page must be a whole number from 1.',
    per_page: 'per_page must be 1 to 50.',
  });
});

test('an ambiguous date is accepted, and the answer says how it was read', async () => {
  const header = async (members: object): Promise<string | undefined> => {
    const answer = await daybook.request('editor', 'POST', '/events', someEvent(members));
    assert.is(answer.status, 201);
    return answer.headers['x-daybook-read-as'];
  };
  assert.is(
    await header({ start_date: '04/01/2027 10:00', end_date: '2027-04-01 12:00' }),
    'start_date="2027-04-01 10:00:00"',
  );
  assert.is(
    await header({ start_date: '4.1.2027', end_date: '5.1.2027', date: '1/2/2026' }),
    'start_date="2027-01-04 00:00:00", end_date="2027-01-05 00:00:00", date="2026-01-02 00:00:00"',
  );
  assert.is(await header({ start_date: '12/21/2027 10:00', end_date: '2027-12-21 12:00' }), undefined);
  const venue = await daybook.request('editor', 'POST', '/venues', { venue: 'Dated', date: '1/2/2026' });
  assert.is(venue.headers['x-daybook-read-as'], 'date="2026-01-02 00:00:00"');
});

test('an end before the start becomes the start, and the answer says so', async () => {
  const late = { start_date: '2027-03-02 10:00', end_date: '2027-03-01 10:00' };
  const made = await daybook.request('editor', 'POST', '/events', someEvent(late));
  assert.equal([made.status, made.body.end_date], [201, '2027-03-02 10:00:00']);
  assert.is(made.headers['x-daybook-read-as'], 'end_date="2027-03-02 10:00:00"');
  const change = (members: object) => daybook.request('editor', 'PATCH', `/events/${made.body.id}`, members);
  assert.is((await change({ end_date: '2027-03-02 12:00' })).headers['x-daybook-read-as'], undefined);
  assert.is(
    (await change({ start_date: '2027-03-05 09:00' })).headers['x-daybook-read-as'],
    'end_date="2027-03-05 09:00:00"',
  );
  assert.is((await change({ excerpt: 'x' })).headers['x-daybook-read-as'], undefined);
});

test('errors say what is allowed, in every language', async () => {
  const said = await Promise.all(
    LANGUAGE_CODES.map(async (code): Promise<Body> => (await daybook.get(`/events?per_page=0&_locale=${code}`)).body),
  );
  const sentences = said.map(({ data }) => data.params.per_page);
  for (const sentence of sentences) assert.match(sentence, /^per_page.*1.*50/);
  assert.is(new Set(sentences).size, LANGUAGE_CODES.length);
});

test.run();
