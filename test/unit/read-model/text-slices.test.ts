import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inSlices } from '../../../src/read-model/redis/text-slices.ts';

const MEGABYTE = 2 ** 20;

test('texts of a long reply are taken four megabytes at a time, in order, and others have their turn in between', async () => {
  const lengths = [1, 1, 1, 1, 1, 9, 9, 1].map((megabytes) => megabytes * MEGABYTE);
  const taken: (readonly [at: number, length: number])[] = [];
  let rounds = 0;
  const began: number[] = [];
  const nextRound = () => {
    rounds += 1;
    counter = setImmediate(nextRound);
  };
  let counter = setImmediate(nextRound);
  await inSlices(
    lengths,
    (length) => length,
    (length, at) => {
      taken.push([at, length]);
      began.push(rounds);
    },
  );
  clearImmediate(counter);
  assert.equal(taken, [...lengths.entries()]);
  const isNewSlice = began.map((round, at) => at > 0 && round > (began[at - 1] ?? 0));
  assert.equal(isNewSlice, [false, false, false, false, true, true, true, true]);
});

test.run();
