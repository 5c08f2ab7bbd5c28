// Venues, organizers, categories and tags at the desk: found, created, changed, removed, merged and taken apart again.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Fields, formOf, signedIn, textAreasOf, type Visitor } from '../support/desk.ts';
import { type Answer, type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService; editor: Visitor }>('venues, organizers and terms at the desk');
test.before(async (context) => {
  context.daybook = await startTestService();
  context.editor = await signedIn(context.daybook, 'editor');
});
test.after(({ daybook }) => daybook.close());

const KINDS = [
  { collection: 'venues', name: 'venue' },
  { collection: 'organizers', name: 'organizer' },
  { collection: 'categories', name: 'name' },
  { collection: 'tags', name: 'name' },
] as const;

const idIn = ({ headers }: Answer): number => Number(/\d+/.exec(headers.location ?? '')?.[0]);

/** Opens a form and sends it with what was typed. */
async function save(visitor: Visitor, place: string, action: string, typed: Fields): Promise<Answer> {
  const page = await visitor.get(place);
  assert.is(page.status, 200, place);
  return visitor.post(action, { ...formOf(page, action), ...textAreasOf(page), ...typed });
}

const change = (visitor: Visitor, path: string, typed: Fields): Promise<Answer> => save(visitor, path, path, typed);

const press = async (visitor: Visitor, place: string, action: string): Promise<Answer> =>
  visitor.post(action, formOf(await visitor.get(place), action));

const fieldsOf = async (daybook: TestService, path: string): Promise<Body> =>
  (await daybook.get(`${path}/fields`, 'editor')).body.fields;

for (const { collection, name } of KINDS)
  test(`${collection}: one is created, found, changed as it was typed, and nothing typed changes nothing`, async ({
    daybook,
    editor,
  }) => {
    const list = `/desk/${collection}`;
    const first = { [name]: `Tom's "Hall" & ${collection}`, description: 'One\r\n\r\nTwo -- <em>x</em>' };
    const made = await save(editor, `${list}/new`, list, first);
    assert.match(made.headers.location ?? '', new RegExp(`^${list}/\\d+\\?said=said_made$`));
    const path = `/${collection}/${idIn(made)}`;
    const read = await fieldsOf(daybook, path);
    assert.equal([read[name].replace('&amp;', '&'), read.description], [first[name], 'One\n\nTwo -- <em>x</em>']);
    const { total } = (await daybook.get(`${path}/history`, 'editor')).body;
    assert.match((await change(editor, `/desk${path}`, {})).headers.location ?? '', /said_saved$/);
    assert.is((await daybook.get(`${path}/history`, 'editor')).body.total, total);
    await change(editor, `/desk${path}`, { [name]: `Other ${collection}` });
    assert.is((await fieldsOf(daybook, path))[name], `Other ${collection}`);
    const found = await editor.get(`${list}?search=Other`);
    assert.ok(found.text.includes(`<a href="/desk${path}">Other ${collection}</a>`));
    assert.not((await editor.get(`${list}?search=Elsewhere`)).text.includes(`/desk${path}"`));
  });

for (const [collection, name] of [
  ['venues', 'venue'],
  ['organizers', 'organizer'],
] as const)
  test(`${collection}: a new one is published unless something else is chosen, which is said`, async ({
    daybook,
    editor,
  }) => {
    const list = `/desk/${collection}`;
    const made = await save(editor, `${list}/new`, list, { [name]: `Open ${name}` });
    assert.match(made.headers.location ?? '', /said=said_made$/);
    assert.is((await daybook.get(`/${collection}/${idIn(made)}`)).status, 200, 'visitors see it');
    const draft = await save(editor, `${list}/new`, list, { [name]: `Shut ${name}`, status: 'draft' });
    assert.match(draft.headers.location ?? '', /said=said_made_draft$/);
    assert.match((await editor.get(draft.headers.location ?? '')).text, 'Visitors do not see it until it is published');
    const contributor = await signedIn(daybook, 'contributor');
    const theirs = await save(contributor, `${list}/new`, list, { [name]: `Their ${name}` });
    assert.match(theirs.headers.location ?? '', /said=said_made_draft$/, 'who may not publish is told as well');
    const other = await save(editor, `${list}/new`, list, { [name]: `Shut ${name}` });
    assert.match(other.text, new RegExp(`Shut ${name}</a> <small></small> <span class="label">Draft</span>`));
    const merging = await editor.get(`${list}/${idIn(made)}/merge?search=Shut`);
    assert.match(merging.text, '<span class="label">Draft</span>');
  });

