// What a change of a series does to its dates, told before it is made.

import type { WallClock } from '../../../kernel/time/zone.ts';
import { factOf, instantOf } from '../../../log/envelope.ts';
import type { StreamReader } from '../../../log/event-store.ts';
import type { KnownDate, Series, SeriesFact } from '../domain/facts.ts';
import { afterFact, joining } from '../domain/occurrences.ts';
import { SERIES_PREFIX } from '../facts/occurrences.ts';

interface ComparedDate {
  /** Null: it has none yet. */
  readonly id: number | null;
  readonly date: WallClock;
}

export interface ComparedDates {
  readonly added: readonly ComparedDate[];
  readonly removed: readonly ComparedDate[];
  readonly changed: readonly ComparedDate[];
  /** How many stay as they are. */
  readonly kept: number;
}

/** A series, and all that were split from it or from those. */
export async function loadAllOfSeries(
  store: StreamReader,
  id: number,
  visited = new Set<number>(),
): Promise<readonly Series[]> {
  // What was split off may have come back.
  visited.add(id);
  let series: Series | null = null;
  const successors: number[] = [];
  for (const event of await store.readStream(`${SERIES_PREFIX}${id}`)) {
    const fact = factOf<SeriesFact>(event);
    series = afterFact(series, fact, instantOf(event)).series;
    if (fact.type === 'SeriesSplit') successors.push(fact.data.into);
  }
  const all = series ? [series] : [];
  for (const successor of successors)
    if (!visited.has(successor)) all.push(...(await loadAllOfSeries(store, successor, visited)));
  return all;
}

export function compareDates(before: readonly Series[], after: readonly Series[]): ComparedDates {
  const [were, are] = [datesById(before), datesById(after)];
  const compared = (date: KnownDate): ComparedDate => ({
    id: were.has(date.id) ? date.id : null,
    date: date.wallClock,
  });
  const there = [...are.values()].filter(({ isThere }) => isThere);
  const stayed = there.filter(({ id }) => were.get(id)?.isThere);
  const changed = stayed.filter((date) => isChanged(were.get(date.id), date));
  return {
    added: there.filter(({ id }) => !were.get(id)?.isThere).map(compared),
    removed: [...were.values()].filter(({ id, isThere }) => isThere && !are.get(id)?.isThere).map(compared),
    changed: changed.map(compared),
    kept: stayed.length - changed.length,
  };
}

interface OwnedDate extends KnownDate {
  readonly series: number;
}

function isChanged(before: OwnedDate | undefined, date: OwnedDate): boolean {
  if (before === undefined || before.isDetached) return false;
  // That it belongs to another series now is no change that readers see.
  const unseen = date.series === before.series ? 0 : joining({ id: date.series }, date).length;
  return date.isDetached || date.revision - before.revision !== unseen;
}

const datesById = (all: readonly Series[]): ReadonlyMap<number, OwnedDate> =>
  new Map(
    all.flatMap(({ id, dates }) => [...dates.values()].map((date) => [date.id, { ...date, series: id }] as const)),
  );
