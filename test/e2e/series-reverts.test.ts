// Series brought back to what they were: dates return with their ids, and what was split off returns as well.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../projections/catalogue.ts';
import type { DocumentKey } from '../../src/read-model/documents.ts';
import { catchUp } from '../../src/read-model/projector/catch-up.ts';
import { replay } from '../../src/read-model/projector/replay.ts';
import { openSqliteReadModel } from '../../src/read-model/sqlite/open.ts';
import { type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService; first: Body; before: Body[] }>('reverts of series');

test.before.each(async (context) => {
  const daybook = await startTestService();
  const first = await daybook.created('editor', 'events', {
    ...someEvent({ title: 'Choir', start_date: '2026-12-01 19:00:00', end_date: '2026-12-01 21:00:00' }),
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=5' },
  });
  Object.assign(context, { daybook, first, before: await listed(daybook) });
});
test.after.each(({ daybook }) => daybook.close());

const listed = async (daybook: TestService): Promise<Body[]> =>
  (await daybook.get('/events?start_date=2026-11-25&end_date=2027-06-01&per_page=50')).body.events;
/** Without what every change moves on. */
const shown = (events: readonly Body[]): Body[] =>
  events.map(({ modified: _modified, modified_utc: _utc, notices: _notices, event_status: _status, ...event }) => {
    const { previous_start_date: _previous, ...rest } = event;
    return rest;
  });
const change = async (daybook: TestService, id: number, body: object): Promise<void> => {
  const answer = await daybook.request('editor', 'PATCH', `/events/${id}`, body);
  assert.is(answer.status, 200, answer.text);
};
const reverted = (daybook: TestService, series: number, revision: number, more = {}) =>
  daybook.request('editor', 'POST', `/series/${series}/revert`, { revision, ...more });

test('rules, times, content and left-out dates come back, with their ids', async ({ daybook, first, before }) => {
  const [, second] = before;
  await daybook.request('editor', 'DELETE', `/events/${second.id}`);
  await change(daybook, first.id, { scope: 'all', title: 'Chorus', start_date: '2026-12-01 18:00:00' });
  await change(daybook, first.id, { scope: 'all', recurrence: { rrule: 'FREQ=WEEKLY;INTERVAL=2;COUNT=3' } });
  const tried = await reverted(daybook, first.series.id, 0, { dry_run: true });
  assert.equal(
    tried.body.dates.added.map(({ id }: Body) => id),
    [before[1].id, before[3].id],
  );
  assert.is.not(shown(await listed(daybook)).length, 5, 'nothing has happened');
  const answer = await reverted(daybook, first.series.id, 0);
  assert.equal([answer.status, answer.body.title], [200, 'Choir'], answer.text);
  assert.equal(shown(await listed(daybook)), shown(before));
});

test('a series that was deleted is back', async ({ daybook, first, before }) => {
  await daybook.request('editor', 'DELETE', `/events/${first.id}?scope=all`);
  assert.equal(await listed(daybook), []);
  await reverted(daybook, first.series.id, 0);
  assert.equal(shown(await listed(daybook)), shown(before));
});

test('a split is taken back, also one of what was split off, and a new read model says the same', async (context) => {
  const { daybook, first, before } = context;
  await change(daybook, before[2].id, { scope: 'following', title: 'Big choir', start_date: '2026-12-15 20:00:00' });
  await change(daybook, before[4].id, { scope: 'following', title: 'Huge choir' });
  const heir = (await listed(daybook))[2].series.id;
  const answer = await reverted(daybook, first.series.id, 0);
  assert.is(answer.status, 200, answer.text);
  assert.equal(shown(await listed(daybook)), shown(before));
  assert.is((await daybook.get(`/events?series=${heir}`)).body.total ?? 0, 0);
  // What follows is one series again.
  await change(daybook, before[4].id, { scope: 'all', title: 'Chorus' });
  assert.equal(new Set((await listed(daybook)).map(({ title }) => title)), new Set(['Chorus']));
  const { store, rendering } = daybook.stores;
  const projections = allProjections(rendering);
  const keys = Array.from({ length: 400 }, (_, at): DocumentKey => ({ kind: 'event', id: at + 1 }));
  const documents = await daybook.readModel.fetch(keys);
  for (const fill of [
    catchUp,
    async (...[from, to, all]: Parameters<typeof catchUp>) => {
      await replay(from, to, all, { upTo: await from.head() });
    },
  ]) {
    const model = openSqliteReadModel({ file: ':memory:', fingerprint: 'any' });
    await fill(store, model, projections);
    assert.equal(await model.fetch(keys), documents);
    await model.close();
  }
});

