import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../projections/catalogue.ts';
import { LOG_START, type RecordedEvent } from '../../src/log/envelope.ts';
import { catchUp } from '../../src/read-model/projector/catch-up.ts';
import { openSqliteReadModel } from '../../src/read-model/sqlite/open.ts';
import {
  type Answer,
  type As,
  type Body,
  NOON,
  type SendHeaders,
  someEvent,
  startTestService,
  type TestService,
  temporaryFolder,
} from '../support/service.ts';
import { viewsDump } from '../support/views-dump.ts';

const test = suite<{ daybook: TestService }>('reverts over HTTP');

test.before(async (context) => {
  context.daybook = await startTestService();
});
test.before.each(({ daybook }) => {
  daybook.clock.at = NOON;
});
test.after(({ daybook }) => daybook.close());

/** Those that name ids that are to come, or count what there is. */
const alone = suite<{ daybook: TestService }>('reverts over HTTP in a calendar of their own');
alone.before.each(async (context) => {
  context.daybook = await startTestService();
});
alone.after.each(({ daybook }) => daybook.close());

const codeOf = ({ status, body }: Answer): string => `${status} ${body.code ?? ''}`;

/** Everything of a representation but when it, and what it embeds, changed last, and how many bear a term. */
function look(body: Body): Body {
  const passing = ['modified', 'modified_utc', 'count'];
  return JSON.parse(JSON.stringify(body), (name, value) => (passing.includes(name) ? undefined : value));
}

const differing = (one: Body, other: Body): string[] =>
  Object.keys(other).filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));

/** Answers to writes leave the data for search engines out. */
const plain = (body: Body): Body =>
  JSON.parse(JSON.stringify(body), (name, value) => (name === 'json_ld' ? undefined : value));

/** One resource, and what is done to it, by an editor, an hour later each time. */
function resource({ daybook }: { daybook: TestService }, target: string) {
  const request = (method: string, where: string, body?: object, headers?: SendHeaders, as: As = 'editor') =>
    daybook.request(as, method, `${target}${where}`, body, headers);
  return {
    async change(members: object) {
      daybook.clock.at += 3_600;
      const answer = await request('POST', '', members);
      if (answer.status !== 200) throw new Error(answer.text);
      return answer.body;
    },
    async trash() {
      daybook.clock.at += 3_600;
      assert.is((await request('DELETE', '')).status, 200);
    },
    async at(revision: number) {
      const answer = await request('GET', `?revision=${revision}`);
      if (answer.status !== 200) throw new Error(answer.text);
      return look(answer.body);
    },
    now: async () => look((await request('GET', '?context=edit')).body),
    revert: (revision: unknown, headers: SendHeaders = {}, as: As = 'editor') => {
      daybook.clock.at += 3_600;
      return request('POST', '/revert', { revision }, headers, as);
    },
    async reverted(revision: number) {
      daybook.clock.at += 3_600;
      const answer = await request('POST', '/revert', { revision });
      if (answer.status !== 200) throw new Error(answer.text);
      return answer;
    },
    history: async (): Promise<Body[]> => (await request('GET', '/history?per_page=50')).body.history,
  };
}

const lengthOfLog = async ({ store }: TestService): Promise<number> =>
  (await store.readAll({ after: LOG_START, limit: 100_000 })).length;

interface Made {
  readonly collection: string;
  readonly body: object;
  /** Each makes a revision, or several. */
  readonly changes: readonly object[];
}

