import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT, someEvent, startTestService, type TestService } from '../support/service.ts';

let daybook: TestService;
const test = suite('conditions, repetitions and positions over HTTP');

test.before(async () => {
  daybook = await startTestService();
});
test.after(() => daybook.close());

const tagOf = async (target: string): Promise<string> => (await daybook.get(target, 'editor')).headers.etag ?? '';
const put = (target: string, body: object, headers = {}) => daybook.request('editor', 'PUT', target, body, headers);

/** A resource of every collection, and a change of it. */
const RESOURCES = [
  ['events', someEvent({ title: 'Tagged' }), { excerpt: 'x' }],
  ['venues', { venue: 'Tagged' }, { city: 'x' }],
  ['organizers', { organizer: 'Tagged' }, { phone: 'x' }],
  ['categories', { name: 'Tagged' }, { description: 'x' }],
  ['tags', { name: 'Tagged' }, { description: 'x' }],
] as const;

for (const [collection, body, change] of RESOURCES) {
  test(`a tag of ${collection} answers 304 until it changes, then 200 with another one`, async () => {
    const { id } = await daybook.created('editor', collection, body);
    const target = `/${collection}/${id}`;
    const tag = await tagOf(target);
    assert.match(tag, /^"[\w-]+"$/);
    const same = await daybook.get(target, 'editor', { 'if-none-match': `"other", ${tag}` });
    assert.equal([same.status, same.text, same.headers.etag], [304, '', tag]);
    assert.is((await daybook.get(target, 'editor', { 'if-none-match': `W/${tag}` })).status, 304);
    assert.is((await put(target, change)).status, 200);
    const changed = await daybook.get(target, 'editor', { 'if-none-match': tag });
    assert.is(changed.status, 200);
    assert.is.not(changed.headers.etag, tag);
  });

  test(`If-Match on ${collection} accepts the current tag, and answers 412 to an older one`, async () => {
    const first = await daybook.request('editor', 'POST', `/${collection}`, {
      ...body,
      ...named(collection, 'Matched'),
    });
    const target = `/${collection}/${first.body.id}`;
    const tag = await tagOf(target);
    assert.is((await put(target, change, { 'if-match': tag })).status, 200);
    const before = await daybook.store.head();
    for (const [method, given] of [
      ['PUT', tag],
      ['DELETE', tag],
      ['PATCH', '"nonsense"'],
      ['POST', 'W/"1"'],
    ] as const) {
      const refused = await daybook.request('editor', method, target, change, { 'if-match': given });
      assert.equal([method, refused.status, refused.body.code], [method, 412, 'rest_precondition_failed']);
    }
    assert.is(await daybook.store.head(), before);
    assert.is((await put(target, { ...change }, { 'if-match': '*' })).status, 200);
    const latest = await tagOf(target);
    assert.is((await daybook.request('editor', 'DELETE', target, undefined, { 'if-match': latest })).status, 200);
  });

  test(`the tag that a write of ${collection} answers is the one to insist on next`, async () => {
    const made = await daybook.request('editor', 'POST', `/${collection}`, {
      ...body,
      ...named(collection, 'Chained'),
    });
    const target = `/${collection}/${made.body.id}`;
    const changed = await put(target, change, { 'if-match': made.headers.etag ?? '' });
    assert.is(changed.status, 200);
    const gone = await daybook.request('editor', 'DELETE', target, {}, { 'if-match': changed.headers.etag ?? '' });
    assert.is(gone.status, 200);
  });

  test(`a key makes a creation of ${collection} happen once`, async () => {
    const headers = { 'idempotency-key': `once ${collection}` };
    const send = () =>
      daybook.request('editor', 'POST', `/${collection}`, { ...body, ...named(collection, 'Once') }, headers);
    const [first, second] = [await send(), await send()];
    assert.equal([first.status, second.status], [201, 201]);
    assert.is(second.body.id, first.body.id);
    assert.is(second.headers.location, `${ROOT}/${collection}/${first.body.id}`);
    const others = await daybook.request(
      'administrator',
      'POST',
      `/${collection}`,
      { ...body, ...named(collection, 'Not once') },
      headers,
    );
    assert.is.not(others.body.id, first.body.id, 'keys of two callers have nothing to do with each other');
  });

  test(`a creation in ${collection} has a Location`, async () => {
    const {
      status,
      headers,
      body: made,
    } = await daybook.request('editor', 'POST', `/${collection}`, {
      ...body,
      ...named(collection, 'Located'),
    });
    assert.equal([status, headers.location], [201, `${ROOT}/${collection}/${made.id}`]);
    const path = new URL(headers.location ?? '').pathname;
    assert.is((await daybook.request('anonymous', 'GET', `/${path}`)).body.id, made.id);
    assert.is((await put(`/${collection}/${made.id}`, change)).headers.location, undefined);
  });
}

function named(collection: string, name: string): object {
  if (collection === 'events') return { title: name };
  return { [{ venues: 'venue', organizers: 'organizer' }[collection] ?? 'name']: name };
}

test('a key that was used for another kind of resource is refused, and nothing is written', async () => {
  const headers = { 'idempotency-key': 'shared' };
  await daybook.request('editor', 'POST', '/venues', { venue: 'Shared' }, headers);
  const before = await daybook.store.head();
  for (const [collection, body] of RESOURCES.filter(([name]) => name !== 'venues')) {
    const sent = { ...body, ...named(collection, 'Shared') };
    const { status, body: answer } = await daybook.request('editor', 'POST', `/${collection}`, sent, headers);
    assert.equal([collection, status, answer.code], [collection, 400, 'rest_invalid_param']);
  }
  assert.is(await daybook.store.head(), before);
});

