// An editor's story in a real browser: signing in, writing an event, finding it again, in two languages; by keyboard;
// without script; and what is typed and not saved.
import type { Locator, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { visitorOf } from '../support/desk.ts';
import { until } from '../support/killed-appends.ts';
import { photo } from '../support/pictures.ts';
import { type Body, someEvent } from '../support/service.ts';
import { seriousProblems } from './axe.ts';
import { BROWSER, type BrowserContext, closeBrowser, openBrowser } from './browser.ts';
import { assertCounted } from './clicks.ts';
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
    await page.getByRole('combobox', { name: words.venue, exact: true }).fill('Harbour Hall');
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

test('what is typed and left is offered on another device to the same editor alone, until it is saved', async (all) => {
  const { origin } = all;
  const one = await signIn(all, ENGLISH, { locale: 'en-GB' });
  await one.page.goto(`${origin}/desk/events/new`);
  await one.page.getByLabel('Title', { exact: true }).fill('Half an evening');
  await one.page.locator('trix-editor').fill('Half a sentence');
  await one.page.getByLabel('Venue', { exact: true }).fill('Nowhere yet');
  // At once, without a pause.
  await one.page.goto(`${origin}/desk`);
  // The browser sends what a page that was left has said; a test that ends the whole browser at once would forbid it that.
  const { stores, userId, clock } = all.daybook;
  const kept = () => stores.unsaved.list(userId('editor'), clock.at);
  await until(async () => (await kept()).some(({ fields }) => fields.includes('Nowhere')), 'nothing was kept');
  await one.context.close();

  const others = await signIn(all, ENGLISH, { locale: 'en-GB' }, 'administrator');
  await others.page.goto(`${origin}/desk/events/new`);
  assert.is(await others.page.getByText('have not saved').count(), 0);
  await others.context.close();

  const { page, faults, context } = await signIn(all, ENGLISH, { locale: 'en-GB' });
  await page.goto(`${origin}/desk/events/new`);
  await page.getByText('have not saved').waitFor();
  await page.getByRole('link', { name: 'Continue what you typed' }).click();
  assert.is(await page.getByLabel('Title', { exact: true }).inputValue(), 'Half an evening');
  // The editor of texts is there a moment later.
  await page.locator('trix-editor').getByText('Half a sentence').waitFor();
  assert.is((await page.locator('trix-editor').innerText()).trim(), 'Half a sentence');
  assert.is(await page.getByLabel('Venue', { exact: true }).inputValue(), 'Nowhere yet');
  await page.getByLabel('Venue', { exact: true }).fill('Harbour Hall');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(ENGLISH.created).waitFor();
  assert.is(await descriptionOf(all, 'Half an evening'), '<p>Half a sentence</p>');
  await page.goto(`${origin}/desk/events/new`);
  // What is typed and taken back was not lost.
  await page.getByLabel('Title', { exact: true }).fill('Nothing');
  await page.getByLabel('Title', { exact: true }).fill('');
  await page.goto(`${origin}/desk/events/new`);
  assert.is(await page.getByText('have not saved').count(), 0);
  assert.equal(faults, []);
  await context.close();
});

test('what is typed before the editor of texts is there stays, and is saved', async (all) => {
  const { page, faults, context } = await signIn(all, ENGLISH, { locale: 'en-GB' });
  const typed = Promise.withResolvers<void>();
  await page.route('**/assets/rich-text-*', async (route) => {
    await typed.promise;
    await route.continue();
  });
  const arrives = page.waitForResponse('**/assets/rich-text-*');
  await page.goto(`${all.origin}/desk/events/new`, { waitUntil: 'commit' });
  await page.getByLabel('Title', { exact: true }).fill('Typed early');
  await page.getByLabel('Description', { exact: true }).fill('Before the editor');
  typed.resolve();
  await arrives;
  await page.waitForLoadState('load');
  assert.is(await page.locator('textarea#description').inputValue(), 'Before the editor');
  assert.ok(await page.locator('textarea#description').isVisible());
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(ENGLISH.created).waitFor();
  assert.is(await descriptionOf(all, 'Typed early'), 'Before the editor');
  assert.equal(faults, []);
  await context.close();
});

test('a session that ends while something is typed loses nothing of it', async (all) => {
  const { daybook, origin } = all;
  const { page, context } = await signIn(all, ENGLISH, { locale: 'en-GB' }, 'author');
  await page.goto(`${origin}/desk/events/new`);
  await context.clearCookies();
  const title = page.getByLabel('Title', { exact: true });
  await title.fill('Typed without a session');
  const note = page.getByText('cannot be kept at the moment');
  await note.waitFor();
  const elsewhere = context.waitForEvent('page');
  await page.locator('form.event-form').getByRole('link', { name: 'Sign in' }).click();
  const other = await elsewhere;
  const { login, password } = visitorOf(daybook).credentials('author');
  await other.getByLabel(ENGLISH.login).fill(login);
  await other.getByLabel(ENGLISH.password).fill(password);
  await other.getByRole('button', { name: ENGLISH.enter }).click();
  await other.getByRole('heading', { level: 1 }).waitFor();
  await other.close();
  await title.fill('Typed across two sessions');
  await note.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(ENGLISH.created).waitFor();
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

test('what leads elsewhere from an event is beside its form where there is room, after it where there is none, and its bin works', async (all) => {
  const { page, faults, context } = await signIn(all, ENGLISH, {
    ...{ locale: 'en-GB', viewport: { width: 1440, height: 900 } },
  });
  const { id } = await all.daybook.created('editor', 'events', someEvent({ title: 'Beside' }));
  await page.goto(`${all.origin}/desk/events/${id}`);
  const history = page.locator('main').getByRole('link', { name: 'History' });
  const [form, beside] = [page.locator('.event-form > .box').first(), page.locator('.finish')];
  const boxOf = async (one: Locator) => (await one.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const [first, finish, link] = [await boxOf(form), await boxOf(beside), await boxOf(history)];
  assert.ok(link.x > first.x + first.width, 'beside the form');
  assert.ok(link.y > finish.y + finish.height && link.y + link.height < 900, 'below the buttons that save, in sight');
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  assert.ok((await boxOf(history)).y > 0, 'and stays there');
  await page.setViewportSize({ width: 768, height: 900 });
  const last = await boxOf(page.locator('.event-form > .box').last());
  assert.ok((await boxOf(history)).y > last.y + last.height, 'after the form');
  await page.getByRole('button', { name: 'Move to the bin' }).click();
  await page.getByText('moved to the bin').first().waitFor();
  await page.goto(`${all.origin}/desk/events/${id}`);
  await page.getByRole('button', { name: 'Restore' }).click();
  await page.getByRole('button', { name: 'Move to the bin' }).waitFor();
  assert.equal(faults, []);
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

const PASTE = `(element, texts) => {
  const data = new DataTransfer();
  for (const [type, text] of Object.entries(texts)) data.setData(type, text);
  const told = { bubbles: true, cancelable: true };
  const isLeft = element.dispatchEvent(new ClipboardEvent('paste', { ...told, clipboardData: data }));
  if (isLeft) element.dispatchEvent(new InputEvent('beforeinput', { ...told, inputType: 'insertFromPaste', dataTransfer: data }));
}`;

/** Pastes what another program has put into the clipboard, by its types: the two events of a browser. */
async function paste(into: Locator, texts: { readonly [type: string]: string }): Promise<void> {
  await into.focus();
  await into.page().evaluate(`(${PASTE})(document.activeElement, ${JSON.stringify(texts)})`);
  await settled(into.page());
}

/** What was typed has been drawn: the editor draws with the screen, and people do not type faster. */
const settled = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');

/** The description of the only event with these words in its title, as it was written. */
async function descriptionOf({ daybook }: BrowserContext, title: string): Promise<string> {
  const { body } = await daybook.get(`/events?search=${title}&status=any`, 'editor');
  return (await daybook.get(`/events/${body.events[0].id}/fields`, 'editor')).body.fields.description;
}

const ENTER = 'Enter';
const BOLD = 'Control+b';

test('a text is formatted as it is typed, by keys and by Markdown, and a text that is not touched stays as it is', async (all) => {
  const { page, faults, context } = await signIn(all, ENGLISH, { locale: 'en-GB' });
  await page.goto(`${all.origin}/desk/events/new`);
  await page.getByLabel('Title', { exact: true }).fill('Formatted');
  const description = page.getByLabel('Description', { exact: true });
  await description.click();
  for (const typed of [
    '## Doors',
    ENTER,
    'Open at **seven** and _warm_.',
    ENTER,
    ENTER,
    'Then ',
    BOLD,
    'music',
    BOLD,
    ' at [the hall](https://hall.example/).',
    ENTER,
    '- one',
    ENTER,
    'two',
  ]) {
    await (typed === ENTER || typed === BOLD ? page.keyboard.press(typed) : page.keyboard.type(typed));
    await settled(page);
  }
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(ENGLISH.created).waitFor();
  const written =
    '<h2>Doors</h2><p>Open at <strong>seven</strong> and <em>warm</em>.</p>' +
    '<p>Then <strong>music</strong> at <a href="https://hall.example/">the hall</a>.</p>' +
    '<ul><li>one</li><li>two</li></ul>';
  assert.is(await descriptionOf(all, 'Formatted'), written);
  await page.getByLabel('Price').fill('7');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  assert.is(await descriptionOf(all, 'Formatted'), written);
  for (const description of ['One\n\nTwo -- "three"', '<table><tbody><tr><td>Cell</td></tr></tbody></table>']) {
    const { id } = await all.daybook.created('editor', 'events', someEvent({ title: 'Untouched', description }));
    await page.goto(`${all.origin}/desk/events/${id}`);
    await page.getByLabel('Price').fill('7');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    assert.is(await descriptionOf(all, 'Untouched'), description);
    // The editor comes a moment after the page.
    if (description.startsWith('<table')) assert.is(await page.locator('trix-editor').count(), 0);
    else await page.locator('trix-editor').waitFor();
    await all.daybook.request('editor', 'DELETE', `/events/${id}`);
  }
  assert.equal(faults, []);
  await context.close();
});

test('what is pasted from a text processor or a web page keeps its formatting and nothing else', async (all) => {
  const { page, faults, context } = await signIn(all, ENGLISH, { locale: 'en-GB' });
  await page.goto(`${all.origin}/desk/events/new`);
  await page.getByLabel('Title', { exact: true }).fill('Pasted');
  const description = page.getByLabel('Description', { exact: true });
  await paste(description, { 'text/html': FROM_WORD, 'text/plain': 'Evening' });
  await paste(description, { 'text/html': FROM_PAGE, 'text/plain': 'Hall' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(ENGLISH.created).waitFor();
  const text = await descriptionOf(all, 'Pasted');
  assert.match(text, /<strong>Evening<\/strong> of song/);
  assert.match(text, /<a href="https:\/\/hall\.example\/">The hall/);
  assert.not.match(text, /mso|style|class|script|onclick|<o:p|<img|<!--/i);
  // The policy of the page refuses the styles of what is pasted, and says so.
  assert.equal(
    faults.filter((fault) => !/inline/.test(fault)),
    [],
  );
  await context.close();
});

const FROM_WORD = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal {margin:0cm}</style></head>
  <body lang=EN-GB><!--StartFragment--><p class=MsoNormal style='mso-margin-top-alt:auto'><b><span lang=EN-GB
  style='font-family:"Calibri",sans-serif'>Evening</span></b><span> of song<o:p></o:p></span></p><!--EndFragment--></body></html>`;
const FROM_PAGE = `<div class="card" onclick="alert(1)" style="color:red"><p><a href="https://hall.example/" target="_blank"
  class="x">The hall</a></p><script>alert(1)</script></div>`;

test('the end follows the start, and days are written as the page writes them in a browser of another language', async (all) => {
  // The page is German; the browser itself, and so its own inputs for dates, is English.
  const { page, faults, context } = await signIn(all, GERMAN, { locale: 'de-DE' });
  await page.goto(`${all.origin}/desk/events/new`);
  const field = (name: string) => page.locator(`[name="${name}"]`);
  await field('title').fill('Wanderung');
  await field('start_date').fill('24.12.2026');
  await field('start_date_time').fill('18 Uhr');
  await field('title').focus();
  const shown = ['start_date', 'start_date_time', 'end_date', 'end_date_time'].map((name) => field(name).inputValue());
  assert.equal(await Promise.all(shown), ['Do., 24. Dez. 2026', '18:00', 'Do., 24. Dez. 2026', '20:00']);
  await field('all_day').check();
  assert.not(await field('start_date_time').isVisible());
  await field('all_day').uncheck();
  await field('end_date').fill('23.12.');
  await page.getByRole('button', { name: GERMAN.save }).click();
  await page.locator('#end_date-problem').waitFor();
  assert.is((await all.daybook.get('/events?search=Wanderung&status=any', 'editor')).body.total, 0);
  await field('end_date').fill('25. Dezember 2026');
  await page.getByText('Zeitzone: ').click();
  await field('timezone').fill('New York');
  await page.getByRole('button', { name: GERMAN.save }).click();
  await page.getByText(GERMAN.created).waitFor();
  const { events } = (await all.daybook.get('/events?search=Wanderung&status=any', 'editor')).body;
  assert.equal(
    [events[0].start_date, events[0].end_date, events[0].timezone],
    ['2026-12-24 18:00:00', '2026-12-25 20:00:00', 'America/New_York'],
  );
  assert.equal(
    faults.filter((fault) => !fault.includes('400')),
    [],
  );
  await context.close();
});

/** Counts what an editor does, and how long it would take by the keystroke-level model (Card, Moran and Newell). */
function counting(page: Page) {
  const spent = { steps: 0, seconds: 0 };
  const step = (keys: number): void => {
    spent.steps += 1;
    // To think, to point and to press; then a key each.
    spent.seconds += 1.35 + 1.1 + 0.2 + keys * 0.28;
  };
  return {
    spent,
    async fill(label: string, text: string): Promise<void> {
      step(text.length);
      await page.getByLabel(label, { exact: true }).fill(text);
    },
    async check(label: string): Promise<void> {
      step(0);
      await page.getByLabel(label, { exact: true }).check();
    },
    async press(name: string): Promise<void> {
      step(0);
      await page.getByRole('button', { name, exact: true }).click();
    },
    async choose(label: string, option: string): Promise<void> {
      step(1);
      await page.getByLabel(label, { exact: true }).selectOption({ label: option });
    },
    async drop(label: string, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
      step(0);
      await page.getByLabel(label, { exact: true }).setInputFiles(file);
    },
  };
}

test('a first event with a picture and a new venue is published within 90 seconds and 15 steps', async (all) => {
  const { page, faults, context } = await signIn(all, ENGLISH, { locale: 'en-GB' });
  await page.goto(`${all.origin}/desk/events/new`);
  const { fill, check, press, choose, drop, spent } = counting(page);
  await fill('Title', 'Lantern walk');
  await fill('Description', 'Bring a lantern. We walk to the pier.');
  await fill('Start', '12 Dec');
  await fill('Start: time', '6 pm');
  await fill('Venue', 'Old Pier');
  await page.getByLabel('Create a venue of this name').waitFor();
  await check('Create a venue of this name');
  await fill('City', 'Leeds');
  await drop('Upload a picture, or drop it here', { name: 'pier.jpg', mimeType: 'image/jpeg', buffer: await photo() });
  await fill('What it shows', 'The pier at night');
  await choose('State', 'Published');
  await press('Save');
  await page.getByText(ENGLISH.created).waitFor();
  await page.goto(`${all.origin}/event/lantern-walk/`);
  await page.getByRole('img', { name: 'The pier at night' }).waitFor();
  await page.getByText('Old Pier').waitFor();
  await page.getByText('Leeds').waitFor();
  assert.ok(spent.seconds <= 90, JSON.stringify(spent));
  const pace = `(${Math.round(spent.seconds)} s at the pace of the keystroke-level model)`;
  assertCounted(`publish a first event with a picture and a new venue ${pace}`, spent.steps);
  assert.equal(faults, []);
  await context.close();
});

test('a text that is too large is refused at the form, which keeps it', async (all) => {
  const { page, faults, context } = await signIn(all, ENGLISH, { locale: 'en-GB' });
  await page.goto(`${all.origin}/desk/events/new`);
  const description = page.getByLabel('Description', { exact: true });
  await page.getByLabel('Title', { exact: true }).fill('Long evening');
  await paste(description, { 'text/plain': 'y'.repeat(2_000_000) });
  assert.is((await description.inputValue()).length, 2_000_000, 'no editor formats it');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('larger than 1 MiB').waitFor();
  assert.is((await description.inputValue()).length, 2_000_000);
  await description.fill('Shorter');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(ENGLISH.created).waitFor();
  assert.equal(faults, []);
  await context.close();
});

test('a change of all dates of a series is previewed and done, and nothing is said to be unsaved', async (all) => {
  const made = await all.daybook.created('editor', 'events', someEvent({ title: 'Weekly', recurrence: WEEKLY }));
  const { page, faults, context } = await signIn(all, ENGLISH, { locale: 'en-GB' });
  const unsaved = page.getByText('have not saved');
  await page.goto(`${all.origin}/desk/events/${made.id}`);
  await page.getByLabel('Title', { exact: true }).fill('Every week');
  await page.getByLabel('Which dates').selectOption('all');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('This would happen to the dates of the series').waitFor();
  assert.is(await unsaved.count(), 0, 'it is all in the form');
  // Left without doing it, it is still there.
  await page.goto(`${all.origin}/desk/events/${made.id}`);
  await unsaved.waitFor();
  await page.getByRole('link', { name: 'Continue what you typed' }).click();
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
  await page
    .getByLabel('Upload a picture, or drop it here')
    .setInputFiles({ ...file, buffer: Buffer.from('no picture') });
  await page.getByRole('button', { name: 'Save' }).click();
  // Beside its field, and what was typed is still there.
  await page
    .locator('.field', { has: page.getByLabel('Upload a picture, or drop it here') })
    .getByText('must be a complete and undamaged picture')
    .waitFor();
  assert.is(await page.getByLabel('Title', { exact: true }).inputValue(), 'Evening at the bridge');
  assert.is(await page.getByLabel('What it shows').inputValue(), 'A bridge at night');
  await page.getByLabel('Upload a picture, or drop it here').setInputFiles(file);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(ENGLISH.created).waitFor();
  await page.getByRole('img', { name: 'A bridge at night' }).waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Pictures' }).click();
  await page.getByLabel('Search').fill('bridge night');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByRole('link', { name: 'A bridge at night' }).click();
  await page.getByRole('heading', { level: 1, name: 'A bridge at night' }).waitFor();
  // What stays in sight is pressed on the picture, and moved by keys.
  const whole = page.locator('.focal .whole img');
  const { width = 0, height = 0 } = (await whole.boundingBox()) ?? {};
  await whole.click({ position: { x: width * 0.2, y: height * 0.9 } });
  await page.getByLabel('From the left, in percent').press('ArrowRight');
  await page.getByLabel('Whose picture it is').fill('Ann Lee');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  const sliders = ['left', 'top'].map((side) => page.getByLabel(`From the ${side}, in percent`).inputValue());
  assert.equal(await Promise.all(sliders), ['21', '90']);
  await page.goto(`${all.origin}/`);
  const card = "getComputedStyle(document.querySelector('.card .across-2')).objectPosition";
  assert.is(await page.evaluate(card), '20% 90%');
  await page.goto(`${all.origin}/event/evening-at-the-bridge/`);
  await page.getByText('Picture: Ann Lee').waitFor();
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
