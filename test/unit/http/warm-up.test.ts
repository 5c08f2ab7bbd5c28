import Fastify from 'fastify';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { warmUp } from '../../../src/http/plugins/warm-up.ts';

test('what is made after the start is made one after the other, with turns of others in between', async () => {
  const steps: string[] = [];
  const made = (name: string) => async () => {
    steps.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    steps.push(`${name} ends`);
  };
  const due: (() => void)[] = [];
  const { setTimeout: later } = globalThis;
  const app = Fastify();
  const ended = new Promise<void>((resolve) => {
    warmUp(app, made('first'));
    warmUp(app, made('second'));
    warmUp(app, resolve);
  });
  globalThis.setTimeout = ((work: () => void) => {
    due.push(work);
    return later(() => {}, 0);
  }) as typeof setTimeout; // Only what a warm-up uses of it.
  try {
    await app.listen({ port: 0, host: '127.0.0.1' });
  } finally {
    globalThis.setTimeout = later;
  }
  for (const work of due) work();
  setImmediate(() => steps.push('a turn'));
  await ended;
  await app.close();
  assert.equal(steps, ['a turn', 'first begins', 'first ends', 'second begins', 'second ends']);
});

test.run();
