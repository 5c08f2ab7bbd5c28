import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startDocumentedService } from '../support/documented.ts';
import { type Body, NOON, ROOT, someEvent, type TestService } from '../support/service.ts';

let daybook: TestService;
const test = suite('events over HTTP');

test.before(async () => {
  daybook = await startDocumentedService({ environment: { DAYBOOK_TIMEZONE: 'America/New_York' } });
});
test.before.each(() => {
  daybook.clock.at = NOON;
});
test.after(() => daybook.close());

const create = (members: object = {}) => daybook.created('editor', 'events', someEvent(members));
const put = async (id: number, body: object) => (await daybook.request('editor', 'PUT', `/events/${id}`, body)).body;

const KEYS = (
  'id global_id global_id_lineage author status date date_utc modified modified_utc url rest_url title description ' +
  'excerpt slug image all_day start_date start_date_details end_date end_date_details utc_start_date ' +
  'utc_start_date_details utc_end_date utc_end_date_details timezone timezone_abbr cost cost_details website show_map ' +
  'show_map_link hide_from_listings sticky featured categories tags venue organizer'
).split(' ');

test('a new event comes back with every member in its order, json_ld only in single reads', async () => {
  const made = await create();
  assert.equal(Object.keys(made).slice(0, KEYS.length), KEYS);
  const read = (await daybook.get(`/events/${made.id}`)).body;
  const { json_ld: jsonLd, ...rest } = read;
  assert.equal(rest, made);
  assert.equal([jsonLd['@type'], jsonLd.startDate], ['Event', '2026-12-21T10:00:00-05:00']);
  const [listed] = (await daybook.get(`/events?include=${made.id}`)).body.events;
  assert.equal(listed, made);
});

test('defaults: the caller is the author, the site sets the zone, now is the publication', async () => {
  const made = await create({ title: 'Defaults' });
  assert.equal(
    [made.author, made.status, made.timezone],
    [String(daybook.userId('editor')), 'publish', 'America/New_York'],
  );
  assert.equal([made.date, made.date_utc], ['2026-11-20 07:00:00', '2026-11-20 12:00:00']);
  assert.equal([made.utc_start_date, made.timezone_abbr], ['2026-12-21 15:00:00', 'EST']);
  assert.equal([made.url, made.rest_url], ['http://cal.example/event/defaults/', `${ROOT}/events/${made.id}`]);
  assert.equal([made.image, made.venue, made.organizer, made.website], [false, [], [], made.url]);
});

test('fields that are not sent keep their values, with every writing method', async () => {
  const all = {
    ...{ description: 'd', excerpt: 'e', cost: '20$', website: 'https://w.example/?a=1&b=2', timezone: 'Asia/Tokyo' },
    ...{ categories: 'One,Two', tags: ['x'], venue: { venue: 'Kept' }, organizer: [{ organizer: 'Kept' }] },
    ...{
      all_day: true,
      featured: true,
      sticky: true,
      show_map: true,
      status: 'private',
      image: 'https://i.example/a.png',
    },
  };
  for (const method of ['POST', 'PUT', 'PATCH']) {
    const made = await create(all);
    daybook.clock.at += 60;
    const { body } = await daybook.request('editor', method, `/events/${made.id}`, { title: `By ${method}` });
    const { title, modified, modified_utc, ...kept } = body;
    const { title: _t, modified: _m, modified_utc: _u, ...before } = made;
    assert.equal(kept, before, method);
    assert.equal([title, modified_utc > made.modified_utc], [`By ${method}`, true]);
  }
});

test('empty values clear what may be empty', async () => {
  const venue = { venue: { venue: 'Left' } };
  const made = await create({
    ...venue,
    organizer: { organizer: 'Left' },
    cost: 5,
    categories: 'c',
    tags: 't',
    description: 'd',
  });
  assert.is(made.venue.venue, 'Left');
  const cleared = await put(made.id, {
    venue: 0,
    organizer: '',
    cost: '',
    categories: [],
    tags: '',
    description: '',
    website: '',
  });
  const { venue: none, organizer, cost, categories, tags, description, website } = cleared;
  assert.equal(
    { none, organizer, cost, categories, tags, description, website },
    {
      ...{ none: [], organizer: [], cost: '', categories: [], tags: [], description: '', website: '' },
    },
  );
  for (const empty of ['', [], null]) {
    const again = await create(venue);
    assert.equal((await put(again.id, { venue: empty })).venue, [], JSON.stringify(empty));
  }
  for (const body of [{ title: '' }, { title: ' ' }, { slug: '' }, { status: '' }, { start_date: '' }])
    assert.is((await daybook.request('editor', 'PUT', `/events/${made.id}`, body)).status, 400, JSON.stringify(body));
});

