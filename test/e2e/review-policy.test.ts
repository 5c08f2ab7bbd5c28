// Rules of review over HTTP: who must propose, how many approvals it takes, and who may do without.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, type As, ROOT, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService }>('rules of review over HTTP');

test.before.each(async (context) => {
  context.daybook = await startTestService();
});
test.after.each(({ daybook }) => daybook.close());

const codeOf = ({ status, body }: Answer): string => `${status} ${body.code ?? ''}`.trim();

async function rules(daybook: TestService, sent: object): Promise<void> {
  const answer = await daybook.request('administrator', 'PUT', '/policy', sent);
  assert.is(answer.status, 200, answer.text);
}

const DIRECT = {
  ...{ contributor: 'direct', author: 'direct', editor: 'direct', administrator: 'direct' },
  ...{ approvals: 1, bypass: false },
};

test('without rules everything is written directly; those who write may read the rules', async ({ daybook }) => {
  for (const as of ['anonymous', 'subscriber'] as const)
    assert.ok([401, 403].includes((await daybook.get('/policy', as)).status), as);
  for (const as of ['contributor', 'author', 'editor', 'administrator'] as const) {
    const { status, body, headers } = await daybook.get('/policy', as);
    assert.equal([status, headers.etag], [200, '"0"']);
    assert.equal(body, {
      events: { ...DIRECT, notice: 'optional' },
      venues: DIRECT,
      organizers: DIRECT,
      categories: DIRECT,
      tags: DIRECT,
    });
  }
  const created = await daybook.request('author', 'POST', '/events', someEvent());
  assert.is(created.status, 201);
});

test('only administrators set the rules, at the revision that they expect, and the history says so', async ({
  daybook,
}) => {
  for (const as of ['anonymous', 'subscriber', 'contributor', 'author', 'editor'] as const)
    assert.ok([401, 403].includes((await daybook.request(as, 'PUT', '/policy', {})).status), as);
  const set = await daybook.request(
    'administrator',
    'PUT',
    '/policy',
    { events: { author: 'review' } },
    { 'if-match': '"0"', 'x-change-reason': 'four eyes' },
  );
  assert.equal([set.status, set.headers.etag, set.body.events.author], [200, '"1"', 'review'], set.text);
  assert.equal(set.body.venues, DIRECT);
  const stale = await daybook.request('administrator', 'PUT', '/policy', { tags: {} }, { 'if-match': '"0"' });
  assert.is(stale.status, 412);
  // What is left out stays.
  await rules(daybook, { venues: { editor: 'review', bypass: true } });
  const { body } = await daybook.get('/policy', 'author');
  assert.equal([body.events.author, body.venues.editor, body.venues.bypass], ['review', 'review', true]);
  const { body: history } = await daybook.get('/policy/history', 'administrator');
  assert.is(history.total, 2);
  const [last, first] = history.history;
  assert.equal(
    [first.reason, first.actor.name, first.changes],
    ['four eyes', 'administrator', [{ field: 'event.author', before: 'direct', after: 'review' }]],
  );
  assert.equal(
    last.changes.map(({ field }: { field: string }) => field),
    ['venue.editor', 'venue.bypass'],
  );
  assert.is(first.summary, 'Rules of review set: events by authors: at once → by review.');
  const german = await daybook.get('/policy/history?_locale=de', 'contributor');
  assert.is(
    german.body.history[0].summary,
    'Prüfregeln gesetzt: Veranstaltungsorte von Redakteuren: sofort → mit Prüfung, Umgehung (Veranstaltungsorte): nein → ja.',
  );
  assert.is((await daybook.get('/policy/history', 'subscriber')).status, 403);
});

