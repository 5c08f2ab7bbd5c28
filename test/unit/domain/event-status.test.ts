import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type CalendarEvent,
  changeEvent,
  createEvent,
  type EventPatch,
  evolveEvent,
} from '../../../src/calendar/event/domain/calendar-event.ts';
import { lacksNotice, previousStart, previousStarts } from '../../../src/calendar/event/domain/event-status.ts';
import { POST_STATUSES, type PostStatus } from '../../../src/calendar/resource/domain/post.ts';
import { DAY, factsOf, given, HOUR, NEW_YORK, NOW, whenDecided } from '../../support/given.ts';

const test = suite('event status and notices');
const START = '2027-03-01 20:00:00';
const TIMES = { start: START, end: '2027-03-01 23:00:00' };
const context = (now = NOW) => ({ now, siteZone: NEW_YORK, slug: 'jazz' });
const instant = (start: string) => Date.parse(`${start.replace(' ', 'T')}-05:00`) / 1_000;

const drafted = (patch: EventPatch & { readonly status?: PostStatus } = {}) =>
  factsOf(createEvent(7, { title: 'Jazz', times: TIMES, author: 3, status: 'publish', ...patch }, context()));
const givenEvent = (patch: EventPatch & { readonly status?: PostStatus } = {}) => given(evolveEvent, drafted(patch));
/** What comes of a patch. */
const when = (event: CalendarEvent, patch: EventPatch, at = NOW + HOUR) =>
  whenDecided(evolveEvent, event, changeEvent(event, patch, context(at)), at);
/** An event that goes through these changes, an hour apart. */
const after = (...patches: readonly EventPatch[]): CalendarEvent =>
  patches.reduce<CalendarEvent>(
    (event, patch, index) => when(event, patch, NOW + (index + 1) * HOUR).state(),
    givenEvent().state,
  );
const moved = (start: string): EventPatch => ({ times: { start, end: start } });

test('an event is canceled, postponed and confirmed again, each once', () => {
  const canceled = when(givenEvent().state, { eventStatus: 'canceled' });
  canceled.thenFacts({ type: 'EventCanceled', data: { notice: { text: '' } } });
  assert.is(canceled.state().eventStatus, 'canceled');
  assert.equal(canceled.state().notices, [{ type: 'canceled', text: '', date: NOW + HOUR }]);
  when(canceled.state(), { eventStatus: 'canceled' }).thenNothing();
  when(canceled.state(), { eventStatus: 'postponed' }).thenTypes('EventPostponed');
  const confirmed = when(canceled.state(), { eventStatus: 'scheduled' }, NOW + DAY);
  confirmed.thenTypes('EventConfirmed');
  assert.is(confirmed.state().eventStatus, undefined);
  assert.equal(
    confirmed.state().notices?.map(({ type }) => type),
    ['canceled', 'confirmed'],
  );
  when(givenEvent().state, { eventStatus: 'scheduled' }).thenNothing();
});

test('a move of a published event carries the start that was public', () => {
  const outcome = when(givenEvent().state, { ...moved('2027-03-05 20:00:00'), notice: 'The hall burnt down' }, NOW);
  outcome.thenTypes('EventRescheduled');
  assert.equal(outcome.state().notices, [
    {
      type: 'rescheduled',
      text: 'The hall burnt down',
      previous: { start: START, startsAt: instant(START) },
      date: NOW,
    },
  ]);
  assert.not('notice' in outcome.state().schedule);
});

test('all earlier starts are known, each once, and the last one', () => {
  const [second, third] = ['2027-03-05 20:00:00', '2027-03-09 20:00:00'];
  const event = after(moved(second), moved(third), moved(second), moved(START));
  assert.equal(
    previousStarts(event).map(({ start }) => start),
    [START, second, third],
  );
  assert.is(previousStart(event)?.start, second);
});

test('a new end alone leaves no trace, unless there is a notice', () => {
  const later = { times: { end: '2027-03-02 01:00:00' } };
  assert.is(after(later).notices, undefined);
  assert.equal(after({ ...later, notice: 'One more hour' }).notices, [
    { type: 'rescheduled', text: 'One more hour', date: NOW + HOUR },
  ]);
});

