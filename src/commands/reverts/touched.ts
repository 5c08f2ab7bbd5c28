// Finds what one request or one import did, by the correlation id of its events.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PostKind } from '../../domain/post.ts';
import type { SeriesFact } from '../../domain/series/facts.ts';
import type { TermKind } from '../../domain/term.ts';
import { factOf, LOG_START, type Position, type RecordedEvent, type Revision } from '../../event-store/envelope.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { EVENT_PREFIX, seriesOf } from '../../event-store/occurrences.ts';
import { type Mentions, noteMentions } from '../references.ts';

export interface TouchedResource {
  readonly kind: PostKind | TermKind;
  readonly id: number;
  readonly stream: string;
  /** Of the first event of the correlation in the stream: 0 if it created the resource. */
  readonly firstRevision: Revision;
  /** The series that the correlation created, if this is its first date: it stands for all of them. */
  readonly series?: number;
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
/** Read and examined in one turn of the event loop. */
const BATCH = { limit: 250, maxCharacters: 500_000 };

/** A series that was opened, as its first date; null for one that goes on where another was split. */
function firstDateOf(fact: SeriesFact): TouchedResource | null {
  if (fact.type !== 'SeriesOpened') return null;
  const { id, appear, splitFrom } = fact.data;
  const [first] = appear;
  if (!first || splitFrom !== null) return null;
  return { kind: 'event', id: first.id, stream: `${EVENT_PREFIX}${first.id}`, firstRevision: 0, series: id };
}

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
  const created = new Set<number>();
  /** Streams of dates of those series: they go with them. */
  const dates = new Set<string>();
  let events = 0;
  let read = 0;
  for (let after: Position | null = LOG_START; after !== null; ) {
    const batch: readonly RecordedEvent[] = await store.readAll({ after, ...BATCH });
    for (const event of batch) {
      const series = seriesOf(event);
      if (series !== undefined && created.has(series)) dates.add(event.stream);
      if (event.metadata.correlationId === correlationId) {
        events += 1;
        if (event.stream.startsWith('user-')) users.add(event.stream);
        const resource = resources.has(event.stream) || dates.has(event.stream) ? null : resourceOf(event);
        if (resource) resources.set(resource.stream, resource);
        if (resource?.series !== undefined) created.add(resource.series);
      }
      noteMentions(mentions, isMade, event);
    }
    read += batch.length;
    onRead(read);
    after = batch.at(-1)?.position ?? null;
    await nextTurn();
  }
  return { resources: [...resources.values()], mentions, users: users.size, events };
}

function resourceOf(event: RecordedEvent): TouchedResource | null {
  const { stream, revision } = event;
  if (event.type === 'SeriesOpened') return firstDateOf(factOf<SeriesFact>(event));
  const [, kind, id] = RESOURCE.exec(stream) ?? [];
  // The pattern has no other kinds.
  return kind === undefined
    ? null
    : { kind: kind as TouchedResource['kind'], id: Number(id), stream, firstRevision: revision };
}
