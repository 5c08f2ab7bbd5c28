import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openRepeated } from '../../../src/kernel/memory/repeated.ts';

test('a number counts as repeated until another one takes its place', () => {
  const isRepeated = openRepeated(2);
  assert.equal([3, 3, 4, 3, 5, 3, 4].map(isRepeated), [false, true, false, true, false, false, true]);
});

test.run();
