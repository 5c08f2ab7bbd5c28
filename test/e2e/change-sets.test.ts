// Sets of proposals over HTTP: carried out together, now or at an instant, all of them or none.
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService }>('sets of changes');
test.before.each(async (context) => {
  context.daybook = await startTestService();
});
test.after.each(({ daybook }) => daybook.close());

async function proposed(daybook: TestService, change: object, by: 'editor' | 'contributor' = 'contributor') {
  const event = await daybook.created('editor', 'events', someEvent());
  const { body } = await daybook.request(by, 'POST', `/events/${event.id}/proposals`, change);
  return { event: Number(event.id), proposal: Number(body.id) };
}

const opened = async (daybook: TestService, proposals: readonly number[], name = 'Spring'): Promise<Body> =>
  (await daybook.request('editor', 'POST', '/sets', { name, proposals })).body;

test('a set is opened, collected, tried, applied and shown', async ({ daybook }) => {
  const one = await proposed(daybook, { title: 'One' });
  const two = await proposed(daybook, { title: 'Two' });
  const set = await opened(daybook, [one.proposal]);
  assert.equal([set.id, set.state, set.key, set.proposals], [1, 'open', 'spring', [one.proposal]]);
  const added = await daybook.request('editor', 'POST', '/sets/1/members', { proposals: [two.proposal] });
  assert.equal(added.body.proposals, [one.proposal, two.proposal]);
  const tried = await daybook.request('editor', 'POST', '/sets/1/apply', { dry_run: true });
  assert.equal([tried.status, tried.body.fits, tried.body.state], [200, true, 'open']);
  const applied = await daybook.request('editor', 'POST', '/sets/1/apply', {});
  assert.equal([applied.status, applied.body.state, applied.body.problems], [200, 'applied', []]);
  assert.is((await daybook.get(`/events/${one.event}`)).body.title, 'One');
  assert.is((await daybook.get(`/events/${two.event}`)).body.title, 'Two');
  assert.is((await daybook.get(`/proposals/${two.proposal}`, 'editor')).body.state, 'applied');
  assert.is((await daybook.request('editor', 'POST', '/sets/1/apply', {})).status, 409);
  const { body } = await daybook.get('/sets?state=applied', 'editor');
  assert.equal([body.total, body.sets[0].request !== null], [1, true]);
});

test('sets of one name have keys of their own, and none is a number', async ({ daybook }) => {
  const { proposal } = await proposed(daybook, { title: 'One' });
  const keys = [];
  for (const name of ['Spring', 'Spring', '2027']) keys.push((await opened(daybook, [proposal], name)).key);
  assert.equal(keys, ['spring', 'spring-2', 'set-2027']);
  const ahead = async (set: string) => (await daybook.get(`/events?with=set:${set}`, 'editor')).status;
  assert.equal([await ahead('spring-2'), await ahead('3'), await ahead('set-2027')], [200, 200, 200]);
  assert.is(await ahead('spring-3'), 404);
});

test('a set with new resources creates them', async ({ daybook }) => {
  const { body } = await daybook.request('contributor', 'POST', '/events/proposals', someEvent({ title: 'New' }));
  await opened(daybook, [body.id]);
  assert.is((await daybook.request('editor', 'POST', '/sets/1/apply', {})).status, 200);
  assert.is((await daybook.get(`/events/${body.target.id}`, 'editor')).body.title, 'New');
});

test('reading and trying a set draw no id for what it would create', async ({ daybook }) => {
  const { proposal } = await proposed(daybook, { tags: ['Brand new'], venue: { venue: 'New Hall' } });
  const { id } = await opened(daybook, [proposal]);
  const before = await daybook.store.head();
  assert.is((await daybook.get(`/sets/${id}`, 'editor')).status, 200);
  const tried = await daybook.request('editor', 'POST', `/sets/${id}/apply`, { dry_run: true });
  assert.is(tried.body.fits, true, tried.text);
  assert.is(await daybook.store.head(), before);
});

test('one member that does not fit leaves all of the set as it is', async ({ daybook }) => {
  const one = await proposed(daybook, { title: 'One' });
  const two = await proposed(daybook, { title: 'Two' });
  await daybook.request('editor', 'PATCH', `/events/${two.event}`, { title: 'Theirs' });
  await opened(daybook, [one.proposal, two.proposal]);
  const refused = await daybook.request('editor', 'POST', '/sets/1/apply', {});
  assert.equal([refused.status, refused.body.code], [409, 'rest_set_unfit']);
  assert.equal(
    refused.body.data.problems.map(({ proposal, fields }: Body) => [proposal, fields]),
    [[two.proposal, ['title']]],
  );
  assert.is((await daybook.get(`/proposals/${one.proposal}`, 'editor')).body.state, 'open');
  assert.is((await daybook.get(`/events/${two.event}`)).body.title, 'Theirs');
});

test('conflicts inside a set and other sets about the same are told before', async ({ daybook }) => {
  const one = await proposed(daybook, { title: 'One' });
  const other = await daybook.request('contributor', 'POST', `/events/${one.event}/proposals`, { title: 'Other' });
  await opened(daybook, [one.proposal, other.body.id]);
  await opened(daybook, [other.body.id], 'Summer');
  const { body } = await daybook.request('editor', 'POST', '/sets/1/apply', { dry_run: true });
  assert.equal([body.fits, body.problems[0].proposal], [false, other.body.id]);
  assert.equal(body.others, [{ set: 2, name: 'Summer', proposals: [other.body.id] }]);
  const read = (await daybook.get('/sets/1', 'editor')).body;
  assert.equal(
    [read.fits, read.problems, read.others],
    [body.fits, body.problems, body.others],
    'reading it tells too',
  );
  await daybook.request('editor', 'PATCH', '/sets/1', { proposals: [one.proposal] });
  await daybook.request('editor', 'PATCH', `/events/${one.event}`, { title: 'Theirs' });
  const [since] = (await daybook.get('/sets/1', 'editor')).body.problems;
  assert.equal([since.proposal, since.fields], [one.proposal, ['title']], 'what has happened since');
});

