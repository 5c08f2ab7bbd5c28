// Finds what one request or one import did, by the correlation id of its events.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { idOfStream, type Mentions, noteMentions } from '../../../calendar/resource/commands/references.ts';
import type { PostKind } from '../../../calendar/resource/domain/post.ts';
import type { TermKind } from '../../../calendar/term/domain/term.ts';
import { factOf, LOG_START, type Position, type RecordedEvent, type Revision } from '../../../log/envelope.ts';
import type { EventStore } from '../../../log/event-store.ts';
import type { SeriesFact } from '../../series/domain/facts.ts';
import { EVENT_PREFIX, SERIES_PREFIX, seriesOf } from '../../series/facts/occurrences.ts';

export interface TouchedResource {
  /** `series`: one that was there before. */
  readonly kind: PostKind | TermKind | 'series';
  readonly id: number;
  readonly stream: string;
  /** The revision of the first event of the correlation in the stream: 0 if it created the resource. */
  readonly firstRevision: Revision;
  /** The series that the correlation created, if this is its first date: it stands for all of them. Or a series itself. */
  readonly series?: number;
  /** Series that had been split were made one. */
  readonly isReunited?: true;
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

/** Facts of a series that its editors did not write; dates that are set apart have streams of their own. */
export const BESIDES: readonly string[] = ['OccurrenceDetached', 'HorizonMoved', 'SeriesAdjustedToZoneRules'];

/** A series that was there before; null for what the service adds to it, and for other streams. */
function changedSeries({ stream, revision, type }: RecordedEvent): TouchedResource | null {
  if (!stream.startsWith(SERIES_PREFIX) || BESIDES.includes(type)) return null;
  const id = idOfStream(stream);
  return { kind: 'series', id, stream, firstRevision: revision, series: id };
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
  /** Series that the correlation opened, also where another was split. */
  const created = new Set<number>();
  const reunited = new Set<string>();
  /** Streams of dates of those series: they go with them. */
  const dates = new Set<string>();
  let events = 0;
  let count = 0;
  for (let after: Position | null = LOG_START; after !== null; ) {
    const batch = await store.readAll({ after, ...BATCH });
    for (const event of batch) {
      const series = seriesOf(event);
      if (series !== undefined && created.has(series)) dates.add(event.stream);
      if (event.metadata.correlationId === correlationId) {
        events += 1;
        if (event.stream.startsWith('user-')) users.add(event.stream);
        if (event.type === 'SeriesOpened') created.add(idOfStream(event.stream));
        for (const stream of reunitedBy(event)) reunited.add(stream);
        const isPart = dates.has(event.stream) || isOf(created, event);
        const resource = resources.has(event.stream) || isPart ? null : resourceOf(event);
        if (resource) resources.set(resource.stream, resource);
      }
      noteMentions(mentions, isMade, event);
    }
    count += batch.length;
    onRead(count);
    after = batch.at(-1)?.position ?? null;
    await nextTurn();
  }
  const all = [...resources.values()];
  const list = all.map((one) => (reunited.has(one.stream) ? { ...one, isReunited: true as const } : one));
  return { resources: list, mentions, users: users.size, events };
}

/** Whether it happened to a series after that was opened. */
const isOf = (series: ReadonlySet<number>, { stream, type }: RecordedEvent): boolean =>
  type !== 'SeriesOpened' && stream.startsWith(SERIES_PREFIX) && series.has(idOfStream(stream));

function reunitedBy(event: RecordedEvent): readonly string[] {
  if (event.type !== 'DatesTakenBack') return [];
  const fact = factOf<SeriesFact>(event);
  return fact.type === 'DatesTakenBack' ? [event.stream, `${SERIES_PREFIX}${fact.data.of}`] : [];
}

function resourceOf(event: RecordedEvent): TouchedResource | null {
  const { stream, revision } = event;
  if (event.type === 'SeriesOpened') return firstDateOf(factOf(event));
  const series = changedSeries(event);
  if (series) return series;
  const [, kind, id] = RESOURCE.exec(stream) ?? [];
  // The pattern has no other kinds.
  return kind === undefined
    ? null
    : { kind: kind as TouchedResource['kind'], id: Number(id), stream, firstRevision: revision };
}
