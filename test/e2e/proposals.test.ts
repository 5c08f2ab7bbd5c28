// Proposals over HTTP: opened, read, discussed, approved, and seen by those alone who may see what they are about.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, type As, type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService }>('proposals over HTTP');

test.before.each(async (context) => {
  context.daybook = await startTestService();
});
test.after.each(({ daybook }) => daybook.close());

const codeOf = ({ status, body }: Answer): string => `${status} ${body.code ?? ''}`;

async function proposed(daybook: TestService, as: As, target: string, body: object): Promise<Body> {
  const answer = await daybook.request(as, 'POST', `/${target}/proposals`, body);
  assert.is(answer.status, 201, answer.text);
  return answer.body;
}

test('a proposal shows what it would change, and changes it once it is approved', async ({ daybook }) => {
  const event = await daybook.created('editor', 'events', someEvent());
  const opened = await daybook.request('contributor', 'POST', `/events/${event.id}/proposals`, {
    title: 'Open rehearsal with the choir',
    note: 'The choir comes, too.',
  });
  assert.is(opened.status, 201, opened.text);
  const { id } = opened.body;
  assert.is(opened.headers.location, `http://cal.example/calendar/events/v1/proposals/${id}`);
  const { body: read } = await daybook.get(`/proposals/${id}`, 'editor');
  assert.equal(read.changes, [{ field: 'title', before: 'Open rehearsal', after: 'Open rehearsal with the choir' }]);
  assert.equal(
    [read.state, read.fits, read.problem, read.conflicts, read.note, read.author.name, read.preview.title],
    ['open', true, null, [], 'The choir comes, too.', 'contributor', 'Open rehearsal with the choir'],
  );
  assert.is((await daybook.get(`/events/${event.id}`)).body.title, 'Open rehearsal');
  const inPlace = await daybook.get(`/events/${event.id}?proposal=${id}`, 'contributor');
  assert.is(inPlace.body.title, 'Open rehearsal with the choir');
  assert.is((await daybook.get(`/events/${event.id}?proposal=${id}`)).status, 401);

  await daybook.request('editor', 'PATCH', `/events/${event.id}`, { description: 'Bring a score.' });
  const approved = await daybook.request('editor', 'POST', `/proposals/${id}/approve`, {});
  assert.is(approved.body.state, 'applied', approved.text);
  const { body: now } = await daybook.get(`/events/${event.id}`);
  assert.equal([now.title, now.description], ['Open rehearsal with the choir', '<p>Bring a score.</p>']);
  const { body: history } = await daybook.get(`/events/${event.id}/history`, 'editor');
  const [last] = history.history;
  assert.match(last.summary, /Approved by editor, proposed by contributor \(proposal 1\)\.$/);
  assert.equal([last.actor.name, last.proposal.id, last.proposal.author.name], ['editor', id, 'contributor']);
  assert.is(
    codeOf(await daybook.request('editor', 'POST', `/proposals/${id}/approve`, {})),
    '409 rest_proposal_closed',
  );
});

test('a preview has the venue and the terms that the proposal itself would create', async ({ daybook }) => {
  const known = await daybook.created('editor', 'tags', { name: 'Known' });
  const opened = await proposed(daybook, 'contributor', 'events', {
    ...someEvent(),
    venue: { venue: 'Old Foundry', city: 'Graz' },
    categories: ['Readings'],
    tags: ['Known', 'New'],
  });
  const shown = ({ venue, categories, tags }: Body) => [
    [venue.venue, venue.city],
    categories.map(({ name }: Body) => name),
    tags.map(({ name }: Body) => name),
  ];
  assert.equal(shown(opened.preview), [['Old Foundry', 'Graz'], ['Readings'], ['Known', 'New']]);
  const { body: read } = await daybook.get(`/proposals/${opened.id}`, 'editor');
  assert.equal(shown(read.preview), shown(opened.preview));
  for (const made of [read.preview.venue, read.preview.categories[0]]) assert.ok(made.id < 0, 'not there yet');
  assert.is(read.preview.tags[0].id, known.id);
  assert.is((await daybook.get('/venues', 'editor')).body.total, 0, 'nothing is created');
  const approved = await daybook.request('editor', 'POST', `/proposals/${opened.id}/approve`, {});
  assert.is(approved.status, 200, approved.text);
  assert.equal(shown((await daybook.get(`/events/${opened.target.id}`, 'editor')).body), shown(read.preview));
});

