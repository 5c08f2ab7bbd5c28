import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SeriesTimes } from '../../../../../src/exchange/feeds/icalendar/series-rule.ts';
import { during, secondsOf, someFeedEvent } from '../sample-event.ts';
import { calendarOf, type Differing, readByIcal } from '../series-calendar.ts';

const test = suite('series in iCalendar');

const WEEKLY: SeriesTimes = {
  start: '2027-03-02 19:00:00',
  from: '2027-03-02 19:00:00',
  zone: 'Europe/Berlin',
  allDay: false,
  duration: 7_200,
  rules: ['FREQ=WEEKLY'],
  added: [],
  skipped: [],
  horizon: secondsOf('2029-03-01 00:00:00'),
};

function textOf(times: Partial<SeriesTimes>, differing: Differing = {}): string {
  const text = calendarOf({ ...WEEKLY, ...times }, differing);
  if (text === null) throw new Error('it is not said');
  return text.replaceAll('\r\n ', '');
}

/** The lines of each component that say when it is. */
const timesIn = (text: string): string[][] =>
  text
    .split('BEGIN:VEVENT')
    .slice(1)
    .map((component) =>
      component.split('\r\n').filter((line) => /^(?:DT(?:START|END)|R(?:RULE|DATE)|EXDATE|RECURRENCE)/.test(line)),
    );

const BERLIN = (wallClock: string): string => `TZID=Europe/Berlin:${wallClock}`;

test('one component has the rule, the dates that were added and those that are left out', () => {
  const times = { added: ['2027-03-20 11:00:00'], skipped: ['2027-03-09 19:00:00'] };
  assert.equal(timesIn(textOf(times, { hidden: ['2027-03-16 19:00:00'] })), [
    [
      `DTSTART;${BERLIN('20270302T190000')}`,
      `DTEND;${BERLIN('20270302T210000')}`,
      'RRULE:FREQ=WEEKLY',
      `RDATE;${BERLIN('20270320T110000')}`,
      `EXDATE;${BERLIN('20270309T190000,20270316T190000')}`,
    ],
  ]);
});

test('a date that differs has a component of its own, known by its original start and the UID of the series', () => {
  const moved = secondsOf('2027-03-10 10:00:00');
  const event = someFeedEvent({ title: 'Jazz, elsewhere', ...during('Europe/Berlin', moved, moved + 3_600) });
  const text = textOf({}, { overrides: new Map([['2027-03-09 19:00:00', event]]) });
  assert.equal(timesIn(text)[1], [
    `RECURRENCE-ID;${BERLIN('20270309T190000')}`,
    `DTSTART;${BERLIN('20270310T110000')}`,
    `DTEND;${BERLIN('20270310T120000')}`,
  ]);
  assert.equal(text.match(/^UID:.*$/gm), ['UID:series-7@cal.example', 'UID:series-7@cal.example']);
  assert.match(text, /SUMMARY:Jazz\\, elsewhere/);
});

test('whole days have no zone, and last until the day behind them', () => {
  const days = { allDay: true, start: '2027-03-02 00:00:00', from: '2027-03-02 00:00:00', duration: 2 * 86_400 - 1 };
  const skipped = ['2027-03-09 00:00:00'];
  const text = textOf({ ...days, skipped, rules: ['FREQ=WEEKLY;UNTIL=20270401T000000Z'] });
  assert.equal(timesIn(text), [
    [
      'DTSTART;VALUE=DATE:20270302',
      'DTEND;VALUE=DATE:20270304',
      'RRULE:FREQ=WEEKLY;UNTIL=20270401',
      'EXDATE;VALUE=DATE:20270309',
    ],
  ]);
  assert.not.match(text, /VTIMEZONE/);
});

test('a series that was split begins at its own first date, with the count that is left', () => {
  const split = { from: '2027-03-16 19:00:00', skipped: ['2027-03-09 19:00:00', '2027-03-23 19:00:00'] };
  const [lines] = timesIn(textOf({ ...split, rules: ['FREQ=WEEKLY;COUNT=10'] }));
  assert.equal(lines, [
    `DTSTART;${BERLIN('20270316T190000')}`,
    `DTEND;${BERLIN('20270316T210000')}`,
    'RRULE:FREQ=WEEKLY;COUNT=8',
    `EXDATE;${BERLIN('20270323T190000')}`,
  ]);
});

const ENDS: readonly (readonly [until: string, written: string])[] = [
  ['20270601', '20270601T215959Z'],
  ['20270601T190000', '20270601T170000Z'],
  ['20270601T170000Z', '20270601T170000Z'],
];

