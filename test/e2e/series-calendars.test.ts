// Calendars in which series are rules: another reader finds in them the dates of the list with the same filters.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Body, someEvent, startTestService, type TestService } from '../support/service.ts';
import { readByIcal } from '../unit/http/feeds/series-calendar.ts';

const test = suite<{ daybook: TestService }>('series in calendars');

test.before(async (context) => {
  context.daybook = await startTestService({ environment: { DAYBOOK_TIMEZONE: 'Europe/Berlin' } });
});
test.after(({ daybook }) => daybook.close());

const IN_WINTER = 'start_date=2026-11-25&end_date=2027-03-01';
const FAR = Date.UTC(2040, 0, 1) / 1000;

/** Each test has a series of its own, found by its title. */
const choir = (daybook: TestService, title: string, recurrence: object = { rrule: 'FREQ=WEEKLY;COUNT=5' }) =>
  daybook.created('editor', 'events', {
    ...someEvent({ title, start_date: '2026-12-01 19:00:00', end_date: '2026-12-01 21:00:00' }),
    recurrence,
  });

async function read(daybook: TestService, query: string) {
  const { text } = await daybook.get(`/events.ics?${query}`);
  const lines = text.replaceAll('\r\n ', '').split('\r\n');
  const about = (name: string): string[] => lines.filter((line) => new RegExp(`^${name}[;:]`).test(line));
  return { text, about, components: lines.filter((line) => line === 'BEGIN:VEVENT').length };
}

const listed = async (daybook: TestService, query: string): Promise<Body[]> =>
  (await daybook.get(`/events?${query}&per_page=50`)).body.events;

/** The starts of the list and of the calendar, in UTC seconds. */
async function bothStarts(daybook: TestService, query: string) {
  const events = await listed(daybook, query);
  const { text } = await read(daybook, query);
  return {
    list: events.map(({ utc_start_date: start }) => Date.parse(`${start.replace(' ', 'T')}Z`) / 1000),
    calendar: readByIcal(text, FAR).map(([start]) => start),
  };
}

test('a series is one component with its rule, and one more for each date that differs', async ({ daybook }) => {
  await choir(daybook, 'Alto');
  const query = `${IN_WINTER}&search=Alto`;
  const [, second, third, fourth] = await listed(daybook, query);
  await daybook.request('editor', 'PATCH', `/events/${second.id}`, {
    start_date: '2026-12-09 18:00:00',
    end_date: '2026-12-09 20:00:00',
  });
  await daybook.request('editor', 'DELETE', `/events/${third.id}`);
  await daybook.request('editor', 'PATCH', `/events/${fourth.id}`, { status: 'private' });
  const calendar = await read(daybook, query);
  assert.is(calendar.components, 2);
  assert.is(new Set(calendar.about('UID')).size, 1);
  assert.equal(calendar.about('RRULE'), ['RRULE:FREQ=WEEKLY;COUNT=5']);
  assert.equal(calendar.about('EXDATE'), ['EXDATE;TZID=Europe/Berlin:20261215T190000,20261222T190000']);
  assert.equal(calendar.about('RECURRENCE-ID'), ['RECURRENCE-ID;TZID=Europe/Berlin:20261208T190000']);
  const { list, calendar: found } = await bothStarts(daybook, query);
  assert.equal(found, list);
  assert.is(list.length, 3);
});

test('a calendar of a part of the time has the dates of that part', async ({ daybook }) => {
  await choir(daybook, 'Tenor', { rrule: 'FREQ=WEEKLY' });
  for (const window of ['start_date=2026-12-10&end_date=2027-01-20', 'start_date=2027-02-01&end_date=2027-02-10']) {
    const { list, calendar } = await bothStarts(daybook, `${window}&search=Tenor`);
    assert.ok(list.length > 0);
    assert.equal(calendar, list);
  }
  const open = await read(daybook, 'start_date=2026-11-25&end_date=2040-01-01&search=Tenor');
  assert.equal(open.about('RRULE'), ['RRULE:FREQ=WEEKLY']);
});

test('a calendar of a state to come has its series as well', async ({ daybook }) => {
  await choir(daybook, 'Descant');
  const soon = encodeURIComponent(new Date((daybook.clock.at + 3_600) * 1000).toISOString());
  const { status, text } = await daybook.get(`/events.ics?${IN_WINTER}&search=Descant&as_of=${soon}`, 'editor');
  assert.is(status, 200);
  assert.match(text, /RRULE:FREQ=WEEKLY;COUNT=5/);
});

test('a change of the rule changes the tag of the calendar', async ({ daybook }) => {
  const { id } = await choir(daybook, 'Bass');
  const tag = async () => (await daybook.get(`/events.ics?${IN_WINTER}&search=Bass`)).headers.etag;
  const before = await tag();
  assert.is(await tag(), before);
  await daybook.request('editor', 'PATCH', `/events/${id}`, {
    scope: 'all',
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=4' },
  });
  assert.is.not(await tag(), before);
});

test('the calendar of one date is that date, and dates that no rule can say are single', async ({ daybook }) => {
  const { id } = await choir(daybook, 'Soprano', { rrule: ['FREQ=WEEKLY;COUNT=3', 'FREQ=MONTHLY;COUNT=2'] });
  const alone = (await daybook.get(`/events/${id}.ics`)).text;
  assert.match(alone, new RegExp(`UID:event-${id}@`));
  assert.not.match(alone, /RRULE/);
  const { about, components } = await read(daybook, `${IN_WINTER}&search=Soprano`);
  assert.equal([about('RRULE'), components], [[], 4]);
});

test('dates behind a password stay single', async ({ daybook }) => {
  await daybook.created('editor', 'events', {
    ...someEvent({ title: 'Baritone', start_date: '2027-06-01 19:00:00', end_date: '2027-06-01 21:00:00' }),
    ...{ password: 'sesame', recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } },
  });
  const { about, components } = await read(daybook, `start_date=2027-05-25&end_date=2027-06-25`);
  assert.is(about('UID').filter((line) => line.startsWith('UID:event-')).length, 3);
  assert.is(components, 3 + about('RRULE').length);
});

test.run();
