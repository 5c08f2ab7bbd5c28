// The form of filters, the month as a grid, and sharing, in a real browser.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { someEvent } from '../support/service.ts';
import { BROWSER, type BrowserContext, closeBrowser, openBrowser, watched } from './browser.ts';
import { signIn } from './sign-in.ts';

const test = suite<BrowserContext>('filtering in a browser');
const ENGLISH = { login: 'Login', password: 'Password', enter: 'Sign in', events: 'Events' };

test.before(async (context) => {
  Object.assign(context, await openBrowser());
  const { daybook } = context;
  const place = (venue: string, city: string, lat: number) => ({
    ...{ venue, city, geo_lat: lat, geo_lng: -1.5, status: 'publish' },
  });
  const winter = await daybook.created('editor', 'tags', { name: 'Winter' });
  const event = (title: string, fields: object) => daybook.created('editor', 'events', someEvent({ title, ...fields }));
  await event('Concert', { venue: place('Harbour Hall', 'Leeds', 53.8), tags: [winter.id] });
  await event('Dance', { venue: place('Old Barn', 'York', 54.6) });
});
test.after(closeBrowser);

test('further filters unfold, and only those that are filled are in the address', async ({ browser, origin }) => {
  const page = await browser.newPage({ locale: 'en-GB' });
  const faults = watched(page, origin);
  await page.goto(`${origin}/`);
  await page.getByText('More filters').click();
  await page.getByLabel('Tag').selectOption('Winter');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByText('Events: 1').waitFor();
  assert.is(page.url(), `${origin}/?tags=winter`);
  assert.ok(await page.getByLabel('Tag').isVisible(), 'a filter in use is shown');
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await page.getByText('Events: 2').waitFor();
  assert.equal(faults, []);
  await page.close();
});

test('filters act as they are touched, say what they leave, and are taken away by one click', async ({
  browser,
  origin,
}) => {
  const page = await browser.newPage({ locale: 'en-GB' });
  const faults = watched(page, origin);
  await page.goto(`${origin}/`);
  const field = page.getByLabel('Search');
  await field.pressSequentially('conc');
  await page.getByRole('status').getByText('Events: 1').waitFor();
  assert.is(page.url(), `${origin}/?search=conc`);
  assert.is(await page.evaluate('document.activeElement.name'), 'search', 'typing goes on');
  assert.is(await page.locator('#found option').first().getAttribute('value'), 'Concert', 'suggested');
  assert.match((await page.locator('.tools a').first().getAttribute('href')) ?? '', 'search=conc', 'this very list');
  await page.getByRole('link', { name: 'Remove: Search: conc' }).click();
  await page.getByText('Events: 2').waitFor();
  await page.getByLabel('When').selectOption('today');
  await page.getByText('Events: 0').waitFor();
  await page.goBack();
  await page.getByText('Events: 2').waitFor();
  assert.equal(faults, []);
  await page.close();
});

test('a filter that is touched, and the button pressed at once, ask for the list once', async ({ browser, origin }) => {
  const page = await browser.newPage({ locale: 'en-GB' });
  const faults = watched(page, origin);
  await page.goto(`${origin}/`);
  const lists: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === '/') lists.push(`${request.resourceType()} ${search}`);
  });
  // The answer comes after the button has been pressed.
  const pressed = Promise.withResolvers<void>();
  await page.route('**/?*', async (route) => {
    await pressed.promise;
    await route.continue();
  });
  await page.getByLabel('When').selectOption('today');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  pressed.resolve();
  await page.getByText('Events: 0').waitFor();
  assert.is(page.url(), `${origin}/?when=today`);
  await page.goBack();
  await page.getByText('Events: 2').waitFor();
  assert.equal(
    lists.filter((one) => one.includes('when=today')),
    ['fetch ?when=today'],
  );
  assert.equal(faults, []);
  await page.close();
});

test('lists of the desk are filtered as their filters are touched, and lead back', async (all) => {
  const { page, faults, context } = await signIn(all, ENGLISH, { locale: 'en-GB' });
  await page.goto(`${all.origin}/desk/events`);
  await page.getByLabel('Search').pressSequentially('danc');
  await page.getByRole('status').getByText('Events: 1').waitFor();
  await page.waitForURL(`${all.origin}/desk/events?search=danc`);
  assert.is(await page.evaluate('document.activeElement.name'), 'search', 'typing goes on');
  assert.equal(await page.locator('#results tbody a').allTextContents(), ['Dance']);
  // What takes the filters along has them: another time, the calendar, a search that is saved.
  assert.is(await page.locator('form.time [name=search]').inputValue(), 'danc');
  assert.match((await page.getByRole('link', { name: 'Calendar' }).last().getAttribute('href')) ?? '', 'search=danc');
  assert.is(await page.locator('.searches [name=query]').inputValue(), 'search=danc');
  await page.getByLabel('Period').selectOption('past');
  await page.getByRole('status').getByText('No events match').waitFor();
  await page.goBack();
  await page.getByRole('status').getByText('Events: 1').waitFor();
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await page.getByRole('status').getByText('Events: 2').waitFor();
  for (const [path, word, left] of [
    ['venues', 'barn', 'Old Barn'],
    ['tags', 'wint', 'Winter'],
  ] as const) {
    await page.goto(`${all.origin}/desk/${path}`);
    await page.locator('.filters [name=search]').pressSequentially(word);
    await page.waitForURL(`${all.origin}/desk/${path}?search=${word}`);
    assert.equal(await page.locator('#results tbody a').allTextContents(), [left]);
  }
  assert.equal(faults, []);
  await context.close();
});

