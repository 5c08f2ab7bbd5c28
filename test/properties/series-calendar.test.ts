// Series in iCalendar, read back by two libraries: the dates are those of the rule set.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseSeriesRule, type SeriesRule, seriesDates } from '../../src/editorial/series/domain/rule-set.ts';
import type { SeriesTimes } from '../../src/exchange/feeds/icalendar/series-rule.ts';
import { readCalendar } from '../../src/exchange/import/formats/ical/ical-records.ts';
import { formatCivil, parseCivil } from '../../src/kernel/time/civil-time.ts';
import { toInstant, toWallClock, type WallClock } from '../../src/kernel/time/zone.ts';
import { zoneNamed } from '../support/given.ts';
import { during, someFeedEvent } from '../unit/http/feeds/sample-event.ts';
import { calendarOf, readByIcal, readByRrule } from '../unit/http/feeds/series-calendar.ts';

const test = suite('series in iCalendar, by two readers');

const HOUR = 3_600;
const DAY = 86_400;

/** Those that ical.js reads as they are meant. */
const RULES = [
  'FREQ=DAILY',
  'FREQ=DAILY;INTERVAL=3',
  'FREQ=WEEKLY',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU',
  'FREQ=MONTHLY;BYDAY=-1FR',
  'FREQ=MONTHLY;BYDAY=2TU,4TU',
  'FREQ=MONTHLY;BYMONTHDAY=1,15',
  'FREQ=MONTHLY',
  'FREQ=YEARLY',
  'FREQ=YEARLY;BYMONTH=3,10;BYDAY=1SU',
];

const anyRule = fc
  .tuple(
    fc.constantFrom(...RULES),
    fc.constantFrom(
      '',
      '',
      ';COUNT=1',
      ';COUNT=12',
      ';COUNT=40',
      ';UNTIL=20271101',
      ';UNTIL=20270615T180000Z',
      ';UNTIL=20270601T103000',
    ),
  )
  .map((parts) => parts.join(''));

const anyTime = fc.constantFrom('00:00:00', '01:30:00', '02:30:00', '10:30:00', '19:00:00', '23:30:00');
const anyDays = fc.array(fc.nat({ max: 500 }), { maxLength: 5 });

const anySeries = fc.record({
  rules: fc.array(anyRule, { minLength: 0, maxLength: 1 }),
  time: anyTime,
  day: fc.integer({ min: 0, max: 365 }),
  zone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC'),
  allDay: fc.boolean(),
  hours: fc.constantFrom(0, 2, 8, 50),
  added: anyDays,
  skipped: anyDays,
  split: fc.option(fc.nat({ max: 20 })),
});

const wallClockAt = (day: number, time: string): WallClock =>
  `${formatCivil(Date.UTC(2026, 0, 1) / 1000 + day * DAY).slice(0, 10)} ${time}`;

type Drawn = typeof anySeries extends fc.Arbitrary<infer Series> ? Series : never;

function timesOf({ rules, time, day, zone, allDay, hours, added, skipped, split }: Drawn): SeriesTimes {
  const at = (days: number): WallClock => wallClockAt(days, allDay ? '00:00:00' : time);
  const start = at(day);
  const duration = allDay ? Math.floor(hours / 24) * DAY + DAY - 1 : hours * HOUR;
  // At noon, so that it is the same day everywhere.
  const horizon = toInstant(wallClockAt(day + 730, '12:00:00'), zoneNamed(zone));
  const whole: SeriesTimes = { start, from: start, zone, allDay, duration, rules, added: [], skipped: [], horizon };
  const dates = datesOf(whole);
  const known = {
    ...whole,
    added: added.map((days) => at(day + days)),
    skipped: skipped.flatMap((one) => dates[one] ?? []),
  };
  return split === null ? known : { ...known, from: dates[split] ?? start };
}

