// The end of the log for a health check: it is up if names in it can be read and written, too.

import type { Position } from '../log/envelope.ts';
import type { EventStore } from '../log/event-store.ts';
import type { KeyRing, Unreadable } from '../people/personal-data/facts/key-ring.ts';

const NO_SUBJECTS: ReadonlySet<string> = new Set();

/** Streams that each check reads again. */
const LOOKED_AT_AGAIN = 5;

/** The position of the last event. Rejects as well if the keys of personal data are unavailable or not in their place. */
export async function legibleHead(
  store: Pick<EventStore, 'head' | 'readStream'>,
  keys: Pick<KeyRing, 'assertInPlace' | 'look'>,
  unreadable: Pick<Unreadable, 'streams'>,
): Promise<Position> {
  await keys.assertInPlace();
  await keys.look(NO_SUBJECTS, NO_SUBJECTS);
  // Restored keys are noticed by reading the unreadable streams again.
  for (const stream of unreadable.streams().slice(0, LOOKED_AT_AGAIN)) await store.readStream(stream);
  return store.head();
}
