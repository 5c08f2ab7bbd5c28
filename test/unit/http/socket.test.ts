// What only a real connection can carry.

import { connect } from 'node:net';
import Type from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventList } from '../../../src/calendar/event/http/event-schema.ts';
import { echo, type FakeRoute, shellOf } from './shell.ts';

const test = suite('socket');
const PATH = '/calendar/events/v1/events';

const ROUTES: readonly FakeRoute[] = [
  {
    path: '/events',
    endpoints: [
      { methods: ['GET'], parameters: eventList({ perPage: 12 }), handle: echo },
      { methods: ['POST'], parameters: Type.Object({}), handle: echo },
    ],
    allow: () => ['GET'],
  },
  {
    path: '/public',
    endpoints: [
      {
        methods: ['GET'],
        parameters: Type.Object({}),
        handle: async () => ({
          status: 200,
          body: {},
          headers: { 'Cache-Control': 'max-age=5', Vary: 'Origin, Accept' },
        }),
      },
    ],
    allow: () => ['GET'],
  },
];

const { app, logged } = shellOf(ROUTES);
let port = 0;

test.before(async () => {
  const address = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  port = Number(address.port);
});
test.after(() => app.close());

interface Answer {
  readonly head: string;
  readonly status: number;
  readonly code: string | undefined;
  readonly json: { readonly [name: string]: unknown };
}

/** Sends bytes as they are and reads one answer until the server closes. */
function talk(...parts: readonly (string | Uint8Array)[]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => {
      for (const part of parts) socket.write(part);
    });
    const done = () => resolve(read(Buffer.concat(chunks).toString()));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => (chunks.length > 0 ? done() : undefined));
    socket.on('close', () => (chunks.length > 0 ? done() : reject(new Error('closed without an answer'))));
  });
}

function read(text: string): Answer {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const json = body === '' ? {} : JSON.parse(body);
  return { head, status: Number(head.split(' ')[1]), code: json.code, json };
}

const request = (
  method: string,
  path: string,
  headers: readonly string[] = [],
  body: string | Uint8Array = '',
): Promise<Answer> => {
  const lines = ['Host: cal.example', 'Connection: close', `Content-Length: ${Buffer.byteLength(body)}`, ...headers];
  return talk(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, body);
};

const JSON_TYPE = 'Content-Type: application/json';

test('a JSON body counts with GET', async () => {
  assert.equal((await request('GET', PATH, [JSON_TYPE], '{"page":2}')).json.given, { page: 2 });
});

test('a header that the route sets occurs once', async () => {
  const path = PATH.replace('/events/v1/events', '/events/v1/public');
  const { head } = await request('GET', path, ['Authorization: Bearer editor', 'Origin: https://page.example']);
  assert.equal(head.match(/^(?:Cache-Control|Vary):.*$/gim), ['cache-control: max-age=5', 'vary: Origin, Accept']);
});

test('JSON that is not UTF-8 is refused', async () => {
  assert.is((await request('POST', PATH, [JSON_TYPE], new Uint8Array([0x7b, 0xff, 0x7d]))).code, 'rest_invalid_json');
});

test('a query that is not UTF-8 stays text, NUL is dropped', async () => {
  assert.equal((await request('GET', `${PATH}?search=%ff%00x`)).json.given, { search: '%ffx' });
});

test('ten megabytes are refused', async () => {
  const { status, code } = await request('POST', PATH, [JSON_TYPE], `{"a":"${'x'.repeat(10_000_000)}"}`);
  assert.is(status, 413);
  assert.is(code, 'rest_request_too_large');
});

test('ten megabytes in chunks are refused', async () => {
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
  const head = `POST ${PATH} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`;
  assert.is((await talk(head, ...Array.from({ length: 160 }, () => chunk), '0\r\n\r\n')).status, 413);
});

test('deep JSON is refused and the server lives on', async () => {
  const deep = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
  assert.is((await request('POST', PATH, [JSON_TYPE], deep)).code, 'rest_invalid_json');
  assert.is((await request('GET', PATH)).status, 200);
});

test('JSON cannot reach a prototype', async () => {
  await request('POST', PATH, [JSON_TYPE], '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
  assert.is(({} as { polluted?: unknown }).polluted, undefined);
});

test('invalid HTTP is refused in the envelope', async () => {
  const { status, code } = await talk('nonsense\r\n\r\n');
  assert.is(status, 400);
  assert.is(code, 'rest_bad_request');
});

test('too many headers are refused in the envelope', async () => {
  const { status, code } = await request('GET', PATH, [`X-Big: ${'x'.repeat(60_000)}`]);
  assert.is(status, 431);
  assert.is(code, 'rest_headers_too_large');
});

test('a URL between the two limits is refused for its length', async () => {
  assert.is((await request('GET', `${PATH}?search=${'x'.repeat(20_000)}`)).code, 'rest_uri_too_long');
});

test('unknown methods have no route', async () => {
  for (const method of ['TRACE', 'PROPFIND', 'QUERY']) assert.is((await request(method, PATH)).status, 404, method);
});

test('the path of an absolute request target counts', async () => {
  assert.is((await request('GET', `http://other.example${PATH}?page=2`)).status, 200);
});

test('a path that cannot be decoded is no route', async () => {
  assert.is((await request('GET', `${PATH}/%zz`)).code, 'rest_no_route');
});

test('none of this was an internal error', () => assert.equal(logged, []));

test.run();
