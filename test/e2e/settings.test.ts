// The settings of the site over HTTP: they count at once and after a restart, the environment comes first, and histories
// and the feed of changes tell of them.
import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NO_SETTINGS, type PageLayout } from '../../src/calendar/site/domain/site-settings.ts';
import type { Site } from '../../src/calendar/site/queries/site.ts';
import { openStores } from '../../src/composition.ts';
import { readConfig } from '../../src/config.ts';
import { formWith, png } from '../support/pictures.ts';
import { schemaProblems } from '../support/schema-org.ts';
import { someEvent, startTestService, type TestService, temporaryFolder } from '../support/service.ts';

const test = suite<{ daybook: TestService; folder: string; remove: () => void }>('settings of the site');

const settingsIn = (folder: string) => ({
  DAYBOOK_DATA_DIR: folder,
  DAYBOOK_EVENT_STORE: '',
  DAYBOOK_READ_MODEL: '',
});

test.before(async (context) => {
  Object.assign(context, temporaryFolder());
  context.daybook = await startTestService({ environment: settingsIn(context.folder) });
});
test.after(async ({ daybook, remove }) => {
  await daybook.close();
  remove();
});

const set = ({ daybook }: { daybook: TestService }, members: object, headers = {}) =>
  daybook.request('administrator', 'PATCH', '/settings', members, headers);

test('a new calendar says what it begins with', async ({ daybook }) => {
  const { body, headers } = await daybook.get('/settings', 'author');
  assert.equal(body, {
    ...{ site_name: null, timezone: 'UTC', language: 'en', currency: null, imprint: null, links: [] },
    ...{ logo: null, accent: null, layout: 'cards', fixed_by: {}, timezone_is_settled: false },
  });
  assert.is(headers.etag, '"0"');
});

test('name, zone and language count at once: pages, feeds, dates, the language of those who name none', async (all) => {
  const { daybook } = all;
  const first = await daybook.get('//');
  assert.match(first.text, '<html lang="en"');
  const { status, headers } = await set(all, { site_name: 'Laternenbucht', timezone: 'Asia/Tokyo', language: 'de' });
  assert.equal([status, headers.etag], [200, '"1"']);
  const page = await daybook.get('//');
  assert.match(page.text, '<html lang="de"');
  assert.match(page.text, 'Laternenbucht');
  assert.match((await daybook.get('/events.ics')).text, 'X-WR-CALNAME:Laternenbucht');
  assert.match((await daybook.get('/events.atom')).text, '<title>Laternenbucht</title>');
  const created = await daybook.created('editor', 'events', someEvent({ cost: '0', status: 'publish' }));
  assert.equal([created.timezone, created.cost], ['Asia/Tokyo', 'Kostenlos']);
  // 12:00 in UTC, where the clock of the test is.
  assert.match(created.date, ' 21:00:00');
});

test('the word for a price of nothing follows the language, also in what is cached', async (all) => {
  const costOf = async () => (await all.daybook.get('/events')).body.events[0].cost;
  assert.is(await costOf(), 'Kostenlos');
  await set(all, { language: 'fr' });
  assert.is(await costOf(), 'Gratuit');
  await set(all, { language: 'de' });
});

