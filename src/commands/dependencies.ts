// What commands of this process share, over the log that they write to.

import type { Zone } from '../kernel/time/zone.ts';
import { newEventId } from '../log/event-ids.ts';
import type { EventStore } from '../log/event-store.ts';
import { hashPassword, verifyPassword } from '../people/auth/passwords.ts';
import { openCoordination } from './context.ts';
import { openIdSequence } from './reservations/ids.ts';

interface Log {
  readonly store: EventStore;
  /** How many ids are reserved at once. */
  readonly idBlock: number;
}

/** The dependencies of commands. Blocks of one leave no gaps in the ids if a single process allocates them. */
export const commandDependencies = ({ store, idBlock: blockSize }: Log, { siteZone }: { readonly siteZone: Zone }) => ({
  store,
  postIds: openIdSequence(store, { stream: 'ids-post', first: 1, blockSize, newEventId }),
  termIds: openIdSequence(store, { stream: 'ids-term', first: 1, blockSize, newEventId }),
  ...openCoordination(),
  newEventId,
  siteZone,
  hashPassword,
  verifyPassword,
});
