// What may be demanded of the read model although its checkpoint stays before it.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RecordedEvent } from '../../../src/log/envelope.ts';
import { withPassedPositions } from '../../../src/read-model/projector/views.ts';

const test = suite('positions that no projection reads');

/** A log of these streams at the positions 1, 2, …, and a checkpoint that a test moves. */
function opened(streams: readonly string[]) {
  const state = { checkpoint: '0', reads: 0, streams: [...streams] };
  const events = () => state.streams.map((stream, at) => ({ stream, position: String(at + 1) }) as RecordedEvent);
  const applied = { reached: async (position: string) => position <= state.checkpoint };
  const views = withPassedPositions(applied, ['event-'], {
    readModel: { checkpoint: async () => state.checkpoint },
    store: {
      head: async () => String(state.streams.length),
      async readAll({ after = '', prefixes = [], limit }) {
        state.reads += 1;
        const found = events().filter(
          (one) => one.position > after && prefixes.some((it) => one.stream.startsWith(it)),
        );
        return found.slice(0, limit);
      },
    },
    elapsed: () => 0,
  });
  return { state, reached: (position: string) => views.reached(position, 100) };
}

test('it is passed once nothing before it is missing, whatever comes after it', async () => {
  const { state, reached } = opened(['event-1', 'policy', 'webhook-1', 'event-1']);
  assert.is(await reached('3'), false, 'the event before it is not applied yet');
  state.checkpoint = '1';
  assert.is(await reached('3'), true);
  assert.is(await reached('4'), false, 'an event that is to be applied');
  assert.is(await reached('5'), false, 'not in the log yet');
  state.checkpoint = '4';
  assert.is(await reached('4'), true);
});

test('the log is read once for each new end of it', async () => {
  const { state, reached } = opened(['event-1', 'policy', 'policy']);
  state.checkpoint = '1';
  for (const position of ['2', '3', '2']) assert.is(await reached(position), true);
  assert.is(state.reads, 1);
  state.streams.push('policy', 'event-2');
  assert.is(await reached('4'), true);
  for (const position of ['5', '5', '4']) assert.is(await reached(position), position === '4');
  assert.is(state.reads, 2);
});

test('a store that is away answers no', async () => {
  const views = withPassedPositions({ reached: async () => false }, [], {
    elapsed: () => 0,
    readModel: { checkpoint: () => Promise.reject(new Error('away')) },
    store: { head: async () => '1', readAll: async () => [] },
  });
  assert.is(await views.reached('1', 100), false);
});

test.run();
