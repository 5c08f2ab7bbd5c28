// A server that shuts down while clients send requests: no request under way is cut off.

import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import Type from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type FakeAnswer, type Shell, shellOf } from '../shell.ts';

interface Context {
  shell: Shell;
  port: number;
  /** Lets the answers of `/slow` go. */
  release: () => void;
}

const test = suite<Context>('ending server');
const PATH = '/calendar/events/v1';

/** Shorter than idle connections are left to themselves. */
const ON_ITS_WAY_MS = 300;

test.before.each(async (context) => {
  const released = new Promise<void>((resolve) => {
    context.release = resolve;
  });
  const slow = async (): Promise<FakeAnswer> => {
    await released;
    return { status: 200, body: 'slow' };
  };
  const quick = async (): Promise<FakeAnswer> => ({ status: 200, body: 'quick' });
  context.shell = shellOf([
    {
      path: '/slow',
      allow: () => ['GET'],
      endpoints: [{ methods: ['GET'], parameters: Type.Object({}), handle: slow }],
    },
    {
      path: '/quick',
      allow: () => ['GET'],
      endpoints: [{ methods: ['GET'], parameters: Type.Object({}), handle: quick }],
    },
  ]);
  context.port = Number(new URL(await context.shell.app.listen({ port: 0, host: '127.0.0.1' })).port);
});
test.after.each(({ shell }) => shell.app.close());

interface Connection {
  readonly socket: Socket;
  /** What came until the server ended the connection; rejects when it was reset. */
  readonly ended: Promise<string>;
}

async function open({ port }: Context): Promise<Connection> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  const ended = once(socket, 'close').then(() => Buffer.concat(chunks).toString());
  ended.catch(() => {});
  await once(socket, 'connect');
  return { socket, ended };
}

const ask = ({ socket }: Connection, name: string): boolean =>
  socket.write(`GET ${PATH}/${name} HTTP/1.1\r\nHost: a\r\n\r\n`);

test('an answer in progress at shutdown is complete, and says that it is the last of its connection', async (context) => {
  const { shell, release } = context;
  const connection = await open(context);
  ask(connection, 'slow');
  await once(shell.app.server, 'request');
  const closed = shell.app.close();
  while (shell.app.server.listening) await nextTurn();
  release();
  const text = await connection.ended;
  assert.match(text, /^HTTP\/1\.1 200 /);
  assert.match(text, /\r\nConnection: close\r\n/);
  assert.match(text, /slow$/);
  await closed;
});

test('a request on a kept connection during shutdown is answered, as the last', async (context) => {
  const { shell } = context;
  const connection = await open(context);
  ask(connection, 'quick');
  await once(connection.socket, 'data');
  const closed = shell.app.close();
  ask(connection, 'quick');
  const answers = (await connection.ended).split(/(?=HTTP\/1\.1 )/);
  assert.is(answers.length, 2);
  assert.match(answers[0] ?? '', /\r\nConnection: keep-alive\r\n/);
  assert.match(answers[1] ?? '', /\r\nConnection: close\r\n/);
  await closed;
});

test('clients that were answered a moment ago have some time for what they are about to send', async (context) => {
  const { shell } = context;
  const connection = await open(context);
  ask(connection, 'quick');
  await once(connection.socket, 'data');
  const closed = shell.app.close();
  await pause(ON_ITS_WAY_MS);
  ask(connection, 'quick');
  assert.is((await connection.ended).split(/(?=HTTP\/1\.1 )/).length, 2);
  await closed;
});

test('idle connections are closed at shutdown', async (context) => {
  const { shell } = context;
  const [silent, idle] = [await open(context), await open(context)];
  ask(idle, 'quick');
  await once(idle.socket, 'data');
  const begun = performance.now();
  await shell.app.close();
  assert.ok(performance.now() - begun < 5_000, 'well before connections are cut');
  await Promise.all([silent.ended, idle.ended]);
});

/** Sends requests until the server refuses connections; answers the other failures on the way. */
async function client({ port }: Context, agent: Agent): Promise<string[]> {
  const failures: string[] = [];
  for (;;) {
    const failure = await new Promise<string | null>((resolve) => {
      const fail = (error: NodeJS.ErrnoException): void => resolve(error.code ?? error.message);
      const request = get({ port, host: '127.0.0.1', path: `${PATH}/quick`, agent }, (answer) => {
        answer
          .resume()
          .on('error', fail)
          .on('end', () => resolve(null));
      });
      request.on('error', fail);
    });
    if (failure === 'ECONNREFUSED') return failures;
    if (failure !== null) failures.push(failure);
  }
}

for (const keepAlive of [true, false]) {
  const sort = keepAlive ? 'keep their connections' : 'connect anew for each request';
  test(`of clients that ${sort} none is cut off`, async (context) => {
    const { shell } = context;
    const agent = new Agent({ keepAlive });
    const clients = Array.from({ length: 16 }, () => client(context, agent));
    for (let served = 0; served < 100; served += 1) await once(shell.app.server, 'request');
    await shell.app.close();
    assert.equal((await Promise.all(clients)).flat(), []);
    agent.destroy();
  });
}

test.run();
