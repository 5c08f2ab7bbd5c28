import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openWindows } from '../../../../src/http/limits/windows.ts';

const test = suite('windows');

function setUp(maxKeys = 10) {
  const clock = { at: 0 };
  return { clock, windows: openWindows({ elapsed: () => clock.at, lengthMs: 100, maxKeys }) };
}

test('a count belongs to its key alone', () => {
  const { windows } = setUp();
  windows.take('a');
  assert.is(windows.take('a').count, 2);
  assert.is(windows.take('b').count, 1);
  assert.is(windows.look('c'), null);
});

test('a window ends as long after its first count as it is long, and not later by being counted in', () => {
  const { clock, windows } = setUp();
  windows.take('a');
  clock.at = 90;
  assert.is(windows.left(windows.take('a')), 10);
  clock.at = 100;
  assert.is(windows.look('a'), null);
  assert.is(windows.take('a').count, 1);
});

test('of too many keys the one that was counted least lately is forgotten', () => {
  const { windows } = setUp(2);
  for (const key of ['a', 'b', 'a', 'c']) windows.take(key);
  assert.is(windows.look('b'), null);
  assert.is(windows.look('a')?.count, 2);
});

test.run();
