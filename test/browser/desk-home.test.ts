// An editor's first minute in a real browser: home, the menu on small and large screens, keys, and a proposal that is
// approved from there; with the clicks that it takes.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { someEvent } from '../support/service.ts';
import { everyProblem } from './axe.ts';
import { BROWSER, type BrowserContext, closeBrowser, openBrowser } from './browser.ts';
import { assertCounted, clicker } from './clicks.ts';
import { signIn } from './sign-in.ts';

const test = suite<BrowserContext>('home in a browser');
const WORDS = { login: 'Login or e-mail address', password: 'Password', enter: 'Sign in', events: 'Events' };

test.before(async (context) => {
  Object.assign(context, await openBrowser({ DAYBOOK_SITE_NAME: 'Lantern Bay' }));
});
test.after(closeBrowser);

test('a proposal is approved in a few clicks', async (all) => {
  const { daybook } = all;
  const { id } = await daybook.created('editor', 'events', someEvent({ title: 'Choir', status: 'publish' }));
  await daybook.request('contributor', 'POST', `/events/${id}/proposals`, { title: 'Choir of boys' });
  const { page, faults, context } = await signIn(all, WORDS, { locale: 'en-GB' });
  const clicks = clicker();
  await clicks.on(page.locator('[aria-labelledby=home_waiting]').getByRole('link', { name: 'Judge' }));
  await clicks.on(page.getByRole('button', { name: 'Approve' }));
  await page.getByText('Done. The proposal below shows it.').waitFor();
  assert.is((await daybook.get(`/events/${id}`)).body.title, 'Choir of boys');
  assertCounted('approve a proposal', clicks.count());
  assert.equal(faults, []);
  await context.close();
});

test('keys: looking up, a new one, the list of keys, and none of them once they are switched off', async (all) => {
  await all.daybook.created('editor', 'venues', { venue: 'Harbour Hall', status: 'publish' });
  const { page, faults, context } = await signIn(all, WORDS, { locale: 'en-GB' });
  await page.keyboard.press('/');
  await page.keyboard.type('harbour');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Harbour Hall' }).waitFor();
  await page.keyboard.press('n');
  await page.getByRole('heading', { level: 1, name: 'New event' }).waitFor();
  await page.getByLabel('Title', { exact: true }).fill('n/?');
  await page.goto(`${all.origin}/desk/venues`);
  await page.keyboard.press('n');
  await page.getByRole('heading', { level: 1, name: 'New venue' }).waitFor();
  await page.goto(`${all.origin}/desk`);
  await page.keyboard.press('?');
  await page.getByRole('heading', { name: 'Keys' }).waitFor();
  await page.getByLabel('These keys act').uncheck();
  await page.keyboard.press('Escape');
  await page.locator('h1').click();
  await page.keyboard.press('n');
  await page.keyboard.press('?');
  assert.is(page.url(), `${all.origin}/desk`);
  assert.ok(await page.locator('#keys').isHidden());
  assert.equal(faults, []);
  await context.close();
});

for (const [width, colorScheme] of [
  [390, 'dark'],
  [1440, 'light'],
] as const)
  test(`${width} pixels, ${colorScheme}: nothing sticks out, and axe finds nothing at all`, async (all) => {
    const { daybook, origin } = all;
    const title = 'x'.repeat(90);
    const start_date = new Date((daybook.clock.now() + 86_400) * 1000).toISOString().slice(0, 19);
    await daybook.created('editor', 'events', someEvent({ title, start_date, status: 'draft' }));
    const { page, faults, context } = await signIn(all, WORDS, {
      ...{ locale: 'en-GB', colorScheme, viewport: { width, height: 900 } },
    });
    const menu = page.getByRole('button', { name: 'Menu' });
    const audit = page.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name: 'Audit' });
    for (const path of ['/desk', `/desk/find?search=${title}`]) {
      await page.goto(origin + path);
      assert.is(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'), 0);
      assert.equal(await everyProblem(page), [], path);
      assert.is(await audit.isVisible(), width > 1000, 'beside the page where there is room');
    }
    if (width < 1000) {
      const { height = 0 } = (await page.locator('header.desk').boundingBox()) ?? {};
      assert.ok(height > 40 && height < 80, `one row: ${height}`);
      await menu.click();
      assert.ok(await page.getByRole('button', { name: 'Sign out' }).isVisible(), 'in the menu');
      assert.equal(await everyProblem(page), [], 'the open menu');
    }
    await audit.click();
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
    assert.equal(faults, []);
    await context.close();
  });

test('without script the menu of a small screen opens as well', async (all) => {
  const { page, context } = await signIn(all, WORDS, {
    ...{ locale: 'en-GB', javaScriptEnabled: false, viewport: { width: 390, height: 800 } },
  });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name: 'Venues' }).click();
  await page.getByRole('heading', { level: 1, name: 'Venues' }).waitFor();
  await context.close();
});

if (BROWSER === undefined)
  console.log('Skipped: there is no Chromium on this machine (Debian: apt-get install chromium).');
else test.run();
