// Every page of the desk that no story visits, on a small screen in the dark: nothing sticks out sideways, and axe finds
// nothing serious. Light colours and wide screens are looked at by the stories.
import type { BrowserContextOptions } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formWith, photo } from '../support/pictures.ts';
import { type Body, someEvent } from '../support/service.ts';
import { seriousProblems } from './axe.ts';
import { BROWSER, type BrowserContext, closeBrowser, openBrowser } from './browser.ts';
import { signIn } from './sign-in.ts';

const test = suite<BrowserContext>('every page in a browser');
const WORDS = { login: 'Login or e-mail address', password: 'Password', enter: 'Sign in', events: 'Events' };
const SMALL_AND_DARK: BrowserContextOptions = {
  ...{ locale: 'en-GB', colorScheme: 'dark', viewport: { width: 360, height: 800 } },
};

test.before(async (context) => {
  Object.assign(context, await openBrowser({ DAYBOOK_SITE_NAME: 'Lantern Bay' }));
});
test.after(closeBrowser);

/** One of everything, with long words. Answers the pages that show it. */
async function filled({ daybook }: BrowserContext): Promise<readonly string[]> {
  const send = async (as: 'editor' | 'contributor', target: string, body: unknown, headers = {}): Promise<Body> =>
    (await daybook.request(as, 'POST', target, body, headers)).body;
  const links = { categories: ['Music'], tags: ['Winter'], organizer: { organizer: 'The Guild', status: 'publish' } };
  const venue = { venue: `Hall ${'x'.repeat(60)}`, city: 'Leeds', status: 'publish' };
  const event = await daybook.created('editor', 'events', someEvent({ title: 'y'.repeat(80), venue, ...links }));
  const form = await formWith(await photo(), { alt: 'A bridge', title: 'z'.repeat(80) });
  const picture = await send('editor', '/media', form.body, form.headers);
  const proposal = await send('contributor', `/events/${event.id}/proposals`, { title: 'w'.repeat(80), note: 'Why' });
  const set = await send('editor', '/sets', { name: 'v'.repeat(80), proposals: [proposal.id] });
  const file = `name,start\nFair,2027-05-01 10:00\n${'u'.repeat(60)},never`;
  const dryRun = await send('editor', '/imports', { file, name: `${'t'.repeat(60)}.csv`, dry_run: true });
  const history = `/desk/events/${event.id}/history`;
  return [
    ...['/events/day/2026-12-21/', '/events/category/music/', '/tag/winter/', '/organizer/the-guild/'],
    ...[event.url, event.venue.url].map((url: string) => new URL(url).pathname),
    ...['/desk/events/new', '/desk/venues', '/desk/tags', '/desk/venues/new'],
    ...[history, `${history}/compare?from=0&to=1`, `${history}/at?revision=1`],
    ...['/desk/review', `/desk/review/${proposal.id}`, '/desk/sets', `/desk/sets/${set.id}`],
    ...[`/desk/sets/${set.id}/ahead`, '/desk/audit', '/desk/next', '/desk/pictures', `/desk/pictures/${picture.id}`],
    ...['/desk/import', `/desk/import/${dryRun.id}`, '/desk/events/999999'],
  ];
}

test('nothing sticks out, and nothing serious for those who cannot see', async (all) => {
  const paths = await filled(all);
  const { page, context } = await signIn(all, WORDS, SMALL_AND_DARK);
  const found: string[] = [];
  for (const path of paths) {
    await page.goto(`${all.origin}${path}`);
    const excess = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    if (Number(excess) > 0) found.push(`${path} is ${excess} pixels too wide`);
    for (const problem of await seriousProblems(page)) found.push(`${path}: ${problem}`);
  }
  assert.equal(found, []);
  await context.close();
});

if (BROWSER === undefined)
  console.log('Skipped: there is no Chromium on this machine (Debian: apt-get install chromium).');
else test.run();
