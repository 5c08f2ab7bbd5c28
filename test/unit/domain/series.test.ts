import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createEvent, type EventFact } from '../../../src/calendar/event/domain/calendar-event.ts';
import type { Decision } from '../../../src/domain/decider.ts';
import type { Series, SeriesFact } from '../../../src/editorial/series/domain/facts.ts';
import { afterFact, evolveSeries, type Happening } from '../../../src/editorial/series/domain/occurrences.ts';
import {
  changeDates,
  type DateChange,
  detachDate,
  openSeries,
  planChange,
  presentDates,
  rescheduleSeries,
  splitSeries,
} from '../../../src/editorial/series/domain/series.ts';
import { DAY, factsOf, NOW, whenDecided, zoneNamed } from '../../support/given.ts';

const test = suite('series');

const TWO_HOURS = 7_200;
const NO_DATES: readonly string[] = [];
const OPENED = {
  ...{ id: 7, start: '2026-03-03 19:00:00', from: '2026-03-03 19:00:00', zone: 'Europe/Berlin', allDay: false },
  ...{ duration: TWO_HOURS, rules: ['FREQ=WEEKLY;COUNT=4'], added: NO_DATES, skipped: [] },
  ...{ horizon: Date.UTC(2028, 2, 1) / 1000, splitFrom: null },
};
const [FIRST, SECOND, THIRD, FOURTH] = ['03', '10', '17', '24'].map((day) => `2026-03-${day} 19:00:00`) as [
  ...[string, string, string, string],
];

const DRAFTED: readonly EventFact[] = factsOf(
  createEvent(
    7,
    {
      ...{ title: 'Choir', author: 1, status: 'publish' },
      times: { start: OPENED.start, end: '2026-03-03 21:00:00', timezone: OPENED.zone },
    },
    { now: NOW, siteZone: zoneNamed('UTC'), slug: 'choir' },
  ),
);

const naming = (...drawn: number[]) => ({ drawn, slugOf: (date: string) => `choir-${date.slice(0, 10)}` });

const opened = (opening: Partial<typeof OPENED> = {}, ...drawn: number[]): Series =>
  whenDecided(evolveSeries, null, openSeries({ ...OPENED, ...opening }, DRAFTED, naming(...drawn)), NOW).state();
const weekly = (): Series => opened({}, 100, 101, 102, 103);

const decided = (series: Series, decision: Decision<SeriesFact>): Series =>
  whenDecided(evolveSeries, series, decision, NOW).state();
const changed = (series: Series, change: DateChange, ...drawn: number[]): Series =>
  decided(series, changeDates(series, change, naming(...drawn)));

const idsOf = (series: Series): string[] =>
  presentDates(series).map(({ wallClock, id }) => `${wallClock.slice(8, 10)}: ${id}`);

const toRules = (...rules: string[]): DateChange => ({ kind: 'rules', rules, added: [], skipped: [] });

/** What the facts of a decision mean for the events of the dates. */
function happenings(series: Series | null, decision: Decision<SeriesFact>): readonly Happening[] {
  const all: Happening[] = [];
  let state = series;
  for (const fact of factsOf(decision)) {
    const step = afterFact(state, fact, NOW);
    state = step.series;
    all.push(...step.happenings);
  }
  return all;
}
const told = (all: readonly Happening[]): string[] =>
  all.map(
    ({ id, after, facts }) =>
      `${id} from ${after + 1}: ${facts()
        .map(({ type }) => type)
        .join(', ')}`,
  );

test('a series is opened with an id for each of its dates', () => {
  assert.equal(idsOf(weekly()), ['03: 100', '10: 101', '17: 102', '24: 103']);
});