test('on a telephone filters of the desk are behind a button, which counts those in use, and nothing chosen is cut', async (all) => {
  const { page, faults, context } = await signIn(
    all,
    { login: 'Anmeldename', password: 'Passwort', enter: 'Anmelden', events: 'Veranstaltungen' },
    { locale: 'de-DE', viewport: { width: 360, height: 780 } },
  );
  await page.goto(`${all.origin}/desk/events`);
  const period = page.getByLabel('Zeitraum');
  assert.not.ok(await period.isVisible(), 'folded');
  const top = (await page.locator('#results').boundingBox())?.y ?? Number.POSITIVE_INFINITY;
  assert.ok(top < 600, `the list begins on the first screen: ${top}`);
  const fold = page.locator('.filters summary');
  assert.is(await fold.innerText(), 'Filter');
  await fold.click();
  await period.selectOption('past');
  await page.getByRole('status').getByText('Keine Veranstaltung').waitFor();
  assert.is(await fold.innerText(), 'Filter (1)');
  const cut = `[...document.querySelectorAll('.filters select')].filter((one) => one.scrollWidth > one.clientWidth).length`;
  assert.is(await page.evaluate(cut), 0);
  await page.goto(`${all.origin}/desk/events?search=x&period=past&as_of=2099-01-01`);
  assert.is(await fold.innerText(), 'Filter (1)', 'what is in sight is not counted');
  await page.setViewportSize({ width: 1024, height: 780 });
  await page.reload();
  assert.ok(await period.isVisible(), 'where there is room nothing is folded');
  assert.not.ok(await fold.isVisible());
  assert.equal(faults, []);
  await context.close();
});

test('the calendar of the desk and the choice of what stays after a merge are filtered as their filters are touched', async (all) => {
  const { page, faults, context } = await signIn(all, ENGLISH, { locale: 'en-GB' });
  await page.goto(`${all.origin}/desk/calendar?month=2026-12`);
  await page.locator('.ec-event', { hasText: 'Concert' }).waitFor();
  await page.getByLabel('Search').pressSequentially('danc');
  await page.waitForURL(`${all.origin}/desk/calendar?search=danc`);
  await page.locator('.ec-event', { hasText: 'Concert' }).waitFor({ state: 'detached' });
  await page.locator('.ec-event', { hasText: 'Dance' }).waitFor();
  const { id } = await all.daybook.created('editor', 'tags', { name: 'Wintry' });
  await page.goto(`${all.origin}/desk/tags/${id}/merge`);
  await page.locator('#filters [name=search]').pressSequentially('wint');
  await page.waitForURL(/search=wint$/);
  const found = await page.locator('#results li > span').allTextContents();
  assert.equal(
    found.map((text) => text.trim().replace(/ \d+$/, '')),
    ['Winter'],
  );
  assert.equal(faults, []);
  await context.close();
});

test('without script a click narrows a list, and another one widens it again', async ({ browser, origin }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(`${origin}/?tags=winter`);
  await page.getByText('Events: 1').waitFor();
  await page.getByRole('link', { name: 'Remove: Winter' }).click();
  await page.getByText('Events: 2').waitFor();
  await context.close();
});

test('near me: the place of the browser, to about a kilometre', async ({ browser, origin }) => {
  const geolocation = { latitude: 53.80123, longitude: -1.50456 };
  const context = await browser.newContext({ locale: 'en-GB', permissions: ['geolocation'], geolocation });
  const page = await context.newPage();
  await page.goto(`${origin}/`);
  await page.getByRole('button', { name: 'Near me' }).click();
  await page.getByText('Events: 1').waitFor();
  assert.is(page.url(), `${origin}/?near=53.80%2C+-1.50`);
  assert.is(await page.getByRole('link', { name: 'Concert' }).count(), 1);
  await context.close();
});

test('a browser that does not give its place is told in the field', async ({ browser, origin }) => {
  const context = await browser.newContext({ locale: 'en-GB', permissions: [] });
  const page = await context.newPage();
  await page.goto(`${origin}/`);
  await page.getByRole('button', { name: 'Near me' }).click();
  await page.waitForFunction('document.querySelector("[name=near]").validationMessage !== ""');
  assert.is(page.url(), `${origin}/`);
  await context.close();
});

