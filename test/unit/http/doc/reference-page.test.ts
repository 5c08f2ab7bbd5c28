// `/docs`: the page, and everything that it loads.
import Type from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ShellSettings } from '../../../../src/http/settings.ts';
import { echo, type FakeRoute, shellOf } from '../shell.ts';

const test = suite('the reference page');

const ROUTES: readonly FakeRoute[] = [
  {
    path: '/things',
    allow: () => ['GET'],
    endpoints: [{ methods: ['GET'], parameters: Type.Object({}), handle: echo }],
  },
];

const pageOf = (settings: Partial<ShellSettings> = {}) => shellOf(ROUTES, settings).app;
const app = pageOf();
const get = (url: string, headers = {}) => app.inject({ url, headers: { host: 'cal.example', ...headers } });

test('the page is found with and without a slash behind it', async () => {
  const bare = await get('/docs');
  assert.equal([bare.statusCode, bare.headers.location], [302, './docs/']);
  const page = await get('/docs/');
  assert.is(page.statusCode, 200);
  assert.match(String(page.headers['content-type']), /^text\/html/);
  assert.match(page.payload, /<title>Daybook<\/title>/);
});

test('all that the page loads is here, and of its type', async () => {
  const { payload } = await get('/docs/');
  const loaded = [...payload.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
  assert.ok(loaded.length >= 5, loaded.join());
  const types: { readonly [ending: string]: RegExp } = { js: /javascript/, css: /^text\/css/, png: /^image\/png/ };
  for (const address of loaded) {
    assert.match(address, /^\.\//, 'nothing comes from elsewhere');
    const { statusCode, headers } = await get(new URL(address, 'http://cal.example/docs/').pathname);
    assert.is(statusCode, 200, address);
    assert.match(String(headers['content-type']), types[address.split('.').at(-1) ?? ''] ?? /never/, address);
    assert.is(headers['x-content-type-options'], 'nosniff');
  }
});

test('the page may load and ask nothing but its own origin', async () => {
  const policy = String((await get('/docs/')).headers['content-security-policy']);
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /script-src 'self'(?:;|$)/);
  assert.match(policy, /connect-src 'self'(?:;|$)/);
  assert.not.match(policy, /https?:|\*/);
  assert.not.match((await get('/docs/static/swagger-initializer.js')).payload, /https?:\/\/(?!stackoverflow)/);
});

test('the document beside the page is the one of the API, under the address that was used', async () => {
  const { statusCode, headers, payload } = await get('/docs/json');
  assert.is(statusCode, 200);
  assert.match(String(headers['content-type']), /^application\/json/);
  assert.equal(JSON.parse(payload), (await get('/calendar/events/v1/doc')).json());
  assert.equal(JSON.parse(payload).servers, [{ url: 'http://cal.example/calendar/events/v1' }]);
});

test('behind another address the page sends requests there', async () => {
  const behind = pageOf({ siteUrl: 'https://cal.example/site' });
  const { servers } = (await behind.inject('/docs/json')).json();
  assert.equal(servers, [{ url: 'https://cal.example/site/calendar/events/v1' }]);
  const { headers } = await behind.inject('/docs/');
  assert.match(String(headers['strict-transport-security']), /max-age/);
  await behind.close();
});

test('the document beside the page speaks the language of the reader', async () => {
  const { headers } = await get('/docs/json', { 'accept-language': 'de' });
  assert.is(headers['content-language'], 'de');
  assert.match(String(headers.vary), /Accept-Language/);
});

test('revalidating the document beside the page is a 304', async () => {
  const { headers } = await get('/docs/json');
  const again = await get('/docs/json', { 'if-none-match': String(headers.etag) });
  assert.equal([again.statusCode, again.payload], [304, '']);
});

test('unknown paths are answered like everywhere', async () => {
  for (const url of ['/docs/nothing', '/docs/yaml', '/docs/static/nothing.js', '/docs/static/../../package.json']) {
    const { statusCode, payload } = await get(url);
    assert.equal([statusCode, JSON.parse(payload).code], [404, 'rest_no_route'], url);
  }
});

test('the policy of the page is not that of the API', async () => {
  const { headers } = await get('/calendar/events/v1/things');
  assert.not.match(String(headers['content-security-policy']), /script-src/);
});

test.after(() => app.close());
test.run();
