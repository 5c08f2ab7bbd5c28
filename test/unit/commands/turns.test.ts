import { setImmediate as nextTurn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_WAITING, openTurns } from '../../../src/commands/write-turns.ts';

const test = suite('turns');

test('writers that wait for a stream get it in order of arrival', async () => {
  const turns = openTurns();
  const [first, late] = [turns.enter(), turns.enter()];
  assert.ok(first.tryTake(['a']));
  const order: number[] = [];
  const waiting = [1, 2, 3].map(async (number) => {
    const seat = turns.enter();
    assert.ok(await seat.take(['a']));
    order.push(number);
    assert.not(late.tryTake(['a']));
    seat.leave();
  });
  assert.not(late.tryTake(['b', 'a']), 'all or nothing');
  assert.ok(turns.enter().tryTake(['b']));
  first.leave();
  await Promise.all(waiting);
  assert.equal(order, [1, 2, 3]);
  assert.ok(late.tryTake(['a']));
});

test('two writers that need the same streams in another order do not deadlock', async () => {
  const turns = openTurns();
  const rounds = Array.from({ length: 20 }, async (_, index) => {
    const seat = turns.enter();
    const [one, other] = index % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
    seat.tryTake([one ?? '']);
    await nextTurn();
    assert.ok(await seat.take([one ?? '', other ?? '']));
    await nextTurn();
    seat.leave();
  });
  await Promise.all(rounds);
});

test('where too many wait, the next is refused at once', async () => {
  const turns = openTurns();
  const holder = turns.enter();
  holder.tryTake(['a']);
  const waiting = Array.from({ length: MAX_WAITING }, async () => {
    const seat = turns.enter();
    const isTaken = await seat.take(['a']);
    seat.leave();
    return isTaken;
  });
  assert.is(await turns.enter().take(['a']), false);
  holder.leave();
  assert.ok((await Promise.all(waiting)).every(Boolean));
});

test('a failure reaches the waiting writers, and no later ones', async () => {
  const turns = openTurns();
  const holder = turns.enter();
  holder.tryTake(['a', 'b']);
  const failures = ['a', 'b'].map((stream) => turns.enter().take([stream]).catch(String));
  await nextTurn();
  holder.fail(new Error('away'));
  assert.equal(await Promise.all(failures), ['Error: away', 'Error: away']);
  assert.ok(turns.enter().tryTake(['a', 'b']));
});

test.run();
