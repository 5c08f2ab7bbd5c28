// Steps of review in the feed of changes: whom each of them concerns, and who may read it.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type As, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService }>('review in the feed of changes');

test.before(async (context) => {
  context.daybook = await startTestService();
});
test.after(({ daybook }) => daybook.close());

interface Entry {
  readonly type: string;
  readonly summary: string;
  readonly url: string;
  readonly reason: string | null;
  readonly concerned: readonly { readonly name: string; readonly as: readonly string[] }[];
  readonly asked_roles?: readonly string[];
  readonly changes?: readonly { readonly field: string }[];
}

/** What the feed says from now on; the newest are the last. */
async function fromNow(daybook: TestService): Promise<(as: As, query?: string) => Promise<Entry[]>> {
  const { next } = (await daybook.get('/changes?after=end', 'administrator')).body;
  return async (as, query = 'kind=proposal,set') =>
    (await daybook.get(`/changes?after=${next}&${query}`, as)).body.changes;
}

const concernedIn = ({ concerned }: Entry): Record<string, string> =>
  Object.fromEntries(concerned.map(({ name, as }) => [name, as.join()]));

async function proposed(daybook: TestService, as: As, path: string, change: object): Promise<number> {
  const answer = await daybook.request(as, 'POST', `/${path}/proposals`, change);
  assert.is(answer.status, 'revises' in change ? 200 : 201, answer.text);
  return answer.body.id;
}

const step = async (daybook: TestService, as: As, id: number, name: string) => {
  const answer = await daybook.request(as, 'POST', `/proposals/${id}/${name}`, { text: 'So.' });
  assert.is(answer.status, 200, answer.text);
};

test('every step of a proposal names whom it concerns, and the roles that are asked', async ({ daybook }) => {
  const event = await daybook.created('author', 'events', someEvent());
  const feed = await fromNow(daybook);
  const id = await proposed(daybook, 'contributor', `events/${event.id}`, { title: 'One' });
  await step(daybook, 'author', id, 'comments');
  await step(daybook, 'editor', id, 'request-changes');
  await proposed(daybook, 'contributor', `events/${event.id}`, { title: 'Two', revises: id });
  await step(daybook, 'administrator', id, 'approve');
  const rejected = await proposed(daybook, 'contributor', `events/${event.id}`, { title: 'Three' });
  await step(daybook, 'editor', rejected, 'reject');
  const withdrawn = await proposed(daybook, 'contributor', `events/${event.id}`, { title: 'Four' });
  await step(daybook, 'contributor', withdrawn, 'withdraw');
  const seen = await feed('editor');
  assert.equal(
    seen.map(({ type, asked_roles }) => [type, asked_roles?.join() ?? '']),
    [
      ['ProposalOpened', 'administrator,editor'],
      ['ProposalCommented', ''],
      ['ProposalChangesRequested', ''],
      ['ProposalRevised', 'administrator,editor'],
      ['ProposalApproved', ''],
      ['ProposalApplied', ''],
      ['ProposalOpened', 'administrator,editor'],
      ['ProposalRejected', ''],
      ['ProposalOpened', 'administrator,editor'],
      ['ProposalWithdrawn', ''],
    ],
  );
  const APPLIED = { contributor: 'author', editor: 'reviewer', administrator: 'reviewer,approver', author: 'owner' };
  const REJECTED = { contributor: 'author', editor: 'reviewer', author: 'owner' };
  const WITHDRAWN = { contributor: 'author', author: 'owner' };
  for (const [index, entry] of seen.entries())
    assert.equal(concernedIn(entry), index < 6 ? APPLIED : index < 8 ? REJECTED : WITHDRAWN, entry.type);
});

test('who may not see the target any more is not named, and reads nothing', async ({ daybook }) => {
  const event = await daybook.created('author', 'events', someEvent());
  const feed = await fromNow(daybook);
  await proposed(daybook, 'contributor', `events/${event.id}`, { title: 'One' });
  const concerned = async (): Promise<readonly string[]> =>
    (await feed('editor')).flatMap((entry) => Object.keys(concernedIn(entry)));
  assert.equal(await concerned(), ['contributor', 'author']);
  assert.is((await feed('contributor')).length, 1);
  await daybook.request('editor', 'PATCH', `/events/${event.id}`, { status: 'private' });
  assert.equal(await concerned(), ['author']);
  assert.equal(await feed('contributor'), []);
});

