// When dates went from one series to another, and what was before, as the streams of series say it.

import { factOf, instantOf, type RecordedEvent, type Revision } from '../../../log/envelope.ts';
import type { Series, SeriesFact } from '../domain/facts.ts';
import { evolveSeries } from '../domain/occurrences.ts';

/** The last revision before dates last went to another series or came from it. */
export const beforeMoveBetween = (events: readonly RecordedEvent[], other: number): Revision =>
  beforeRequestOf(
    events,
    events.findLastIndex((event) => {
      const { type, data } = factOf<SeriesFact>(event);
      return (type === 'SeriesSplit' && data.into === other) || (type === 'DatesTakenBack' && data.of === other);
    }),
  );

/** The last revision before dates last went to another series. */
export const beforeLeaving = (events: readonly RecordedEvent[], into: number): Revision =>
  beforeRequestOf(
    events,
    events.findLastIndex((event) => {
      const { type, data } = factOf<SeriesFact>(event);
      return type === 'SeriesSplit' && data.into === into;
    }),
  );

/** The last one that another request wrote. What one request writes to a stream is in one piece. */
function beforeRequestOf(events: readonly RecordedEvent[], index: number): Revision {
  const written = events[index];
  const earlier = events.slice(0, Math.max(index, 0)).findLast(({ metadata }) => !isOneRequest(metadata, written));
  return earlier?.revision ?? 0;
}

const isOneRequest = (metadata: RecordedEvent['metadata'], other: RecordedEvent | undefined): boolean =>
  metadata.correlationId === other?.metadata.correlationId && metadata.instant === other.metadata.instant;

/** The how-manieth date of a series each event is or was, by id: also those that went to other series. */
export function placesOf(events: readonly RecordedEvent[]): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  const note = (series: Series | null): void => {
    for (const { id, index } of series?.dates.values() ?? []) places.set(id, index);
  };
  let series: Series | null = null;
  for (const event of events) {
    const fact = factOf<SeriesFact>(event);
    if (fact.type === 'SeriesSplit') note(series);
    series = evolveSeries(series, fact, instantOf(event));
  }
  note(series);
  return places;
}