test('a series whose split was taken back says which one to revert; that gives it its dates again', async (context) => {
  const { daybook, first, before } = context;
  const root = first.series.id;
  await change(daybook, before[2].id, { scope: 'following', title: 'Big choir', start_date: '2026-12-15 20:00:00' });
  await change(daybook, before[4].id, { scope: 'following', title: 'Huge choir' });
  const split = await listed(daybook);
  const [big, huge] = [split[2], split[4]].map(({ series }) => series.id);
  const isSplit = (await daybook.request('editor', 'GET', `/series/${root}/history`)).body.history[0].revision;
  await reverted(daybook, root, 0);
  const refused = await reverted(daybook, big, 0);
  assert.equal([refused.status, refused.body.code], [409, 'rest_series_joined'], refused.text);
  assert.equal(refused.body.data.series, root);
  assert.equal(refused.body.data.revision, isSplit);
  assert.equal((await reverted(daybook, huge, 0)).body.data.series, big, 'it came from that one');
  assert.equal(shown(await listed(daybook)), shown(before), 'nothing has happened');
  const tried = await reverted(daybook, root, isSplit, { dry_run: true });
  assert.equal(
    tried.body.dates.changed.map(({ id }: Body) => id),
    before.slice(2).map(({ id }) => id),
  );
  const answer = await reverted(daybook, root, isSplit);
  assert.is(answer.status, 200, answer.text);
  assert.equal(shown(await listed(daybook)), shown(split));
  // Both belong together again, and can be joined once more.
  await reverted(daybook, root, 0);
  assert.equal(shown(await listed(daybook)), shown(before));
});

test('dates of a series that has got its own where another went on are kept, each of one series', async (context) => {
  const { daybook, first, before } = context;
  await change(daybook, before[3].id, { scope: 'following', title: 'Big choir' });
  await change(daybook, first.id, { scope: 'all', recurrence: { rrule: 'FREQ=WEEKLY;COUNT=5' } });
  const both = await listed(daybook);
  assert.is(both.length, 7);
  const answer = await reverted(daybook, first.series.id, 0);
  assert.is(answer.status, 200, answer.text);
  const now = await listed(daybook);
  assert.equal([now.length, new Set(now.map(({ series }) => series.id)).size], [5, 1]);
  const others = both.filter(({ id }) => !now.some((event) => event.id === id));
  for (const { id } of others)
    assert.is((await daybook.request('editor', 'GET', `/events/${id}`)).body.code, 'event-no-longer-available');
});

test('a date that was left out is back in the series when it is restored', async ({ daybook, before }) => {
  const [, second] = before;
  await daybook.request('editor', 'DELETE', `/events/${second.id}`);
  await change(daybook, second.id, { status: 'publish' });
  const [again] = (await listed(daybook)).slice(1);
  assert.equal([again.id, again.series.is_override, again.recurrence.exdates], [second.id, false, []]);
});

test('who may not change it, and revisions that are not there, are refused', async ({ daybook, first }) => {
  const by = (as: 'anonymous' | 'contributor' | 'author' | 'editor', body: object) =>
    daybook.request(as, 'POST', `/series/${first.series.id}/revert`, body);
  const statuses = [];
  for (const as of ['anonymous', 'contributor', 'author'] as const)
    statuses.push((await by(as, { revision: 0 })).status);
  assert.equal(statuses, [401, 403, 403]);
  assert.is((await by('editor', { revision: 7 })).body.code, 'rest_revision_not_found');
  assert.is((await by('editor', { revision: 'x' })).status, 400);
  assert.is((await reverted(daybook, 9_999, 0)).body.code, 'rest_series_not_found');
});

test.run();
