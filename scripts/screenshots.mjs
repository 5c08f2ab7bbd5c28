// `npm run screenshots`: the pictures of pages and desk in the documentation, of the sample calendar. With `-- --all FOLDER`
// every page at three widths, light and dark, to look at, with `-- --public FOLDER` those for visitors alone; pages wider than
// the window are named, and fail the run.
// Needs a Chromium (DAYBOOK_TEST_CHROMIUM or that of the system).
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import sharp from 'sharp';

const DAYBOOK = 'bin/daybook.mjs';
const [mode, folder = 'docs/images'] = process.argv.slice(2);
const isPublic = mode === '--public';
const isAll = mode === '--all' || isPublic;
const data = mkdtempSync(path.join(tmpdir(), 'daybook-screenshots-'));
const env = {
  ...process.env,
  ...{ DAYBOOK_DATA_DIR: path.join(data, 'sample'), DAYBOOK_SITE_NAME: 'Lantern Bay', PORT: '0' },
  // Nothing listens there: a webhook and a source lead to it.
  DAYBOOK_PRIVATE_HOSTS: '127.0.0.1:2',
  ...(isAll && { DAYBOOK_SUBMISSIONS: 'on', DAYBOOK_MAIL: `folder:${path.join(data, 'mail')}` }),
};
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

/** A shore at some time of the day, drawn: no photograph has to be kept for it. */
const shore = (
  [high, middle, low],
  [hill, water],
  [sun, light],
) => `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900"><defs>
<linearGradient id="sky" x2="0" y2="1"><stop stop-color="${high}"/><stop offset=".6" stop-color="${middle}"/><stop offset="1" stop-color="${low}"/></linearGradient>
</defs><rect width="1600" height="900" fill="url(#sky)"/><rect y="560" width="1600" height="340" fill="${water}"/>
<path d="M0 560 L220 430 L420 540 L700 380 L980 560Z" fill="${hill}"/><circle cx="1180" cy="${sun}" r="70" fill="${light}"/>
<g fill="${light}" opacity=".8"><circle cx="180" cy="640" r="16"/><circle cx="420" cy="700" r="20"/><circle cx="760" cy="650" r="15"/><circle cx="1010" cy="740" r="24"/><circle cx="1390" cy="660" r="17"/></g></svg>`;
/** A stage, seen from the stalls. */
const stage = ([dark, curtain, beam]) => `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900">
<rect width="1600" height="900" fill="${dark}"/><g fill="${beam}" opacity=".22"><path d="M380 0 L40 720 H700Z"/><path d="M800 0 L420 720 H1180Z"/><path d="M1220 0 L900 720 H1560Z"/></g>
<path d="M0 0 H230 Q300 420 150 900 H0Z M1600 0 H1370 Q1300 420 1450 900 H1600Z" fill="${curtain}"/><rect y="720" width="1600" height="60" fill="${curtain}" opacity=".7"/>
<g fill="#000" opacity=".75">${[...Array(14)].map((_, at) => `<circle cx="${60 + at * 115}" cy="${850 + (at % 3) * 18}" r="62"/>`).join('')}</g></svg>`;
const PICTURES = {
  Harbour: [
    'Lanterns on the water at dusk',
    shore(['#26304f', '#d9805f', '#f4c98a'], ['#2c3551', '#1e3a4c'], [470, '#ffe2a6']),
  ],
  Morning: [
    'The bay in the morning',
    shore(['#7fb2d9', '#cfe3ea', '#fbeed2'], ['#4f7a63', '#3f7f94'], [250, '#fff6d8']),
  ],
  Night: ['The bay by moonlight', shore(['#0b1230', '#1c2b56', '#3a4c7d'], ['#0d1a2b', '#0f2438'], [180, '#e8edf6'])],
  Concert: ['A stage in blue light', stage(['#10142b', '#3b2450', '#8fb7ff'])],
  Theatre: ['A stage with red curtains', stage(['#1d0f10', '#8c1f28', '#ffd9a0'])],
};

spawnSync(process.execPath, [DAYBOOK, 'demo', '--fill-only'], { env, stdio: 'inherit' });
const started = [];
process.once('exit', () => {
  for (const one of started) one.kill();
  rmSync(data, { recursive: true, force: true });
});

