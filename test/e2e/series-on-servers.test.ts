// Series over an event store that writes stream after stream, and a read model in Redis.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../projections/catalogue.ts';
import type { DocumentKey } from '../../src/read-model/documents.ts';
import { catchUp } from '../../src/read-model/projector/catch-up.ts';
import { openSqliteReadModel } from '../../src/read-model/sqlite/open.ts';
import { type Deployment, startDeployment } from '../support/deployment.ts';
import type { AppendFault } from '../support/eventstoredb-server.ts';
import { until } from '../support/killed-appends.ts';
import { type Answer, type Body, NOON, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ deployment: Deployment; daybook: TestService }>('series over EventStoreDB and Redis');

test.before(async (context) => {
  context.deployment = await startDeployment();
  context.daybook = await startTestService({ environment: context.deployment.settings });
});
test.after(async ({ deployment, daybook }) => {
  await daybook.close();
  await deployment.close();
});

const weekly = async (daybook: TestService, title: string): Promise<Body[]> => {
  const times = { start_date: '2026-12-01 19:00:00', end_date: '2026-12-01 21:00:00' };
  const recurrence = { rrule: 'FREQ=WEEKLY;COUNT=5' };
  const { series } = await daybook.created('editor', 'events', { ...someEvent({ title, ...times }), recurrence });
  return datesOf(daybook, series.id);
};
const datesOf = async (daybook: TestService, series: number): Promise<Body[]> =>
  (await daybook.get(`/events?series=${series}&per_page=50`)).body.events;
const patched = (daybook: TestService, { id }: Body, body: object): Promise<Answer> =>
  daybook.request('editor', 'PATCH', `/events/${id}`, body);
const titles = (events: readonly Body[]): string[] => events.map(({ title }) => title);

test('all that is done to dates is in lists, old states and a new read model alike', async ({ daybook }) => {
  const [first, second, third, fourth] = await weekly(daybook, 'Choir');
  const series = first.series.id;
  daybook.clock.at = NOON + 60;
  for (const answer of [
    await patched(daybook, second, { title: 'Choir with guests' }),
    await patched(daybook, first, { scope: 'all', title: 'Chorus', start_date: '2026-12-01 18:00:00' }),
    await patched(daybook, fourth, { scope: 'following', title: 'Big choir' }),
    await daybook.request('editor', 'DELETE', `/events/${third.id}`),
  ])
    assert.is(answer.status, 200, answer.text);
  assert.equal(titles(await datesOf(daybook, series)), ['Chorus', 'Choir with guests']);
  const then = encodeURIComponent(new Date((NOON + 30) * 1000).toISOString());
  const before = await daybook.get(`/events?series=${series}&per_page=50&as_of=${then}`);
  assert.equal(
    titles(before.body.events),
    ['Choir', 'Choir', 'Choir', 'Choir'],
    'what is in the trash today stays there',
  );
  assert.is((await daybook.get('/events?collapse=series')).body.total, 2);
  const { store, rendering } = daybook.stores;
  const fresh = openSqliteReadModel({ file: ':memory:', fingerprint: 'any' });
  await catchUp(store, fresh, allProjections(rendering));
  for (const kind of ['event', 'series'] as const) {
    const keys = Array.from({ length: 200 }, (_, at): DocumentKey => ({ kind, id: at + 1 }));
    const documents = await daybook.readModel.fetch(keys);
    assert.is(documents.filter((one) => one !== null).length, kind === 'event' ? 5 : 2);
    assert.equal(await fresh.fetch(keys), documents);
  }
  await fresh.close();
});

/** More than a client tries again. */
const UNAVAILABLE = Array.from({ length: 50 }, (): AppendFault => 'unavailable');

for (const [at, written] of ['nothing', 'the first append'].entries())
  test(`a date of whose change ${written} was written is whole, and can be changed again`, async (context) => {
    const { deployment, daybook } = context;
    const [first, second] = await weekly(daybook, `Chess ${at}`);
    const { appendFaults } = deployment.events;
    appendFaults.push(...Array.from({ length: at }, (): AppendFault => 'none'), ...UNAVAILABLE);
    const failed = await patched(daybook, second, { title: 'Chess for all' });
    appendFaults.splice(0);
    assert.is(failed.status, 503, failed.text);
    assert.is((await daybook.get(`/events/${second.id}`)).body.title, `Chess ${at}`);
    const again = await patched(daybook, second, { title: 'Chess for all' });
    assert.equal([again.status, again.body.title, again.body.series.is_override], [200, 'Chess for all', true]);
    await patched(daybook, first, { scope: 'all', title: 'Chess club' });
    const all = titles(await datesOf(daybook, first.series.id));
    assert.equal(all.slice(0, 3), ['Chess club', 'Chess for all', 'Chess club']);
  });

