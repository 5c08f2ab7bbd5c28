// A visitor's story in a real browser: finding an event, with and without script, by keyboard, in two languages.
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formWith, photo } from '../support/pictures.ts';
import { someEvent } from '../support/service.ts';
import { everyProblem } from './axe.ts';
import { BROWSER, type BrowserContext, closeBrowser, openBrowser, watched } from './browser.ts';

const test = suite<BrowserContext>('a visitor in a browser');

test.before(async (context) => {
  Object.assign(context, await openBrowser({ DAYBOOK_SITE_NAME: 'Lantern Bay' }));
  const { daybook } = context;
  const music = await daybook.created('editor', 'categories', { name: 'Music' });
  const hall = { venue: 'Harbour Hall', city: 'Leeds', geo_lat: 53.8, geo_lng: -1.5, status: 'publish' };
  const form = await formWith(await photo(), { alt: 'A choir', title: 'Choir' });
  const picture = (await daybook.request('editor', 'POST', '/media', form.body, form.headers)).body;
  const concert = {
    ...someEvent({ title: 'Winter concert', categories: [music.id], venue: hall, cost: '12' }),
    ...{ image: picture.id, featured: true, website: 'https://tickets.example/' },
    ...{ start_date: '2026-12-05 19:00:00', end_date: '2026-12-05 22:00:00', timezone: 'Europe/Berlin' },
    description: '<p style="color:red">Songs</p><img src="https://elsewhere.example/a.gif">',
    organizer: { organizer: 'The Guild', status: 'publish' },
  };
  const { venue } = await daybook.created('editor', 'events', concert);
  const walk = await daybook.created(
    'editor',
    'events',
    someEvent({ title: 'Night walk', start_date: '2026-12-12 20:00:00', end_date: '2026-12-12 22:00:00' }),
  );
  await daybook.request('editor', 'PATCH', `/events/${walk.id}`, { event_status: 'canceled', notice: 'Storm' });
  const fair = { start_date: '2026-12-03', end_date: '2026-12-09', all_day: true };
  for (const title of ['Lantern fair', 'Frost fair', 'Book fair'])
    await daybook.created('editor', 'events', someEvent({ title, ...fair, venue: venue.id }));
});
test.after(closeBrowser);

const WIDTHS = [360, 768, 1440] as const;

/** Nothing sticks out sideways. */
const fits = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');

for (const [locale, words] of [
  ['en-GB', { search: 'Search', show: 'Show', add: 'Add to my calendar', local: 'In your time zone' }],
  ['de-DE', { search: 'Suche', show: 'Anzeigen', add: 'In meinen Kalender', local: 'In Ihrer Zeitzone' }],
] as const)
  test(`${locale}: search, event, time zone, calendar, venue`, async ({ browser, origin }) => {
    const context = await browser.newContext({ locale, timezoneId: 'America/New_York' });
    const page = await context.newPage();
    const faults = watched(page, origin);
    await page.goto(`${origin}/`);
    await page.getByLabel(words.search).fill('concert');
    await page.getByRole('button', { name: words.show }).click();
    await page.getByRole('link', { name: 'Night walk' }).waitFor({ state: 'detached' });
    await page.waitForURL(/search=concert/);
    await page.getByRole('link', { name: 'Winter concert' }).click();
    await page.getByRole('heading', { level: 1, name: 'Winter concert' }).waitFor();
    assert.match((await page.locator('.local').textContent()) ?? '', new RegExp(`^${words.local}: .*1(?:3|:00)`));
    await page.getByText(words.add).click();
    const [file, google, outlook] = await Promise.all(
      ['Thunderbird', 'Google', 'Outlook'].map((name) => page.getByRole('link', { name }).getAttribute('href')),
    );
    assert.match(file ?? '', /\/events\/\d+\.ics$/);
    assert.match(google ?? '', 'dates=20261205T180000Z%2F20261205T210000Z');
    assert.match(outlook ?? '', 'startdt=2026-12-05T18%3A00%3A00Z');
    await page.getByRole('link', { name: 'Harbour Hall' }).click();
    await page.getByRole('heading', { level: 1, name: 'Harbour Hall' }).waitFor();
    assert.is(await page.getByRole('link', { name: 'Winter concert' }).count(), 1);
    // The card as a whole leads to the event, and its category to the others of its kind.
    await page.getByRole('link', { name: 'Music' }).click();
    await page.getByRole('heading', { level: 1, name: 'Music' }).waitFor();
    assert.equal(faults, []);
    await context.close();
  });

