// Merges that are proposed, or become proposals by the rules of review.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type Answer,
  type As,
  type Body,
  ROOT,
  someEvent,
  startTestService,
  type TestService,
} from '../support/service.ts';

const test = suite<{ daybook: TestService }>('proposed merges');

test.before(async (context) => {
  context.daybook = await startTestService();
});
test.after(({ daybook }) => daybook.close());

const codeOf = ({ status, body }: Answer): string => `${status} ${body.code ?? ''}`.trim();
const venueOf = async ({ get }: TestService, event: Body): Promise<number> =>
  (await get(`/events/${event.id}`)).body.venue.id;

let pairs = 0;

async function pair({ created }: TestService, as: As = 'editor') {
  pairs += 1;
  const stays = await created(as, 'venues', { venue: `Town Hall ${pairs}` });
  const goes = await created(as, 'venues', { venue: `The Townhall ${pairs}` });
  const event = await created('editor', 'events', someEvent({ venue: goes.id }));
  return { stays, goes, event };
}

test('a contributor proposes a merge; approval carries it out on what is linked by then', async ({ daybook }) => {
  const { stays, goes, event } = await pair(daybook);
  const opened = await daybook.request('contributor', 'POST', `/venues/${goes.id}/proposals`, {
    into: stays.slug,
    note: 'One hall, two names',
  });
  assert.is(opened.status, 201, opened.text);
  const { id, state, action, into, fits, preview, note } = opened.body;
  assert.equal(
    [state, action, into, fits, preview.merged_into, note],
    [
      'open',
      'merge',
      { kind: 'venue', id: stays.id, url: `${ROOT}/venues/${stays.id}` },
      true,
      stays.id,
      'One hall, two names',
    ],
  );
  assert.is((await daybook.get(`/venues/${goes.id}`)).status, 200);
  const later = await daybook.created('editor', 'events', someEvent({ venue: goes.id }));
  assert.is(
    codeOf(await daybook.request('contributor', 'POST', `/proposals/${id}/approve`, {})),
    '403 rest_own_proposal',
  );
  assert.is(
    codeOf(await daybook.request('author', 'POST', `/proposals/${id}/approve`, {})),
    '404 rest_proposal_not_found',
  );
  const approved = await daybook.request('editor', 'POST', `/proposals/${id}/approve`, {});
  assert.equal([approved.status, approved.body.state], [200, 'applied'], approved.text);
  assert.is((await daybook.get(`/venues/${goes.id}`)).headers.location, `${ROOT}/venues/${stays.id}`);
  for (const one of [event, later]) assert.is(await venueOf(daybook, one), stays.id);
  const { body: history } = await daybook.get(`/events/${later.id}/history`, 'editor');
  assert.equal([history.history[0].type, history.history[0].proposal?.id], ['EventMoved', id]);
});

test('the author of a venue, who may not merge, does not judge its merge', async ({ daybook }) => {
  const { stays, goes } = await pair(daybook, 'author');
  const opened = await daybook.request('contributor', 'POST', `/venues/${goes.id}/proposals`, { into: stays.id });
  assert.is(opened.status, 201, opened.text);
  const { body } = opened;
  assert.is((await daybook.get(`/proposals/${body.id}`, 'author')).status, 200);
  for (const step of ['approve', 'reject'])
    assert.is(
      codeOf(await daybook.request('author', 'POST', `/proposals/${body.id}/${step}`, {})),
      '403 rest_forbidden',
    );
  assert.is((await daybook.request('editor', 'POST', `/proposals/${body.id}/reject`, {})).status, 200);
});

test('what cannot be merged is not proposed, and draws no id', async ({ daybook }) => {
  const { stays, goes } = await pair(daybook);
  const secret = await daybook.created('editor', 'venues', { venue: 'Secret', status: 'private' });
  const event = await daybook.created('editor', 'events', someEvent());
  const ids = await daybook.store.readStream('ids-proposal');
  const REFUSED: readonly (readonly [path: string, sent: object, code: string])[] = [
    [`venues/${goes.id}`, { into: goes.id }, '409 rest_cannot_merge'],
    [`venues/${goes.id}`, { into: 99_999 }, '400 rest_invalid_param'],
    // To those who may not see it, it is not there.
    [`venues/${goes.id}`, { into: secret.id }, '400 rest_invalid_param'],
    [`venues/${goes.id}`, { into: secret.slug }, '400 rest_invalid_param'],
    [`venues/${goes.id}`, { into: stays.id, phone: '1' }, '400 rest_invalid_param'],
  ];
  for (const [path, sent, code] of REFUSED)
    assert.is(
      codeOf(await daybook.request('contributor', 'POST', `/${path}/proposals`, sent)),
      code,
      JSON.stringify(sent),
    );
  for (const step of ['proposals', 'merge']) {
    const { body } = await daybook.request('editor', 'POST', `/venues/${goes.id}/${step}`, { into: 99_999 });
    assert.match(body.data.params.into, /^into names nothing that exists\. Send the id or the slug /);
  }
  const ofEvent = await daybook.request('author', 'POST', `/events/${event.id}/proposals`, { into: stays.id });
  assert.ok(ofEvent.status >= 400, ofEvent.text);
  assert.equal(await daybook.store.readStream('ids-proposal'), ids);
});

