import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EDITOR_HEADERS as EDITOR, logged, send } from './sample-routes.ts';

const test = suite('answers');

test('every matched route names the caller’s methods', async () => {
  assert.is((await send('/events')).headers.allow, 'GET');
  assert.is((await send('/events', { headers: EDITOR })).headers.allow, 'GET, POST');
  assert.is((await send('/events/1', { headers: EDITOR })).headers.allow, 'GET, DELETE');
  assert.is((await send('/events?page=0')).headers.allow, 'GET');
});

test('every answer has the fixed headers', async () => {
  for (const path of ['/events', '/nope', '/broken']) {
    const { headers } = await send(path);
    assert.is(headers['content-type'], 'application/json; charset=UTF-8', path);
    assert.is(headers['x-robots-tag'], 'noindex');
    assert.is(headers['x-content-type-options'], 'nosniff');
    assert.is(headers.link, '<http://cal.example/>; rel="https://api.w.org/"');
    assert.match(
      String(headers['access-control-expose-headers']),
      /X-TEC-Total, X-TEC-TotalPages, X-WP-Total, X-WP-TotalPages, Link, ETag/,
    );
    assert.match(String(headers['access-control-allow-headers']), /Authorization/);
    assert.match(String(headers['x-request-id']), /^request-\d+$/);
    assert.is(headers.vary, path === '/events' ? 'Origin, Authorization' : 'Origin, Authorization, Accept-Language');
    assert.is(headers['cache-control'], undefined);
  }
});

test('pages of other origins may read', async () => {
  const { headers } = await send('/events', { headers: { origin: 'https://page.example' } });
  assert.is(headers['access-control-allow-origin'], 'https://page.example');
  assert.is(headers['access-control-allow-methods'], 'OPTIONS, GET, POST, PUT, PATCH, DELETE');
  assert.is(headers['access-control-allow-credentials'], 'true');
  assert.is(headers.vary, 'Origin, Authorization');
  assert.is((await send('/events')).headers['access-control-allow-origin'], undefined);
});

test('OPTIONS describes a route and answers any preflight', async () => {
  const known = await send('/events', { method: 'OPTIONS', headers: { origin: 'https://page.example' } });
  assert.is(known.status, 200);
  assert.equal(known.json.methods, ['GET', 'POST']);
  assert.is(known.headers.allow, 'GET');
  const unknown = await send('/nope', { method: 'OPTIONS', headers: { origin: 'https://page.example' } });
  assert.is(unknown.status, 200);
  assert.equal(unknown.json, []);
  assert.is(unknown.headers['access-control-allow-origin'], 'https://page.example');
});

test('answers to signed-in callers are not cacheable, unless the route decides otherwise', async () => {
  const { headers } = await send('/events', { headers: EDITOR });
  assert.match(String(headers['cache-control']), /no-store, private/);
  assert.ok(headers.expires);
  assert.is((await send('/public', { headers: EDITOR })).headers['cache-control'], 'max-age=5');
});

test('totals have both names', async () => {
  const { headers } = await send('/text');
  assert.is(headers['x-wp-total'], '3');
  assert.is(headers['x-wp-totalpages'], '1');
});

test('a text body goes out untouched', async () => {
  assert.match((await send('/text')).text, /^\{"id":1, {2}"venue"/);
});

test('_fields keeps members, nested ones by dots, not through lists', async () => {
  assert.is(
    (await send('/text?_fields=terms.name,total,venue.venue,nope')).text,
    '{"venue":{"venue":"Hall"},"terms":[],"total":3}',
  );
  assert.equal((await send('/text?_fields[]=id&_fields[]=venue&_fields[]=__proto__.x')).json, {
    id: 1,
    venue: { venue: 'Hall', city: 'Leeds' },
  });
  assert.is((await send('/nope?_fields=data')).json.code, 'rest_no_route');
});

test('_envelope puts status and headers into the body', async () => {
  const found = await send('/text?_envelope=1&_fields=id', { headers: EDITOR });
  assert.is(found.status, 200);
  assert.equal(found.json.body, { id: 1 });
  assert.is(found.json.status, 200);
  assert.equal(found.json.headers, {
    'X-TEC-Total': 3,
    'X-TEC-TotalPages': 1,
    ETag: '"e"',
    'X-WP-Total': 3,
    'X-WP-TotalPages': 1,
    Allow: 'GET',
  });
  assert.is(found.headers.allow, undefined);
  const missing = await send('/nope?_envelope');
  assert.is(missing.status, 200);
  assert.is(missing.json.status, 404);
  assert.is(missing.json.body.code, 'rest_no_route');
  assert.is((await send('/unchanged?_envelope=1')).json.body, null);
});

test('_jsonp is refused', async () => {
  const { status, json } = await send('/events?_jsonp=cb');
  assert.is(status, 400);
  assert.is(json.code, 'rest_callback_disabled');
});

test('304 has no body', async () => {
  const { status, text, headers } = await send('/unchanged');
  assert.is(status, 304);
  assert.is(text, '');
  assert.is(headers.etag, '"e"');
});

test('what goes wrong inside stays inside, and is logged', async () => {
  logged.length = 0;
  for (const path of ['/broken', '/unserializable']) {
    const { status, json, text } = await send(path);
    assert.is(status, 500);
    assert.is(json.code, 'internal_server_error');
    assert.not.match(text, /secret|var|BigInt/);
  }
  assert.ok(JSON.stringify(logged.map((entry) => Object.keys(entry))).includes('correlationId'));
  assert.ok(
    logged.some((entry) => 'err' in entry && entry.err instanceof Error && entry.err.message.includes('secret')),
  );
});

test('a failure is logged with its path, and without the query, which may contain a password', async () => {
  logged.length = 0;
  await send('/broken?password=sesame');
  assert.equal(
    logged.map((entry) => 'path' in entry && entry.path),
    ['/calendar/events/v1/broken', false],
  );
  assert.not.match(JSON.stringify(logged), 'sesame');
});

test('an unavailable store is 503 with Retry-After', async () => {
  for (const path of ['/store-down', '/model-down']) {
    const { status, json, headers, text } = await send(path);
    assert.is(status, 503);
    assert.is(json.code, 'rest_unavailable');
    assert.is(headers['retry-after'], '5');
    assert.not.match(text, /10\.0\.0\.1/);
  }
});

test.run();