test('an event is shared by the sheet of the browser, where it has one', async ({ browser, origin }) => {
  const page = await browser.newPage({ locale: 'en-GB' });
  const faults = watched(page, origin);
  await page.addInitScript('navigator.share = async (what) => { globalThis.shared = what; };');
  await page.goto(`${origin}/event/winter-concert/`);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const { title, url } = (await page.evaluate('globalThis.shared')) as { readonly title: string; readonly url: string };
  assert.equal([title, url], ['Winter concert – Lantern Bay', `${origin}/event/winter-concert/`]);
  assert.equal(faults, []);
  await page.close();
});

test('what the policy of a page refuses is noticed by these tests', async ({ browser, origin }) => {
  const page = await browser.newPage({ locale: 'en-GB' });
  const faults = watched(page, origin);
  await page.goto(`${origin}/`);
  const told = page.waitForEvent('console', (message) => message.text().startsWith('policy: img-src'));
  await page.evaluate("document.body.append(Object.assign(new Image(), { src: 'https://elsewhere.example/a.gif' }))");
  await told;
  assert.ok(faults.some((fault) => fault.startsWith('policy: img-src https://elsewhere.example')));
  await page.close();
});

test('by keyboard alone: past the menu to the first event', async ({ browser, origin }) => {
  const page = await browser.newPage({ locale: 'en-GB' });
  await page.goto(`${origin}/`);
  await page.keyboard.press('Tab');
  assert.is(await page.evaluate('document.activeElement.textContent'), 'Skip to content');
  await page.keyboard.press('Enter');
  for (let presses = 0; presses < 25; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate('document.activeElement.textContent')) === 'Winter concert') break;
  }
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Winter concert' }).waitFor();
  await page.close();
});

test('everything is there without script', async ({ browser, origin }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(`${origin}/events/month/2026-12/`);
  await page.getByRole('link', { name: 'Night walk' }).click();
  assert.is(await page.getByText('Cancelled').count(), 1);
  assert.is(await page.getByText('Storm').count(), 1);
  await context.close();
});

