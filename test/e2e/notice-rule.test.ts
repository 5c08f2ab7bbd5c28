// The rule that the date of a published event does not change without a notice: where it applies, and where it does not.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { changeCalendarEvent } from '../../src/calendar/event/commands/events.ts';
import { commandDependencies } from '../../src/commands/dependencies.ts';
import { type Answer, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService }>('notices that the rules demand');

test.before(async (context) => {
  context.daybook = await startTestService();
  await rule(context.daybook, 'required');
});
test.after(({ daybook }) => daybook.close());

async function rule(daybook: TestService, notice: 'required' | 'optional'): Promise<void> {
  const set = await daybook.request('administrator', 'PATCH', '/policy', { events: { notice } });
  assert.equal([set.status, set.body.events.notice, set.body.venues.notice], [200, notice, undefined], set.text);
}

const START = '2026-12-21 10:00:00';
const LATER = { start_date: '2031-03-02 20:00:00', end_date: '2031-03-02 22:00:00' };
const NOTICE = { notice: 'A day later: the hall is closed.' };

const anEvent = async (daybook: TestService, fields: object = {}): Promise<number> =>
  (await daybook.created('editor', 'events', someEvent(fields))).id;

const proposed = (daybook: TestService, id: number, change: object): Promise<Answer> =>
  daybook.request('editor', 'POST', `/events/${id}/proposals`, change);

function assertDemanded({ status, body }: Answer, what: string): void {
  assert.equal(
    [status, body.code, Object.keys(body.data?.params ?? {})],
    [400, 'rest_invalid_param', ['notice']],
    what,
  );
  assert.match(body.message, /The rules demand a notice .* say in notice what its readers must know/);
}

for (const method of ['POST', 'PUT', 'PATCH'] as const)
  test(`${method}: a new date without a notice is refused by the name of the field, and nothing is written`, async ({
    daybook,
  }) => {
    const id = await anEvent(daybook);
    const head = await daybook.store.head();
    for (const sent of [
      LATER,
      { ...LATER, notice: '' },
      { ...LATER, tags: ['new here'], venue: { venue: 'New hall' } },
    ])
      assertDemanded(await daybook.request('editor', method, `/events/${id}`, sent), JSON.stringify(sent));
    const bypassing = await daybook.request('editor', method, `/events/${id}`, LATER, { 'x-bypass-review': 'hurry' });
    assertDemanded(bypassing, 'review may be bypassed, the public may not');
    assert.is(await daybook.store.head(), head);
    const moved = await daybook.request('editor', method, `/events/${id}`, { ...LATER, ...NOTICE });
    assert.equal([moved.status, moved.body.notices?.at(-1).text], [200, NOTICE.notice], moved.text);
  });

const FREE: readonly (readonly [what: string, fields: object, change: object])[] = [
  ['the same date', {}, { start_date: START }],
  ['another title', {}, { title: 'Other' }],
  ['canceled', {}, { event_status: 'canceled' }],
  ['a draft', { status: 'draft' }, LATER],
  ['a private event', { status: 'private' }, LATER],
  ['a draft that is published', { status: 'draft' }, { ...LATER, status: 'publish' }],
  ['taken back to draft', {}, { ...LATER, status: 'draft' }],
];

for (const [what, fields, change] of FREE)
  test(`needs none: ${what}`, async ({ daybook }) => {
    const id = await anEvent(daybook, fields);
    const answer = await daybook.request('editor', 'PATCH', `/events/${id}`, change);
    assert.is(answer.status, 200, answer.text);
  });

test('an event that was public once is not moved behind the back of its readers', async ({ daybook }) => {
  const id = await anEvent(daybook);
  const change = (sent: object): Promise<Answer> => daybook.request('editor', 'PATCH', `/events/${id}`, sent);
  const allowed = async (sent: object): Promise<void> => {
    const { status, text } = await change(sent);
    assert.is(status, 200, text);
  };
  await allowed({ status: 'draft' });
  await allowed(LATER);
  await allowed({ title: 'Moved as a draft' });
  const head = await daybook.store.head();
  assertDemanded(await change({ status: 'publish' }), 'published again');
  assertDemanded(await change({ status: 'publish', date: '2031-01-01 00:00:00' }), 'planned to be');
  assertDemanded(
    await daybook.request('editor', 'PATCH', `/events/${id}/`, { status: 'publish', notice: '' }),
    'empty',
  );
  assert.is(await daybook.store.head(), head);
  await allowed({ status: 'publish', ...NOTICE });
  assert.is((await daybook.get(`/events/${id}`)).body.notices.at(-1).text, NOTICE.notice);
  await allowed({ status: 'private' });
  await allowed({ status: 'publish' });
  await allowed({ status: 'draft', start_date: START, end_date: '2026-12-21 12:00:00' });
  await allowed({ ...LATER, status: 'publish' });
});

test('a revert needs none: it restores the notices of its revision', async ({ daybook }) => {
  const id = await anEvent(daybook);
  await daybook.request('editor', 'PATCH', `/events/${id}`, { ...LATER, ...NOTICE });
  const reverted = await daybook.request('editor', 'POST', `/events/${id}/revert`, { revision: 0 });
  assert.equal([reverted.status, reverted.body.start_date], [200, START], reverted.text);
});

test('imports and operators need none: they are no users', async ({ daybook }) => {
  const id = await anEvent(daybook);
  const commands = commandDependencies(daybook.stores, daybook.config);
  const caller = { id: 0, login: 'import', name: 'import', role: 'administrator' } as const;
  const none = { reason: undefined, ifRevision: undefined, idempotencyKey: undefined };
  const context = { caller, now: daybook.clock.at, correlationId: 'import', ...none };
  const result = await changeCalendarEvent(commands, context, id, { times: { start: '2031-03-03 20:00:00' } });
  assert.is(result.kind, 'written', JSON.stringify(result));
});

test('a proposal is refused when it is opened, and one that is older than the rule when it is approved', async ({
  daybook,
}) => {
  const id = await anEvent(daybook);
  assertDemanded(await proposed(daybook, id, LATER), 'opened');
  await rule(daybook, 'optional');
  const { body } = await proposed(daybook, id, LATER);
  await rule(daybook, 'required');
  const shown = await daybook.get(`/proposals/${body.id}`, 'editor');
  assert.is(shown.body.fits, false, shown.text);
  assertDemanded(await daybook.request('administrator', 'POST', `/proposals/${body.id}/approve`, {}), 'approved');

  const { id: set } = await daybook.created('editor', 'sets', { name: 'Spring', proposals: [body.id] });
  const applied = await daybook.request('administrator', 'POST', `/sets/${set}/apply`, {});
  assert.equal([applied.status, applied.body.code], [409, 'rest_set_unfit'], applied.text);
  assert.match(JSON.stringify(applied.body.data.problems), /The rules demand a notice/);

  const revised = await proposed(daybook, id, { ...LATER, ...NOTICE, revises: body.id });
  assert.is(revised.status, 200, revised.text);
  const approved = await daybook.request('administrator', 'POST', `/proposals/${body.id}/approve`, {});
  assert.is(approved.body.state, 'approved_for_set', approved.text);
  const published = await daybook.request('administrator', 'POST', `/sets/${set}/apply`, {});
  assert.is(published.status, 200, published.text);
  const event = (await daybook.get(`/events/${id}`)).body;
  assert.equal([event.start_date, event.notices.at(-1).text], [LATER.start_date, NOTICE.notice]);
});

test.run();
