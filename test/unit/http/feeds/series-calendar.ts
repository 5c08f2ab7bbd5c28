// Calendars of one series, and two readers of them that share no code with the writer.
import ICAL from 'ical.js';
import rrule from 'rrule';
import type { FeedEvent } from '../../../../src/exchange/feeds/feed-event.ts';
import { CALENDAR_END, calendarHead } from '../../../../src/exchange/feeds/icalendar/calendar.ts';
import { dateComponent, seriesComponent } from '../../../../src/exchange/feeds/icalendar/series-component.ts';
import { type SeriesTimes, sayingSeries } from '../../../../src/exchange/feeds/icalendar/series-rule.ts';
import { formatCivil } from '../../../../src/kernel/time/civil-time.ts';
import { PRESENTATION, someFeedEvent } from './sample-event.ts';

export interface Differing {
  readonly hidden?: readonly string[];
  readonly overrides?: ReadonlyMap<string, FeedEvent>;
}

function atOnce<Result>(steps: Generator<void, Result, void>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Null if the series cannot be said. */
export function calendarOf(times: SeriesTimes, { hidden = [], overrides = new Map() }: Differing = {}): string | null {
  const said = atOnce(sayingSeries(times, new Set(hidden)));
  if (said === null) return null;
  const zones = new Map(times.allDay ? [] : [[times.zone, said.years] as const]);
  const content = someFeedEvent({ id: 9, timezone: times.zone, isAllDay: times.allDay });
  const surroundings = { host: 'cal.example', described: new Set(zones.keys()), presentation: PRESENTATION };
  const series = { id: 7, times, said, overridden: new Set(overrides.keys()) };
  const differing = [...overrides].map(([date, event]) => dateComponent(series, date, event, surroundings));
  const components = seriesComponent(series, content, surroundings) + differing.join('');
  return calendarHead('cal.example', zones) + components + CALENDAR_END;
}

/** `from` to `to`, in UTC seconds; of whole days as if they were in UTC. */
type Occurrence = readonly [from: number, to: number];

const secondsOf = (time: ICAL.Time): number =>
  time.isDate ? Date.UTC(time.year, time.month - 1, time.day) / 1000 : time.toUnixTime();

/** As ical.js expands the calendar: by its zones, with its overrides. */
export function readByIcal(text: string, until: number): Occurrence[] {
  const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((one) => new ICAL.Event(one));
  const main = events.find((event) => !event.isRecurrenceException());
  if (main === undefined) throw new Error('no series');
  const found: Occurrence[] = [];
  const dates = main.iterator();
  for (let date = dates.next(); date && secondsOf(date) <= until; date = dates.next()) {
    const { startDate, endDate } = main.getOccurrenceDetails(date);
    found.push([secondsOf(startDate), secondsOf(endDate)]);
  }
  return found.sort(([one], [other]) => one - other);
}

const LINE = /^(DTSTART|RRULE|RDATE|EXDATE)[^:]*:(.*)$/;

/** The starts by the clock, as rrule expands the lines of the series: it knows no zones, so its UTC is their clock. */
export function readByRrule(text: string, until: string, clockOf: (instant: number) => string): string[] {
  const lines = text.replaceAll('\r\n ', '').split('\r\n');
  const series = lines.slice(lines.indexOf('BEGIN:VEVENT'), lines.indexOf('END:VEVENT'));
  const set = new rrule.RRuleSet();
  const dateOf = (value: string): Date => {
    const [, day = '', time = '000000'] = /^(\d{8})(?:T(\d{6})Z?)?$/.exec(value) ?? [];
    const parts = [...(day.match(/^\d{4}|\d\d/g) ?? []), ...(time.match(/\d\d/g) ?? [])].map(Number);
    const [year = 0, month = 1, date = 1, hour = 0, minute = 0, second = 0] = parts;
    return new Date(Date.UTC(year, month - 1, date, hour, minute, second));
  };
  const values = new Map(
    series.flatMap((line) => (LINE.test(line) ? [[LINE.exec(line)?.[1], LINE.exec(line)?.[2]]] : [])),
  );
  const first = dateOf(values.get('DTSTART') ?? '');
  const rule = values.get('RRULE');
  set.rdate(first);
  if (rule !== undefined) {
    // An end of days needs no zone, an instant becomes a time of the clock.
    const ended = rule.replace(/UNTIL=(\w+)Z/, (_, end: string) => {
      const clock = clockOf(dateOf(end).getTime() / 1000);
      return `UNTIL=${clock.replace(/[-:]/g, '').replace(' ', 'T')}Z`;
    });
    set.rrule(new rrule.RRule({ ...rrule.RRule.parseString(ended), dtstart: first }));
  }
  for (const value of values.get('RDATE')?.split(',') ?? []) set.rdate(dateOf(value));
  for (const value of values.get('EXDATE')?.split(',') ?? []) set.exdate(dateOf(value));
  const last = dateOf(until.replace(/[-:]/g, '').replace(' ', 'T'));
  const dates = set.between(new Date(0), last, true).map((date) => formatCivil(date.getTime() / 1000));
  return [...new Set(dates)].sort();
}
