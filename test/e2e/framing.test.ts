import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, PREFIX, ROOT, someEvent, startTestService, type TestService } from '../support/service.ts';

const ALIAS = 'wp-json/tribe/events/v1';

let daybook: TestService;
let fixed: TestService;
let proxied: TestService;
const test = suite('addresses, methods and headers over HTTP');

test.before(async () => {
  daybook = await startTestService({ environment: { DAYBOOK_PREFIX_ALIASES: `/${ALIAS}/` } });
  fixed = await startTestService({ environment: { DAYBOOK_SITE_URL: 'https://cal.example:8443/site/' } });
  proxied = await startTestService({ environment: { DAYBOOK_TRUST_PROXY: '1' } });
  for (const service of [daybook, fixed, proxied])
    await service.created('editor', 'events', someEvent({ venue: { venue: 'Hall' }, categories: 'Music' }));
});
test.after(async () => {
  for (const service of [daybook, fixed, proxied]) await service.close();
});

const addresses = ({ text }: Answer): string[] => text.match(/https?:\/\/[^"\\ ]+/g) ?? [];
const ours = (answer: Answer) => addresses(answer).filter((url) => !url.includes('schema.org'));

test('an alias answers the same, with links under itself', async () => {
  for (const target of ['/events', '/events/2', '/venues/1', '/categories', '/events/by-slug/open-rehearsal', '']) {
    const main = await daybook.get(target);
    const alias = await daybook.get(`//${ALIAS}${target}`);
    assert.is(alias.status, 200, target);
    const moved = alias.text.replaceAll(`cal.example/${ALIAS}`, `cal.example${PREFIX}`);
    assert.is(moved, main.text, target);
    assert.is(alias.text !== main.text, target !== '/venues/1', target);
  }
  const next = (await daybook.get(`//${ALIAS}/events?per_page=1&start_date=2020-01-01`)).body.rest_url;
  assert.ok(next.startsWith(`http://cal.example/${ALIAS}/events/`));
  const made = await daybook.request('editor', 'POST', `//${ALIAS}/events`, someEvent());
  assert.is(made.headers.location, `http://cal.example/${ALIAS}/events/${made.body.id}`);
});

test('a configured site address is in every link, whatever host the client names', async () => {
  for (const host of ['cal.example', 'evil.example', 'evil.example/"><script>']) {
    const headers = { host, 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'gopher' };
    for (const target of ['/events', '/events/2', '/venues', '/categories', '']) {
      const answer = await fixed.get(target, 'anonymous', headers);
      assert.is(answer.status, 200);
      assert.ok(ours(answer).length > 0);
      for (const url of ours(answer)) assert.ok(url.startsWith('https://cal.example:8443/site'), url);
    }
  }
  const event = (await fixed.get('/events/2')).body;
  assert.is(event.global_id, 'cal.example/site?id=2');
  assert.is(event.rest_url, `https://cal.example:8443/site${PREFIX}/events/2`);
});

test('without one, links carry the host of the request; a forged one is refused or harmless', async () => {
  const answer = await daybook.get('/events/2', 'anonymous', {
    host: 'Other.Example:8080',
    'x-forwarded-host': 'evil.example',
  });
  for (const url of ours(answer)) assert.ok(url.startsWith('http://other.example:8080/'), url);
  for (const host of ['a b', 'a/b', 'a"b', 'a\\b', 'user@host', '<script>', 'a,b', 'x:port']) {
    const refused = await daybook.get('/events/2', 'anonymous', { host });
    assert.equal([host, refused.status, refused.body.code], [host, 400, 'rest_invalid_host']);
    assert.not.ok(refused.text.includes(host));
  }
  const plain = await daybook.get('/events/2');
  assert.not.match(plain.text, 'other.example', 'what one client says does not stick');
});

test('a trusted proxy decides scheme and host of links', async () => {
  const headers = { 'x-forwarded-host': 'pub.example, inner', 'x-forwarded-proto': 'https, http' };
  for (const url of ours(await proxied.get('/events', 'anonymous', headers)))
    assert.ok(url.startsWith('https://pub.example/'), url);
  const forged = await proxied.get('/events', 'anonymous', { 'x-forwarded-host': 'evil/"' });
  assert.is(forged.body.code, 'rest_invalid_host');
});

test('case, slashes and leading zeros of a path do not matter', async () => {
  const event = (await daybook.get('/events/2')).text;
  for (const path of [
    '/events/2/',
    '/EVENTS/0002',
    '//calendar//events/V1///events//2',
    '/events/by-slug/Open%20Rehearsal',
  ])
    assert.is((await daybook.get(path)).text, event, path);
});

test('HEAD answers as GET does, without a body', async () => {
  for (const target of ['/events', '/events/2', '/tags', '/events/999', '/nothing']) {
    const get = await daybook.get(target);
    const head = await daybook.request('anonymous', 'HEAD', target);
    assert.equal([head.status, head.text], [get.status, ''], target);
    const timeless = ({ headers }: Answer) => ({ ...headers, date: '', 'x-request-id': '' });
    assert.equal(timeless(head), timeless(get), target);
  }
});

test('OPTIONS describes a known route with the caller’s methods, an unknown one with an empty list', async () => {
  const anonymous = await daybook.request('anonymous', 'OPTIONS', '/events');
  assert.equal([anonymous.status, anonymous.headers.allow], [200, 'GET']);
  assert.equal(anonymous.body.methods, ['GET', 'POST']);
  assert.is(anonymous.body.endpoints[1].args.title.required, true);
  assert.is((await daybook.request('editor', 'OPTIONS', '/events/2')).headers.allow, 'GET, DELETE, POST, PUT, PATCH');
  const unknown = await daybook.request('anonymous', 'OPTIONS', '/nothing');
  assert.equal([unknown.status, unknown.body], [200, []]);
});

test('OPTIONS describes a route whatever its right and its parameters demand', async () => {
  for (const target of ['/webhooks', '/events?per_page=many&settle=1', '/users/me']) {
    const described = await daybook.request('anonymous', 'OPTIONS', target, '{"title":');
    assert.equal(
      [described.status, Object.keys(described.body).slice(0, 3)],
      [200, ['namespace', 'methods', 'endpoints']],
    );
  }
});

test('a POST may override its method; the query overrides the header', async () => {
  const { id } = await daybook.created('editor', 'events', someEvent());
  const target = `/events/${id}`;
  const override = (method: string, query = '') =>
    daybook.request('editor', 'POST', target + query, undefined, { 'x-http-method-override': method });
  assert.is((await override('GET')).body.id, id);
  assert.is((await override('BREW')).body.code, 'rest_no_route');
  assert.ok('json_ld' in (await override('DELETE', '?_method=GET')).body, 'it was read, not deleted');
  const gone = await override('delete');
  assert.equal([gone.status, gone.body.status], [200, 'trash']);
});

test('a GET stays a GET whatever method it names', async () => {
  const { id } = await daybook.created('editor', 'events', someEvent());
  const answer = await daybook.get(`/events/${id}?_method=DELETE`, 'editor', { 'x-http-method-override': 'DELETE' });
  assert.equal([answer.status, answer.body.status], [200, 'publish']);
});

test('a single read answers the same from the cache: whole, cut down and wrapped', async () => {
  for (const target of ['/events/2', '/events/2?_fields=id,slug', '/events/2?_envelope']) {
    const first = await daybook.get(target);
    const again = await daybook.get(target);
    assert.equal(again.body, first.body, target);
    assert.is(again.headers.etag, first.headers.etag, target);
    assert.is(again.headers['content-length'], first.headers['content-length'], target);
  }
});

test('_fields keeps the named members on every route, and is ignored for errors', async () => {
  assert.equal((await daybook.get('/events/2?_fields=id,slug')).body, { id: 2, slug: 'open-rehearsal' });
  assert.equal((await daybook.get('/events/2?_fields[]=venue.venue&_fields[]=cost_details.values')).body, {
    cost_details: { values: [] },
    venue: { venue: 'Hall' },
  });
  assert.equal(Object.keys((await daybook.get('/tags?_fields=total,tags')).body), ['total', 'tags']);
  assert.equal(Object.keys((await daybook.get('?_fields=namespace')).body), ['namespace']);
  assert.equal((await daybook.request('editor', 'PUT', '/events/2?_fields=id', { excerpt: 'x' })).body, { id: 2 });
  assert.is((await daybook.get('/events/999?_fields=nothing')).body.code, 'rest-event-not-found');
  assert.equal((await daybook.get('/events/2?_fields=__proto__,constructor,toString')).body, {});
  for (const target of ['/events', '/events/2', '/tags', ''])
    assert.equal((await daybook.get(`${target}?_fields=nothing`)).body, {}, `fields that match nothing: ${target}`);
});

test('_envelope wraps status, headers and body on every route, errors too', async () => {
  const list = (await daybook.get('/venues?_envelope&_fields=total')).body;
  assert.equal([list.status, list.body, list.headers['X-TEC-Total']], [200, { total: 1 }, 1]);
  for (const name of ['X-TEC-Total', 'X-TEC-TotalPages', 'X-WP-Total', 'X-WP-TotalPages'])
    assert.is(list.headers[name], 1, name);
  const missing = await daybook.get('/events/999?_envelope=1');
  assert.equal([missing.status, missing.body.status, missing.body.body.code], [200, 404, 'rest-event-not-found']);
  const made = await daybook.request('editor', 'POST', '/tags?_envelope', { name: 'Wrapped' });
  assert.equal([made.body.status, made.body.headers.Location], [201, `${ROOT}/tags/${made.body.body.id}`]);
});

test('answers name their type, who may cache them and what a page of another origin may read', async () => {
  const plain = (await daybook.get('/events')).headers;
  assert.is(plain['content-type'], 'application/json; charset=UTF-8');
  assert.equal([plain['x-robots-tag'], plain['x-content-type-options']], ['noindex', 'nosniff']);
  assert.match(plain['x-request-id'] ?? '', /^[0-9a-f-]{36}$/);
  assert.is(plain.link, '<http://cal.example/>; rel="https://api.w.org/"');
  assert.match(plain.vary ?? '', 'Origin');
  assert.is(plain['access-control-allow-origin'], undefined);
  const crossed = (await daybook.get('/events', 'anonymous', { origin: 'https://page.example' })).headers;
  assert.is(crossed['access-control-allow-origin'], 'https://page.example');
  for (const name of [
    'X-TEC-Total',
    'X-TEC-TotalPages',
    'X-WP-Total',
    'X-WP-TotalPages',
    'Link',
    'ETag',
    'X-Daybook-Position',
  ])
    assert.ok((crossed['access-control-expose-headers'] ?? '').split(', ').includes(name), name);
  for (const target of ['/events', '/events/2', '/venues/1', '/tags'])
    assert.match((await daybook.get(target, 'subscriber')).headers['cache-control'] ?? '', 'no-store', target);
});

test('no header line of a client comes back broken out of its line', async () => {
  const { headers } = await daybook.get('/events', 'anonymous', { origin: 'https://page.example/"<>' });
  assert.is(headers['access-control-allow-origin'], 'https://page.example/"<>');
  const made = await daybook.request('editor', 'POST', '/events', someEvent(), {
    'x-change-reason': 'a%0d%0aSet-Cookie: x',
  });
  assert.is(made.status, 201);
  assert.is(made.headers['set-cookie'], undefined);
});

test('a long list in an envelope has the bytes of the list, and says how long it is', async () => {
  const own = await startTestService();
  const description = `<p>${'Crème brûlée. '.repeat(2_000)}</p>`;
  await own.created('editor', 'events', someEvent({ description }));
  const plain = await own.get('/events');
  const envelope = await own.get('/events?_envelope=1');
  assert.ok(plain.text.length > 20_000);
  assert.ok(envelope.text.startsWith(`{"body":${plain.text},"status":200,"headers":{`));
  assert.is(envelope.body.headers['X-TEC-Total'], 1);
  const length = String(Buffer.byteLength(envelope.text));
  assert.equal([envelope.headers['content-length'], envelope.headers['transfer-encoding']], [length, undefined]);
  const head = await own.request('anonymous', 'HEAD', '/events?_envelope=1');
  assert.equal([head.text, head.headers['content-length']], ['', length]);
  await own.close();
});

test.run();
