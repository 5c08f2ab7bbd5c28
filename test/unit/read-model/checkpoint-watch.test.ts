import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { watchCheckpoint } from '../../../src/read-model/projector/views.ts';
import { ReadModelUnavailable } from '../../../src/read-model/read-model.ts';

/** Far longer than anything here takes; nothing waits for it to pass. */
const LONG_MS = 30_000;

/** Views whose checkpoint the test moves, and how often they were looked at. */
function views(first: string) {
  const state = { at: first, looks: 0, isDown: false };
  const readModel = {
    async checkpoint() {
      state.looks++;
      if (state.isDown) throw new ReadModelUnavailable('away');
      return state.at;
    },
  };
  const watch = watchCheckpoint({ readModel, elapsed: () => performance.now() }, 1);
  return { state, watch };
}

test('a position that is applied already is reached', async () => {
  const { watch } = views('5');
  assert.is(await watch.reached('5', LONG_MS), true);
  assert.is(await watch.reached('4', LONG_MS), true);
});

test('a position is reached when it is applied, and not before', async () => {
  const { state, watch } = views('1');
  let reached: boolean | null = null;
  const waiting = watch.reached('3', LONG_MS).then((answer) => {
    reached = answer;
  });
  state.at = '2';
  while (state.looks < 5) await new Promise((resolve) => setTimeout(resolve, 1));
  assert.is(reached, null);
  state.at = '3';
  await waiting;
  assert.is(reached, true);
});

test('after the deadline it is not reached', async () => {
  const { watch } = views('1');
  assert.is(await watch.reached('2', 5), false);
});

test('unavailable views answer at once instead of after the deadline', async () => {
  const { state, watch } = views('9');
  state.isDown = true;
  assert.is(await watch.reached('1', LONG_MS), false);
  state.isDown = false;
  assert.is(await watch.reached('1', LONG_MS), true);
});

test('views that were emptied have not reached what they had reached before', async () => {
  const { state, watch } = views('9');
  assert.is(await watch.reached('9', LONG_MS), true);
  state.at = '';
  assert.is(await watch.reached('9', 5), false);
});

test('one read of the checkpoint serves all waiters, and without waiters it is not read', async () => {
  const { state, watch } = views('1');
  assert.equal(await Promise.all([watch.reached('1', LONG_MS), watch.reached('1', LONG_MS)]), [true, true]);
  const { looks } = state;
  assert.ok(looks <= 2);
  await new Promise((resolve) => setTimeout(resolve, 10));
  assert.is(state.looks, looks);
});

test.run();
