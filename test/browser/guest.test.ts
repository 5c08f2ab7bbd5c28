// A guest's story in a real browser: an editor makes a link in a few clicks, and who has it reads, comments and approves, also
// without script; a link that is revoked while it is read gives back what was typed.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { someEvent } from '../support/service.ts';
import { BROWSER, type BrowserContext, closeBrowser, openBrowser, watched } from './browser.ts';
import { assertCounted, clicker } from './clicks.ts';
import { assertGoodLook, assertGoodLooks } from './looks.ts';
import { signIn } from './sign-in.ts';

const test = suite<BrowserContext>('a guest in a browser');
const WORDS = { login: 'Login or e-mail address', password: 'Password', enter: 'Sign in', events: 'Events' };

test.before(async (context) => {
  Object.assign(context, await openBrowser({ DAYBOOK_SITE_NAME: 'Lantern Bay' }));
});
test.after(closeBrowser);

test('a draft is shared, commented on and approved', async (all) => {
  const { daybook, browser, origin } = all;
  const draft = someEvent({ title: 'Night of the museums', description: 'Nine houses', status: 'draft' });
  const { id } = await daybook.created('editor', 'events', draft);
  const { page, faults, context } = await signIn(all, WORDS, { locale: 'en-GB' });
  await page.goto(`${origin}/desk/events/${id}`);
  const clicks = clicker();
  await clicks.on(page.getByRole('link', { name: 'Guests' }));
  await clicks.also(() => page.getByLabel('Whom it is for').fill('Anna of the museum'));
  await clicks.on(page.getByRole('button', { name: 'Make a link' }));
  const address = await page.getByLabel('Link', { exact: true }).inputValue();
  assertCounted('share a draft with a guest', clicks.count());
  await assertGoodLook(page);
  const guests = await browser.newContext({ locale: 'en-GB' });
  const guest = await guests.newPage();
  const guestFaults = watched(guest, origin);
  await assertGoodLooks(guest, address);
  const asGuest = clicker();
  await asGuest.also(() => guest.getByLabel('Comment').fill('Ten houses by now'));
  for (const colorScheme of ['light', 'dark'] as const) {
    await guest.emulateMedia({ colorScheme });
    // What is typed, which checks of contrast do not look at.
    const colours = `(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.querySelector('textarea')))`;
    const [ink = '', paper = ''] = (await guest.evaluate(colours)) as string[];
    const lightness = (colour: string): number => Number(/\d+/.exec(colour)?.[0]);
    assert.ok(Math.abs(lightness(ink) - lightness(paper)) > 128, `${colorScheme}: ${ink} on ${paper}`);
  }
  await asGuest.on(guest.getByRole('button', { name: 'Comment' }));
  await guest.getByText('Ten houses by now').waitFor();
  await asGuest.on(guest.getByRole('button', { name: 'Approve' }));
  await guest.getByText('Approved').waitFor();
  assert.is(asGuest.count(), 3);
  await page.goto(`${origin}/desk/guests/event/${id}`);
  await page.getByText('Ten houses by now').waitFor();
  await assertGoodLook(page);
  assert.equal([faults, guestFaults], [[], []]);
  await context.close();
  await guests.close();
});

test('without script: revoked while it is read, and nothing that was typed is lost', async ({
  daybook,
  browser,
  origin,
}) => {
  const { id } = await daybook.created('editor', 'events', someEvent({ title: 'Quiet', status: 'draft' }));
  const { body } = await daybook.request('editor', 'POST', '/guest-links', { kind: 'event', of: id, name: 'B' });
  const context = await browser.newContext({ locale: 'de-DE', javaScriptEnabled: false });
  const guest = await context.newPage();
  await guest.goto(new URL(new URL(body.link).pathname, origin).href);
  await guest.getByLabel('Kommentar').fill('Ein langer Gedanke');
  await daybook.request('editor', 'DELETE', `/guest-links/${body.id}`);
  await guest.getByRole('button', { name: 'Kommentar' }).click();
  await guest.getByRole('heading', { name: 'Dieser Link öffnet nichts' }).waitFor();
  assert.is(await guest.getByRole('textbox').inputValue(), 'Ein langer Gedanke');
  await context.close();
});

if (BROWSER === undefined)
  console.log('Skipped: there is no Chromium on this machine (Debian: apt-get install chromium).');
else test.run();
