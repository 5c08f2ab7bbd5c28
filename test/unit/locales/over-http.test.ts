import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { languageNamed } from '../../../src/locales/languages.ts';
import { type Answer, type As, startTestService, type TestService } from '../../support/service.ts';

const test = suite<{ daybook: TestService; german: TestService; event: number }>('languages over HTTP');

const START = { start_date: '2026-12-01 10:00:00', end_date: '2026-12-01 11:00:00' };
const GERMAN = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' };

test.before(async (context) => {
  context.daybook = await startTestService();
  context.german = await startTestService({ environment: { DAYBOOK_LANGUAGE: 'de' } });
  context.event = (await context.daybook.created('editor', 'events', { title: 'Kammerkonzert', ...START })).id;
});
test.after(async ({ daybook, german }) => {
  await daybook.close();
  await german.close();
});

const spokenIn = ({ headers }: Answer) => [headers['content-language'], headers.vary];
const BESIDE_ORIGIN = 'Origin, Authorization, Accept-Language';

test('an error is in the requested language and varies by it', async ({ daybook }) => {
  const english = await daybook.get('/events/999');
  assert.is(english.body.message, 'There is no such event.');
  assert.equal(spokenIn(english), ['en', BESIDE_ORIGIN]);
  const german = await daybook.get('/events/999', 'anonymous', GERMAN);
  assert.is(german.body.message, 'Diese Veranstaltung gibt es nicht.');
  assert.equal(spokenIn(german), ['de', BESIDE_ORIGIN]);
  assert.equal({ ...german.body, message: '' }, { ...english.body, message: '' });
});

test('the sentences of every language have their values', async ({ daybook, event }) => {
  const missing = await daybook.request('editor', 'POST', '/events?_locale=de', {});
  assert.is(missing.body.message, 'Fehlende Parameter: title, start_date, end_date');
  const refused = await daybook.get('/events?page=0&_locale=de');
  assert.is(refused.body.message, 'Ungültige Parameter: page. page muss eine ganze Zahl ab 1 sein.');
  assert.equal(refused.body.data.params, { page: 'page muss eine ganze Zahl ab 1 sein.' });
  const mistyped = await daybook.get('/events?featured=maybe&_locale=de');
  assert.is(mistyped.body.data.params.featured, 'featured ist nicht vom Typ boolean.');
  assert.is(mistyped.body.data.details.featured.message, 'featured ist nicht vom Typ boolean.');
  const reverted = await daybook.request('editor', 'POST', `/events/${event}/revert?_locale=de`, { revision: 9_999 });
  assert.match(reverted.body.message, /^Es gibt keine Fassung 9999: sie reichen von 0 bis \d+\. /);
  const future = await daybook.get('/events?as_of=2999-01-01&_locale=de');
  assert.match(future.body.message, /^Ungültige Parameter: as_of\. 2999-01-01T00:00:00Z liegt in der Zukunft: /);
  const broken = await daybook.request('editor', 'POST', '/events?_locale=de', '{', {
    'content-type': 'application/json',
  });
  assert.is(broken.body.data.json_error_message, 'Syntaxfehler');
});

test('conflicts of a revert are in the language of the request', async ({ daybook }) => {
  const venue = await daybook.created('editor', 'venues', { venue: 'Old Mill' });
  const { id } = await daybook.created('editor', 'events', { title: 'Ball', ...START, venue: venue.id });
  await daybook.request('editor', 'POST', `/events/${id}`, { venue: [] });
  await daybook.request('editor', 'DELETE', `/venues/${venue.id}`);
  const history = await daybook.get(`/events/${id}/history`, 'editor');
  const revision = history.body.history[1].revision;
  const answer = await daybook.request('editor', 'POST', `/events/${id}/revert?_locale=de`, { revision });
  assert.is(answer.status, 409);
  assert.is(
    answer.body.message,
    `Nichts wurde geschrieben, da es nicht wie damals aussehen kann: Veranstaltungsort ${venue.id} liegt im Papierkorb (venue).`,
  );
});

test('_locale counts more than the header', async ({ daybook }) => {
  const answer = await daybook.get('/events/999?_locale=en', 'anonymous', GERMAN);
  assert.is(answer.body.message, 'There is no such event.');
  assert.is((await daybook.get('/events/999?_locale=user', 'anonymous', GERMAN)).headers['content-language'], 'de');
});

test('an unknown _locale is refused with those that there are, in the language of the header', async ({ daybook }) => {
  for (const path of ['/events?_locale=xx', '/nowhere?_locale=xx', '/events?_locale[]=de']) {
    const { status, body } = await daybook.get(path);
    assert.is(status, 400, path);
    assert.is(body.code, 'rest_invalid_param');
    assert.match(body.data.params._locale, /^There is no such language\. Send one of en, de\b/);
  }
  const german = await daybook.get('/events?_locale=xx', 'anonymous', GERMAN);
  assert.match(german.body.message, /^Ungültige Parameter: _locale\. Diese Sprache gibt es nicht\. Eine von en, de\b/);
});

