// Scheduled posts of a running service: they go public at their instant, without a request.
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LOG_START, type RecordedEvent } from '../../../src/log/envelope.ts';
import { type Outages, outages } from '../../support/outages.ts';
import { type Answer, NOON, someEvent, startTestService, type TestService } from '../../support/service.ts';

interface Context {
  daybook: TestService;
  away: Outages;
}

const test = suite<Context>('scheduled posts');

test.before.each(async (context) => {
  context.away = outages();
  context.daybook = await startTestService({ wrap: context.away.wrap });
});
test.after.each(({ daybook }) => daybook.close());

/** As clients write an instant. */
const written = (at: number): string => new Date(at * 1000).toISOString().slice(0, 19).replace('T', ' ');

const PATIENCE_MS = 20_000;

/** Asks again until it is so: nothing tells when a service does something by itself. */
async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  const begun = performance.now();
  while (!(await isSo())) {
    assert.ok(performance.now() - begun < PATIENCE_MS, `not so after ${PATIENCE_MS} ms`);
    await sleep(20);
  }
}

const publications = async ({ store }: TestService): Promise<RecordedEvent[]> => {
  const log = await store.readAll({ after: LOG_START, limit: 100_000 });
  return log.filter(({ type }) => /^(Event|Venue|Organizer)Published$/.test(type));
};

const schedule = (daybook: TestService, inSeconds: number, members: object = {}) =>
  daybook.created('editor', 'events', someEvent({ date: written(NOON + inSeconds), ...members }));

const listed = async (daybook: TestService, target = '/events'): Promise<number[]> => {
  const { status, body } = await daybook.get(target);
  return status === 404
    ? []
    : (Object.values<{ id: number }[]>(body)
        .find(Array.isArray)
        ?.map(({ id }) => id) ?? []);
};

test('a scheduled event goes public at its instant without any request, once', async ({ daybook }) => {
  const { id, status } = await schedule(daybook, 60);
  const [before, after] = [await schedule(daybook, 59), await schedule(daybook, 61)];
  assert.is(status, 'future');
  for (const [seconds, count] of [
    [59, 1],
    [60, 2],
    [61, 3],
  ] as const) {
    daybook.clock.at = NOON + seconds;
    await eventually(async () => (await publications(daybook)).length >= count);
    assert.is((await publications(daybook)).length, count, 'none before its instant');
  }
  const all = await publications(daybook);
  assert.equal(
    all.map(({ stream }) => stream),
    [before, { id }, after].map((event) => `event-${event.id}`),
  );
  const publication = all[1];
  assert.equal(publication?.data, { date: NOON + 60 });
  assert.equal(publication?.metadata.actor, { id: null, name: 'schedule' });
  assert.is(publication?.metadata.instant, new Date((NOON + 60) * 1000).toISOString());
});

test('the cause of a publication is the event that scheduled it', async ({ daybook }) => {
  const { id } = await schedule(daybook, 60);
  await daybook.request('editor', 'PATCH', `/events/${id}`, { title: 'Renamed' });
  daybook.clock.at = NOON + 60;
  await daybook.get('/events');
  const stream = await daybook.store.readStream(`event-${id}`);
  const scheduled = stream.find(({ type }) => type === 'EventPublicationScheduled');
  const published = stream.find(({ type }) => type === 'EventPublished');
  assert.is(published?.metadata.causationId, scheduled?.id);
  assert.is.not(published?.metadata.correlationId, scheduled?.metadata.correlationId);
});

test('lists, counts and single reads change at the very instant, and not before', async ({ daybook }) => {
  const members = { categories: ['Jazz'], venue: { venue: 'Hall' } };
  const { id, categories, venue } = await schedule(daybook, 60, members);
  const [{ id: category }] = categories;
  const seen = async () => ({
    listed: await listed(daybook),
    read: (await daybook.get(`/events/${id}`)).status,
    count: (await daybook.get(`/categories/${category}`)).body.count,
    shown: await listed(daybook, '/categories?hide_empty=true'),
  });
  daybook.clock.at = NOON + 59;
  const before = { listed: [], read: 403, count: 0, shown: [] };
  assert.equal(await seen(), before);
  assert.equal(await seen(), before, 'again, from what is kept');
  daybook.clock.at = NOON + 60;
  const after = { listed: [id], read: 200, count: 1, shown: [category] };
  assert.equal(await seen(), after);
  assert.equal(await seen(), after, 'again, from what is kept');
  assert.equal(await listed(daybook, '/venues?has_events=true'), [venue.id]);
  assert.is((await publications(daybook)).filter(({ stream }) => stream === `event-${id}`).length, 1);
});

