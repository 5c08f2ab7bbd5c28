// The element on a page of another site, in a real browser: with and without script, in light and dark, by keyboard.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { someEvent } from '../support/service.ts';
import { seriousProblems } from './axe.ts';
import { BROWSER, type BrowserContext, closeBrowser, openBrowser } from './browser.ts';

interface EmbedContext extends BrowserContext {
  host: Server;
  /** The page with the element. */
  address: string;
}

const test = suite<EmbedContext>('an embedded list in a browser');

const LINK = 'All concerts';

/** A page of another site, with a strict policy of its own and styles for parts. */
const hostPage = (origin: string, attributes: string): string => `<!doctype html>
<html lang="de"><head><meta charset="utf-8"><title>Another site</title>
<style>html { color-scheme: light dark; background: light-dark(#fff, #111); color: light-dark(#111, #eee) }
daybook-events { --daybook-accent: light-dark(#0b5d1e, #7ee29a) } daybook-events::part(where) { font-style: italic }</style>
<script src="${origin}/embed.js" defer></script></head>
<body><main><h1>Another site</h1>
<daybook-events ${attributes}><a href="${origin}/?categories=music">${LINK}</a></daybook-events>
</main></body></html>`;

test.before(async (context) => {
  Object.assign(context, await openBrowser({ DAYBOOK_SITE_NAME: 'Lantern Bay' }));
  const { daybook, origin } = context;
  const music = await daybook.created('editor', 'categories', { name: 'Music' });
  const venue = { venue: 'Harbour Hall', city: 'Leeds', status: 'publish' };
  for (const number of [1, 2, 3])
    await daybook.created(
      'editor',
      'events',
      someEvent({ title: `Concert ${number}`, categories: [music.id], ...(number === 1 && { venue }) }),
    );
  await daybook.created('editor', 'events', someEvent({ title: 'Walk' }));
  context.host = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://host.example');
    response.setHeader('content-type', 'text/html');
    response.setHeader(
      'content-security-policy',
      `default-src 'none'; script-src ${origin}; connect-src ${origin}; style-src 'unsafe-inline'`,
    );
    response.end(hostPage(origin, searchParams.get('attributes') ?? 'categories="music" per-page="2"'));
  });
  await new Promise<void>((resolve) => context.host.listen(0, '127.0.0.1', resolve));
  const { port } = context.host.address() as AddressInfo; // It listens at a port.
  // Another origin than that of the service.
  context.address = `http://localhost:${port}/`;
});
test.after(async (context) => {
  context.host.close();
  await closeBrowser(context);
});

/** Where a page asked, beside its own origin, and what it complained about. */
function watchedRequests(page: Page, own: string) {
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    if (!own.startsWith(origin) && pathname !== '/favicon.ico') asked.push(`${origin}${pathname}`);
  });
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  return { asked, complaints: () => complaints.filter((text) => !/favicon|404/.test(text)) };
}

test('the list is shown in the language of the page, and only the service is asked', async ({
  browser,
  origin,
  address,
}) => {
  const page = await browser.newPage();
  const { asked, complaints } = watchedRequests(page, address);
  await page.goto(address);
  await page.getByRole('link', { name: 'Concert 1' }).waitFor();
  assert.is(await page.getByRole('link', { name: 'Walk' }).count(), 0);
  assert.is(await page.getByText(LINK).isVisible(), false);
  assert.is(await page.getByRole('link', { name: 'Zu allen Veranstaltungen' }).count(), 1);
  assert.equal(asked, [`${origin}/embed.js`, `${origin}/embed/events`]);
  const style = 'getComputedStyle(document.querySelector("daybook-events").shadowRoot.querySelector';
  assert.is(await page.evaluate(`${style}('[part=where]')).fontStyle`), 'italic');
  assert.is(await page.evaluate(`${style}('[part=title]')).color`), 'rgb(11, 93, 30)');
  assert.equal(complaints(), []);
  await page.close();
});

test('by keyboard: the next page takes the place of the first, and the focus', async ({ browser, address }) => {
  const page = await browser.newPage();
  await page.goto(address);
  await page.getByRole('link', { name: 'Weiter' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Concert 3' }).waitFor();
  assert.is(page.url(), address);
  assert.is(await page.evaluate('document.activeElement.shadowRoot.activeElement.getAttribute("part")'), 'list');
  await page.close();
});

test('another attribute is another list', async ({ browser, address }) => {
  const page = await browser.newPage();
  await page.goto(address);
  await page.getByRole('link', { name: 'Concert 1' }).waitFor();
  await page.evaluate(`{
    const element = document.querySelector('daybook-events');
    element.removeAttribute('categories');
    element.setAttribute('search', 'walk');
  }`);
  await page.getByRole('link', { name: 'Walk' }).waitFor();
  assert.is(await page.getByRole('link', { name: 'Concert 1' }).count(), 0);
  await page.close();
});

test('the dates of a series, and each series once, as the list of pages shows them', async ({
  browser,
  daybook,
  address,
}) => {
  const recurrence = { rrule: 'FREQ=WEEKLY;COUNT=3' };
  const course = await daybook.created('editor', 'events', someEvent({ title: 'Course', recurrence }));
  const page = await browser.newPage();
  const titles = async (attributes: string): Promise<string[]> => {
    await page.goto(`${address}?attributes=${encodeURIComponent(attributes)}`);
    await page.getByRole('link', { name: 'Zu allen Veranstaltungen' }).waitFor();
    return page.locator('daybook-events [part=title]').allTextContents();
  };
  assert.equal(await titles(`series="${course.series.id}"`), ['Course', 'Course', 'Course']);
  assert.equal(await titles('search="course" collapse="series"'), ['Course']);
  await page.close();
});

test('what cannot be shown leaves the link, and a line for the author of the page', async ({ browser, address }) => {
  const page = await browser.newPage();
  const warned = page.waitForEvent('console', (message) => message.text().startsWith('daybook-events:'));
  await page.goto(`${address}?attributes=${encodeURIComponent('categories="nowhere"')}`);
  assert.match((await warned).text(), /categories/);
  assert.ok(await page.getByText(LINK).isVisible());
  await page.close();
});

test('without script it is a link', async ({ browser, origin, address }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(address);
  assert.is(await page.getByRole('link', { name: LINK }).getAttribute('href'), `${origin}/?categories=music`);
  await context.close();
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`${colorScheme}: nothing serious for those who cannot see`, async ({ browser, address }) => {
    const context = await browser.newContext({ colorScheme, viewport: { width: 360, height: 700 } });
    const page = await context.newPage();
    await page.goto(address);
    await page.getByRole('link', { name: 'Concert 1' }).waitFor();
    assert.equal(await seriousProblems(page), []);
    await context.close();
  });

if (BROWSER === undefined)
  console.log('Skipped: there is no Chromium on this machine (Debian: apt-get install chromium).');
else test.run();
