// Lets a test have a shared event store to itself: its streams carry a name of their own, and the log begins where it
// stood when the test began. No other test may write meanwhile.
import { randomUUID } from 'node:crypto';
import { LOG_START, type Position, type RecordedEvent } from '../../src/log/envelope.ts';
import type { EventStore } from '../../src/log/event-store.ts';

export interface OwnStreams {
  around(store: EventStore): EventStore;
}

export async function withOwnStreams(store: EventStore): Promise<OwnStreams> {
  const before = await store.head();
  const name = `test-${randomUUID()}-`;
  return { around: (shared) => ownStreams(shared, name, before) };
}

function ownStreams(shared: EventStore, name: string, before: Position): EventStore {
  const bare = (event: RecordedEvent): RecordedEvent => ({ ...event, stream: event.stream.slice(name.length) });
  const since = (after: Position): Position => (after === LOG_START ? before : after);
  const full = (prefixes: readonly string[] = []): string[] =>
    prefixes.length === 0 ? [name] : prefixes.map((prefix) => name + prefix);
  return {
    async append(appends) {
      const outcome = await shared.append(appends.map((append) => ({ ...append, stream: name + append.stream })));
      return outcome.kind === 'conflict' ? { ...outcome, stream: outcome.stream.slice(name.length) } : outcome;
    },
    async readStream(stream, options) {
      return (await shared.readStream(name + stream, options)).map(bare);
    },
    async readAll({ after, prefixes, ...rest }) {
      // Backwards the log ends where it begins for this test; its start means its end.
      const isBackwards = rest.direction === 'backwards';
      const asked = { ...rest, after: isBackwards ? after : since(after), prefixes: full(prefixes) };
      return (await shared.readAll(asked)).map(bare);
    },
    async *readByStream({ upTo, prefixes }) {
      for await (const batch of shared.readByStream({ upTo, prefixes: full(prefixes) })) yield batch.map(bare);
    },
    async *subscribe(options) {
      const own = { ...options, after: since(options.after), prefixes: full(options.prefixes) };
      for await (const batch of shared.subscribe(own)) yield batch.map(bare);
    },
    async head() {
      const head = await shared.head();
      return head === before ? LOG_START : head;
    },
    close: () => shared.close(),
  };
}
