import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EDITOR_HEADERS as EDITOR, send } from './sample-routes.ts';

const test = suite('transport');

test('case, trailing and repeated slashes and leading zeros do not matter', async () => {
  for (const path of ['/events/1', '/EVENTS/1', '/events/1/', '/events//1', '/events/0001', '/%65vents/1'])
    assert.is((await send(path)).json.id, 1, path);
  assert.is((await send('//calendar//EVENTS/v1/events/1')).json.id, 1);
  assert.is((await send('/CALENDAR/events/v1/events/1')).json.id, 1);
});

test('ids too large are clamped', async () => {
  assert.is((await send(`/events/${'9'.repeat(40)}`)).json.id, Number.MAX_SAFE_INTEGER);
});

test('unknown paths and methods are no route, in the envelope', async () => {
  const requests = [
    ['/nope'],
    ['/events/abc'],
    ['/events/-1'],
    ['/events/1.5'],
    ['/events/by-slug'],
    ['/events/by-slug/'],
    ['/events/1/2'],
  ] as const;
  for (const [path] of requests) {
    const { status, json, headers } = await send(path);
    assert.is(status, 404, path);
    assert.is(json.code, 'rest_no_route');
    assert.equal(json.data, { status: 404 });
    assert.is(headers.allow, undefined);
  }
  const unknownMethod = await send('/events', { method: 'PATCH' });
  assert.is(unknownMethod.json.code, 'rest_no_route');
  assert.is(unknownMethod.headers.allow, undefined);
  assert.is((await send('', { method: 'DELETE' })).json.code, 'rest_no_route');
  assert.is((await send('/wp-json/unknown')).json.code, 'rest_no_route');
});

test('a path that cannot be decoded is no route', async () => {
  assert.is((await send('/nope/%zz')).status, 404);
});

test('slugs are percent-decoded', async () => {
  assert.is((await send('/events/by-slug/caf%C3%A9%20x')).json.slug, 'café x');
});

test('the id in the path wins over body and query', async () => {
  const { json } = await send('/events/1?id=7', { method: 'POST', payload: { id: 8 } });
  assert.is(json.id, 1);
  assert.equal(json.given, {});
  assert.is((await send('/venues/11?id=99')).status, 200);
});

test('what reads takes a password and no reason, also where its methods stand in a list', async () => {
  const read = await send('/events/1?password=sesame&_reason=none');
  assert.is(read.json.given.password, 'sesame');
  assert.is(read.headers['x-daybook-unknown-parameters'], '_reason');
  const write = await send('/events/1?password=sesame&_reason=none', { method: 'DELETE' });
  assert.equal(write.json.given, { _reason: 'none' });
});

test('a slug sent beside the one in the path is the new one, on writes alone', async () => {
  const write = await send('/events/by-slug/old', { method: 'PUT', payload: { slug: 'new' } });
  assert.is(write.json.slug, 'old');
  assert.equal(write.json.given, { slug: 'new' });
  assert.equal((await send('/events/by-slug/old', { method: 'PUT', payload: { title: 'T' } })).json.given, {
    title: 'T',
  });
  assert.is((await send('/organizers/by-slug/known-organizer?slug=nope')).status, 200);
  assert.is((await send('/organizers/by-slug/nope?slug=known-organizer')).status, 400);
  assert.equal((await send('/venues/by-slug/known-venue', { method: 'POST', payload: { city: 'X' } })).json.given, {
    city: 'X',
  });
  assert.equal(
    (await send('/venues/by-slug/nope', { method: 'POST', payload: { slug: 'known-venue' } })).json.data.params,
    { slug: 'slug must be an existing slug (venue).' },
  );
});

test('HEAD answers as GET, without a body', async () => {
  const get = await send('/text');
  const head = await send('/text', { method: 'HEAD' });
  assert.is(head.status, 200);
  assert.is(head.text, '');
  for (const name of ['x-tec-total', 'content-length', 'allow', 'etag', 'content-type'])
    assert.is(head.headers[name], get.headers[name], name);
  assert.is((await send('/nope', { method: 'HEAD' })).status, 404);
});

