// A service says before it has more events than its memory has room for: first beside lists of other instants, then at all.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { warnsOfMany } from '../../../src/composition.ts';
import { roomForEvents, roomForPast } from '../../../src/kernel/memory/limit.ts';

const test = suite('room for events');
const LIMIT = 256 * 1_048_576;

function counted(limit: number | null, counts: readonly number[]): readonly (readonly [object, RegExp | string])[] {
  const warnings: [object, string][] = [];
  const hear = warnsOfMany({ warn: (details, message) => warnings.push([details, message]) }, limit);
  for (const events of counts) hear(events);
  return warnings;
}

test('each is said once, before the first event that is too many', () => {
  const [past = 0, all = 0] = [roomForPast(LIMIT) ?? 0, roomForEvents(LIMIT) ?? 0];
  assert.ok(past < all);
  assert.equal(counted(LIMIT, [0, past]), []);
  const [first, ...others] = counted(LIMIT, [past, past + 1, all, all]);
  assert.equal([first?.[0], others], [{ roomForEvents: past }, []]);
  assert.match(String(first?.[1]), 'as_of');
  const [, second, ...more] = counted(LIMIT, [past + 1, all + 1, 2 * all]);
  assert.equal([second?.[0], more], [{ roomForEvents: all }, []]);
  assert.match(String(second?.[1]), 'give the container more');
});

test('a calendar that is much too large hears of both at once, one without a limit of neither', () => {
  assert.is(counted(LIMIT, [10_000_000]).length, 2);
  assert.equal(counted(null, [10_000_000]), []);
});

test.run();
