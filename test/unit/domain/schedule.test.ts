import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  reschedule,
  type Schedule,
  type SchedulePatch,
  sameSchedule,
} from '../../../src/calendar/event/domain/schedule.ts';
import { resolveZone } from '../../../src/kernel/time/zone.ts';
import { NEW_YORK, NOW } from '../../support/given.ts';

const test = suite('schedule');
const CONTEXT = { now: NOW, siteZone: NEW_YORK };
const EVENING: SchedulePatch = { start: '2027-03-01 20:00:00', end: '2027-03-01 23:00:00' };

function schedule(patch: SchedulePatch, current: Schedule | null = null): Schedule {
  const result = reschedule(current, patch, CONTEXT);
  if ('unreadable' in result) throw new Error(`unreadable: ${result.unreadable}`);
  return result.schedule;
}

const utc = (iso: string): number => Date.parse(iso) / 1000;
const times = ({ start, end }: Schedule): readonly string[] => [start, end];
const evening = schedule(EVENING);

test('times without an offset are wall clock of the site where no zone is named', () => {
  assert.equal(evening, {
    timezone: 'America/New_York',
    allDay: false,
    start: '2027-03-01 20:00:00',
    end: '2027-03-01 23:00:00',
    startsAt: utc('2027-03-02T01:00:00Z'),
    endsAt: utc('2027-03-02T04:00:00Z'),
    given: { start: 'wall_clock', end: 'wall_clock' },
  });
});

test('an empty zone is the zone of the site', () => {
  assert.equal(schedule({ ...EVENING, timezone: '' }), evening);
  const paris = schedule({ ...EVENING, timezone: 'Europe/Paris' });
  assert.equal(schedule({ timezone: '' }, paris), evening);
});

test('times without an offset are wall clock of the named zone, which is kept as given', () => {
  const { timezone, start, startsAt } = schedule({ ...EVENING, timezone: 'europe/paris' });
  assert.equal([timezone, start, startsAt], ['europe/paris', '2027-03-01 20:00:00', utc('2027-03-01T19:00:00Z')]);
});

test('times with an offset are converted into the zone of the event', () => {
  const sent = { start: '2027-03-01T20:00:00+01:00', end: '2027-03-01T22:00:00Z' };
  assert.equal(times(schedule(sent)), ['2027-03-01 14:00:00', '2027-03-01 17:00:00']);
  const inTokyo = schedule({ ...sent, timezone: 'Asia/Tokyo' });
  assert.equal(times(inTokyo), ['2027-03-02 04:00:00', '2027-03-02 07:00:00']);
});

test('Unix seconds are instants', () => {
  const { start, startsAt } = schedule({ ...EVENING, start: utc('2027-03-02T00:30:00Z') });
  assert.equal([start, startsAt], ['2027-03-01 19:30:00', utc('2027-03-02T00:30:00Z')]);
});

test('a patch without anything leaves the schedule as it is', () => assert.equal(schedule({}, evening), evening));

test('one date alone leaves the other where it is', () => {
  assert.equal(times(schedule({ start: '2027-03-01 21:00' }, evening)), ['2027-03-01 21:00:00', '2027-03-01 23:00:00']);
  assert.equal(times(schedule({ end: '2027-03-02 01:00' }, evening)), ['2027-03-01 20:00:00', '2027-03-02 01:00:00']);
});

test('an end before the start becomes the start, in both forms', () => {
  const { start, end, startsAt, endsAt } = schedule({ ...EVENING, end: '2027-02-01 10:00' });
  assert.equal([end, endsAt], [start, startsAt]);
  const moved = schedule({ start: '2027-03-05 20:00' }, evening);
  assert.equal(times(moved), ['2027-03-05 20:00:00', '2027-03-05 20:00:00']);
});

test('a change of the zone alone keeps the wall clock and moves the instants', () => {
  const inParis = schedule({ timezone: 'Europe/Paris' }, evening);
  assert.equal(times(inParis), times(evening));
  assert.equal([inParis.startsAt, inParis.endsAt], [utc('2027-03-01T19:00:00Z'), utc('2027-03-01T22:00:00Z')]);
});

