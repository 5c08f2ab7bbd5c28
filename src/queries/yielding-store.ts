// An event store for commands that read many streams in one go.

import { openTurns } from '../event-loop/turns.ts';
import type { EventStore } from '../event-store/event-store.ts';

/** An embedded store answers without yielding: others must get their turn between its reads. */
export function yieldingStore(store: EventStore): EventStore {
  const turn = openTurns();
  return {
    ...store,
    async readStream(stream, options) {
      await turn();
      return store.readStream(stream, options);
    },
  };
}