test('a merge that does not fit any more is refused when it is approved, and nothing is merged', async ({
  daybook,
}) => {
  const { stays, goes, event } = await pair(daybook);
  const { body } = await daybook.request('contributor', 'POST', `/venues/${goes.id}/proposals`, { into: stays.id });
  const third = await daybook.created('editor', 'venues', { venue: 'Third' });
  await daybook.request('editor', 'POST', `/venues/${stays.id}/merge`, { into: third.id });
  assert.is((await daybook.get(`/proposals/${body.id}`, 'editor')).body.fits, false);
  const refused = await daybook.request('editor', 'POST', `/proposals/${body.id}/approve`, {});
  assert.equal([codeOf(refused), refused.body.data.why], ['409 rest_cannot_merge', 'merged']);
  assert.is(await venueOf(daybook, event), goes.id);
  const revised = await daybook.request('contributor', 'POST', `/venues/${goes.id}/proposals`, {
    into: third.id,
    revises: body.id,
  });
  assert.equal([revised.status, revised.body.action, revised.body.into.id], [200, 'merge', third.id], revised.text);
  assert.is((await daybook.request('editor', 'POST', `/proposals/${body.id}/approve`, {})).body.state, 'applied');
  assert.is(await venueOf(daybook, event), third.id);
});

test('where merges are reviewed an editor gets 202; a dry run says what would be all the same', async ({ daybook }) => {
  for (const [collection, name] of [
    ['venues', 'venue'],
    ['organizers', 'organizer'],
    ['categories', 'name'],
    ['tags', 'name'],
  ] as const) {
    const stays = await daybook.created('administrator', collection, { [name]: `Stays ${collection}` });
    const goes = await daybook.created('administrator', collection, { [name]: `Goes ${collection}` });
    const rule = (editor: string) => daybook.request('administrator', 'PUT', '/policy', { [collection]: { editor } });
    await rule('review');
    const merge = (dry_run: boolean) =>
      daybook.request('editor', 'POST', `/${collection}/${goes.id}/merge`, { into: stays.id, dry_run });
    const dry = await merge(true);
    assert.equal([dry.status, dry.body.dry_run, dry.body.merged_into], [200, true, stays.id], dry.text);
    const proposed = await merge(false);
    assert.equal([proposed.status, proposed.body.action], [202, 'merge'], proposed.text);
    assert.is(proposed.headers.location, `${ROOT}/proposals/${proposed.body.id}`);
    assert.is((await daybook.get(`/${collection}/${goes.id}`)).status, 200);
    const approved = await daybook.request('administrator', 'POST', `/proposals/${proposed.body.id}/approve`, {});
    assert.is(approved.body.state, 'applied', approved.text);
    assert.is((await daybook.get(`/${collection}/${goes.id}`)).status, 308);
    await rule('direct');
  }
});

test('a set merges along with what else it changes, or not at all', async ({ daybook }) => {
  const { stays, goes, event } = await pair(daybook);
  const merge = await daybook.request('editor', 'POST', `/venues/${goes.id}/proposals`, { into: stays.id });
  const title = await daybook.request('editor', 'POST', `/events/${event.id}/proposals`, { title: 'In one hall' });
  const set = await daybook.request('editor', 'POST', '/sets', {
    name: 'Halls',
    proposals: [title.body.id, merge.body.id],
  });
  assert.is(set.status, 201, set.text);
  const applied = await daybook.request('editor', 'POST', `/sets/${set.body.id}/apply`, {});
  assert.is(applied.status, 200, applied.text);
  const { body } = await daybook.get(`/events/${event.id}`);
  assert.equal([body.title, body.venue.id], ['In one hall', stays.id]);
});

test.run();
