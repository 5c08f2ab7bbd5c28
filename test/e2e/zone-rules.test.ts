// A change of zone rules as clients see it: answers, history, feed of changes, calendars, old states, reverts, readiness.
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSweep } from '../../src/calendar/zone-rules/reactions/zone-rules-follower.ts';
import type { ZoneRules } from '../../src/kernel/time/zone.ts';
import { LOG_START } from '../../src/log/envelope.ts';
import { type Body, NOON, PREFIX, someEvent, startTestService, type TestService } from '../support/service.ts';
import { rulesWith } from '../support/zone-rules.ts';

const test = suite('zone rules over HTTP');
/** New York stays at summer time for good. */
const NEWER = rulesWith('2099a', { 'America/New_York': -4 });
const LATER = NOON + 3_600;
const TIMES = { start_date: '2027-12-15 19:00:00', end_date: '2027-12-15 22:00:00', timezone: 'America/New_York' };

/** Waits until views show what has happened to events. */
async function shown({ store, service }: Pick<TestService, 'store' | 'service'>): Promise<void> {
  const events = await store.readAll({ after: LOG_START, prefixes: ['event-'], limit: 100 });
  assert.ok(await service.views.reached(events.at(-1)?.position ?? LOG_START, 5_000));
}

/** What a process with these rules does when it starts. */
async function adopt({ store, service, clock }: TestService, rules: ZoneRules): Promise<number | null> {
  const log = pino({ level: 'silent' });
  const sweep = openSweep({ store, rules, clock, newEventId: randomUUID, newId: randomUUID, log });
  const adjusted = await sweep.run(new AbortController().signal);
  await shown({ store, service });
  return adjusted;
}

async function adopted(members: object = {}): Promise<{ daybook: TestService; event: Body; after: Body }> {
  const daybook = await start();
  const event = await daybook.created('editor', 'events', someEvent({ ...TIMES, ...members }));
  daybook.clock.at = LATER;
  assert.is(await adopt(daybook, NEWER), 1);
  return { daybook, event, after: (await daybook.get(`/events/${event.id}`)).body };
}

const open: TestService[] = [];
test.after.each(async () => {
  for (const daybook of open.splice(0)) await daybook.close();
});

async function start(options: Parameters<typeof startTestService>[0] = {}): Promise<TestService> {
  const daybook = await startTestService(options);
  open.push(daybook);
  return daybook;
}

const calendarOf = async ({ service }: TestService, id: number): Promise<string> =>
  (await service.app.inject({ url: `${PREFIX}/events/${id}.ics`, headers: { host: 'cal.example' } })).payload;

test('a future event keeps its wall clock and gets a new instant, abbreviation and offset', async () => {
  const { daybook, event, after } = await adopted();
  assert.equal([event.utc_start_date, event.timezone_abbr], ['2027-12-16 00:00:00', 'EST']);
  assert.equal([after.start_date, after.end_date], [event.start_date, event.end_date]);
  assert.equal([after.utc_start_date, after.utc_end_date], ['2027-12-15 23:00:00', '2027-12-16 02:00:00']);
  assert.is(after.timezone_abbr, 'EDT');
  assert.is(after.json_ld.startDate, '2027-12-15T19:00:00-04:00');
  assert.is(after.modified_utc, '2026-11-20 13:00:00');
  const { events } = (await daybook.get('/events?start_date=2027-12-01&end_date=2028-01-01')).body;
  assert.is(events[0].utc_start_date, '2027-12-15 23:00:00');
});

test('an event given as an instant keeps it and gets a new wall clock', async () => {
  const { after } = await adopted({ start_date: '2027-12-16T00:00:00Z', end_date: '2027-12-15 22:00-05:00' });
  assert.equal([after.start_date, after.end_date], ['2027-12-15 20:00:00', '2027-12-15 23:00:00']);
  assert.equal([after.utc_start_date, after.utc_end_date], ['2027-12-16 00:00:00', '2027-12-16 03:00:00']);
});

