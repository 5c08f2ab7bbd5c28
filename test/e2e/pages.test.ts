// The pages for visitors: at the addresses that the API names, and of nothing that the public may not see.
import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LANGUAGE_CODES } from '../../src/locales/languages.ts';
import { type Body, NOON, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService }>('pages for visitors');

test.before(async (context) => {
  context.daybook = await startTestService({ environment: { DAYBOOK_SITE_NAME: 'Lantern Bay' } });
});
test.before.each(({ daybook }) => {
  daybook.clock.at = NOON;
});
test.after(({ daybook }) => daybook.close());

/** Those that show all that there is. */
const alone = suite<{ daybook: TestService }>('pages for visitors of a calendar of their own');
alone.before.each(async (context) => {
  context.daybook = await startTestService({ environment: { DAYBOOK_SITE_NAME: 'Lantern Bay' } });
});
alone.after.each(({ daybook }) => daybook.close());

/** The path of an address in an answer, as a target. */
const pageOf = (url: string): string => `/${url.slice(new URL(url).origin.length)}`;

const made = (daybook: TestService, fields: object = {}): Promise<Body> =>
  daybook.created('editor', 'events', someEvent({ title: 'Open rehearsal', ...fields }));

test('every address that the API names is a page with what it names', async ({ daybook }) => {
  const parent = await daybook.created('editor', 'categories', { name: 'Music' });
  const category = await daybook.created('editor', 'categories', { name: 'Choirs', parent: parent.id });
  const tag = await daybook.created('editor', 'tags', { name: 'Winter & Frost' });
  const event = await made(daybook, {
    categories: [category.id],
    tags: [tag.id],
    venue: { venue: 'Harbour Hall', city: 'Leeds', geo_lat: 53.8, geo_lng: -1.5, status: 'publish' },
    organizer: { organizer: 'The Guild', status: 'publish' },
    cost: '12',
  });
  const [organizer] = event.organizer;
  for (const [url, name] of [
    [event.url, 'Open rehearsal'],
    [event.venue.url, 'Harbour Hall'],
    [organizer.url, 'The Guild'],
    [category.url, 'Choirs'],
    [tag.url, 'Winter &amp; Frost'],
  ]) {
    const { status, text, headers } = await daybook.get(pageOf(url));
    assert.is(status, 200, url);
    assert.is(headers['content-type'], 'text/html; charset=utf-8');
    assert.ok(text.includes(`<h1>${name}</h1>`), `${url} is about ${name}`);
    assert.ok(text.includes(`<link rel="canonical" href="${url}"/>`), `${url} names itself`);
    assert.ok(text.includes(url === event.url ? 'Harbour Hall' : 'Open rehearsal'), `${url} leads on`);
  }
  const { text } = await daybook.get(pageOf(event.url));
  assert.match(
    text,
    'href="https://www.openstreetmap.org/?mlat=53.8&amp;mlon=-1.5#map=17/53.8/-1.5">Show on a map</a>',
  );
  assert.match(text, '<dt>Price</dt><dd>$12</dd>');
});

alone('the list shows what has not ended, the rest is found by its day and month', async ({ daybook }) => {
  const at = (start: string, end: string, title: string) => made(daybook, { start_date: start, end_date: end, title });
  await at('2026-11-20 09:00:00', '2026-11-20 11:00:00', 'Ended');
  await at('2026-11-20 11:00:00', '2026-11-20 13:00:00', 'Going on');
  await at('2026-11-21 10:00:00', '2026-11-21 11:00:00', 'Saturday');
  await at('2026-11-25 10:00:00', '2026-11-25 11:00:00', 'Next Wednesday');
  const titles = async (target: string): Promise<string[]> => {
    const { text } = await daybook.get(target);
    return [...text.matchAll(/<a (?:class="title" )?href="\/event\/[^"]*">(?:<time>[^<]*<\/time>)?([^<]*)<\/a>/g)].map(
      ([, title = '']) => title,
    );
  };
  assert.equal(await titles('//'), ['Going on', 'Saturday', 'Next Wednesday']);
  assert.equal(await titles('//?when=today'), ['Ended', 'Going on']);
  assert.equal(await titles('//?when=weekend'), ['Saturday']);
  assert.equal(await titles('//?when=next_week'), ['Next Wednesday']);
  assert.equal(await titles('//events/day/2026-11-20/'), ['Ended', 'Going on']);
  assert.equal(await titles('//events/month/2026-11/'), ['Ended', 'Going on', 'Saturday', 'Next Wednesday']);
  assert.equal(await titles('//?search=wednesday'), ['Next Wednesday']);
  daybook.clock.at += 3_600;
  assert.equal(await titles('//'), ['Saturday', 'Next Wednesday'], 'an hour later it has ended');
});

