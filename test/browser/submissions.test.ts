// A visitor submits an event in a real browser without scripts, on a small screen and a wide one, in light and dark; an
// editor sees who sent it.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { someEvent, temporaryFolder } from '../support/service.ts';
import { seriousProblems } from './axe.ts';
import { BROWSER, type BrowserContext, closeBrowser, openBrowser } from './browser.ts';
import { signIn } from './sign-in.ts';

interface Context extends BrowserContext {
  mail: string;
  remove(): void;
}

const test = suite<Context>('submitting in a browser');

test.before(async (context) => {
  const { folder, remove } = temporaryFolder();
  Object.assign(context, { mail: folder, remove });
  const environment = { DAYBOOK_SUBMISSIONS: 'on', DAYBOOK_MAIL: `folder:${folder}`, DAYBOOK_SITE_NAME: 'Lantern Bay' };
  Object.assign(context, await openBrowser(environment));
  const { daybook } = context;
  for (const name of ['Music', 'Markets & fairs', `Long ${'word'.repeat(12)}`])
    await daybook.created('editor', 'categories', { name });
  const hall = { venue: 'Harbour Hall', city: 'Leeds', status: 'publish' };
  await daybook.created('editor', 'events', someEvent({ venue: hall }));
});
test.after(async (context) => {
  await closeBrowser(context);
  context.remove();
});

const excessOf = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** The private link in the only mail. */
async function linkIn(folder: string): Promise<string> {
  const mails = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.eml'));
  while (mails().length === 0) await sleep(10);
  const text = readFileSync(`${folder}/${mails()[0]}`, 'utf8').replace(/=\r\n/g, '');
  return /https?:\/\/\S+\/submit\/[\w-]+/.exec(text)?.[0] ?? '';
}

test('without scripts: from the menu over a mistake and the mail to the queue, and back', async (all) => {
  const { browser, origin, daybook, mail } = all;
  const small = { locale: 'en-GB', javaScriptEnabled: false, viewport: { width: 360, height: 800 } } as const;
  const context = await browser.newContext(small);
  const page = await context.newPage();
  await page.goto(`${origin}/`);
  await page.getByRole('link', { name: 'Submit an event' }).click();
  await page.getByLabel('Title').fill('Lantern fair');
  await page.getByLabel('Start').fill('2027-06-05T19:00');
  await page.getByLabel('End', { exact: true }).fill('2027-06-04T19:00');
  await page.getByLabel('Description').fill('Bring a light.');
  await page.getByRole('combobox', { name: 'Venue' }).fill('harbour hall');
  await page.getByLabel('Markets & fairs').check();
  await page.getByLabel('Your name').fill('Zoe Sender');
  await page.getByLabel('Your e-mail address').fill('zoe@example.com');
  const press = () => page.getByRole('button', { name: 'Submit' }).click();
  daybook.clock.at += 10;
  await press();
  await page.getByRole('alert').waitFor();
  assert.is(await page.getByLabel('Title').inputValue(), 'Lantern fair');
  assert.is(await page.getByLabel('End', { exact: true }).inputValue(), '2027-06-04T19:00');
  assert.ok(await page.getByLabel('Markets & fairs').isChecked());
  assert.is(await page.getByLabel('End', { exact: true }).getAttribute('aria-invalid'), 'true');
  assert.is(await page.getByLabel('Start').getAttribute('aria-invalid'), null);
  await page.getByLabel('End', { exact: true }).fill('2027-06-05T21:00');
  await press();
  await page.getByRole('heading', { name: 'Please look into your mail' }).waitFor();

  const link = await linkIn(mail);
  await page.goto(link);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('heading', { name: 'Waiting for review' }).waitFor();
  await page.reload();
  const words = { login: 'Login or e-mail address', password: 'Password', enter: 'Sign in', events: 'Events' };
  const desk = await signIn(all, words, { locale: 'en-GB' });
  await desk.page.goto(`${origin}/desk/review`);
  await desk.page.getByText('Public submission').waitFor();
  await desk.page.locator('.rows .what a').first().click();
  await desk.page.getByText('Zoe Sender · zoe@example.com').waitFor();
  await desk.page.getByRole('button', { name: 'Approve' }).click();
  await desk.page.getByText('Applied').first().waitFor();
  await desk.context.close();
  await page.goto(link);
  await page.getByRole('link', { name: 'To the event' }).click();
  await page.getByRole('heading', { level: 1, name: 'Lantern fair' }).waitFor();
  assert.is(await page.getByRole('link', { name: 'Harbour Hall' }).count(), 1, 'the venue that was known');
  await context.close();
});

for (const [colorScheme, width] of [
  ['light', 360],
  ['dark', 360],
  ['light', 1280],
] as const)
  test(`${colorScheme}, ${width} px: nothing sticks out, and nothing serious for those who cannot see`, async (all) => {
    const { browser, origin } = all;
    const viewport = { width, height: 900 };
    const context = await browser.newContext({ locale: 'de-DE', colorScheme, viewport });
    const page = await context.newPage();
    await page.goto(`${origin}/submit`);
    await page.evaluate("document.querySelector('form').noValidate = true");
    await page.getByRole('button', { name: 'Einreichen' }).click();
    await page.getByRole('alert').waitFor();
    assert.is(await excessOf(page), 0);
    assert.equal(await seriousProblems(page), []);
    await context.close();
  });

if (BROWSER === undefined)
  console.log('Skipped: there is no Chromium on this machine (Debian: apt-get install chromium).');
else test.run();
