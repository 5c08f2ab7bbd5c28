// Answers in pieces, which only a real connection can carry.

import { EventEmitter, once } from 'node:events';
import { request as ask, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import Type from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openListeners } from '../../../src/http/connections/clients.ts';
import { DEFAULT_SETTINGS } from '../../../src/http/settings.ts';
import { type EventStream, openEventStream } from '../../support/event-stream.ts';
import { type FakeRoute, type Shell, shellOf } from './shell.ts';

interface Context {
  shell: Shell;
  routes: readonly FakeRoute[];
  port: number;
  /** What happened to the pieces of the last answer. */
  told: { asked: number; ended: boolean };
  /** What comes next; the default waits until the client has gone. */
  source: (listening: AbortSignal) => AsyncGenerator<string>;
  /** Resolves once a handler of `/slow` has begun. */
  slowBegun: Promise<void>;
}

const test = suite<Context>('answers in pieces');
const PREFIX = '/calendar/events/v1';

const aborted = (signal: AbortSignal): Promise<unknown> => (signal.aborted ? Promise.resolve() : once(signal, 'abort'));

test.before.each(async (context) => {
  const told = { asked: 0, ended: false };
  let begin = (): void => {};
  context.slowBegun = new Promise((resolve) => {
    begin = resolve;
  });
  context.told = told;
  context.source = async function* (listening) {
    yield 'one\n\n';
    await aborted(listening);
  };
  async function* watched(listening: AbortSignal) {
    try {
      for await (const piece of context.source(listening)) {
        told.asked += 1;
        yield piece;
      }
    } finally {
      told.ended = true;
    }
  }
  const routes: FakeRoute[] = [
    {
      path: '/stream',
      allow: () => ['GET'],
      endpoints: [
        {
          methods: ['GET'],
          parameters: Type.Object({}),
          handle: async (_, reply) => ({
            status: 200,
            body: '',
            headers: { 'Content-Type': 'text/event-stream' },
            pieces: watched(reply.waiting()),
          }),
        },
      ],
    },
    {
      path: '/slow',
      allow: () => ['GET'],
      endpoints: [
        {
          methods: ['GET'],
          parameters: Type.Object({}),
          handle: async (_, reply) => {
            begin();
            await aborted(reply.waiting());
            told.ended = true;
            return { status: 200, body: { why: 'the client has gone' } };
          },
        },
      ],
    },
  ];
  context.routes = routes;
  context.shell = shellOf(routes);
  const address = new URL(await context.shell.app.listen({ port: 0, host: '127.0.0.1' }));
  context.port = Number(address.port);
});
test.after.each(({ shell }) => shell.app.close());

const open = ({ port }: Context, headers = {}): Promise<EventStream> =>
  openEventStream(`http://127.0.0.1:${port}${PREFIX}/stream`, headers);