test('every change of an event, venue, organizer and term is reverted to its revision', async (context) => {
  const { daybook } = context;
  const venue = await daybook.created('editor', 'venues', { venue: 'Hall' });
  const organizer = await daybook.created('editor', 'organizers', { organizer: 'Choir' });
  const category = await daybook.created('editor', 'categories', { name: 'Music' });
  const tag = await daybook.created('editor', 'tags', { name: 'free' });
  const parent = await daybook.created('editor', 'events', someEvent({ title: 'Festival' }));
  const made: readonly Made[] = [
    {
      collection: 'events',
      body: someEvent({ status: 'draft' }),
      changes: [
        { title: 'Closed rehearsal' },
        { description: '<p>All of it</p>', excerpt: 'Short' },
        { start_date: '2026-12-22 20:00:00', end_date: '2026-12-22 23:00:00', timezone: 'Europe/Berlin' },
        { all_day: true },
        { cost: '5, 10' },
        { website: 'https://a.example/' },
        { website: '' },
        { image: 'https://img.example/a.jpg' },
        { show_map: true, show_map_link: true },
        { hide_from_listings: true },
        { sticky: true },
        { featured: true },
        { ticketed: true },
        { categories: [category.id] },
        { tags: [tag.id] },
        { venue: venue.id },
        { organizer: [organizer.id] },
        { post_parent: parent.id },
        { status: 'publish' },
        { slug: 'another-slug' },
        { date: '2026-10-01 10:00:00' },
        { author: daybook.userId('author') },
        { password: 'sesame' },
        { password: '' },
        { status: 'private' },
        { status: 'pending' },
      ],
    },
    {
      collection: 'venues',
      body: { venue: 'Town Hall', status: 'draft' },
      changes: [
        { venue: 'Guild Hall' },
        { description: 'Old' },
        { address: 'Market 1', city: 'Bonn', country: 'Germany', province: 'NRW', zip: '5' },
        { country: 'United States', state: 'NY' },
        { stateprovince: 'Own region' },
        { geo_lat: 50.7, geo_lng: 7.1 },
        { phone: '1', website: 'https://a.example/' },
        { image: 'https://img.example/a.jpg' },
        { show_map: false },
        { status: 'publish' },
        { slug: 'another-hall' },
        { author: daybook.userId('author') },
      ],
    },
    {
      collection: 'organizers',
      body: { organizer: 'Band', status: 'draft' },
      changes: [
        { organizer: 'Big Band' },
        { description: 'Loud' },
        { phone: '1', website: 'https://a.example/', email: 'a@b.example' },
        { image: 'https://img.example/a.jpg' },
        { status: 'publish' },
        { slug: 'the-band' },
      ],
    },
    {
      collection: 'categories',
      body: { name: 'Songs' },
      changes: [{ name: 'Chants' }, { description: 'd' }, { slug: 'chants' }, { parent: category.id }],
    },
    { collection: 'tags', body: { name: 'loud' }, changes: [{ name: 'quiet' }, { description: 'd' }, { slug: 'q' }] },
  ];
  for (const { collection, body, changes } of made) {
    const { id } = await daybook.created('editor', collection, body);
    const it = resource(context, `/${collection}/${id}`);
    for (const change of changes) await it.change(change);
    const last = (await it.history())[0]?.revision ?? 0;
    assert.ok(last > changes.length / 2, collection);
    const looks = await Promise.all(Array.from({ length: last + 1 }, (_, revision) => it.at(revision)));
    for (const revision of [...looks.keys()].reverse().concat([last, 0, last])) {
      const answer = await it.reverted(revision);
      const floats = ['draft', 'pending'].includes(looks[revision].status);
      // A date that is not fixed moves along with every change.
      const undated = ({ date: _date, date_utc: _utc, json_ld: _ld, ...rest }: Body): Body => rest;
      const comparable = floats ? undated : (one: Body) => one;
      const [shown, wanted] = [comparable(await it.now()), comparable(looks[revision])];
      assert.equal(shown, wanted, `${collection} at ${revision}: ${differing(shown, wanted)}`);
      assert.equal(plain(comparable(look(answer.body))), plain(comparable(await it.now())), 'it is answered');
    }
  }
});

