import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseSeriesRule, type SeriesRule, seriesDates } from '../../../src/editorial/series/domain/rule-set.ts';
import { type IcalEvent, parseIcalEvent } from '../../../src/exchange/import/formats/ical/ical.ts';
import { type KeptSeries, keepSeries } from '../../../src/exchange/import/formats/ical/ical-recurrence.ts';
import { keyOfMoment, occurrencesOf } from '../../../src/exchange/import/formats/ical/ical-series.ts';
import { openCalendarZones } from '../../../src/exchange/import/formats/ical/ical-zones.ts';
import { formatCivil, parseCivil } from '../../../src/kernel/time/civil-time.ts';
import { toInstant } from '../../../src/kernel/time/zone.ts';
import { zoneNamed } from '../../support/given.ts';

const test = suite('rules of imported calendars');

const SITE = zoneNamed('Europe/Berlin');
const UNTIL = Date.UTC(2029, 0, 1) / 1000;
const zonesOf = (shownIn = '') => openCalendarZones({ own: new Map(), shownIn, siteZone: SITE });

const vevent = (...lines: readonly string[]): { event: IcalEvent } => {
  const numbered = ['BEGIN:VEVENT', 'UID:1', ...lines, 'END:VEVENT'].map((line, at) => `${at + 1} ${line}`);
  return { event: parseIcalEvent(numbered.join('\n'), zonesOf()) };
};

function kept(main: readonly string[], overrides: readonly (readonly string[])[] = [], shownIn = '') {
  const { event } = vevent(...main);
  const changed = overrides.map((lines) => vevent(...lines));
  return keepSeries(event, event.start, changed, { zones: zonesOf(shownIn), until: UNTIL });
}

function series(...given: Parameters<typeof kept>): KeptSeries<{ event: IcalEvent }> {
  const found = kept(...given);
  if ('reason' in found) throw new Error(found.reason);
  return found;
}

const ZONED = 'DTSTART;TZID=Europe/Berlin:20270302T190000';

test('rules, added and excluded dates are those of the calendar, by the clock of its zone', () => {
  const { zone, start, repeating } = series([
    ZONED,
    'RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20270630T170000Z',
    'RDATE;TZID=Europe/Berlin:20270320T110000',
    'RDATE:20270321T100000Z',
    'EXDATE;TZID=Europe/Berlin:20270309T190000,20270316T190000',
    'EXDATE:20270330T170000Z',
  ]);
  assert.equal([zone.name, start], ['Europe/Berlin', '2027-03-02 19:00:00']);
  assert.equal(repeating, {
    rules: ['FREQ=WEEKLY;BYDAY=TU;UNTIL=20270630T170000Z'],
    added: ['2027-03-20 11:00:00', '2027-03-21 11:00:00'],
    skipped: ['2027-03-09 19:00:00', '2027-03-16 19:00:00', '2027-03-30 19:00:00'],
  });
});

test('an override is known by the original start of its date, however it is written', () => {
  const { overrides, repeating } = series(
    [ZONED, 'RRULE:FREQ=WEEKLY;COUNT=5', 'EXDATE;TZID=Europe/Berlin:20270316T190000'],
    [
      ['RECURRENCE-ID:20270309T180000Z', 'DTSTART;TZID=Europe/Berlin:20270310T190000'],
      // Excluded and changed: it takes place.
      ['RECURRENCE-ID;TZID=Europe/Berlin:20270316T190000', 'DTSTART;TZID=Europe/Berlin:20270317T190000'],
      // On no date of the rule.
      ['RECURRENCE-ID;TZID=Europe/Berlin:20270401T190000', 'DTSTART;TZID=Europe/Berlin:20270401T200000'],
      ['RECURRENCE-ID;TZID=Europe/Berlin:20400401T190000', 'DTSTART;TZID=Europe/Berlin:20400401T200000'],
    ],
  );
  assert.equal([...overrides.keys()], ['2027-03-09 19:00:00', '2027-03-16 19:00:00', '2027-04-01 19:00:00']);
  assert.equal(repeating.skipped, []);
  assert.equal(repeating.added, ['2027-04-01 19:00:00']);
});

test('a date in a gap of daylight saving is excluded by either of its times', () => {
  const lines = ['DTSTART;TZID=Europe/Berlin:20270327T023000', 'RRULE:FREQ=DAILY;COUNT=3'];
  for (const excluded of [
    ';TZID=Europe/Berlin:20270328T023000',
    ':20270328T013000Z',
    ';TZID=Europe/Berlin:20270328T033000',
  ])
    assert.equal(series([...lines, `EXDATE${excluded}`]).repeating.skipped, ['2027-03-28 02:30:00'], excluded);
});

test('days exclude days, also of a series of times, and the end of a rule of days is a day', () => {
  const days = ['DTSTART;VALUE=DATE:20270302', 'RRULE:FREQ=DAILY;UNTIL=20270308T000000Z', 'EXDATE;VALUE=DATE:20270304'];
  assert.equal(series(days).repeating, {
    rules: ['FREQ=DAILY;UNTIL=20270308'],
    added: [],
    skipped: ['2027-03-04 00:00:00'],
  });
  const timed = [ZONED, 'RRULE:FREQ=WEEKLY;UNTIL=20270401', 'EXDATE;VALUE=DATE:20270309'];
  assert.equal(series(timed).repeating.skipped, ['2027-03-09 19:00:00']);
});

