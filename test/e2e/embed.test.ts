// Lists on pages of other sites: the script, the piece of a page that it shows, and the snippet that leads to both.
import zlib from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ADDRESSED } from '../../src/pages/filters.ts';
import { signedIn } from '../support/desk.ts';
import { type Answer, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite('embedded lists');
let daybook: TestService;

const KILOBYTE = 1_024;

test.before(async () => {
  daybook = await startTestService();
  const music = await daybook.created('editor', 'categories', { name: 'Music' });
  const event = (title: string, fields: object) => daybook.created('editor', 'events', someEvent({ title, ...fields }));
  for (const number of [1, 2, 3]) await event(`Concert ${number}`, { categories: [music.id], cost: '5' });
  const walk = await event('<b>Walk</b> & talk', { venue: { venue: 'Pier', city: 'Leeds', status: 'publish' } });
  await daybook.request('editor', 'PATCH', `/events/${walk.id}`, { event_status: 'canceled' });
  await event('Secret', { status: 'draft' });
});
test.after(() => daybook.close());

const piece = (query: string, headers = {}) =>
  daybook.get(`//embed/events${query}`, 'anonymous', { origin: 'https://other.example', ...headers });

test('every origin may read a list, and nothing about its visitor is asked for', async () => {
  const { status, headers, text } = await piece('');
  assert.is(status, 200);
  assert.is(headers['access-control-allow-origin'], '*');
  assert.is(headers['access-control-allow-credentials'], undefined);
  assert.is(headers['x-robots-tag'], 'noindex');
  assert.is(headers['set-cookie'], undefined);
  assert.match(text, /^<div part="list" lang="en"/);
  assert.not.match(text, /<(?:html|script|style|iframe)|Secret/);
});

test('an embedded list names places by whole addresses, escapes texts, and says what is cancelled', async () => {
  const { text } = await piece('?search=walk');
  assert.match(text, /<a part="title" href="http:\/\/cal\.example\/event\/[^"]+">Walk &amp; talk<\/a>/);
  assert.ok(text.includes('<strong part="status">Cancelled</strong>'));
  assert.ok(text.includes('Pier, Leeds'));
  assert.not.match(text, /href="\//);
});

test('it takes the filters of the list, its size and its pages', async () => {
  const { text } = await piece('?categories=music&per_page=2');
  assert.is(text.match(/part="title"/g)?.length, 2);
  assert.match(text, /data-page="2" href="http:\/\/cal\.example\/\?categories=music&amp;per_page=2&amp;page=2"/);
  assert.match(text, /part="link all" href="http:\/\/cal\.example\/\?categories=music"/);
  assert.is((await piece('?categories=music&per_page=2&page=2')).text.match(/part="title"/g)?.length, 1);
  assert.match((await piece('?when=today')).text, /part="empty"/);
});

test('a day or a month shows what takes place then, and leads to the list of that time', async () => {
  for (const [when, found, title] of [
    ['2026-12-21', 4, /21.*2026/],
    ['2026-12-22', 0, /22.*2026/],
    ['2026-12', 4, /^December 2026$/],
    ['2027-01', 0, /^January 2027$/],
  ] as const) {
    const { text } = await piece(`?when=${when}`);
    assert.is(text.match(/part="title"/g)?.length ?? 0, found, when);
    assert.ok(text.includes(`part="link all" href="http://cal.example/?when=${when}"`), text);
    const list = await daybook.get(`//?when=${when}`, 'anonymous', { 'accept-language': 'en' });
    assert.is(list.text.match(/class="title"/g)?.length ?? 0, found, when);
    const [, heading = ''] = /<h1>([^<]*)<\/h1>/.exec(list.text) ?? [];
    assert.match(heading, title);
  }
  assert.is((await piece('?when=2026-13')).text.match(/part="title"/g)?.length, 4, 'no month: what is to come');
});

test('it is revalidated, and in the language of its reader', async () => {
  const { etag = '' } = (await piece('')).headers;
  assert.is((await piece('', { 'if-none-match': etag })).status, 304);
  const german = await piece('', { 'accept-language': 'de' });
  assert.match(german.text, /lang="de".*Abgesagt/s);
});

test('what cannot be shown is told in a line that other origins may read, too', async () => {
  for (const [query, status] of [
    ['?categories=nowhere', 400],
    ['?page=99', 404],
  ] as const) {
    const answer = await piece(query);
    assert.is(answer.status, status);
    assert.is(answer.headers['content-type'], 'text/plain; charset=utf-8');
    assert.is(answer.headers['access-control-allow-origin'], '*');
    assert.not.match(answer.text, /</);
  }
});

test('the script may be loaded from everywhere, is revalidated, and has at most 10 kB compressed', async () => {
  for (const coding of ['br', 'gzip'] as const) {
    const { headers } = await daybook.get('//embed.js', 'anonymous', { 'accept-encoding': coding });
    assert.is(headers['content-encoding'], coding);
    assert.ok(Number(headers['content-length']) <= 10 * KILOBYTE);
    assert.is(headers['cross-origin-resource-policy'], 'cross-origin');
    assert.match(headers['cache-control'] ?? '', /max-age=3600/);
    const again = await daybook.get('//embed.js', 'anonymous', {
      'accept-encoding': coding,
      'if-none-match': headers.etag ?? '',
    });
    assert.is(again.status, 304);
  }
  const plain = await daybook.get('//embed.js');
  assert.ok(zlib.gzipSync(plain.text).length <= 10 * KILOBYTE);
});

test('the element has an attribute for every filter of the lists, and no other', async () => {
  const { text } = await daybook.get('//embed.js');
  const [, filters = ''] = /const FILTERS = \[([^;]*)\];/.exec(text) ?? [];
  const attributes = [...filters.matchAll(/'([a-z-]+)'/g)].map(([, name = '']) => name);
  assert.equal(attributes.toSorted(), ADDRESSED.map((name) => name.replaceAll('_', '-')).toSorted());
});

/** What a browser loads with a page, compressed. */
async function loadedWith({ text }: Pick<Answer, 'text'>): Promise<number> {
  const paths = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+\.(?:css|js))"/g)].map(([, path = '']) => path);
  const sizes = await Promise.all(
    paths.map(async (path) => {
      const { headers } = await daybook.get(`/${path}`, 'anonymous', { 'accept-encoding': 'gzip' });
      assert.is(headers['content-encoding'], 'gzip');
      return Number(headers['content-length']);
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

test('styles and scripts of a page have at most 30 kB compressed, those of the desk 150 kB', async () => {
  const visitor = await signedIn(daybook, 'administrator');
  for (const [page, most] of [
    [await daybook.get('//'), 30],
    [await visitor.get('/desk/events/new'), 150],
  ] as const) {
    const bytes = await loadedWith(page);
    assert.ok(bytes > 0 && bytes <= most * KILOBYTE, `${bytes} bytes`);
  }
});

const SNIPPETS: readonly (readonly [page: string, element: string, link: string])[] = [
  ['//', '<daybook-events>', 'http://cal.example/'],
  ['//?tags=&search=walk', '<daybook-events search="walk">', 'http://cal.example/?search=walk'],
  [
    '//?when=today&per_page=5',
    '<daybook-events when="today" per-page="5">',
    'http://cal.example/?when=today&amp;per_page=5',
  ],
  ['//events/category/music/', '<daybook-events categories="music">', 'http://cal.example/events/category/music/'],
  [
    '//events/day/2026-12-21/?categories=music&when=today',
    '<daybook-events categories="music" when="2026-12-21">',
    'http://cal.example/events/day/2026-12-21/?categories=music&amp;when=today',
  ],
  [
    '//events/month/2026-12/?search=walk',
    '<daybook-events search="walk" when="2026-12">',
    'http://cal.example/events/month/2026-12/?search=walk',
  ],
  [
    '//?series=5&collapse=series',
    '<daybook-events series="5" collapse="series">',
    'http://cal.example/?series=5&amp;collapse=series',
  ],
  ['//?search=%22%3Ex', '<daybook-events search="&quot;&gt;x">', 'http://cal.example/?search=%22%3Ex'],
];
for (const [target, element, link] of SNIPPETS)
  test(`${target} has a snippet with ${element}`, async () => {
    const { text } = await daybook.get(target);
    const [, code = ''] = /<textarea[^>]*>([^<]*)<\/textarea>/.exec(text) ?? [];
    const snippet = code
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');
    assert.ok(snippet.startsWith('<script src="http://cal.example/embed.js" defer></script>'), snippet);
    assert.ok(snippet.includes(element), snippet);
    assert.ok(snippet.includes(`<a href="${link}">`), snippet);
  });

const ROOTS = async (): Promise<readonly (readonly [page: string, below: string])[]> => {
  const { events } = (await daybook.get('/events?search=walk')).body;
  const [{ id, slug, venue }] = events;
  return [
    ['//', '/'],
    [`//event/${slug}/`, `/events/${id}`],
    [`//venue/${venue.slug}/`, `/events/?venue=${venue.id}`],
    ['//events/category/music/', '/events/?categories=music'],
    ['//events/month/2026-12/', '/'],
  ];
};
test('a page names the API that answers for it, in its header and in a link', async () => {
  for (const [target, below] of await ROOTS()) {
    const { text, headers } = await daybook.get(target);
    const root = `http://cal.example/calendar/events/v1${below}`;
    assert.is(headers['x-tec-api-root'], root, target);
    assert.is(headers['x-tec-api-version'], 'v1');
    assert.is(headers['x-tec-api-origin'], 'http://cal.example');
    assert.ok(text.includes(`<link rel="alternate" href="${root}"/>`), target);
    const { etag = '' } = headers;
    const again = await daybook.get(target, 'anonymous', { 'if-none-match': etag });
    assert.equal([again.status, again.headers['x-tec-api-root']], [304, root]);
  }
});

test.run();