test('a month by keyboard: one cell in the order of focus, keys lead to the others', async ({ browser, origin }) => {
  const page = await browser.newPage({ locale: 'en-GB' });
  await page.goto(`${origin}/events/month/2026-12/`);
  assert.is(await page.getByRole('grid').count(), 1);
  assert.is(await page.locator('.month [tabindex="0"]').count(), 1);
  assert.is(await page.locator('.month a:not([tabindex])').count(), 0, 'no link of a cell is in the order of focus');
  // Of a day without events its link has the focus, of another one its cell.
  const focused = () => page.evaluate('document.activeElement.closest("td").querySelector("a.day").textContent');
  await page.locator('.month [tabindex="0"]').focus();
  const visited: unknown[] = [];
  const keys = ['ArrowRight', 'ArrowDown', 'Home', 'End', 'ArrowUp', 'ArrowLeft', 'ArrowUp'];
  for (const key of [...keys, 'Control+End', 'Control+Home']) {
    await page.keyboard.press(key);
    visited.push(await focused());
  }
  // 1 December 2026 is a Tuesday.
  assert.equal(visited, ['2', '9', '7', '13', '6', '5', '1', '31', '1']);
  assert.is(await page.locator('.month [tabindex="0"]').count(), 1, 'still one');
  await page.keyboard.press('PageDown');
  await page.waitForURL(`${origin}/events/month/2027-01/`);
  await page.locator('.month [tabindex="0"]').focus();
  await page.keyboard.press('PageUp');
  await page.waitForURL(`${origin}/events/month/2026-12/`);
  await page.close();
});

test('in a month Enter leads into a day with events, Escape back, and Tab past the others', async ({
  browser,
  origin,
}) => {
  const page = await browser.newPage({ locale: 'en-GB' });
  await page.goto(`${origin}/events/month/2026-12/`);
  const active = async (what: string) => String(await page.evaluate(`document.activeElement.${what}`));
  await page.locator('.month [tabindex="0"]').focus();
  // To Monday 21, where both events are.
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Home']) await page.keyboard.press(key);
  assert.is(await active('tagName'), 'TD');
  await page.keyboard.press('Enter');
  assert.is(await active('textContent'), '21');
  await page.keyboard.press('ArrowDown');
  assert.match(await active('textContent'), /Concert/);
  await page.keyboard.press('Tab');
  assert.match(await active('textContent'), /Dance/);
  await page.keyboard.press('Escape');
  assert.is(await active('tagName'), 'TD');
  await page.keyboard.press('Tab');
  assert.is(await page.evaluate('document.activeElement.closest("table.month") === null'), true);
  await page.keyboard.press('Shift+Tab');
  assert.is(await active('tagName'), 'TD', 'back at the same day');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: /Concert/ }).waitFor();
  await page.goto(`${origin}/events/month/2026-12/`);
  await page.locator('.month [tabindex="0"]').focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${origin}/events/day/2026-12-01/`);
  await page.close();
});

test('where a month is a list of its days, keys lead past those that are hidden', async ({ browser, origin }) => {
  const page = await browser.newPage({ locale: 'en-GB', viewport: { width: 360, height: 800 } });
  await page.goto(`${origin}/events/month/2026-12/`);
  await page.locator('.month [tabindex="0"]').focus();
  const day = () => page.evaluate('document.activeElement.closest("td").querySelector("a.day").textContent');
  for (const key of ['ArrowDown', 'ArrowUp', 'Control+Home', 'End']) {
    await page.keyboard.press(key);
    assert.is(await day(), '21', key);
  }
  await page.close();
});

test('the address of a page is copied', async ({ browser, origin }) => {
  const context = await browser.newContext({ locale: 'en-GB', permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  await page.goto(`${origin}/?tags=winter`);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  assert.is(await page.evaluate('navigator.clipboard.readText()'), `${origin}/?tags=winter`);
  await page.getByText('Embed this list').click();
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'Copied' }).first().waitFor();
  const snippet = String(await page.evaluate('navigator.clipboard.readText()'));
  assert.ok(snippet.includes('<daybook-events tags="winter">'), snippet);
  await context.close();
});

test('on paper there is the event, and nothing to click', async ({ browser, origin }) => {
  const page = await browser.newPage();
  await page.goto(`${origin}/`);
  await page.emulateMedia({ media: 'print' });
  assert.is(await page.getByRole('search').isVisible(), false);
  assert.is(await page.locator('.tools').isVisible(), false);
  assert.ok(await page.getByRole('link', { name: 'Concert' }).isVisible());
  await page.addInitScript('globalThis.print = () => { globalThis.isPrinted = true; }');
  const programme = await page.locator('.tools a[href$="#print"]').getAttribute('href');
  assert.match(programme ?? '', '/?per_page=50');
  await page.goto(`${origin}${programme}`);
  await page.waitForFunction('globalThis.isPrinted');
  assert.match((await page.pdf({ format: 'A4' })).subarray(0, 5).toString(), '%PDF-');
  await page.goto(
    await page
      .getByRole('link', { name: 'Concert' })
      .getAttribute('href')
      .then((path) => origin + path),
  );
  assert.is(await page.locator('.actions').isVisible(), false);
  assert.ok(await page.getByText('Harbour Hall').isVisible());
  await page.close();
});

if (BROWSER === undefined)
  console.log('Skipped: there is no Chromium on this machine (Debian: apt-get install chromium).');
else test.run();