test('times without a zone are by the clock of the site, those in UTC if the calendar is in UTC', () => {
  assert.is(series(['DTSTART:20270302T190000', 'RRULE:FREQ=WEEKLY']).zone.name, 'Europe/Berlin');
  const utc = series(['DTSTART:20270302T190000Z', 'RRULE:FREQ=WEEKLY'], [], 'UTC');
  assert.equal([utc.zone.name, utc.start], ['UTC', '2027-03-02 19:00:00']);
});

const NOT_KEPT: readonly (readonly [lines: readonly string[], reason: RegExp])[] = [
  [[ZONED, 'RRULE:FREQ=WEEKLY', 'EXRULE:FREQ=MONTHLY'], /\(EXRULE\)$/],
  [['DTSTART:20270302T190000Z', 'RRULE:FREQ=WEEKLY'], /^it repeats by another clock than that of Europe\/Berlin$/],
  [[ZONED, 'RRULE:FREQ=HOURLY'], /^it has more than 2000 dates until/],
  [[ZONED, 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31'], /never come$/],
  [[ZONED, 'RRULE:FREQ=WEEKLY', 'RDATE:20271031T013000Z'], /^a date that was added cannot be said/],
];

for (const [lines, reason] of NOT_KEPT)
  test(`${lines.slice(1).join(' with ')} of ${lines[0]} is not kept as a rule`, () => {
    const found = kept(lines);
    assert.match('reason' in found ? found.reason : JSON.stringify(found.repeating), reason);
  });

const anyMoment = fc
  .integer({ min: 0, max: 120 })
  .chain((days) => fc.constantFrom('local', 'utc', 'day').map((kind) => ({ days, kind })));

test('a series has the dates that single events of it would have', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('', ';TZID=Europe/Berlin', ';TZID=America/New_York', ';TZID=Australia/Lord_Howe', ';VALUE=DATE'),
      fc.constantFrom('02:30:00', '10:00:00', '23:30:00'),
      fc.constantFrom(
        'FREQ=DAILY',
        'FREQ=WEEKLY;BYDAY=TU,SU',
        'FREQ=MONTHLY;BYDAY=-1SU',
        'FREQ=YEARLY;BYWEEKNO=12;BYDAY=SU',
      ),
      fc.constantFrom('', ';COUNT=30', ';UNTIL=20270501', ';UNTIL=20270501T060000Z', ';UNTIL=20270501T100000'),
      fc.array(anyMoment, { maxLength: 4 }),
      fc.array(anyMoment, { maxLength: 4 }),
      fc.array(anyMoment, { maxLength: 3 }),
      (parameter, time, frequency, end, added, excluded, changed) => {
        const isDay = parameter === ';VALUE=DATE';
        const zone = zoneNamed(parameter.startsWith(';TZID') ? parameter.slice(';TZID='.length) : SITE.name);
        const first = parseCivil(`2027-01-31 ${isDay ? '00:00:00' : time}`);
        const basic = (wallClock: string): string => wallClock.replace(/[-:]/g, '').replace(' ', 'T');
        const written = (name: string, { days, kind }: { readonly days: number; readonly kind: string }): string => {
          const wallClock = formatCivil(first + days * 86_400);
          if (isDay || (kind === 'day' && name === 'EXDATE'))
            return `${name};VALUE=DATE:${basic(wallClock).slice(0, 8)}`;
          if (kind === 'utc') return `${name}:${basic(formatCivil(toInstant(wallClock, zone)))}Z`;
          return `${name}${parameter}:${basic(wallClock)}`;
        };
        const start = written('DTSTART', { days: 0, kind: 'local' });
        const lines = [
          start,
          `RRULE:${frequency}${end}`,
          ...added.map((one) => written('RDATE', one)),
          ...excluded.map((one) => written('EXDATE', one)),
        ];
        const overrides = changed.map((one) => [written('RECURRENCE-ID', one), start]);
        const { event } = vevent(...lines);
        const found = kept(lines, overrides);
        // The second pass of an hour has no wall clock.
        if ('reason' in found) return assert.match(found.reason, /cannot be said/);
        const { repeating } = found;
        const rules = repeating.rules.map((text) => parseSeriesRule(text) as SeriesRule); // They are rules.
        const set = {
          start: found.start,
          zone: found.zone,
          rules,
          added: repeating.added,
          skipped: repeating.skipped,
        };
        const dates = seriesDates(set, UNTIL);
        if ('fault' in dates) throw new Error(dates.detail);
        const zones = zonesOf();
        const single = occurrencesOf(event, event.start, zones, {
          until: UNTIL,
          most: 10_000,
          dates: { remainder: 100_000 },
        });
        const originals = overrides.map((one) => vevent(...one).event.recurrenceId ?? fail());
        const expected = new Set([
          ...single.occurrences.map(({ key }) => key),
          ...originals.map((one) => keyOfMoment(one, zones)),
        ]);
        const keys = dates.map(({ wallClock, instant }) =>
          isDay ? wallClock.slice(0, 10) : new Date(instant * 1000).toISOString().replace('.000', ''),
        );
        assert.equal(keys, [...expected].sort(), lines.join('\n'));
        for (const date of found.overrides.keys())
          assert.ok(
            dates.some(({ wallClock }) => wallClock === date),
            date,
          );
      },
    ),
    { numRuns: 200 },
  );
});

const fail = (): never => {
  throw new Error('no date');
};

test.run();
