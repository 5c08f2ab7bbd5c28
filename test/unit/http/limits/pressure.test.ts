import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { FastifyPluginAsync } from 'fastify';
import Type from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addOperations } from '../../../../src/http/operations/operations.ts';
import { ID, SLUG } from '../../../../src/http/plugins/routing.ts';
import { openMemoryWatch } from '../../../../src/kernel/memory/watch.ts';
import { ENGLISH } from '../../../../src/locales/languages.ts';
import { createMetrics } from '../../../../src/observability/metrics.ts';
import { openSurroundings } from '../../observability/fake-ports.ts';
import { shellOf, UNDOCUMENTED } from '../shell.ts';

const test = suite('too much to do');
const ROOT = '/calendar/events/v1';

/** Keeps the event loop from everything else. */
const block = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};

const config = { allow: () => ['GET', 'POST'] as const };
const READING = { config, schema: { ...UNDOCUMENTED, querystring: Type.Object({}) } };
const WRITING = { config, schema: { ...UNDOCUMENTED, body: Type.Object({}) } };

const watchOf = (used: () => number, elapsed = () => 0) =>
  openMemoryWatch({ used, elapsed, collect: () => {}, report: () => {} });

test('while the event loop is blocked requests are refused; then they are answered again', async () => {
  const { app, logged } = shellOf([], {}, { pressure: { maxDelayMs: 50, sampleMs: 100 } });
  const { health } = openSurroundings();
  addOperations(app, { health, metrics: createMetrics({ version: '0', health }), language: () => ENGLISH });
  const ask = (url: string) => app.inject({ url, headers: { origin: 'https://page.example' } });
  assert.is((await ask(ROOT)).statusCode, 200);
  let refused = await ask(ROOT);
  while (refused.statusCode === 200) {
    block(150);
    await nextTurn();
    refused = await ask(ROOT);
  }
  assert.equal([refused.statusCode, refused.json().code], [503, 'rest_unavailable']);
  assert.is(refused.headers['retry-after'], '10');
  assert.is(refused.headers['access-control-allow-origin'], 'https://page.example');
  for (const path of ['/healthz', '/readyz', '/metrics']) assert.is((await ask(path)).statusCode, 200, path);
  assert.equal(logged, [], 'refusing is no failure, and a line for each would be more work');
  while ((await ask(ROOT)).statusCode !== 200) await pause(20);
  await app.close();
});

test('while there is little memory two large reads are answered at once; small ones and writes as before', async () => {
  let used = 0.75;
  const memory = watchOf(() => used);
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const routes: FastifyPluginAsync = async (api) => {
    api.get('/events', READING, async () => 'found');
    api.get('/events.ics', READING, () => end.then(() => 'found'));
    for (const url of ['/assets/site-1.css', '/assets/:name', '/media/:name'])
      api.get(url, READING, async () => 'file');
    api.post('/events', WRITING, async () => 'made');
  };
  const { app } = shellOf(routes, {}, { pressure: { memory } });
  const ask = async (path: string, method: 'GET' | 'POST' = 'GET') =>
    (await app.inject({ url: ROOT + path, method })).statusCode;
  const first = [ask('/events.ics'), ask('/events.ics')];
  assert.equal([await ask('/events.ics'), await ask('/events'), await ask('/events', 'POST')], [503, 200, 200]);
  const files = ['/assets/site-1.css', '/assets/accent-2.css', '/media/3.webp'].map((path) => ask(path));
  assert.equal(await Promise.all(files), [200, 200, 200], 'a page comes with its styles and pictures');
  used = 0.6;
  const third = ask('/events.ics');
  resolve();
  assert.equal(await Promise.all([...first, third]), [200, 200, 200]);
  used = 0.75;
  assert.is(await ask('/events.ics'), 200, 'their places are free again');
  await app.close();
});