test('whatever is requested first at the instant shows it', async ({ daybook }) => {
  const targets = (id: number) => [
    `/events/${id}`,
    '/events',
    `/events/by-slug/open-rehearsal`,
    '/categories?hide_empty=1',
  ];
  for (const at of [0, 1, 2, 3]) {
    const { id } = await schedule(daybook, 60 * (at + 1), { slug: 'open-rehearsal', categories: ['Jazz'] });
    daybook.clock.at = NOON + 60 * (at + 1);
    const first: Answer = await daybook.get(targets(id)[at] ?? '');
    assert.is(first.status, 200, targets(id)[at]);
    await daybook.request('editor', 'DELETE', `/events/${id}`);
  }
});

test('a post that is scheduled for the very next second is public in the next second', async ({ daybook }) => {
  for (let at = 1; at <= 20; at++) {
    const { id } = await daybook.created('editor', 'events', someEvent({ date: written(NOON + at) }));
    daybook.clock.at = NOON + at;
    assert.ok((await listed(daybook, '/events?per_page=50')).includes(id), `second ${at}`);
  }
});

test('dates stay what they were scheduled for, however late the publication', async ({ daybook }) => {
  const before = await schedule(daybook, 60);
  daybook.clock.at = NOON + 5_000;
  const { body } = await daybook.get(`/events/${before.id}`);
  assert.is(body.status, 'publish');
  assert.equal([body.date, body.date_utc], [before.date, before.date_utc]);
});

test('venues and organizers go public at their instant, too', async ({ daybook }) => {
  const date = written(NOON + 60);
  const venue = await daybook.created('editor', 'venues', { venue: 'Hall', date });
  const organizer = await daybook.created('editor', 'organizers', { organizer: 'Club', date });
  assert.equal([venue.status, organizer.status], ['future', 'future']);
  assert.equal([await listed(daybook, '/venues'), await listed(daybook, '/organizers')], [[], []]);
  daybook.clock.at = NOON + 60;
  assert.equal([await listed(daybook, '/venues'), await listed(daybook, '/organizers')], [[venue.id], [organizer.id]]);
  const types = (await publications(daybook)).map(({ type }) => type);
  assert.equal(types.sort(), ['OrganizerPublished', 'VenuePublished']);
});

test('an embedded venue that is scheduled shows in its event from its instant on', async ({ daybook }) => {
  const venue = await daybook.created('editor', 'venues', { venue: 'Hall', date: written(NOON + 60) });
  const { id } = await daybook.created('editor', 'events', someEvent({ venue: [venue.id] }));
  const early = (await daybook.get(`/events/${id}`)).body.venue;
  daybook.clock.at = NOON + 60;
  const late = (await daybook.get(`/events/${id}`)).body.venue;
  assert.is(late.id ?? late[0]?.id, venue.id);
  assert.is(JSON.stringify(early).includes('"status":"publish"'), false);
});

test('a date that is moved decides, earlier and later', async ({ daybook }) => {
  const { id } = await schedule(daybook, 60);
  await daybook.request('editor', 'PATCH', `/events/${id}`, { date: written(NOON + 120) });
  daybook.clock.at = NOON + 119;
  assert.is((await daybook.get(`/events/${id}`)).status, 403);
  await daybook.request('editor', 'PATCH', `/events/${id}`, { date: written(NOON + 200) });
  daybook.clock.at = NOON + 199;
  assert.is((await daybook.get(`/events/${id}`)).status, 403);
  await daybook.request('editor', 'PATCH', `/events/${id}`, { date: written(NOON + 5_000) });
  await daybook.request('editor', 'PATCH', `/events/${id}`, { date: written(NOON + 201) });
  daybook.clock.at = NOON + 201;
  assert.is((await daybook.get(`/events/${id}`)).status, 200);
  assert.is((await publications(daybook)).length, 1);
});

test('a date that is moved into the past publishes at once, as an editor does, and only once', async ({ daybook }) => {
  const { id } = await schedule(daybook, 60);
  await daybook.request('editor', 'PATCH', `/events/${id}`, { date: written(NOON - 60) });
  daybook.clock.at = NOON + 100;
  assert.is((await daybook.get(`/events/${id}`)).body.status, 'publish');
  const [publication, ...others] = await publications(daybook);
  assert.equal([publication?.metadata.actor.id, others], [daybook.userId('editor'), []]);
});

