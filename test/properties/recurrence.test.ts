// Random rules, read by two libraries that share no code.
import fc from 'fast-check';
import rrule from 'rrule';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatCivil, parseCivil } from '../../src/kernel/time/civil-time.ts';
import { recurrenceStarts } from '../../src/kernel/time/recurrence.ts';

const test = suite('recurrence rules, by a second library');

const YEARS = 6;
const MAX_DATES = 3_000;
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const numbered = (numbers: readonly number[]): string[] =>
  numbers.flatMap((number) => WEEKDAYS.map((day) => `${number}${day}`));

const some = (values: readonly (string | number)[], most: number): fc.Arbitrary<string> =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: most }).map((chosen) => chosen.join(','));

const maybe = (name: string, value: fc.Arbitrary<string | number>, often: number): fc.Arbitrary<string[]> =>
  fc.option(value, { freq: often, nil: null }).map((chosen) => (chosen === null ? [] : [`${name}=${chosen}`]));

const upTo = (number: number): number[] => Array.from({ length: number }, (_, index) => index + 1);
const MONTH_DAYS = some([1, 5, 15, 28, 29, 30, 31, -1, -2, -31], 3);
const PLAIN_DAYS = some(WEEKDAYS, 4);

/** What each frequency may be limited by. */
const LIMITS: Readonly<Record<string, fc.Arbitrary<string[]>>> = {
  YEARLY: fc.oneof(
    parts(maybe('BYWEEKNO', some([1, 2, 10, 20, 52, 53, -1, -2, -53], 2), 9), maybe('BYDAY', PLAIN_DAYS, 9)),
    parts(maybe('BYYEARDAY', some([1, 60, 100, 365, 366, -1, -306, -366], 3), 9), maybe('BYDAY', PLAIN_DAYS, 1)),
    parts(maybe('BYDAY', some(numbered([1, 20, 53, -1, -10, -53]), 3), 9)),
    parts(maybe('BYMONTHDAY', MONTH_DAYS, 1), maybe('BYDAY', PLAIN_DAYS, 1)),
  ),
  MONTHLY: parts(
    maybe('BYMONTHDAY', MONTH_DAYS, 1),
    maybe('BYDAY', fc.oneof(PLAIN_DAYS, some(numbered([1, 2, 3, 4, 5, -1, -2, -5]), 3)), 2),
  ),
  WEEKLY: parts(maybe('BYDAY', PLAIN_DAYS, 2)),
  DAILY: parts(maybe('BYMONTHDAY', MONTH_DAYS, 1), maybe('BYDAY', PLAIN_DAYS, 1)),
};

function parts(...chosen: readonly fc.Arbitrary<string[]>[]): fc.Arbitrary<string[]> {
  return fc.tuple(...chosen).map((lists) => lists.flat());
}

const anyRule = fc.constantFrom('YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY').chain((frequency) =>
  parts(
    fc.constant([`FREQ=${frequency}`]),
    maybe('INTERVAL', fc.integer({ min: 1, max: 5 }), 1),
    maybe('BYMONTH', some(upTo(12), 4), 1),
    LIMITS[frequency] ?? fc.constant([]),
    maybe('BYHOUR', some([0, 2, 9, 14, 23], 3), 1),
    maybe('WKST', fc.constantFrom(...WEEKDAYS), 1),
    maybe('BYSETPOS', some([1, 2, -1, -2, 3], 2), 1),
    maybe('COUNT', fc.integer({ min: 1, max: 30 }), 1),
  )
    .map((list) =>
      list.some((part) => /^BY(?!SETPOS)/.test(part)) ? list : list.filter((part) => !/^BYSET/.test(part)),
    )
    .map((list) => list.join(';')),
);

const anyStart = fc
  .integer({ min: Date.UTC(1998, 0, 1) / 1_800_000, max: Date.UTC(2030, 11, 31) / 1_800_000 })
  .map((halfHours) => formatCivil(halfHours * 1_800));

const instantOf = (wallClock: string): Date => new Date(parseCivil(wallClock) * 1000);
const basic = (wallClock: string): string => `${wallClock.replace(/[-:]/g, '').replace(' ', 'T')}Z`;

test('both libraries yield the same wall clocks', () => {
  let compared = 0;
  fc.assert(
    fc.property(anyRule, anyStart, (rule, first) => {
      const last = formatCivil(parseCivil(first) + YEARS * 366 * 86_400);
      const found = recurrenceStarts(rule, { first, last, most: MAX_DATES });
      // The second library searches what comes rarely, or never, up to the year 9999.
      if ('fault' in found || found.length < YEARS / 2) return;
      compared += 1;
      const other = rrule.rrulestr(`DTSTART:${basic(first)}\nRRULE:${rule};UNTIL=${basic(last)}`).all();
      assert.equal(
        found.map((wallClock) => instantOf(wallClock).toISOString()),
        other.map((date) => date.toISOString()),
        `${rule} from ${first}`,
      );
    }),
    { numRuns: 200 },
  );
  assert.ok(compared > 125, `${compared} rules compared`);
});

test('weekdays with and without numbers are each others further dates', () => {
  const days = (rule: string): readonly string[] => {
    const found = recurrenceStarts(rule, {
      first: '2027-01-01 19:00:00',
      last: '2057-01-01 00:00:00',
      most: MAX_DATES,
    });
    if ('fault' in found) throw new Error(found.detail);
    return found;
  };
  fc.assert(
    fc.property(
      fc.constantFrom('MONTHLY', 'YEARLY;BYMONTH=3,8', 'YEARLY'),
      fc.constantFrom(...WEEKDAYS),
      some(numbered([1, 2, 5, -1, -5]), 3),
      (frequency, plain, others) => {
        const rule = `FREQ=${frequency};BYDAY=`;
        const all = [...new Set([...days(rule + plain), ...days(rule + others)])].sort();
        assert.equal(days(`${rule}${plain},${others}`), all, `${rule}${plain},${others}`);
        assert.equal(days(`${rule}${plain},${others};COUNT=9`), all.slice(0, 9));
      },
    ),
    { seed: 33, numRuns: 60 },
  );
});

test('what is no part of a rule is named, and a part that comes twice', () => {
  const faultOf = (rule: string): unknown =>
    recurrenceStarts(rule, { first: '2027-01-01 19:00:00', last: '2028-01-01 00:00:00', most: 10 });
  assert.match(
    JSON.stringify(faultOf('FREQ=YEARLY;BYEASTER=1')),
    /"invalid","detail":"BYEASTER is no part of a rule; try/,
  );
  assert.match(JSON.stringify(faultOf('FREQ=WEEKLY;BYDAY=MO;BYDAY=TU')), /a second BYDAY is no part of a rule/);
});

test.run();