test('users have two places for large reads, and for writes, that the public cannot take', async () => {
  let used = 0.75;
  const memory = watchOf(() => used);
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const routes: FastifyPluginAsync = async (api) => {
    api.get('/events.ics', READING, () => end.then(() => 'found'));
    api.post('/events', WRITING, async () => 'made');
  };
  const { app } = shellOf(routes, {}, { pressure: { memory } });
  const ask = async (authorization?: string, path = '/events.ics', method: 'GET' | 'POST' = 'GET') =>
    (await app.inject({ url: ROOT + path, method, headers: authorization ? { authorization } : {} })).statusCode;
  const strangers = [ask(), ask()];
  assert.equal([await ask(), await ask('Bearer wrong')], [503, 401], 'a credential alone is no place');
  const users = [ask('Bearer editor'), ask('Bearer editor')];
  assert.is(await ask('Bearer editor'), 503, 'they share two');
  resolve();
  assert.equal(await Promise.all([...strangers, ...users]), [200, 200, 200, 200]);
  used = 0.9;
  memory.look();
  assert.equal([await ask(), await ask('Bearer editor')], [503, 200], 'also while memory is short');
  assert.equal([await ask('', '/events', 'POST'), await ask('Bearer editor', '/events', 'POST')], [503, 200]);
  used = 0.97;
  memory.look();
  assert.is(await ask('Bearer editor'), 503);
  await app.close();
});

test('while memory is short small requests go on, and none when it is full; probes say when it lasts', async () => {
  let used = 0.5;
  let now = 0;
  const memory = watchOf(
    () => used,
    () => now,
  );
  const routes: FastifyPluginAsync = async (api) => {
    for (const url of ['/events', `/events/${ID}`, `/venues/by-slug/${SLUG}`, '/categories', '/events.ics', '/doc2'])
      api.get(url, READING, async () => 'found');
    api.get(`/events/${ID}/history`, READING, async () => 'found');
    api.post('/events', WRITING, async () => 'made');
  };
  const { app, logged } = shellOf(routes, {}, { pressure: { memory } });
  const { health } = openSurroundings();
  addOperations(app, { health, metrics: createMetrics({ version: '0', health }), language: () => ENGLISH, memory });
  const ask = async (url: string, method: 'GET' | 'POST' = 'GET') => (await app.inject({ url, method })).statusCode;
  const answered = async () => {
    const asked = ['/events?per_page=20', '/events/7', '/venues/by-slug/pier', '/categories'];
    const refused = ['/events.ics', '/events/7/history', '/doc2', '/events?as_of=2026-01-01', '/events/7?revision=2'];
    const further = ['/events?search=er', '/events?per_page=50'];
    const all = [...asked, ...refused, ...further].map((path) => ask(ROOT + path));
    const statuses = await Promise.all([...all, ask(`${ROOT}/events`, 'POST')]);
    return [statuses.slice(0, asked.length), statuses.slice(asked.length)].map((some) => [...new Set(some)]);
  };
  const probes = async () => [await ask('/healthz'), await ask('/readyz'), await ask('/metrics')];
  const at = (share: number, seconds: number): void => {
    used = share;
    now += 1_000 * seconds;
    memory.look();
  };
  assert.equal(
    [await answered(), await probes()],
    [
      [[200], [200]],
      [200, 200, 200],
    ],
  );
  at(0.9, 1);
  assert.equal(
    [await answered(), await probes()],
    [
      [[200], [503]],
      [200, 200, 200],
    ],
  );
  assert.equal((await app.inject({ url: '/healthz' })).json(), { status: 'ok', memory: 'short' });
  at(0.97, 1);
  const refused = await app.inject({ url: ROOT });
  assert.equal(
    [refused.statusCode, refused.json().code, refused.headers['retry-after']],
    [503, 'rest_unavailable', '10'],
  );
  assert.equal(
    [await answered(), await probes()],
    [
      [[503], [503]],
      [200, 200, 200],
    ],
  );
  at(0.97, 61);
  assert.equal(
    [await answered(), await probes()],
    [
      [[503], [503]],
      [503, 200, 200],
    ],
  );
  assert.equal((await app.inject({ url: '/healthz' })).json(), { status: 'out of memory' });
  at(0.6, 1);
  assert.equal(
    [await answered(), await probes()],
    [
      [[200], [200]],
      [200, 200, 200],
    ],
    'it heals by itself',
  );
  assert.equal(logged, []);
  await app.close();
});

test.run();
