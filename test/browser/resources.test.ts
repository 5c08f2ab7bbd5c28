// An editor's story in a real browser: two venues that are the same are found, merged after a look at what that does, and
// taken apart again; a category is moved in its tree.
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { someEvent } from '../support/service.ts';
import { seriousProblems } from './axe.ts';
import { BROWSER, type BrowserContext, closeBrowser, openBrowser } from './browser.ts';
import { tabTo } from './keyboard.ts';
import { type SignInWords, signIn } from './sign-in.ts';

interface Context extends BrowserContext {
  stays: number;
  goes: number;
  category: number;
}

const test = suite<Context>('venues, organizers and terms in a browser');

test.before(async (context) => {
  Object.assign(context, await openBrowser());
  const { daybook } = context;
  const made = async (collection: string, body: object): Promise<number> =>
    (await daybook.created('editor', collection, body)).id;
  const place = { city: 'Leeds', geo_lat: 53.79, geo_lng: -1.54, status: 'publish' };
  context.stays = await made('venues', { venue: 'Harbour Hall', address: 'Quay Street 1', ...place });
  context.goes = await made('venues', { venue: 'The Harbour-Hall', phone: '0113 1', ...place });
  context.category = await made('categories', { name: 'Music' });
  await made('categories', { name: 'x'.repeat(120), parent: context.category });
  await made('events', someEvent({ title: 'Lantern walk', venue: [context.goes] }));
});
test.after(closeBrowser);

const ENGLISH: SignInWords = {
  ...{ login: 'Login or e-mail address', password: 'Password', enter: 'Sign in', events: 'Events' },
};

for (const javaScriptEnabled of [true, false])
  test(`${javaScriptEnabled ? 'with' : 'without'} script: two venues are merged, and taken apart again`, async (all) => {
    const { page, faults, context } = await signIn(all, ENGLISH, { locale: 'en-GB', javaScriptEnabled });
    const venueOfEvent = async (): Promise<number> =>
      (await all.daybook.get('/events?search=lantern')).body.events[0].venue.id;
    await page.getByRole('link', { name: 'Venues', exact: true }).first().click();
    await page.getByRole('link', { name: 'These look like the same' }).click();
    await page.getByText('same place').waitFor();
    await page.getByRole('link', { name: /^Merge/ }).click();
    await page.getByText('Events linked to “Harbour Hall” instead: 1.').waitFor();
    await page.getByRole('cell', { name: '0113 1' }).waitFor();
    assert.is(await venueOfEvent(), all.goes);
    await page.getByRole('button', { name: 'Merge' }).click();
    await page.getByText('Merged. The address of the other one leads here.').waitFor();
    assert.is(await venueOfEvent(), all.stays);
    await page.goto(`${all.origin}/desk/venues/${all.goes}`);
    await page.getByRole('link', { name: 'Harbour Hall', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Take the merge back' }).click();
    await page.getByText('It is there again').waitFor();
    assert.is(await venueOfEvent(), all.goes);
    assert.equal(faults, []);
    await context.close();
  });

test('the description of a venue is formatted without a sign of HTML', async (all) => {
  const { page, faults, context } = await signIn(all, ENGLISH, { locale: 'en-GB' });
  const { id } = await all.daybook.created('editor', 'venues', { venue: 'Chapel', status: 'publish' });
  await page.goto(`${all.origin}/desk/venues/${id}`);
  await page.locator('trix-editor').pressSequentially('Built by **hand** in');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  const { description } = (await all.daybook.get(`/venues/${id}`)).body;
  assert.match(description, '<strong>hand</strong> in');
  assert.equal(faults, []);
  await context.close();
});

test('a button that is pressed twice is sent once', async (all) => {
  const { page, faults, context } = await signIn(all, ENGLISH, { locale: 'en-GB' });
  const { id } = await all.daybook.created('editor', 'venues', { venue: 'Old mill', status: 'publish' });
  await page.goto(`${all.origin}/desk/venues/${id}`);
  const submitted = await page.evaluate(`(() => {
    const form = document.querySelector('form[action$="/bin"]');
    const prevented = [];
    form.addEventListener('submit', (event) => {
      prevented.push(event.defaultPrevented);
      event.preventDefault();
    });
    form.requestSubmit();
    form.requestSubmit();
    dispatchEvent(new PageTransitionEvent('pageshow'));
    form.requestSubmit();
    return prevented;
  })()`);
  assert.equal(submitted, [false, true, false], 'until its page is shown again');
  assert.equal(faults, []);
  await context.close();
});

test('by keyboard, in German: a category gets another name', async (all) => {
  const words: SignInWords = {
    ...{ login: 'Anmeldename oder E-Mail-Adresse', password: 'Passwort', enter: 'Anmelden' },
    events: 'Veranstaltungen',
  };
  const { page, context } = await signIn(all, words, { locale: 'de-DE' });
  await page.goto(`${all.origin}/desk/categories`);
  await tabTo(page, page.getByRole('link', { name: 'Music', exact: true }));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Music' }).waitFor();
  await tabTo(page, page.getByLabel('Name', { exact: true }));
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Musik');
  await page.keyboard.press('Enter');
  await page.getByText('Gespeichert.').waitFor();
  assert.is((await all.daybook.get(`/categories/${all.category}`)).body.name, 'Musik');
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
    const options = { locale: 'en-GB', colorScheme, viewport: { width, height: 800 } };
    const { page, context } = await signIn(all, ENGLISH, options);
    const { goes, stays } = all;
    const paths = ['venues/duplicates', `venues/${goes}`, `venues/${goes}/merge?into=${stays}`, 'categories'];
    for (const path of paths) {
      await page.goto(`${all.origin}/desk/${path}`);
      assert.ok(await fits(page), path);
      assert.equal(await seriousProblems(page), [], path);
    }
    await context.close();
  });

if (BROWSER === undefined)
  console.log('Skipped: there is no Chromium on this machine (Debian: apt-get install chromium).');
else test.run();
