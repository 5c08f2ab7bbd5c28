import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isAmbiguousDate, isTooEarly, resolveDate, toInstantIn } from '../../../src/kernel/time/date-input.ts';
import { resolveZone, toWallClock, type Zone } from '../../../src/kernel/time/zone.ts';

const dates = suite('date input');

function zoneOf(text: string): Zone {
  const zone = resolveZone(text);
  if (zone === null) throw new Error(`no zone: ${text}`);
  return zone;
}

const utcZone = zoneOf('UTC');
const newYork = zoneOf('America/New_York');
/** A Monday, 09:00:10 in New York. */
const now = Date.UTC(2026, 5, 15, 13, 0, 10) / 1000;

/** `2027-03-01 10:00:00` for a wall clock, with `Z` for an instant, `day` behind a date without time; null as it is. */
function read(text: string | number, zone = newYork, at = now): string | null {
  const input = resolveDate(text, { now: at, zone });
  if (input === null) return null;
  const shown = input.kind === 'wall' ? input.wallClock : `${toWallClock(input.instant, utcZone)}Z`;
  return input.timeGiven ? shown : `${shown} day`;
}

function expectAll(cases: Readonly<Record<string, string | null>>): void {
  for (const [text, expected] of Object.entries(cases)) assert.is(read(text), expected, JSON.stringify(text));
}

dates('ISO-like texts are wall clock, a day alone begins at midnight', () => {
  expectAll({
    '2027-03-01': '2027-03-01 00:00:00 day',
    '2027-3-1': '2027-03-01 00:00:00 day',
    '2027-03-01 10:00': '2027-03-01 10:00:00',
    '2027-03-01 00:00:00': '2027-03-01 00:00:00',
    '  2027-03-01   10:00:05  ': '2027-03-01 10:00:05',
    '2027-03-01T10:00:00': '2027-03-01 10:00:00',
    '2027-03-01t10': '2027-03-01 10:00:00',
    '2027-03-01 10:00:00.987': '2027-03-01 10:00:00',
    '2027/03/01': '2027-03-01 00:00:00 day',
    '20270301T100000': '2027-03-01 10:00:00',
    '20270301T1030': '2027-03-01 10:30:00',
    '2026-12': '2026-12-01 00:00:00 day',
    '2027-W09': '2027-03-01 00:00:00 day',
    '2027W093': '2027-03-03 00:00:00 day',
    '2026-W53-5': '2027-01-01 00:00:00 day',
    '2028-02-29 10:00:00': '2028-02-29 10:00:00',
    '0001-01-01 00:00:00': '0001-01-01 00:00:00',
    '9999-12-31': '9999-12-31 00:00:00 day',
    '2026-08-01 24:00': '2026-08-02 00:00:00',
  });
});

dates('numeric dates put the month first with slashes and the day first with dashes and dots', () => {
  expectAll({
    '12/21/2026': '2026-12-21 00:00:00 day',
    '12/21/26 5pm': '2026-12-21 17:00:00',
    '12/21': '2026-12-21 00:00:00 day',
    '3/1/2027, 10:00:00\u202fAM': '2027-03-01 10:00:00',
    '21-12-2026 6:30 pm': '2026-12-21 18:30:00',
    '21.12.2026 18.30': '2026-12-21 18:30:00',
    '1.3.2027': '2027-03-01 00:00:00 day',
  });
});

dates('months may be written as words, days with or without ordinal', () => {
  expectAll({
    'March 2, 2027 6:30 pm': '2027-03-02 18:30:00',
    'AUGUST 1, 2026 10am': '2026-08-01 10:00:00',
    'March 2nd': '2026-03-02 00:00:00 day',
    'Mar 2nd, 2027': '2027-03-02 00:00:00 day',
    'march 2 10:00': '2026-03-02 10:00:00',
    'march 2 2027 10:00': '2027-03-02 10:00:00',
    '2 March 2027': '2027-03-02 00:00:00 day',
    '1st sept 2027': '2027-09-01 00:00:00 day',
    '2-Mar-2027': '2027-03-02 00:00:00 day',
    '2027-Mar-02': '2027-03-02 00:00:00 day',
    'May 2027': '2027-05-01 00:00:00 day',
    'Mon, 01 Mar 2027 10:00:00': '2027-03-01 10:00:00',
    'Mon Mar 1 10:00:00 2027': '2027-03-01 10:00:00',
  });
});

