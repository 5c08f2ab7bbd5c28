import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ApiError } from '../../../../src/http/errors.ts';
import { parseParameters } from '../../../../src/http/parameters/query-string.ts';
import { collectParameters } from '../../../../src/http/parameters/request-body.ts';

const test = suite('parameter sources');

interface Sending {
  readonly query?: string;
  readonly type?: string;
  readonly method?: string;
  readonly body?: string | Uint8Array;
}

async function collect({ query = '', type, method = 'POST', body = '' }: Sending): Promise<unknown> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return JSON.parse(
    JSON.stringify(await collectParameters(parseParameters(query), { method, contentType: type, bytes })),
  );
}

async function failure(sending: Sending): Promise<string> {
  try {
    await collect(sending);
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
  return 'accepted';
}

test('JSON wins over the query, whatever the method', async () => {
  for (const method of ['GET', 'POST', 'DELETE'])
    assert.equal(await collect({ query: 'a=1&b=2', method, type: 'application/json', body: '{"a":5}' }), {
      a: 5,
      b: '2',
    });
});

test('JSON has many names', async () => {
  for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/merge-patch+json'])
    assert.equal(await collect({ type, body: '{"a":[1]}' }), { a: [1] });
});

test('JSON that is no object counts as nothing, and so does an empty body', async () => {
  for (const body of ['[1]', '"x"', 'null', '5', '', ' \n'])
    assert.equal(await collect({ query: 'a=1', type: 'application/json', body }), { a: '1' });
});

test('bodies of other types are ignored', async () => {
  for (const type of ['text/plain', 'application/xml', 'application/jsonx', undefined])
    assert.equal(await collect({ ...(type && { type }), body: '{"a":1}' }), {});
});

test('forms are read, and not with GET', async () => {
  const form = { type: 'application/x-www-form-urlencoded', body: 'a[]=1&b=%C5%81' };
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    assert.equal(await collect({ ...form, method }), { a: ['1'], b: 'Ł' });
  assert.equal(await collect({ ...form, method: 'GET' }), {});
});

const MULTIPART = [
  '--x',
  'Content-Disposition: form-data; name="venue[venue]"',
  '',
  'Hall',
  '--x',
  'Content-Disposition: form-data; name="file"; filename="a.txt"',
  'Content-Type: text/plain',
  '',
  'content',
  '--x--',
  '',
].join('\r\n');

const partsOf = (count: number): string =>
  `${'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(count)}--x--\r\n`;

test('multipart with more than 2,000 parts is not read', async () => {
  const type = 'multipart/form-data; boundary="x"';
  assert.equal(await collect({ type, body: partsOf(2_000) }), { a: '1' });
  assert.is(await failure({ type, body: partsOf(2_001) }), 'rest_too_many_parameters');
  assert.is(await failure({ type: 'multipart/form-data', body: partsOf(2_001) }), 'rest_invalid_form');
  const files = partsOf(2_001).replaceAll('name="a"', 'name="a"; filename="b"');
  assert.is(
    await failure({ type, body: files }),
    'rest_too_many_parameters',
    'files that are passed over count as well',
  );
  const named = (name: string): string => partsOf(1).replace('name="a"', `name="${name}"`);
  assert.is(await failure({ type, body: named('a'.repeat(8_192)) }), 'accepted');
  for (const length of [8_193, 20_000, 200_000])
    assert.is(await failure({ type, body: named('a'.repeat(length)) }), 'rest_too_many_parameters');
  const text = (bytes: number): string => partsOf(1).replace('1\r\n', `${'ü'.repeat(bytes / 2)}\r\n`);
  assert.is(await failure({ type, body: text(1_048_576) }), 'accepted');
  assert.is(await failure({ type, body: text(1_048_578) }), 'rest_request_too_large');
});

test('the type of a body is read as HTTP says', async () => {
  const body = MULTIPART.replaceAll('--x', '--a;b c');
  for (const type of [
    'Multipart/Form-Data; BOUNDARY="a;b c"',
    ' multipart/form-data ;charset=utf-8; boundary="a;b c" ',
    'MULTIPART/FORM-DATA;boundary="a\\;b c";boundary=other',
  ])
    assert.equal(await collect({ type, body }), { venue: { venue: 'Hall' } }, type);
  for (const type of ['multipart/form-data; boundary=a', 'multipart/form-data; boundary=', 'multipart/form-data'])
    assert.is(await failure({ type, body }), 'rest_invalid_form', type);
  const long = (length: number): string => 'b'.repeat(length);
  for (const [length, outcome] of [
    [70, 'accepted'],
    [71, 'rest_invalid_form'],
    [5_000, 'rest_invalid_form'],
  ] as const) {
    const sent = {
      type: `multipart/form-data; boundary=${long(length)}`,
      body: MULTIPART.replaceAll('--x', `--${long(length)}`),
    };
    assert.is(await failure(sent), outcome, `${length}`);
  }
  for (const type of ['Application/JSON ; Charset="utf-8"', 'application/VND.x+json;v=1'])
    assert.equal(await collect({ type, body: '{"a":1}' }), { a: 1 }, type);
  for (const type of ['application/json/x', 'multipart', 'json', 'multipart/form-datax; boundary=x'])
    assert.equal(await collect({ type, body: '{"a":1}' }), {}, type);
});

test('percent sequences that are not UTF-8 stay as they are, each by itself', async () => {
  const type = 'application/x-www-form-urlencoded';
  for (const [sent, value] of [
    ['%C1%80', '%C1%80'],
    ['%41%FF%42', 'A%FFB'],
    ['%E0%80%80%E2%82%AC', '%E0%80%80€'],
    ['%ED%A0%80', '%ED%A0%80'],
    ['%F4%90%80%80%F0%9F%98%80', '%F4%90%80%80😀'],
    ['%C3%28%c3%bc', '%C3(ü'],
    ['100%+%zz%4', '100% %zz%4'],
  ])
    assert.equal(await collect({ type, body: `a=${sent}` }), { a: value }, sent);
});

test('JSON with more than 25,000 values is not parsed; what is inside of texts is not counted', async () => {
  const type = 'application/json';
  const most = JSON.stringify({ a: Array(24_995).fill('"],{,'), b: { c: [1, 2] } });
  assert.is(await failure({ type, body: most }), 'accepted');
  assert.is(await failure({ type, body: most.replace('[1,2]', '[1,2,3]') }), 'rest_too_many_parameters');
  const texts = JSON.stringify({ a: 'x,[{'.repeat(100_000), b: '\\"'.repeat(50_000) });
  assert.is(await failure({ type, body: texts }), 'accepted');
  for (const broken of ['[],', '{"a":1},', '1,1,'])
    assert.is(await failure({ type, body: broken.repeat(30_000) }), 'rest_too_many_parameters');
  assert.is(await failure({ type, body: `{"a":"${'x'.repeat(100_000)}` }), 'rest_invalid_json');
});

test('multipart gives its fields to POST alone, files are ignored', async () => {
  const form = { type: 'multipart/form-data; boundary=x', body: MULTIPART };
  assert.equal(await collect(form), { venue: { venue: 'Hall' } });
  assert.equal(await collect({ ...form, method: 'PUT' }), {});
  assert.is(await failure({ ...form, body: MULTIPART.slice(0, 60) }), 'rest_invalid_form');
});

test('invalid JSON, invalid UTF-8 and too deep nesting are refused', async () => {
  const bodies = ['{', '{"a":1,}', '{"a":\u0001}', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])];
  for (const body of [...bodies, `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`])
    assert.is(await failure({ type: 'application/json', body }), 'rest_invalid_json');
});

test('names that reach into a prototype are dropped from JSON at every depth', async () => {
  const body = '{"__proto__":{"x":1},"a":[{"constructor":{"prototype":{"x":1}},"ok":1}],"prototype":2}';
  assert.equal(await collect({ type: 'application/json', body }), { a: [{ ok: 1 }] });
  assert.is(({} as { x?: unknown }).x, undefined);
});

test('NUL is dropped from JSON texts', async () => {
  assert.equal(await collect({ type: 'application/json', body: '{"a":["x\\u0000y"]}' }), { a: ['xy'] });
});

test.run();