test('rules that are no rules are refused with what is allowed', async ({ daybook }) => {
  for (const events of [
    { author: 'maybe' },
    { subscriber: 'review' },
    { approvals: 0 },
    { approvals: 11 },
    { bypass: 'perhaps' },
    { notice: 'perhaps' },
    'review',
    ['review'],
  ]) {
    const answer = await daybook.request('administrator', 'PUT', '/policy', { events });
    assert.is(codeOf(answer), '400 rest_invalid_param', JSON.stringify(events));
    assert.match(answer.body.message, /direct or review for contributor, author, editor/);
  }
  for (const sent of [{}, { event: { author: 'review' } }]) {
    const answer = await daybook.request('administrator', 'PUT', '/policy', sent);
    assert.is(codeOf(answer), '400 rest_invalid_param');
    assert.match(answer.body.message, /at least one of events, venues, organizers, categories, tags/);
  }
  const venues = await daybook.request('administrator', 'PUT', '/policy', { venues: { notice: 'required' } });
  assert.is(codeOf(venues), '400 rest_invalid_param');
  assert.not.match(venues.body.message, /notice/);
  assert.is((await daybook.get('/policy', 'administrator')).headers.etag, '"0"');
});

test('rules under which a proposal could never be approved are refused, and change nothing', async ({ daybook }) => {
  const LOCKS: readonly (readonly [sent: object, role: string, approvers: number])[] = [
    // One editor and one administrator: users do not approve their own.
    [{ events: { author: 'review', approvals: 3 } }, 'author', 2],
    [{ events: { editor: 'review', approvals: 2 } }, 'editor', 1],
    [{ tags: { administrator: 'review', approvals: 2 } }, 'administrator', 1],
  ];
  for (const [sent, role, approvers] of LOCKS) {
    const answer = await daybook.request('administrator', 'PUT', '/policy', sent);
    assert.is(codeOf(answer), '409 rest_policy_locks_out', answer.text);
    assert.equal([answer.body.data.role, answer.body.data.approvers], [role, approvers]);
    assert.match(
      answer.body.message,
      new RegExp(`^What ${role}s propose about .* and ${approvers} users may give them`),
    );
  }
  assert.is((await daybook.get('/policy', 'administrator')).headers.etag, '"0"');
  await rules(daybook, { events: { author: 'review', approvals: 2 } });
});

test('a reviewed write answers 202 with the proposal, and changes nothing that is public', async ({ daybook }) => {
  const event = await daybook.created('author', 'events', someEvent());
  await rules(daybook, { events: { author: 'review' } });
  const patched = await daybook.request(
    'author',
    'PATCH',
    `/events/${event.id}`,
    { title: 'Moved' },
    { 'x-change-reason': 'the hall is closed' },
  );
  assert.is(patched.status, 202, patched.text);
  const { id } = patched.body;
  assert.is(patched.headers.location, `${ROOT}/proposals/${id}`);
  assert.equal(
    [patched.body.state, patched.body.action, patched.body.note, patched.body.preview.title],
    ['open', 'change', 'the hall is closed', 'Moved'],
  );
  assert.is((await daybook.get(`/events/${event.id}`)).body.title, event.title);
  assert.is((await daybook.request('author', 'POST', `/proposals/${id}/approve`, {})).status, 403);
  const approved = await daybook.request('editor', 'POST', `/proposals/${id}/approve`, {});
  assert.equal([approved.status, approved.body.state], [200, 'applied'], approved.text);
  assert.is((await daybook.get(`/events/${event.id}`)).body.title, 'Moved');
  // Other roles and kinds are not concerned.
  assert.is((await daybook.request('editor', 'PATCH', `/events/${event.id}`, { title: 'Back' })).status, 200);
  assert.is((await daybook.request('author', 'POST', '/venues', { venue: 'Hall' })).status, 201);
});

const KINDS: readonly (readonly [collection: string, body: object, change: object])[] = [
  ['events', someEvent(), { title: 'Other' }],
  ['venues', { venue: 'Hall' }, { venue: 'Other' }],
  ['organizers', { organizer: 'Guild' }, { organizer: 'Other' }],
  ['categories', { name: 'Music' }, { name: 'Other' }],
  ['tags', { name: 'free' }, { name: 'other' }],
];

