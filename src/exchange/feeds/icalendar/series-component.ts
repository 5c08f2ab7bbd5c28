// VEVENTs of a series: one with its rule, and one for each date that differs.
import { formatCivil, parseCivil } from '../../../kernel/time/civil-time.ts';
import { toInstant, type WallClock } from '../../../kernel/time/zone.ts';
import type { FeedEvent } from '../feed-event.ts';
import { contentLine, type LineParameters } from './content-lines.ts';
import { dateOf, isWrittenAsUtc, localDateTime, nextDate } from './date-times.ts';
import { component, type EventSurroundings, timesOf } from './event-component.ts';
import type { SaidSeries, SeriesTimes } from './series-rule.ts';
import { seriesUidOf } from './uid.ts';

export interface FeedSeries {
  readonly id: number;
  readonly times: Pick<SeriesTimes, 'allDay' | 'duration'>;
  readonly said: SaidSeries;
  /** Dates that have a component of their own, by the wall clock at which the rules put them. */
  readonly overridden: ReadonlySet<WallClock>;
}

/**
 * The component with the rule, and those of dates that the clock makes longer or shorter. `content`: what the dates have
 * in common; its times are not used. The zone of a timed series has to be among those that the calendar describes, in
 * the years that `said` names.
 */
export function seriesComponent(series: FeedSeries, content: FeedEvent, surroundings: EventSurroundings): string {
  const { id, said, overridden } = series;
  const odd = said.odd.filter((date) => !overridden.has(date));
  return (
    component(content, seriesUidOf(id, surroundings.host), ruleLines(series), surroundings) +
    odd.map((date) => dateComponent(series, date, contentAt(series, content, date), surroundings)).join('')
  );
}

/** The component of one date that differs, with the UID of its series. */
export function dateComponent(
  series: FeedSeries,
  date: WallClock,
  event: FeedEvent,
  surroundings: EventSurroundings,
): string {
  const { value, parameters } = momentOf(series, date);
  const times = contentLine('RECURRENCE-ID', value, parameters) + timesOf(event, surroundings.described);
  return component(event, seriesUidOf(series.id, surroundings.host), times, surroundings);
}

function ruleLines(series: FeedSeries): string {
  const { said } = series;
  const list = (name: string, dates: readonly WallClock[]): string => {
    const [first, ...others] = dates.map((date) => momentOf(series, date));
    if (first === undefined) return '';
    return contentLine(name, [first, ...others].map(({ value }) => value).join(','), first.parameters);
  };
  return (
    list('DTSTART', [said.first]) +
    endLine(series) +
    (said.rule === null ? '' : contentLine('RRULE', said.rule)) +
    list('RDATE', said.added) +
    list('EXDATE', said.leftOut)
  );
}

function endLine(series: FeedSeries): string {
  const { said, times } = series;
  const end = endOf(said.first, times.duration);
  if (times.allDay) {
    const until = nextDate(end);
    return until === null ? '' : contentLine('DTEND', until, { VALUE: 'DATE' });
  }
  // The end must be later than the start. Without one an event ends as it starts.
  if (times.duration === 0) return '';
  // All dates are as long as the first one by a stopwatch, so an unusual night must not be it.
  if (said.odd.includes(said.first)) return contentLine('DURATION', `PT${times.duration}S`);
  const { value, parameters } = momentOf(series, end);
  return contentLine('DTEND', value, parameters);
}

const endOf = (start: WallClock, duration: number): WallClock => formatCivil(parseCivil(start) + duration);

/** A wall clock of the series, as a value of iCalendar. */
function momentOf({ said, times }: FeedSeries, at: WallClock): { value: string; parameters: LineParameters } {
  if (times.allDay) return { value: dateOf(at), parameters: { VALUE: 'DATE' } };
  if (isWrittenAsUtc(said.zone)) return { value: `${localDateTime(at)}Z`, parameters: {} };
  return { value: localDateTime(at), parameters: { TZID: said.zone.name } };
}

function contentAt({ said: { zone }, times }: FeedSeries, content: FeedEvent, date: WallClock): FeedEvent {
  const end = endOf(date, times.duration);
  const [startsAt, endsAt] = [toInstant(date, zone), toInstant(end, zone)];
  return { ...content, timezone: zone.name, isAllDay: false, start: date, end, startsAt, endsAt };
}
