// The projection of series: what their dates have in common, for the members that each date shows of its series. The
// events of the dates are folded by the projection of events (src/editorial/series/facts/occurrences.ts).

import type { Series, SeriesFact } from '../src/editorial/series/domain/facts.ts';
import { evolveSeries } from '../src/editorial/series/domain/occurrences.ts';
import { presentDates } from '../src/editorial/series/domain/series.ts';
import { factOf, instantOf, type Json } from '../src/log/envelope.ts';
import type { SeriesDocument } from '../src/read-model/documents.ts';
import { type AnyProjection, asJson, type Place, projectionOf } from './projection.ts';

/** As it is stored in its document: maps are lists there. */
export interface StoredSeries extends Omit<Series, 'dates'> {
  readonly dates: readonly (Series['dates'] extends ReadonlyMap<string, infer Date> ? Date : never)[];
}

export const seriesProjection = (): AnyProjection =>
  projectionOf<StoredSeries>({
    kind: 'series',
    prefix: 'series-',
    fold(stored, event) {
      const series = evolveSeries(stored && seriesIn(stored), factOf<SeriesFact>(event), instantOf(event));
      return series && { ...series, dates: [...series.dates.values()] };
    },
    document: seriesDocument,
  });

export function seriesDocument(stored: StoredSeries, at: Place): SeriesDocument {
  const { template, inTrash, rules, added, skipped } = stored;
  const [first] = presentDates(seriesIn(stored));
  return {
    kind: 'series',
    id: stored.id,
    ...at,
    seriesStatus: inTrash ? 'trash' : template.status,
    author: template.author,
    isDivided: stored.left.length > 0,
    goesOn: stored.goesOn && !inTrash,
    startsAt: first?.startsAt ?? template.schedule.startsAt,
    fragment: JSON.stringify({ rrule: rules, rdates: added, exdates: skipped }),
    state: asJson(stored),
  };
}

/** A series of its document. */
export const seriesOfState = (state: Json): Series => seriesIn(state as unknown as StoredSeries); // As stored above.

const seriesIn = (stored: StoredSeries): Series => ({
  ...stored,
  dates: new Map(stored.dates.map((date) => [date.wallClock, date])),
});