for (const [collection, body, change] of KINDS)
  test(`${collection}: created, changed, deleted and reverted by review`, async ({ daybook }) => {
    const there = await daybook.created('editor', collection, body);
    await daybook.request('editor', 'PATCH', `/${collection}/${there.id}`, change);
    await rules(daybook, { [collection]: { editor: 'review' } });
    const ids = async () =>
      (await daybook.store.readStream('ids-post')).length + (await daybook.store.readStream('ids-term')).length;
    const WRITES: readonly (readonly [
      action: string,
      method: 'POST' | 'PUT' | 'DELETE',
      path: string,
      sent: object,
    ])[] = [
      ['create', 'POST', '', collection === 'tags' || collection === 'categories' ? { name: 'New' } : body],
      [
        'revert',
        'POST',
        `/${there.id}/revert`,
        { revision: collection === 'tags' || collection === 'categories' ? 0 : 1 },
      ],
      ['change', 'PUT', `/${there.id}`, { description: 'Moved' }],
      ['delete', 'DELETE', `/${there.id}`, {}],
    ];
    for (const [action, method, path, sent] of WRITES) {
      const before = await ids();
      const answer = await daybook.request('editor', method, `/${collection}${path}`, sent);
      assert.is(answer.status, 202, `${action} ${answer.text}`);
      assert.is(answer.body.action, action);
      assert.is((await ids()) - before, action === 'create' ? 1 : 0, 'an id is drawn for a creation, and one alone');
      assert.is.not(answer.body.preview, null);
      const approved = await daybook.request('administrator', 'POST', `/proposals/${answer.body.id}/approve`, {});
      assert.equal([approved.status, approved.body.state], [200, 'applied'], `${action} ${approved.text}`);
    }
    const after = await daybook.get(`/${collection}/${there.id}`);
    assert.ok(after.status >= 400, `${after.status}`);
  });

test('the rules widen no rights, and what is invalid stays invalid', async ({ daybook }) => {
  const event = await daybook.created('editor', 'events', someEvent());
  await rules(daybook, { events: { author: 'review', contributor: 'review' }, tags: { contributor: 'review' } });
  const REFUSED: readonly (readonly [
    as: As,
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    sent: object,
    code: string,
  ])[] = [
    ['author', 'PATCH', `/events/${event.id}`, { title: 'Mine' }, '403 rest_forbidden'],
    ['contributor', 'DELETE', `/events/${event.id}`, {}, '403 rest_forbidden'],
    ['contributor', 'POST', '/tags', { name: 'x' }, '403 rest_forbidden'],
    ['subscriber', 'POST', '/events', someEvent(), '403 rest_forbidden'],
    ['author', 'PATCH', '/events/999999', { title: 'x' }, '404 rest-event-not-found'],
    ['author', 'POST', '/events', { title: '' }, '400 rest_missing_callback_param'],
  ];
  for (const [as, method, path, sent, code] of REFUSED)
    assert.is(codeOf(await daybook.request(as, method, path, sent)), code, `${as} ${method} ${path}`);
  assert.equal(await daybook.store.readStream('proposal-1'), []);
});

test('what a proposal cannot hold is refused by its name, with what to do', async ({ daybook }) => {
  const event = await daybook.created('author', 'events', someEvent());
  await rules(daybook, { events: { author: 'review' } });
  const REFUSED = [
    ['password', { password: 'sesame' }, /leave password out/],
    ['organizer', { organizer: { organizer: 'Guild' } }, /create the organizer first, then send its id/],
  ] as const;
  for (const [name, sent, sentence] of REFUSED) {
    const answer = await daybook.request('author', 'PATCH', `/events/${event.id}`, sent);
    assert.equal([codeOf(answer), Object.keys(answer.body.data.params)], ['400 rest_invalid_param', [name]]);
    assert.match(answer.body.message, sentence);
  }
  await daybook.request('administrator', 'DELETE', `/events/${event.id}`);
  const restored = await daybook.request('author', 'PATCH', `/events/${event.id}`, { status: 'publish' });
  assert.is(codeOf(restored), '409 rest_target_in_trash');
  assert.match(restored.body.message, /users whose writes need no review can restore it/);
});