test('a conflict answers base, theirs and mine, and a revision settles it', async ({ daybook }) => {
  const event = await daybook.created('editor', 'events', someEvent());
  const { id } = await proposed(daybook, 'contributor', `events/${event.id}`, { title: 'Mine' });
  await daybook.request('editor', 'PATCH', `/events/${event.id}`, { title: 'Theirs' });
  const conflict = await daybook.request('administrator', 'POST', `/proposals/${id}/approve`, {});
  assert.is(codeOf(conflict), '409 rest_proposal_conflict');
  assert.equal(conflict.body.data.conflicts, [
    { field: 'title', base: 'Open rehearsal', theirs: 'Theirs', mine: 'Mine' },
  ]);
  const { body: read } = await daybook.get(`/proposals/${id}`, 'contributor');
  assert.equal([read.fits, read.conflicts.length], [false, 1]);
  const revised = await daybook.request('contributor', 'POST', `/events/${event.id}/proposals`, {
    title: 'Ours',
    revises: id,
  });
  assert.equal([revised.status, revised.body.id], [200, id]);
  assert.is((await daybook.request('administrator', 'POST', `/proposals/${id}/approve`, {})).status, 200);
  assert.is((await daybook.get(`/events/${event.id}`)).body.title, 'Ours');
});

test('every kind can be proposed, new and changed', async ({ daybook }) => {
  const bodies = {
    events: [someEvent(), { title: 'Other title' }],
    venues: [{ venue: 'Hall' }, { city: 'Leeds' }],
    organizers: [{ organizer: 'Society', email: 'a@b.example' }, { phone: '123' }],
    categories: [{ name: 'Films' }, { description: 'All kinds' }],
    tags: [{ name: 'free' }, { description: 'Nothing to pay' }],
  };
  for (const [collection, [create, change]] of Object.entries(bodies)) {
    const opened = await proposed(daybook, 'contributor', collection, create as object);
    assert.is(opened.fits, true, JSON.stringify(opened));
    assert.is(opened.preview.id, opened.target.id);
    assert.is.not((await daybook.get(`/${collection}/${opened.target.id}`)).status, 200);
    const approved = await daybook.request('editor', 'POST', `/proposals/${opened.id}/approve`, {});
    assert.is(approved.body.state, 'applied', approved.text);
    const read = await daybook.get(`/${collection}/${opened.target.id}`);
    assert.is(read.status, 200, read.text);
    const second = await proposed(daybook, 'contributor', `${collection}/${opened.target.id}`, change as object);
    await daybook.request('editor', 'POST', `/proposals/${second.id}/approve`, {});
    const [[field, value]] = Object.entries(change as object) as [[string, string]];
    assert.match((await daybook.get(`/${collection}/${opened.target.id}`)).body[field], value);
  }
});

test('lists are narrowed, paged and counted by what the reader may see', async ({ daybook }) => {
  const own = await daybook.created('author', 'events', someEvent({ title: 'Of the author' }));
  const other = await daybook.created('editor', 'events', someEvent({ title: 'Of the editor' }));
  const hidden = await daybook.created('editor', 'events', someEvent({ status: 'private' }));
  const first = await proposed(daybook, 'contributor', `events/${own.id}`, { title: 'A' });
  const second = await proposed(daybook, 'otherContributor', `events/${other.id}`, { title: 'B' });
  const third = await proposed(daybook, 'editor', `events/${hidden.id}`, { title: 'C' });
  await daybook.request('editor', 'POST', `/proposals/${second.id}/reject`, { text: 'No.' });
  const ids = async (as: As, query = ''): Promise<number[]> => {
    const answer = await daybook.get(`/proposals${query}`, as);
    assert.is(answer.status, 200, answer.text);
    assert.is(String(answer.body.total), answer.headers['x-tec-total']);
    return answer.body.proposals.map((one: Body) => one.id);
  };
  assert.equal(await ids('editor'), [third.id, second.id, first.id]);
  assert.equal(await ids('contributor'), [first.id]);
  assert.equal(await ids('otherContributor'), [second.id]);
  assert.equal(await ids('author'), [first.id]);
  assert.equal(await ids('editor', '?state=open'), [third.id, first.id]);
  assert.equal(await ids('editor', '?state=rejected,withdrawn'), [second.id]);
  assert.equal(await ids('editor', `?target=${own.id}`), [first.id]);
  assert.equal(await ids('editor', `?author=${daybook.userId('contributor')}`), [first.id]);
  assert.equal(await ids('editor', `?reviewer=${daybook.userId('editor')}`), [second.id]);
  assert.equal(await ids('editor', '?kind=venue'), []);
  assert.equal(await ids('editor', '?opened_after=2027-01-01'), []);
  assert.equal(await ids('editor', '?opened_before=2027-01-01&state=open'), [third.id, first.id]);
  const { body: page } = await daybook.get('/proposals?per_page=2&page=2', 'editor');
  assert.equal([page.proposals.length, page.total, page.total_pages], [1, 3, 2]);
  assert.is(page.previous_rest_url, 'http://cal.example/calendar/events/v1/proposals/?per_page=2');
  assert.is(codeOf(await daybook.get('/proposals?page=9', 'editor')), '404 rest_proposal_page_not_found');
  assert.is(codeOf(await daybook.get('/proposals?state=odd', 'editor')), '400 rest_invalid_param');
  assert.is((await daybook.get('/proposals')).status, 401);
  assert.is((await daybook.get('/proposals', 'subscriber')).status, 403);
});

