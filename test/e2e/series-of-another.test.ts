// Series of another Daybook, imported over its API: the same series here, whatever was done to single dates there.
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Body, ON_ANY_DAY, someEvent, startTestService, type TestService } from '../support/service.ts';

interface Context {
  there: TestService;
  here: TestService;
  address: string;
}

const test = suite<Context>('series of another Daybook');

test.before.each(async (context) => {
  const environment = { DAYBOOK_IMPORT_NETWORK: 'any' };
  context.there = await startTestService({ environment });
  context.here = await startTestService({ environment });
  context.address = await context.there.service.app.listen({ host: '127.0.0.1', port: 0 });
});
test.after.each(async ({ there, here }) => {
  await here.close();
  await there.close();
});

/** `list`: which of its events. */
async function imported({ here, address }: Context, list = `events?per_page=20&${ON_ANY_DAY}`): Promise<Body> {
  const url = `${address}/calendar/events/v1/${list}`;
  const { status, body, text } = await here.request('editor', 'POST', '/imports', { url });
  assert.is(status, 201, text);
  for (;;) {
    const { body: job } = await here.get(`/imports/${body.id}`, 'editor');
    if (job.ended !== null) return job;
    await sleep(20);
  }
}

const MEMBERS = ['title', 'description', 'start_date', 'end_date', 'utc_start_date', 'timezone', 'all_day'] as const;

/** What the public is shown of all events. */
async function listOf({ get }: TestService): Promise<object[]> {
  const all: object[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { body } = await get(`/events?${ON_ANY_DAY}&per_page=50&page=${page}`, 'anonymous');
    for (const event of body.events)
      all.push({ ...Object.fromEntries(MEMBERS.map((name) => [name, event[name]])), apart: event.series?.is_override });
    pages = body.total_pages;
  }
  return all;
}

const datesOf = async ({ get }: TestService, title: string): Promise<Body[]> =>
  (await get(`/events?${ON_ANY_DAY}&per_page=50&search=${title}`, 'editor')).body.events;

async function repeating(daybook: TestService, members: object): Promise<Body[]> {
  const first = await daybook.created('editor', 'events', someEvent({ timezone: 'Europe/Berlin', ...members }));
  return (await daybook.get(`/events?series=${first.series.id}&${ON_ANY_DAY}&per_page=50`, 'editor')).body.events;
}

async function changed(daybook: TestService, id: number, members: object): Promise<void> {
  const { status, text } = await daybook.request('editor', 'PATCH', `/events/${id}`, members);
  assert.is(status, 200, text);
}

/** Imports, and compares what both calendars show; again, and nothing is written. */
async function follows(context: Context): Promise<Body> {
  const job = await imported(context);
  assert.equal(job.refused, []);
  assert.equal(await listOf(context.here), await listOf(context.there));
  const { counts } = await imported(context);
  assert.equal([counts.events.created, counts.events.changed], [0, 0], 'a second import changes nothing');
  assert.equal(await listOf(context.here), await listOf(context.there));
  return job;
}

const WEEKLY = {
  title: 'Choir',
  description: 'With <em>tea</em>',
  start_date: '2026-11-24 19:00:00',
  end_date: '2026-11-24 21:00:00',
  recurrence: {
    rrule: 'FREQ=WEEKLY;COUNT=8',
    rdates: ['2026-12-05 15:00:00'],
    exdates: ['2026-12-15 19:00:00'],
  },
};

test('rules, exceptions, extra dates and dates that were changed apart come over, and follow', async (context) => {
  const { there, here } = context;
  const dates = await repeating(there, WEEKLY);
  assert.is(dates.length, 8);
  await changed(there, dates[2].id, {
    title: 'Choir by the sea',
    start_date: '2026-12-07 18:00:00',
    end_date: '2026-12-07 20:00:00',
  });
  await changed(there, dates[4].id, { description: 'Without tea' });
  await there.request('editor', 'DELETE', `/events/${dates[0].id}?scope=this`);
  await changed(there, dates[6].id, { status: 'private' });
  const job = await follows(context);
  assert.equal(job.notes, []);
  const [own] = await datesOf(here, 'tea');
  const { body: series } = await here.get(`/series/${own.series.id}`, 'anonymous');
  assert.equal(series.recurrence.rrule, ['FREQ=WEEKLY;COUNT=8']);
  assert.is((await here.get('/series', 'anonymous')).body.total, 1);

  await changed(there, dates[1].id, { scope: 'all', title: 'Singing', start_date: '2026-12-01 18:30:00' });
  await follows(context);
  await changed(there, dates[1].id, { scope: 'all', recurrence: { rrule: 'FREQ=WEEKLY;COUNT=10', exdates: [] } });
  await follows(context);
  await changed(there, dates[6].id, { status: 'publish' });
  await follows(context);
  assert.is((await here.get('/series', 'anonymous')).body.total, 1, 'it is one series all the time');
});

test('series that go on for ever, whole days, and those that were split', async (context) => {
  const { there } = context;
  await repeating(there, {
    title: 'Market',
    all_day: true,
    start_date: '2026-11-28',
    end_date: '2026-11-29',
    recurrence: { rrule: 'FREQ=MONTHLY;BYDAY=-1SA' },
  });
  const dates = await repeating(there, { ...WEEKLY, recurrence: { rrule: 'FREQ=WEEKLY;INTERVAL=2;COUNT=9' } });
  await changed(there, dates[3].id, { scope: 'following', title: 'Big choir', start_date: '2027-01-05 20:00:00' });
  const job = await follows(context);
  assert.equal(job.notes, []);
  assert.is((await context.here.get('/series', 'anonymous')).body.total, 3);
});

test('a list of what is to come has the whole of its series, once', async (context) => {
  const { there, here } = context;
  await repeating(there, {
    ...WEEKLY,
    start_date: '2026-10-06 19:00:00',
    end_date: '2026-10-06 21:00:00',
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=12' },
  });
  const job = await imported(context, 'events?per_page=2');
  assert.equal([job.counts.events.created, job.notes, job.refused], [12, [], []]);
  assert.equal(await listOf(here), await listOf(there));
});

test('where the series is not told, its dates are single events with a note; others stay series', async (context) => {
  const { there, here } = context;
  const [first] = await repeating(there, {
    ...WEEKLY,
    title: 'Drafted',
    status: 'draft',
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' },
  });
  await changed(there, first.id, { status: 'publish' });
  await repeating(there, { ...WEEKLY, title: 'Open' });
  const job = await imported(context);
  assert.equal(
    job.notes.map(({ name, reason }: Body) => [name, reason]),
    [
      [
        'Drafted',
        'taken as single events: only the address of the API tells by which rules it repeats, or the iCalendar address of that calendar',
      ],
    ],
  );
  const shown = (await listOf(here)) as Body[];
  assert.equal(
    shown.map(({ apart, ...event }) => event),
    ((await listOf(there)) as Body[]).map(({ apart, ...event }) => event),
  );
  assert.is((await here.get('/series', 'anonymous')).body.total, 1);
});

test.run();
