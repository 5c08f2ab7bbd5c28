import Fastify from 'fastify';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { warmUp } from '../../../src/http/plugins/warm-up.ts';
import { listening } from '../../support/warm-ups.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('what is made after the start is made one after the other, with turns of others in between', async () => {
  const steps: string[] = [];
  const made = (name: string) => async () => {
    steps.push(`${name} begins`);
    await turn();
    steps.push(`${name} ends`);
  };
  const app = Fastify();
  const ended = new Promise<void>((resolve) => {
    warmUp(app, made('first'));
    warmUp(app, made('second'));
    warmUp(app, resolve);
  });
  await listening(app);
  setImmediate(() => steps.push('a turn'));
  await ended;
  await app.close();
  assert.equal(steps, ['a turn', 'first begins', 'first ends', 'second begins', 'second ends']);
});

test('what has not begun when the service is closed is not made', async () => {
  const app = Fastify();
  let isMade = false;
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const begun = new Promise<void>((resolve) => {
    warmUp(app, () => {
      resolve();
      return held;
    });
  });
  warmUp(app, () => {
    isMade = true;
  });
  await listening(app);
  await begun;
  await app.close();
  release();
  for (let turns = 0; turns < 5; turns++) await turn();
  assert.not(isMade);
});

test.run();
