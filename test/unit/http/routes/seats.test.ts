import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ApiError } from '../../../../src/http/errors.ts';
import { type Guest, openSeats } from '../../../../src/http/routes/seats.ts';

const test = suite('places of those who wait');

/** The status of a refusal; null: there was a place. */
function setUp() {
  const seats = openSeats({ forAll: 5, forUser: 2, forAddress: 3 });
  const leaving: (() => void)[] = [];
  const take = (user: number | null, address: string | null, signal = new AbortController().signal) => {
    try {
      leaving.push(seats.take({ user, address } satisfies Guest, signal));
      return null;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return error.status;
    }
  };
  return { take, leave: () => leaving.shift()?.() };
}

test('one user takes some of the places, from wherever, and others still find one', () => {
  const { take, leave } = setUp();
  assert.equal([take(1, 'a'), take(1, 'b'), take(1, 'c')], [null, null, 429]);
  assert.is(take(2, 'c'), null);
  leave();
  assert.is(take(1, 'c'), null);
});

test('one address takes a limited number of places, whatever users sign in there', () => {
  const { take } = setUp();
  assert.equal([take(1, 'a'), take(2, 'a'), take(3, 'a'), take(4, 'a')], [null, null, null, 429]);
  assert.is(take(4, 'b'), null);
});

test('an address that may be that of many has as many as there are', () => {
  const { take } = setUp();
  const users = [1, 2, 3, 4, 5, 6];
  assert.equal(
    users.map((user) => take(user, null)),
    [null, null, null, null, null, 503],
  );
});

test('a place is released once, explicitly or by disconnecting', () => {
  const { take, leave } = setUp();
  const ending = new AbortController();
  assert.is(take(1, null, ending.signal), null);
  ending.abort();
  leave();
  assert.equal([take(1, null), take(1, null), take(1, null)], [null, null, 429]);
  assert.is(take(2, null, AbortSignal.abort()), null);
  assert.equal([take(2, null), take(2, null), take(2, null)], [null, null, 429]);
});

test.run();
