// An auditor's story in a real browser: importing a file after a dry run, finding what it did by who, what and when, and
// taking the whole import back; in two languages, and without script.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { someEvent } from '../support/service.ts';
import { everyProblem, seriousProblems } from './axe.ts';
import { BROWSER, type BrowserContext, closeBrowser, openBrowser } from './browser.ts';
import { assertCounted, clicker } from './clicks.ts';
import { tabTo } from './keyboard.ts';
import { type SignInWords, signIn } from './sign-in.ts';

const test = suite<BrowserContext>('an auditor in a browser');

test.before(async (context) => {
  Object.assign(context, await openBrowser({ DAYBOOK_SITE_NAME: 'Lantern Bay' }));
});
test.after(closeBrowser);

interface Words extends SignInWords {
  readonly import: string;
  readonly file: string;
  readonly look: string;
  readonly would: string;
  readonly importNow: string;
  readonly did: string;
  readonly inAudit: string;
  readonly kind: string;
  readonly who: string;
  readonly from: string;
  readonly find: string;
  readonly takeRequest: string;
  readonly takeBack: string;
  readonly nothingYet: RegExp;
  readonly taken: RegExp;
}

const ENGLISH: Words = {
  ...{ login: 'Login or e-mail address', password: 'Password', enter: 'Sign in', events: 'Events', import: 'Import' },
  ...{ file: 'File', look: 'See what it would do', would: 'Nothing has been written yet', importNow: 'Import it now' },
  ...{ did: 'This is what has happened', inAudit: 'Its changes in the audit list', kind: 'Kind', from: 'From' },
  ...{ who: 'By whom', find: 'Find', takeRequest: 'Take back the whole request' },
  ...{ takeBack: 'Take back the whole import', nothingYet: /Nothing has been changed yet/, taken: /Taken back: 4/ },
};
const GERMAN: Words = {
  ...{ login: 'Anmeldename oder E-Mail-Adresse', password: 'Passwort', enter: 'Anmelden', events: 'Veranstaltungen' },
  ...{ import: 'Importieren', file: 'Datei', look: 'Sehen, was geschähe', would: 'Noch wurde nichts geschrieben' },
  ...{ importNow: 'Jetzt importieren', did: 'Dies ist geschehen', inAudit: 'Seine Änderungen im Protokoll' },
  ...{ kind: 'Art', from: 'Von', who: 'Von wem', find: 'Finden' },
  ...{ takeRequest: 'Den ganzen Vorgang zurücknehmen', takeBack: 'Den ganzen Import zurücknehmen' },
  ...{ nothingYet: /Noch wurde nichts geändert/, taken: /Zurückgenommen: 4/ },
};

const tableOf = (name: string): string =>
  ['title,start,venue', ...[1, 2, 3].map((n) => `${name} ${n},2027-05-0${n} 19:30,Hall ${name}`), ',never,'].join('\n');

/** Imports a table, and leaves the page of its end on the screen. */
async function imported(page: Page, words: Words, name: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: words.import, exact: true }).click();
  const buffer = Buffer.from(tableOf(name));
  await page
    .getByLabel(words.file, { exact: true })
    .setInputFiles({ name: `${name}.csv`, mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: words.look }).click();
  await page.getByText(words.would).waitFor();
  await page.getByRole('cell', { name: `${name} 3` }).waitFor();
  await page.getByRole('button', { name: words.importNow }).click();
  await page.getByText(words.did).waitFor();
}

const STORIES: readonly (readonly [BrowserContextOptions, Words])[] = [
  [{ locale: 'en-GB' }, ENGLISH],
  [{ locale: 'de-DE' }, GERMAN],
];

for (const [options, words] of STORIES)
  test(`${options.locale}: an import is looked at, carried out, found by who, what and when, and taken back`, async (all) => {
    const { daybook } = all;
    const name = `Fair ${options.locale}`;
    const { page, faults, context } = await signIn(all, words, options);
    await imported(page, words, name);
    if (words === ENGLISH) assert.equal(await seriousProblems(page), []);
    const address = page.url();
    await page.getByRole('link', { name: words.inAudit }).click();
    await page.getByLabel(words.kind).selectOption('event');
    await page.getByLabel(words.who).selectOption('editor');
    await page.getByLabel(words.from, { exact: true }).fill('2020-01-01');
    await page.getByRole('button', { name: words.find }).click();
    await page.waitForURL(/from=/);
    const links = await page.locator('main ol.rows .what a').evaluateAll((all) => all.map((one) => one.textContent));
    assert.is(new Set(links).size, 3, String(links));
    await page.getByRole('link', { name: words.takeRequest }).waitFor();
    await page.goto(address);
    await page.getByRole('link', { name: words.takeBack }).click();
    await page.getByText(words.nothingYet).waitFor();
    assert.is(
      (await daybook.get(`/events?search=${encodeURIComponent(name)}`)).body.total,
      3,
      'a preview changes nothing',
    );
    await page.getByRole('button', { name: words.takeBack }).click();
    await page.getByText(words.taken).waitFor();
    assert.is((await daybook.get(`/events?search=${encodeURIComponent(name)}`)).body.total, 0);
    assert.equal(faults, []);
    await context.close();
  });

