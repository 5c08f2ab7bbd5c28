// The story of a first start in a real browser: from the address in the terminal to a published event, without another command.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Serving, serving } from '../support/process.ts';
import { temporaryFolder } from '../support/service.ts';
import { seriousProblems } from './axe.ts';
import { BROWSER, leaveBrowser, sharedBrowser, watched } from './browser.ts';

const test = suite('a first start in a browser');

const { folder, remove } = temporaryFolder();
let running: Serving | undefined;
test.after(async () => {
  await running?.stop();
  remove();
});

test('from the terminal to a published event', async () => {
  running = await serving({ DAYBOOK_DATA_DIR: folder });
  await running.wrote('/desk/start');
  const start = /http\S+\/desk\/start\S+/.exec(running.out())?.[0] ?? '';
  const browser = await sharedBrowser();
  try {
    const context = await browser.newContext({ locale: 'de-DE', timezoneId: 'Europe/Vienna' });
    const page = await context.newPage();
    const faults = watched(page, running.address);
    await page.goto(start);
    assert.is(await page.getByLabel('Zeitzone').inputValue(), 'Europe/Vienna', 'that of the browser');
    assert.is(await page.getByLabel('Sprache').inputValue(), 'de');
    assert.equal(await seriousProblems(page), []);
    await page.getByLabel('Name der Website').fill('Laternenbucht');
    await page.getByLabel('Anmeldename').fill('maria');
    await page.getByLabel('Neues Passwort').fill('vier Worte am Stück');
    await page.getByLabel('Neues Passwort').press('Enter');
    await page.getByText('Der Kalender ist eingerichtet.').waitFor();
    assert.equal(await seriousProblems(page), []);
    await page.getByRole('link', { name: 'Die erste Veranstaltung anlegen' }).click();
    await page.getByLabel('Titel', { exact: true }).fill('Eröffnung');
    assert.is(await page.getByLabel('Stand').inputValue(), 'publish', 'the first one is meant to be seen');
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByText('Die Veranstaltung wurde angelegt.').waitFor();
    await page.getByRole('link', { name: 'Öffentliche Seite ansehen' }).click();
    await page.getByRole('heading', { level: 1, name: 'Eröffnung' }).waitFor();
    await page.goto(`${running.address}/desk`);
    const settings = page.getByRole('link', { name: 'Einstellungen', exact: true }).first();
    await settings.click();
    await page.getByText('Steht seit der ersten Veranstaltung fest').waitFor();
    assert.equal(await seriousProblems(page), []);
    for (const path of ['/desk/users', '/desk/users/2', '/desk/rules']) {
      await page.goto(`${running.address}${path}`);
      assert.equal(await seriousProblems(page), [], path);
    }
    assert.equal(faults, []);
  } finally {
    await leaveBrowser(browser);
  }
});

if (BROWSER === undefined)
  console.log('Skipped: there is no Chromium on this machine (Debian: apt-get install chromium).');
else test.run();
