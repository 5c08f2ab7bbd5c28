// What axe does not see, on pages for visitors and at the desk: at 320 pixels (which is 400 % of 1280) nothing is wider than the
// window, also with the spacing of texts that readers may choose, and each stop of the keyboard is in sight with a ring.
// decision 33
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { someEvent } from '../support/service.ts';
import { BROWSER, type BrowserContext, closeBrowser, openBrowser } from './browser.ts';
import { signIn } from './sign-in.ts';

const test = suite<BrowserContext>('what can be reached and read');

test.before(async (context) => {
  Object.assign(context, await openBrowser({ DAYBOOK_SITE_NAME: 'Lantern Bay', DAYBOOK_SUBMISSIONS: 'on' }));
  const { daybook } = context;
  await daybook.created('editor', 'categories', { name: 'Neighbourhood and community' });
  const members = { venue: { venue: 'Harbour Hall', city: 'Leeds' }, age_range: '6-12', languages: 'de, en' };
  for (const title of ['Winter concert', 'Donaudampfschifffahrtsgesellschaft'])
    await daybook.created('editor', 'events', someEvent({ title, ...members }));
});
test.after(closeBrowser);

const WORDS = { login: 'Login or e-mail address', password: 'Password', enter: 'Sign in', events: 'Events' };
const VISITORS = ['/', '/event/winter-concert/', '/events/month/2026-12/', '/submit'];
const EDITORS = ['/desk', '/desk/events', '/desk/events/new', '/desk/calendar'];

/** As WCAG 1.4.12 has it. */
const SPACING = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
p { margin-block-end: 2em !important }`;

const excessOf = (page: Page) => page.evaluate('document.documentElement.scrollWidth - innerWidth');

/** The element with the focus: null at the end; else whether a part of it is on top, and has a ring. */
const STOP = `(() => {
  const stop = document.activeElement;
  if (stop === null || stop === document.body || stop.dataset.met !== undefined) return null;
  stop.dataset.met = '';
  const { left, top, width, height } = stop.getBoundingClientRect();
  const isOnTop = [0.1, 0.5, 0.9].some((across) => [0.2, 0.5, 0.8].some((down) => {
    const found = document.elementFromPoint(left + width * across, top + height * down);
    return found !== null && (stop.contains(found) || found.contains(stop) && found !== document.body);
  }));
  const hasRing = [null, '::after'].some((part) => getComputedStyle(stop, part).outlineStyle !== 'none');
  return { isReached: isOnTop && hasRing, what: stop.outerHTML.slice(0, 120) };
})()`;
const MAX_STOPS = 150;

async function assertFocusInSight(page: Page, path: string): Promise<void> {
  for (let stops = 0; stops < MAX_STOPS; stops += 1) {
    await page.keyboard.press('Tab');
    const stop = (await page.evaluate(STOP)) as { isReached: boolean; what: string } | null; // As it is made above.
    if (stop === null) return assert.ok(stops > 3, `${path} has stops`);
    assert.ok(stop.isReached, `${path}: ${stop.what}`);
  }
}

test('768 pixels, in German: the whole menu fits, and choices of the desk are not cut', async (all) => {
  const german = {
    login: 'Anmeldename oder E-Mail-Adresse',
    password: 'Passwort',
    enter: 'Anmelden',
    events: 'Veranstaltungen',
  };
  const { page, context } = await signIn(all, german, { locale: 'de-DE', viewport: { width: 768, height: 900 } });
  await page.goto(`${all.origin}/`);
  assert.is(await excessOf(page), 0);
  await page.goto(`${all.origin}/desk/calendar`);
  const cut = `[...document.querySelectorAll('.filters select')].filter((one) => {
    const { offsetWidth } = one;
    one.style.width = 'max-content';
    return one.offsetWidth > offsetWidth;
  }).length`;
  assert.is(await page.evaluate(cut), 0);
  await context.close();
});

test('360 pixels: choices of the pages fill their rows, and further filters stand in pairs', async (all) => {
  const viewport = { width: 360, height: 780 };
  for (const locale of ['en-GB', 'de-DE']) {
    const context = await all.browser.newContext({ locale, viewport });
    const page = await context.newPage();
    for (const path of ['/', '/events/month/2026-12/']) {
      await page.goto(`${all.origin}${path}`);
      await page.evaluate("document.querySelector('.filters details').open = true");
      const [top, ...further] =
        (await page.evaluate(`[...document.querySelectorAll('.filters .fields')].map((fields) => {
        const right = Math.max(...[...fields.children].map((one) => one.getBoundingClientRect().right));
        const ends = [...fields.querySelectorAll('select, input:not([type=checkbox])')].map((one) => one.getBoundingClientRect());
        const rows = new Set(ends.map(({ top }) => Math.round(top)));
        return { gaps: [...rows].map((row) => right - Math.max(...ends.filter(({ top }) => Math.round(top) === row).map((one) => one.right))), rows: rows.size, of: ends.length };
      })`)) as readonly { readonly gaps: readonly number[]; readonly rows: number; readonly of: number }[]; // As it is made.
      assert.ok(
        top?.gaps.every((gap) => gap < 1),
        `${locale} ${path}: ${JSON.stringify(top)}`,
      );
      assert.ok(further[0] && further[0].rows < further[0].of, `${locale} ${path}: ${JSON.stringify(further)}`);
      assert.is(await excessOf(page), 0);
    }
    await context.close();
  }
});

test('the form of an event is saved beside its fields where there is room, and else below them, always in sight', async (all) => {
  const { page, context } = await signIn(all, WORDS, { locale: 'en-GB', viewport: { width: 1440, height: 700 } });
  await page.goto(`${all.origin}/desk/events/new`);
  const places = `[...document.querySelectorAll('#title, button[value=save]')].map((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return { left, right, isSeen: top >= 0 && bottom <= innerHeight };
  })`;
  for (const [width, isBeside] of [
    [1440, true],
    [1024, false],
  ] as const) {
    await page.setViewportSize({ width, height: 700 });
    for (const scroll of ['0', 'document.body.scrollHeight / 2']) {
      await page.evaluate(`scrollTo(0, ${scroll})`);
      const [title, save] = (await page.evaluate(places)) as readonly {
        left: number;
        right: number;
        isSeen: boolean;
      }[]; // As it is made.
      assert.ok(title && save?.isSeen, `${width} ${scroll}`);
      assert.is(save.left > title.right, isBeside, `${width}`);
    }
  }
  await context.close();
});

for (const width of [320, 1280])
  test(`${width} pixels: pages fit, also with wide texts, and the focus is in sight`, async (all) => {
    const options = { locale: 'en-GB', viewport: { width, height: 640 }, bypassCSP: true };
    const { page, context } = await signIn(all, WORDS, options);
    for (const path of [...VISITORS, ...EDITORS]) {
      await page.goto(`${all.origin}${path}`, { waitUntil: 'networkidle' });
      assert.is(await excessOf(page), 0, path);
      await assertFocusInSight(page, path);
      await page.addStyleTag({ content: SPACING });
      assert.is(await excessOf(page), 0, `${path} with wide texts`);
    }
    await context.close();
  });

if (BROWSER === undefined)
  console.log('Skipped: there is no Chromium on this machine (Debian: apt-get install chromium).');
else test.run();