test('the currency counts at once, in lists, on pages, and in JSON-LD; a price with its own mark keeps it', async (all) => {
  const { daybook } = all;
  const make = (title: string, members: object) =>
    daybook.created('editor', 'events', someEvent({ title, status: 'publish', ...members }));
  const terms = { categories: ['Music & dance'], tags: ['open air', 'kids'] };
  const plain = await make('Plain', {
    ...terms,
    cost: '10-20',
    description: '<p>Erste Zeile<br>zweite &amp; dritte</p>',
  });
  const pounds = await make('Pounds', { cost: '£5/£3' });
  const days = await make('Days', { start_date: '2027-12-12', end_date: '2027-12-14', all_day: true, cost: 'CHF 15' });
  assert.equal([plain.cost, plain.cost_details.currency_symbol], ['$10 – $20', '']);
  const shown = async (id: number) => {
    const { body } = await daybook.get(`/events/${id}`);
    const page = await daybook.get(`/${new URL(body.url).pathname}`);
    const [, block = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page.text) ?? [];
    const { eventSchedule, about, keywords, ...told } = JSON.parse(block);
    assert.equal(told, body.json_ld, 'pages and API say the same, and pages zone and terms besides');
    assert.equal(eventSchedule.scheduleTimezone, body.timezone);
    assert.equal(schemaProblems(body.json_ld), [], block);
    assert.equal(schemaProblems(JSON.parse(block)), [], block);
    const { price, lowPrice, highPrice, priceCurrency } = body.json_ld.offers;
    assert.ok(page.text.includes(`<dd>${body.cost}</dd>`), body.cost);
    return [body.cost, price ?? [lowPrice, highPrice], priceCurrency];
  };
  assert.equal(await shown(plain.id), ['$10 – $20', [10, 20], 'USD']);
  const listed = async () =>
    (await daybook.get('/events?search=Plain')).body.events.map(({ cost }: { cost: string }) => cost);
  assert.equal(await listed(), ['$10 – $20']);
  const { etag } = (await daybook.get(`/events/${plain.id}`)).headers;
  assert.is((await set(all, { currency: 'eur' })).body.currency, 'EUR');
  const again = await daybook.get(`/events/${plain.id}`, 'anonymous', { 'if-none-match': String(etag) });
  assert.is(again.status, 200, 'it shows another currency');
  assert.equal(await listed(), ['10€ – 20€'], 'where the language has the sign');
  assert.equal(await shown(plain.id), ['10€ – 20€', [10, 20], 'EUR']);
  assert.equal(await shown(pounds.id), ['£3 – £5', [3, 5], 'GBP']);
  assert.equal(await shown(days.id), ['CHF15', 15, 'CHF']);
  const { json_ld } = (await daybook.get(`/events/${days.id}`)).body;
  assert.equal([json_ld.startDate, json_ld.endDate], ['2027-12-12', '2027-12-14']);
  assert.is((await daybook.get(`/events/${plain.id}`)).body.json_ld.description, 'Erste Zeile zweite & dritte');
  await set(all, { currency: 'CHF' });
  assert.equal(await listed(), ['10\u00a0CHF – 20\u00a0CHF']);
  for (const currency of ['euro', 'EURO', 'XYZ', 7])
    assert.match((await set(all, { currency })).body.data.params.currency, 'EUR', String(currency));
  assert.is((await set(all, { currency: '' })).body.currency, null);
  assert.equal(await listed(), ['$10 – $20']);
});

test('with events the zone is settled', async (all) => {
  const { status, body } = await set(all, { timezone: 'UTC' });
  assert.is(status, 400);
  assert.match(body.data.params.timezone, 'DAYBOOK_TIMEZONE');
  assert.is((await all.daybook.get('/settings', 'author')).body.timezone_is_settled, true);
});

test('what others have changed since is not overwritten', async (all) => {
  assert.is((await set(all, { site_name: 'Mine' }, { 'if-match': '"1"' })).status, 412);
});

test('settings have a history and are in the feed of changes', async (all) => {
  const { daybook } = all;
  await set(
    all,
    { imprint: 'https://bay.example/imprint' },
    { 'x-change-reason': 'Required by law', 'accept-language': 'en' },
  );
  const [entry] = (await daybook.get('/settings/history', 'author', { 'accept-language': 'en' })).body.history;
  assert.is(entry.summary, 'Settings of the site: imprint: – → https://bay.example/imprint.');
  assert.equal(
    [entry.reason, entry.changes],
    ['Required by law', [{ field: 'imprint', before: null, after: 'https://bay.example/imprint' }]],
  );
  const { body } = await daybook.get('/changes?kind=settings', 'author', { 'accept-language': 'en' });
  assert.equal(
    body.changes.map(({ kind, id, url }: { kind: string; id: number; url: string }) => [kind, id, url]),
    body.changes.map(() => ['settings', 1, 'http://cal.example/calendar/events/v1/settings']),
  );
  assert.is(body.changes.at(-1).summary, entry.summary);
  assert.equal((await daybook.get('/changes?kind=settings', 'subscriber')).status, 403);
});

test('a logo is an uploaded picture, small, on every page, and not removed meanwhile', async (all) => {
  const { daybook } = all;
  const form = await formWith(await png(800, 400));
  const { body: picture } = await daybook.request('administrator', 'POST', '/media', form.body, form.headers);
  const { status, body } = await set(all, { logo: picture.id });
  assert.is(status, 200);
  const { url } = picture.sizes.medium;
  assert.equal(body.logo, { id: picture.id, url });
  const path = new URL(url).pathname;
  const { text } = await daybook.get('//');
  assert.match(text, `<img src="${path}"`);
  assert.match(text, `<meta property="og:image" content="${url}"/>`, 'of shared links, too');
  assert.is((await daybook.get(`/${path}`)).status, 200);
  const removed = await daybook.request('administrator', 'DELETE', `/media/${picture.id}`);
  assert.equal([removed.status, removed.body.code], [409, 'rest_picture_in_use']);
  assert.is((await set(all, { logo: '' })).body.logo, null);
  assert.not.match((await daybook.get('//')).text, path);
  assert.is((await daybook.request('administrator', 'DELETE', `/media/${picture.id}`)).status, 200);
  for (const logo of [picture.id, 'https://a.example/logo.png', 'x'])
    assert.match((await set(all, { logo })).body.data.params.logo, /Bildes/, String(logo));
});

