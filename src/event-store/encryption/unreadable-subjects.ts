// Whose personal data cannot be read, as their key is lost. Everything else of them goes on; operators are told.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecordedEvent } from '../envelope.ts';
import { LOG_START } from '../envelope.ts';
import type { EventStore } from '../event-store.ts';
import { PERSONAL_PREFIXES } from './personal-fields.ts';
import type { Subject } from './subject-keys.ts';

/** `missing`: there is no key. `other`: there is one that does not open it. */
export type LostKey = 'missing' | 'other';

type Place = Pick<RecordedEvent, 'stream' | 'revision'>;

/** Kept while a store is open. */
export interface Unreadable {
  note(subject: Subject, why: LostKey, place: Place): void;
  /** An event has been read; if it is the one that could not be read before, its key is back. */
  opened(subject: Subject, place: Place): void;
  /** In the order in which they were met. */
  subjects(): readonly Subject[];
  /** Streams in which something of them was met: who reads these again finds out whether their keys are back. */
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
 * Reads everything personal in a log once, page by page, so that `Unreadable` knows of all of it. A signal ends it
 * early. Rejects with `EventStoreUnavailable`.
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
