// The calendar at the desk in a real browser: moving by mouse and by keys, taking it back, refusals at the event, series.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { someEvent } from '../support/service.ts';
import { everyProblem } from './axe.ts';
import { BROWSER, type BrowserContext, closeBrowser, openBrowser } from './browser.ts';
import { assertCounted, clicker } from './clicks.ts';
import { signIn } from './sign-in.ts';

const test = suite<BrowserContext>('the calendar in a browser');
const WORDS = { login: 'Login or e-mail address', password: 'Password', enter: 'Sign in', events: 'Events' };
const WIDE = { locale: 'en-GB', viewport: { width: 1440, height: 1000 } };

test.before(async (context) => {
  Object.assign(context, await openBrowser({ DAYBOOK_SITE_NAME: 'Lantern Bay' }));
});
test.after(closeBrowser);

const made = (all: BrowserContext, title: string, month: string, members: object = {}) =>
  all.daybook.created('editor', 'events', {
    ...someEvent({ title, status: 'publish', start_date: `${month}-15 10:00:00`, end_date: `${month}-15 12:00:00` }),
    ...members,
  });

const startOf = async ({ daybook }: BrowserContext, id: number): Promise<string> =>
  (await daybook.get(`/events/${id}`, 'editor')).body.start_date;

const entry = (page: Page, title: string) => page.locator('.ec-event:not(.ec-ghost, .ec-preview)', { hasText: title });

/** To the cell of another day of the month, by the mouse. */
async function dragTo(page: Page, title: string, day: string): Promise<void> {
  const from = await entry(page, title).first().boundingBox();
  const to = await page.locator(`.ec-day:has(time[datetime="${day}"])`).first().boundingBox();
  assert.ok(from && to, 'both are on the page');
  await page.mouse.move(from.x + 10, from.y + 5);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 8 });
  await page.mouse.up();
}

test('by the mouse: one date is moved and taken back, in no more than four clicks', async (all) => {
  const { id } = await made(all, 'Rehearsal', '2027-02');
  const { page, faults, context } = await signIn(all, WORDS, WIDE);
  await page.goto(`${all.origin}/desk/calendar?month=2027-02`);
  const clicks = clicker();
  await entry(page, 'Rehearsal').waitFor();
  await clicks.also(() => dragTo(page, 'Rehearsal', '2027-02-18'));
  await page.getByText('Moved: Rehearsal.').waitFor();
  assert.is(await startOf(all, id), '2027-02-18 10:00:00');
  assert.ok(clicks.count() <= 4);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('It is where it was.').waitFor();
  assert.is(await startOf(all, id), '2027-02-15 10:00:00');
  assert.equal(faults, []);
  await context.close();
});

test('in a small window a month shows three events of a day, and none behind a number alone', async (all) => {
  for (const title of ['One', 'Two', 'Three']) await made(all, `Same day ${title}`, '2027-09');
  const { page, context } = await signIn(all, WORDS, { ...WIDE, viewport: { width: 1280, height: 720 } });
  await page.goto(`${all.origin}/desk/calendar?month=2027-09`);
  for (const title of ['One', 'Two', 'Three']) await entry(page, `Same day ${title}`).waitFor();
  await context.close();
});

test('the heaviest pages of the desk weigh less than 250 kB compressed, and nothing on them moves once it is seen', async (all) => {
  for (const width of [360, 1280])
    for (const [path, ready] of [
      ['/desk/calendar', '.ec-main'],
      ['/desk/events/new', 'trix-editor'],
      ['/desk', 'h1'],
    ] as const)
      await isLightAndSteady(all, width, path, ready);
});

/** Collects what moves on the page, with where it was and is. */
const OBSERVE_MOVES = `globalThis.moved = [];
  new PerformanceObserver((list) => {
    for (const { sources } of list.getEntries())
      for (const { node, previousRect, currentRect } of sources)
        globalThis.moved.push([node?.outerHTML?.slice(0, 99), previousRect, currentRect].map((it) => JSON.stringify(it)).join());
  }).observe({ type: 'layout-shift', buffered: true })`;
const NEXT_FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

async function isLightAndSteady(all: BrowserContext, width: number, path: string, ready: string): Promise<void> {
  const { page, context } = await signIn(all, WORDS, { ...WIDE, viewport: { width, height: 900 } });
  await page.addInitScript(OBSERVE_MOVES);
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize)));
  await page.goto(`${all.origin}${path}`, { waitUntil: 'networkidle' });
  await page.locator(ready).waitFor();
  await page.evaluate(NEXT_FRAMES);
  assert.equal(await page.evaluate('globalThis.moved'), [], `${path} at ${width}`);
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  assert.ok(bytes > 1_000 && bytes < 250_000, `${path}: ${bytes}`);
  await context.close();
}