function datesOf({ start, from, zone, rules, added, skipped, horizon }: SeriesTimes): WallClock[] {
  const parsed = rules.map((text) => parseSeriesRule(text) as SeriesRule); // They are rules.
  const dates = seriesDates({ start, zone: zoneNamed(zone), rules: parsed, added, skipped }, horizon);
  if ('fault' in dates) throw new Error(dates.detail);
  return dates.map(({ wallClock }) => wallClock).filter((wallClock) => wallClock >= from);
}

/** Whole days as if they were in UTC, their end as in iCalendar. */
function spanOf({ allDay, zone, duration }: SeriesTimes, date: WallClock): [number, number] {
  const end = formatCivil(parseCivil(date) + duration);
  if (allDay) return [parseCivil(date), parseCivil(end) + 1];
  return [toInstant(date, zoneNamed(zone)), toInstant(end, zoneNamed(zone))];
}

test('both readers find the dates of the rule set, and their ends', () => {
  let [said, refused] = [0, 0];
  fc.assert(
    fc.property(anySeries, (drawn) => {
      const times = timesOf(drawn);
      const dates = datesOf(times);
      const text = calendarOf(times);
      if (text === null) {
        refused += 1;
        return;
      }
      said += 1;
      const note = JSON.stringify(times);
      assert.equal(
        readByIcal(text, times.horizon),
        dates.map((date) => spanOf(times, date)),
        note,
      );
      const zone = zoneNamed(times.zone);
      const last = toWallClock(times.horizon, zone);
      assert.equal(
        readByRrule(text, last, (instant) => toWallClock(instant, zone)),
        dates,
        note,
      );
    }),
    { numRuns: 150 },
  );
  assert.ok(said > 3 * refused, `${said} said, ${refused} refused`);
});

test('an import of such a calendar keeps the same series', () => {
  let kept = 0;
  fc.assert(
    fc.property(anySeries, (drawn) => {
      const times = timesOf(drawn);
      const text = calendarOf(times);
      if (text === null) return;
      const siteZone = zoneNamed(times.allDay ? times.zone : 'UTC');
      const reading = { file: 'a.ics', site: null, siteZone, until: times.horizon, rules: 'kept' } as const;
      const [event] = [...readCalendar(text, reading).readings].flatMap(({ plan }) => plan.events);
      if (!event?.series) return;
      kept += 1;
      const { start = '', timezone: zone = '' } = event.input.times ?? {};
      // Times of UTC are instants in plans.
      const begin = typeof start === 'number' ? formatCivil(start) : `${String(start)} 00:00:00`.slice(0, 19);
      const { repeating } = event.series;
      assert.equal(datesOf({ ...times, ...repeating, start: begin, from: begin, zone }), datesOf(times), text);
    }),
    { numRuns: 100 },
  );
  assert.ok(kept > 30, `${kept} kept`);
});

test('an override is found where it was moved to, and a hidden date not at all', () => {
  fc.assert(
    fc.property(anySeries, fc.nat(), fc.nat(), (drawn, one, other) => {
      const times = timesOf({ ...drawn, allDay: false });
      const dates = datesOf(times);
      const [moved, hidden] = [dates[one % dates.length], dates[other % dates.length]];
      if (moved === undefined || hidden === undefined || moved === hidden) return;
      const startsAt = toInstant(moved, zoneNamed(times.zone)) + 26 * HOUR;
      const event = someFeedEvent(during(times.zone, startsAt, startsAt + HOUR));
      const text = calendarOf(times, { hidden: [hidden], overrides: new Map([[moved, event]]) });
      if (text === null) return;
      const expected = dates.filter((date) => date !== hidden && date !== moved).map((date) => spanOf(times, date));
      assert.equal(
        readByIcal(text, times.horizon),
        [...expected, [startsAt, startsAt + HOUR]].sort(([first = 0], [second = 0]) => first - second),
        JSON.stringify(times),
      );
    }),
    { numRuns: 80 },
  );
});

test.run();
