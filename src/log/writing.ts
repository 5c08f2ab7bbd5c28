// Shared by writers of events: metadata of the system itself, events from facts, and repeated appends.
import type { EpochSeconds } from '../kernel/time/zone.ts';
import type { Actor, EventMetadata, Fact, Json, NewEvent } from './envelope.ts';
import {
  type AppendOutcome,
  AppendOutcomeUnknown,
  type EventStore,
  EventStoreUnavailable,
  lastEvent,
} from './event-store.ts';
import { currentSchemaVersion } from './upcasting/upcast.ts';

/** For what the system does on its own, or for an operator at the command line. */
export const systemActor = (name: string): Actor => ({ id: null, name });

interface SystemCause {
  readonly actor: Actor;
  readonly now: EpochSeconds;
  readonly correlationId: string;
  /** By default a correlation is its own cause. */
  readonly causationId?: string;
}

export const systemMetadata = ({
  actor,
  now,
  correlationId,
  causationId = correlationId,
}: SystemCause): EventMetadata => ({
  actor,
  instant: new Date(now * 1000).toISOString(),
  correlationId,
  causationId,
});

/** Added by a writer to each fact. */
interface Writer {
  readonly metadata: EventMetadata;
  readonly newEventId: () => string;
}

/** Facts are plain data by construction. */
export const eventOf = ({ type, data }: Fact, { metadata, newEventId }: Writer): NewEvent => ({
  id: newEventId(),
  type,
  schemaVersion: currentSchemaVersion(type),
  data: data as Json,
  metadata,
});

const MAX_APPEND_ATTEMPTS = 3;

/** The outcome of an interrupted append is unknown: it is repeated with the same event ids, which is harmless. */
export async function appendRepeatedly(append: () => Promise<AppendOutcome>): Promise<AppendOutcome> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await append();
    } catch (error) {
      if (!(error instanceof AppendOutcomeUnknown) || attempt === MAX_APPEND_ATTEMPTS) throw error;
    }
  }
}

/** Appends behind what is there of any writer: again when another writer was faster. */
export async function appendBehind(
  store: Pick<EventStore, 'append' | 'readStream'>,
  stream: string,
  events: readonly NewEvent[],
): Promise<void> {
  for (;;) {
    const last = await lastEvent(store, stream);
    const expected = last?.revision ?? 'no_stream';
    if ((await appendRepeatedly(() => store.append([{ stream, expected, events }]))).kind === 'appended') return;
  }
}

/** Whether a write failed because the store was unavailable, or did not answer. */
export const isOutage = (error: unknown): boolean =>
  error instanceof EventStoreUnavailable || error instanceof AppendOutcomeUnknown;
