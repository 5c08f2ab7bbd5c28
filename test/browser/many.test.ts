// Many events at once in a real browser: chosen, looked at, and changed with counted clicks; and a table that comes back
// edited, in German and without script.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Body, someEvent } from '../support/service.ts';
import { BROWSER, type BrowserContext, closeBrowser, openBrowser } from './browser.ts';
import { assertCounted, clicker } from './clicks.ts';
import { assertGoodLook, assertGoodLooks } from './looks.ts';
import { signIn } from './sign-in.ts';

const test = suite<BrowserContext>('many events in a browser');
const ENGLISH = { login: 'Login or e-mail address', password: 'Password', enter: 'Sign in', events: 'Events' };
const GERMAN = {
  ...{ login: 'Anmeldename oder E-Mail-Adresse', password: 'Passwort', enter: 'Anmelden', events: 'Veranstaltungen' },
};

test.before(async (context) => {
  Object.assign(context, await openBrowser({ DAYBOOK_SITE_NAME: 'Lantern Bay' }));
});
test.after(closeBrowser);

test('events are ticked, moved by a week and featured', async (all) => {
  const { daybook, origin } = all;
  await daybook.created('editor', 'venues', { venue: 'Harbour Hall', city: 'Leeds', status: 'publish' });
  const titles = ['Advent market', `A fair with a long name ${'x'.repeat(40)}`, 'Carols'];
  const made = await Promise.all(titles.map((title) => daybook.created('editor', 'events', someEvent({ title }))));
  const { page, faults, context } = await signIn(all, ENGLISH, {
    locale: 'en-GB',
    viewport: { width: 1440, height: 900 },
  });
  const ids = made.map(({ id }) => `ids[]=${id}`).join('&');
  await assertGoodLooks(page, `${origin}/desk/events/many?${ids}&which=ticked`);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${origin}/desk/events`);
  const clicks = clicker();
  await clicks.on(page.getByLabel('Tick “Advent market”'));
  await clicks.on(page.getByLabel('Tick “Carols”'));
  await clicks.on(page.getByRole('button', { name: 'Change the ticked ones' }));
  await clicks.also(() => page.getByLabel('Move by days').fill('7'));
  await clicks.also(() => page.getByLabel('Featured').selectOption('Yes'));
  await clicks.also(() => page.getByLabel('Venue').fill('Harbour Hall'));
  await clicks.on(page.getByRole('button', { name: 'See what would change' }));
  await page.getByRole('heading', { name: 'What would change' }).waitFor();
  await assertGoodLook(page);
  await clicks.on(page.getByRole('button', { name: 'Apply now' }));
  await page.getByText('All ticked events were changed.').waitFor();
  assertCounted('move and feature two events, and give them a venue', clicks.count());
  const starts = await Promise.all(made.map(async ({ id }) => (await daybook.get(`/events/${id}`)).body.start_date));
  assert.equal(starts, ['2026-12-28 10:00:00', '2026-12-21 10:00:00', '2026-12-28 10:00:00']);
  assert.equal(faults, []);
  await context.close();
});

test('de-DE, without script: a table comes back edited, and becomes a set', async (all) => {
  const { daybook, origin } = all;
  const made: Body = await daybook.created('editor', 'events', someEvent({ title: 'Lesung' }));
  const table = (await daybook.get(`/events.csv?include=${made.id}`, 'editor')).text.replace('Lesung', 'Lange Lesung');
  const { page, context } = await signIn(all, GERMAN, { locale: 'de-DE', javaScriptEnabled: false });
  await page.goto(`${origin}/desk/events`);
  const clicks = clicker();
  await clicks.on(page.getByRole('link', { name: 'Bearbeitete Tabelle zurückbringen' }));
  const file = { name: 'events.csv', mimeType: 'text/csv', buffer: Buffer.from(table) };
  await clicks.also(() => page.getByLabel('Bearbeitete Tabelle zurückbringen').setInputFiles(file));
  await clicks.on(page.getByRole('button', { name: 'Zeigen, was sich ändern würde' }));
  assert.is((await page.locator('ins').first().textContent())?.trim(), 'Lange');
  await clicks.on(page.getByRole('button', { name: 'Vorschlagen' }));
  await page.getByRole('heading', { name: 'Gemeinsam geänderte Veranstaltungen: 1' }).waitFor();
  assert.is(clicks.count(), 4);
  assert.is((await daybook.get(`/events/${made.id}`)).body.title, 'Lesung');
  await context.close();
});

if (BROWSER === undefined)
  console.log('Skipped: there is no Chromium on this machine (Debian: apt-get install chromium).');
else test.run();