test('a series of which only a part could be written is not there, and can be created again', async (context) => {
  const { deployment, daybook } = context;
  const { appendFaults } = deployment.events;
  const body = {
    ...someEvent({ title: 'Yoga', start_date: '2026-12-03 19:00:00', end_date: '2026-12-03 21:00:00' }),
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' },
  };
  const { total } = (await daybook.get('/series')).body;
  for (let passed = 0; ; passed++) {
    assert.ok(passed < 12, 'it never was created');
    appendFaults.push(...Array.from({ length: passed }, (): AppendFault => 'none'), ...UNAVAILABLE);
    const answer = await daybook.request('editor', 'POST', '/events', body);
    appendFaults.splice(0);
    const now = (await daybook.get('/series')).body.total;
    if (answer.status === 201) {
      assert.is(now, total + 1);
      assert.equal(titles(await datesOf(daybook, answer.body.series.id)), ['Yoga', 'Yoga', 'Yoga']);
      return;
    }
    assert.equal([answer.status, answer.headers['retry-after'] !== undefined, now], [503, true, total]);
  }
});

test('a split whose writer dies before the other series is there is completed', async ({ deployment, daybook }) => {
  const dates = await weekly(daybook, 'Dance');
  const { appendFaults } = deployment.events;
  const { series } = dates[2];
  // What the split draws and reserves is written first: the fault comes with the first append behind the split itself.
  const isSplit = async () => (await daybook.store.readStream(`series-${series.id}`)).at(-1)?.type === 'SeriesSplit';
  let passed = 0;
  for (; !(await isSplit()); passed++) {
    appendFaults.push(...Array.from({ length: passed }, (): AppendFault => 'none'), ...UNAVAILABLE);
    const answer = await patched(daybook, dates[2], { scope: 'following', title: 'Tango' });
    appendFaults.splice(0);
    assert.is(answer.status, 503, `after ${passed} appends: ${answer.text}`);
  }
  assert.equal(titles(await datesOf(daybook, series.id)), ['Dance', 'Dance', 'Dance', 'Dance', 'Dance']);
  daybook.clock.at += 3_700;
  const heir = async (): Promise<number> => (await daybook.get(`/events/${dates[2].id}`)).body.series.id;
  await until(async () => (await heir()) !== series.id, 'the split was not completed');
  assert.equal(titles(await datesOf(daybook, await heir())), ['Dance', 'Dance', 'Dance']);
  const again = await patched(daybook, dates[2], { scope: 'all', title: 'Tango' });
  assert.equal([again.status, titles(await datesOf(daybook, await heir()))], [200, ['Tango', 'Tango', 'Tango']]);
});

test('dates that are added while appends fail are added once', async ({ deployment, daybook }) => {
  const times = { start_date: '2026-12-02 19:00:00', end_date: '2026-12-02 21:00:00' };
  const recurrence = { rrule: 'FREQ=WEEKLY' };
  const { series } = await daybook.created('editor', 'events', {
    ...someEvent({ title: 'Tai chi', ...times }),
    recurrence,
  });
  const facts = async () => (await daybook.store.readStream(`series-${series.id}`)).map(({ type }) => type);
  const { appendFaults, counts } = deployment.events;
  const list = async () =>
    (await daybook.get(`/events?series=${series.id}&start_date=2026-01-01&end_date=2036-01-01&per_page=1`)).body;
  const { total } = await list();
  appendFaults.push(...UNAVAILABLE);
  const appends = counts.appends;
  daybook.clock.at += 60 * 86_400;
  await until(() => counts.appends > appends, 'nothing was tried');
  assert.equal(await facts(), ['SeriesOpened']);
  appendFaults.splice(0);
  await until(async () => (await list()).total > total, 'no date was added');
  assert.equal(await facts(), ['SeriesOpened', 'HorizonMoved']);
});

test.run();
