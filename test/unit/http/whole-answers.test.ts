// Answers in pieces that are of use as a whole only.
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import Type from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { shellOf } from './shell.ts';

const test = suite('answers in pieces, as a whole or not');
const PATH = '/calendar/events/v1/pieces';

type Work = (end: () => Promise<void>) => AsyncIterable<string>;

/** What a client gets of it: the text when the answer came to an end, null when the connection did. */
async function received(work: Work, use: 'whole' | 'open end'): Promise<string | null> {
  const { app } = shellOf([
    {
      path: '/pieces',
      allow: () => ['GET'],
      endpoints: [
        {
          methods: ['GET'],
          parameters: Type.Object({}),
          handle: async () => ({
            status: 200,
            body: '',
            headers: { 'Content-Type': 'text/plain' },
            pieces: work(async () => void app.close()),
            ...(use === 'whole' && { whole: true }),
          }),
        },
      ],
    },
  ]);
  const address = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const text = await new Promise<string | null>((resolve) => {
    let got = '';
    const sent = request({ port: address.port, host: '127.0.0.1', path: PATH, agent: false }, (response) => {
      response.setEncoding('utf8').on('data', (piece: string) => {
        got += piece;
      });
      response.on('close', () => resolve(response.complete ? got : null));
      response.on('error', () => {});
    });
    sent.on('error', () => resolve(null));
    sent.end();
  });
  await app.close();
  return text;
}

async function* two(): AsyncGenerator<string> {
  yield 'one ';
  yield 'two';
}

async function* failing(): AsyncGenerator<string> {
  yield 'one ';
  throw new Error('away');
}

test('a complete stream is sent unchanged', async () => {
  assert.is(await received(two, 'whole'), 'one two');
});

test('what fails in the middle cuts the connection', async () => {
  assert.is(await received(failing, 'whole'), null);
  assert.is(await received(failing, 'open end'), 'one ', 'and ends the answer where the beginning is of use');
});

test('a stream cut short by shutdown cuts the connection', async () => {
  const ending: Work = async function* (end) {
    yield 'one ';
    await end();
    // It does not heed that nothing waits for it any longer.
    await new Promise(() => {});
    yield 'two';
  };
  assert.is(await received(ending, 'whole'), null);
  assert.is(await received(ending, 'open end'), 'one ');
});

test('a connection that breaks before the first piece is no failure', async () => {
  let began = (): void => {};
  const begun = new Promise<void>((resolve) => {
    began = resolve;
  });
  const { app, logged } = shellOf([
    {
      path: '/pieces',
      allow: () => ['GET'],
      endpoints: [
        {
          methods: ['GET'],
          parameters: Type.Object({}),
          handle: async (_, reply) => ({ status: 200, body: '', pieces: silent(reply.waiting()), whole: true }),
        },
      ],
    },
  ]);
  async function* silent(waiting: AbortSignal): AsyncGenerator<string> {
    began();
    await new Promise((resolve) => waiting.addEventListener('abort', resolve));
    yield 'too late';
  }
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(`GET ${PATH} HTTP/1.1\r\nHost: cal.example\r\n\r\n`);
  await begun;
  socket.write('no HTTP\r\n\r\n');
  await once(socket.resume(), 'close');
  await app.close();
  assert.equal(logged, []);
});

test.run();