test('a scheduled set is applied at its instant', async ({ daybook }) => {
  const one = await proposed(daybook, { title: 'One' });
  await opened(daybook, [one.proposal]);
  const at = new Date((daybook.clock.at + 3600) * 1000).toISOString();
  const past = new Date((daybook.clock.at - 1) * 1000).toISOString();
  const late = await daybook.request('editor', 'POST', '/sets/1/schedule', { at: past });
  assert.is(late.status, 400);
  assert.match(late.body.data.params.at, /must be an instant to come: it is 20/);
  const scheduled = await daybook.request('editor', 'POST', '/sets/1/schedule', { at });
  assert.equal([scheduled.body.state, scheduled.body.at], ['scheduled', at]);
  daybook.clock.at += 3601;
  assert.is((await decided(daybook, 1)).state, 'applied');
  assert.is((await daybook.get(`/events/${one.event}`)).body.title, 'One');
});

test('a scheduled set that does not fit any more is left whole, and says why', async ({ daybook }) => {
  const one = await proposed(daybook, { title: 'One' });
  const two = await proposed(daybook, { title: 'Two' });
  await opened(daybook, [one.proposal, two.proposal]);
  const at = new Date((daybook.clock.at + 3600) * 1000).toISOString();
  await daybook.request('editor', 'POST', '/sets/1/schedule', { at });
  await daybook.request('editor', 'PATCH', `/events/${two.event}`, { title: 'Theirs' });
  daybook.clock.at += 3601;
  const set = await decided(daybook, 1);
  assert.equal([set.state, set.at, set.problems[0].fields], ['failed', null, ['title']]);
  assert.is((await daybook.get(`/proposals/${one.proposal}`, 'editor')).body.state, 'open');
});

test('an unscheduled set is not applied; a withdrawn one cannot be', async ({ daybook }) => {
  const one = await proposed(daybook, { title: 'One' });
  await opened(daybook, [one.proposal]);
  const at = new Date((daybook.clock.at + 3600) * 1000).toISOString();
  await daybook.request('editor', 'POST', '/sets/1/schedule', { at });
  const { body } = await daybook.request('editor', 'DELETE', '/sets/1/schedule');
  assert.equal([body.state, body.at], ['open', null]);
  assert.is((await daybook.request('editor', 'DELETE', '/sets/1')).body.state, 'withdrawn');
  assert.is((await daybook.request('editor', 'POST', '/sets/1/apply', {})).status, 409);
});

for (const [who, status] of [
  ['anonymous', 401],
  ['subscriber', 403],
  ['contributor', 403],
  ['author', 403],
] as const)
  test(`sets do not exist for ${who}`, async ({ daybook }) => {
    const one = await proposed(daybook, { title: 'One' });
    await opened(daybook, [one.proposal]);
    assert.is((await daybook.request(who, 'GET', '/sets')).status, status);
    assert.is((await daybook.request(who, 'POST', '/sets', { name: 'Mine' })).status, status);
    for (const [method, step, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { name: 'x' }],
      ['DELETE', '', undefined],
      ['POST', '/members', { proposals: [1] }],
      ['POST', '/apply', {}],
      ['POST', '/schedule', { at: '2099-01-01' }],
      ['DELETE', '/schedule', undefined],
    ] as const)
      assert.is((await daybook.request(who, method, `/sets/1${step}`, body)).status, status, `${method} ${step}`);
  });

test('unknown sets, unknown members and empty sets are refused', async ({ daybook }) => {
  assert.is((await daybook.request('editor', 'POST', '/sets/9/apply', {})).status, 404);
  assert.is((await daybook.request('editor', 'POST', '/sets', { name: 'x', proposals: [99] })).status, 404);
  const set = (await daybook.request('editor', 'POST', '/sets', { name: 'Empty' })).body;
  assert.is(set.id, 1);
  assert.is((await daybook.request('editor', 'POST', '/sets/1/apply', {})).body.code, 'rest_set_empty');
});

test('two people apply a set at once: it is applied once', async ({ daybook }) => {
  const one = await proposed(daybook, { title: 'One' });
  await opened(daybook, [one.proposal]);
  const answers = await Promise.all(
    (['editor', 'administrator'] as const).map((who) => daybook.request(who, 'POST', '/sets/1/apply', {})),
  );
  assert.equal(answers.map(({ status }) => status).sort(), [200, 409]);
  const { history } = (await daybook.get(`/events/${one.event}/history`, 'editor')).body;
  assert.is(history.filter(({ type }: Body) => type === 'EventRetitled').length, 1);
});

async function decided(daybook: TestService, id: number): Promise<Body> {
  const begun = performance.now();
  for (;;) {
    const { body } = await daybook.get(`/sets/${id}`, 'editor');
    if (body.state !== 'scheduled') return body;
    assert.ok(performance.now() - begun < 30_000, 'the set was not applied');
    await sleep(50);
  }
}

test.run();
