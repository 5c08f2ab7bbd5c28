// `POST /reverts` of requests that changed a series that was there before: the series is as it was, with the ids of its dates.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService; before: Body[] }>('reverting requests that changed series');

test.before.each(async (context) => {
  const daybook = await startTestService();
  await daybook.created('editor', 'events', {
    ...someEvent({ title: 'Choir', start_date: '2026-12-01 19:00:00', end_date: '2026-12-01 21:00:00' }),
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=5' },
  });
  Object.assign(context, { daybook, before: await listed(daybook) });
});
test.after.each(({ daybook }) => daybook.close());

const listed = async (daybook: TestService): Promise<Body[]> =>
  (await daybook.get('/events?start_date=2026-11-25&end_date=2027-06-01&per_page=50')).body.events;
const shown = (events: readonly Body[]) =>
  events.map(({ id, title, start_date, series, recurrence }) => ({ id, title, start_date, series, recurrence }));
const patch = (daybook: TestService, { id }: Body, body: object) =>
  daybook.request('editor', 'PATCH', `/events/${id}`, body);
const revert = ({ request }: TestService, { headers }: Answer, more = {}) =>
  request('editor', 'POST', '/reverts', { request: headers['x-request-id'], ...more });
const brief = ({ body, text }: Answer): string[] => {
  assert.ok(body.resources, text);
  return body.resources.map(({ kind, id, action, outcome }: Body) => `${kind} ${id} ${action} ${outcome}`);
};

const CHANGES: readonly (readonly [what: string, make: (daybook: TestService, dates: Body[]) => Promise<Answer>])[] = [
  ['of all dates', (daybook, [first]) => patch(daybook, first, { scope: 'all', title: 'Chorus' })],
  [
    'of the rule',
    (daybook, [first]) => patch(daybook, first, { scope: 'all', recurrence: { rrule: 'FREQ=DAILY;COUNT=3' } }),
  ],
  [
    'of those that follow',
    (daybook, [, , third]) =>
      patch(daybook, third, { scope: 'following', title: 'Big', start_date: '2026-12-15 20:00' }),
  ],
  ['that deletes one', (daybook, [, second]) => daybook.request('editor', 'DELETE', `/events/${second?.id}`)],
  ['that deletes all', (daybook, [first]) => daybook.request('editor', 'DELETE', `/events/${first?.id}?scope=all`)],
];

for (const [what, make] of CHANGES)
  test(`a change ${what} is taken back`, async ({ daybook, before }) => {
    const changed = await make(daybook, before);
    assert.is(changed.status, 200, changed.text);
    const series = before[0].series.id;
    const expected = [`series ${series} revert done`];
    assert.equal(brief(await revert(daybook, changed, { dry_run: true })), expected);
    assert.is.not(JSON.stringify(shown(await listed(daybook))), JSON.stringify(shown(before)), 'nothing has happened');
    const answer = await revert(daybook, changed);
    assert.equal(brief(answer), expected);
    assert.equal(
      [answer.body.resources[0].url, answer.body.done],
      [`http://cal.example/calendar/events/v1/series/${series}`, 1],
    );
    assert.equal(shown(await listed(daybook)), shown(before));
    assert.equal(brief(await revert(daybook, changed)), [`series ${series} revert unchanged`]);
  });

test('a series that was changed since stays', async ({ daybook, before }) => {
  const [first, second] = before;
  const changed = await patch(daybook, first, { scope: 'all', title: 'Chorus' });
  await patch(daybook, second, { title: 'With guests' });
  assert.equal(brief(await revert(daybook, changed, { dry_run: true })).sort(), [
    `event ${second.id} revert changed_later`,
    `series ${first.series.id} revert done`,
  ]);
  await patch(daybook, first, { scope: 'all', title: 'Singers' });
  const outcomes = brief(await revert(daybook, changed));
  assert.ok(outcomes.includes(`series ${first.series.id} revert changed_later`), outcomes.join());
  assert.is((await listed(daybook))[0].title, 'Singers');
});

test('a revert that made one series of two is not taken back, and says so', async ({ daybook, before }) => {
  const [first, , third] = before;
  await patch(daybook, third, { scope: 'following', title: 'Big choir' });
  const whole = await daybook.request('editor', 'POST', `/series/${first.series.id}/revert`, { revision: 0 });
  const { body } = await revert(daybook, whole);
  assert.equal([body.done, body.conflicts], [0, 2]);
  assert.match(body.resources[0].why, /earlier state cannot be restored/);
  assert.equal(shown(await listed(daybook)), shown(before));
});

test.run();
