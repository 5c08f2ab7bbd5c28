// A series of another Daybook over its API: its rules, and all its dates, as one series here. A calendar of another kind tells dates alone.

import type { Repeating } from '../../../../editorial/series/domain/facts.ts';
import {
  parseSeriesRule,
  type SeriesDate,
  type SeriesRule,
  seriesDates,
} from '../../../../editorial/series/domain/rule-set.ts';
import { formatCivil, parseCivil } from '../../../../kernel/time/civil-time.ts';
import { resolveZone, toWallClock, type WallClock, type Zone } from '../../../../kernel/time/zone.ts';
import { type ForeignRecord, filledTextIn, idIn, isObject, isWallClock } from '../../fields.ts';
import type { PlannedEvent, PlannedSeries } from '../../import-plan.ts';

/** A date of the series, as a single event. */
export interface ToldDate {
  readonly planned: PlannedEvent;
  /** It was changed apart from the others. */
  readonly isOverride: boolean;
}

interface SeriesRules {
  readonly zone: Zone;
  readonly until: number;
  readonly rules: readonly SeriesRule[];
  readonly repeating: Repeating;
  /** The first date that takes place. */
  readonly first: WallClock;
}

/** What the dates have in common, and by which rules; `input.times` of the first one. */
interface SeriesTogether {
  readonly common: PlannedEvent;
  readonly series: PlannedSeries;
}

/** The number of the series that a record is a date of, if it tells by which rules it repeats; else undefined. */
export const seriesOfRecord = (record: unknown): number | undefined =>
  isObject(record) && isObject(record.series) && isObject(record.recurrence) ? idIn(record.series, 'id') : undefined;

/** `reason`: why its dates have to be single events; one line. */
export function togetherAsSeries(
  record: ForeignRecord,
  dates: readonly ToldDate[],
): SeriesTogether | { readonly reason: string } {
  const seriesRules = toldIn(record);
  if ('reason' in seriesRules) return seriesRules;
  const alike = dates.filter(({ isOverride }) => !isOverride).map(({ planned }) => planned);
  const [common] = alike;
  if (!common) return { reason: 'none of its dates tells what they have in common' };
  const candidates = startsOf(seriesRules).flatMap((start) => placementAt(seriesRules, start, alike) ?? []);
  const [best] = candidates.sort((one, other) => one.others.length - other.others.length);
  if (!best) return { reason: 'its dates are not those of its rules' };
  const changes = dates.filter(({ isOverride }) => isOverride).map(({ planned }) => planned);
  const { overrides, gaps, extra } = matched(best.others, changes);
  const { rules, added, skipped } = seriesRules.repeating;
  const { slug: _, ...content } = common.input;
  return {
    common: { ...common, input: { ...content, ...timesFrom(common, best.start) } },
    series: {
      // What is not shown there is not shown here.
      repeating: { rules, added: sorted([...added, ...extra]), skipped: sorted([...skipped, ...gaps]) },
      overrides,
      singles: dates.map(({ planned }) => planned),
    },
  };
}

const sorted = (dates: readonly WallClock[]): readonly WallClock[] => [...new Set(dates)].sort();

function toldIn(record: ForeignRecord): SeriesRules | { readonly reason: string } {
  const zone = resolveZone(filledTextIn(record, 'timezone') ?? '');
  const until = Date.parse(filledTextIn(record, 'dates_until') ?? '') / 1000;
  const first = filledTextIn(record, 'start_date') ?? '';
  const { rrule, rdates, exdates } = isObject(record.recurrence) ? record.recurrence : {};
  const [texts, added, skipped] = [rrule, rdates, exdates].map(textsIn);
  if (!zone || !Number.isFinite(until) || !isWallClock(first) || !texts || !added || !skipped)
    return { reason: 'its rules are not told in full' };
  if (![...added, ...skipped].every(isWallClock)) return { reason: 'its rules are not told in full' };
  const rules: SeriesRule[] = [];
  for (const text of texts) {
    const rule = parseSeriesRule(text);
    if ('fault' in rule) return { reason: rule.detail };
    rules.push(rule);
  }
  return { zone, until, first, rules, repeating: { rules: texts, added, skipped } };
}

const textsIn = (value: unknown): readonly string[] | null =>
  Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : null;

/** Its rules may count from each of these: the first date may have been left out since. */
const startsOf = ({ first, repeating: { skipped } }: SeriesRules): readonly WallClock[] => [
  ...sorted(skipped.filter((date) => date < first)),
  first,
];

interface Placed {
  readonly start: WallClock;
  /** The dates of the rules that are none of those which are alike. */
  readonly others: readonly WallClock[];
}

/** Null: counted from there the rules do not yield all the dates that are alike. */
function placementAt(
  { zone, rules, repeating, until }: SeriesRules,
  start: WallClock,
  alike: readonly PlannedEvent[],
): Placed | null {
  const dates = seriesDates({ start, zone, rules, added: repeating.added, skipped: repeating.skipped }, until);
  if ('fault' in dates) return null;
  const byShown = new Map(dates.map((date) => [shownAt(date, zone), date.wallClock]));
  for (const { input } of alike) if (!byShown.delete(startIn(input))) return null;
  return { start, others: [...byShown.values()] };
}

/** The zone's clock shows another time in a gap of daylight saving. */
const shownAt = ({ instant }: SeriesDate, zone: Zone): WallClock => toWallClock(instant, zone);

const startIn = ({ times }: PlannedEvent['input']): WallClock => String(times?.start ?? '');

/** The API does not say which date an event has moved from: it is the nearest one. */
function matched(dates: readonly WallClock[], events: readonly PlannedEvent[]) {
  const pairs = events
    .flatMap((event) => dates.map((date) => ({ event, date, distance: distance(date, startIn(event.input)) })))
    .sort((one, other) => one.distance - other.distance);
  const overrides = new Map<WallClock, PlannedEvent>();
  const [gaps, without] = [new Set(dates), new Set(events)];
  for (const { event, date } of pairs) {
    if (!gaps.has(date) || !without.has(event)) continue;
    overrides.set(date, event);
    gaps.delete(date);
    without.delete(event);
  }
  for (const event of without) overrides.set(startIn(event.input), event);
  return {
    overrides: [...overrides],
    /** Dates that nothing takes the place of. */
    gaps: [...gaps],
    /** Dates of events that take the place of none. */
    extra: [...without].map(({ input }) => startIn(input)),
  };
}

const distance = (one: WallClock, other: WallClock): number => Math.abs(parseCivil(one) - parseCivil(other));

/** The times of one date, moved to another. */
function timesFrom({ input: { times } }: PlannedEvent, start: WallClock): Pick<PlannedEvent['input'], 'times'> {
  if (!times) return {};
  const length = parseCivil(String(times.end)) - parseCivil(String(times.start));
  return { times: { ...times, start, end: formatCivil(parseCivil(start) + length) } };
}