test('an empty key counts as absent', async () => {
  const headers = { 'idempotency-key': '' };
  const send = () => daybook.request('editor', 'POST', '/events', someEvent(), headers);
  assert.is.not((await send()).body.id, (await send()).body.id);
});

test('concurrent requests with one key create one resource', async () => {
  const send = () => daybook.request('editor', 'POST', '/events', someEvent(), { 'idempotency-key': 'together' });
  const answers = await Promise.all(Array.from({ length: 5 }, send));
  assert.equal(
    answers.map(({ status }) => status),
    [201, 201, 201, 201, 201],
  );
  assert.is(new Set(answers.map(({ body }) => body.id)).size, 1);
});

test('of many requests with the same tag one succeeds', async () => {
  const { id } = await daybook.created('editor', 'events', someEvent());
  const tag = await tagOf(`/events/${id}`);
  const tries = Array.from({ length: 6 }, (_, n) => put(`/events/${id}`, { title: `Try ${n}` }, { 'if-match': tag }));
  const statuses = (await Promise.all(tries)).map(({ status }) => status).sort();
  assert.equal(statuses, [200, 412, 412, 412, 412, 412]);
});

test("an event's tag changes with what it shows of others", async () => {
  const venue = await daybook.created('editor', 'venues', { venue: 'Embedded' });
  const organizer = await daybook.created('editor', 'organizers', { organizer: 'Embedded' });
  const category = await daybook.created('editor', 'categories', { name: 'Embedded' });
  const relations = { venue: venue.id, organizer: organizer.id, categories: category.id };
  const { id } = await daybook.created('editor', 'events', someEvent(relations));
  const target = `/events/${id}`;
  const changes: readonly (() => Promise<unknown>)[] = [
    () => put(`/venues/${venue.id}`, { city: 'Leeds' }),
    () => put(`/organizers/${organizer.id}`, { email: 'a@cal.example' }),
    () => put(`/categories/${category.id}`, { name: 'Renamed' }),
    () => daybook.created('editor', 'events', someEvent({ categories: category.id })),
    () => daybook.request('editor', 'DELETE', `/venues/${venue.id}`),
    () => daybook.request('editor', 'DELETE', `/categories/${category.id}`),
  ];
  for (const [at, change] of changes.entries()) {
    const tag = await tagOf(target);
    await change();
    const again = await daybook.get(target, 'editor', { 'if-none-match': tag });
    assert.is(again.status, 200, `change ${at}`);
  }
});

test('lists carry a tag that changes with any of their items', async () => {
  for (const [collection, body, change] of RESOURCES) {
    const { id } = await daybook.created('editor', collection, { ...body, ...named(collection, 'Listed') });
    const target = `/${collection}?per_page=50&hide_empty=false`;
    const tag = await tagOf(target);
    const same = await daybook.get(target, 'editor', { 'if-none-match': tag });
    assert.equal([same.status, same.text], [304, '']);
    assert.ok(same.headers['x-tec-total'], 'totals stand on a 304 too');
    await put(`/${collection}/${id}`, change);
    assert.is((await daybook.get(target, 'editor', { 'if-none-match': tag })).status, 200, collection);
  }
});

test('every write returns its position, which a read may require', async () => {
  const made = await daybook.request('editor', 'POST', '/events', someEvent());
  const position = made.headers['x-daybook-position'] ?? '';
  assert.is(position, await daybook.store.head());
  assert.is(made.headers['x-daybook-views'], undefined, 'the views are there');
  for (const target of [
    '/events',
    `/events/${made.body.id}`,
    '/venues',
    '/categories',
    '/events/by-slug/open-rehearsal',
  ]) {
    const read = await daybook.get(target, 'anonymous', { 'x-daybook-position': position });
    assert.is(read.status, 200, target);
  }
  const changed = await put(`/events/${made.body.id}`, { title: 'Later' });
  assert.ok((changed.headers['x-daybook-position'] ?? '') > position, 'positions grow');
  const same = await put(`/events/${made.body.id}`, { title: 'Later' });
  assert.is(same.status, 200, 'a change that changes nothing is fine');
});

test('the reason and the writer of a change are recorded in the log', async () => {
  const { id } = await daybook.created('editor', 'events', someEvent());
  const stream = `event-${id}`;
  const last = async () => (await daybook.store.readStream(stream)).at(-1)?.metadata;
  await put(`/events/${id}`, { title: 'One' }, { 'x-change-reason': 'Tippfehler%20%C3%BC' });
  assert.is((await last())?.reason, 'Tippfehler ü');
  const answer = await put(`/events/${id}`, { title: 'Two', _reason: 'said in the body' });
  const metadata = await last();
  assert.is(metadata?.reason, 'said in the body');
  // The name is looked up when it is told, so that it can be erased.
  assert.equal(metadata?.actor, { id: daybook.userId('editor'), name: '' });
  assert.is(metadata?.correlationId, answer.headers['x-request-id']);
  await put(`/events/${id}`, { title: 'Three' });
  assert.is((await last())?.reason, undefined);
  assert.is((await put(`/events/${id}`, { title: 'Four', _reason: 'x'.repeat(1001) })).status, 400);
});

test.run();
