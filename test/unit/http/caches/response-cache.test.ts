import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ReadModel } from '../../../../src/read-model/read-model.ts';
import {
  NOON,
  PREFIX,
  ROOT,
  type SendHeaders,
  someEvent,
  startTestService,
  type TestService,
} from '../../../support/service.ts';

const test = suite('response cache');

/** How often the read model has been asked for a list. */
let reads = 0;
/** How often a request for events was understood anew. */
let understood = 0;
const counting = (model: ReadModel): ReadModel => ({
  ...model,
  terms: () => {
    understood += 1;
    return model.terms();
  },
  listEvents: (query, recall) => {
    reads += 1;
    return model.listEvents(query, recall);
  },
  listLinkedPosts: (query) => {
    reads += 1;
    return model.listLinkedPosts(query);
  },
  listTerms: (query) => {
    reads += 1;
    return model.listTerms(query);
  },
});

const DAY = 86_400;

let service: TestService;

const anEvent = (title: string, members: object = {}): Promise<{ readonly id: number }> =>
  service.created('administrator', 'events', {
    title,
    start_date: '2026-11-25 10:00:00',
    end_date: '2026-11-25 12:00:00',
    description: `<p>${'A long evening with many guests. '.repeat(30)}</p>`,
    ...members,
  });

async function raw(target: string, headers: SendHeaders = {}) {
  const url = PREFIX + target;
  const answer = await service.service.app.inject({ url, headers: { host: 'cal.example', ...headers } });
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload };
}

async function readsOf(work: () => Promise<unknown>): Promise<number> {
  const before = reads;
  await work();
  return reads - before;
}

test.before(async () => {
  service = await startTestService({ wrap: (stores) => ({ ...stores, readModel: counting(stores.readModel) }) });
  await anEvent('Concert', { categories: ['Music'], tags: ['Loud'], venue: { venue: 'Hall', city: 'Leeds' } });
  await anEvent('Reading', { organizer: { organizer: 'Library' } });
  await anEvent('Rehearsal', { status: 'draft' });
});
test.after(() => service.close());
test.before.each(() => {
  service.clock.at = NOON;
});

test('a list that was answered twice is not read again, by the same address or another that means the same', async () => {
  for (const target of ['/events?per_page=7', '/venues?per_page=7', '/organizers?per_page=7', '/categories', '/tags']) {
    assert.is(await readsOf(() => service.get(target)), 1, target);
    assert.is(await readsOf(() => service.get(target)), 1, `${target}: what is asked for once is not kept`);
    assert.is(await readsOf(() => service.get(target)), 0, target);
    service.clock.at += 1;
    assert.is(await readsOf(() => service.get(target)), 0, `${target}, a second later`);
  }
});

test('order, notation and unknown names of parameters do not make another list', async () => {
  const venue = (await service.get('/venues')).body.venues[0].id;
  await service.get(`/events?venue=${venue}&per_page=5&featured=0`);
  const first = await service.get(`/events?venue=${venue}&per_page=5&featured=0`);
  for (const same of [
    `/events?per_page=5&featured=false&venue=${venue}`,
    `/events?venue[]=${venue}&per_page=5&featured=0`,
    `/events?venue[0]=${venue}&per_page=05&featured=0&utm_source=letter`,
    `/events/?per_page=5&venue=${venue}&featured=0`,
  ]) {
    let answer = first;
    assert.is(await readsOf(async () => (answer = await service.get(same))), 0, same);
    assert.is(answer.text, first.text);
    assert.is(answer.headers.etag, first.headers.etag);
  }
  assert.is(await readsOf(() => service.get(`/events?venue=${venue}&per_page=6&featured=0`)), 1);
});

test('what a list shows of its items makes another list', async () => {
  assert.ok((await service.get('/categories')).body.categories[0].meta);
  const embedded = await service.get('/categories?context=embed');
  assert.is(embedded.body.categories[0].meta, undefined);
  assert.ok((await service.get('/categories')).body.categories[0].meta);
});

test('links repeat what was sent, also if it selects the same', async () => {
  const plain = await service.get('/venues');
  const said = await service.get('/venues?only_with_upcoming=0');
  assert.match(said.body.rest_url, 'only_with_upcoming=0');
  assert.not.match(plain.body.rest_url, 'only_with_upcoming');
});

test('an address alone identifies the answer within its second; other requests are parsed in full', async () => {
  const lookedAt = async (headers: SendHeaders, target = '/events?per_page=8') => {
    const before = understood;
    await raw(target, headers);
    return understood - before > 0;
  };
  const written = await service.request('administrator', 'POST', '/tags', { name: 'Anything' });
  assert.is(await lookedAt({}), true);
  assert.is(await lookedAt({}), true, 'what is asked for once is not kept');
  assert.is(await lookedAt({}), false);
  assert.is(await lookedAt({ 'if-none-match': '"x"', 'accept-encoding': 'br', origin: 'https://page.example' }), false);
  assert.is(await lookedAt({ 'x-daybook-position': String(written.headers['x-daybook-position']) }), true);
  assert.is(await lookedAt({ authorization: service.authorization('editor') }), true);
  assert.is(await lookedAt({ host: 'other.example' }), true);
  assert.is(await lookedAt({}, '/events?per_page=08'), true);
  service.clock.at += 1;
  assert.is(await lookedAt({}), true);
});