test('what the public may not see has no page and is in none', async ({ daybook }) => {
  const draft = await made(daybook, { title: 'Secret draft', status: 'draft', slug: 'secret-draft' });
  const binned = await made(daybook, { title: 'Secret bin' });
  await daybook.request('editor', 'DELETE', `/events/${binned.id}`);
  const locked = await made(daybook, { title: 'Members only', description: 'Secret text', password: 'sesame' });
  const hidden = await daybook.created('editor', 'venues', { venue: 'Secret venue', status: 'draft' });
  const open = await made(daybook, { title: 'Open', venue: hidden.id });
  for (const target of ['//event/secret-draft/', pageOf(binned.url), pageOf(draft.url), `//venue/${hidden.slug}/`])
    assert.is((await daybook.get(target)).status, 404, target);
  const unlocked = await daybook.get(pageOf(locked.url));
  assert.is(unlocked.status, 403);
  assert.match(unlocked.text, '<p>A password protects this event, so it is not shown here. Ask its organizer.</p>');
  const pages = ['//', '//sitemap.xml', '//events/month/2026-12/', pageOf(open.url), pageOf(locked.url)];
  for (const target of pages) assert.not.match((await daybook.get(target)).text, /Secret/, target);
});

test('texts of editors run no script on a page, and titles are texts', async ({ daybook }) => {
  const description = '<p onclick="x()">Hello</p><script>x()</script><img src="https://t.example/a.gif">';
  const event = await made(daybook, { title: '<script>x()</script>A & B <i>C</i>', description });
  for (const target of [pageOf(event.url), '//']) {
    const { text } = await daybook.get(target);
    const scripts = [...text.matchAll(/<script(?: [^>]*)?>/g)].map(([tag]) => tag);
    assert.ok(
      scripts.every((tag) => /src="\/assets\/|application\/ld\+json/.test(tag)),
      scripts.join(),
    );
    assert.not.match(text, /onclick|t\.example\/a\.gif"[^}]*>/);
    assert.ok(text.includes('A &amp; B C'));
  }
});

test('a policy allows scripts and styles of this service alone, and within the page its own style', async ({
  daybook,
}) => {
  const { headers, text } = await daybook.get('//');
  const policy = headers['content-security-policy'] ?? '';
  assert.match(policy, /script-src 'self'(;|$)/);
  assert.not.match(policy, /unsafe/);
  const styles = [...text.matchAll(/<style>([^<]+)<\/style>/g)].map(([, style = '']) => style);
  assert.is(styles.length, 1);
  const digest = createHash('sha256').update(String(styles)).digest('base64');
  assert.ok(/style-src 'self' ([^;]+)/.exec(policy)?.[1]?.split(' ').includes(`'sha256-${digest}'`));
  assert.not.match(text, / style="|rel="stylesheet"/);
  const assets = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
  assert.is(assets.length, 2);
  for (const path of assets) {
    const asset = await daybook.get(`/${path}`);
    assert.is(asset.status, 200);
    assert.match(asset.headers['cache-control'] ?? '', /immutable/);
  }
});

test('a page is in the language of its visitor, in all of them', async ({ daybook }) => {
  await made(daybook);
  const headings = new Set<string>();
  for (const code of LANGUAGE_CODES) {
    const { text, headers } = await daybook.get('//?when=next_week', 'anonymous', { 'accept-language': code });
    assert.is(headers['content-language'], code);
    assert.match(headers.vary ?? '', /Accept-Language/);
    assert.ok(text.includes(`<html lang="${code}">`));
    headings.add(/<h1>(.*?)<\/h1>/.exec(text)?.[1] ?? '');
  }
  assert.is(headings.size, LANGUAGE_CODES.length);
  assert.is(
    (await daybook.get('//?_locale=de', 'anonymous', { 'accept-language': 'fr' })).headers['content-language'],
    'de',
  );
});

alone('a page that a visitor has is not sent again until something changes', async ({ daybook }) => {
  const event = await made(daybook);
  for (const target of ['//', pageOf(event.url), '//events/month/2026-12/']) {
    const { etag = '' } = (await daybook.get(target)).headers;
    assert.is((await daybook.get(target, 'anonymous', { 'if-none-match': etag })).status, 304, target);
    await daybook.request('editor', 'PATCH', `/events/${event.id}`, { title: `Renamed at ${target}` });
    const changed = await daybook.get(target, 'anonymous', { 'if-none-match': etag });
    assert.is(changed.status, 200, target);
  }
});

test('cancelled and moved events say so', async ({ daybook }) => {
  const event = await made(daybook, { start_date: '2026-12-01 19:00:00', end_date: '2026-12-01 21:00:00' });
  daybook.clock.at += 60;
  const change = { start_date: '2026-12-02 19:00:00', end_date: '2026-12-02 21:00:00', notice: 'Stormy' };
  await daybook.request('editor', 'PATCH', `/events/${event.id}`, change);
  await daybook.request('editor', 'PATCH', `/events/${event.id}`, { event_status: 'canceled' });
  const { text } = await daybook.get(pageOf(event.url));
  for (const expected of ['Cancelled', 'Moved from Tuesday, December 1, 2026', 'Stormy'])
    assert.ok(text.includes(expected), expected);
  assert.ok((await daybook.get('//')).text.includes('Cancelled'));
  await daybook.request('editor', 'PATCH', `/events/${event.id}`, { event_status: 'postponed' });
  const month = '//events/month/2026-12/';
  for (const target of [pageOf(event.url), '//', month, '//embed/events']) {
    const page = await daybook.get(target);
    assert.ok(page.text.includes('>Postponed</'), target);
    assert.not.match(page.text, '>Cancelled</');
  }
});

test('what costs nothing does so in the language of the page', async ({ daybook }) => {
  for (const [title, cost, price] of [
    ['Open rehearsal', '0', 'Kostenlos'],
    ['Matinee', '0, 8', 'Kostenlos – $8'],
    ['Free jazz', 'Free jazz costs nothing', 'Free jazz costs nothing'],
  ] as const) {
    const { url } = await made(daybook, { title, cost });
    assert.match((await daybook.get(`${pageOf(url)}?_locale=de`)).text, `<dd>${price}</dd>`);
    const search = encodeURIComponent(title);
    assert.match((await daybook.get(`//?_locale=de&search=${search}`)).text, `<span class="label">${price}</span>`);
    const embedded = await daybook.get(`//embed/events?_locale=de&search=${search}`);
    assert.match(embedded.text, `<span part="price">${price}</span>`);
  }
});

test('what is over or cancelled is said first, and nothing is sold of it any more', async ({ daybook }) => {
  const shop = { cost: '12', website: 'https://tickets.example/1' };
  const times = { start_date: '2026-11-20 13:00:00', end_date: '2026-11-20 15:00:00' };
  const event = await made(daybook, { ...times, ...shop });
  const page = async () => (await daybook.get(pageOf(event.url))).text;
  const first =
    /<div class="actions"><a class="button" [^>]*href="https:\/\/tickets\.example\/1">Tickets and registration</;
  assert.match(await page(), first);
  assert.not.match(await page(), 'This event is over.');
  await daybook.request('editor', 'PATCH', `/events/${event.id}`, { event_status: 'canceled' });
  assert.match(await page(), /<h1>.*>Cancelled<.*It does not take place\..*<dl class="facts">/s);
  assert.not.match(await page(), /Tickets and registration|Add to my calendar/);
  await daybook.request('editor', 'PATCH', `/events/${event.id}`, { event_status: 'scheduled' });
  assert.match(await page(), first);
  daybook.clock.at += 4 * 3_600;
  assert.match(await page(), /<h1>.*This event is over\..*<dl class="facts">/s);
  assert.not.match(await page(), /Tickets and registration|Add to my calendar/);
});

test('tickets come first where they have an address, and for whom an event is stands among its facts', async ({
  daybook,
}) => {
  const audience = { accessible: true, accessibility: 'Lift & loop', age_range: '6–12', languages: 'de, EN' };
  const shop = { website: 'https://hall.example/', registration_url: 'https://tickets.example/2' };
  const event = await made(daybook, { ...START, ...audience, ...shop });
  const { text } = await daybook.get(pageOf(event.url));
  assert.match(
    text,
    /<div class="actions"><a class="button" [^>]*href="https:\/\/tickets\.example\/2">Tickets and reg/,
  );
  for (const fact of [
    '<dt>Ages</dt><dd>6 to 12 years',
    '<dt>Languages</dt><dd>German, English',
    'Without barriers · Lift &amp; loop',
  ])
    assert.ok(text.includes(fact), fact);
  const german = await daybook.get(pageOf(event.url), 'anonymous', { 'accept-language': 'de' });
  assert.match(german.text, /<dd>6 bis 12 Jahre<.*<dd>Deutsch, Englisch<.*<dd>Barrierefrei · Lift/s);
  const { body } = await daybook.get(`/events/${event.id}`);
  assert.equal([body.age_range, body.languages, body.json_ld.inLanguage], ['6-12', 'de, en', ['de', 'en']]);
  const listed = await daybook.get('//?accessible=1');
  assert.match(listed.text, new RegExp(`href="[^"]*/event/${event.slug}/"`));
  assert.not.match((await daybook.get('//?accessible=0')).text, new RegExp(`/event/${event.slug}/`));
  for (const wrong of [{ age_range: 'all' }, { languages: 'German' }, { registration_url: 'tickets' }])
    assert.is(
      (await daybook.request('editor', 'PATCH', `/events/${event.id}`, wrong)).status,
      400,
      JSON.stringify(wrong),
    );
});

const START = { start_date: '2027-01-10 15:00:00', end_date: '2027-01-10 17:00:00' };

alone('the page of an event leads to what else is to come there, and on its day', async ({ daybook }) => {
  const hall = await daybook.created('editor', 'venues', { venue: 'Harbour Hall', status: 'publish' });
  const on = (day: string, more: object = {}) => ({
    start_date: `${day} 19:00:00`,
    end_date: `${day} 21:00:00`,
    ...more,
  });
  const event = await made(daybook, on('2026-12-05', { venue: hall.id }));
  await made(daybook, on('2026-12-06', { title: 'Dance', venue: hall.id }));
  await made(daybook, on('2026-12-05', { title: 'Walk' }));
  await made(daybook, on('2026-12-05', { title: 'Secret', status: 'draft' }));
  await made(daybook, on('2026-11-05', { title: 'Former', venue: hall.id }));
  const { text } = await daybook.get(pageOf(event.url));
  const more = /<div class="more">.*<\/main>/s.exec(text)?.[0] ?? '';
  assert.match(more, /Also at Harbour Hall.*>Dance<.*On the same day.*>Walk</s);
  assert.not.match(more, />(?:Open rehearsal|Secret|Former)</);
});

test('featured events stand above the first page of a list that is longer', async ({ daybook }) => {
  for (const title of ['One', 'Two', 'Three']) await made(daybook, { title });
  await made(daybook, { title: 'Great', featured: true });
  await made(daybook, { title: 'Secret', featured: true, status: 'draft' });
  const hero = async (target: string) =>
    /<section class="hero".*?<\/section>/s.exec((await daybook.get(target)).text)?.[0];
  assert.match((await hero('//')) ?? '', />Great</);
  assert.not.match((await hero('//')) ?? '', /Secret|>One</);
  assert.is(await hero('//?search=great'), undefined, 'who filters has chosen');
});

test('a month shows what takes several days as a bar in each of its weeks', async ({ daybook }) => {
  await made(daybook, { title: 'Fair', start_date: '2026-12-05 10:00:00', end_date: '2026-12-09 18:00:00' });
  await made(daybook, { title: 'Camp', start_date: '2026-12-08', end_date: '2026-12-08', all_day: true });
  await made(daybook, { title: 'Show', start_date: '2026-12-09', end_date: '2026-12-10', all_day: true });
  await made(daybook, { title: 'Night', start_date: '2026-12-09 22:00:00', end_date: '2026-12-10 04:00:00' });
  const { text } = await daybook.get('//events/month/2026-12/');
  const kinds = [...text.matchAll(/<li class="whole lane hue-0 ([^"]*)"><a href="\/event\/([^/]*)\//g)];
  assert.equal(
    kinds.map(([, kind, slug]) => `${slug} ${kind}`),
    // Saturday and Sunday; Monday to Wednesday; the second lane of Wednesday, the first being that of the fair.
    ['fair days-2', 'fair below', 'fair days-3', 'fair below', 'fair below', 'show days-2', 'show below'],
  );
  assert.match(
    text,
    /<li class="lane gap" aria-hidden="true"><\/li><li class="whole lane hue-0 below"><a href="\/event\/show\//,
  );
});

test('where visitors cannot submit events, the page says so', async ({ daybook }) => {
  const { status, text } = await daybook.get('//submit');
  assert.is(status, 200);
  assert.match(text, '<h1>Events cannot be submitted here</h1>');
  assert.match(text, '<meta name="robots" content="noindex"/>');
});

test('a cancelled event without a notice has no list of changes that says nothing', async ({ daybook }) => {
  const event = await made(daybook);
  await daybook.request('editor', 'PATCH', `/events/${event.id}`, { event_status: 'canceled' });
  const { text } = await daybook.get(pageOf(event.url));
  assert.match(text, 'Cancelled');
  assert.not.match(text, 'What has changed');
  await daybook.request('editor', 'PATCH', `/events/${event.id}`, { notice: 'The stage is late.' });
  const told = (await daybook.get(pageOf(event.url))).text;
  assert.match(told, /What has changed.*The stage is late/s);
  assert.is(told.match(/<section class="changes">.*?<\/section>/s)?.[0].match(/<li>/g)?.length, 1);
});

alone(
  'the sitemap has what is to come, the soonest first, and nothing that the public may not see',
  async ({ daybook }) => {
    await made(daybook, { title: 'Secret', status: 'draft', slug: 'secret' });
    const first = { start_date: '2026-12-01 19:00:00', end_date: '2026-12-01 21:00:00' };
    await made(daybook, { title: 'Choir', ...first, recurrence: { rrule: 'FREQ=DAILY;COUNT=60' } });
    await made(daybook, { title: 'Ended', start_date: '2026-11-01 19:00:00', end_date: '2026-11-01 21:00:00' });
    const { text, headers } = await daybook.get('//sitemap.xml');
    assert.match(headers['content-type'] ?? '', 'xml');
    const places = [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, place = '']) => place);
    const all: string[] = [];
    for (const page of [1, 2]) {
      const { events } = (await daybook.get(`/events?start_date=today&per_page=50&page=${page}`)).body;
      all.push(...events.map(({ url }: Body) => url));
    }
    assert.is(all.length, 60);
    assert.equal(places, ['http://cal.example/', ...all]);
  },
);

test('filters are kept by the links to other pages', async ({ daybook }) => {
  for (let number = 1; number <= 13; number += 1) await made(daybook, { title: `Rehearsal ${number}`, featured: true });
  const { text } = await daybook.get('//?search=rehearsal&featured=1&categories=');
  assert.ok(text.includes('href="/?search=rehearsal&amp;featured=1&amp;page=2"'), text);
  assert.ok(text.includes('rel="canonical" href="http://cal.example/?search=rehearsal&amp;featured=1"'));
  assert.is((await daybook.get('//?search=rehearsal&page=2')).status, 200);
});

const REFUSED: readonly (readonly [target: string, status: number])[] = [
  ['//?categories=nowhere', 400],
  ['//?page=0', 400],
  ['//?page=77', 404],
  ['//event/nothing/', 404],
  ['//events/day/2026-02-30/', 404],
  ['//events/month/2026-13/', 404],
  ['//tag/nothing/', 404],
  ['//event/%F0%9F%8E%B7/', 404],
];
for (const [target, status] of REFUSED)
  test(`${target} is told in a page: ${status}`, async ({ daybook }) => {
    const answer = await daybook.get(target, 'anonymous', { 'accept-language': 'de' });
    assert.is(answer.status, status);
    assert.is(answer.headers['content-type'], 'text/html; charset=utf-8');
    assert.match(answer.text, /<h1>.+<\/h1>/);
    assert.ok(answer.text.includes('Zu allen Veranstaltungen'));
    assert.ok(answer.text.includes('<meta name="robots" content="noindex"/>'));
  });

test('the id in a feed leads to the page, whatever its title is today', async ({ daybook }) => {
  const event = await made(daybook);
  await daybook.request('editor', 'PATCH', `/events/${event.id}`, { slug: 'another' });
  const { status, headers } = await daybook.get(`//?post_type=tribe_events&p=${event.id}`);
  assert.equal([status, headers.location], [302, '/event/another/']);
  for (const id of ['999', 'x', '0']) assert.is((await daybook.get(`//?p=${id}`)).status, 404, id);
});

test('clients find the API from a page', async ({ daybook }) => {
  const event = await made(daybook);
  const { headers, text } = await daybook.get(pageOf(event.url));
  assert.is(headers['x-tec-api-version'], 'v1');
  assert.ok(text.includes(`<link rel="alternate" href="http://cal.example/calendar/events/v1/events/${event.id}"/>`));
  assert.ok((await daybook.get('//robots.txt')).text.includes('Sitemap: http://cal.example/sitemap.xml'));
  assert.ok((await daybook.get('//sitemap.xml')).text.includes(event.url));
});

test('shared links and search engines get title, summary, picture, and the facts of an event', async ({ daybook }) => {
  const image = 'https://pictures.example/concert.jpg';
  const event = await made(daybook, { title: 'A "big" <i>night</i>', description: '<p>Songs &amp; more</p>', image });
  const { text } = await daybook.get(pageOf(event.url));
  for (const tag of [
    `<link rel="canonical" href="${event.url}"/>`,
    `<meta property="og:url" content="${event.url}"/>`,
    '<meta property="og:title" content="A “big” night"/>',
    '<meta property="og:site_name" content="Lantern Bay"/>',
    '<meta property="og:type" content="website"/>',
    `<meta property="og:image" content="${image}"/>`,
    '<meta name="twitter:card" content="summary_large_image"/>',
  ])
    assert.ok(text.includes(tag), tag);
  for (const name of ['name="description"', 'property="og:description"'])
    assert.match(text, new RegExp(`<meta ${name} content="[^"]*2026[^"]* · Songs &amp; more"/>`));
  const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text) ?? [];
  assert.is(JSON.parse(data)['@type'], 'Event');
  const list = await daybook.get('//?search=night&page=1');
  assert.ok(list.text.includes('<link rel="canonical" href="http://cal.example/?search=night"/>'));
  assert.not.match(list.text, /og:image|ld\+json/);
});