test('what is wrong is said beside its field, and nothing typed is lost', async ({ editor }) => {
  const typed = { venue: '', geo_lat: '91', geo_lng: '0', city: 'Leeds', website: 'no address' };
  const refused = await save(editor, '/desk/venues/new', '/desk/venues', typed);
  assert.is(refused.status, 400);
  for (const name of ['geo_lat', 'website']) assert.match(refused.text, new RegExp(`id="${name}-problem"`));
  const form = formOf(refused, '/desk/venues');
  assert.equal([form.city, form.geo_lat, form.website], ['Leeds', '91', 'no address']);
});

test('what most venues leave alone is folded, and open where something in it is wrong', async ({ editor }) => {
  const foldOf = ({ text }: Answer, part: string): string | undefined =>
    new RegExp(`<details class="box"( open)?>\\s*<summary>${part}</summary>`).exec(text)?.[0];
  const page = await editor.get('/desk/venues/new');
  assert.match(foldOf(page, 'Place') ?? '', ' open');
  assert.not.match(foldOf(page, 'Contact') ?? ' open', ' open');
  const refused = await save(editor, '/desk/venues/new', '/desk/venues', { venue: 'X', website: 'no address' });
  assert.match(foldOf(refused, 'Contact') ?? '', ' open');
});

test('the place of a venue has its coordinates, a link to a map, and can be taken away', async ({
  daybook,
  editor,
}) => {
  const typed = { venue: 'Quay', city: 'Leeds', geo_lat: '53.5', geo_lng: '-1.25' };
  const id = idIn(await save(editor, '/desk/venues/new', '/desk/venues', typed));
  const page = await editor.get(`/desk/venues/${id}`);
  assert.ok(page.text.includes('https://www.openstreetmap.org/?mlat=53.5&amp;mlon=-1.25'));
  await change(editor, `/desk/venues/${id}`, { geo_lat: '54' });
  const { geo_lat: lat, geo_lng: lng } = await fieldsOf(daybook, `/venues/${id}`);
  assert.equal([lat, lng], [54, -1.25]);
  await change(editor, `/desk/venues/${id}`, { geo_lat: '', geo_lng: '' });
  assert.is((await fieldsOf(daybook, `/venues/${id}`)).geo_lat, null);
});

test('a name that a venue has already leads to that venue', async ({ daybook, editor }) => {
  const { id } = await daybook.created('editor', 'venues', { venue: 'Only One', status: 'publish' });
  const refused = await save(editor, '/desk/venues/new', '/desk/venues', { venue: 'only one' });
  assert.is(refused.status, 400);
  assert.ok(refused.text.includes(`href="/desk/venues/${id}"`));
});

test('what others have saved meanwhile is shown beside what was typed, and neither is lost', async ({
  daybook,
  editor,
}) => {
  const { id } = await daybook.created('editor', 'organizers', {
    organizer: 'Guild',
    phone: '1',
    email: 'a@b.example',
  });
  const path = `/desk/organizers/${id}`;
  const page = await editor.get(path);
  await daybook.request('administrator', 'PATCH', `/organizers/${id}`, { phone: '2', email: 'c@d.example' });
  const again = await editor.post(path, { ...formOf(page, path), ...textAreasOf(page), phone: '3' });
  assert.is(again.status, 412);
  assert.match(again.text, /<td class="text">2<\/td><td class="text">3<\/td>/);
  const form = formOf(again, path);
  assert.equal([form.phone, form.email], ['3', 'c@d.example']);
  assert.is((await editor.post(path, { ...form, ...textAreasOf(again) })).status, 303);
  const { phone, email } = await fieldsOf(daybook, `/organizers/${id}`);
  assert.equal([phone, email], ['3', 'c@d.example']);
});

test('categories are a tree: moved below another one, to the top, and never below themselves', async ({
  daybook,
  editor,
}) => {
  const made = (name: string, parent?: number) =>
    daybook.created('editor', 'categories', { name, ...(parent !== undefined && { parent }) });
  const arts = await made('Arts');
  const dance = await made('Dance', arts.id);
  const tree = (await editor.get('/desk/categories')).text;
  assert.match(
    tree,
    new RegExp(
      `/categories/${arts.id}">Arts</a>[^/]*</small><ul class="tree"><li><a href="/desk/categories/${dance.id}"`,
    ),
  );
  const offered = (await editor.get(`/desk/categories/${arts.id}`)).text;
  assert.not(offered.includes(`<option value="${dance.id}"`), 'not below what is below it');
  const parent = async (): Promise<number> => (await daybook.get(`/categories/${dance.id}`)).body.parent;
  await change(editor, `/desk/categories/${dance.id}`, { parent: '' });
  assert.is(await parent(), 0);
  await change(editor, `/desk/categories/${dance.id}`, { parent: String(arts.id) });
  assert.is(await parent(), arts.id);
});

