// An editor's story in a real browser: signing in, writing an event, finding it again, in two languages; by keyboard;
// without script; and what the browser keeps.
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { visitorOf } from '../support/desk.ts';
import { photo } from '../support/pictures.ts';
import { type Body, someEvent } from '../support/service.ts';
import { seriousProblems } from './axe.ts';
import { BROWSER, type BrowserContext, closeBrowser, openBrowser } from './browser.ts';
import { type SignInWords, signIn } from './sign-in.ts';

const test = suite<BrowserContext>('an editor in a browser');

test.before(async (context) => {
  Object.assign(context, await openBrowser({ DAYBOOK_SITE_NAME: 'Lantern Bay' }));
  const { daybook } = context;
  await daybook.created('editor', 'categories', { name: 'Music' });
  await daybook.created('editor', 'venues', { venue: 'Harbour Hall', city: 'Leeds', status: 'publish' });
});
test.after(closeBrowser);

interface Words extends SignInWords {
  readonly create: string;
  readonly title: string;
  readonly venue: string;
  readonly state: string;
  readonly save: string;
  readonly created: string;
  readonly search: string;
  readonly find: string;
}

const ENGLISH: Words = {
  ...{ login: 'Login or e-mail address', password: 'Password', enter: 'Sign in', create: 'New event', title: 'Title' },
  ...{ venue: 'Venue', state: 'State', save: 'Save', created: 'The event was created.', events: 'Events' },
  ...{ search: 'Search', find: 'Find' },
};
const GERMAN: Words = {
  ...{ login: 'Anmeldename oder E-Mail-Adresse', password: 'Passwort', enter: 'Anmelden', title: 'Titel' },
  ...{ create: 'Neue Veranstaltung', venue: 'Ort', state: 'Stand', save: 'Speichern', search: 'Suche', find: 'Finden' },
  ...{ created: 'Die Veranstaltung wurde angelegt.', events: 'Veranstaltungen' },
};

for (const [locale, words] of [
  ['en-GB', ENGLISH],
  ['de-DE', GERMAN],
] as const)
  test(`${locale}: an event is written, published, and found again`, async (all) => {
    const { page, faults, context } = await signIn(all, words, { locale });
    await page.goto(`${all.origin}/desk/events`);
    await page.getByRole('link', { name: words.create }).click();
    await page.getByLabel(words.title, { exact: true }).fill(`Evening in ${locale}`);
    await page.getByLabel(words.venue, { exact: true }).fill('Harbour Hall');
    await page.getByLabel('Music').check();
    await page.getByLabel(words.state).selectOption('publish');
    await page.getByRole('button', { name: words.save }).click();
    await page.getByText(words.created).waitFor();
    assert.ok(await page.getByLabel('Harbour Hall').isChecked());
    await page.getByRole('link', { name: words.events, exact: true }).click();
    await page.getByLabel(words.search).fill(locale);
    await page.getByRole('button', { name: words.find }).click();
    await page.getByRole('link', { name: `Evening in ${locale}` }).waitFor();
    const { body } = await all.daybook.get(`/events?search=${locale}`);
    assert.equal([body.total, body.events[0].venue.venue], [1, 'Harbour Hall']);
    assert.equal(faults, []);
    await context.close();
  });

test('by keyboard alone: signing in, and past the menu to the list', async ({ daybook, browser, origin }) => {
  const page = await browser.newPage({ locale: 'en-GB' });
  const { login, password } = visitorOf(daybook).credentials('author');
  await page.goto(`${origin}/desk/events/new`);
  // On a busy machine the focus comes behind the page.
  await page.locator('input:focus').waitFor();
  await page.keyboard.type(login);
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'New event' }).waitFor();
  await page.keyboard.press('Tab');
  assert.is(await page.evaluate('document.activeElement.textContent'), 'Skip to content');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  assert.is(await page.evaluate('document.activeElement.id'), 'title');
  await page.keyboard.type('Typed alone');
  await page.keyboard.press('Enter');
  await page.getByText('The event was created.').waitFor();
  await page.close();
});

test('without script an event is written and changed', async (all) => {
  const { page, context } = await signIn(all, ENGLISH, { locale: 'en-GB', javaScriptEnabled: false });
  await page.goto(`${all.origin}/desk/events/new`);
  await page.getByLabel('Title', { exact: true }).fill('Plain');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The event was created.').waitFor();
  await page.getByLabel('Price').fill('7');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  await context.close();
});

