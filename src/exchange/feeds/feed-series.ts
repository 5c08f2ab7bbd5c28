// Series in a calendar: which of its events are said together by a rule, so that only those that differ are written.

import type { KnownDate } from '../../editorial/series/domain/facts.ts';
import { ruleBefore } from '../../editorial/series/domain/rules-from.ts';
import { openTurns } from '../../kernel/event-loop/turns.ts';
import { formatCivil, parseCivil } from '../../kernel/time/civil-time.ts';
import { resolveZone, type WallClock } from '../../kernel/time/zone.ts';
import type { EventDocument } from '../../read-model/documents.ts';
import type { ReadModel } from '../../read-model/read-model.ts';
import type { FeedSeries } from './icalendar/series-component.ts';
import { type SeriesTimes, sayingSeries } from './icalendar/series-rule.ts';

/** How an event of a series is written: for all that are as the rule says, or as the one date that it is. */
export type SeriesPart =
  | { readonly kind: 'rule'; readonly series: FeedSeries }
  | { readonly kind: 'date'; readonly series: FeedSeries; readonly date: WallClock };

interface SeriesInCalendar {
  /** By the id of the event. */
  readonly parts: ReadonlyMap<number, SeriesPart>;
  /** Events that are said by the rule of another one. */
  readonly covered: ReadonlySet<number>;
}

/** Collects the dates of series among the events of a calendar. */
export function openSeriesDates() {
  const idsOfSeries = new Map<number, Set<number>>();
  const closed = new Set<number>();
  return {
    note({ id, series, protected: isProtected }: Pick<EventDocument, 'id' | 'series' | 'protected'>): void {
      if (series === undefined) return;
      // Without the password its times are not shown.
      if (isProtected) closed.add(series);
      idsOfSeries.set(series, (idsOfSeries.get(series) ?? new Set<number>()).add(id));
    },
    /** Series with several dates here that can be said by a rule. */
    async said(readModel: Pick<ReadModel, 'fetch'>): Promise<SeriesInCalendar> {
      const parts = new Map<number, SeriesPart>();
      const covered = new Set<number>();
      const turn = openTurns();
      for (const [id, ids] of idsOfSeries) {
        if (ids.size < 2 || closed.has(id)) continue;
        const [document] = await readModel.fetch([{ kind: 'series', id }]);
        if (document?.kind !== 'series') continue;
        // As its projection stores it.
        const steps = sayingTogether(id, document.state as unknown as StoredSeries, ids, { parts, covered });
        for (const _ of steps) await turn();
      }
      return { parts, covered };
    },
  };
}

interface StoredSeries extends SeriesTimes {
  readonly dates: readonly KnownDate[];
}

function* sayingTogether(
  id: number,
  stored: StoredSeries,
  ids: ReadonlySet<number>,
  { parts, covered }: { readonly parts: Map<number, SeriesPart>; readonly covered: Set<number> },
): Generator<void, void, void> {
  const there = stored.dates.filter(({ isThere }) => isThere).sort(byWallClock);
  const visible = there.filter((date) => ids.has(date.id));
  const alike = visible.filter(({ isDetached }) => !isDetached);
  yield;
  const [first, last] = [visible[0], visible.at(-1)];
  const [written] = alike;
  if (!first || !last || !written || visible.length < ids.size) return;
  const isToTheEnd = last === there.at(-1);
  const recurring = { ...(isToTheEnd ? stored : until(stored, last.wallClock)), from: first.wallClock };
  const hidden = new Set(there.filter((date) => !ids.has(date.id)).map(({ wallClock }) => wallClock));
  const said = yield* sayingSeries(recurring, hidden);
  if (said === null) return;
  const differing = visible.filter(({ isDetached }) => isDetached);
  // Without the dates: outlines are cached, and one may have thousands of series with hundreds of dates each.
  const times = { allDay: stored.allDay, duration: stored.duration };
  const series = { id, times, said, overridden: new Set(differing.map(({ wallClock }) => wallClock)) };
  parts.set(written.id, { kind: 'rule', series });
  for (const date of differing) parts.set(date.id, { kind: 'date', series, date: date.wallClock });
  for (const date of alike) if (date !== written) covered.add(date.id);
}

const byWallClock = (one: KnownDate, other: KnownDate): number => (one.wallClock < other.wallClock ? -1 : 1);

/** A calendar that ends before the series does. */
function until(series: StoredSeries, last: WallClock): StoredSeries {
  const zone = resolveZone(series.zone);
  if (zone === null) return series;
  const next = formatCivil(parseCivil(last) + 1);
  const rules = series.rules.map((text) => ruleBefore(text, series.start, next, zone));
  return { ...series, rules, added: series.added.filter((date) => date <= last) };
}
