// Commands that only try something out: what they append is discarded, and no id is drawn from the log for it.
import type { EventStore } from '../log/event-store.ts';
import type { CommandDependencies } from './context.ts';
import { openDryRunStore } from './dry-run-store.ts';
import { openIdSequence } from './reservations/ids.ts';

/** What commands need to run on a log that discards what they append. Ids are those that would be drawn. */
export function onDryRun<Dependencies extends CommandDependencies>(
  dependencies: Dependencies,
  store: EventStore = openDryRunStore(dependencies.store),
): Dependencies {
  const sequence = { first: 1, blockSize: 1, newEventId: dependencies.newEventId };
  return {
    ...dependencies,
    store,
    postIds: openIdSequence(store, { stream: 'ids-post', ...sequence }),
    termIds: openIdSequence(store, { stream: 'ids-term', ...sequence }),
  };
}