test('what happens to an event that is not public leaves no trace, and its notice is refused', () => {
  for (const status of POST_STATUSES.filter((one) => one !== 'publish')) {
    const unpublished = givenEvent({ status, ...(status === 'future' && { date: NOW + DAY }) }).state;
    const outcome = when(unpublished, { ...moved('2027-03-05 20:00:00'), eventStatus: 'postponed' });
    outcome.thenTypes('EventRescheduled', 'EventPostponed');
    assert.equal([outcome.state().notices, outcome.state().eventStatus], [undefined, 'postponed'], status);
    when(unpublished, { notice: 'Sorry' }).thenRejected({ code: 'notice_unpublished' });
    when(unpublished, { notice: '' }).thenNothing();
  }
});

test('a draft that is moved while it is published shows no earlier start, but its notice', () => {
  const outcome = when(
    givenEvent({ status: 'draft' }).state,
    { ...moved('2027-03-05 20:00:00'), status: 'publish', notice: 'At last' },
    NOW,
  );
  assert.equal(outcome.state().notices, [{ type: 'rescheduled', text: 'At last', date: NOW }]);
});

test('a published event that is withdrawn and moved at once leaves no trace', () => {
  assert.is(after({ ...moved('2027-03-05 20:00:00'), status: 'draft' }).notices, undefined);
});

test('a notice alone is a fact of its own, and the same one is not published twice', () => {
  const outcome = when(givenEvent().state, { notice: 'Doors at 7' }, NOW);
  outcome.thenFacts({ type: 'EventNoticePublished', data: { notice: { text: 'Doors at 7' } } });
  when(outcome.state(), { notice: 'Doors at 7' }).thenNothing();
  when(outcome.state(), { notice: 'Doors at 8' }).thenTypes('EventNoticePublished');
});

test('of several changes at once the status carries the notice', () => {
  const outcome = when(givenEvent().state, { ...moved('2027-03-05 20:00:00'), eventStatus: 'canceled', notice: 'Ill' });
  outcome.thenTypes('EventRescheduled', 'EventCanceled');
  assert.equal(outcome.state().notices?.length, 1);
  assert.equal(
    [outcome.state().notices?.[0]?.type, outcome.state().notices?.[0]?.previous?.start],
    ['canceled', START],
  );
});

test('an event may be created canceled, with a notice where it is public', () => {
  const outcome = givenEvent({ eventStatus: 'canceled', notice: 'Storm' }).state;
  assert.equal([outcome.eventStatus, outcome.notices?.[0]?.text], ['canceled', 'Storm']);
  assert.equal(givenEvent({ eventStatus: 'postponed', status: 'draft' }).state.notices, undefined);
});

test('given notices replace all, and publish none of their own', () => {
  const notices = [{ type: 'canceled', text: 'From elsewhere', date: NOW - DAY }] as const;
  const outcome = when(givenEvent().state, { eventStatus: 'canceled', notices });
  outcome.thenTypes('EventCanceled', 'EventNoticesRestored');
  assert.equal(outcome.state().notices, notices);
  when(outcome.state(), { eventStatus: 'canceled', notices }).thenNothing();
});

test('a date of a public event that changes without a text lacks a notice', () => {
  const lacks = (patch: EventPatch, status: PostStatus = 'publish'): boolean => {
    const { state } = givenEvent({ status });
    return lacksNotice(state, factsOf(changeEvent(state, patch, context(NOW + HOUR))));
  };
  assert.is(lacks(moved('2027-03-05 20:00:00')), true);
  assert.is(lacks({ times: { end: '2027-03-02 01:00:00' } }), true);
  assert.is(lacks({ ...moved('2027-03-05 20:00:00'), notice: 'Moved' }), false);
  assert.is(lacks({ ...moved('2027-03-05 20:00:00'), eventStatus: 'canceled', notice: 'Ill' }), false);
  assert.is(lacks({ title: 'Blues' }), false);
  assert.is(lacks(moved('2027-03-05 20:00:00'), 'draft'), false);
});

test.run();