test('a forged host gets a list of its own, in any order of requests', async () => {
  const forged = { host: 'evil.example' };
  await raw('/events?per_page=9', forged);
  await raw('/events?per_page=9', forged);
  const honest = await service.get('/events?per_page=9');
  assert.not.match(honest.text, /evil\.example/);
  assert.match(honest.text, ROOT);
  const other = await raw('/events?per_page=9', forged);
  assert.not.match(other.bytes.toString(), /cal\.example/);
  assert.not.match(String(other.headers.link), /cal\.example/);
});

test('each prefix has links of its own', async () => {
  const two = await startTestService({ environment: { DAYBOOK_PREFIX_ALIASES: 'wp-json/tribe/events/v1' } });
  try {
    await two.created('administrator', 'events', someEvent());
    const first = await two.get('/events');
    const second = await two.get('//wp-json/tribe/events/v1/events');
    assert.match(first.body.rest_url, '/calendar/events/v1/');
    assert.match(second.body.rest_url, '/wp-json/tribe/events/v1/');
  } finally {
    await two.close();
  }
});

test('what one caller may see is never given to another', async () => {
  await service.created('author', 'events', {
    title: 'My own draft',
    start_date: '2026-11-26 10:00:00',
    end_date: '2026-11-26 12:00:00',
    status: 'draft',
  });
  const titles = async (as: Parameters<TestService['get']>[1]) =>
    (await service.get('/events', as)).body.events.map(({ title }: { readonly title: string }) => title).sort();
  for (const round of ['first', 'again']) {
    assert.equal(await titles('administrator'), ['Concert', 'My own draft', 'Reading', 'Rehearsal'], round);
    assert.equal(await titles('anonymous'), ['Concert', 'Reading'], round);
    assert.equal(await titles('author'), ['Concert', 'My own draft', 'Reading'], round);
    assert.equal(await titles('otherAuthor'), ['Concert', 'Reading'], round);
    assert.equal(await titles('subscriber'), ['Concert', 'Reading'], round);
  }
});

test('what lists embed is not shared either: a draft venue shows to its author only', async () => {
  const venue = await service.created('author', 'venues', { venue: 'Secret cellar', status: 'draft' });
  await service.created('author', 'events', someEvent({ title: 'Cellar night', venue: [venue.id] }));
  for (const round of ['made', 'kept'])
    for (const as of ['author', 'otherAuthor', 'anonymous', 'author', 'otherAuthor'] as const) {
      const { text } = await service.get('/events?status=publish', as);
      assert.match(text, 'Cellar night');
      assert.is(text.includes('Secret cellar'), as === 'author', `${as}, ${round}`);
    }
});

test('answers to signed-in callers are not cacheable, and name the methods', async () => {
  await service.get('/events');
  const { headers } = await service.get('/events', 'administrator');
  assert.match(String(headers['cache-control']), /no-store, private/);
  assert.is(headers.allow, 'GET, POST');
  assert.is((await service.get('/events')).headers.allow, 'GET');
});

test('lists opened by a password are not cached', async () => {
  await anEvent('Closed evening', { password: 'rosebud', excerpt: 'secret words' });
  const opened = await service.get('/events?password=rosebud');
  assert.match(opened.text, 'secret words');
  assert.is(opened.headers['cache-control'], 'private, no-cache');
  assert.not.match((await service.get('/events')).text, 'secret words');
  assert.not.match((await service.get('/events?password=wrong')).text, 'secret words');
  assert.is(await readsOf(() => service.get('/events?password=rosebud')), 1);
  assert.is(await readsOf(() => service.get('/events?password=rosebud')), 1);
});

test('a write shows at once', async () => {
  await service.get('/events?search=vernissage');
  await anEvent('Vernissage');
  const answer = await service.get('/events?search=vernissage');
  assert.is(answer.body.total, 1);
});

test('upcoming is relative to now, to the second', async () => {
  const start = Date.UTC(2026, 10, 24, 18) / 1000;
  const times = { start_date: '2026-11-24 18:00:00', end_date: '2026-11-24 18:30:00' };
  await anEvent('Opening', { ...times, venue: { venue: 'Studio' } });
  const upcoming = async () =>
    (await service.get('/venues?only_with_upcoming=1')).body.venues.map(
      ({ venue }: { readonly venue: string }) => venue,
    );
  for (const [at, isListed] of [
    [start - DAY, true],
    [start - 1, true],
    [start, true],
    [start + 1, false],
    [start + 1_800, false],
    [start + 1_801, false],
    [start, true],
  ] as const) {
    service.clock.at = at;
    for (const round of ['made', 'kept']) assert.is((await upcoming()).includes('Studio'), isListed, `${at}, ${round}`);
  }
  service.clock.at = start + 30 * DAY;
  assert.equal(await upcoming(), [], 'nothing is to come');
});