test('what the list showed on 1 March; and from a value to its fact', async (all) => {
  const { daybook } = all;
  daybook.clock.at = Date.UTC(2027, 1, 20) / 1000;
  const dates = { start_date: '2027-06-01 19:00:00', end_date: '2027-06-01 21:00:00', status: 'publish' };
  const { id } = await daybook.created('editor', 'events', someEvent({ title: 'Summer ball', ...dates }));
  daybook.clock.at = Date.UTC(2027, 2, 5) / 1000;
  const renamed = { title: 'Masked ball' };
  await daybook.request('administrator', 'PATCH', `/events/${id}`, renamed, { 'x-change-reason': 'masks' });
  const { page, faults, context } = await signIn(all, ENGLISH, { locale: 'en-GB' });
  const clicks = clicker();
  await clicks.on(page.getByRole('navigation').getByRole('link', { name: 'Events', exact: true }));
  const label = 'As it was, or will be, on';
  await clicks.also(() => page.getByLabel(label, { exact: true }).fill('Mar 1, 2027'));
  await clicks.also(() => page.getByLabel(`${label}: time`).fill('12 pm'));
  await clicks.on(page.getByRole('button', { name: 'Show', exact: true }));
  await page.getByRole('cell', { name: 'Summer ball' }).waitFor();
  assertCounted('see what the list showed on 1 March', clicks.count());
  await page.getByRole('button', { name: 'Compare with today' }).click();
  await page.locator('ins', { hasText: 'Masked' }).waitFor();
  assert.equal(await everyProblem(page), []);
  await page.goto(`${all.origin}/desk/events/${id}`);
  const toTheFact = clicker();
  await toTheFact.on(page.getByRole('link', { name: 'History' }));
  await toTheFact.on(page.getByRole('link', { name: 'Each value with its change' }));
  await toTheFact.on(page.getByRole('link', { name: 'Renamed from “Summer ball” to “Masked ball”.' }));
  await page.getByRole('heading', { level: 1, name: 'Everything that one request did' }).waitFor();
  await page.getByText('masks').waitFor();
  assert.is(toTheFact.count(), 3);
  assert.equal(await everyProblem(page), []);
  assert.equal(faults, []);
  await context.close();
});

test('an administrator: from a value that the public reads to the fact in the log that made it so', async (all) => {
  const { id } = await all.daybook.created('editor', 'events', someEvent({ title: 'Barn dance' }));
  const { page, faults, context } = await signIn(all, ENGLISH, { locale: 'en-GB' }, 'administrator');
  await page.goto(`${all.origin}/desk/events/${id}`);
  const clicks = clicker();
  await clicks.on(page.getByRole('link', { name: 'History' }));
  await clicks.on(page.getByRole('link', { name: 'Each value with its change' }));
  await clicks.on(page.getByRole('link', { name: 'Fact in the log' }).first());
  await page.getByRole('heading', { level: 1, name: 'EventDrafted' }).waitFor();
  await page.getByText('Barn dance').first().waitFor();
  assertCounted('find the fact behind a value that the public reads', clicks.count());
  assert.equal(await everyProblem(page), []);
  await page.getByRole('link', { name: `event-${id}`, exact: true }).click();
  await page.getByLabel('Order').selectOption('asc');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByRole('link', { name: 'EventDrafted' }).waitFor();
  assert.equal(await everyProblem(page), []);
  assert.equal(faults, []);
  await context.close();
});

test('on a telephone the log is as wide as the window, however long the names of streams are', async (all) => {
  // A write with a key is in a stream that is named after it.
  const key = { 'idempotency-key': 'k'.repeat(40) };
  await all.daybook.request('editor', 'POST', '/tags', { name: 'Keyed' }, key);
  const { page, context } = await signIn(
    all,
    ENGLISH,
    { locale: 'en-GB', viewport: { width: 360, height: 780 } },
    'administrator',
  );
  await page.goto(`${all.origin}/desk/log`);
  await page
    .getByText(/^request-/)
    .first()
    .waitFor();
  assert.is(await page.evaluate('document.documentElement.scrollWidth'), 360);
  await context.close();
});

test('without script, by keyboard: the same import', async (all) => {
  const { page, context } = await signIn(all, ENGLISH, { locale: 'en-GB', javaScriptEnabled: false });
  await imported(page, ENGLISH, 'Plain');
  await tabTo(page, page.getByRole('link', { name: 'Take back the whole import' }));
  await page.keyboard.press('Enter');
  await page.getByText('Nothing has been changed yet').waitFor();
  await tabTo(page, page.getByLabel('Reason for the change'));
  await page.keyboard.type('Wrong file');
  await page.keyboard.press('Enter');
  await page.getByText('Taken back: 4').waitFor();
  await context.close();
});

if (BROWSER === undefined)
  console.log('Skipped: there is no Chromium on this machine (Debian: apt-get install chromium).');
else test.run();
