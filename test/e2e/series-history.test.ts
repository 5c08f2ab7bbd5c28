// The history of a series in sentences, and its changes in the feed.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService; ids: number[]; series: number }>('histories of series');

/** Everything that can happen to a series, in turn. */
test.before(async (context) => {
  const daybook = await startTestService();
  const first = await daybook.created('editor', 'events', {
    ...someEvent({ title: 'Choir', start_date: '2026-12-01 19:00:00', end_date: '2026-12-01 21:00:00' }),
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=5' },
  });
  const { events } = (await daybook.get(`/events?series=${first.series.id}`)).body;
  const ids: number[] = events.map(({ id }: Body) => id);
  const patch = (at: number, body: object) => daybook.request('editor', 'PATCH', `/events/${ids[at]}`, body);
  const remove = (at: number, scope: string) =>
    daybook.request('editor', 'DELETE', `/events/${ids[at]}?scope=${scope}`);
  const all = { scope: 'all' };
  const answers = [
    await remove(1, 'this'),
    await patch(2, { title: 'Choir with guests' }),
    await patch(0, { ...all, title: 'Chorus', start_date: '2026-12-01 18:30:00' }),
    await patch(0, { ...all, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=6' } }),
    await patch(4, { scope: 'following', title: 'Big choir' }),
    await remove(3, 'following'),
    await remove(0, 'all'),
  ];
  for (const { status, text } of answers) assert.is(status, 200, text);
  Object.assign(context, { daybook, ids, series: first.series.id });
});
test.after(({ daybook }) => daybook.close());

const SENTENCES = [
  'All dates moved to the trash.',
  'Ends before 2026-12-22 18:30.',
  /^From 2026-12-29 18:30 on it goes on as series \d+\.$/,
  /^Repeats from now on: every Tuesday.*6 times/,
  'All dates start at 18:30.',
  'All dates changed.',
  '2026-12-15 19:00 set apart from the others.',
  '2026-12-08 19:00 left out.',
  /^Repeats: every Tuesday.*5 times/,
];

test('its history tells each step in a sentence', async ({ daybook, series }) => {
  const { body } = await daybook.get(`/series/${series}/history?per_page=50`, 'editor');
  const told: string[] = body.history.map(({ summary }: Body) => summary);
  for (const [at, sentence] of SENTENCES.entries())
    if (typeof sentence === 'string') assert.is(told[at], sentence);
    else assert.match(told[at] ?? '', sentence);
  assert.is(told.length, SENTENCES.length);
  const german = await daybook.get(`/series/${series}/history`, 'editor', { 'accept-language': 'de' });
  assert.match(german.body.history.at(-1).summary, /^Wiederholt sich: jeden Dienstag/);
});

test('only those who may read it', async ({ daybook, series }) => {
  const statusFor = async (as: 'anonymous' | 'contributor' | 'editor') =>
    (await daybook.get(`/series/${series}/history`, as)).status;
  assert.equal(
    [await statusFor('anonymous'), await statusFor('contributor'), await statusFor('editor')],
    [401, 403, 200],
  );
  assert.is((await daybook.get('/series/9999/history', 'editor')).body.code, 'rest_series_not_found');
});

test('the feed of changes has each step once, and what one date did on its own', async ({ daybook, ids, series }) => {
  const { changes } = (await daybook.get('/changes?kind=series,event&per_page=50', 'editor')).body;
  const ofSeries = changes.filter((one: Body) => one.kind === 'series' && one.id === series);
  assert.is(ofSeries.length, SENTENCES.length);
  assert.match(ofSeries[0].summary, /^Repeats: every Tuesday/);
  assert.ok(ofSeries[0].url.endsWith(`/series/${series}`));
  const ofEvents = changes.filter(({ kind }: Body) => kind === 'event');
  assert.equal(
    ofEvents.map(({ id, type }: Body) => [id, type]),
    [
      [ids[2], 'EventRetitled'],
      [ids[2], 'EventTrashed'],
    ],
  );
  const followed = (await daybook.get('/changes?types=OccurrenceDetached', 'editor')).body.changes;
  assert.is(followed.length, 1);
});

test.run();