test('a page is compressed for its first reader, too', async ({ daybook }) => {
  for (const coding of ['br', 'gzip']) {
    const { headers } = await daybook.get(`//?search=${coding}`, 'anonymous', { 'accept-encoding': coding });
    assert.is(headers['content-encoding'], coding);
  }
});

test('an address of another site cannot be forged into pages', async ({ daybook }) => {
  for (const path of ['//', '//nope']) {
    const { status, body, text } = await daybook.get(path, 'anonymous', { host: 'evil"><script>' });
    assert.equal([status, body.code, body.data?.status], [400, 'rest_invalid_host', 400]);
    assert.not.match(text, /evil/);
  }
});

test('what has no page is answered by a page, and by the API below its prefix', async ({ daybook }) => {
  for (const path of ['/nope', '/desk/nope', '/event', '/events/day/x/y', '/embed/nope'])
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, text } = await daybook.request('anonymous', method, `/${path}?_locale=de`);
      assert.equal([status, headers['content-type']], [404, 'text/html; charset=utf-8'], `${method} ${path}`);
      assert.match(headers['content-security-policy'] ?? '', "style-src 'self'");
      if (method === 'GET') assert.match(text, '<h1>Seite nicht gefunden</h1>');
    }
  for (const target of ['/nope', '/events/abc', '/events/by-slug/', '//calendar/events/v1/a/b/c']) {
    const { status, body } = await daybook.get(target);
    assert.equal([status, body.code], [404, 'rest_no_route'], target);
  }
  for (const [as, method] of [
    ['anonymous', 'POST'],
    ['editor', 'GET'],
  ] as const)
    assert.is((await daybook.request(as, method, '//nope')).body.code, 'rest_no_route');
});