dates('a time alone is that time of today', () => {
  expectAll({
    noon: '2026-06-15 12:00:00',
    midnight: '2026-06-15 00:00:00',
    '10:00 PM': '2026-06-15 22:00:00',
    '12:30 am': '2026-06-15 00:30:00',
    '12pm': '2026-06-15 12:00:00',
    '6 p.m.': '2026-06-15 18:00:00',
    '23:59:59': '2026-06-15 23:59:59',
  });
});

dates('an offset or zone makes an instant', () => {
  expectAll({
    '2026-08-01T10:00:00Z': '2026-08-01 10:00:00Z',
    '2026-07-01T00:00:00+05:00': '2026-06-30 19:00:00Z',
    '2027-03-01 10:00-0330': '2027-03-01 13:30:00Z',
    '2027-03-01 10:00 +9': '2027-03-01 01:00:00Z',
    'Mon, 01 Mar 2027 10:00:00 +0100': '2027-03-01 09:00:00Z',
    'Mon Mar 01 2027 10:00:00 GMT+0100 (Central European Standard Time)': '2027-03-01 09:00:00Z',
    '2027-03-01 10:00 UTC': '2027-03-01 10:00:00Z',
    '2027-07-01 10:00 America/Denver': '2027-07-01 16:00:00Z',
    '2027-07-01 10:00 EST': '2027-07-01 15:00:00Z',
    '2027-07-01 10:00 (CET)': '2027-07-01 09:00:00Z',
    '2027-03-01 Europe/Paris': '2027-02-28 23:00:00Z day',
    'tomorrow 9am Asia/Tokyo': '2026-06-16 00:00:00Z',
  });
});

dates('naming the expected zone means wall clock', () => {
  expectAll({
    '2027-07-01 10:00 America/New_York': '2027-07-01 10:00:00',
    'tomorrow 9am america/new_york': '2026-06-16 09:00:00',
  });
});

dates('numbers and numeric texts are Unix seconds, never dates', () => {
  expectAll({
    '1797829200': '2026-12-21 05:00:00Z',
    ' 1797829200 ': '2026-12-21 05:00:00Z',
    '@1797829200': '2026-12-21 05:00:00Z',
    '1797829200.75': '2026-12-21 05:00:00Z',
    '1.8e9': '2027-01-15 08:00:00Z',
    '2026': '1970-01-01 00:33:46Z',
    '20261221': '1970-08-23 12:07:01Z',
    '-60': '1969-12-31 23:59:00Z',
  });
  assert.is(read(1_797_829_200), '2026-12-21 05:00:00Z');
  assert.is(read(1_797_829_200.9), '2026-12-21 05:00:00Z');
});

dates('words count from the present in the zone', () => {
  expectAll({
    now: '2026-06-15 13:00:10Z',
    today: '2026-06-15 00:00:00 day',
    tomorrow: '2026-06-16 00:00:00 day',
    yesterday: '2026-06-14 00:00:00 day',
    'tomorrow 9am': '2026-06-16 09:00:00',
    '9am tomorrow': '2026-06-16 09:00:00',
    'tomorrow 00:00:00': '2026-06-16 00:00:00',
    'yesterday noon': '2026-06-14 12:00:00',
  });
  const lateEvening = Date.UTC(2026, 5, 16, 3, 0, 0) / 1000;
  assert.is(read('tomorrow', newYork, lateEvening), '2026-06-16 00:00:00 day');
  assert.is(read('tomorrow', utcZone, lateEvening), '2026-06-17 00:00:00 day');
});

dates('days and longer units keep the time of day', () => {
  expectAll({
    '+1 week': '2026-06-22 09:00:10',
    '+5 days 11am': '2026-06-20 11:00:00',
    '-2 weeks': '2026-06-01 09:00:10',
    '2 weeks ago': '2026-06-01 09:00:10',
    '1 year 2 months 1 day': '2027-08-16 09:00:10',
    '+1 month': '2026-07-15 09:00:10',
    'next month': '2026-07-15 09:00:10',
    'last year': '2025-06-15 09:00:10',
    'this week': '2026-06-15 13:00:10Z',
    '2027-03-01 10:00 +2 days': '2027-03-03 10:00:00',
    '2027-01-31 +1 month': '2027-03-03 00:00:00 day',
  });
});

