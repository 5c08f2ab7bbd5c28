// Two calendars that are each other's source: whatever is polled, and however often, each event is there once in both.
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite('sources of each other');

interface Calendar {
  readonly daybook: TestService;
  readonly address: string;
}

async function start(): Promise<Calendar> {
  const daybook = await startTestService({ environment: { DAYBOOK_IMPORT_NETWORK: 'any' } });
  return { daybook, address: await daybook.service.app.listen({ host: '127.0.0.1', port: 0 }) };
}

/** The source is paused: the test polls it. */
async function follow({ daybook }: Calendar, other: Calendar, path: string): Promise<() => Promise<Body>> {
  const settings = { address: `${other.address}${path}`, name: 'The other one', on_missing: 'bin' };
  const { body, status, text } = await daybook.request('editor', 'POST', '/sources', settings);
  assert.is(status, 201, text);
  while ((await daybook.get(`/sources/${body.id}`, 'editor')).body.last_poll?.ended == null) await sleep(50);
  await daybook.request('editor', 'POST', `/sources/${body.id}/pause`, {});
  return async () => {
    const polled = await daybook.request('editor', 'POST', `/sources/${body.id}/polls`, {});
    assert.is(polled.status, 201, polled.text);
    assert.is(polled.body.problem, null, polled.text);
    return polled.body;
  };
}

async function titles({ daybook }: Calendar): Promise<string[]> {
  const query = '/events?start_date=2026-12-01&per_page=50&status=publish,draft';
  const { events } = (await daybook.get(query, 'editor')).body;
  return events.map((event: Body) => event.title).toSorted();
}

const count = async ({ daybook }: Calendar, list: string): Promise<number> =>
  (await daybook.get(`/${list}`, 'editor')).body.total ?? 0;

for (const [name, path] of [
  ['iCalendar', '/calendar/events/v1/events.ics'],
  ['the API', '/calendar/events/v1/events?per_page=50'],
] as const)
  test(`polls to and fro over ${name} come to an end`, async () => {
    const [one, other] = [await start(), await start()];
    const venue = { venue: 'Pier', city: 'Hull' };
    const choir = await one.daybook.created('editor', 'events', someEvent({ title: 'Choir', venue }));
    const weekly = { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } };
    await one.daybook.created('editor', 'events', someEvent({ title: 'Course', ...weekly }));
    const reading = await other.daybook.created('editor', 'events', someEvent({ title: 'Reading' }));
    // Before anything is copied: the first polls are those of the additions.
    const pollOther = await follow(one, other, path);
    const pollOne = await follow(other, one, path);
    const rounds = async (times: number): Promise<void> => {
      for (let round = 0; round < times; round += 1) for (const poll of [pollOther, pollOne]) await poll();
    };
    await rounds(3);
    const all = ['Choir', 'Course', 'Course', 'Course', 'Reading'];
    assert.equal(await titles(one), all);
    assert.equal(await titles(other), all);
    assert.equal([await count(one, 'venues'), await count(other, 'venues')], [1, 1]);

    // Each is changed where it is from, and the change arrives once.
    await one.daybook.request('editor', 'PATCH', `/events/${choir.id}`, { title: 'Choir at night' });
    await other.daybook.request('editor', 'PATCH', `/events/${reading.id}`, { start_date: '2026-12-21 11:00:00' });
    await rounds(3);
    const renamed = all.with(0, 'Choir at night');
    assert.equal(await titles(one), renamed);
    assert.equal(await titles(other), renamed);
    const heads = [await one.daybook.store.head(), await other.daybook.store.head()];
    const last = [await pollOther(), await pollOne()];
    const noted = last.map(({ counts }) => counts.created + counts.changed + counts.missing);
    assert.equal(noted, [0, 0], `nothing is written any more: ${heads}`);

    // What is removed where it is from goes elsewhere too, and does not come back from there.
    await one.daybook.request('editor', 'DELETE', `/events/${choir.id}`);
    await rounds(3);
    const remaining = all.slice(1);
    assert.equal(await titles(one), remaining);
    assert.equal(await titles(other), remaining);
    await one.daybook.close();
    await other.daybook.close();
  });

test.run();