test('a user who has been removed is not named', async ({ daybook }) => {
  const event = await daybook.created('author', 'events', someEvent());
  const feed = await fromNow(daybook);
  await proposed(daybook, 'otherContributor', `events/${event.id}`, { title: 'One' });
  const removed = await daybook.request('administrator', 'DELETE', `/users/${daybook.userId('otherContributor')}`);
  assert.is(removed.status, 200, removed.text);
  const [opened] = await feed('editor');
  assert.ok(opened);
  assert.equal(concernedIn(opened), { author: 'owner' });
});

test('a set names its author, and those whom its proposals concern; it is for those who see every proposal', async ({
  daybook,
}) => {
  const event = await daybook.created('author', 'events', someEvent());
  const feed = await fromNow(daybook);
  const member = await proposed(daybook, 'contributor', `events/${event.id}`, { title: 'One' });
  const { id } = await daybook.created('editor', 'sets', { name: 'Spring', proposals: [member] });
  assert.is((await daybook.request('administrator', 'POST', `/sets/${id}/apply`, {})).status, 200);
  const seen = (await feed('editor', 'kind=set')).map((entry) => [entry.type, entry.summary, concernedIn(entry)]);
  const concerned = {
    editor: 'set_author',
    contributor: 'author',
    administrator: 'reviewer,approver',
    author: 'owner',
  };
  assert.equal(seen, [
    ['ChangeSetOpened', 'Set “Spring” opened.', concerned],
    ['ChangeSetApplied', 'Set “Spring” applied.', concerned],
  ]);
  const [opened] = await feed('administrator', 'types=ChangeSetOpened');
  assert.is(opened?.url, `http://cal.example/calendar/events/v1/sets/${id}`);
  assert.is((await daybook.get('/changes?kind=set', 'author')).status, 403);
  assert.equal(
    (await feed('author', 'types=')).filter(({ type }) => type.startsWith('ChangeSet')),
    [],
  );
});

test('a set that could not be applied at its instant tells those whom it concerns', async ({ daybook }) => {
  const event = await daybook.created('author', 'events', someEvent());
  const member = await proposed(daybook, 'contributor', `events/${event.id}`, { title: 'One' });
  const { id } = await daybook.created('editor', 'sets', { name: 'Late', proposals: [member] });
  const at = new Date((daybook.clock.at + 60) * 1000).toISOString();
  const scheduled = await daybook.request('editor', 'POST', `/sets/${id}/schedule`, { at });
  assert.is(scheduled.status, 200, scheduled.text);
  await daybook.request('editor', 'PATCH', `/events/${event.id}`, { title: 'Other' });
  const feed = await fromNow(daybook);
  daybook.clock.at += 61;
  const [failed] = await feed('editor', 'types=ChangeSetFailed&wait=20');
  assert.ok(failed);
  assert.is(failed.summary, 'Set “Late” could not be applied at its time; nothing was changed.');
  assert.equal(concernedIn(failed), { editor: 'set_author', contributor: 'author', author: 'owner' });
});

test('the rules are in the feed of all who may read them: by whom, from what to what', async ({ daybook }) => {
  const feed = await fromNow(daybook);
  const sent = { events: { author: 'review', approvals: 2 } };
  await daybook.request('administrator', 'PUT', '/policy', sent, { 'x-change-reason': 'four eyes' });
  for (const as of ['contributor', 'author', 'editor', 'administrator'] as const) {
    const [entry] = await feed(as, 'kind=policy');
    assert.ok(entry, as);
    assert.equal(
      [entry.type, entry.reason, entry.url],
      ['ReviewPolicySet', 'four eyes', 'http://cal.example/calendar/events/v1/policy'],
    );
    assert.is(
      entry.summary,
      'Rules of review set: events by authors: at once → by review, approvals of events: 1 → 2.',
    );
    assert.equal(entry.changes, [
      { field: 'event.author', before: 'direct', after: 'review' },
      { field: 'event.approvals', before: 1, after: 2 },
    ]);
  }
  for (const as of ['anonymous', 'subscriber'] as const)
    assert.ok([401, 403].includes((await daybook.get('/changes?kind=policy', as)).status), as);
  assert.is((await feed('editor', 'field=event.approvals')).length, 1);
  assert.is((await feed('editor', 'field=tag.approvals')).length, 0);
  await daybook.request('administrator', 'PUT', '/policy', { events: { author: 'direct', approvals: 1 } });
});

test.run();
