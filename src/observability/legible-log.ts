// A log for its health check: it is up if names in it can be read and written, too.

import type { EventStore } from '../event-store/event-store.ts';
import type { KeyRing, Unreadable } from '../facts/personal-data/key-ring.ts';

const NO_SUBJECTS: ReadonlySet<string> = new Set();

/** Streams that each check reads again. */
const LOOKED_AT_AGAIN = 5;

/** `store`, whose `head` also rejects if the keys of personal data are unavailable or not in their place. */
export const legibleLog = (
  store: EventStore,
  keys: Pick<KeyRing, 'assertInPlace' | 'look'>,
  unreadable: Pick<Unreadable, 'streams'>,
): EventStore => ({
  ...store,
  async head() {
    await keys.assertInPlace();
    await keys.look(NO_SUBJECTS, NO_SUBJECTS);
    // Restored keys are noticed by reading the unreadable streams again.
    for (const stream of unreadable.streams().slice(0, LOOKED_AT_AGAIN)) await store.readStream(stream);
    return store.head();
  },
});