test('a POST may override its method, and no other may', async () => {
  const override = { 'x-http-method-override': 'delete' };
  assert.is((await send('/events/1', { method: 'POST', headers: override })).json.method, 'DELETE');
  assert.is((await send('/events/1?_method=PATCH', { method: 'POST', headers: override })).json.method, 'PATCH');
  assert.is((await send('/events/1?_method=DELETE')).json.method, 'GET');
  assert.is((await send('/events/1', { headers: override })).json.method, 'GET');
  assert.is((await send('/events/1?_method=CONNECT', { method: 'POST' })).json.code, 'rest_no_route');
});

test('JSON bodies count with GET and DELETE too', async () => {
  const json = { headers: { 'content-type': 'application/json' }, payload: '{"page":"3","per_page":5}' };
  assert.equal((await send('/events?page=2', json)).json.given, { page: 3, per_page: 5 });
  assert.is((await send('/events/1', { ...json, method: 'DELETE' })).status, 200);
});

test('malformed JSON is refused, other content types are ignored', async () => {
  const send400 = await send('/events', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    payload: '{',
  });
  assert.is(send400.status, 400);
  assert.is(send400.json.code, 'rest_invalid_json');
  assert.equal(send400.json.data, { status: 400, json_error_code: 4, json_error_message: 'Syntax error' });
  for (const type of ['text/plain', 'nonsense', ''])
    assert.is(
      (await send('/events/1', { method: 'POST', headers: { 'content-type': type }, payload: '{' })).status,
      200,
      type,
    );
});

test('a body over the limit is refused', async () => {
  const { status, json } = await send('/events', {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    payload: 'x'.repeat(1_048_577),
  });
  assert.is(status, 413);
  assert.is(json.code, 'rest_request_too_large');
  const framed = await send('/events?_envelope=1', { method: 'POST', payload: 'x'.repeat(1_048_577) });
  assert.is(framed.status, 200);
  assert.is(framed.json.status, 413);
});

test('a URL over 16 KiB is refused', async () => {
  const { status, json } = await send(`/events?search=${'x'.repeat(16_384)}`);
  assert.is(status, 414);
  assert.is(json.code, 'rest_uri_too_long');
});

test('wrong credentials are reported before parameters, on public reads too', async () => {
  for (const path of ['/events', '/events?page=0']) {
    const { status, json, headers } = await send(path, { headers: { authorization: 'Bearer wrong' } });
    assert.is(status, 401);
    assert.is(json.code, 'incorrect_password');
    assert.is(headers['www-authenticate'], 'Bearer');
  }
  assert.is((await send('/nope', { headers: { authorization: 'Bearer wrong' } })).status, 404);
});

test('parameters are checked before rights', async () => {
  const payload = { title: 'T', start_date: '2026-08-01', end_date: '2026-08-01' };
  assert.is((await send('/events', { method: 'POST', payload: {} })).json.code, 'rest_missing_callback_param');
  assert.is((await send('/events', { method: 'POST', payload })).status, 401);
  assert.is((await send('/events', { method: 'POST', payload, headers: EDITOR })).status, 201);
});

test('links use the prefix and host of the request', async () => {
  assert.is((await send('/events/1')).json.root, 'http://cal.example/calendar/events/v1');
  assert.is((await send('/wp-json/other/v1/events/1')).json.root, 'http://cal.example/wp-json/other/v1');
  assert.is(
    (await send('/events/1', { headers: { host: 'Localhost:8080' } })).json.root,
    'http://localhost:8080/calendar/events/v1',
  );
});

test('an invalid Host header is refused', async () => {
  for (const host of ['a b', 'x/y', 'evil"><script>', 'a:b', 'user@host', '[::1'])
    assert.is((await send('/events/1', { headers: { host } })).json.code, 'rest_invalid_host', host);
});

test('the reason for a change comes by header or member', async () => {
  const byHeader = await send('/events/1', {
    method: 'POST',
    headers: { 'x-change-reason': 'f%C3%BCr%20Gäste'.replace('ä', '%C3%A4') },
    payload: { _reason: 'other' },
  });
  assert.is(byHeader.json.reason, 'für Gäste');
  assert.is((await send('/events/1', { method: 'POST', payload: { _reason: 'other' } })).json.reason, 'other');
});

test.run();