test('a month is a table where seven columns have room, and else a list of its days with their weekdays', async ({
  browser,
  origin,
}) => {
  const page = await browser.newPage({ locale: 'en-GB' });
  await page.goto(`${origin}/events/month/2026-12/`);
  for (const [width, isTable] of [
    [360, false],
    [768, false],
    [1024, true],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    assert.is(await page.locator('.month thead').isVisible(), isTable, `${width}`);
    assert.is(await page.locator('.month td:not(.empty) .weekday').first().isVisible(), !isTable, `${width}`);
  }
  await page.close();
});

test('on a telephone the whole menu is in sight, and a month leads to the day where it begins to matter', async ({
  browser,
  daybook,
  origin,
}) => {
  const page = await browser.newPage({ locale: 'en-GB', viewport: { width: 360, height: 780 } });
  await page.goto(`${origin}/`);
  const links = await page.getByRole('navigation', { name: 'Views' }).getByRole('link').all();
  assert.ok(links.length >= 5);
  for (const link of links) {
    const { x = 0, width = 0 } = (await link.boundingBox()) ?? {};
    assert.ok(x >= 0 && width > 0 && x + width <= 360, await link.innerText());
  }
  const [first] = (await daybook.get('/events?per_page=1')).body.events;
  await page.goto(`${origin}/events/month/${first.start_date.slice(0, 7)}/`);
  const day = page.locator('#next');
  assert.is(await day.count(), 1);
  assert.ok((await day.innerText()).includes(first.title));
  await page.goto(`${origin}/events/month/2020-01/`);
  await page.locator('nav.months').getByRole('link', { name: 'Today' }).click();
  await page.locator('h1').waitFor();
  assert.not.match(page.url(), /2020-01/);
  await page.close();
});

test('the picture of the large card is as sharp as the screen shows it, on telephones, too', async ({
  browser,
  origin,
}) => {
  for (const width of [360, 1440]) {
    const page = await browser.newPage({ locale: 'en-GB', viewport: { width, height: 780 }, deviceScaleFactor: 2 });
    await page.goto(`${origin}/`);
    // In pixels of the screen; as it is made.
    const { need, has, whole } = (await page.evaluate(`(async () => {
      const image = document.querySelector('.hero .card:first-child img');
      await image.decode();
      const chosen = image.srcset.split(', ').find((one) => image.currentSrc.endsWith(one.split(' ')[0]));
      const has = Number(chosen.match(/ ([0-9]+)w$/)[1]);
      return { need: image.clientWidth * 2, has, whole: Number(image.getAttribute('width')) };
    })()`)) as { readonly need: number; readonly has: number; readonly whole: number };
    assert.ok(has >= Math.min(need, whole), JSON.stringify({ width, need, has, whole }));
    await page.close();
  }
});

/** Without pictures, as it was sent. */
const WEIGHT = `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .filter(({ initiatorType }) => initiatorType !== 'img').reduce((sum, { transferSize }) => sum + transferSize, 0)`;
const MAX_WEIGHT = 60_000;

test('a page is light, and nothing on it moves once it is seen', async ({ browser, origin }) => {
  for (const viewport of [
    { width: 360, height: 780 },
    { width: 1440, height: 900 },
  ])
    for (const path of ['/', '/event/winter-concert/', '/events/month/2026-12/', '/venue/harbour-hall/']) {
      const context = await browser.newContext({ viewport, timezoneId: 'America/New_York' });
      const page = await context.newPage();
      await page.addInitScript(`globalThis.moved = 0;
        new PerformanceObserver((list) => { for (const { value } of list.getEntries()) globalThis.moved += value; })
          .observe({ type: 'layout-shift', buffered: true })`);
      await page.goto(`${origin}${path}`, { waitUntil: 'networkidle' });
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      assert.is(await page.evaluate('globalThis.moved'), 0, `${path} at ${viewport.width}`);
      const weight = Number(await page.evaluate(WEIGHT));
      assert.ok(weight > 1_000 && weight <= MAX_WEIGHT, `${path}: ${weight} bytes`);
      await context.close();
    }
});

test('a page is drawn as it is meant before anything else of it has arrived', async ({ browser, origin }) => {
  const page = await browser.newPage({ locale: 'en-GB' });
  await page.route('**/{assets,media}/**', () => {}); // They never arrive.
  await page.goto(`${origin}/event/winter-concert/`, { waitUntil: 'commit' });
  await page.evaluate(
    "new Promise((drawn) => new PerformanceObserver(drawn).observe({ type: 'paint', buffered: true }))",
  );
  assert.is(await page.evaluate("getComputedStyle(document.querySelector('.menu')).display"), 'flex');
  await page.close();
});

test('where clocks show the same, nothing is said of the time there', async ({ browser, origin }) => {
  // Languages write the zone behind a time in different ways.
  for (const [locale, timezoneId] of [
    ['ja-JP', 'Europe/Berlin'],
    ['en-GB', 'Europe/Paris'],
  ] as const) {
    const context = await browser.newContext({ locale, timezoneId });
    const page = await context.newPage();
    await page.goto(`${origin}/event/winter-concert/`);
    await page.locator('time[data-end]').waitFor();
    assert.is(await page.locator('.local').count(), 0, `${locale} ${timezoneId}`);
    await context.close();
  }
});

for (const [scheme, widths] of [
  ['light', WIDTHS],
  ['dark', [768]],
] as const)
  for (const width of widths)
    test(`${width} pixels, ${scheme}: nothing sticks out, and axe finds nothing at all`, async ({
      browser,
      origin,
    }) => {
      const context = await browser.newContext({
        colorScheme: scheme,
        viewport: { width, height: 800 },
      });
      const page = await context.newPage();
      for (const path of [
        '/',
        '/event/winter-concert/',
        '/event/night-walk/',
        '/events/month/2026-12/',
        '/venue/harbour-hall/',
        ...['/event/nothing/', '/submit', '/?search=nothing', '/events/category/music/', '/events/day/2026-12-05/'],
      ]) {
        await page.goto(`${origin}${path}`);
        assert.ok(await fits(page), path);
        assert.equal(await everyProblem(page), [], path);
      }
      await context.close();
    });

if (BROWSER === undefined)
  console.log('Skipped: there is no Chromium on this machine (Debian: apt-get install chromium).');
else test.run();