test('history and change feed say who, why and what', async () => {
  const { daybook, event } = await adopted();
  const [entry] = (await daybook.get(`/events/${event.id}/history`, 'editor')).body.history;
  assert.is(entry.type, 'EventAdjustedToZoneRules');
  assert.equal(entry.actor, { id: null, name: 'zone rules' });
  assert.is(entry.reason, 'America/New_York, rules 2099a');
  assert.is(entry.revision, 2);
  assert.equal(entry.changes, [
    { field: 'utc_start_date', before: '2027-12-16 00:00:00', after: '2027-12-15 23:00:00' },
    { field: 'utc_end_date', before: '2027-12-16 03:00:00', after: '2027-12-16 02:00:00' },
  ]);
  const german = (await daybook.get(`/events/${event.id}/history?_locale=de`, 'editor')).body.history[0].summary;
  assert.match(german, 'An die Zeitzonenregeln 2099a angepasst');
  const { changes } = (await daybook.get('/changes?types=EventAdjustedToZoneRules', 'editor')).body;
  assert.is(changes.length, 1);
  assert.is(changes[0].reason, 'America/New_York, rules 2099a');
});

test('calendars count it as a change', async () => {
  const { daybook, event } = await adopted();
  const text = await calendarOf(daybook, event.id);
  assert.match(text, '\r\nSEQUENCE:2\r\n');
  assert.match(text, '\r\nLAST-MODIFIED:20261120T130000Z\r\n');
  // This process has older rules, by which the wall clock would be another instant.
  assert.match(text, '\r\nDTSTART:20271215T230000Z\r\n');
});

test('an old state has the old instant; going back to it does not bring it back', async () => {
  const { daybook, event } = await adopted({ title: 'Jazz' });
  const then = (await daybook.get(`/events/${event.id}?as_of=2026-11-20T12:30:00Z`)).body;
  assert.is(then.utc_start_date, '2027-12-16 00:00:00');
  const old = (await daybook.get(`/events/${event.id}?revision=1`, 'editor')).body;
  assert.equal([old.utc_start_date, old.timezone_abbr], ['2027-12-16 00:00:00', 'EST']);
  const renamed = await daybook.request('editor', 'PATCH', `/events/${event.id}`, { title: 'Blues' });
  assert.is(renamed.body.utc_start_date, '2027-12-15 23:00:00');
  const reverted = await daybook.request('editor', 'POST', `/events/${event.id}/revert`, { revision: 1 });
  assert.equal([reverted.status, reverted.body.title], [200, 'Jazz']);
  assert.equal([reverted.body.start_date, reverted.body.utc_start_date], [TIMES.start_date, '2027-12-15 23:00:00']);
});

test('sending back what was read changes nothing, also in a process with older rules', async () => {
  const { daybook, after } = await adopted();
  const { start_date, end_date, timezone, title } = after;
  const put = await daybook.request('editor', 'PUT', `/events/${after.id}`, { start_date, end_date, timezone, title });
  assert.equal([put.status, put.headers.etag], [200, '"2"']);
  assert.is(put.body.utc_start_date, '2027-12-15 23:00:00');
});

for (const [release, status] of [
  ['2026c', 'older'],
  ['2099a', 'current'],
] as const)
  test(`a process with the rules ${release} is ready, and says that they are ${status}`, async () => {
    const first = await start({ zoneRules: rulesWith(release) });
    await adopt(first, NEWER);
    let ready = await first.get('//readyz');
    // A look that was under way before is shared.
    while (ready.body.zone_rules.log !== '2099a') ready = await first.get('//readyz');
    assert.is(ready.status, 200);
    assert.equal(ready.body.zone_rules, { status, process: release, log: '2099a' });
  });

test('documents do not depend on what this process knows of a zone', async () => {
  const { daybook, event } = await adopted();
  const stream = `event-${event.id}`;
  const [drafted] = await daybook.store.readStream(stream, { limit: 1 });
  assert.ok(drafted);
  const last = (await daybook.store.readStream(stream)).length - 1;
  const schedule = {
    timezone: 'Mars/Olympus',
    allDay: false,
    start: '2030-01-01 10:00:00',
    end: '2030-01-01 11:00:00',
  };
  const startsAt = Date.UTC(2030, 0, 1, 3) / 1000;
  const data = { ...schedule, startsAt, endsAt: startsAt + 3_600 };
  const moved = { ...drafted, id: randomUUID(), type: 'EventRescheduled', data };
  await daybook.store.append([{ stream, expected: last, events: [moved] }]);
  await shown(daybook);
  const { body } = await daybook.get(`/events/${event.id}`);
  assert.equal([body.timezone_abbr, body.json_ld.startDate], ['+07', '2030-01-01T10:00:00+07:00']);
});

test.run();
