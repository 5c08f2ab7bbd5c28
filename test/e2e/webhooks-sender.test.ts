// What sends deliveries, against a receiver that hangs and against the example of a receiver.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newWebhookSecret } from '../../src/exchange/webhooks/commands/webhooks.ts';
import { openSender } from '../../src/exchange/webhooks/reactions/webhook-sender.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** The library compares with the clock of its machine. */
const clock = { now: () => Math.floor(Date.now() / 1000) };

const test = suite('sender of webhooks');

test('a receiver that says nothing is given up after the time-out', async () => {
  const receiver = await startReceiver();
  receiver.behave(() => 'hang');
  const send = openSender({ privateHosts: new Set([receiver.host]), clock, timeoutMs: 100 });
  const delivery = { id: 'one', url: receiver.url, secrets: [newWebhookSecret()], body: '{}' };
  assert.equal(await send(delivery, new AbortController().signal), {
    ...{ failure: 'timeout', status: null, retryAfter: 0 },
  });
  await receiver.close();
});

test('the example of a receiver takes what is signed, once, and refuses what is not', async () => {
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const [program, file] = scripts['example:receiver'].split(' ');
  assert.is(program, 'node');
  const secret = newWebhookSecret();
  const example = spawn(process.execPath, [file], {
    cwd: ROOT,
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  const complained: string[] = [];
  const address = await new Promise<string>((resolve) => {
    example.stderr.setEncoding('utf8').on('data', (text: string) => complained.push(text));
    example.stdout.setEncoding('utf8').on('data', (text: string) => {
      said.push(text);
      const [, found] = /^receiving at (\S+)$/m.exec(said.join('')) ?? [];
      if (found) resolve(found);
    });
  });
  const privateHosts = new Set([new URL(address).host]);
  const send = openSender({ privateHosts, clock });
  const change = { url: 'https://cal.example/7', summary: 'Renamed' };
  const body = JSON.stringify({ type: 'EventRetitled', data: { change, resource: null } });
  const answer = (secrets: readonly string[], id: string) =>
    send({ id, url: address, secrets, body }, new AbortController().signal);
  assert.equal(await answer([newWebhookSecret()], 'forged'), { failure: 'status', status: 401, retryAfter: 0 });
  for (const id of ['genuine', 'genuine']) assert.is((await answer([secret], id)).status, 204);
  // After a rotation both sign.
  assert.is((await answer([newWebhookSecret(), secret], 'rotated')).status, 204);
  const ended = once(example, 'close');
  example.kill();
  await ended;
  assert.match(complained.join(''), 'refused: No matching signature found');
  assert.match(
    said.join(''),
    'genuine EventRetitled https://cal.example/7: Renamed\n  forget what you have of it\ngenuine came before',
  );
});

test.run();