test('an event that brings along what is reviewed becomes a proposal as a whole', async ({ daybook }) => {
  await rules(daybook, { venues: { author: 'review' } });
  const answer = await daybook.request('author', 'POST', '/events', someEvent({ venue: { venue: 'New hall' } }));
  assert.is(answer.status, 202, answer.text);
  assert.is((await daybook.get('/venues')).body.total, 0);
  assert.is((await daybook.request('author', 'POST', '/events', someEvent())).status, 201);
});

test('a write that changes nothing is no proposal, and an expected revision is checked', async ({ daybook }) => {
  const event = await daybook.created('author', 'events', someEvent());
  await rules(daybook, { events: { author: 'review' } });
  assert.is((await daybook.request('author', 'PATCH', `/events/${event.id}`, { title: event.title })).status, 200);
  const stale = await daybook.request('author', 'PATCH', `/events/${event.id}`, { title: 'x' }, { 'if-match': '"9"' });
  assert.is(stale.status, 412);
});

test('the same key opens one proposal', async ({ daybook }) => {
  await rules(daybook, { events: { author: 'review' } });
  const send = () => daybook.request('author', 'POST', '/events', someEvent(), { 'idempotency-key': 'once' });
  const [first, second] = [await send(), await send()];
  assert.equal([first.status, second.status], [202, 202], second.text);
  assert.is(first.body.id, second.body.id);
});

test('several approvals are needed, each by another user; a revision needs all of them again', async ({ daybook }) => {
  const event = await daybook.created('author', 'events', someEvent());
  await rules(daybook, { events: { author: 'review', approvals: 2 } });
  const { body } = await daybook.request('author', 'PATCH', `/events/${event.id}`, { title: 'Moved' });
  const approve = (as: As) => daybook.request(as, 'POST', `/proposals/${body.id}/approve`, { text: 'fine' });
  const first = await approve('editor');
  assert.equal([first.status, first.body.state, first.body.approvals_needed], [200, 'open', 2], first.text);
  assert.equal(
    first.body.approvals.map(({ name }: { name: string }) => name),
    ['editor'],
  );
  assert.is(codeOf(await approve('editor')), '409 rest_already_approved');
  assert.is((await daybook.get(`/events/${event.id}`)).body.title, event.title);
  const revised = await daybook.request('author', 'POST', `/events/${event.id}/proposals`, {
    title: 'Moved again',
    revises: body.id,
  });
  assert.equal([revised.status, revised.body.approvals], [200, []], revised.text);
  assert.is((await approve('administrator')).body.state, 'open');
  assert.is((await approve('editor')).body.state, 'applied');
  assert.is((await daybook.get(`/events/${event.id}`)).body.title, 'Moved again');
});

test('fewer approvals than before: who has approved already can apply it, as there may be no other left', async ({
  daybook,
}) => {
  const event = await daybook.created('author', 'events', someEvent());
  await rules(daybook, { events: { author: 'review', approvals: 2 } });
  const { body } = await daybook.request('author', 'PATCH', `/events/${event.id}`, { title: 'Moved' });
  const approve = () => daybook.request('editor', 'POST', `/proposals/${body.id}/approve`, {});
  assert.is((await approve()).body.state, 'open');
  assert.is(codeOf(await approve()), '409 rest_already_approved');
  await rules(daybook, { events: { approvals: 1 } });
  assert.is((await approve()).body.state, 'applied');
  assert.is((await daybook.get(`/events/${event.id}`)).body.title, 'Moved');
});

