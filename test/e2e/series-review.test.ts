// Writes to series by users whose writes are reviewed: one date is proposed, and what cannot be proposed says what to do.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService }>('series under rules of review');

test.before.each(async (context) => {
  context.daybook = await startTestService();
});
test.after.each(({ daybook }) => daybook.close());

const CHOIR = {
  ...someEvent({ title: 'Choir', start_date: '2026-12-01 19:00:00', end_date: '2026-12-01 21:00:00' }),
  recurrence: { rrule: 'FREQ=WEEKLY;COUNT=5' },
};

test('nothing is lost: a series is not proposed as one of its dates', async ({ daybook }) => {
  const { request } = daybook;
  const first = await daybook.created('author', 'events', CHOIR);
  const rules = await request('administrator', 'PUT', '/policy', { events: { author: 'review', bypass: true } });
  assert.is(rules.status, 200, rules.text);
  const series = `/series/${first.series.id}`;
  const event = `/events/${first.id}`;
  const wide = (scope: string) => request('author', 'PATCH', event, { scope, title: 'Chorus' });
  const told: readonly Answer[] = [
    await request('author', 'POST', '/events', CHOIR),
    await wide('all'),
    await wide('following'),
    await request('author', 'DELETE', `${event}?scope=all`),
    await request('author', 'DELETE', `${event}?scope=following`),
  ];
  for (const { status, body, text } of told) {
    assert.equal([status, body.code], [403, 'rest_review_required'], text);
    assert.match(body.message, /leave recurrence out or send scope=this/);
  }
  await request('editor', 'PATCH', event, { scope: 'all', title: 'Singers' });
  const reverted = await request('author', 'POST', `${series}/revert`, { revision: 0 });
  assert.match(reverted.body.message, /send scope=this/);
  assert.is((await daybook.get('/proposals', 'editor')).body.total, 0);
  const tried = await request('author', 'PATCH', event, { scope: 'all', title: 'Chorus', dry_run: true });
  assert.equal([tried.status, tried.body.dates.kept + tried.body.dates.changed.length], [200, 5], tried.text);
});

test('one date is proposed, and set apart once that is approved', async ({ daybook }) => {
  const { request } = daybook;
  const first = await daybook.created('author', 'events', CHOIR);
  await request('administrator', 'PUT', '/policy', { events: { author: 'review' } });
  const proposed = await request('author', 'PATCH', `/events/${first.id}`, { title: 'With guests' });
  assert.equal([proposed.status, proposed.body.state], [202, 'open'], proposed.text);
  assert.is((await daybook.get(`/events/${first.id}`)).body.title, 'Choir');
  const approved = await request('editor', 'POST', `/proposals/${proposed.body.id}/approve`, {});
  assert.is(approved.status, 200, approved.text);
  const { events } = (await daybook.get(`/events?series=${first.series.id}`)).body;
  assert.equal(
    events.map(({ title, series }: { title: string; series: { is_override: boolean } }) => [title, series.is_override]),
    [['With guests', true], ...Array.from({ length: 4 }, () => ['Choir', false])],
  );
});

test.run();
