import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  parseSeriesRule,
  type RuleSet,
  type SeriesRule,
  seriesDates,
} from '../../../src/editorial/series/domain/rule-set.ts';
import { toWallClock } from '../../../src/kernel/time/zone.ts';
import { zoneNamed } from '../../support/given.ts';

const test = suite('dates of a series');

const BERLIN = zoneNamed('Europe/Berlin');
const UNTIL = Date.UTC(2028, 0, 1) / 1000;

function ruleOf(text: string): SeriesRule {
  const rule = parseSeriesRule(text);
  if ('fault' in rule) throw new Error(rule.detail);
  return rule;
}

const setOf = (start: string, rules: readonly string[], more: Partial<RuleSet> = {}): RuleSet => ({
  start,
  zone: BERLIN,
  rules: rules.map(ruleOf),
  added: [],
  skipped: [],
  ...more,
});

function datesOf(set: RuleSet, until = UNTIL) {
  const dates = seriesDates(set, until);
  if ('fault' in dates) throw new Error(dates.detail);
  return dates;
}

const wallClocksOf = (set: RuleSet, until = UNTIL): string[] => datesOf(set, until).map(({ wallClock }) => wallClock);

test('a date in a gap of daylight saving keeps its day, and the rule goes on at its time', () => {
  const dates = datesOf(setOf('2027-03-27 02:30:00', ['FREQ=DAILY;COUNT=3']));
  assert.equal(
    dates.map(({ wallClock, instant }) => [wallClock, toWallClock(instant, BERLIN)]),
    [
      ['2027-03-27 02:30:00', '2027-03-27 02:30:00'],
      ['2027-03-28 02:30:00', '2027-03-28 03:30:00'],
      ['2027-03-29 02:30:00', '2027-03-29 02:30:00'],
    ],
  );
});

test('an hour that comes twice is the first of the two', () => {
  const [date] = datesOf(setOf('2027-10-31 02:30:00', []));
  assert.is(date?.instant, Date.UTC(2027, 9, 31, 0, 30) / 1000);
});

test('of two wall clocks in a gap that are one instant the earlier one is the date', () => {
  const set = setOf('2027-03-28 02:30:00', [], { added: ['2027-03-28 03:30:00'] });
  assert.equal(wallClocksOf(set), ['2027-03-28 02:30:00']);
});

test('the start is a date even if no rule yields it, and dates are sorted and never doubled', () => {
  const set = setOf('2026-03-04 19:00:00', ['FREQ=WEEKLY;BYDAY=TU;COUNT=2', 'FREQ=WEEKLY;BYDAY=TU,SA;COUNT=2'], {
    added: ['2026-03-05 10:00:00', '2026-03-10 19:00:00'],
  });
  assert.equal(wallClocksOf(set), [
    '2026-03-04 19:00:00',
    '2026-03-05 10:00:00',
    '2026-03-07 19:00:00',
    '2026-03-10 19:00:00',
    '2026-03-17 19:00:00',
  ]);
});

test('a skipped date counts for COUNT, and a skip wins over an added date', () => {
  const skipped = ['2026-03-10 19:00:00', '2026-05-01 19:00:00'];
  const set = setOf('2026-03-03 19:00:00', ['FREQ=WEEKLY;COUNT=3'], { added: ['2026-05-01 19:00:00'], skipped });
  assert.equal(wallClocksOf(set), ['2026-03-03 19:00:00', '2026-03-17 19:00:00']);
});

const ENDS: readonly (readonly [until: string, last: string])[] = [
  ['20270330T080000Z', '2027-03-30 10:00:00'],
  ['20270330T075959Z', '2027-03-29 10:00:00'],
  ['20270328T080000Z', '2027-03-28 10:00:00'],
  ['20270330T100000', '2027-03-30 10:00:00'],
  ['20270330T095959', '2027-03-29 10:00:00'],
  ['20270330', '2027-03-30 10:00:00'],
];

for (const [until, last] of ENDS)
  test(`UNTIL=${until} is included, as an instant, a time of the zone or a whole day`, () => {
    assert.is(wallClocksOf(setOf('2027-03-20 10:00:00', [`RRULE:FREQ=DAILY;UNTIL=${until}`])).at(-1), last);
  });

test('a rule without an end goes up to the horizon, included, and a further horizon only adds dates', () => {
  const set = setOf('2026-03-03 19:00:00', ['FREQ=WEEKLY']);
  const near = wallClocksOf(set, Date.UTC(2026, 2, 17, 18) / 1000);
  assert.equal(near, ['2026-03-03 19:00:00', '2026-03-10 19:00:00', '2026-03-17 19:00:00']);
  assert.equal(wallClocksOf(set).slice(0, 3), near);
});

const REFUSED: readonly (readonly [rules: readonly string[], detail: RegExp])[] = [
  [['FREQ=HOURLY'], /^it has more than 2000 dates until 2028-01-01$/],
  [['FREQ=SECONDLY'], /^it has more than 2000 dates until 2028-01-01$/],
  [['FREQ=DAILY;INTERVAL=3', 'FREQ=HOURLY;COUNT=1900'], /^it has more than 2000 dates until 2028-01-01$/],
  [['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31'], /never come$/],
  [['FREQ=DAILY;INTERVAL=0'], /^INTERVAL is a number from 1$/],
  [Array.from({ length: 11 }, () => 'FREQ=DAILY;COUNT=1'), /^a series has at most 10 rules$/],
];

for (const [rules, detail] of REFUSED)
  test(`${rules.slice(0, 2).join(' with ')} is refused, and the limit is said`, () => {
    const dates = seriesDates(setOf('2026-03-03 19:00:00', rules), UNTIL);
    assert.match('fault' in dates ? dates.detail : `${dates.length} dates`, detail);
  });

for (const rule of ['FREQ=DAILY;UNTIL=tomorrow', 'FREQ=DAILY;UNTIL=20260231', 'UNTIL=20260201;UNTIL=20260202'])
  test(`${rule} is no rule`, () => assert.ok('fault' in parseSeriesRule(rule)));

test.run();
