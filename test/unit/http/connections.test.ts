// Connections that take their time: to send what they ask, or to take what they asked for.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import Type from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Method } from '../../../src/http/route.ts';
import { type ConnectionTimes, DEFAULT_SETTINGS } from '../../../src/http/settings.ts';

import { echo, type FakeEndpoint, type FakeRoute, type Shell, shellOf } from './shell.ts';

interface Context {
  shell: Shell;
  port: number;
}

const test = suite<Context>('connections');
const PATH = '/calendar/events/v1';

/** More than any socket takes at once. */
const MUCH = JSON.stringify('x'.repeat(30_000_000));

const answering = (methods: readonly Method[], handle: FakeEndpoint['handle']): FakeEndpoint => ({
  methods,
  parameters: Type.Object({}),
  handle,
});

const routes: readonly FakeRoute[] = [
  {
    path: '/much',
    allow: () => ['GET'],
    endpoints: [answering(['GET'], async () => ({ status: 200, body: MUCH }))],
  },
  {
    path: '/echo',
    allow: () => ['GET'],
    endpoints: [answering(['GET'], echo), answering(['POST'], echo)],
  },
];

async function start(context: Context, times: Partial<ConnectionTimes>): Promise<void> {
  context.shell = shellOf(routes, { times: { ...DEFAULT_SETTINGS.times, checkMs: 20, ...times } });
  const address = new URL(await context.shell.app.listen({ port: 0, host: '127.0.0.1' }));
  context.port = Number(address.port);
}

test.after.each(({ shell }) => shell.app.close());

interface Connection {
  readonly socket: Socket;
  /** Bytes that have come so far. */
  received(): number;
  text(): string;
  /** Everything that came until the server closed the connection. */
  readonly closed: Promise<string>;
}

async function open({ port }: Context): Promise<Connection> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  const text = () => Buffer.concat(chunks).toString('latin1');
  let bytes = 0;
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    bytes += chunk.length;
  });
  socket.on('error', () => {});
  const closed = once(socket, 'close').then(text);
  await once(socket, 'connect');
  return { socket, received: () => bytes, text, closed };
}

/** Sends byte by byte until the connection is closed. */
async function trickle(socket: Socket, text: string): Promise<void> {
  for (const sign of text) {
    if (socket.destroyed || !socket.writable) return;
    socket.write(sign);
    await pause(5);
  }
}

const connectionsOf = ({ shell }: Context): Promise<number> =>
  new Promise((resolve) => shell.app.server.getConnections((_, count) => resolve(count)));

const codeIn = (answer: string): unknown => JSON.parse(answer.split('\r\n\r\n')[1] ?? '{}').code;

test('headers that trickle are answered with 408, and the connection is closed', async (context) => {
  await start(context, { headersMs: 100, requestMs: 5_000 });
  const { socket, closed } = await open(context);
  void trickle(socket, `GET ${PATH}/echo HTTP/1.1\r\nHost: a\r\nX-Slow: ${'x'.repeat(2_000)}`);
  const answer = await closed;
  assert.match(answer, /^HTTP\/1\.1 408 Request Timeout\r\n/);
  assert.is(codeIn(answer), 'rest_request_timeout');
  assert.match(answer, /\r\nConnection: close\r\n/);
});

test('a silent connection is closed', async (context) => {
  await start(context, { headersMs: 100, requestMs: 5_000 });
  assert.match(await (await open(context)).closed, /^HTTP\/1\.1 408 /);
});

test('a body that trickles is answered with 408 once, and the connection is closed', async (context) => {
  await start(context, { headersMs: 100, requestMs: 200 });
  const { socket, closed } = await open(context);
  socket.write(
    `POST ${PATH}/echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2000\r\n\r\n`,
  );
  void trickle(socket, 'x'.repeat(2_000));
  const answer = await closed;
  assert.is(answer.match(/HTTP\/1\.1/g)?.length, 1);
  assert.match(answer, /^HTTP\/1\.1 408 Request Timeout\r\n/);
  assert.is(codeIn(answer), 'rest_request_timeout');
  assert.equal(context.shell.logged, []);
});

test('a client that takes nothing of its answer is cut off; one that takes it slowly is not', async (context) => {
  await start(context, { stallMs: 1_000 });
  const stalled = await open(context);
  stalled.socket.pause();
  const slow = await open(context);
  for (const { socket } of [stalled, slow]) socket.write(`GET ${PATH}/much HTTP/1.1\r\nHost: a\r\n\r\n`);
  // Slower than the limit in all, but never without taking something for so long.
  for (let taken = 0; taken < 200; taken += 1) {
    slow.socket.pause();
    await pause(5);
    slow.socket.resume();
    await Promise.race([once(slow.socket, 'data'), slow.closed]);
  }
  while (slow.received() < MUCH.length && !slow.socket.destroyed) await pause(5);
  assert.ok(slow.received() > MUCH.length);
  assert.match(slow.text(), /^HTTP\/1\.1 200 /);
  slow.socket.destroy();
  while ((await connectionsOf(context)) > 0) await pause(20);
  stalled.socket.resume();
  assert.ok((await stalled.closed).length < MUCH.length);
});

test('after an answer that had to wait for its client the connection serves the next request', async (context) => {
  // Longer than a busy machine keeps this process, which is the client as well, from reading.
  await start(context, { stallMs: 2_000 });
  const { socket, received, text } = await open(context);
  socket.write(`GET ${PATH}/much HTTP/1.1\r\nHost: a\r\n\r\n`);
  while (received() < MUCH.length) {
    assert.not(socket.destroyed, 'it was cut while it read');
    await pause(5);
  }
  // For longer than the limit, as one that takes nothing shows.
  const stalled = await open(context);
  stalled.socket.pause();
  stalled.socket.write(`GET ${PATH}/much HTTP/1.1\r\nHost: a\r\n\r\n`);
  while ((await connectionsOf(context)) > 1) await pause(5);
  stalled.socket.destroy();
  socket.write(`GET ${PATH}/echo HTTP/1.1\r\nHost: a\r\n\r\n`);
  await once(socket, 'data');
  assert.match(text().slice(MUCH.length), /HTTP\/1\.1 200 OK\r\n/);
  socket.destroy();
});

test('a connection that falls silent is closed', async (context) => {
  await start(context, { silenceMs: 100 });
  const { socket, closed } = await open(context);
  socket.write(`POST ${PATH}/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nx`);
  assert.is(await closed, '');
});

test('an idle connection is closed after a while', async (context) => {
  await start(context, { idleMs: 100 });
  const { socket, closed } = await open(context);
  socket.write(`GET ${PATH}/echo HTTP/1.1\r\nHost: a\r\n\r\n`);
  assert.match(await closed, /^HTTP\/1\.1 200 /);
});

test('at shutdown, requests that do not end are cut off', async (context) => {
  await start(context, { endingMs: 100 });
  const upload = await open(context);
  upload.socket.write(`POST ${PATH}/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nx`);
  const beginning = await open(context);
  beginning.socket.write('GET / HT');
  const stalled = await open(context);
  stalled.socket.pause();
  stalled.socket.write(`GET ${PATH}/much HTTP/1.1\r\nHost: a\r\n\r\n`);
  await pause(50);
  await context.shell.app.close();
  stalled.socket.resume();
  await Promise.all([upload.closed, beginning.closed, stalled.closed]);
});

test.run();