for (const [until, written] of ENDS)
  test(`the end ${until} is written as the instant that it means in the zone`, () =>
    assert.match(
      textOf({ rules: [`FREQ=WEEKLY;UNTIL=${until}`] }),
      new RegExp(`RRULE:FREQ=WEEKLY;UNTIL=${written}\r`),
    ));

test('dates without a rule are all in the list', () => {
  const [lines] = timesIn(textOf({ rules: [], added: ['2027-04-01 19:00:00', '2027-05-01 19:00:00'] }));
  assert.is(lines?.[2], `RDATE;${BERLIN('20270302T190000,20270401T190000,20270501T190000')}`);
});

test('times of UTC need no description', () => {
  const text = textOf({ zone: 'UTC', rules: ['FREQ=WEEKLY;COUNT=3'] });
  assert.match(text, /DTSTART:20270302T190000Z\r/);
  assert.not.match(text, /TZID/);
});

test('a date whose night is an hour longer has a component with its own end', () => {
  const nightly = { start: '2027-10-29 22:00:00', from: '2027-10-29 22:00:00', duration: 8 * 3_600 };
  const text = textOf({ ...nightly, rules: ['FREQ=DAILY;COUNT=3'] });
  assert.equal(timesIn(text)[1], [
    `RECURRENCE-ID;${BERLIN('20271030T220000')}`,
    `DTSTART;${BERLIN('20271030T220000')}`,
    `DTEND;${BERLIN('20271031T060000')}`,
  ]);
  assert.equal(
    readByIcal(text, WEEKLY.horizon).map(([from, to]) => (to - from) / 3_600),
    [8, 9, 8],
  );
});

test('if that night is the first one, the length of the others is written by itself', () => {
  const nightly = { start: '2027-10-30 22:00:00', from: '2027-10-30 22:00:00', duration: 8 * 3_600 };
  const text = textOf({ ...nightly, rules: ['FREQ=DAILY;COUNT=2'] });
  assert.match(text, /DURATION:PT28800S\r/);
  assert.equal(
    readByIcal(text, WEEKLY.horizon).map(([from, to]) => (to - from) / 3_600),
    [9, 8],
  );
});

test('the zone is described for the whole time of the rule, and for some years of one without an end', () => {
  const yearsOf = (rule: string): string[] => [
    ...new Set([...textOf({ rules: [rule] }).matchAll(/DTSTART:(\d{4})\d{4}T/g)].map(([, year = '']) => year)),
  ];
  assert.is(yearsOf('FREQ=WEEKLY;COUNT=10').at(-1), '2027');
  assert.is(yearsOf('FREQ=WEEKLY;UNTIL=20330501').at(-1), '2033');
  assert.is(yearsOf('FREQ=WEEKLY').at(-1), '2039');
});

const UNSAYABLE: readonly (readonly [why: string, times: Partial<SeriesTimes>])[] = [
  ['it has two rules', { rules: ['FREQ=WEEKLY', 'FREQ=MONTHLY'] }],
  ['its first date is on no day of the rule', { rules: ['FREQ=WEEKLY;BYDAY=WE'] }],
  ['a date before the first one of the rule was added', { rules: ['FREQ=MONTHLY;BYDAY=-1FR'] }],
  [
    'a date is at a time that the clock skips',
    { start: '2027-03-27 02:30:00', from: '2027-03-27 02:30:00', rules: ['FREQ=DAILY;COUNT=2'] },
  ],
  [
    'a date is at a time that the clock shows twice',
    { start: '2027-10-31 02:30:00', from: '2027-10-31 02:30:00', rules: ['FREQ=DAILY;COUNT=2'] },
  ],
  [
    'a date at such a time lasts until the clock has changed again',
    {
      start: '2027-10-31 02:30:00',
      from: '2027-10-31 02:30:00',
      duration: 170 * 86_400,
      rules: ['FREQ=YEARLY;COUNT=2'],
    },
  ],
  ['its zone is an offset', { zone: 'UTC+5' }],
  ['all of its dates are left out', { rules: ['FREQ=WEEKLY;COUNT=1'], skipped: ['2027-03-02 19:00:00'] }],
];

for (const [why, times] of UNSAYABLE)
  test(`a series is not said if ${why}`, () => assert.is(calendarOf({ ...WEEKLY, ...times }), null));

test('whole days are said in every zone', () => {
  const days = { allDay: true, start: '2027-03-02 00:00:00', from: '2027-03-02 00:00:00', duration: 86_399 };
  assert.match(textOf({ ...days, zone: 'UTC+5' }), /RRULE:FREQ=WEEKLY\r/);
});

test.run();