test('one date alone may change; an end before the start becomes the start', async () => {
  const made = await create();
  assert.is((await put(made.id, { end_date: '2026-12-21 15:00' })).utc_end_date, '2026-12-21 20:00:00');
  const moved = await put(made.id, { start_date: '2026-12-22 08:00' });
  assert.equal(
    [moved.start_date, moved.end_date, moved.utc_end_date],
    ['2026-12-22 08:00:00', '2026-12-22 08:00:00', '2026-12-22 13:00:00'],
  );
  const zoned = await put(made.id, { timezone: 'Europe/Paris' });
  assert.equal([zoned.start_date, zoned.utc_start_date], ['2026-12-22 08:00:00', '2026-12-22 07:00:00']);
  const offset = await put(made.id, { start_date: '2026-12-22T08:00:00+09:00', end_date: '2026-12-23' });
  assert.equal([offset.start_date, offset.utc_start_date], ['2026-12-22 00:00:00', '2026-12-21 23:00:00']);
});

test('statuses: a date ahead makes it future, none ahead makes it publish', async () => {
  const planned = await create({ date: '2026-12-01 10:00' });
  assert.equal([planned.status, planned.date_utc], ['future', '2026-12-01 15:00:00']);
  assert.is((await daybook.get(`/events/${planned.id}`)).status, 403);
  assert.is((await put(planned.id, { date: '2026-11-01' })).status, 'publish');
  assert.is((await create({ status: 'future' })).status, 'publish');
  const draft = await create({ status: 'draft', title: 'Sketch' });
  assert.equal([draft.date_utc, draft.slug], ['0000-00-00 00:00:00', '']);
  assert.is((await put(draft.id, { status: 'publish' })).slug, 'sketch');
  for (const status of ['auto-draft', 'inherit', 'Publish', 'any', 'publish,draft', ['draft']])
    assert.is((await daybook.request('editor', 'POST', '/events', someEvent({ status }))).status, 400, String(status));
});

test('trash: hidden from readers, kept completely, and restored by a status', async () => {
  const made = await create({ title: 'Comes back', venue: { venue: 'Stays' }, categories: 'Stays' });
  const count = async () => (await daybook.get(`/categories/${made.categories[0].id}`)).body.count;
  assert.is(await count(), 1);
  const { status, body } = await daybook.request('editor', 'DELETE', `/events/${made.id}?force=true`, {
    title: 'ignored',
  });
  assert.equal([status, body.status, body.slug, body.title], [200, 'trash', 'comes-back__trashed', 'Comes back']);
  assert.equal([body.venue.venue, body.url], ['Stays', `http://cal.example/?post_type=tribe_events&p=${made.id}`]);
  assert.is(await count(), 0);
  assert.is((await daybook.get(`/events/${made.id}`, 'administrator')).body.code, 'event-no-longer-available');
  assert.is((await daybook.request('editor', 'DELETE', `/events/${made.id}`)).status, 410);
  const taker = await create({ title: 'Comes back' });
  assert.is(taker.slug, 'comes-back');
  const edited = await put(made.id, { excerpt: 'x' });
  assert.equal([edited.status, edited.excerpt], ['trash', '<p>x</p>']);
  const back = await put(made.id, { status: 'publish' });
  assert.equal([back.status, back.slug, back.categories.length], ['publish', 'comes-back-2', 1]);
});

