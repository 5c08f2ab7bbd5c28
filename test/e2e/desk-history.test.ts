// Histories at the desk: the timeline, old states, comparisons, the way back, and what is next.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dateText } from '../../src/pages/dates.ts';
import { formOf, signedIn, type Visitor } from '../support/desk.ts';
import { type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

interface Context {
  daybook: TestService;
  editor: Visitor;
}

const test = suite<Context>('histories at the desk');
test.before(async (context) => {
  context.daybook = await startTestService();
  context.editor = await signedIn(context.daybook, 'editor');
});
test.after(({ daybook }) => daybook.close());

/** An event with two changes after its creation (revisions 0 and 1). */
async function changed({ daybook }: Context): Promise<Body> {
  const event = await daybook.created(
    'editor',
    'events',
    someEvent({ title: 'Night walk', description: 'By the sea' }),
  );
  const change = { title: 'Night swim', description: 'In the <em>cold</em> sea' };
  const reason = { 'x-change-reason': 'colder' };
  await daybook.request('editor', 'PATCH', `/events/${event.id}`, change, reason);
  return event;
}

test('the timeline says who changed what and why, by words', async (context) => {
  const { id } = await changed(context);
  const { status, text } = await context.editor.get(`/desk/events/${id}/history`);
  assert.is(status, 200);
  assert.match(text, 'Renamed from “Night walk” to “Night swim”.');
  assert.match(text, '<q>colder</q>');
  assert.match(text, /<details open[^>]*><summary>What changed/, 'with what is different');
  assert.ok(text.indexOf('Renamed') < text.indexOf('Created as'), 'the newest first');
});

test('two states are compared, texts by their words', async (context) => {
  const { id } = await changed(context);
  const { text } = await context.editor.get(`/desk/events/${id}/history/compare?from=1&to=3`);
  assert.match(text, 'Night <del>walk</del><ins>swim</ins>');
  const reversed = await context.editor.get(`/desk/events/${id}/history/compare?from=3&to=1`);
  assert.is(reversed.status, 400);
  assert.match(reversed.text, 'role="alert"');
});

test('an old state is shown with what going back would change; going back changes it once', async (context) => {
  const { daybook, editor } = context;
  const { id } = await changed(context);
  const path = `/desk/events/${id}/history`;
  const page = await editor.get(`${path}/at?revision=1`);
  assert.match(page.text, 'Night <del>swim</del><ins>walk</ins>');
  assert.is((await daybook.get(`/events/${id}`)).body.title, 'Night swim', 'nothing has changed yet');
  const form = { ...formOf(page, `${path}/revert`), reason: 'warmer' };
  const done = await editor.post(`${path}/revert`, form);
  assert.is(done.headers.location, `${path}?said=said_reverted`);
  assert.is((await daybook.get(`/events/${id}`)).body.title, 'Night walk');
  assert.is((await editor.post(`${path}/revert`, form)).headers.location, done.headers.location, 'pressed twice');
  // The way back, and once more: it is told, and what was typed stays.
  const again = await editor.post(`${path}/revert`, { ...form, reason: 'warmer still' });
  assert.is(again.status, 412);
  assert.match(again.text, 'value="warmer still"');
  const { history } = (await daybook.get(`/events/${id}/history`, 'editor')).body;
  assert.is(history.filter(({ type }: Body) => type === 'EventReverted').length, 1);
  assert.is(history.find(({ type }: Body) => type === 'EventReverted')?.reason, 'warmer');
});

test('as it was on a day, at a time of the site', async ({ daybook, editor }) => {
  const { clock } = daybook;
  const minute = () => new Date(clock.at * 1000).toISOString().slice(0, 16);
  const before = minute();
  clock.at += 3600;
  const { id } = await daybook.created('editor', 'events', someEvent({ title: 'Early' }));
  const path = `/desk/events/${id}/history`;
  const early = minute();
  clock.at += 3600;
  await daybook.request('editor', 'PATCH', `/events/${id}`, { title: 'Late' });
  const titleOn = async (date: string) => {
    const { text } = await editor.get(`${path}/at?as_of=${date}`);
    assert.match(text, `value="${dateText('en', 'medium', date.slice(0, 10))}"`);
    assert.match(
      text,
      `name="as_of_time" value="${dateText('en', 'time', date.replace('T', ' '))}"`.replaceAll('\u00a0', ' '),
    );
    return /<dt>Title<\/dt><dd>([^<]*)</.exec(text)?.[1];
  };
  assert.equal([await titleOn(early), await titleOn(minute())], ['Early', 'Late']);
  assert.match((await editor.get(`${path}/at?as_of=${early}`)).text, '<del>Late</del><ins>Early</ins>');
  const typed = new URLSearchParams({
    as_of: dateText('de', 'medium', early.slice(0, 10)),
    as_of_time: early.slice(11),
  });
  const inGerman = await editor.get(`${path}/at?${typed}`, { 'accept-language': 'de' });
  assert.match(inGerman.text, '<dd>Early</dd>', 'as the page writes it');
  assert.match((await editor.get(`${path}/compare?as_of=${early}`)).text, '<del>Early</del><ins>Late</ins>');
  const atMidnight = `${path}/compare?${new URLSearchParams({ as_of: typed.get('as_of') ?? '', as_of_time: '' })}`;
  const unborn = await editor.get(atMidnight, { 'accept-language': 'de' });
  assert.is(unborn.status, 404, 'it was not there at 0:00');
  const ahead = await editor.get(`${path}/at?as_of=2099-01-01T00:00`);
  assert.is(ahead.headers.location, `${path}/compare?as_of=2099-01-01T00%3A00`, 'what will be different');
  assert.match((await editor.get(String(ahead.headers.location))).text, 'There is no difference.');
  assert.match((await editor.get(path)).text, `action="${path}/at"`, 'asked for beside the timeline');
  const none = await editor.get(`${path}/at?as_of=${before}`);
  assert.is(none.status, 404, 'it was not there yet');
  assert.is((await editor.get(`${path}/at?as_of=someday`)).status, 400);
});

test('each value is shown with the change that made it so', async (context) => {
  const { id } = await changed(context);
  const { text } = await context.editor.get(`/desk/events/${id}/history/values`);
  const title = /<dt>Title<\/dt>\s*<dd>(.*?)<\/dd>/s.exec(text)?.[1] ?? '';
  assert.match(title, /^Night swim<p class="hint"><a href="\/desk\/audit\?request=[^"]+">Renamed from/);
  assert.match(title, '<q>colder</q>');
  assert.match(/<dt>Start<\/dt>\s*<dd>(.*?)<\/dd>/s.exec(text)?.[1] ?? '', 'Created as');
});

test('lists of venues and terms are shown as they were, and lead to what each was', async ({ daybook, editor }) => {
  const { id } = await daybook.created('editor', 'venues', { venue: 'Old Mill', status: 'publish' });
  const then = new Date(daybook.clock.at * 1000).toISOString().slice(0, 16);
  daybook.clock.at += 3600;
  await daybook.request('editor', 'PATCH', `/venues/${id}`, { venue: 'New Mill' });
  const { text } = await editor.get(`/desk/venues?as_of=${then}`);
  assert.match(text, `<a href="/desk/venues/${id}/history/at?as_of=${encodeURIComponent(then)}">Old Mill</a>`);
  assert.match((await editor.get('/desk/venues')).text, `<a href="/desk/venues/${id}">New Mill</a>`);
});

test('texts of people are cleaned where an old state is shown', async ({ daybook, editor }) => {
  const description = '<p>Sea</p><script>alert(1)</script><img src="https://elsewhere.example/a.gif">';
  const { id } = await daybook.created('administrator', 'events', someEvent({ description }));
  const { text } = await editor.get(`/desk/events/${id}/history/at?revision=0`);
  assert.match(text, '<p>Sea</p>');
  assert.not.match(text, /alert\(1\)|elsewhere/);
});

test('venues and terms have histories as well, and go back', async ({ daybook, editor }) => {
  const venue = await daybook.created('editor', 'venues', { venue: 'Harbour Hall', status: 'publish' });
  await daybook.request('editor', 'PATCH', `/venues/${venue.id}`, { venue: 'Pier Hall' });
  const path = `/desk/venues/${venue.id}/history`;
  assert.match((await editor.get(path)).text, 'Renamed from “Harbour Hall” to “Pier Hall”.');
  const page = await editor.get(`${path}/at?revision=1`);
  await editor.post(`${path}/revert`, formOf(page, `${path}/revert`));
  assert.is((await daybook.get(`/venues/${venue.id}`)).body.venue, 'Harbour Hall');
  assert.match(page.text, '<del>Pier</del><ins>Harbour</ins> Hall', 'what going back would change');
  const tag = await daybook.created('editor', 'tags', { name: 'Outdoors' });
  await daybook.request('editor', 'PATCH', `/tags/${tag.id}`, { name: 'Open air', description: 'Bring a coat' });
  const timeline = await editor.get(`/desk/tags/${tag.id}/history`);
  assert.match(timeline.text, '/history/compare');
  const { text } = await editor.get(`/desk/tags/${tag.id}/history/compare?from=0&to=2`);
  assert.match(text, '<del>Outdoors</del>');
  assert.match(text, '<ins>Bring a coat</ins>');
});

test('rights are those of the API', async (context) => {
  const { id } = await changed(context);
  const subscriber = await signedIn(context.daybook, 'subscriber');
  assert.is((await subscriber.get(`/desk/events/${id}/history`)).status, 403);
  assert.is((await context.editor.get('/desk/events/999999/history')).status, 404);
  const form = formOf(await context.editor.get(`/desk/events/${id}/history/at?revision=1`));
  const forged = await context.editor.post(`/desk/events/${id}/history/revert`, { ...form, _csrf: 'forged' });
  assert.is(forged.status, 403);
});

test('what is next lists what happens by itself', async ({ daybook, editor }) => {
  assert.match((await editor.get('/desk/next')).text, 'Nothing is scheduled.');
  const { id } = await daybook.created('editor', 'events', {
    ...someEvent({ title: 'New moon' }),
    ...{ status: 'future', date: '2027-01-01 10:00:00' },
  });
  const { text } = await editor.get('/desk/next');
  assert.match(text, `<a href="/desk/events/${id}">New moon</a>`);
  assert.match(text, '<time datetime="2027-01-01T10:00:00">');
});

test.run();
