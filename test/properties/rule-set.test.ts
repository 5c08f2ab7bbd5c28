// The dates of random series against an oracle that walks through the days, and asks Intl what the clocks show.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseSeriesRule, type SeriesRule, seriesDates } from '../../src/editorial/series/domain/rule-set.ts';
import { zoneNamed } from '../support/given.ts';

const test = suite('dates of a series, day by day');

const DAY = 86_400;
/** A gap of an hour in the night, of half an hour, and one at midnight. */
const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo'];
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const HORIZON = Date.UTC(2028, 5, 1) / 1000;

/** Days since 1970, and the fields of that day. */
interface Day {
  readonly number: number;
  readonly text: string;
  readonly month: number;
  readonly date: number;
  readonly weekday: number;
  /** How many days of its month follow it. */
  readonly following: number;
}

function dayOf(number: number): Day {
  const at = new Date(number * DAY * 1000);
  const month = at.getUTCMonth();
  const length = new Date(Date.UTC(at.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const [date, weekday] = [at.getUTCDate(), at.getUTCDay()];
  return { number, text: at.toISOString().slice(0, 10), month, date, weekday, following: length - date };
}

/** A rule, and whether it puts a date on a day. */
interface Rule {
  readonly text: string;
  readonly isOn: (day: Day, first: Day) => boolean;
}

const mondayOf = (day: Day): number => day.number - ((day.weekday + 6) % 7);

const anyWeekdays = fc.uniqueArray(fc.nat({ max: 6 }), { minLength: 1, maxLength: 3 });
const named = (weekdays: readonly number[]): string => weekdays.map((weekday) => WEEKDAYS[weekday]).join();

const anyRule: fc.Arbitrary<Rule> = fc.oneof(
  fc.integer({ min: 1, max: 4 }).map((every) => ({
    text: `FREQ=DAILY;INTERVAL=${every}`,
    isOn: (day: Day, first: Day) => (day.number - first.number) % every === 0,
  })),
  fc.tuple(fc.integer({ min: 1, max: 3 }), anyWeekdays).map(([every, weekdays]) => ({
    text: `FREQ=WEEKLY;INTERVAL=${every};BYDAY=${named(weekdays)}`,
    isOn: (day: Day, first: Day) =>
      ((mondayOf(day) - mondayOf(first)) / 7) % every === 0 && weekdays.includes(day.weekday),
  })),
  fc.integer({ min: 1, max: 31 }).map((date) => ({
    text: `FREQ=MONTHLY;BYMONTHDAY=${date}`,
    isOn: (day: Day) => day.date === date,
  })),
  fc.tuple(fc.integer({ min: 1, max: 5 }), fc.nat({ max: 6 })).map(([nth, weekday]) => ({
    text: `FREQ=MONTHLY;BYDAY=${nth}${WEEKDAYS[weekday]}`,
    isOn: (day: Day) => day.weekday === weekday && Math.ceil(day.date / 7) === nth,
  })),
  fc.nat({ max: 6 }).map((weekday) => ({
    text: `FREQ=YEARLY;BYMONTH=3,4,10,11;BYDAY=-1${WEEKDAYS[weekday]}`,
    isOn: (day: Day) => day.weekday === weekday && day.following < 7 && [2, 3, 9, 10].includes(day.month),
  })),
);

const formats = new Map(
  ZONES.map((timeZone) => {
    const format = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    return [timeZone, format] as const;
  }),
);

/** `2027-03-28 03:30:00` */
const shown = (instant: number, zone: string): string => formats.get(zone)?.format(instant * 1000) ?? '';
const asUtc = (wallClock: string): number => Date.parse(`${wallClock.replace(' ', 'T')}Z`) / 1000;

/** The first instant at which the clock shows this; in a gap as far behind the gap as the time is in it. */
function instantOf(wallClock: string, zone: string): number {
  const reading = asUtc(wallClock);
  const offsetAround = (instant: number): number => asUtc(shown(instant, zone)) - instant;
  const [before, after] = [offsetAround(reading - DAY), offsetAround(reading + DAY)];
  const candidates = [reading - before, reading - after].sort((one, other) => one - other);
  return candidates.find((instant) => shown(instant, zone) === wallClock) ?? reading - before;
}

type End = { readonly kind: 'none' | 'count' | 'day' | 'wall-clock' | 'instant'; readonly at: number };

interface Drawn {
  readonly zone: string;
  readonly time: string;
  readonly first: number;
  readonly rules: readonly (readonly [Rule, End])[];
  readonly added: readonly number[];
  readonly skipped: readonly number[];
}

const anyEnd: fc.Arbitrary<End> = fc.record({
  kind: fc.constantFrom('none', 'count', 'day', 'wall-clock', 'instant'),
  at: fc.integer({ min: 1, max: 300 }),
});

const anySeries: fc.Arbitrary<Drawn> = fc.record({
  zone: fc.constantFrom(...ZONES),
  // All day, in gaps, in hours that come twice, and harmless.
  time: fc.constantFrom('00:00:00', '00:30:00', '01:30:00', '02:00:00', '02:15:00', '02:59:59', '19:00:00'),
  first: fc.integer({ min: asUtc('2026-09-01 00:00:00') / DAY, max: asUtc('2027-04-30 00:00:00') / DAY }),
  rules: fc.array(fc.tuple(anyRule, anyEnd), { maxLength: 2 }),
  added: fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 4 }),
  skipped: fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 6 }),
});