test('the browser keeps what was typed until it is saved', async (all) => {
  const { page, context } = await signIn(all, ENGLISH, { locale: 'en-GB' });
  const { id } = await all.daybook.created('editor', 'events', someEvent({ title: 'Kept' }));
  const address = `${all.origin}/desk/events/${id}`;
  await page.goto(address);
  await page.getByLabel('Description', { exact: true }).fill('Half a sentence');
  await page.goto(`${all.origin}/desk`);
  await page.goto(address);
  assert.is(await page.getByLabel('Description', { exact: true }).inputValue(), '');
  await page.getByRole('button', { name: 'Take it back' }).click();
  assert.is(await page.getByLabel('Description', { exact: true }).inputValue(), 'Half a sentence');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  await page.goto(address);
  assert.is(await page.getByRole('button', { name: 'Take it back' }).count(), 0);
  await context.close();
});

test('a slider moves through old states, and the back button after a revert changes nothing more', async (all) => {
  const { daybook, origin } = all;
  const { id } = await daybook.created('editor', 'events', someEvent({ title: 'First name' }));
  await daybook.request('editor', 'PATCH', `/events/${id}`, { title: 'Second name' });
  const history = async () => (await daybook.get(`/events/${id}/history`, 'editor')).body.history;
  const [{ revision: newest }] = await history();
  const { page, faults, context } = await signIn(all, ENGLISH, { locale: 'en-GB' });
  await page.goto(`${origin}/desk/events/${id}/history/at?revision=${newest}`);
  const slider = page.getByLabel('Revision to show');
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  await page.waitForURL(`${origin}/desk/events/${id}/history/at?revision=${newest - 1}`);
  assert.is(await slider.inputValue(), String(newest - 1));
  await page.getByText('This would change.').waitFor();
  const goBack = page.getByRole('button', { name: 'Go back to this state' });
  await goBack.click();
  await page.waitForURL(/said=said_reverted/);
  const reverts = async () => (await history()).filter(({ type }: Body) => type === 'EventReverted').length;
  assert.is(await reverts(), 1);
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: /at revision/ }).waitFor();
  await goBack.click();
  await page.getByRole('alert').or(page.locator('.said')).first().waitFor();
  assert.is(await reverts(), 1, 'it is as it was already');
  assert.is((await daybook.get(`/events/${id}`)).body.title, 'First name');
  assert.equal(
    faults.filter((fault) => !/4\d\d/.test(fault)),
    [],
  );
  await context.close();
});

test('names of venues are suggested as they are typed', async (all) => {
  const { page, faults, context } = await signIn(all, ENGLISH, { locale: 'en-GB' });
  await page.goto(`${all.origin}/desk/events/new`);
  // Not among those that came with the page.
  await all.daybook.created('editor', 'venues', { venue: 'Quayside Rooms', city: 'Hull', status: 'publish' });
  await page.getByLabel('Venue', { exact: true }).pressSequentially('quay');
  const option = page.locator('#venue-names option[value="Quayside Rooms"]');
  await option.waitFor({ state: 'attached' });
  assert.is(await option.textContent(), 'Hull');
  assert.is(await page.locator('#venue-names option').count(), 1, 'and no other');
  assert.equal(faults, []);
  await context.close();
});

/** Nothing sticks out sideways. */
const fits = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');

for (const [width, colorScheme] of [
  [360, 'dark'],
  [1440, 'light'],
] as const)
  test(`${width} pixels, ${colorScheme}: nothing sticks out, and nothing serious for those who cannot see`, async (all) => {
    const { id } = await all.daybook.created(
      'editor',
      'events',
      someEvent({ title: 'x'.repeat(200), status: 'draft' }),
    );
    const options = { locale: 'en-GB', colorScheme, viewport: { width, height: 800 } };
    const { page, context } = await signIn(all, ENGLISH, options);
    for (const path of ['/desk/events', `/desk/events/${id}`, '/desk/account']) {
      await page.goto(`${all.origin}${path}`);
      assert.ok(await fits(page), path);
      assert.equal(await seriousProblems(page), [], path);
    }
    await context.close();
  });