test('a colour is in the style of the pages, for light and dark; one too pale to read is refused', async (all) => {
  const { daybook } = all;
  const shown = async () => {
    const { text, headers } = await daybook.get('//');
    const [, style = ''] = /<style>([^<]+)<\/style>/.exec(text) ?? [];
    const digest = createHash('sha256').update(style).digest('base64');
    assert.match(String(headers['content-security-policy']), `'sha256-${digest}'`, 'the policy names this style');
    return style;
  };
  const own = await shown();
  assert.is((await set(all, { accent: '#0B5D1E' })).body.accent, '#0b5d1e');
  const style = await shown();
  assert.match(style, '--accent:#0b5d1e');
  assert.match(style, /prefers-color-scheme: dark\)\{:root\{--accent:#[0-9a-f]{6}\}/);
  for (const accent of ['#ffcc00', 'green', '#0b5d1', 7])
    assert.match((await set(all, { accent })).body.data.params.accent, '4.5:1', String(accent));
  await set(all, { accent: '' });
  assert.is(await shown(), own);
});

test('a page that is made while the colour changes is cached with the style that its policy names', async () => {
  let isToChange = false;
  const daybook = await startTestService({
    wrap: (stores) => {
      const { site } = stores;
      const layout = (): PageLayout => {
        // What a page is made with has been read; what it is cached as has not.
        if (isToChange) queueMicrotask(() => site.note({ ...NO_SETTINGS, accent: '#0b5d1e' }, 0));
        isToChange = false;
        return site.layout;
      };
      const members = { ...Object.getOwnPropertyDescriptors(site), layout: { enumerable: true, get: layout } };
      return { ...stores, site: Object.defineProperties({}, members) as Site }; // All its members.
    },
  });
  const isStyled = async (): Promise<boolean> => {
    const { text, headers } = await daybook.get('//');
    const [, style = ''] = /<style>([^<]+)<\/style>/.exec(text) ?? [];
    const digest = createHash('sha256').update(style).digest('base64');
    return String(headers['content-security-policy']).includes(`'sha256-${digest}'`);
  };
  isToChange = true;
  assert.ok(await isStyled());
  assert.ok(await isStyled(), 'and so is what was cached');
  assert.match((await daybook.get('//')).text, '--accent:#0b5d1e');
  await daybook.close();
});

test('lists of events are laid out in one of three ways', async (all) => {
  const { daybook } = all;
  const laidOut = async () => /<body class="layout-([^"]+)">/.exec((await daybook.get('//')).text)?.[1];
  assert.is(await laidOut(), 'cards');
  for (const layout of ['list', 'posters', 'cards']) {
    assert.is((await set(all, { layout })).body.layout, layout);
    assert.is(await laidOut(), layout);
  }
  assert.match((await set(all, { layout: 'sideways' })).body.data.params.layout, 'posters');
});

test('settings survive a restart, and the environment comes before them', async ({ folder }) => {
  const siteWith = async (environment: object) => {
    const stores = await openStores(readConfig({ ...settingsIn(folder), ...environment }));
    const { site } = stores;
    const said = [site.name, site.zone.name, site.language.code, site.imprint];
    await stores.close();
    return said;
  };
  assert.equal(await siteWith({}), ['Laternenbucht', 'Asia/Tokyo', 'de', 'https://bay.example/imprint']);
  const fixed = { DAYBOOK_SITE_NAME: 'By hand', DAYBOOK_TIMEZONE: 'UTC', DAYBOOK_LANGUAGE: 'nl' };
  assert.equal(await siteWith(fixed), ['By hand', 'UTC', 'nl', 'https://bay.example/imprint']);
});

test('what the environment fixes says so, and is refused', async () => {
  const daybook = await startTestService({ environment: { DAYBOOK_SITE_NAME: 'By hand' } });
  const { body } = await daybook.get('/settings', 'administrator');
  assert.equal([body.site_name, body.fixed_by], ['By hand', { site_name: 'DAYBOOK_SITE_NAME' }]);
  const refused = await daybook.request('administrator', 'PATCH', '/settings', { site_name: 'Other' });
  assert.is(refused.status, 400);
  assert.match(refused.body.data.params.site_name, 'DAYBOOK_SITE_NAME');
  assert.is((await daybook.get('/settings/history', 'administrator')).body.total, 0);
  await daybook.close();
});

test('what another process has set is noticed', async ({ daybook, folder }) => {
  const other = await startTestServiceOf(folder);
  await daybook.request('administrator', 'PATCH', '/settings', { site_name: 'Renamed' });
  await other.site.look();
  assert.is(other.site.name, 'Renamed');
  await other.close();
});

const startTestServiceOf = (folder: string) =>
  openStores(readConfig({ ...settingsIn(folder), DAYBOOK_READ_MODEL: 'sqlite::memory:' }));

test.run();