test('a day that has passed takes what ended before it along', async () => {
  const midnight = Date.UTC(2026, 10, 27) / 1000;
  service.clock.at = midnight - 1;
  const last = await service.get('/events?per_page=50');
  assert.match(last.body.rest_url, 'start_date=2026-11-25+00%3A00%3A00');
  service.clock.at = midnight;
  const next = await service.get('/events?per_page=50');
  assert.match(next.body.rest_url, 'start_date=2026-11-26+00%3A00%3A00');
  assert.ok(next.body.total < last.body.total);
});

test('public answers must be revalidated, and name what they depend on', async () => {
  for (const round of ['made', 'kept']) {
    const { headers } = await service.get('/events?per_page=11');
    assert.is(headers['cache-control'], 'no-cache', round);
    assert.is(headers.vary, 'Origin, Accept-Encoding, Authorization');
    assert.is(headers['x-tec-total'], headers['x-wp-total']);
    assert.match(String(headers.etag), /^"[\w-]{22}"$/);
    assert.is(headers['access-control-allow-origin'], undefined);
    const fromPage = await service.get('/events?per_page=11', 'anonymous', { origin: 'https://page.example' });
    assert.is(fromPage.headers['access-control-allow-origin'], 'https://page.example');
    assert.is(fromPage.headers.vary, 'Origin, Accept-Encoding, Authorization');
  }
});

test('a cached answer has the same headers as a new one, except for the request id', async () => {
  const [made, kept] = [await raw('/events?per_page=13'), await raw('/events?per_page=13')];
  const { 'x-request-id': first, date: _, ...before } = made.headers;
  const { 'x-request-id': second, date: __, ...after } = kept.headers;
  assert.equal(after, before);
  assert.is.not(first, second);
});

test('_fields and _envelope work on cached lists', async () => {
  const whole = await service.get('/events?per_page=3');
  for (const round of ['made', 'kept']) {
    const part = await service.get('/events?per_page=3&_fields=total');
    assert.is(part.text, `{"total":${whole.body.total}}`, round);
    assert.is(part.headers['x-tec-total'], String(whole.body.total));
    assert.is(part.headers['cache-control'], 'no-cache');
    const wrapped = await service.get('/events?per_page=3&_envelope=1');
    assert.equal(wrapped.body.body, whole.body);
    assert.is(wrapped.body.status, 200);
    assert.is(wrapped.body.headers.ETag, whole.headers.etag);
    assert.is(wrapped.body.headers.Allow, 'GET');
    const held = { 'if-none-match': String(whole.headers.etag) };
    assert.is((await service.get('/events?per_page=3&_envelope=1', 'anonymous', held)).body.status, 304);
    assert.is((await service.get('/events?per_page=3&_fields=total', 'anonymous', held)).status, 304);
    assert.is((await service.get('/events?per_page=3')).text, whole.text);
  }
});

test('_fields of a list keep or leave out its items as they are, however long it is', async () => {
  for (const query of ['per_page=3', 'per_page=50', 'per_page=3&search=zz-nothing']) {
    const { body: whole } = await service.get(`/events?${query}`);
    const { events, total, total_pages } = whole;
    const expected: { readonly [fields: string]: object } = {
      'total,events': { events, total },
      'events.id,total_pages,events': { events, total_pages },
      'events.id,total': { events: [], total },
      events: { events },
      nope: {},
      '': whole,
    };
    for (const [fields, part] of Object.entries(expected)) {
      const found = await service.get(`/events?${query}&_fields=${fields}`);
      assert.is(found.text, JSON.stringify(part), fields);
      const wrapped = await service.get(`/events?${query}&_fields=${fields}&_envelope=1`);
      assert.equal(wrapped.body.body, part, fields);
    }
  }
});

test('a page past the end stays 404, a bad parameter 400, a bad credential 401', async () => {
  await service.get('/events');
  for (let round = 0; round < 2; round++) {
    assert.is((await service.get('/events?page=99')).status, 404);
    assert.is((await service.get('/events?page=0')).status, 400);
    assert.is((await service.get('/events?status=draft')).status, 400);
    assert.is((await raw('/events', { authorization: 'Bearer 1.nothing.wrong' })).status, 401);
    assert.is((await raw('/events', { host: 'no host' })).status, 400);
    assert.is((await service.get('/events')).status, 200);
  }
});

test('a read with a body is read by its body, too', async () => {
  await service.get('/events');
  const answer = await service.request('anonymous', 'GET', '/events', 'per_page=1', {
    'content-type': 'application/x-www-form-urlencoded',
  });
  assert.is(answer.body.events.length, (await service.get('/events')).body.events.length);
  const json = await service.request('anonymous', 'GET', '/events', { per_page: 1 });
  assert.is(json.body.events.length, 1);
});

test.run();