test('a text that is too large is refused, and the browser has kept it', async (all) => {
  const { page, faults, context } = await signIn(all, ENGLISH, { locale: 'en-GB' });
  await page.goto(`${all.origin}/desk/events/new`);
  const description = page.getByLabel('Description', { exact: true });
  await page.getByLabel('Title', { exact: true }).fill('Long evening');
  await description.fill('y'.repeat(1_100_000));
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('larger than 1 MiB').waitFor();
  await page.getByRole('link', { name: 'Back to the form' }).click();
  await page.getByRole('button', { name: 'Take it back' }).click();
  assert.is((await description.inputValue()).length, 1_100_000);
  assert.is(await page.getByLabel('Title', { exact: true }).inputValue(), 'Long evening');
  assert.equal(
    faults.filter((fault) => !fault.includes('413')),
    [],
  );
  await context.close();
});

test('a change of all dates of a series is previewed and done, and nothing is said to be unsaved', async (all) => {
  const made = await all.daybook.created('editor', 'events', someEvent({ title: 'Weekly', recurrence: WEEKLY }));
  const { page, faults, context } = await signIn(all, ENGLISH, { locale: 'en-GB' });
  const unsaved = page.getByText('was not saved');
  await page.goto(`${all.origin}/desk/events/${made.id}`);
  await page.getByLabel('Title', { exact: true }).fill('Every week');
  await page.getByLabel('Which dates').selectOption('all');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('This would happen to the dates of the series').waitFor();
  assert.is(await unsaved.count(), 0, 'it is all in the form');
  // Left without doing it, it is still there.
  await page.goto(`${all.origin}/desk/events/${made.id}`);
  await unsaved.waitFor();
  await page.getByRole('button', { name: 'Take it back' }).click();
  assert.is(await page.getByLabel('Title', { exact: true }).inputValue(), 'Every week');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Do this' }).click();
  await page.locator('.said').waitFor();
  await page.goto(`${all.origin}/desk/events/${made.id}`);
  assert.is(await page.getByLabel('Title', { exact: true }).inputValue(), 'Every week');
  assert.is(await unsaved.count(), 0);
  assert.equal(faults, []);
  await context.close();
});

const WEEKLY = { rrule: 'FREQ=WEEKLY;COUNT=3' };

test('a picture is uploaded along with an event, shown to visitors, and found again', async (all) => {
  const { page, faults, context } = await signIn(all, ENGLISH, { locale: 'en-GB' });
  await page.goto(`${all.origin}/desk/events/new`);
  await page.getByLabel('Title', { exact: true }).fill('Evening at the bridge');
  await page.getByLabel('State').selectOption('publish');
  const file = { name: 'bridge.jpg', mimeType: 'image/jpeg', buffer: await photo() };
  await page.getByLabel('What it shows').fill('A bridge at night');
  await page.getByLabel('Or upload a picture').setInputFiles({ ...file, buffer: Buffer.from('no picture') });
  await page.getByRole('button', { name: 'Save' }).click();
  // Beside its field, and what was typed is still there.
  await page
    .locator('.field', { has: page.getByLabel('Picture', { exact: true }) })
    .getByText('must be a complete and undamaged picture')
    .waitFor();
  assert.is(await page.getByLabel('Title', { exact: true }).inputValue(), 'Evening at the bridge');
  assert.is(await page.getByLabel('What it shows').inputValue(), 'A bridge at night');
  await page.getByLabel('Or upload a picture').setInputFiles(file);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(ENGLISH.created).waitFor();
  await page.getByRole('img', { name: 'A bridge at night' }).waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Pictures' }).click();
  await page.getByLabel('Search').fill('bridge night');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByRole('link', { name: 'A bridge at night' }).click();
  await page.getByRole('heading', { level: 1, name: 'A bridge at night' }).waitFor();
  await page.goto(`${all.origin}/event/evening-at-the-bridge/`);
  await page.getByRole('img', { name: 'A bridge at night' }).waitFor();
  assert.ok(await page.evaluate("document.querySelector('img.picture').decode().then(() => true)"), 'it is a picture');
  assert.equal(
    faults.filter((fault) => !fault.includes('400')),
    [],
  );
  await context.close();
});

if (BROWSER === undefined)
  console.log('Skipped: there is no Chromium on this machine (Debian: apt-get install chromium).');
else test.run();