dates('hours and smaller units are elapsed time, across a change of offset too', () => {
  expectAll({
    '+3 hours': '2026-06-15 16:00:10Z',
    '90 minutes ago': '2026-06-15 11:30:10Z',
    'tomorrow +3 hours': '2026-06-16 03:00:00',
    '2027-03-14 00:00 +3 hours': '2027-03-14 04:00:00',
    '2027-03-14 00:00 +1 day': '2027-03-15 00:00:00',
  });
});

dates('weekdays: the bare name counts today, next and last do not', () => {
  expectAll({
    monday: '2026-06-15 00:00:00 day',
    'this monday': '2026-06-15 00:00:00 day',
    'next monday': '2026-06-22 00:00:00 day',
    'last monday': '2026-06-08 00:00:00 day',
    sunday: '2026-06-21 00:00:00 day',
    'next wednesday 4pm': '2026-06-17 16:00:00',
    'last wed': '2026-06-10 00:00:00 day',
    'third friday': '2026-07-03 00:00:00 day',
    'monday next week': '2026-06-22 00:00:00 day',
    'sunday this week': '2026-06-21 00:00:00 day',
    'friday last week': '2026-06-12 00:00:00 day',
    'Tue, 01 Mar 2027': '2027-03-02 00:00:00 day',
  });
});

dates('days that the month decides', () => {
  expectAll({
    'last day of february 2027': '2027-02-28 00:00:00 day',
    'last day of february 2028 5pm': '2028-02-29 17:00:00',
    'first day of next month': '2026-07-01 09:00:10',
    'first day of this month midnight': '2026-06-01 00:00:00',
    'first monday of january 2027': '2027-01-04 00:00:00 day',
    'second tuesday of next month 19:00': '2026-07-14 19:00:00',
    'last friday of december 2026': '2026-12-25 00:00:00 day',
  });
  const endOfJanuary = Date.UTC(2027, 0, 31, 17, 0, 0) / 1000;
  assert.is(read('february', newYork, endOfJanuary), '2027-02-28 00:00:00 day');
  assert.is(read('last day of next month', newYork, endOfJanuary), '2027-02-28 12:00:00');
});

dates('day and month may change places where both could be a month', () => {
  for (const text of ['04/01/2027', '4.1.2027', '01-08-2026 10:00', '4/1/27 5pm', 'Mon, 4.1.2027 10:00'])
    assert.ok(isAmbiguousDate({ text: String(text) }), text);
  for (const text of [
    '12/21/2026',
    '21-12-2026',
    '3.3.2027',
    '2027-04-01',
    '2027/04/01',
    '1 April 2027',
    '1797829200',
    5,
  ])
    assert.not(isAmbiguousDate({ text: String(text) }), String(text));
});

dates('a leap second is the first of the next minute', () => {
  expectAll({
    '2027-03-01 10:00:60': '2027-03-01 10:01:00',
    '2026-12-31T23:59:60': '2027-01-01 00:00:00',
    '2027-03-01 11:59:60 pm': '2027-03-02 00:00:00',
  });
  for (const text of ['2027-03-01 10:00:61', '2027-03-01 24:00:60', '9999-12-31 23:59:60']) assert.is(read(text), null);
});

dates('what does not exist is null, and does not roll over', () => {
  const absent = [
    '2027-02-30',
    '2027-02-29',
    '31 april 2027',
    '2027-13-01',
    '2027-01-00',
    '2026-13',
    '13/01/2027',
    '0000-00-00 00:00:00',
    '2026-08-01 25:00:00',
    '2026-08-01 24:00:01',
    '10:60',
    '13pm',
    '0am',
    '2027-W54',
    '2027-W53',
    '2027-W00',
    'fifth monday of february 2027',
    '2027-03-01T10:00+15:00',
    '+999999 years',
    '9999-12-31 +1 day',
    '9999-12-31 24:00',
    '9999-12-31T23:59:59-01:00',
    '0001-01-01T00:00:00+01:00',
  ];
  for (const text of absent) assert.is(read(text), null, text);
});

