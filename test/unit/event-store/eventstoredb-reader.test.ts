import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { LOG_START } from '../../../src/log/envelope.ts';
import { openCallGate } from '../../../src/log/eventstoredb/calls.ts';
import { toPosition } from '../../../src/log/eventstoredb/codec.ts';
import type { Connection, RawEvent } from '../../../src/log/eventstoredb/connection.ts';
import { createReader } from '../../../src/log/eventstoredb/read.ts';

const rawEvent = (revision: number): RawEvent => ({
  ...{ streamId: 'event-1', id: `id-${revision}`, revision, type: 'EventDrafted', isJson: true, data: {} },
  metadata: { schemaVersion: 1, actor: { id: null, name: 'test' }, instant: '2027-03-01T00:00:00Z' },
  position: toPosition({ commit: BigInt(revision), prepare: BigInt(revision) }),
});

test('a read is over with its last wanted event: what comes behind it is ignored, and it is stopped once', async () => {
  let stops = 0;
  const read: Connection['read'] = (_request, listener) => {
    setImmediate(() => {
      for (const revision of [1, 2, 3]) listener.event(rawEvent(revision));
      listener.end(new Error('the connection was lost'));
    });
    return () => {
      stops += 1;
    };
  };
  const closing = new AbortController().signal;
  const connection: Connection = {
    ...{ streamsAtOnce: 'one', read, close: async () => {} },
    append: () => Promise.reject(new Error('nothing is appended')),
    subscribe: () => {
      throw new Error('nothing is followed');
    },
  };
  const calls = openCallGate({ deadlineMs: 1_000, closing });
  const reader = createReader({ connection, deadlineMs: 1_000, closing, calls, prefixes: [] });
  const events = await reader.readAll({ after: LOG_START, limit: 2 });
  assert.equal(
    events.map(({ revision }) => revision),
    [1, 2],
  );
  assert.is(stops, 1);
});

test.run();