test('an unscheduled post is not published at its former instant', async ({ daybook }) => {
  const wishes = ['draft', 'pending', 'private', 'trash'];
  const ids: number[] = [];
  for (const status of wishes) {
    const { id } = await schedule(daybook, 60);
    ids.push(id);
    assert.is((await daybook.request('editor', 'PATCH', `/events/${id}`, { status })).status, 200);
  }
  const other = await schedule(daybook, 60);
  daybook.clock.at = NOON + 61;
  assert.equal(await listed(daybook), [other.id]);
  assert.equal(
    (await publications(daybook)).map(({ stream }) => stream),
    [`event-${other.id}`],
  );
});

test('a scheduled post that is restored after its date is public then, and scheduled when its date is ahead', async ({
  daybook,
}) => {
  const [late, early] = [await schedule(daybook, 60), await schedule(daybook, 500)];
  for (const { id } of [late, early]) await daybook.request('editor', 'DELETE', `/events/${id}`);
  daybook.clock.at = NOON + 100;
  assert.equal(await listed(daybook), []);
  for (const { id } of [late, early]) await daybook.request('editor', 'PATCH', `/events/${id}`, { status: 'future' });
  assert.equal(await listed(daybook), [late.id]);
  assert.is((await daybook.get(`/events/${early.id}`, 'editor')).body.status, 'future');
  daybook.clock.at = NOON + 500;
  assert.equal((await listed(daybook)).sort(), [late.id, early.id].sort());
});

test('a protected event goes public with its password', async ({ daybook }) => {
  const { id } = await schedule(daybook, 60, { password: 'sesame', description: 'Secret programme' });
  daybook.clock.at = NOON + 60;
  const closed = await daybook.get('/events');
  assert.is(closed.body.events[0]?.id, id);
  assert.is(closed.text.includes('Secret programme'), false);
  assert.ok((await daybook.get(`/events/${id}?password=sesame`)).text.includes('Secret programme'));
});

test('history shows that it was published, and by the schedule', async ({ daybook }) => {
  const { id } = await schedule(daybook, 60);
  daybook.clock.at = NOON + 60;
  await daybook.get('/events');
  const { body } = await daybook.get(`/events/${id}/history`, 'editor');
  const told = JSON.stringify(body);
  assert.ok(told.includes('Published.'), told);
  assert.ok(told.includes('"schedule"'), told);
});

test('thousands that are overdue after an outage are each published once', async ({ daybook, away }) => {
  const ids: number[] = [];
  for (let at = 0; at < 300; at++) ids.push((await schedule(daybook, 60 + at)).id);
  away.down.store = true;
  daybook.clock.at = NOON + 10_000;
  const shut = await daybook.get('/events');
  assert.equal([shut.status, shut.body.total ?? 0], [200, 0], 'reads go on with what there is');
  const { refused } = away;
  await eventually(async () => away.refused >= refused + 20);
  const lines = daybook.logged.filter(({ msg }) => String(msg).includes('publishing of scheduled posts failed'));
  assert.is(lines.length, 1, 'one line for the whole outage');
  away.down.store = false;
  await eventually(async () => (await daybook.get('/events')).body.total === 300);
  const streams = (await publications(daybook)).map(({ stream }) => stream);
  assert.equal([...streams].sort(), ids.map((id) => `event-${id}`).sort());
});

test('while the views are unavailable nothing is lost', async ({ daybook, away }) => {
  const { id } = await schedule(daybook, 60);
  away.down.views = true;
  daybook.clock.at = NOON + 60;
  await eventually(async () => away.refused > 5);
  away.down.views = false;
  await eventually(async () => (await daybook.get(`/events/${id}`)).status === 200);
  assert.is((await publications(daybook)).length, 1);
});

test('the metric says for how long the earliest has been overdue', async ({ daybook, away }) => {
  const overdue = async () =>
    /^daybook_schedule_overdue_seconds (.*)$/m.exec((await daybook.service.app.inject('/metrics')).payload)?.[1];
  const { id } = await schedule(daybook, 60);
  await daybook.get('/events');
  assert.is(await overdue(), '0');
  away.down.store = true;
  daybook.clock.at = NOON + 100;
  assert.is(await overdue(), '40');
  away.down.store = false;
  await eventually(async () => (await daybook.get(`/events/${id}`)).status === 200);
  assert.is(await overdue(), '0');
});

test.run();