/** A service, once its terminal shows what matches each of these. */
function serve(settings, patterns) {
  const serving = spawn(process.execPath, [DAYBOOK, 'serve'], { env: settings, stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(serving);
  return new Promise((resolve) => {
    let output = '';
    serving.stdout.on('data', (text) => {
      output += text;
      const found = patterns.map((pattern) => pattern.exec(output)?.[1]);
      if (found.every((one) => one !== undefined)) resolve(found);
    });
  });
}
const [origin, token] = await serve(env, [/listens at (\S+)/, /token: (\S+)/]);
// A calendar that has not been set up.
const [firstStart, empty] = isAll
  ? await serve({ ...env, DAYBOOK_DATA_DIR: path.join(data, 'new'), DAYBOOK_SITE_NAME: '' }, [
      /(http\S+\/desk\/start\S+)/,
      /listens at (\S+)/,
    ])
  : ['', ''];
const host = createServer((_request, response) =>
  response.setHeader('content-type', 'text/html').end(hostPage(origin)),
).listen(0, '127.0.0.1');
await new Promise((resolve) => host.once('listening', resolve));

const root = `${origin}/calendar/events/v1`;
async function api(method, target, body) {
  const isForm = body instanceof FormData;
  const answer = await fetch(`${root}${target}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && !isForm && { 'content-type': 'application/json' }) },
    body: isForm ? body : JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${target}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const { events } = await api('GET', '/events?start_date=today&per_page=50');
const event =
  events.find(({ notices }) => notices?.length > 0) ?? events.find(({ venue }) => venue.geo_lat) ?? events[0];
const { venue } = events.find(({ venue }) => venue.slug && venue.geo_lat) ?? event;

async function uploaded([title, [alt, drawing]]) {
  const form = new FormData();
  form.set('alt', alt);
  form.set('title', title);
  form.set('file', new Blob([await sharp(Buffer.from(drawing)).jpeg().toBuffer()]), `${title.toLowerCase()}.jpg`);
  return api('POST', '/media', form);
}
const pictures = await Promise.all(Object.entries(PICTURES).map(uploaded));
const [picture] = pictures;
// As in a calendar that is kept with care: most events have a picture, three are featured.
const shown = [event, ...new Map(events.filter(({ id }) => id !== event.id).map((one) => [one.title, one])).values()];
for (const [at, { id }] of shown.slice(0, 24).entries())
  if (at % 3 < 2)
    await api('PATCH', `/events/${id}`, { image: String(pictures[at % pictures.length].id), featured: at < 4 });
const table = 'Title,Start,Venue,Price\nAutumn fair,2027-10-02 10:00,Harbour Hall,free\nLost,never,,3\n';
const imported = await api('POST', '/imports', { file: table, name: 'autumn.csv', dry_run: true });
const proposal = await api('POST', `/events/${events[1].id}/proposals`, {
  title: `${events[1].title}, with music`,
  cost: '12',
});
const set = await api('POST', '/sets', { name: 'Spring programme', proposals: [proposal.id] });

const webhook = await api('POST', '/webhooks', { url: 'http://127.0.0.1:2/in', name: 'Ticket shop' });
const source = await api('POST', '/sources', { address: 'http://127.0.0.1:2/calendar.ics', name: 'Theatre' });

const month = new Date().toISOString().slice(0, 7);
const PUBLIC = {
  list: `${origin}/`,
  month: `${origin}/events/month/${month}/`,
  day: `${origin}/events/day/${event.start_date.slice(0, 10)}/`,
  event: `${origin}/event/${event.slug}/`,
  venue: `${origin}/venue/${venue.slug}/`,
  category: event.categories[0] ? new URL(event.categories[0].url ?? `${origin}/`, origin).href : `${origin}/`,
  embed: `http://127.0.0.1:${host.address().port}/`,
  empty: `${origin}/?search=nothing+like+this`,
  missing: `${origin}/event/nothing/`,
  submit: `${origin}/submit`,
  'submit-sent': `${origin}/submit/sent`,
  'first-start': firstStart,
  new: `${empty}/`,
};
const history = `/events/${event.id}/history`;
const DESK = {
  'desk-home': '',
  'desk-events': '/events',
  'desk-new': '/events/new',
  'desk-event': `/events/${event.id}`,
  'desk-history': history,
  'desk-compare': `${history}/compare?from=0&to=1`,
  'desk-at': `${history}/at?revision=1`,
  'desk-venues': '/venues',
  'desk-venue': `/venues/${venue.id}`,
  'desk-merge': `/venues/${venue.id}/merge`,
  'desk-duplicates': '/venues/duplicates',
  'desk-categories': '/categories',
  'desk-pictures': '/pictures',
  'desk-picture': `/pictures/${picture.id}`,
  'desk-import': '/import',
  'desk-imported': `/import/${imported.id}`,
  'desk-review': '/review',
  'desk-proposal': `/review/${proposal.id}`,
  'desk-sets': '/sets',
  'desk-set': `/sets/${set.id}`,
  'desk-ahead': `/sets/${set.id}/ahead`,
  'desk-audit': '/audit',
  'desk-next': '/next',
  'desk-webhooks': '/webhooks',
  'desk-webhook': `/webhooks/${webhook.id}`,
  'desk-sources': '/sources',
  'desk-source': `/sources/${source.id}`,
  'desk-users': '/users',
  'desk-user': '/users/1',
  'desk-rules': '/rules',
  'desk-settings': '/settings',
  'desk-account': '/account',
};
const IN_DOCS = ['list', 'month', 'event', 'embed', 'desk-events', 'desk-event', 'desk-history', 'desk-proposal'];

const VISITORS = [
  ['list', 360, 'light'],
  ['list', 360, 'dark'],
  ['list', 768, 'light'],
  ['list', 1440, 'dark'],
  ['event', 360, 'light'],
  ['event', 768, 'dark'],
  ['event', 1440, 'light'],
  ['month', 360, 'dark'],
  ['month', 1440, 'light'],
  ['month', 1440, 'dark'],
];

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

async function shoot(page, name, address, suffix) {
  const answer = await page.goto(address, { waitUntil: 'networkidle' });
  if (!answer?.ok() && name !== 'missing') throw new Error(`${name}${suffix}: ${address} answers ${answer?.status()}`);
  const excess = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  if (excess > 0) {
    process.exitCode = 1;
    console.error(`${name}${suffix} is ${excess} pixels wider than its window`);
  }
  const taken = await page.screenshot({ fullPage: isAll });
  await sharp(taken)
    .png({ palette: true, colours: 128, effort: 10 })
    .toFile(path.join(folder, `${name}${suffix}.png`));
}

const wanted = (pages) => Object.entries(pages).filter(([name]) => isAll || IN_DOCS.includes(name));
for (const colorScheme of isAll ? ['light', 'dark'] : ['light'])
  for (const width of isAll ? [360, 768, 1440] : [1280]) {
    const suffix = isAll ? `-${width}-${colorScheme}` : '';
    const context = await browser.newContext({ colorScheme, locale: 'en-GB', viewport: { width, height: 900 } });
    const page = await context.newPage();
    for (const [name, address] of wanted(PUBLIC)) await shoot(page, name, address, suffix);
    if (isPublic) {
      await context.close();
      continue;
    }
    await page.goto(`${origin}/desk/sign-in`);
    if (isAll) await page.screenshot({ path: path.join(folder, `desk-sign-in${suffix}.png`), fullPage: true });
    await page.fill('#login', 'admin');
    await page.fill('#password', token);
    await page.locator('main button[type=submit]').click();
    for (const [name, address] of wanted(DESK)) await shoot(page, name, `${origin}/desk${address}`, suffix);
    await context.close();
  }
// The pages for visitors in the documentation, on small, middling and large screens, light and dark.
if (!isAll)
  for (const [name, width, colorScheme] of VISITORS) {
    const viewport = { width, height: width < 700 ? 780 : 900 };
    const context = await browser.newContext({ colorScheme, locale: 'en-GB', viewport });
    await shoot(await context.newPage(), name, PUBLIC[name], `-${width}-${colorScheme}`);
    await context.close();
  }
await browser.close();
host.close();
for (const one of started) {
  one.kill();
  await new Promise((resolve) => one.once('exit', resolve));
}
