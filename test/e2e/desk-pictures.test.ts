// Pictures at the desk: uploaded, described, shown on the page of an event, removed.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formOf, signedIn, textAreasOf } from '../support/desk.ts';
import { formWith, hugePng, photo } from '../support/pictures.ts';
import { type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite('pictures at the desk');
let daybook: TestService;
test.before(async () => {
  daybook = await startTestService();
});
test.after(() => daybook.close());

const LIST = '//desk/pictures';

test('a picture is uploaded, described, shown by an event with its sizes, and removed', async () => {
  const visitor = await signedIn(daybook, 'author');
  const page = await visitor.get('/desk/pictures');
  assert.match(page.text, 'There are no pictures yet');
  const fields = formOf(page, '/desk/pictures');
  const form = await formWith(await photo(), { ...fields, alt: 'Lights & "river"' });
  const send = () => visitor.raw('/desk/pictures', form.body, form.headers);
  const [sent, again] = [await send(), await send()];
  assert.is(sent.status, 303, sent.text);
  assert.is(again.headers.location, sent.headers.location, 'sent twice, uploaded once');
  const place = (sent.headers.location ?? '').replace(/\?.*/, '');
  const id = Number(place.split('/').at(-1));
  const event = await daybook.created('author', 'events', someEvent({ title: 'River night', image: id }));
  const { text } = await daybook.get(`//event/${event.slug}/`);
  assert.match(text, 'alt="Lights &amp; &quot;river&quot;"');
  const { large } = (await daybook.get(`/events/${event.id}`)).body.image.sizes;
  const shared = `content="${large.url}"/><meta property="og:image:width" content="${large.width}"/>`;
  assert.match(text, `<meta property="og:image" ${shared}`, 'of shared links, in a size that all who show them take');
  assert.match(text, /srcset="\/media\/\S+-200x300\.jpg 200w, .*\/media\/[^,"]+\.jpg 800w"/);
  assert.match(page.text, /<details class="upload" open>/);
  assert.match((await visitor.get('/desk/pictures')).text, /<details class="upload"><summary/, 'pictures come first');
  const shown = await visitor.get(place);
  assert.not.match(shown.text, `${place}/remove`);
  const described = await visitor.post(place, { ...formOf(shown, place), title: 'River', alt: 'Lights' });
  assert.is(described.status, 303);
  assert.match((await daybook.get(`//event/${event.slug}/`)).text, 'alt="Lights"');
  await daybook.request('author', 'PATCH', `/events/${event.id}`, { image: 'https://pictures.example/1.jpg' });
  const unused = await visitor.get(place);
  assert.is((await visitor.post(`${place}/remove`, formOf(unused, `${place}/remove`))).status, 303);
  assert.is((await visitor.get(place)).status, 404);
});

test('what is no picture is refused in the page, and what was typed is still there', async () => {
  const visitor = await signedIn(daybook, 'author');
  const fields = formOf(await visitor.get('/desk/pictures'), '/desk/pictures');
  const form = await formWith(Buffer.from('no picture'), { ...fields, alt: 'Typed' });
  const { status, text } = await visitor.raw('/desk/pictures', form.body, form.headers);
  assert.is(status, 400);
  assert.match(text, 'must be a complete and undamaged picture');
  assert.match(text, 'value="Typed"');
});

for (const [section, required] of [
  ['/desk/events', { title: 'With a picture', start_date: '2026-12-01T19:00', end_date: '2026-12-01T21:00' }],
  ['/desk/venues', { venue: 'Hall with a picture' }],
] as const)
  test(`a picture is uploaded in the very form of ${section}, once, and shown in it`, async () => {
    const visitor = await signedIn(daybook, 'editor');
    const page = await visitor.get(`${section}/new`);
    const { image_file: _file, ...fields } = formOf(page, section);
    const typed = { ...fields, ...textAreasOf(page), ...required };
    const form = await formWith(await photo(), { ...typed, image_alt: 'A bridge' }, 'image_file');
    const before = (await daybook.get('/media', 'editor')).body.total;
    const sent = await visitor.raw(section, form.body, form.headers);
    assert.is(sent.status, 303, sent.text);
    const place = (sent.headers.location ?? '').replace(/\?.*/, '');
    const [picture] = (await daybook.get('/media', 'editor')).body.media;
    assert.equal([picture.alt, (await daybook.get('/media', 'editor')).body.total], ['A bridge', before + 1]);
    const opened = await visitor.get(place);
    assert.is(formOf(opened, place).image, String(picture.id));
    assert.match(opened.text, new URL(picture.sizes.thumbnail.url).pathname);
    // Saved again as it is: nothing changes, and nothing is uploaded.
    const same = { ...formOf(opened, place), ...textAreasOf(opened) };
    assert.is((await visitor.post(place, same)).status, 303);
    const api = place.replace('/desk', '');
    assert.is((await daybook.get(api, 'editor')).body.image.id, picture.id);
  });

test('a form whose picture is none is shown again with what was typed', async () => {
  const visitor = await signedIn(daybook, 'editor');
  const page = await visitor.get('/desk/events/new');
  const { image_file: _file, ...fields } = formOf(page, '/desk/events');
  const typed = { ...fields, ...textAreasOf(page), title: 'Typed title' };
  // The second one has 60 megapixels.
  for (const [file, problem] of [
    [Buffer.from('no picture'), 'complete and undamaged'],
    [hugePng(10_000, 6_000), 'pixels'],
  ] as const) {
    const form = await formWith(file, typed, 'image_file');
    const { status, text } = await visitor.raw('/desk/events', form.body, form.headers);
    assert.is(status, 400);
    assert.match(/id="image_file-problem">([^<]*)/.exec(text)?.[1] ?? '', problem, 'where the file was chosen');
    assert.not.match(text, 'id="image-problem"');
    assert.match(text, 'value="Typed title"');
  }
  const session = visitor.cookie;
  visitor.cookie = '';
  const small = await formWith(await photo(60, 40), typed, 'image_file');
  const ended = await visitor.raw('/desk/events', small.body, small.headers);
  assert.is(ended.status, 401);
  assert.match(ended.text, 'Typed+title');
  visitor.cookie = session;
});

test('a picture that is there already is chosen from the library', async () => {
  const visitor = await signedIn(daybook, 'editor');
  const upload = await formWith(await photo(60, 40), { alt: 'A lantern' });
  const { id: picture } = (await daybook.request('editor', 'POST', '/media', upload.body, upload.headers)).body;
  const { id } = await daybook.created('editor', 'events', someEvent({ title: 'Chosen' }));
  const path = `/desk/events/${id}`;
  const choose = async (chosen: string): Promise<unknown> => {
    const page = await visitor.get(path);
    await visitor.post(path, { ...formOf(page, path), ...textAreasOf(page), image_chosen: chosen });
    return (await daybook.get(`/events/${id}`)).body.image.id;
  };
  assert.match((await visitor.get(path)).text, `name="image_chosen" value="${picture}"`);
  assert.is(await choose(String(picture)), picture);
  assert.is(await choose(''), picture, 'as it is');
});

test('those who may not upload do not find pictures', async () => {
  const visitor = await signedIn(daybook, 'contributor');
  assert.not.match((await visitor.get('/desk')).text, 'href="/desk/pictures"');
  assert.is((await visitor.get('/desk/pictures')).status, 403);
  assert.not.match((await visitor.get('/desk/events/new')).text, 'type="file"');
  assert.is((await daybook.get(LIST)).status, 303);
});

test('lists show a small picture beside the title, and histories what it was and became', async () => {
  const visitor = await signedIn(daybook, 'editor');
  const upload = async (): Promise<Body> => {
    const form = await formWith(await photo(400, 300), { alt: 'Lights' });
    return (await daybook.request('editor', 'POST', '/media', form.body, form.headers)).body;
  };
  const [first, second] = [await upload(), await upload()];
  const { id } = await daybook.created('editor', 'events', someEvent({ title: 'Pictured', image: first.id }));
  await daybook.request('editor', 'PATCH', `/events/${id}`, { image: second.id });
  await daybook.request('editor', 'PATCH', `/events/${id}`, { image: 'https://pictures.example/1.jpg' });
  const shown = ({ id: number, sizes }: Body): string =>
    `<img class="thumbnail" src="${new URL(sizes.thumbnail.url).pathname}" alt="Number ${number}" loading="lazy"/>`;
  const { text } = await visitor.get(`/desk/events/${id}/history`);
  assert.match(text, `<del>${shown(first)}</del> <ins>${shown(second)}</ins>`);
  assert.match(text, `<del>${shown(second)}</del> <ins>https://pictures.example/1.jpg</ins>`);
  assert.not.match((await visitor.get('/desk/events?search=Pictured')).text, '<img', 'nothing comes from elsewhere');
  await daybook.request('editor', 'PATCH', `/events/${id}`, { image: first.id });
  const list = await visitor.get('/desk/events?search=Pictured');
  assert.match(list.text, `<img class="thumbnail" src="${new URL(first.sizes.thumbnail.url).pathname}" alt`);
});

test.run();