/** By role: on a proposal of the contributor about a published event of the author. */
const RIGHTS: { readonly [who in As]?: { readonly [step: string]: number } } = {
  anonymous: { read: 401, comments: 401, 'request-changes': 401, approve: 401, reject: 401, withdraw: 401 },
  subscriber: { read: 403, comments: 403, 'request-changes': 403, approve: 403, reject: 403, withdraw: 403 },
  otherContributor: { read: 404, comments: 404, 'request-changes': 404, approve: 404, reject: 404, withdraw: 404 },
  otherAuthor: { read: 404, comments: 404, 'request-changes': 404, approve: 404, reject: 404, withdraw: 404 },
  contributor: { read: 200, comments: 200, 'request-changes': 403, approve: 403, reject: 403, withdraw: 200 },
  author: { read: 200, comments: 200, 'request-changes': 200, approve: 200, reject: 200, withdraw: 403 },
  editor: { read: 200, comments: 200, 'request-changes': 200, approve: 200, reject: 200, withdraw: 403 },
  administrator: { read: 200, comments: 200, 'request-changes': 200, approve: 200, reject: 200, withdraw: 403 },
};

test('role by role, who may take which step', async ({ daybook }) => {
  const event = await daybook.created('author', 'events', someEvent());
  let count = 0;
  for (const [who, steps] of Object.entries(RIGHTS) as [As, { readonly [step: string]: number }][]) {
    for (const [step, status] of Object.entries(steps)) {
      count += 1;
      const { id } = await proposed(daybook, 'contributor', `events/${event.id}`, { excerpt: `Number ${count}` });
      const answer =
        step === 'read'
          ? await daybook.get(`/proposals/${id}`, who)
          : await daybook.request(who, 'POST', `/proposals/${id}/${step}`, { text: 'So be it.' });
      assert.is(answer.status, status, `${who} ${step}: ${answer.text}`);
    }
  }
});

test('a target that is closed to the author of a proposal closes the proposal, too', async ({ daybook }) => {
  const event = await daybook.created('editor', 'events', someEvent());
  const { id } = await proposed(daybook, 'contributor', `events/${event.id}`, { title: 'A' });
  await daybook.request('editor', 'PATCH', `/events/${event.id}`, { status: 'private' });
  assert.is((await daybook.get(`/proposals/${id}`, 'contributor')).status, 404);
  assert.equal((await daybook.get('/proposals', 'contributor')).body.total, 0);
  await daybook.request('editor', 'DELETE', `/events/${event.id}`);
  assert.is(
    codeOf(await daybook.request('editor', 'POST', `/proposals/${id}/approve`, {})),
    '409 rest_target_in_trash',
  );
  assert.is(
    codeOf(await daybook.request('editor', 'POST', `/events/${event.id}/proposals`, { title: 'B' })),
    '409 rest_target_in_trash',
  );
});