test('links: ids, lists, entries and objects, in every notation', async () => {
  const a = (await daybook.created('editor', 'venues', { venue: 'A' })).id;
  const b = (await daybook.created('editor', 'venues', { venue: 'B' })).id;
  const venuesOf = async (venue: unknown) => {
    const shown = (await create({ venue })).venue;
    return Array.isArray(shown) ? shown.map(({ id }) => id) : shown.id;
  };
  for (const one of [a, String(a), [a], `${a}`, { id: a }, [{ id: a }], [{ venue: 'a' }], { venue: 'A' }])
    assert.is(await venuesOf(one), a, JSON.stringify(one));
  for (const both of [[a, b], `${a},${b}`, [{ id: a }, { venue: 'B' }], [a, b, a]])
    assert.equal(await venuesOf(both), [a, b], JSON.stringify(both));
  const form =
    'title=F&start_date=2026-12-21&end_date=2026-12-21&venue[venue]=A&organizer[0][organizer]=O&organizer[1][organizer]=P';
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { body } = await daybook.request('editor', 'POST', '/events', form, headers);
  assert.equal([body.venue.id, body.organizer.map((o: { organizer: string }) => o.organizer)], [a, ['O', 'P']]);
  for (const wrong of [
    99_999,
    'nowhere',
    { id: 99_999 },
    [a, 'x'],
    { city: 'Leeds' },
    { venue: 'X', website: 'bad' },
    body.id,
  ])
    assert.is(
      (await daybook.request('editor', 'POST', '/events', someEvent({ venue: wrong }))).status,
      400,
      JSON.stringify(wrong),
    );
});

test('a failed creation leaves nothing behind', async () => {
  const before = await daybook.store.head();
  const venue = { venue: 'Not to be' };
  const failures = [
    { venue, organizer: { organizer: ' ' } },
    { venue, categories: 'New', post_parent: 99_999 },
  ];
  for (const members of failures)
    assert.is((await daybook.request('editor', 'POST', '/events', someEvent(members))).status, 400);
  assert.is((await daybook.request('author', 'POST', '/events', someEvent({ venue, author: 1 }))).status, 403);
  const after = await daybook.store.readAll({ after: before, limit: 100 });
  const written = after.map(({ stream }) => stream).filter((stream) => !stream.startsWith('ids-'));
  assert.equal(written, [], 'an id may be spent, nothing else');
});

test('linked posts that a reader may not see are left out; a trashed one is unlinked for good', async () => {
  const made = await create({ venue: { venue: 'Draft hall', status: 'draft' }, organizer: [{ organizer: 'Open' }] });
  assert.is(made.venue.venue, 'Draft hall', 'the editor sees it');
  const seen = (await daybook.get(`/events/${made.id}`)).body;
  assert.equal([seen.venue, seen.organizer.length, 'location' in seen.json_ld], [[], 1, false]);
  const organizer = made.organizer[0].id;
  await daybook.request('editor', 'DELETE', `/organizers/${organizer}`);
  assert.equal((await daybook.get(`/events/${made.id}`)).body.organizer, []);
  await daybook.request('editor', 'PUT', `/organizers/${organizer}`, { status: 'publish' });
  assert.equal((await daybook.get(`/events/${made.id}`)).body.organizer, [], 'restoring does not link it again');
  await daybook.request('editor', 'DELETE', `/organizers/${organizer}`);
  assert.is((await daybook.request('editor', 'PUT', `/events/${made.id}`, { organizer })).status, 400);
});

test('trashing one organizer of an event leaves the others linked', async () => {
  const made = await create({ organizer: ['First', 'Second', 'Third'].map((organizer) => ({ organizer })) });
  const [first, second, third] = made.organizer.map(({ id }: Body) => id);
  await daybook.request('editor', 'DELETE', `/organizers/${second}`);
  const linked = async () => (await daybook.get(`/events/${made.id}`)).body.organizer.map(({ id }: Body) => id);
  assert.equal(await linked(), [first, third]);
  await put(made.id, { excerpt: 'changed since' });
  assert.equal(await linked(), [first, third]);
});

test('an event may belong to another one, in no circle', async () => {
  const top = await create({ title: 'Top' });
  const below = await create({ title: 'Below', post_parent: top.id });
  assert.is(below.post_parent, top.id);
  const circle = await daybook.request('editor', 'PUT', `/events/${top.id}`, { post_parent: below.id });
  assert.equal([circle.status, Object.keys(circle.body.data.params)], [400, ['post_parent']]);
  assert.is((await put(below.id, { post_parent: 0 })).post_parent, 0);
});

test.run();
