import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startDocumentedService } from '../support/documented.ts';
import { ROOT, someEvent, type TestService } from '../support/service.ts';

let daybook: TestService;
const test = suite('categories and tags over HTTP');

test.before(async () => {
  daybook = await startDocumentedService();
});
test.after(() => daybook.close());

const category = (body: object) => daybook.created('editor', 'categories', body);
const put = (target: string, body: object) => daybook.request('editor', 'PUT', target, body);
const event = (members: object) => daybook.created('editor', 'events', someEvent(members));

test('a term shows its place: address, collection, parent', async () => {
  const parent = await category({ name: 'Wine & <b>Song</b>', description: 'both' });
  assert.equal(parent, {
    ...{ id: parent.id, count: 0, description: 'both', name: 'Wine &amp; Song', slug: 'wine-song' },
    ...{ taxonomy: 'tribe_events_cat', parent: 0, meta: [], url: 'http://cal.example/events/category/wine-song/' },
    urls: { self: `${ROOT}/categories/${parent.id}`, collection: `${ROOT}/categories` },
  });
  const child = await category({ name: 'Red', parent: parent.id });
  assert.equal(
    [child.url, child.urls.up],
    ['http://cal.example/events/category/wine-song/red/', `${ROOT}/categories/${parent.id}`],
  );
  const tag = await daybook.created('editor', 'tags', { name: 'Late' });
  assert.equal([tag.taxonomy, tag.url, 'parent' in tag], ['post_tag', 'http://cal.example/tag/late/', false]);
  assert.equal((await daybook.get(`/tags/${tag.id}`)).body, tag);
  const embedded = (await daybook.get(`/tags/${tag.id}?context=embed`)).body;
  assert.equal(Object.keys(embedded), ['id', 'name', 'slug', 'taxonomy', 'url', 'urls']);
});

test('only published events count, and the count follows them', async () => {
  const { id } = await category({ name: 'Counted' });
  const count = async () => (await daybook.get(`/categories/${id}`)).body.count;
  const made = await event({ categories: 'counted' });
  await event({ categories: id, status: 'draft' });
  assert.is(await count(), 1);
  await put(`/events/${made.id}`, { status: 'private' });
  assert.is(await count(), 0);
  await put(`/events/${made.id}`, { status: 'publish' });
  await event({ categories: [id, 'Counted', id] });
  assert.is(await count(), 2);
});

test('a name exists once under a parent, a slug once at all', async () => {
  const first = await category({ name: 'Twice' });
  const again = await daybook.request('editor', 'POST', '/categories', { name: 'TWICE' });
  assert.equal([again.status, again.body.code, again.body.data.term_id], [400, 'term_exists', first.id]);
  assert.is((await category({ name: 'Twice', slug: 'other' })).slug, 'other');
  const parent = await category({ name: 'Above' });
  assert.is((await category({ name: 'Twice', parent: parent.id })).slug, 'twice-above');
  const taken = await put(`/categories/${parent.id}`, { slug: 'Twice' });
  assert.equal([taken.status, taken.body.code], [400, 'duplicate_term_slug']);
  assert.is(
    (await put(`/categories/${first.id}`, { slug: 'twice', name: 'Still' })).status,
    200,
    'its own slug is free to it',
  );
});

test('only what is sent of a term changes; blank names and unknown parents are refused', async () => {
  const { id } = await category({ name: 'Merge', description: 'kept' });
  assert.equal((await put(`/categories/${id}`, { name: 'Merged' })).body.description, 'kept');
  for (const body of [
    { name: '' },
    { name: ' ' },
    { name: '<i></i>' },
    { name: '\u0001' },
    { description: '' },
    { slug: '' },
    { parent: 0 },
    { parent: 99_999 },
    { name: 'x'.repeat(201) },
  ])
    assert.is((await put(`/categories/${id}`, body)).status, 400, JSON.stringify(body));
  const child = await category({ name: 'Below merge', parent: id });
  assert.is((await put(`/categories/${id}`, { parent: child.id })).body.parent, 0, 'no circle');
});

test('a deleted term is removed: events lose it, children move up, its names are free', async () => {
  const top = await category({ name: 'Top' });
  const middle = await category({ name: 'Middle', parent: top.id });
  const low = await category({ name: 'Low', parent: middle.id });
  const made = await event({ categories: [middle.id, low.id] });
  const gone = await daybook.request('editor', 'DELETE', `/categories/${middle.id}`);
  assert.equal([gone.status, gone.body.name, gone.body.count, gone.body.parent], [200, 'Middle', 1, top.id]);
  assert.is((await daybook.request('editor', 'DELETE', `/categories/${middle.id}`)).status, 400);
  assert.is((await daybook.get(`/categories/${middle.id}`)).status, 400);
  const read = (await daybook.get(`/categories/${low.id}`)).body;
  assert.equal([read.parent, read.urls.up], [top.id, `${ROOT}/categories/${top.id}`]);
  assert.equal(
    (await daybook.get(`/events/${made.id}`)).body.categories.map(({ id }: { id: number }) => id),
    [low.id],
  );
  assert.is((await daybook.get(`/events?categories=${top.id}`)).body.total, 1, 'what is below still counts');
  const again = await category({ name: 'Middle' });
  assert.equal([again.slug, again.id === middle.id], ['middle', false]);
});

test('an id of the other taxonomy is unknown', async () => {
  const { id } = await category({ name: 'No tag' });
  for (const method of ['GET', 'PUT', 'DELETE'])
    assert.is(
      (await daybook.request('editor', method, `/tags/${id}`, method === 'PUT' ? { name: 'x' } : undefined)).status,
      400,
      method,
    );
  assert.is((await daybook.get(`/events?tags=${id}`)).status, 400);
});

test('events name terms by id, slug or name, new ones too; unknown ids are passed over', async () => {
  const { id } = await daybook.created('editor', 'tags', { name: 'Known Name', slug: 'known' });
  const made = await event({ tags: [id, 'known', 'KNOWN NAME', 99_999, '', null, 0, 'Fresh'] });
  assert.equal(
    made.tags.map(({ slug }: { slug: string }) => slug),
    ['fresh', 'known'],
  );
  for (const tags of [{ a: 'x' }, [['x']], [{ id }], ['x'.repeat(201)]])
    assert.is(
      (await daybook.request('editor', 'POST', '/events', someEvent({ tags }))).status,
      400,
      JSON.stringify(tags).slice(0, 40),
    );
  assert.equal((await put(`/events/${made.id}`, { tags: null })).body.tags.length, 2, 'null keeps them');
});

test('filters mean any of several tags, and both of categories and tags', async () => {
  const one = await event({ tags: 'filter-a', categories: 'Filter C' });
  const two = await event({ tags: 'filter-b' });
  const found = async (query: string) =>
    (await daybook.get(`/events?${query}`)).body.events.map(({ id }: { id: number }) => id);
  assert.equal(await found('tags=filter-a,filter-b'), [one.id, two.id]);
  assert.equal(await found('tags=filter-a,filter-b&categories=filter-c'), [one.id]);
  assert.is((await daybook.get('/events?tags=filter-a,unheard')).status, 400);
});

test.run();
