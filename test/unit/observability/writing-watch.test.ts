import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type AppendObserver, EventStoreUnavailable, type TryWriting } from '../../../src/log/event-store.ts';
import { FAILURE_TELLS_FOR_MS, TRIED_AGAIN_AFTER_MS, watchWriting } from '../../../src/observability/writing-watch.ts';

const test = suite('writing');

const full: TryWriting = async () => {
  throw new EventStoreUnavailable('The disk is full.');
};
const possible: TryWriting = async () => 'possible';
const busy: TryWriting = async () => 'busy';

/** A watch over an engine, or over one that cannot tell. */
function watched(engine: TryWriting | null) {
  const state = { elapsed: 0, tries: 0, engine: engine ?? possible };
  const tryWriting: TryWriting = () => {
    state.tries += 1;
    return state.engine();
  };
  const watch = watchWriting({ elapsed: () => state.elapsed, ...(engine && { tryWriting }) });
  const appended = (outcome: Parameters<AppendObserver>[0]['outcome']) =>
    watch.observeAppend({ outcome, seconds: 0, events: 1 });
  const found = (): Promise<string> =>
    watch.look().then(
      () => 'well',
      (error: Error) => error.message,
    );
  return { state, appended, found };
}

const LAST_FAILED = 'The last append to the event store failed.';

test('the word of the engine counts, whatever the result of the last append', async () => {
  const { state, appended, found } = watched(full);
  assert.is(await found(), 'The disk is full.');
  state.engine = possible;
  state.elapsed += TRIED_AGAIN_AFTER_MS;
  assert.is(await found(), 'well');
  appended('unavailable');
  assert.is(await found(), 'well');
});

test('the engine is asked once a second at most, however many ask', async () => {
  const { state, found } = watched(possible);
  await Promise.all([found(), found(), found()]);
  state.elapsed += TRIED_AGAIN_AFTER_MS - 1;
  await found();
  assert.is(state.tries, 1);
  state.elapsed += 1;
  await found();
  assert.is(state.tries, 2);
});

test('an append that fails makes the next look ask anew', async () => {
  const { state, appended, found } = watched(possible);
  assert.is(await found(), 'well');
  state.engine = full;
  appended('appended');
  assert.is(await found(), 'well');
  appended('unavailable');
  assert.is(await found(), 'The disk is full.');
});

test('while another process writes, the last append decides', async () => {
  const { appended, found } = watched(busy);
  assert.is(await found(), 'well');
  appended('unavailable');
  assert.is(await found(), LAST_FAILED);
  appended('appended');
  assert.is(await found(), 'well');
});

for (const outcome of ['unavailable', 'unknown'] as const) {
  test(`where the engine cannot say, an append that ends ${outcome} decides until one works, or for half a minute`, async () => {
    const { state, appended, found } = watched(null);
    assert.is(await found(), 'well');
    appended(outcome);
    assert.is(await found(), LAST_FAILED);
    appended('conflict');
    assert.is(await found(), LAST_FAILED);
    appended('appended');
    assert.is(await found(), 'well');
    appended(outcome);
    state.elapsed += FAILURE_TELLS_FOR_MS - 1;
    assert.is(await found(), LAST_FAILED);
    state.elapsed += 1;
    assert.is(await found(), 'well');
  });
}

test.run();
