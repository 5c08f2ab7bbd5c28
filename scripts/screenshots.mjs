// `node scripts/screenshots.mjs`: pictures of the pages for visitors, of the sample calendar, for the documentation. With
// `--all FOLDER` at three widths, light and dark, to look at. Needs a Chromium (DAYBOOK_TEST_CHROMIUM or that of the system).
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';

const DAYBOOK = 'bin/daybook.mjs';
const [mode, folder = 'docs/images'] = process.argv.slice(2);
const isAll = mode === '--all';
const data = mkdtempSync(path.join(tmpdir(), 'daybook-screenshots-'));
const env = { ...process.env, DAYBOOK_DATA_DIR: data, DAYBOOK_SITE_NAME: 'Lantern Bay', PORT: '0' };
mkdirSync(folder, { recursive: true });

/** The page of another site that embeds the list. */
const hostPage = (origin) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Village hall</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>html { color-scheme: light dark; background: light-dark(#eef3ee, #10140f); color: light-dark(#1d2a1d, #e3eae0); font: 1.05rem/1.5 Georgia, serif }
body { max-width: 40rem; margin: 2rem auto; padding: 0 1rem }
daybook-events { --daybook-accent: light-dark(#0b5d1e, #7ee29a) }</style>
<script src="${origin}/embed.js" defer></script>
<h1>Village hall</h1><p>Next at Lantern Bay:</p>
<daybook-events per-page="5"><a href="${origin}/">Events</a></daybook-events>`;

spawnSync(process.execPath, [DAYBOOK, 'demo'], { env, stdio: 'inherit' });
const serving = spawn(process.execPath, [DAYBOOK, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
const origin = await new Promise((resolve) => {
  let output = '';
  serving.stdout.on('data', (text) => {
    output += text;
    const [, address] = /listens at (\S+)/.exec(output) ?? [];
    if (address) resolve(address);
  });
});
const host = createServer((_request, response) =>
  response.setHeader('content-type', 'text/html').end(hostPage(origin)),
).listen(0, '127.0.0.1');
await new Promise((resolve) => host.once('listening', resolve));

const root = `${origin}/calendar/events/v1`;
const { events } = await (await fetch(`${root}/events?start_date=today&per_page=50`)).json();
const event =
  events.find(({ notices }) => notices?.length > 0) ?? events.find(({ venue }) => venue.geo_lat) ?? events[0];
const { venue } = events.find(({ venue }) => venue.slug && venue.geo_lat) ?? event;
const PAGES = {
  list: `${origin}/`,
  month: `${origin}/events/month/${new Date().toISOString().slice(0, 7)}/`,
  event: `${origin}/event/${event.slug}/`,
  venue: `${origin}/venue/${venue.slug}/`,
  embed: `http://127.0.0.1:${host.address().port}/`,
  empty: `${origin}/?search=nothing+like+this`,
};
const WIDTHS = isAll ? [360, 768, 1440] : [1280];
const SCHEMES = isAll ? ['light', 'dark'] : ['light'];
const SHOWN = isAll ? Object.keys(PAGES) : ['list', 'month', 'event', 'embed'];

const system = [
  process.env.DAYBOOK_TEST_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const browser = await chromium.launch({
  executablePath: system.find((file) => file && existsSync(file)),
  args: ['--no-sandbox'],
});
for (const colorScheme of SCHEMES)
  for (const width of WIDTHS) {
    const context = await browser.newContext({ colorScheme, locale: 'en-GB', viewport: { width, height: 900 } });
    const page = await context.newPage();
    for (const name of SHOWN) {
      await page.goto(PAGES[name], { waitUntil: 'networkidle' });
      const file = isAll ? `${name}-${width}-${colorScheme}.png` : `${name}.png`;
      await page.screenshot({ path: path.join(folder, file), fullPage: isAll });
    }
    await context.close();
  }
await browser.close();
host.close();
serving.kill();
await new Promise((resolve) => serving.once('exit', resolve));
rmSync(data, { recursive: true, force: true });