/** The end of a rule `at` days behind the first date, as written. */
function written({ kind, at }: End, { first, time, zone }: Drawn): string {
  const wallClock = `${dayOf(first + at).text} ${time}`;
  const basic = (text: string): string => text.replace(/[-:]/g, '').replace(' ', 'T');
  switch (kind) {
    case 'none':
      return '';
    case 'count':
      return `;COUNT=${at}`;
    case 'day':
      return `;UNTIL=${basic(wallClock).slice(0, 8)}`;
    case 'wall-clock':
      return `;UNTIL=${basic(wallClock)}`;
    case 'instant':
      return `;UNTIL=${new Date(instantOf(wallClock, zone) * 1000).toISOString().replace(/[-:]|\.000/g, '')}`;
  }
}

function ruledDates([rule, end]: readonly [Rule, End], { first, time, zone }: Drawn): string[] {
  const start = dayOf(first);
  const last = `${dayOf(first + end.at).text} ${time}`;
  const found: string[] = [];
  for (let number = first; number <= HORIZON / DAY + 1; number += 1) {
    const day = dayOf(number);
    const wallClock = `${day.text} ${time}`;
    if (end.kind === 'count' && found.length === end.at) break;
    if ((end.kind === 'day' || end.kind === 'wall-clock') && wallClock > last) break;
    if (end.kind === 'instant' && instantOf(wallClock, zone) > instantOf(last, zone)) break;
    if (rule.isOn(day, start)) found.push(wallClock);
  }
  return found;
}

/** The wall clock and the instant of each date. */
function oracle(series: Drawn): [string, number][] {
  const { zone, time, first, rules, added, skipped } = series;
  const at = (days: number): string => `${dayOf(first + days).text} ${time}`;
  const wallClocks = new Set([at(0), ...added.map(at), ...rules.flatMap((rule) => ruledDates(rule, series))]);
  for (const days of skipped) wallClocks.delete(at(days));
  return [...wallClocks]
    .sort()
    .map((wallClock): [string, number] => [wallClock, instantOf(wallClock, zone)])
    .filter(([, instant]) => instant <= HORIZON);
}

function ruleOf(text: string): SeriesRule {
  const rule = parseSeriesRule(text);
  if ('fault' in rule) throw new Error(`${text}: ${rule.detail}`);
  return rule;
}

test('dates come on the days of their rules, at the first instant at which the clock shows their time', () => {
  let gaps = 0;
  fc.assert(
    fc.property(anySeries, (series) => {
      const { zone, time, first, rules, added, skipped } = series;
      const at = (days: number): string => `${dayOf(first + days).text} ${time}`;
      const texts = rules.map(([{ text }, end]) => `${text}${written(end, series)}`);
      const parsed = texts.map(ruleOf);
      const set = {
        start: at(0),
        zone: zoneNamed(zone),
        rules: parsed,
        added: added.map(at),
        skipped: skipped.map(at),
      };
      const dates = seriesDates(set, HORIZON);
      if ('fault' in dates) throw new Error(`${texts}: ${dates.detail}`);
      const found = dates.map(({ wallClock, instant }) => [wallClock, instant] as [string, number]);
      assert.equal(found, oracle(series), `${zone} ${at(0)} ${texts}`);
      gaps += found.filter(([wallClock, instant]) => shown(instant, zone) !== wallClock).length;
      for (const [wallClock, instant] of found) assert.is(shown(instant, zone).slice(0, 10), wallClock.slice(0, 10));
    }),
    { numRuns: 250 },
  );
  assert.ok(gaps > 0, 'no date in a gap was drawn');
});

test.run();
