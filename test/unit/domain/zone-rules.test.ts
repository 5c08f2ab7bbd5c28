// What lies ahead when a government changes its clocks: wall clock and zone are what people meant, unless they gave an instant.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  changeEvent,
  createEvent,
  evolveEvent,
  zoneRulesFacts,
} from '../../../src/calendar/event/domain/calendar-event.ts';
import {
  reschedule,
  type Schedule,
  type SchedulePatch,
  scheduleUnder,
} from '../../../src/calendar/event/domain/schedule.ts';
import { DAY, factsOf, given, HOUR, NEW_YORK, NOW } from '../../support/given.ts';
import { rulesWith } from '../../support/zone-rules.ts';

const test = suite('zone rules');
const CONTEXT = { now: NOW, siteZone: NEW_YORK };
/** New York stays at summer time for good. */
const NEWER = rulesWith('2099a', { 'America/New_York': -4 });

function schedule(patch: SchedulePatch, current: Schedule | null = null): Schedule {
  const result = reschedule(current, patch, CONTEXT);
  if ('unreadable' in result) throw new Error(`unreadable: ${result.unreadable}`);
  return result.schedule;
}

const utc = (iso: string): number => Date.parse(iso) / 1000;
const evening = schedule({ start: '2027-12-15 19:00:00', end: '2027-12-15 22:00:00' });
const adjusted = scheduleUnder(evening, NEWER, NOW);

test('a wall clock stays, and its instant follows', () => {
  assert.equal([adjusted.start, adjusted.end], [evening.start, evening.end]);
  assert.equal([adjusted.startsAt, adjusted.endsAt], [utc('2027-12-15T23:00:00Z'), utc('2027-12-16T02:00:00Z')]);
});

test('what does not say which was given is a wall clock', () => {
  const { given: _given, ...older } = evening;
  assert.equal(scheduleUnder(older, NEWER, NOW), adjusted);
});

test('an instant stays, and the wall clock follows', () => {
  const instants = schedule({ start: '2027-12-16T00:00:00Z', end: utc('2027-12-16T03:00:00Z') });
  assert.equal(instants.given, { start: 'instant', end: 'instant' });
  const after = scheduleUnder(instants, NEWER, NOW);
  assert.equal([after.startsAt, after.endsAt], [instants.startsAt, instants.endsAt]);
  assert.equal([after.start, after.end], ['2027-12-15 20:00:00', '2027-12-15 23:00:00']);
});

test('start and end follow what was given of each, and the end is never before the start', () => {
  const mixed = schedule({ start: '2027-12-15 19:00:00', end: '2027-12-16T00:30:00Z' });
  assert.equal(mixed.given, { start: 'wall_clock', end: 'instant' });
  assert.is(scheduleUnder(mixed, NEWER, NOW).end, '2027-12-15 20:30:00');
  const later = scheduleUnder(mixed, rulesWith('2099a', { 'America/New_York': -7 }), NOW);
  assert.equal([later.startsAt, later.endsAt], [utc('2027-12-16T02:00:00Z'), utc('2027-12-16T02:00:00Z')]);
});

test('whole days stay days', () => {
  const days = schedule({ start: '2027-12-15', end: '2027-12-16', allDay: true });
  const after = scheduleUnder(days, NEWER, NOW);
  assert.equal([after.start, after.end], ['2027-12-15 00:00:00', '2027-12-16 23:59:59']);
  assert.equal([after.startsAt, after.endsAt], [utc('2027-12-15T04:00:00Z'), utc('2027-12-17T03:59:59Z')]);
});

test('past times stay as they were, also the beginning of an event in progress', () => {
  assert.is(scheduleUnder(evening, NEWER, evening.endsAt), evening);
  const during = scheduleUnder(evening, NEWER, evening.startsAt + HOUR);
  assert.equal([during.start, during.startsAt], [evening.start, evening.startsAt]);
  assert.equal([during.end, during.endsAt], [evening.end, evening.endsAt - HOUR]);
});

test('what the rules have as it is recorded stays the very same: other seasons, other zones, offsets, unknown names', () => {
  for (const patch of [
    { start: '2027-07-15 19:00', end: '2027-07-15 22:00' },
    ...['Europe/Paris', 'UTC-5', 'EST', '-05:00'].map((timezone) => ({ ...evening, timezone })),
  ]) {
    const same = schedule(patch);
    assert.is(scheduleUnder(same, NEWER, NOW), same);
  }
  assert.is(scheduleUnder(evening, { zoneNamed: () => null }, NOW), evening);
});

test('in an hour that clocks go through twice the recorded pass stays', () => {
  const second = schedule({ start: utc('2027-11-07T06:30:00Z'), end: utc('2027-11-07T08:00:00Z') });
  assert.is(second.start, '2027-11-07 01:30:00');
  assert.is(scheduleUnder(second, rulesWith('2099a'), NOW), second);
});

test('a time that is sent back as it was read changes nothing, whichever rules and pass it was recorded by', () => {
  const { start, end } = adjusted;
  assert.equal(schedule({ start, end }, adjusted), adjusted);
  const second = schedule({ start: utc('2027-11-07T06:30:00Z'), end: utc('2027-11-07T08:00:00Z') });
  assert.equal(schedule({ start: second.start, end: second.end, timezone: second.timezone }, second), second);
});

test('a change of one time by a process with other rules leaves the other one as it is recorded', () => {
  const longer = schedule({ end: '2027-12-15 23:00:00' }, adjusted);
  assert.equal([longer.start, longer.startsAt], [adjusted.start, adjusted.startsAt]);
});

test('one fact has the new schedule and the release; the same rules again give none', () => {
  const times = { start: evening.start, end: evening.end };
  const context = { ...CONTEXT, slug: 'jazz' };
  const born = factsOf(createEvent(7, { title: 'Jazz', times, author: 3, status: 'publish' }, context));
  const { state } = given(evolveEvent, born);
  const facts = zoneRulesFacts(state, NEWER, NOW + DAY);
  assert.equal(facts, [{ type: 'EventAdjustedToZoneRules', data: { ...adjusted, rules: '2099a' } }]);
  const after = given(evolveEvent, [...born, ...facts]).state;
  assert.equal(after.schedule, adjusted);
  assert.equal(zoneRulesFacts(after, NEWER, NOW + DAY), []);
  assert.equal(factsOf(changeEvent(after, { times }, context)), [], 'sent back by a process with other rules');
});

test('the fact is a modification like any other', () => {
  const born = factsOf(
    createEvent(7, { title: 'Jazz', times: evening, author: 3, status: 'publish' }, { ...CONTEXT, slug: 'jazz' }),
  );
  const { state } = given(evolveEvent, born);
  const [fact] = zoneRulesFacts(state, NEWER, NOW + DAY);
  assert.ok(fact);
  assert.is(evolveEvent(state, fact, NOW + DAY)?.modified, NOW + DAY);
});

test.run();
