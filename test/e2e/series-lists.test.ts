// Series in lists: all dates of one, and the next date of each.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService; choir: Body; alone: Body }>('lists of series');

test.before(async (context) => {
  const daybook = await startTestService();
  const weekly = (title: string, day: string) =>
    daybook.created('editor', 'events', {
      ...someEvent({ title, start_date: `${day} 19:00:00`, end_date: `${day} 21:00:00` }),
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' },
    });
  const choir = await weekly('Choir', '2026-12-01');
  await weekly('Chess', '2026-12-02');
  const day = { start_date: '2026-12-03 10:00:00', end_date: '2026-12-03 12:00:00' };
  Object.assign(context, { daybook, choir, alone: await daybook.created('editor', 'events', someEvent(day)) });
});
test.after(({ daybook }) => daybook.close());

const listed = async ({ daybook }: { daybook: TestService }, query: string): Promise<Body> =>
  (await daybook.get(`/events?start_date=2026-11-25&end_date=2027-02-01&${query}`)).body;
const titles = ({ events }: Body): string[] => events.map(({ title }: Body) => title);

test('all dates of one series are listed', async (context) => {
  const list = await listed(context, `series=${context.choir.series.id}`);
  assert.equal(titles(list), ['Choir', 'Choir', 'Choir']);
  assert.equal(await listed(context, `post_parent=${context.choir.series.id}`), {
    ...list,
    rest_url: list.rest_url.replace('series=', 'post_parent='),
  });
});

test('of each series the next date is listed, and counted once', async (context) => {
  const list = await listed(context, 'collapse=series&per_page=2');
  assert.equal([titles(list), list.total, list.total_pages], [['Choir', 'Chess'], 3, 2]);
  const later = await context.daybook.get('/events?start_date=2026-12-09&end_date=2027-02-01&collapse=series');
  assert.equal(
    later.body.events.map(({ title, start_date }: Body) => [title, start_date.slice(0, 10)]),
    [
      ['Chess', '2026-12-09'],
      ['Choir', '2026-12-15'],
    ],
  );
});

test('why a date is not listed where each series is there once', async (context) => {
  const { daybook, choir } = context;
  const { events } = await listed(context, `series=${choir.series.id}`);
  const why = async ({ id }: Body, query = 'start_date=2026-11-25') =>
    (await daybook.get(`/events/${id}/why?${query}&end_date=2027-02-01&collapse=series&per_page=1`, 'editor')).body;
  const saidOf = ({ conditions }: Body) => conditions.find(({ condition }: Body) => condition === 'collapse');
  const [first, second, third] = events;
  const told = await why(first);
  assert.equal([told.listed, told.place, told.total, saidOf(told).passes], [true, 1, 3, true]);
  const later = await why(second);
  assert.equal([later.listed, later.place, later.total, saidOf(later).passes], [false, null, 3, false]);
  assert.match(saidOf(later).sentence, /An earlier date of its series is listed/);
  const alone = await why(context.alone);
  assert.equal([alone.listed, alone.place, alone.page, alone.total], [true, 3, 3, 3]);
  // The second of its series after that day; the one of the other series is before it.
  const next = await why(second, 'start_date=2026-12-08');
  assert.equal([next.listed, next.place], [true, 1], next.summary);
  assert.is((await why(third, 'start_date=2026-12-08')).listed, false);
  const outside = await why(first, 'start_date=2026-12-08');
  assert.equal([outside.listed, saidOf(outside)], [false, undefined], 'another condition says it');
});

test('what a list cannot be collapsed by, and two parents at once, are refused', async (context) => {
  for (const query of [
    'collapse=venue',
    'series=nine',
    `series=${context.choir.series.id}&post_parent=${context.alone.id}`,
  ])
    assert.is((await context.daybook.get(`/events?${query}`)).status, 400, query);
});

test('series are listed with their rules in words, and read alone', async ({ daybook, choir }) => {
  const { body, headers } = await daybook.get('/series', 'anonymous', { 'accept-language': 'de' });
  assert.equal(
    [body.series.map(({ title }: Body) => title), body.total, headers['x-wp-total']],
    [['Chess', 'Choir'], 2, '2'],
  );
  const alone = await daybook.get(`/series/${choir.series.id}`);
  assert.equal([alone.body.title, alone.body.start_date], ['Choir', '2026-12-01 19:00:00']);
  assert.match(alone.body.summary, /every Tuesday/);
  assert.equal(alone.body.recurrence, choir.recurrence);
  const dates = await daybook.get(`${new URL(alone.body.events_url).search.replace(/^/, '/events')}`);
  assert.is(dates.body.total, 3);
});

test('a series is told to those alone who may see its dates', async ({ daybook }) => {
  const fields = { title: 'Hidden', status: 'draft', recurrence: { rrule: 'FREQ=DAILY;COUNT=2' } };
  const { series } = await daybook.created('editor', 'events', someEvent(fields));
  assert.is((await daybook.get(`/series/${series.id}`)).status, 404);
  assert.is((await daybook.get(`/series/${series.id}`, 'editor')).status, 200);
  assert.is((await daybook.get('/series')).body.total, 2);
  assert.is((await daybook.get('/series', 'contributor')).body.total, 2);
  assert.is((await daybook.get('/series', 'editor')).body.total, 3);
  assert.is((await daybook.get('/series/9999')).body.code, 'rest_series_not_found');
});

test.run();