test('a venue goes to the bin and comes back; a tag is deleted', async ({ daybook, editor }) => {
  const venue = await daybook.created('editor', 'venues', { venue: 'Binned', status: 'publish' });
  const path = `/desk/venues/${venue.id}`;
  assert.is((await press(editor, path, `${path}/bin`)).headers.location, '/desk/venues?said=said_bin');
  assert.ok((await editor.get('/desk/venues?state=trash')).text.includes(`href="${path}"`));
  assert.match((await press(editor, path, `${path}/restore`)).headers.location ?? '', /said_restore$/);
  assert.is((await fieldsOf(daybook, `/venues/${venue.id}`)).status, 'draft');
  const tag = await daybook.created('editor', 'tags', { name: 'Short-lived' });
  const deleted = await press(editor, `/desk/tags/${tag.id}`, `/desk/tags/${tag.id}/delete`);
  assert.is(deleted.headers.location, '/desk/tags?said=said_deleted');
  const gone = `/desk/tags/${tag.id}`;
  assert.match((await editor.get(gone)).text, /This was deleted\./);
  assert.match((await press(editor, gone, `${gone}/back`)).headers.location ?? '', /said_back$/);
  assert.is((await daybook.get(`/tags/${tag.id}`)).body.name, 'Short-lived');
  assert.is((await editor.get('/desk/tags/999999')).status, 404);
});

for (const { collection, name } of KINDS)
  test(`${collection}: two that look alike are merged after a preview, and taken apart again`, async ({
    daybook,
    editor,
  }) => {
    const post = collection === 'venues' || collection === 'organizers' ? { status: 'publish' } : {};
    const [stays, goes] = [
      await daybook.created('editor', collection, { [name]: `Twin ${collection}`, ...post }),
      await daybook.created('editor', collection, { [name]: `Twin, ${collection}!`, ...post }),
    ];
    const link = { [collection === 'venues' || collection === 'organizers' ? name : collection]: [goes.id] };
    const event = await daybook.created('editor', 'events', someEvent({ title: `At ${collection}`, ...link }));
    const linked = async (): Promise<string> => JSON.stringify((await daybook.get(`/events/${event.id}`)).body);
    const path = `/desk/${collection}/${goes.id}`;
    const alike = await editor.get(`/desk/${collection}/duplicates`);
    assert.ok(alike.text.includes(`href="${path}/merge?into=${stays.id}"`), 'the pair is found');
    const preview = `${path}/merge?into=${stays.id}`;
    const shown = await editor.get(preview);
    assert.match(shown.text, /Nothing has been changed yet\. Events linked to [^:]*: 1\./);
    assert.ok((await linked()).includes(`Twin, ${collection}!`), 'a preview changes nothing');
    const merged = await press(editor, preview, `${path}/merge`);
    assert.is(merged.headers.location, `/desk/${collection}/${stays.id}?said=said_merged`);
    assert.not((await linked()).includes(`Twin, ${collection}!`));
    const former = await editor.get(path);
    assert.ok(former.text.includes(`href="/desk/${collection}/${stays.id}"`), 'its page leads to the one that stays');
    assert.match((await press(editor, path, `${path}/back`)).headers.location ?? '', /said_back$/);
    assert.ok((await linked()).includes(`Twin, ${collection}!`));
  });

test('what the API says about members of its answer is said in words of a page', async ({ daybook, editor }) => {
  const { id } = await daybook.created('editor', 'tags', { name: 'Alone' });
  const itself = await editor.get(`/desk/tags/${id}/merge?into=${id}`);
  assert.match(itself.text, /These are one and the same\./);
  assert.not(itself.text.includes('data.'));
  const compare = await editor.get(`/desk/tags/${id}/history/compare`);
  assert.equal([compare.status, compare.text.includes('Missing parameter')], [400, false]);
  assert.match(compare.text, /Choose two states in the history/);
});

test('those who may not merge are offered none of it', async ({ daybook }) => {
  const contributor = await signedIn(daybook, 'contributor');
  const list = await contributor.get('/desk/venues');
  assert.equal([list.status, list.text.includes('/desk/venues/duplicates')], [200, false]);
  assert.is((await contributor.get('/desk/venues/duplicates')).status, 403);
  assert.not(list.text.includes('href="/desk/tags"'), 'who may not keep tags does not find them');
});

test.run();
