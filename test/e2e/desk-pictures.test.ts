// Pictures at the desk: uploaded, described, shown on the page of an event, removed.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formOf, signedIn } from '../support/desk.ts';
import { formWith, photo } from '../support/pictures.ts';
import { someEvent, startTestService, type TestService } from '../support/service.ts';

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
  assert.match(text, /srcset="\/media\/\S+-200x300\.jpg 200w, .*\/media\/[^,"]+\.jpg 800w"/);
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
  assert.match(text, 'not a picture that can be used');
  assert.match(text, 'value="Typed"');
});

test('those who may not upload do not find pictures', async () => {
  const visitor = await signedIn(daybook, 'contributor');
  assert.not.match((await visitor.get('/desk')).text, 'href="/desk/pictures"');
  assert.is((await visitor.get('/desk/pictures')).status, 403);
  assert.is((await daybook.get(LIST)).status, 303);
});

test.run();
