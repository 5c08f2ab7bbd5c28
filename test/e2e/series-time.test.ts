// What time does to series: dates are added, scheduled ones are published, new zone rules reach them.
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSweep } from '../../src/calendar/zone-rules/reactions/zone-rules-follower.ts';
import { until } from '../support/killed-appends.ts';
import { type Body, NOON, someEvent, startTestService, type TestService } from '../support/service.ts';
import { rulesWith } from '../support/zone-rules.ts';

const test = suite<{ daybook: TestService }>('series and time');
const DAY = 86_400;

test.before.each(async (context) => {
  context.daybook = await startTestService();
});
test.after.each(({ daybook }) => daybook.close());

const weekly = (daybook: TestService, fields: object = {}): Promise<Body> =>
  daybook.created('editor', 'events', {
    ...someEvent({ title: 'Choir', start_date: '2026-12-01 19:00:00', end_date: '2026-12-01 21:00:00' }),
    recurrence: { rrule: 'FREQ=WEEKLY' },
    ...fields,
  });
const seriesOf = async (daybook: TestService, { series }: Body): Promise<Body> =>
  (await daybook.get(`/series/${series.id}`, 'editor')).body;
const datesOf = async (daybook: TestService, { series }: Body): Promise<Body> =>
  (await daybook.get(`/events?series=${series.id}&start_date=2026-01-01&end_date=2036-01-01&per_page=50`)).body;
const facts = async (daybook: TestService, { series }: Body): Promise<string[]> =>
  (await daybook.store.readStream(`series-${series.id}`)).map(({ type }) => type);

test('a rule without an end has dates for two years, and gets later ones in time', async ({ daybook }) => {
  const first = await weekly(daybook);
  const before = await datesOf(daybook, first);
  assert.is(before.total, 105);
  daybook.clock.at = NOON + 60 * DAY;
  await until(async () => (await datesOf(daybook, first)).total > before.total, 'no date was added');
  const after = await datesOf(daybook, first);
  assert.is(after.total, 112);
  assert.equal(
    after.events.slice(0, 50).map(({ id }: Body) => id),
    before.events.map(({ id }: Body) => id),
  );
  assert.equal(await facts(daybook, first), ['SeriesOpened', 'HorizonMoved']);
  assert.is((await seriesOf(daybook, first)).dates_until, new Date((NOON + 791 * DAY) * 1000).toISOString());
});

test('a rule that has ended gets none', async ({ daybook }) => {
  const ended = await weekly(daybook, { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } });
  const open = await weekly(daybook);
  daybook.clock.at = NOON + 60 * DAY;
  await until(async () => (await facts(daybook, open)).length > 1, 'no date was added');
  assert.equal(await facts(daybook, ended), ['SeriesOpened']);
});

test('a scheduled series is published as a whole, by one fact', async ({ daybook }) => {
  const at = new Date((NOON + DAY) * 1000).toISOString();
  const first = await weekly(daybook, {
    status: 'publish',
    date_utc: at,
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=4' },
  });
  assert.is(first.status, 'future');
  assert.is((await datesOf(daybook, first)).total ?? 0, 0);
  daybook.clock.at = NOON + DAY + 1;
  await until(async () => (await datesOf(daybook, first)).total === 4, 'it was not published');
  assert.equal(await facts(daybook, first), ['SeriesOpened', 'SeriesContentChanged']);
});

test('new zone rules reach all coming dates by one fact, and set none of them apart', async ({ daybook }) => {
  const times = { start_date: '2027-12-15 19:00:00', end_date: '2027-12-15 22:00:00', timezone: 'America/New_York' };
  const first = await weekly(daybook, { ...times, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } });
  assert.is(first.utc_start_date, '2027-12-16 00:00:00');
  const log = pino({ level: 'silent' });
  const { store, clock } = daybook;
  // New York stays at summer time for good.
  const rules = rulesWith('2099a', { 'America/New_York': -4 });
  await openSweep({ store, rules, clock, newEventId: randomUUID, newId: randomUUID, log }).run(
    new AbortController().signal,
  );
  const starts = async () =>
    (await datesOf(daybook, first)).events.map((one: Body) => [one.utc_start_date, one.start_date]);
  await until(async () => (await starts())[0][0] === '2027-12-15 23:00:00', 'it was not adjusted');
  assert.equal(await starts(), [
    ['2027-12-15 23:00:00', '2027-12-15 19:00:00'],
    ['2027-12-22 23:00:00', '2027-12-22 19:00:00'],
    ['2027-12-29 23:00:00', '2027-12-29 19:00:00'],
  ]);
  assert.equal(await facts(daybook, first), ['SeriesOpened', 'SeriesAdjustedToZoneRules']);
});

test.run();