test('each date begins as an event of its own day, with all that dates have in common', () => {
  const [first, second] = happenings(null, openSeries(OPENED, DRAFTED, naming(100, 101, 102, 103)));
  assert.equal(told([first, second] as Happening[]), [
    '100 from 0: EventDrafted, EventPublished',
    '101 from 0: EventDrafted, EventPublished',
  ]);
  const [drafted] = second?.facts() ?? [];
  assert.ok(drafted?.type === 'EventDrafted');
  const { id, slug, title, parent, series, schedule } = drafted.data;
  assert.equal([id, slug, title, parent], [101, 'choir-2026-03-10', 'Choir', 7]);
  assert.equal(series, { id: 7, date: SECOND, index: 2 });
  assert.equal([schedule.start, schedule.end], ['2026-03-10 19:00:00', '2026-03-10 21:00:00']);
});

test('a date in a gap of daylight saving keeps its day', () => {
  const series = opened(
    { start: '2026-03-28 02:30:00', from: '2026-03-28 02:30:00', rules: ['FREQ=DAILY;COUNT=2'] },
    1,
    2,
  );
  const gap = presentDates(series)[1];
  assert.equal([gap?.wallClock, gap?.start], ['2026-03-29 02:30:00', '2026-03-29 03:30:00']);
});

test('a skipped date is in the trash, and back with its id when it is restored', () => {
  const skip = changeDates(weekly(), { kind: 'skip', date: SECOND }, naming());
  assert.equal(told(happenings(weekly(), skip)), ['101 from 2: EventTrashed']);
  const less = decided(weekly(), skip);
  assert.equal(idsOf(less), ['03: 100', '17: 102', '24: 103']);
  const restore = changeDates(less, { kind: 'restore', date: SECOND }, naming());
  assert.equal(told(happenings(less, restore)), ['101 from 3: EventRestored']);
  assert.equal(idsOf(decided(less, restore)), idsOf(weekly()));
});

test('a rule change keeps what both rules have, and draws ids for what is new', () => {
  const change = toRules('FREQ=WEEKLY;INTERVAL=2;COUNT=3');
  const plan = planChange(weekly(), change);
  assert.equal('fault' in plan ? plan : [plan.kept, plan.toDraw, plan.disappear], [2, 1, [SECOND, FOURTH]]);
  assert.equal(idsOf(changed(weekly(), change, 104)), ['03: 100', '17: 102', '31: 104']);
});

test('ids that were drawn and not used are used by later dates', () => {
  const series = opened({}, ...Array.from({ length: 64 }, (_, at) => 128 + at));
  const plan = planChange(series, toRules('FREQ=WEEKLY;COUNT=6'));
  assert.is('fault' in plan ? plan : plan.toDraw, 0);
  assert.equal(idsOf(changed(series, toRules('FREQ=WEEKLY;COUNT=5'))).at(-1), '31: 132');
});

test('a change of the content is one fact of every date, a status none of those in the trash', () => {
  const less = changed(weekly(), { kind: 'skip', date: SECOND });
  const facts: readonly EventFact[] = [
    { type: 'EventRetitled', data: { title: 'Chorus' } },
    { type: 'EventReturnedToDraft', data: {} },
  ];
  const all = happenings(less, { kind: 'accepted', facts: [{ type: 'SeriesContentChanged', data: { facts } }] });
  assert.equal(told(all).slice(0, 2), ['100 from 2: EventRetitled, EventReturnedToDraft', '101 from 3: EventRetitled']);
});

test('a date is set apart once, only if it is one, and nothing happens to it with the others any more', () => {
  const detached = decided(weekly(), detachDate(weekly(), SECOND));
  assert.equal(factsOf(detachDate(detached, SECOND)), []);
  assert.is(detachDate(weekly(), '2026-03-04 19:00:00').kind, 'rejected');
  const trashed = happenings(detached, changeDates(detached, { kind: 'trash' }, naming()));
  assert.equal(
    trashed.map(({ id }) => id),
    [100, 102, 103],
  );
});

