import { setImmediate as endOfRound } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lookAnew, presentLook, shareLookOfRound } from '../../../src/kernel/event-loop/one-look.ts';

const test = suite('looks at what other processes have written');

const tick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

test('reads that wait for nothing share a look', async () => {
  await endOfRound();
  const look = presentLook();
  assert.is(presentLook(), look);
  await Promise.resolve();
  assert.is(presentLook(), look);
  await tick();
  assert.is.not(presentLook(), look);
});

test('requests that have arrived in one round share a look, and none of an earlier or later round', async () => {
  await endOfRound();
  const early = presentLook();
  shareLookOfRound();
  const look = presentLook();
  assert.is.not(look, early, 'it was before their arrival');
  await tick();
  shareLookOfRound();
  assert.is(presentLook(), look);
  await endOfRound();
  assert.is.not(presentLook(), look);
  await tick();
  shareLookOfRound();
  assert.is.not(presentLook(), look);
});

test('what this process has written is seen by the requests of its round', async () => {
  await endOfRound();
  shareLookOfRound();
  const look = presentLook();
  lookAnew();
  assert.is.not(presentLook(), look);
});

test.run();
