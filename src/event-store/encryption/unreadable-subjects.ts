// Subjects whose personal data cannot be read because their key is lost. Everything else of them works; operators are
// informed.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecordedEvent } from '../envelope.ts';
import { LOG_START } from '../envelope.ts';
import type { EventStore } from '../event-store.ts';
import { PERSONAL_PREFIXES } from './personal-fields.ts';
import type { Subject } from './subject-keys.ts';

/** `missing`: there is no key. `other`: there is one that does not open it. */
export type LostKey = 'missing' | 'other';

type Place = Pick<RecordedEvent, 'stream' | 'revision'>;

/** Exists while a store is open. */
export interface Unreadable {
  note(subject: Subject, why: LostKey, place: Place): void;
  /** An event could be decrypted; if it was unreadable before, its key is back. */
  opened(subject: Subject, place: Place): void;
  /** In the order in which they were met. */
  subjects(): readonly Subject[];
  /** Streams in which their data was met: reading these again shows whether their keys are back. */
  streams(): readonly string[];
}

export function openUnreadable(onFirst: (subject: Subject, why: LostKey) => void = () => {}): Unreadable {
  const places = new Map<Subject, Place>();
  return {
    note(subject, why, { stream, revision }) {
      if (places.has(subject)) return;
      places.set(subject, { stream, revision });
      onFirst(subject, why);
    },
    opened(subject, { stream, revision }) {
      const place = places.get(subject);
      if (place?.stream === stream && place.revision === revision) places.delete(subject);
    },
    subjects: () => [...places.keys()],
    streams: () => [...places.values()].map(({ stream }) => stream),
  };
}

const PAGE = 500;

/**
 * Reads all personal data of a log once, page by page, so that `Unreadable` knows all of it. A signal ends it early.
 * Rejects with `EventStoreUnavailable`.
 */
export async function readEverythingPersonal(store: Pick<EventStore, 'readAll'>, signal?: AbortSignal): Promise<void> {
  let after = LOG_START;
  while (!signal?.aborted) {
    const page = await store.readAll({ after, prefixes: PERSONAL_PREFIXES, limit: PAGE });
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.position;
    await nextTurn();
  }
}
