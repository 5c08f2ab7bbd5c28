import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recurrenceStarts } from '../../../src/kernel/time/recurrence.ts';

const test = suite('recurrence rules');

const LAST = '2030-12-31 23:59:59';

/** The days that a rule yields, of a first date at nine. */
function daysOf(rule: string, first: string, last = LAST): readonly string[] {
  const found = recurrenceStarts(rule, { first: `${first} 09:00:00`, last, most: 1_000 });
  if ('fault' in found) throw new Error(`${found.fault}: ${found.detail}`);
  for (const wallClock of found) assert.match(wallClock, / 09:00:00$/);
  return found.map((wallClock) => wallClock.slice(0, 10));
}

// Written by hand from the calendars of these years and the examples of RFC 5545.
const RULES: readonly (readonly [what: string, rule: string, first: string, days: string])[] = [
  ['every other week', 'FREQ=WEEKLY;INTERVAL=2;COUNT=3', '2024-03-05', '2024-03-05 2024-03-19 2024-04-02'],
  ['two days a week', 'FREQ=WEEKLY;BYDAY=TU,TH;COUNT=3', '2024-03-05', '2024-03-05 2024-03-07 2024-03-12'],
  ['the last Friday of a month', 'FREQ=MONTHLY;BYDAY=-1FR;COUNT=2', '2024-03-29', '2024-03-29 2024-04-26'],
  ['a sign before a weekday', 'FREQ=MONTHLY;BYDAY=+2TU;COUNT=2', '2024-03-12', '2024-03-12 2024-04-09'],
  [
    'the last working day of a month',
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3',
    '2024-03-29',
    '2024-03-29 2024-04-30 2024-05-31',
  ],
  ['the 31st, where there is one', 'FREQ=MONTHLY;COUNT=3', '2024-01-31', '2024-01-31 2024-03-31 2024-05-31'],
  ['a leap day, in leap years', 'FREQ=YEARLY;COUNT=2', '2024-02-29', '2024-02-29 2028-02-29'],
  ['the twentieth Tuesday of a year', 'FREQ=YEARLY;BYDAY=20TU;COUNT=2', '2024-05-14', '2024-05-14 2025-05-20'],
  ['Monday of week 20', 'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=2', '1997-05-12', '1997-05-12 1998-05-11'],
  [
    'Monday of the first week, in whichever year it is',
    'FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO;COUNT=3',
    '2024-01-01',
    '2024-01-01 2024-12-30 2025-12-29',
  ],
  ['week 53, where there is one', 'FREQ=YEARLY;BYWEEKNO=53;BYDAY=TH;COUNT=1', '2024-01-01', '2026-12-31'],
  [
    'weeks that begin on Monday',
    'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO',
    '1997-08-05',
    '1997-08-05 1997-08-10 1997-08-19 1997-08-24',
  ],
  [
    'weeks that begin on Sunday',
    'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU',
    '1997-08-05',
    '1997-08-05 1997-08-17 1997-08-19 1997-08-31',
  ],
  ['Friday the 13th', 'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=2', '1998-02-13', '1998-02-13 1998-03-13'],
  ['day 60 of a year', 'FREQ=YEARLY;BYYEARDAY=60;COUNT=2', '2024-02-29', '2024-02-29 2025-03-01'],
  ['a number before a weekday of weeks', 'FREQ=WEEKLY;BYDAY=1TU;COUNT=2', '2024-03-05', '2024-03-05 2024-03-12'],
  ['a number beside a week', 'FREQ=YEARLY;BYWEEKNO=1;BYDAY=1MO;COUNT=2', '2024-01-01', '2024-01-01 2024-12-30'],
  ['every minute of a minute', 'FREQ=MINUTELY;BYHOUR=9;BYMINUTE=0;COUNT=2', '2024-03-05', '2024-03-05 2024-03-06'],
];

for (const [what, rule, first, days] of RULES)
  test(`${rule}: ${what}`, () => assert.equal(daysOf(rule, first).join(' '), days));

test('a rule goes up to the last wall clock, included', () => {
  const [first, second] = ['2024-03-05', '2024-03-06'];
  assert.equal(daysOf('FREQ=DAILY', first, `${second} 09:00:00`), [first, second]);
  assert.equal(daysOf('FREQ=DAILY', first, `${second} 08:59:59`), [first]);
  assert.equal(daysOf('FREQ=DAILY', first, '2024-03-01 00:00:00'), []);
});

test('a rule that comes later than the last wall clock has no dates, and is no fault', () => {
  assert.equal(daysOf('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', '2025-01-01', '2026-01-01 00:00:00'), []);
});

const REFUSED: readonly (readonly [rule: string, fault: string])[] = [
  ['', 'invalid'],
  ['FREQ=DAILY;COUNT=1;X-NAME=1', 'invalid'],
  ['FREQ=SOMETIMES', 'invalid'],
  ['INTERVAL=2', 'invalid'],
  ['FREQ=DAILY;INTERVAL=0', 'invalid'],
  ['FREQ=DAILY;COUNT=0', 'invalid'],
  ['FREQ=DAILY;UNTIL=20240401', 'invalid'],
  ['FREQ=DAILY;BYHOUR=25', 'invalid'],
  ['FREQ=MONTHLY;BYMONTHDAY=0', 'invalid'],
  ['FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1,0', 'invalid'],
  ['FREQ=WEEKLY;BYMONTHDAY=3', 'invalid'],
  ['FREQ=DAILY;COUNT=2\nEXDATE:20240305T090000Z', 'invalid'],
  ['RSCALE=CHINESE;FREQ=YEARLY', 'invalid'],
  ['RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD', 'invalid'],
  ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31', 'never'],
  ['FREQ=DAILY;BYMONTH=4;BYMONTHDAY=31', 'never'],
  ['FREQ=YEARLY;BYDAY=MO;BYSETPOS=60', 'never'],
  ['FREQ=SECONDLY', 'too-many'],
  ['FREQ=MINUTELY', 'too-many'],
  ['FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30', 'too-many'],
  ['FREQ=MINUTELY;BYMONTH=2', 'too-many'],
  ['FREQ=DAILY', 'too-many'],
];

for (const [rule, fault] of REFUSED)
  test(`${JSON.stringify(rule)} is refused: ${fault}`, () => {
    const found = recurrenceStarts(rule, { first: '2024-03-05 09:00:00', last: LAST, most: 1_000 });
    if (!('fault' in found)) throw new Error(`it has ${found.length} dates`);
    assert.is(found.fault, fault);
    assert.match(found.detail, /^\S.*\S$/);
  });

test.run();