test('the buttons of a form that comes in two pieces do not move', async (all) => {
  const { page, context } = await signIn(all, WORDS, { ...WIDE, viewport: { width: 360, height: 900 } });
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const text = await (await fetch(`${all.origin}/desk/events/new`, { headers: { cookie } })).text();
  const cut = text.indexOf('Schedule</summary>') + 'Sched'.length;
  let sendRest = (): void => {};
  const slow = createServer(async ({ url, headers }, response) => {
    if (url === '/desk/events/new') {
      response.setHeader('content-type', 'text/html').write(text.slice(0, cut));
      sendRest = () => response.end(text.slice(cut));
      return;
    }
    const answer = await fetch(`${all.origin}${url}`, { headers: { cookie: headers.cookie ?? '' } });
    response.setHeader('content-type', answer.headers.get('content-type') ?? '');
    response.end(Buffer.from(await answer.arrayBuffer()));
  }).listen(0, '127.0.0.1');
  await once(slow, 'listening');
  await page.addInitScript(OBSERVE_MOVES);
  const { port } = slow.address() as AddressInfo; // It listens at a port.
  await page.goto(`http://127.0.0.1:${port}/desk/events/new`, { waitUntil: 'commit' });
  await page.locator('.planned').waitFor({ state: 'attached' });
  const isDrawn = page
    .waitForFunction("performance.getEntriesByType('paint').length > 0", undefined, { timeout: 500, polling: 50 })
    .then(() => true)
    .catch(() => false);
  assert.not(await isDrawn, 'half of it is not drawn');
  sendRest();
  await page.locator('trix-editor').waitFor();
  await page.evaluate(NEXT_FRAMES);
  assert.equal(await page.evaluate('globalThis.moved'), []);
  await context.close();
  slow.close();
});

test('of a series one date alone, with the question which dates are meant', async (all) => {
  const { id } = await made(all, 'Weekly', '2027-03', { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2' } });
  const { page, faults, context } = await signIn(all, WORDS, WIDE);
  await page.goto(`${all.origin}/desk/calendar?month=2027-03`);
  await entry(page, 'Weekly').first().waitFor();
  const clicks = clicker();
  await clicks.also(() => dragTo(page, 'Weekly', '2027-03-17'));
  assert.ok(await page.getByRole('button', { name: 'This and the following dates' }).isHidden(), 'not to another day');
  await clicks.on(page.locator('#calendar-scope button[value=this]'));
  await page.getByText('Moved: Weekly.').waitFor();
  assert.is(await startOf(all, id), '2027-03-17 10:00:00');
  assertCounted('move one date of a series', clicks.count());
  assert.equal(faults, []);
  await context.close();
});

test('by keys: taken, moved, stretched, left there; and put back by Escape', async (all) => {
  const { id } = await made(all, 'By keys', '2027-04');
  const { page, faults, context } = await signIn(all, WORDS, WIDE);
  await page.goto(`${all.origin}/desk/calendar?month=2027-04`);
  await entry(page, 'By keys').getByRole('link').focus();
  for (const key of ['m', 'ArrowRight', 'Escape']) await page.keyboard.press(key);
  await page.getByText('Nothing was moved.').waitFor();
  await entry(page, 'By keys').getByRole('link').focus();
  for (const key of ['m', 'ArrowRight', 'ArrowDown', 'Shift+ArrowRight', 'Enter']) await page.keyboard.press(key);
  await page.getByText('Moved: By keys.').waitFor();
  const { body } = await all.daybook.get(`/events/${id}`);
  assert.equal([body.start_date, body.end_date], ['2027-04-23 10:00:00', '2027-04-24 12:00:00']);
  await page.keyboard.press('Control+z');
  await page.getByText('It is where it was.').waitFor();
  assert.is(await startOf(all, id), '2027-04-15 10:00:00');
  assert.equal(faults, []);
  await context.close();
});

test('what others have moved meanwhile is put back, and it is said there why', async (all) => {
  const { id } = await made(all, 'Contested', '2027-05');
  const { page, context } = await signIn(all, WORDS, WIDE);
  await page.goto(`${all.origin}/desk/calendar?month=2027-05`);
  await entry(page, 'Contested').waitFor();
  await all.daybook.request('administrator', 'PATCH', `/events/${id}`, { start_date: '2027-05-20 10:00:00' });
  await dragTo(page, 'Contested', '2027-05-12');
  await page.getByRole('alert').getByText('Others have moved or changed this').waitFor();
  await page.getByRole('alert').getByRole('link', { name: 'Open its form' }).waitFor();
  assert.is(await startOf(all, id), '2027-05-20 10:00:00');
  await context.close();
});

for (const [width, colorScheme] of [
  [390, 'dark'],
  [1440, 'light'],
] as const)
  test(`${width} pixels, ${colorScheme}: month, week and day, and axe finds nothing at all`, async (all) => {
    await made(all, `Draft ${width}`, '2027-06', { status: 'draft' });
    const { page, faults, context } = await signIn(all, WORDS, {
      ...{ locale: 'en-GB', colorScheme, viewport: { width, height: 900 } },
    });
    for (const view of ['month', 'week', 'day']) {
      await page.goto(`${all.origin}/desk/calendar?month=2027-06&view=${view}`);
      await page.locator('.ec-main').waitFor();
      assert.is(
        await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
        0,
        view,
      );
      assert.equal(await everyProblem(page), [], view);
    }
    assert.equal(faults, []);
    await context.close();
  });

test('without script a month is a table with links', async (all) => {
  await made(all, 'Plain', '2027-07');
  const { page, context } = await signIn(all, WORDS, { locale: 'en-GB', javaScriptEnabled: false });
  await page.goto(`${all.origin}/desk/calendar?month=2027-06`);
  await page.getByRole('link', { name: 'Next', exact: true }).click();
  await page.getByRole('table').getByRole('link', { name: 'Plain' }).click();
  await page.getByRole('heading', { level: 1, name: 'Plain' }).waitFor();
  await context.close();
});

if (BROWSER === undefined)
  console.log('Skipped: there is no Chromium on this machine (Debian: apt-get install chromium).');
else test.run();