test('whole days run from midnight to the last second in the zone of the event', () => {
  const days = schedule({ start: '2027-03-01 20:00', end: '2027-03-03 09:00', allDay: true, timezone: 'Asia/Tokyo' });
  assert.equal(times(days), ['2027-03-01 00:00:00', '2027-03-03 23:59:59']);
  assert.equal([days.startsAt, days.endsAt], [utc('2027-02-28T15:00:00Z'), utc('2027-03-03T14:59:59Z')]);
});

test('whole days that end before they start are the one day', () => {
  const day = schedule({ start: '2027-03-05', end: '2027-03-01', allDay: true });
  assert.equal(times(day), ['2027-03-05 00:00:00', '2027-03-05 23:59:59']);
});

test('all day alone widens the present times; unsetting it keeps the wide ones', () => {
  const wide = schedule({ allDay: true }, evening);
  assert.equal(times(wide), ['2027-03-01 00:00:00', '2027-03-01 23:59:59']);
  const back = schedule({ allDay: false }, wide);
  assert.equal([back.allDay, ...times(back)], [false, '2027-03-01 00:00:00', '2027-03-01 23:59:59']);
});

test('a time that the clock skips in spring moves on with the clock', () => {
  const { start, startsAt } = schedule({ start: '2027-03-14 02:30', end: '2027-03-14 05:00' });
  assert.equal([start, startsAt], ['2027-03-14 03:30:00', utc('2027-03-14T07:30:00Z')]);
});

test('an event over the change of the clock lasts as long as its instants say', () => {
  const { startsAt, endsAt } = schedule({ start: '2027-03-14 01:00', end: '2027-03-14 04:00' });
  assert.is(endsAt - startsAt, 2 * 3600);
});

for (const [member, patch] of [
  ['start_date', { ...EVENING, start: 'whenever' }],
  ['start_date', { end: '2027-03-01' }],
  ['end_date', { ...EVENING, end: '2027-02-30' }],
  ['end_date', { start: '2027-03-01' }],
  ['timezone', { ...EVENING, timezone: 'Middle/Earth' }],
] as const)
  test(`${JSON.stringify(patch)} of a new event cannot be read for its ${member}`, () =>
    assert.equal(reschedule(null, patch, CONTEXT), { unreadable: member }));

test('schedules are the same when nothing of them differs', () => {
  assert.ok(sameSchedule(evening, { ...evening }));
  for (const other of [
    { timezone: 'US/Eastern' },
    { allDay: true },
    { start: '2027-03-01 20:00:01' },
    { end: '2027-03-01 23:00:01' },
    { startsAt: evening.startsAt + 1 },
    { endsAt: evening.endsAt + 1 },
  ])
    assert.not.ok(sameSchedule(evening, { ...evening, ...other }), JSON.stringify(other));
});

const ZONES = ['', 'America/New_York', 'Europe/Paris', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC-12', '+14:00'];
const anyDate = fc.oneof(
  fc.integer({ min: 1_600_000_000, max: 2_200_000_000 }),
  fc
    .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
    .chain((date) => fc.constantFrom(date.toISOString().slice(0, 19), `${date.toISOString().slice(0, 19)}+05:30`)),
);
const anyPatch: fc.Arbitrary<SchedulePatch> = fc.record(
  { start: anyDate, end: anyDate, timezone: fc.constantFrom(...ZONES), allDay: fc.boolean() },
  { requiredKeys: [] },
);

test('whatever is sent: no end before the start, instants agree with the wall clock, sent again it changes nothing', () => {
  fc.assert(
    fc.property(anyPatch, anyPatch, (first, second) => {
      const before = schedule({ ...EVENING, ...first });
      const after = schedule(second, before);
      assert.ok(after.endsAt >= after.startsAt);
      assert.ok(resolveZone(after.timezone));
      assert.equal(schedule({ start: after.start, end: after.end }, after), after);
      assert.equal(schedule(second, after), after);
      if (after.allDay) assert.ok(after.start.endsWith('00:00:00') && after.end.endsWith('23:59:59'));
    }),
    { numRuns: 300 },
  );
});

test.run();
