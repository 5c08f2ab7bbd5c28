// What commands of this process share, over the log that they write to.

import type { Zone } from '../kernel/time/zone.ts';
import { newEventId } from '../log/event-ids.ts';
import type { EventStore } from '../log/event-store.ts';
import { hashPassword, verifyPassword } from '../people/auth/passwords.ts';
import { type CommandDependencies, openCoordination } from './context.ts';
import { type IdSequence, openIdSequence } from './reservations/ids.ts';

interface IdSequences {
  readonly postIds: IdSequence;
  readonly termIds: IdSequence;
}

interface Log {
  readonly store: EventStore;
  /** How many ids are reserved at once. */
  readonly idBlock: number;
}

/** The sequences of ids. Blocks of one leave no gaps if a single process allocates them. */
function idSequences({ store, idBlock: blockSize }: Log): IdSequences {
  const options = { first: 1, blockSize, newEventId };
  return {
    postIds: openIdSequence(store, { stream: 'ids-post', ...options }),
    termIds: openIdSequence(store, { stream: 'ids-term', ...options }),
  };
}

/** The dependencies of commands. */
export const commandDependencies = (
  { store, idBlock }: Log,
  { siteZone }: { readonly siteZone: Zone },
): CommandDependencies & IdSequences => ({
  store,
  ...idSequences({ store, idBlock }),
  ...openCoordination(),
  newEventId,
  siteZone,
  hashPassword,
  verifyPassword,
});