dates('invalid or repeated parts are null', () => {
  const unreadable = [
    '',
    ',',
    'foo',
    '<b>',
    'tomorrow foo',
    '2027-03-01x',
    '2027-03-01 10:00 11:00',
    '2027-03-01 2027-03-02',
    'monday tuesday',
    '10:00 UTC EST',
    'EST',
    'ago',
    'next',
    '+',
    '2027-03-01 10:00 Mars/Olympus',
    '1.5 hours',
    '@',
    '0x10',
    '--1 day',
    '\u0662\u0660\u0662\u0667-03-01',
    'constructor',
  ];
  for (const text of unreadable) assert.is(read(text), null, JSON.stringify(text));
});

dates('Unix time 0 is null, however it is written', () => {
  for (const text of ['0', '0.0', '-0', '0.5', '@0', '1970-01-01T00:00:00Z', '1970-01-01 01:00 +0100']) {
    assert.is(read(text), null, text);
  }
  assert.is(read(0), null);
  assert.is(read('1970-01-01', utcZone), null);
  assert.is(read('1969-12-31 19:00:00', newYork), null);
  assert.is(read('1970-01-01', newYork), '1970-01-01 00:00:00 day');
});

dates('numbers that no four-digit year can hold are null', () => {
  for (const text of ['1e400', '1e15', '-1e15', '99999999999999999999', '@99999999999999'])
    assert.is(read(text), null, text);
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1e15]) assert.is(read(value), null);
});

dates('a year before 1000 is too early, as it is written, in zones on both sides of UTC', () => {
  const judged = (text: string, zone: string) => {
    const input = resolveDate(text, { now, zone: zoneOf(zone) });
    return input && isTooEarly(input);
  };
  for (const zone of ['UTC', 'Europe/Vienna', 'Pacific/Kiritimati', 'America/New_York', '-11:00', '+13:00']) {
    assert.equal([judged('1000-01-01', zone), judged('9999-12-31', zone)], [false, false], zone);
    assert.equal([judged('0999-12-31 23:59:59', zone), judged('0025-03-01', zone)], [true, true], zone);
    assert.equal([judged('1000-01-01T00:00:00Z', zone), judged('0999-12-31T23:59:59Z', zone)], [false, true], zone);
  }
});

dates('a wall clock becomes an instant in the zone that it is read in', () => {
  const wall = resolveDate('2027-07-01 10:00', { now, zone: newYork });
  const instant = resolveDate('2027-07-01T10:00Z', { now, zone: newYork });
  if (wall === null || instant === null) throw new Error('both can be read');
  assert.is(toInstantIn(wall, newYork), Date.UTC(2027, 6, 1, 14) / 1000);
  assert.is(toInstantIn(wall, utcZone), Date.UTC(2027, 6, 1, 10) / 1000);
  assert.is(toInstantIn(instant, newYork), Date.UTC(2027, 6, 1, 10) / 1000);
});

dates('hostile texts are null', () => {
  const hostile = [
    '1'.repeat(1_000_000),
    '+1 day '.repeat(100_000),
    `${'9'.repeat(127)}x`,
    '-'.repeat(128),
    '1 '.repeat(64),
    '10:'.repeat(42),
    'a/'.repeat(64),
    '('.repeat(128),
    `2027-03-01 10:00:00.${'1'.repeat(100)}x`,
    'first '.repeat(21),
  ];
  for (const text of hostile) assert.is(read(text), null, text.slice(0, 30));
});

const pieces = [
  '2027-03-01',
  '10:00',
  'monday',
  'next ',
  'last day of ',
  '+',
  '-',
  '1',
  '9999',
  ' ',
  'week',
  'ago',
  'z',
  'T',
  '.',
  '/',
];

dates('any text is either null or a moment that every zone can show', () => {
  const anyText = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(anyText, (text) => {
      const input = resolveDate(text, { now, zone: newYork });
      if (input === null) return;
      const shown = toWallClock(toInstantIn(input, newYork), zoneOf('Pacific/Kiritimati'));
      assert.match(shown, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    }),
    { numRuns: 3000 },
  );
});

dates('every wall clock and every ISO instant is read back as written', () => {
  fc.assert(
    fc.property(fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }), (instant) => {
      if (instant === 0) return;
      const wallClock = toWallClock(instant, utcZone);
      assert.is(resolveDate(wallClock, { now, zone: utcZone })?.kind, 'wall');
      assert.is(read(wallClock, utcZone), wallClock);
      assert.is(read(new Date(instant * 1000).toISOString(), newYork), `${wallClock}Z`);
    }),
  );
});

dates.run();
