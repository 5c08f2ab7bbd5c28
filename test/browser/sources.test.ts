// An editor sets up a source in a real browser without scripts: it is polled, shrinks to nothing, and is taken back.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { calendarOf, titled } from '../support/calendar-elsewhere.ts';
import { BROWSER, type BrowserContext, closeBrowser, openBrowser } from './browser.ts';
import { assertGoodLooks } from './looks.ts';
import { signIn } from './sign-in.ts';

interface Elsewhere {
  readonly elsewhere: { answer: RequestListener; readonly address: string; close(): void };
}

const test = suite<BrowserContext & Elsewhere>('sources in a browser');
const WORDS = { login: 'Login or e-mail address', password: 'Password', enter: 'Sign in', events: 'Events' };

const telling =
  (...titles: readonly string[]): RequestListener =>
  (_request, response) =>
    void response.end(calendarOf(titled(...titles)));

test.before(async (context) => {
  const told = { answer: telling('Hamlet', 'Macbeth') };
  const server = createServer((request, response) => told.answer(request, response)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/calendar.ics`;
  Object.assign(context, { elsewhere: Object.assign(told, { address, close: () => server.close() }) });
  Object.assign(context, await openBrowser({ DAYBOOK_IMPORT_NETWORK: 'any', DAYBOOK_SITE_NAME: 'Lantern Bay' }));
});
test.after(async (context) => {
  await closeBrowser(context);
  context.elsewhere.close();
});

test('without scripts: from the form over a poll, a loss that is held back, and a poll that is taken back', async (all) => {
  const { daybook, elsewhere, origin } = all;
  const small = { locale: 'en-GB', colorScheme: 'light', viewport: { width: 1280, height: 900 } } as const;
  const { page, faults, context } = await signIn(all, WORDS, { ...small, javaScriptEnabled: false });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
  await page.getByRole('link', { name: 'Sources' }).first().click();
  await page.getByText('There are none yet.').waitFor();
  await page.getByLabel('Address of the calendar').fill('ftp://theatre.example/a.ics');
  await page.getByLabel('Name').fill('Theatre');
  await page.getByLabel('Coming events that it has no more').selectOption('bin');
  await press('Add a source');
  await page.getByRole('alert').waitFor();
  assert.is(await page.getByLabel('Address of the calendar').getAttribute('aria-invalid'), 'true');
  await page.getByLabel('Address of the calendar').fill(elsewhere.address);
  await press('Add a source');
  await page.getByRole('heading', { level: 1, name: 'Theatre' }).waitFor();
  const url = page.url().replace(/\?.*/, '');
  const reloaded = async (text: string): Promise<void> => {
    for (let look = 0; look < 100; look += 1) {
      await page.goto(url);
      if ((await page.getByText(text).count()) > 0) return;
    }
    throw new Error(`${text} is not shown`);
  };
  await reloaded('Taken over · Created: 2');

  elsewhere.answer = telling('Hamlet');
  await press('See what a poll would do');
  await page.getByText('Nothing has been written.').waitFor();
  await page.getByText('Missing there: 1').waitFor();
  elsewhere.answer = telling();
  await press('Poll now');
  await page.getByText('It has none of the coming events any more').first().waitFor();
  await page.getByText('Held back').waitFor();
  await page.goto(`${origin}/desk/sources`);
  await page.getByText('Held back').waitFor();
  await page.goto(url);
  const titles = async (): Promise<string[]> =>
    (await daybook.get('/events?start_date=2040-01-01&end_date=2041-01-01')).body.events?.map(
      ({ title }: { readonly title: string }) => title,
    ) ?? [];
  assert.is((await titles()).length, 2);
  await press('Take it over all the same');
  await page.getByText('It was polled.').waitFor();
  assert.equal(await titles(), []);
  await page.getByRole('link', { name: 'Take this poll back' }).first().click();
  await page.getByText('Nothing has been changed yet.').waitFor();
  await page.locator('main form button[type=submit]').last().click();
  await page.getByText('Taken back: 2').waitFor();
  assert.is((await titles()).length, 2);

  await page.goto(url);
  await press('Pause');
  await page.getByText('It is paused.').waitFor();
  await page.getByLabel('What becomes of it').selectOption('propose');
  await press('Save');
  await page.getByText('Saved.').waitFor();
  assert.is(await page.getByLabel('What becomes of it').inputValue(), 'propose');
  await press('Resume');
  await page.getByText('It is polled again.').waitFor();
  await page.getByText('Remove this source').last().click();
  await press('Yes, remove');
  await page.getByText('The source was removed.').waitFor();
  // The address that was refused.
  assert.equal(
    faults.filter((fault) => !fault.includes('400')),
    [],
  );
  await context.close();
});

test('nothing sticks out, and nothing serious for those who cannot see', async (all) => {
  const { daybook, elsewhere, origin } = all;
  elsewhere.answer = (_request, response) => void response.writeHead(500).end();
  const address = `${elsewhere.address}?${'x'.repeat(80)}`;
  const { body } = await daybook.request('administrator', 'POST', '/sources', { address, on_missing: 'cancel' });
  await daybook.request('administrator', 'POST', `/sources/${body.id}/polls`, {});
  const german = { login: 'Anmeldename oder E-Mail-Adresse', password: 'Passwort', enter: 'Anmelden' };
  const words = { ...german, events: 'Veranstaltungen' };
  const { page, context } = await signIn(all, words, { locale: 'de-DE' }, 'administrator');
  for (const path of ['', `/${body.id}`]) await assertGoodLooks(page, `${origin}/desk/sources${path}`);
  await daybook.request('administrator', 'DELETE', `/sources/${body.id}`);
  await context.close();
});

if (BROWSER === undefined)
  console.log('Skipped: there is no Chromium on this machine (Debian: apt-get install chromium).');
else test.run();
