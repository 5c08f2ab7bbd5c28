// Venues and terms of series that are merged: the dates follow as dates of their series, and so do those to come.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '../support/killed-appends.ts';
import { type Body, NOON, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService }>('series and merges');

test.before.each(async (context) => {
  context.daybook = await startTestService();
});
test.after.each(({ daybook }) => daybook.close());

const DAY = 86_400;
const TIMES = { start_date: '2026-12-01 19:00:00', end_date: '2026-12-01 21:00:00' };

const venueNames = (events: readonly Body[]): string[] => events.map(({ venue }) => [venue].flat()[0]?.venue);
const isApart = (events: readonly Body[]): boolean[] => events.map(({ series }) => series.is_override);

async function filled(daybook: TestService) {
  const stays = await daybook.created('editor', 'venues', { venue: 'Town Hall' });
  const goes = await daybook.created('editor', 'venues', { venue: 'The Townhall' });
  const event = { ...someEvent({ ...TIMES, venue: goes.id }), recurrence: { rrule: 'FREQ=WEEKLY' } };
  const first = await daybook.created('editor', 'events', event);
  const dates = async (): Promise<Body[]> =>
    (await daybook.get(`/events?series=${first.series.id}&start_date=2026-01-01&end_date=2030-01-01&per_page=50`)).body
      .events;
  const last = async (): Promise<Body> => {
    const query = `series=${first.series.id}&start_date=2026-01-01&end_date=2030-01-01&per_page=50`;
    const { body } = await daybook.get(`/events?${query}`);
    return (await daybook.get(`/events?${query}&page=${body.total_pages}`)).body.events.at(-1);
  };
  const facts = async (): Promise<string[]> =>
    (await daybook.store.readStream(`series-${first.series.id}`)).map(({ type }) => type);
  const merge = () => daybook.request('editor', 'POST', `/venues/${goes.id}/merge`, { into: stays.id });
  return { stays, goes, series: first.series.id, dates, last, facts, merge };
}

test('dates follow a merge of their venue by one fact, and dates to come with them', async ({ daybook }) => {
  const { stays, goes, dates, last, facts, merge } = await filled(daybook);
  const [, second] = await dates();
  await daybook.request('editor', 'PATCH', `/events/${second.id}`, { title: 'With guests' });
  const merged = await merge();
  assert.equal([merged.status, merged.body.events.count], [200, 105], merged.text);
  const after = await dates();
  assert.equal([...new Set(venueNames(after))], ['Town Hall']);
  assert.equal(isApart(after).slice(0, 4), [false, true, false, false]);
  assert.equal(await facts(), ['SeriesOpened', 'OccurrenceDetached', 'SeriesContentChanged']);
  const before = await last();
  daybook.clock.at = NOON + 60 * DAY;
  await until(async () => (await last()).id !== before.id, 'no date was added');
  assert.equal(venueNames([await last()]), ['Town Hall']);
  assert.is((await daybook.get(`/events?venue=${stays.id}&start_date=2026-01-01&end_date=2030-01-01`)).body.total, 112);
  assert.is((await daybook.get(`/venues/${goes.id}`)).status, 308);
});

test('a revert takes the merge apart, also for dates that were split off since', async ({ daybook }) => {
  const { goes, dates, merge } = await filled(daybook);
  const [, second, third] = await dates();
  await daybook.request('editor', 'PATCH', `/events/${second.id}`, { title: 'With guests' });
  await merge();
  const split = await daybook.request('editor', 'PATCH', `/events/${third.id}`, { scope: 'following', title: 'Big' });
  assert.is(split.status, 200, split.text);
  const reverted = await daybook.request('editor', 'POST', `/venues/${goes.id}/revert`, { revision: 1 });
  assert.is(reverted.status, 200, reverted.text);
  const all = (await daybook.get('/events?start_date=2026-01-01&end_date=2027-02-01&per_page=50')).body.events;
  assert.equal([...new Set(venueNames(all))], ['The Townhall']);
  assert.equal(isApart(all).slice(0, 5), [false, true, false, false, false]);
});

test('dates of a series that were all changed apart are merged, and those to come', async ({ daybook }) => {
  const stays = await daybook.created('editor', 'tags', { name: 'Choir' });
  const goes = await daybook.created('editor', 'tags', { name: 'Choirs' });
  const event = { ...someEvent({ ...TIMES, tags: [goes.id] }), recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2' } };
  const first = await daybook.created('editor', 'events', event);
  const dates = async (): Promise<Body[]> => (await daybook.get(`/events?series=${first.series.id}`)).body.events;
  for (const { id } of await dates())
    await daybook.request('editor', 'PATCH', `/events/${id}`, { title: `Apart ${id}` });
  await daybook.request('editor', 'POST', `/tags/${goes.id}/merge`, { into: stays.id });
  const recurrence = { rrule: 'FREQ=WEEKLY;COUNT=3' };
  await daybook.request('editor', 'PATCH', `/events/${first.id}`, { scope: 'all', recurrence });
  assert.equal(
    (await dates()).map(({ tags }) => tags.map(({ id }: Body) => id)),
    [[stays.id], [stays.id], [stays.id]],
  );
});

test.run();
