// Finds what one request or one import did, by the correlation id of its events.
import type { PostKind } from '../../domain/post.ts';
import type { TermKind } from '../../domain/term.ts';
import { LOG_START, type Position, type RecordedEvent, type Revision } from '../../event-store/envelope.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { type Mentions, noteMentions } from '../referrers.ts';

export interface TouchedResource {
  readonly kind: PostKind | TermKind;
  readonly id: number;
  readonly stream: string;
  /** Of the first event of the correlation in the stream: 0 if it created the resource. */
  readonly firstRevision: Revision;
}

export interface Touched {
  /** In the order of their first change. */
  readonly resources: readonly TouchedResource[];
  /** Everything that has ever referred to resources that the correlation created. */
  readonly mentions: Mentions;
  /** Users with facts of the correlation. */
  readonly users: number;
  /** Events of the correlation, including reservations. */
  readonly events: number;
}

const RESOURCE = /^(event|venue|organizer|category|tag)-(\d+)$/;
const BATCH = 1_000;

/** Reads the whole log. `onRead` gets the number of events read. */
export async function touchedBy(
  store: Pick<EventStore, 'readAll'>,
  correlationId: string,
  onRead: (events: number) => void,
): Promise<Touched> {
  const resources = new Map<string, TouchedResource>();
  const mentions: Mentions = new Map();
  const isMade = (stream: string): boolean => resources.get(stream)?.firstRevision === 0;
  const users = new Set<string>();
  let events = 0;
  let read = 0;
  for (let after: Position | null = LOG_START; after !== null; ) {
    const batch: readonly RecordedEvent[] = await store.readAll({ after, limit: BATCH });
    for (const event of batch) {
      if (event.metadata.correlationId === correlationId) {
        events += 1;
        if (event.stream.startsWith('user-')) users.add(event.stream);
        const resource = resources.has(event.stream) ? null : resourceOf(event);
        if (resource) resources.set(event.stream, resource);
      }
      noteMentions(mentions, isMade, event);
    }
    read += batch.length;
    onRead(read);
    after = batch.at(-1)?.position ?? null;
  }
  return { resources: [...resources.values()], mentions, users: users.size, events };
}

function resourceOf({ stream, revision }: RecordedEvent): TouchedResource | null {
  const [, kind, id] = RESOURCE.exec(stream) ?? [];
  // The pattern has no other kinds.
  return kind === undefined
    ? null
    : { kind: kind as TouchedResource['kind'], id: Number(id), stream, firstRevision: revision };
}