/** Waits for what will be so in a moment; uvu's own time limit is the end of it. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(2);
}

test('pieces are sent as they come, below the headers of every answer', async (context) => {
  let go = (): void => {};
  const second = new Promise<void>((resolve) => {
    go = resolve;
  });
  context.source = async function* () {
    yield 'data: one\n\n';
    await second;
    yield 'data: two\n\n';
  };
  const stream = await open(context, { origin: 'http://page.example', authorization: 'Bearer editor' });
  assert.equal(await stream.next(), { data: 'one' });
  go();
  assert.equal([await stream.next(), await stream.next()], [{ data: 'two' }, null]);
  assert.is(stream.status, 200);
  const { headers } = stream;
  assert.is(headers['content-type'], 'text/event-stream');
  assert.is(headers['x-request-id'], 'request-1');
  assert.is(headers.allow, 'GET');
  assert.is(headers['access-control-allow-origin'], 'http://page.example');
  assert.match(headers['cache-control'] ?? '', 'no-store');
  assert.is(headers['content-length'], undefined);
  assert.ok(context.told.ended);
});

test('HEAD has the same headers, and the pieces are not begun', async (context) => {
  const { port, told } = context;
  const sent = ask({ port, path: `${PREFIX}/stream`, method: 'HEAD', agent: false }).end();
  const [response] = await once(sent, 'response');
  response.resume();
  await once(response, 'end');
  assert.is(response.headers['content-type'], 'text/event-stream');
  assert.is(response.headers.allow, 'GET');
  assert.equal(told, { asked: 0, ended: false });
});

test('a client that goes ends the pieces', async (context) => {
  const stream = await open(context);
  await stream.next();
  stream.leave();
  await until(() => context.told.ended);
  assert.is(context.told.asked, 1);
});

test('a client that disconnects during an answer ends its production', async ({ port, slowBegun, told }) => {
  const sent = ask({ port, path: `${PREFIX}/slow`, agent: false }).end();
  sent.on('error', () => {});
  await slowBegun;
  sent.destroy();
  await until(() => told.ended);
});

test('closing ends pieces and slow answers at once, and in good order', async (context) => {
  const { shell, port, slowBegun } = context;
  const stream = await open(context);
  await stream.next();
  const sent = ask({ port, path: `${PREFIX}/slow`, agent: false }).end();
  const answered = once(sent, 'response');
  await slowBegun;
  await shell.app.close();
  const [response] = await answered;
  assert.is(response.statusCode, 200);
  response.resume();
  assert.is(await stream.next(), null);
  assert.is(stream.text(), 'one\n\n');
});

/** A client that asks and then reads nothing. */
async function deaf({ port }: Context): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.pause();
  socket.on('error', () => {});
  socket.write(`GET ${PREFIX}/stream HTTP/1.1\r\nHost: cal.example\r\n\r\n`);
  return socket;
}

const LARGE = `data: ${'x'.repeat(1_000_000)}\n\n`;

async function* endless() {
  for (;;) {
    yield LARGE;
    await nextTurn();
  }
}

test('no more is asked for than the client takes, and closing does not wait for a client that takes nothing', async (context) => {
  context.source = endless;
  const socket = await deaf(context);
  await until(() => context.told.asked > 0);
  let asked = 0;
  while (asked < context.told.asked) {
    asked = context.told.asked;
    await pause(50);
  }
  assert.ok(asked < 50, `${asked} pieces of 1 MB`);
  await context.shell.app.close();
  assert.ok(context.told.ended);
  socket.destroy();
});

test('a client that takes nothing for too long is cut off', async (context) => {
  await context.shell.app.close();
  context.shell = shellOf(context.routes, { times: { ...DEFAULT_SETTINGS.times, stallMs: 30 } });
  const address = new URL(await context.shell.app.listen({ port: 0, host: '127.0.0.1' }));
  context.port = Number(address.port);
  context.source = endless;
  const connected = once(context.shell.app.server, 'connection');
  const socket = await deaf(context);
  const [connection] = await connected;
  await once(connection, 'close');
  await until(() => context.told.ended);
  socket.destroy();
});

test('what fails in the middle ends the answer there and is logged', async (context) => {
  context.source = async function* () {
    yield 'data: one\n\n';
    throw new Error('the secret reason');
  };
  const stream = await open(context);
  await stream.next();
  assert.is(await stream.next(), null);
  assert.is(stream.text(), 'data: one\n\n');
  await until(() => context.shell.logged.length > 0);
  assert.match(JSON.stringify(context.shell.logged), 'internal_server_error');
});

test('an answer begun after shutdown is not waited for', () => {
  const listeners = openListeners();
  const [before, after] = [new EventEmitter(), new EventEmitter()].map((response) => response as ServerResponse);
  if (!before || !after) throw new Error('no responses');
  const signal = listeners.of(before);
  assert.is(listeners.of(before), signal);
  assert.not.ok(signal.aborted);
  listeners.end();
  assert.ok(signal.aborted);
  assert.ok(listeners.of(after).aborted);
});

test.run();
