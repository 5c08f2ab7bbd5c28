// Answers in pieces that are of use as a whole only.
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { sendPieces, sendWhole } from '../../../src/http/stream.ts';

type Send = typeof sendPieces;
type Work = (response: ServerResponse) => AsyncIterable<string>;

/** What a client gets of it: the text when the answer came to an end, null when the connection did. */
async function received(send: Send, work: Work, listening = new AbortController()): Promise<string | null> {
  const server = createServer((_, response) => {
    response.writeHead(200).flushHeaders();
    void send(response, work(response), listening.signal).catch(() => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  const text = await new Promise<string | null>((resolve) => {
    let got = '';
    const sent = request({ port, host: '127.0.0.1', agent: false }, (response) => {
      response.setEncoding('utf8').on('data', (piece: string) => {
        got += piece;
      });
      response.on('close', () => resolve(response.complete ? got : null));
      response.on('error', () => {});
    });
    sent.on('error', () => resolve(null));
    sent.end();
  });
  await new Promise((resolve) => server.close(resolve));
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

test('what comes to its end is sent as it is', async () => {
  assert.is(await received(sendWhole, two), 'one two');
});

test('what fails in the middle cuts the connection', async () => {
  assert.is(await received(sendWhole, failing), null);
  assert.is(await received(sendPieces, failing), 'one ', 'and ends the answer where the beginning is of use');
});

test('what is cut short as the service ends cuts the connection', async () => {
  const ending = (listening: AbortController): Work =>
    async function* () {
      yield 'one ';
      listening.abort();
      yield 'two';
    };
  const [whole, pieces] = [new AbortController(), new AbortController()];
  assert.is(await received(sendWhole, ending(whole), whole), null);
  assert.is(await received(sendPieces, ending(pieces), pieces), 'one ');
});

test.run();