test('a list and a single read are the same in every language, and do not vary by it', async ({ daybook, event }) => {
  for (const path of ['/events', `/events/${event}`, '/venues', '/categories']) {
    const [english, german] = [await daybook.get(path), await daybook.get(path, 'anonymous', GERMAN)];
    assert.is(english.status, 200);
    assert.is(german.text, english.text);
    for (const { headers } of [english, german]) {
      assert.is(headers['content-language'], undefined, path);
      assert.not.match(headers.vary ?? '', 'Accept-Language');
    }
  }
});

test('a cached list does not decide the language of the next error', async ({ daybook }) => {
  for (const [headers, message] of [
    [GERMAN, languageNamed('de')?.errors['event-archive-page-not-found']],
    [{}, languageNamed('en')?.errors['event-archive-page-not-found']],
  ] as const)
    assert.is((await daybook.get('/events?page=77', 'anonymous', headers)).body.message, message);
});

test('a history is in the language of the request, with a tag per language', async (context) => {
  const path = `/events/${context.event}/history`;
  const english = await context.daybook.get(path, 'editor');
  const german = await context.daybook.get(path, 'editor', GERMAN);
  assert.is(english.body.history.at(-1).summary, 'Created as “Kammerkonzert”.');
  assert.is(german.body.history.at(-1).summary, 'Als „Kammerkonzert“ angelegt.');
  assert.equal(spokenIn(german), ['de', BESIDE_ORIGIN]);
  assert.is.not(german.headers.etag, english.headers.etag);
  const tag = english.headers.etag ?? '';
  assert.is((await context.daybook.get(path, 'editor', { 'if-none-match': tag })).status, 304);
  assert.is((await context.daybook.get(path, 'editor', { ...GERMAN, 'if-none-match': tag })).status, 200);
});

test('the change feed is in the language of the request', async ({ daybook }) => {
  const german = await daybook.get('/changes?types=EventDrafted', 'editor', GERMAN);
  const english = await daybook.get('/changes?types=EventDrafted', 'editor');
  assert.is(german.body.changes[0].summary, 'Als „Kammerkonzert“ angelegt.');
  assert.is(english.body.changes[0].summary, 'Created as “Kammerkonzert”.');
  assert.equal(spokenIn(german), ['de', 'Origin, Accept, Accept-Language']);
});

test('index, document and OPTIONS say which language they are in', async ({ daybook }) => {
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/doc'],
    ['OPTIONS', '/events'],
  ] as const) {
    const answer = await daybook.request('anonymous', method, path, undefined, GERMAN);
    assert.is(answer.headers['content-language'], 'de', path);
    assert.match(answer.headers.vary ?? '', 'Accept-Language');
  }
});

test('an enveloped answer varies and speaks as the plain one', async ({ daybook }) => {
  const { headers, body } = await daybook.get('/events/999?_envelope', 'anonymous', GERMAN);
  assert.equal([headers['content-language'], headers.vary], ['de', BESIDE_ORIGIN]);
  assert.is(body.body.message, 'Diese Veranstaltung gibt es nicht.');
  assert.is(body.headers['Content-Language'], 'de');
});

test('without an available language the configured one is used', async ({ german }) => {
  const asked = async (headers: { readonly [name: string]: string }) =>
    (await german.get('/events/999', 'anonymous', headers)).headers['content-language'];
  assert.is(await asked({}), 'de');
  assert.is(await asked({ 'accept-language': 'xx' }), 'de');
  assert.is(await asked({ 'accept-language': 'en' }), 'en');
  const body = (await german.service.app.inject({ url: '/readyz?for=tea' })).json();
  assert.match(body.message, 'ohne die Angabe');
});

test('invalid HTTP is refused in the configured language', async ({ german }) => {
  const { port } = new URL(await german.service.app.listen({ host: '127.0.0.1', port: 0 }));
  const socket = connect({ host: '127.0.0.1', port: Number(port) });
  socket.end('NO HTTP AT ALL\r\n\r\n');
  const answer = await text(socket);
  assert.match(answer, /\r\nContent-Language: de\r\n/);
  assert.match(answer, 'Die Anfrage ist kein gültiges HTTP.');
});

test('the word for free is in the configured language for every reader', async ({ daybook, german }) => {
  for (const [service, free] of [
    [daybook, 'Free'],
    [german, 'Kostenlos'],
  ] as const) {
    const made = await service.created('editor', 'events', { title: 'Free', ...START, cost: '0' });
    for (const headers of [{}, GERMAN, { 'accept-language': 'en' }])
      assert.is((await service.get(`/events/${made.id}`, 'anonymous' as As, headers)).body.cost, free);
  }
});

test.run();