test('another time of day moves every date, and tells the public from when', () => {
  const moved = rescheduleSeries(weekly(), { time: '18:30:00', duration: TWO_HOURS, allDay: false, text: '' });
  const [first] = happenings(weekly(), moved)[0]?.facts() ?? [];
  assert.ok(first?.type === 'EventRescheduled');
  assert.equal([first.data.start, first.data.notice?.previous?.start], ['2026-03-03 18:30:00', FIRST]);
  assert.equal(idsOf(decided(weekly(), moved)), idsOf(weekly()));
});

test('an ended series has no dates from there on, and only one fact says so', () => {
  const decision = changeDates(weekly(), { kind: 'end', from: THIRD }, naming());
  assert.equal(
    factsOf(decision).map(({ type }) => type),
    ['SeriesEnded'],
  );
  const ended = decided(weekly(), decision);
  assert.equal(idsOf(ended), ['03: 100', '10: 101']);
  assert.equal(factsOf(changeDates(ended, { kind: 'end', from: THIRD }, naming())), []);
});

test('a rule whose count is used up before the end keeps it', () => {
  const added = ['2026-04-01 19:00:00', '2026-04-08 19:00:00'] as const;
  const series = opened({ added: [...added], horizon: Date.UTC(2027, 2, 1) / 1000 }, 1, 2, 3, 4, 5, 6);
  const ended = changed(series, { kind: 'end', from: added[1] });
  assert.equal(idsOf(ended), ['03: 1', '10: 2', '17: 3', '24: 4', '01: 5']);
  assert.equal(ended.rules, OPENED.rules);
});

test('a series that is split has no dates from there on, and leaves them as they are', () => {
  const decision = splitSeries(weekly(), THIRD, 9);
  assert.equal(happenings(weekly(), decision), []);
  assert.equal(idsOf(decided(weekly(), decision)), ['03: 100', '10: 101']);
});

test('of the dates that a split took away, one that comes back has not left any more, and the others have', () => {
  const [, , third, fourth] = presentDates(weekly());
  assert.ok(third && fourth);
  const split = decided(weekly(), splitSeries(weekly(), THIRD, 9));
  assert.equal(split.left, [third.wallClock, fourth.wallClock]);
  const back = evolveSeries(split, { type: 'DatesTakenBack', data: { of: 9, taken: [third] } }, NOW);
  assert.equal(back?.left, [fourth.wallClock]);
});

test('a horizon only moves ahead, and brings the dates up to it', () => {
  const near = opened({ rules: ['FREQ=WEEKLY'], horizon: NOW + 10 * DAY }, 100, 101);
  assert.is(near.goesOn, true);
  const moved = changed(near, { kind: 'horizon', horizon: NOW + 17 * DAY }, 102);
  assert.equal(idsOf(moved), ['03: 100', '10: 101', '17: 102']);
  assert.equal(factsOf(changeDates(moved, { kind: 'horizon', horizon: NOW }, naming())), []);
  assert.is(weekly().goesOn, false);
});

const NOTHING: readonly (readonly [what: string, change: DateChange])[] = [
  ['the same rules', toRules(...OPENED.rules)],
  ['a skip of what is no date', { kind: 'skip', date: '2026-03-04 19:00:00' }],
  ['a date restored that was not skipped', { kind: 'restore', date: FIRST }],
  ['an end behind the last date', { kind: 'end', from: '2027-01-01 00:00:00' }],
  ['a series brought back that is there', { kind: 'untrash' }],
];

for (const [what, change] of NOTHING)
  test(`${what} is no fact`, () => assert.equal(factsOf(changeDates(weekly(), change, naming())), []));

test('rules that cannot be expanded are rejected with the reason', () => {
  const decision = changeDates(weekly(), toRules('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31'), naming());
  assert.equal(decision, {
    kind: 'rejected',
    rejection: {
      ...{ code: 'invalid_parameter', parameter: 'recurrence' },
      details: { reason: 'it names only days or times that never come' },
    },
  });
});

test.run();
