import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ApiError } from '../../../../src/http/errors.ts';
import { openAttempts } from '../../../../src/http/limits/limits.ts';

const test = suite('attempts');

function setUp() {
  const clock = { at: 0 };
  return { clock, attempts: openAttempts(() => clock.at, { forTarget: 3, fromAddress: 5, beyondAddress: 2 }) };
}

const madeUp = (name: string) => ({ name, exists: false });
const there = (name: string) => ({ name, exists: true });

/** Seconds after which trying again makes sense; null when it may be tried now. */
function refusal(begin: () => unknown): number | null {
  try {
    begin();
    return null;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'rest_rate_limited') throw error;
    assert.is(error.status, 429);
    return Number(error.headers['Retry-After']);
  }
}

test('after too many wrong attempts nothing more is tried on this target from this address, for the rest of the minute', () => {
  const { clock, attempts } = setUp();
  for (let wrong = 0; wrong < 3; wrong += 1) attempts.begin('a', madeUp('x'));
  clock.at = 20_000;
  assert.is(
    refusal(() => attempts.begin('a', madeUp('x'))),
    40,
  );
  assert.is(
    refusal(() => attempts.begin('b', madeUp('x'))),
    null,
    'another address',
  );
  assert.is(
    refusal(() => attempts.begin('a', madeUp('y'))),
    null,
    'another target',
  );
  clock.at = 60_000;
  assert.is(
    refusal(() => attempts.begin('a', madeUp('x'))),
    null,
  );
});

test('an address has a limit for all targets together', () => {
  const { attempts } = setUp();
  for (const target of ['v', 'w', 'x', 'y', 'z']) attempts.begin('a', madeUp(target));
  assert.is(
    refusal(() => attempts.begin('a', madeUp('new'))),
    60,
  );
  assert.is(
    refusal(() => attempts.begin('b', madeUp('new'))),
    null,
  );
});

test('where an address has had too much, what exists can still be tried, but less often', () => {
  const { clock, attempts } = setUp();
  for (const name of ['v', 'w', 'x', 'y', 'z']) attempts.begin('a', madeUp(name));
  attempts.begin('a', there('account')).forgive();
  for (let wrong = 0; wrong < 2; wrong += 1) attempts.begin('a', there('account'));
  assert.is(
    refusal(() => attempts.begin('a', there('account'))),
    60,
  );
  assert.is(
    refusal(() => attempts.begin('a', there('another'))),
    null,
  );
  clock.at = 60_000;
  assert.is(
    refusal(() => attempts.begin('a', there('account'))),
    null,
  );
});

test('right attempts do not count, and are forgiven only once', () => {
  const { attempts } = setUp();
  for (let right = 0; right < 50; right += 1) attempts.begin('a', madeUp('x')).forgive();
  attempts.begin('a', madeUp('x'));
  attempts.begin('a', madeUp('x'));
  const right = attempts.begin('a', madeUp('x'));
  right.forgive();
  right.forgive();
  attempts.begin('a', madeUp('x'));
  assert.is(
    refusal(() => attempts.begin('a', madeUp('x'))),
    60,
  );
});

test('attempts in progress count: sending many at once tries no more of them', () => {
  const { attempts } = setUp();
  const begun = [1, 2, 3].map(() => attempts.begin('a', madeUp('x')));
  assert.is(
    refusal(() => attempts.begin('a', madeUp('x'))),
    60,
  );
  begun[0]?.forgive();
  assert.is(
    refusal(() => attempts.begin('a', madeUp('x'))),
    null,
  );
});

test('a name as long as a header takes no more memory than a short one, and is still one target', () => {
  const { attempts } = setUp();
  for (let wrong = 0; wrong < 3; wrong += 1) attempts.begin('a', madeUp(`${'x'.repeat(30_000)}${wrong}`));
  assert.is(
    refusal(() => attempts.begin('a', madeUp('x'.repeat(30_000)))),
    60,
  );
});

test.run();