test('the feed of changes contains every step and the users concerned, as far as the reader may see it', async ({
  daybook,
}) => {
  const event = await daybook.created('author', 'events', someEvent());
  const { id } = await proposed(daybook, 'contributor', `events/${event.id}`, { title: 'Other' });
  await daybook.request('editor', 'POST', `/proposals/${id}/approve`, { text: 'Yes.' });
  const changes = async (as: As): Promise<Body[]> => (await daybook.get('/changes?types=proposal', as)).body.changes;
  const seen = await changes('editor');
  assert.equal(
    seen.map(({ type, summary, actor }) => [type, summary, actor.name]),
    [
      ['ProposalOpened', 'Proposed.', 'contributor'],
      ['ProposalApproved', 'Proposal approved.', 'editor'],
      ['ProposalApplied', 'Proposal applied.', 'editor'],
    ],
  );
  assert.equal([seen[0].url, seen[0].target.id], [`http://cal.example/calendar/events/v1/proposals/${id}`, event.id]);
  assert.equal(
    seen[2].concerned.map(({ name }: Body) => name),
    ['contributor', 'editor', 'author'],
  );
  assert.equal([(await changes('author')).length, (await changes('contributor')).length], [3, 3]);
  assert.equal([(await changes('otherAuthor')).length, (await changes('otherContributor')).length], [0, 0]);
});

test('what a password hides is shown only to callers who may edit it', async ({ daybook }) => {
  const event = await daybook.created('editor', 'events', someEvent({ password: 'sesame' }));
  const answer = await daybook.request('contributor', 'POST', `/events/${event.id}/proposals`, { title: 'x' });
  assert.is(answer.status, 403, answer.text);
  const { id } = await proposed(daybook, 'editor', `events/${event.id}`, { title: 'x' });
  assert.is((await daybook.get(`/proposals/${id}`, 'contributor')).status, 404);
});

test('two reviewers at once: one approves, the other gets a conflict', async ({ daybook }) => {
  const event = await daybook.created('author', 'events', someEvent());
  const { id } = await proposed(daybook, 'contributor', `events/${event.id}`, { title: 'Once' });
  const answers = await Promise.all(
    (['editor', 'administrator', 'author'] as const).map((as) =>
      daybook.request(as, 'POST', `/proposals/${id}/approve`, {}),
    ),
  );
  assert.equal(answers.map(({ status }) => status).sort(), [200, 409, 409]);
  const { body } = await daybook.get(`/events/${event.id}/history`, 'editor');
  assert.is(body.history.filter((entry: Body) => entry.type === 'EventRetitled').length, 1);
});

test('a reviewer and the author at once: what is carried out is what was approved', async ({ daybook }) => {
  const event = await daybook.created('author', 'events', someEvent());
  const { id } = await proposed(daybook, 'contributor', `events/${event.id}`, { title: 'First' });
  const read = await daybook.get(`/proposals/${id}`, 'editor');
  const [revised] = await Promise.all([
    daybook.request('contributor', 'POST', `/events/${event.id}/proposals`, { title: 'Second', revises: id }),
    daybook.request('editor', 'POST', `/proposals/${id}/approve`, {}),
  ]);
  const { body } = await daybook.get(`/proposals/${id}`, 'editor');
  const { title } = (await daybook.get(`/events/${event.id}`)).body;
  assert.is(body.state, 'applied');
  assert.is(title, body.changes[0].after);
  assert.is(title, revised.status === 200 ? 'Second' : 'First');
  // Who insists on the revision that was read approves nothing else.
  const next = await proposed(daybook, 'contributor', `events/${event.id}`, { excerpt: 'First' });
  const { etag = '' } = (await daybook.get(`/proposals/${next.id}`, 'editor')).headers;
  await daybook.request('contributor', 'POST', `/events/${event.id}/proposals`, {
    excerpt: 'Second',
    revises: next.id,
  });
  const late = await daybook.request('editor', 'POST', `/proposals/${next.id}/approve`, {}, { 'if-match': etag });
  assert.is(late.status, 412, `${read.status} ${late.text}`);
});

test('a rejected proposal of an event leaves nothing behind of the venue that it brought along', async ({
  daybook,
}) => {
  const sent = someEvent({ venue: { venue: 'Brought along', slug: 'brought-along' }, tags: ['brought'] });
  const before = await daybook.get('/changes?order=desc&kind=event,venue,tag', 'editor');
  const { body } = await daybook.request('contributor', 'POST', '/events/proposals', sent);
  assert.is((await daybook.request('editor', 'POST', `/proposals/${body.id}/reject`, {})).body.state, 'rejected');
  assert.equal(
    (await daybook.get('/changes?order=desc&kind=event,venue,tag', 'editor')).body.changes,
    before.body.changes,
  );
  assert.is((await daybook.get('/venues?search=Brought', 'editor')).body.total, 0);
  assert.is((await daybook.get('/tags?search=brought', 'editor')).body.total, 0);
  const venue = await daybook.created('editor', 'venues', { venue: 'Brought along' });
  assert.is(venue.slug, 'brought-along', 'its slug is free');
});

test.run();