test('a calendar without events says what it is and where to begin, in every language', async () => {
  const daybook = await startTestService();
  try {
    const told = new Set<string>();
    for (const code of LANGUAGE_CODES) {
      const headers = { 'accept-language': code, host: '127.0.0.1:8080' };
      const { status, text } = await daybook.get('//', 'anonymous', headers);
      assert.is(status, 200);
      assert.not.match(text, />[^<]*127\.0\.0\.1[^<]*<\/(?:title|a|h1)>/, 'a number is no name');
      for (const path of ['/desk/events/new', '/desk/import', '/desk/settings']) assert.match(text, `href="${path}"`);
      assert.match(text, '<code>daybook demo</code>');
      assert.not.match(text, 'role="search"', 'there is nothing to filter');
      told.add(/<h1>.*?<\/h1>.*?<p>(.*?)<\/p>/s.exec(text)?.[1] ?? '');
    }
    assert.is(told.size, LANGUAGE_CODES.length);
    const event = await made(daybook, { status: 'draft' });
    assert.match((await daybook.get('//')).text, 'A new calendar', 'a draft is told by nothing');
    const past = { start_date: '2026-10-01 19:00:00', end_date: '2026-10-01 21:00:00' };
    await daybook.request('editor', 'PATCH', `/events/${event.id}`, { status: 'publish', ...past });
    const { text } = await daybook.get('//');
    assert.match(text, 'Nothing is planned at the moment.');
    assert.not.match(text, '/desk/');
    assert.match((await daybook.get('//?search=nothing')).text, 'No events match.');
  } finally {
    await daybook.close();
  }
});

test('a page refuses to show another time, and says so', async ({ daybook }) => {
  const event = await made(daybook);
  for (const path of ['/', '/events/month/2026-12/', '/events/day/2026-12-21/', pageOf(event.url).slice(1)])
    for (const query of ['as_of=2026-11-01', 'as_of=nonsense', 'with=proposal:7']) {
      const { status, headers, text } = await daybook.get(`/${path}?${query}`);
      assert.equal([status, headers['content-type']], [400, 'text/html; charset=utf-8'], `${path} ${query}`);
      assert.match(text, `Pages show the calendar as it is now and do not take ${query.split('=')[0]}.`);
      assert.not.match(text, 'Open rehearsal');
    }
  assert.is((await daybook.get('//embed/events?as_of=2026-11-01')).status, 400);
  assert.is((await daybook.get('//events?as_of=2026-11-01')).headers.location, '/?as_of=2026-11-01');
  assert.is((await daybook.get('//?as_of=&with=')).status, 200, 'fields of forms that are empty count as not sent');
});

test.run();
alone.run();