test('two reviewers at once: both approvals count, and the second applies it', async ({ daybook }) => {
  const event = await daybook.created('author', 'events', someEvent());
  await rules(daybook, { events: { author: 'review', approvals: 2 } });
  const { body } = await daybook.request('author', 'PATCH', `/events/${event.id}`, { title: 'Moved' });
  const answers = await Promise.all(
    (['editor', 'administrator'] as const).map((as) =>
      daybook.request(as, 'POST', `/proposals/${body.id}/approve`, {}),
    ),
  );
  assert.equal(answers.map(({ body: { state } }) => state).sort(), ['applied', 'open']);
  const types = (await daybook.store.readStream(`proposal-${body.id}`)).map(({ type }) => type);
  assert.equal(types, ['ProposalOpened', 'ProposalApprovalGiven', 'ProposalApproved', 'ProposalApplied']);
});

test('where a rule lets them, editors bypass review with a reason, which the history shows', async ({ daybook }) => {
  const event = await daybook.created('editor', 'events', someEvent());
  const patch = (as: As, title: string, reason: string) =>
    daybook.request(as, 'PATCH', `/events/${event.id}`, { title }, { 'x-bypass-review': reason });
  // No review is demanded: there is nothing to bypass.
  assert.is((await patch('editor', 'One', 'in a hurry')).status, 200);
  await rules(daybook, { events: { editor: 'review', author: 'review' } });
  assert.is(codeOf(await patch('editor', 'Two', 'in a hurry')), '403 rest_bypass_refused');
  await rules(daybook, { events: { bypass: true } });
  const unreasoned = await patch('editor', 'Two', ' ');
  assert.match(unreasoned.body.data.params['X-Bypass-Review'], /^Say in X-Bypass-Review why /, unreasoned.text);
  assert.is((await patch('editor', 'Two', 'the hall burns')).status, 200);
  assert.is((await daybook.get(`/events/${event.id}`)).body.title, 'Two');
  const { body } = await daybook.get(`/events/${event.id}/history`, 'editor');
  const [last, before] = body.history;
  assert.match(last.summary, /REVIEW BYPASSED: the hall burns$/);
  assert.equal([last.bypassed_review, before.bypassed_review], ['the hall burns', undefined]);
  const own = await daybook.created(
    'administrator',
    'events',
    someEvent({ author: (await daybook.get('/users/me', 'author')).body.id }),
  );
  const refused = await daybook.request(
    'author',
    'PATCH',
    `/events/${own.id}`,
    { title: 'x' },
    { 'x-bypass-review': 'y' },
  );
  assert.is(codeOf(refused), '403 rest_bypass_refused');
});

test('applying a set is no way around review: its members need the approvals of the rules', async ({ daybook }) => {
  await daybook.created('administrator', 'users', { login: 'deputy', name: 'Deputy', role: 'editor' });
  await rules(daybook, { events: { editor: 'review', approvals: 2 } });
  const { id } = await daybook.created('administrator', 'events', someEvent());
  const proposed = async (as: As, change: object): Promise<number> =>
    (await daybook.request(as, 'POST', `/events/${id}/proposals`, change)).body.id;
  const setOf = async (proposals: readonly number[]): Promise<number> =>
    (await daybook.request('editor', 'POST', '/sets', { name: 'Spring', proposals })).body.id;
  const applied = (as: As, set: number): Promise<Answer> => daybook.request(as, 'POST', `/sets/${set}/apply`, {});

  const own = await setOf([await proposed('editor', { title: 'Own' })]);
  const refused = await applied('editor', own);
  assert.is(codeOf(refused), '409 rest_set_unfit');
  assert.match(JSON.stringify(refused.body.data.problems), /review/);
  assert.is((await applied('administrator', own)).status, 200, 'who writes directly may');
  const { approvals_given, approvals_needed } = (await daybook.get(`/sets/${own}`, 'editor')).body;
  assert.equal([approvals_given, approvals_needed], [1, 2], 'and the set does not say that it has them all');

  const others = await proposed('contributor', { website: 'https://a.example/' });
  const set = await setOf([others]);
  assert.is((await applied('editor', set)).status, 409, 'one of two approvals');
  await daybook.request('administrator', 'POST', `/proposals/${others}/approve`, {});
  assert.is((await applied('editor', set)).status, 200, 'the second one');
});

test.run();