test('the entry of a revert has revision, actor and reason, before what it changed', async (context) => {
  const { id } = await context.daybook.created('editor', 'events', someEvent());
  const it = resource(context, `/events/${id}`);
  await it.change({ title: 'Two', featured: true });
  const answer = await it.revert(1, { 'X-Change-Reason': 'a slip' });
  assert.is(answer.status, 200);
  const entries = (await it.history()).reverse().slice(-3);
  assert.equal(
    entries.map(({ summary, reason, actor }) => [summary, reason, actor.name]),
    [
      ['Reverted to revision 1.', 'a slip', 'editor'],
      ['Renamed from “Two” to “Open rehearsal”.', 'a slip', 'editor'],
      ['No longer featured.', 'a slip', 'editor'],
    ],
  );
  assert.is(new Set(entries.map(({ correlation_id }) => correlation_id)).size, 1);
  assert.match(answer.headers.etag ?? '', /^"6/);
  assert.ok(answer.headers['x-daybook-position']);
  assert.is((await it.revert(4, { 'X-Change-Reason': 'back again' })).body.title, 'Two');
});

test('reverting to the present state appends nothing', async (context) => {
  const { daybook } = context;
  const { id } = await daybook.created('editor', 'events', someEvent({ venue: { venue: 'Hall' } }));
  const it = resource(context, `/events/${id}`);
  await it.change({ title: 'Two' });
  await it.change({ title: 'Open rehearsal' });
  const before = await lengthOfLog(daybook);
  for (const revision of [1, 3]) {
    const answer = await it.revert(revision);
    assert.is(answer.status, 200);
    assert.is(answer.body.title, 'Open rehearsal');
    assert.match(answer.headers.etag ?? '', /^"3/);
    assert.ok(answer.headers['x-daybook-position']);
  }
  assert.is(await lengthOfLog(daybook), before);
});

test('a trashed resource is restored with its slug', async (context) => {
  const { daybook } = context;
  for (const [collection, body] of [
    ['events', someEvent()],
    ['venues', { venue: 'Hall' }],
    ['organizers', { organizer: 'Choir' }],
  ] as const) {
    const { id, slug } = await daybook.created('editor', collection, body);
    const it = resource(context, `/${collection}/${id}`);
    const published = await it.at(1);
    await it.trash();
    assert.is((await it.reverted(1)).body.status, 'publish');
    assert.equal(await it.now(), published);
    assert.is((await daybook.get(`/${collection}/by-slug/${slug}`)).body.id, id);
    assert.is((await it.reverted(2)).body.status, 'trash');
    assert.is((await it.reverted(1)).body.slug, slug);
  }
});

alone('a deleted category comes back with its slug, its events and its children', async (context) => {
  const { daybook } = context;
  const above = await daybook.created('editor', 'categories', { name: 'Arts' });
  const category = await daybook.created('editor', 'categories', { name: 'Music', parent: above.id });
  const below = await daybook.created('editor', 'categories', { name: 'Jazz', parent: category.id });
  const { id } = await daybook.created('editor', 'events', someEvent({ categories: [category.id] }));
  const it = resource(context, `/categories/${category.id}`);
  const before = await it.at(0);
  await daybook.request('editor', 'DELETE', `/categories/${category.id}`);
  assert.is((await daybook.get(`/categories/${below.id}`)).body.parent, above.id);
  assert.equal((await daybook.get(`/events/${id}`)).body.categories, []);
  assert.is((await it.reverted(0)).body.slug, 'music');
  assert.equal(await it.now(), before);
  assert.is((await daybook.get(`/categories/${below.id}`)).body.parent, category.id);
  assert.is((await daybook.get(`/events/${id}`)).body.categories[0].id, category.id);
  assert.equal(
    (await it.history()).map(({ summary }) => summary),
    ['Restored after it had been deleted.', 'Reverted to revision 0.', 'Deleted.', 'Created as “Music”.'],
  );
  assert.is((await daybook.request('editor', 'POST', '/categories', { name: 'music', parent: above.id })).status, 400);
  await it.reverted(1);
  assert.is((await daybook.get(`/categories/${category.id}`)).status, 400);
  assert.equal((await daybook.get(`/events/${id}`)).body.categories, []);
});

interface Clash {
  readonly answer: Answer;
  readonly conflicts: readonly Body[];
}

/** Reverts, and makes sure that it was refused as a clash and wrote nothing. */
async function clash(daybook: TestService, target: string, revision: number): Promise<Clash> {
  const before = await lengthOfLog(daybook);
  const answer = await daybook.request('editor', 'POST', `${target}/revert`, { revision });
  assert.is(codeOf(answer), '409 rest_revert_conflict', answer.text);
  assert.is(await lengthOfLog(daybook), before, 'nothing is written');
  return { answer, conflicts: answer.body.data.conflicts };
}

test('a slug that was taken since is reported with its owner', async (context) => {
  const { daybook } = context;
  for (const [collection, kind, body] of [
    ['events', 'event', someEvent({ slug: 'gala' })],
    ['venues', 'venue', { venue: 'Gala' }],
    ['organizers', 'organizer', { organizer: 'Gala' }],
  ] as const) {
    const losers: number[] = [];
    if (kind === 'event') {
      const { id } = await daybook.created('editor', collection, body);
      await resource(context, `/${collection}/${id}`).change({ slug: 'something-else' });
      losers.push(id);
    }
    const trashed = await daybook.created('editor', collection, body);
    await daybook.request('editor', 'DELETE', `/${collection}/${trashed.id}`);
    const owner = await daybook.created('editor', collection, { ...body, slug: 'gala' });
    assert.is(owner.slug, 'gala', collection);
    for (const id of [...losers, trashed.id]) {
      const { answer, conflicts } = await clash(daybook, `/${collection}/${id}`, 1);
      assert.equal(conflicts, [{ field: 'slug', slug: 'gala', thing: { kind, id: owner.id }, why: 'taken' }]);
      assert.match(answer.body.message, `the slug gala belongs to ${kind} ${owner.id}`);
    }
  }
  for (const [collection, kind] of [
    ['categories', 'category'],
    ['tags', 'tag'],
  ] as const) {
    const renamed = await daybook.created('editor', collection, { name: 'Gala' });
    await resource(context, `/${collection}/${renamed.id}`).change({ slug: 'something-else', name: 'Else' });
    const deleted = await daybook.created('editor', collection, { name: 'Gala', slug: 'gala' });
    assert.is(deleted.slug, 'gala');
    await daybook.request('editor', 'DELETE', `/${collection}/${deleted.id}`);
    const owner = await daybook.created('editor', collection, { name: 'Gala' });
    for (const { id } of [renamed, deleted]) {
      const { conflicts } = await clash(daybook, `/${collection}/${id}`, 0);
      assert.equal(conflicts, [{ field: 'slug', slug: 'gala', thing: { kind, id: owner.id }, why: 'taken' }]);
    }
  }
});

alone('everything that an event referred to and that is gone since is named', async (context) => {
  const { daybook } = context;
  const venue = await daybook.created('editor', 'venues', { venue: 'Hall' });
  const choir = await daybook.created('editor', 'organizers', { organizer: 'Choir' });
  const band = await daybook.created('editor', 'organizers', { organizer: 'Band' });
  const category = await daybook.created('editor', 'categories', { name: 'Music' });
  const tag = await daybook.created('editor', 'tags', { name: 'free' });
  const above = await daybook.created('editor', 'events', someEvent({ title: 'Festival' }));
  const references = {
    venue: venue.id,
    organizer: [choir.id, band.id],
    categories: [category.id],
    tags: [tag.id],
    post_parent: above.id,
  };
  const event = await daybook.created('editor', 'events', someEvent(references));
  const it = resource(context, `/events/${event.id}`);
  const before = await it.at(1);
  await it.change({ venue: '', organizer: '', categories: '', tags: '', post_parent: 0 });
  await resource(context, `/events/${above.id}`).change({ post_parent: event.id });
  for (const target of [`venues/${venue.id}`, `organizers/${choir.id}`, `categories/${category.id}`, `tags/${tag.id}`])
    assert.is((await daybook.request('editor', 'DELETE', `/${target}`)).status, 200);
  const { answer, conflicts } = await clash(daybook, `/events/${event.id}`, 1);
  assert.equal(conflicts, [
    { field: 'venue', thing: { kind: 'venue', id: venue.id }, why: 'in_trash' },
    { field: 'organizer', thing: { kind: 'organizer', id: choir.id }, why: 'in_trash' },
    { field: 'categories', thing: { kind: 'category', id: category.id }, why: 'deleted' },
    { field: 'tags', thing: { kind: 'tag', id: tag.id }, why: 'deleted' },
    { field: 'post_parent', thing: { kind: 'event', id: above.id }, why: 'circle' },
  ]);
  assert.match(answer.body.message, `venue ${venue.id} is in the trash (venue); organizer ${choir.id} is in the trash`);
  await resource(context, `/venues/${venue.id}`).reverted(1);
  await resource(context, `/organizers/${choir.id}`).reverted(1);
  await resource(context, `/categories/${category.id}`).reverted(0);
  await resource(context, `/tags/${tag.id}`).reverted(0);
  await resource(context, `/events/${above.id}`).change({ post_parent: 0 });
  await it.reverted(1);
  assert.equal(await it.now(), before, 'links of an earlier life are made anew');
});

alone('links that were void at the revision are no conflict', async (context) => {
  const { daybook } = context;
  const venue = await daybook.created('editor', 'venues', { venue: 'Hall' });
  const tag = await daybook.created('editor', 'tags', { name: 'free' });
  const { id } = await daybook.created('editor', 'events', someEvent({ venue: venue.id, tags: [tag.id] }));
  await daybook.request('editor', 'DELETE', `/venues/${venue.id}`);
  await daybook.request('editor', 'DELETE', `/tags/${tag.id}`);
  const it = resource(context, `/events/${id}`);
  await it.change({ title: 'Two' });
  await it.change({ title: 'Three' });
  assert.is((await it.reverted(2)).body.title, 'Two');
  assert.is((await it.history()).length, 6, 'the title alone has changed');
});

test('images never conflict, removed authors do', async (context) => {
  const { daybook } = context;
  const { id } = await daybook.created('administrator', 'events', someEvent({ author: daybook.userId('author') }));
  const it = resource(context, `/events/${id}`);
  await it.change({ author: daybook.userId('editor') });
  const stream = `user-${daybook.userId('author')}`;
  const last = (await daybook.store.readStream(stream)).at(-1) as RecordedEvent;
  const removed = { ...last, id: crypto.randomUUID(), type: 'UserRemoved', schemaVersion: 1, data: {} };
  await daybook.store.append([{ stream, expected: last.revision, events: [removed] }]);
  const { conflicts } = await clash(daybook, `/events/${id}`, 1);
  assert.equal(conflicts, [{ field: 'author', thing: { kind: 'user', id: daybook.userId('author') }, why: 'gone' }]);
});

alone('a parent that is deleted or would create a circle is reported', async (context) => {
  const { daybook } = context;
  const above = await daybook.created('editor', 'categories', { name: 'Arts' });
  const other = await daybook.created('editor', 'categories', { name: 'Other' });
  const category = await daybook.created('editor', 'categories', { name: 'Music', parent: above.id });
  await resource(context, `/categories/${category.id}`).change({ parent: other.id });
  await resource(context, `/categories/${above.id}`).change({ parent: category.id });
  const parent = { kind: 'category', id: above.id };
  const clashes = async () => (await clash(daybook, `/categories/${category.id}`, 0)).conflicts;
  assert.equal(await clashes(), [{ field: 'parent', thing: parent, why: 'circle' }]);
  await daybook.request('editor', 'DELETE', `/categories/${above.id}`);
  assert.equal(await clashes(), [{ field: 'parent', thing: parent, why: 'deleted' }]);
});

test('revisions and ids that do not exist are refused, and nothing is written', async (context) => {
  const { daybook } = context;
  const { id } = await daybook.created('editor', 'events', someEvent({ venue: { venue: 'Hall' } }));
  const it = resource(context, `/events/${id}`);
  const before = await lengthOfLog(daybook);
  const missing = await it.revert(2);
  assert.is(codeOf(missing), '404 rest_revision_not_found');
  assert.equal(missing.body.data, { status: 404, revision: 2, last_revision: 1 });
  assert.is(missing.body.message, 'There is no revision 2: they run from 0 to 1. Ask for one of them.');
  for (const revision of [-1, 1.5, 'x', [], {}, true, '']) {
    const { status, body } = await it.revert(revision);
    assert.is(`${status} ${body.code}`, '400 rest_invalid_param', JSON.stringify(revision));
    assert.ok(body.data.params.revision);
  }
  assert.is(codeOf(await it.revert(null)), '400 rest_missing_callback_param');
  assert.is(codeOf(await it.revert(undefined)), '400 rest_missing_callback_param');
  const venue = (await it.now()).venue.id;
  const elsewhere = async (target: string) =>
    codeOf(await daybook.request('editor', 'POST', `${target}/revert`, { revision: 0 }));
  assert.is(await elsewhere('/events/999'), '404 rest-event-not-found');
  assert.is(await elsewhere(`/events/${venue}`), '400 rest-invalid-event-id');
  assert.is(await elsewhere(`/venues/${id}`), '400 rest_invalid_param');
  assert.is(await elsewhere('/tags/999'), '400 rest_invalid_param');
  assert.is(await elsewhere('/events/99999999999999999999'), '404 rest-event-not-found');
  assert.is(codeOf(await daybook.get(`/events/${id}/revert`, 'editor')), '404 rest_no_route');
  assert.is(await lengthOfLog(daybook), before);
  assert.is((await it.revert('0')).status, 200, 'as a form sends it');
});

const ALL_BUT_ADMINISTRATORS: readonly As[] = [
  'anonymous',
  'subscriber',
  'contributor',
  'otherAuthor',
  'author',
  'editor',
];

alone('reverting requires the rights to change the resource and to read its history', async (context) => {
  const { daybook } = context;
  const expected = {
    'events publish': [401, 403, 403, 403, 200, 200],
    'events draft': [401, 403, 403, 403, 200, 200],
    'venues publish': [401, 403, 403, 403, 200, 200],
    'organizers private': [401, 403, 403, 403, 200, 200],
    'categories ': [401, 403, 403, 200, 200, 200],
    'tags ': [401, 403, 403, 403, 403, 200],
  };
  for (const [what, statuses] of Object.entries(expected)) {
    const [collection = '', status] = what.split(' ');
    const members = {
      events: someEvent({ status }),
      venues: { venue: 'H', status },
      organizers: { organizer: 'C', status },
    };
    const isTerm = collection === 'categories' || collection === 'tags';
    const body = members[collection as keyof typeof members] ?? { name: 'Music' };
    const { id } = await daybook.created(isTerm ? 'editor' : 'author', collection, body);
    const it = resource(context, `/${collection}/${id}`);
    for (const [index, as] of ALL_BUT_ADMINISTRATORS.entries()) {
      const changed = await it.change({ description: `for ${as}` });
      const answer = await it.revert(0, {}, as);
      const demotes = status !== 'draft' && !isTerm;
      assert.is(answer.status, statuses[index], `${what} ${as} ${answer.text}`);
      if (answer.status !== 200) assert.is((await it.now()).description, look(changed).description);
      if (answer.status === 200 && demotes) await it.change({ status });
      const allow = await daybook.request(as, 'OPTIONS', `/${collection}/${id}/revert`);
      assert.is(allow.headers.allow ?? '', statuses[index] === 200 ? 'POST' : '', `${what} ${as}`);
    }
  }
});

test('a revert gives no more than an ordinary change', async (context) => {
  const { daybook } = context;
  const { id } = await daybook.created('contributor', 'events', someEvent());
  const it = resource(context, `/events/${id}`);
  await it.change({ status: 'publish' });
  await it.change({ status: 'draft' });
  await it.change({ title: 'Two' });
  const [latest, , published] = await it.history();
  assert.is((await it.revert(published?.revision, {}, 'contributor')).status, 403, 'publishing');
  assert.is((await it.revert((latest?.revision ?? 0) - 1, {}, 'contributor')).body.title, 'Open rehearsal');
  await it.change({ author: daybook.userId('otherContributor') });
  const before = (await it.history())[1]?.revision;
  assert.is((await it.revert(before, {}, 'otherContributor')).status, 403, 'giving it to another user');
  assert.is((await it.revert(before, {}, 'editor')).body.author, String(daybook.userId('contributor')));
});

test('a reader of a history without the right to change the resource cannot revert it', async (context) => {
  const { daybook } = context;
  const { id } = await daybook.created('contributor', 'events', someEvent());
  const it = resource(context, `/events/${id}`);
  await it.change({ status: 'publish' });
  assert.is((await daybook.get(`/events/${id}/history`, 'contributor')).status, 200);
  assert.is(codeOf(await it.revert(0, {}, 'contributor')), '403 rest_forbidden');
  assert.is((await it.now()).status, 'publish');
  const unknown = (as: As) => daybook.request(as, 'POST', '/events/999/revert', { revision: 0 });
  assert.equal([(await unknown('anonymous')).status, (await unknown('subscriber')).status], [401, 403]);
});

test('a password comes back as it was, unseen', async (context) => {
  const { daybook } = context;
  const { id } = await daybook.created('editor', 'events', someEvent({ password: 'sesame' }));
  const it = resource(context, `/events/${id}`);
  await it.change({ password: 'other' });
  const { text } = await it.reverted(1);
  assert.not.match(text, 'scrypt');
  assert.is((await daybook.get(`/events/${id}?password=sesame`)).status, 200);
  assert.is((await daybook.get(`/events/${id}?password=other`)).status, 403);
  assert.not.match(JSON.stringify(await it.history()), 'scrypt');
});

test('If-Match is honoured, and a repeated key reverts once', async (context) => {
  const { daybook } = context;
  const { id } = await daybook.created('editor', 'events', someEvent());
  const it = resource(context, `/events/${id}`);
  await it.change({ title: 'Two' });
  assert.is(codeOf(await it.revert(1, { 'If-Match': '"1"' })), '412 rest_precondition_failed');
  const keyed = { 'If-Match': '"2"', 'Idempotency-Key': 'k' };
  const first = await it.revert(1, keyed);
  assert.is(first.body.title, 'Open rehearsal');
  const before = await lengthOfLog(daybook);
  const again = await it.revert(1, keyed);
  assert.equal([again.status, again.text], [200, first.text]);
  assert.is(await lengthOfLog(daybook), before);
  await it.change({ title: 'Three' });
  assert.is((await it.revert(1, keyed)).body.title, 'Three', 'the resource as it is now');
  const other = await daybook.created('editor', 'events', someEvent({ title: 'Other' }));
  await resource(context, `/events/${other.id}`).change({ title: 'Other 2' });
  const elsewhere = await resource(context, `/events/${other.id}`).revert(1, { 'Idempotency-Key': 'k' });
  assert.is(elsewhere.body.title, 'Other', 'a key counts for one resource');
});

test('of two with the same If-Match one is refused', async (context) => {
  const { id } = await context.daybook.created('editor', 'events', someEvent());
  const it = resource(context, `/events/${id}`);
  await it.change({ title: 'Two' });
  await it.change({ featured: true });
  const answers = await Promise.all([1, 2].map((revision) => it.revert(revision, { 'If-Match': '"3"' })));
  assert.equal(answers.map(({ status }) => status).sort(), [200, 412]);
});

test('views that are filled anew show the same as those that followed the reverts', async () => {
  const { folder, remove } = temporaryFolder();
  const views = path.join(folder, 'views.db');
  const daybook = await startTestService({
    environment: { DAYBOOK_DATA_DIR: folder, DAYBOOK_READ_MODEL: `sqlite:${views}` },
  });
  const context = { daybook };
  const category = await daybook.created('editor', 'categories', { name: 'Music' });
  const event = await daybook.created('editor', 'events', someEvent({ venue: { venue: 'Hall' }, status: 'draft' }));
  const it = resource(context, `/events/${event.id}`);
  await it.change({ title: 'Two', categories: [category.id], status: 'publish', password: 'x' });
  await daybook.request('editor', 'DELETE', `/categories/${category.id}`);
  await resource(context, `/categories/${category.id}`).reverted(0);
  await it.reverted(0);
  await it.trash();
  await it.reverted(3);
  await resource(context, `/venues/${event.venue.id}`).trash();
  await resource(context, `/venues/${event.venue.id}`).reverted(1);
  const anew = path.join(folder, 'anew.db');
  const { store, rendering } = daybook.stores;
  const model = await openSqliteReadModel({ file: anew, fingerprint: 'any' });
  await catchUp(store, model, allProjections(rendering));
  await model.close();
  await daybook.close();
  const [followed, filled] = [viewsDump(views), viewsDump(anew)];
  assert.equal(filled, followed);
  remove();
});

test.run();
alone.run();
