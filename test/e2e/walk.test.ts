// A visitor who only clicks: from the first page every kind of page is reached, and no link leads nowhere; nor does one of the desk.
// The site is under a path, which a proxy in front of it takes away.
import ICAL from 'ical.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formOf, visitorOf } from '../support/desk.ts';
import { markupProblems } from '../support/markup.ts';
import { type Answer, PREFIX, someEvent, startTestService, type TestService } from '../support/service.ts';

const ORIGIN = 'http://cal.example';
const SITE_PATH = '/kalender';
const BESIDE_IT = new RegExp(` (?:href|src|action|formaction|data-[a-z-]+)="/(?!/|${SITE_PATH.slice(1)}/)[^"]*"`);
/** Months lead to further months without end. */
const MAX_OF_A_KIND = 12;
const HREF = /<(a|link)\s(?:[^>]*\s)?href="([^"]*)"/g;

const test = suite<{ daybook: TestService }>('walk');

test.before(async (context) => {
  const daybook = await startTestService({
    environment: {
      ...{ DAYBOOK_PER_PAGE: '2', DAYBOOK_SUBMISSIONS: 'on', DAYBOOK_SITE_URL: ORIGIN + SITE_PATH },
    },
  });
  context.daybook = daybook;
  const music = await daybook.created('editor', 'categories', { name: 'Music' });
  const choirs = await daybook.created('editor', 'categories', { name: 'Choirs & more', parent: music.id });
  const winter = await daybook.created('editor', 'tags', { name: 'Winter & Frost' });
  await daybook.created(
    'editor',
    'events',
    someEvent({
      ...{ categories: [choirs.id], tags: [winter.id], website: 'https://elsewhere.example/', is_virtual: true },
      venue: { venue: 'Harbour Hall', city: 'Leeds', geo_lat: 53.8, geo_lng: -1.5, status: 'publish' },
      organizer: { organizer: 'The Guild', email: 'guild@a.example', status: 'publish' },
    }),
  );
  for (const title of ['Second', 'Third']) await daybook.created('editor', 'events', someEvent({ title }));
  await daybook.created('editor', 'events', {
    ...someEvent({ title: 'Weekly' }),
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' },
  });
});
test.after(({ daybook }) => daybook.close());

/** The kind of page at an address: its path without what names one of them, and the names of its parameters. */
function kindOf({ pathname, searchParams }: URL): string {
  const path = pathname
    .replace(/^(\/(?:event|venue|organizer|tag|events\/(?:day|month)))\/[^/]+\/$/, '$1/…/')
    .replace(
      /^\/events\/category\/(.+)\/$/,
      (_all, slugs) => `/events/category${slugs.replace(/[^/]+/g, '…').replace(/^/, '/')}/`,
    )
    .replace(/\/\d+(?=$|\.)/, '/…');
  const names = [...searchParams.keys()].sort().join('&');
  return names === '' ? path : `${path}?${names}`;
}

/** What is reached from a page, by its kinds. */
async function walked(get: (path: string) => Promise<Answer>, begin: string): Promise<ReadonlyMap<string, unknown>> {
  const seen = new Map<string, Set<string>>([[begin, new Set([begin])]]);
  for (const queue = [begin]; queue.length > 0; ) {
    const path = queue.shift() ?? '';
    const { status, text, headers } = await get(path);
    // A merge of what contains each other says that it cannot be.
    assert.ok(status === 200 || (status === 409 && path.includes('/merge?')), `${path}: ${status}`);
    if (!headers['content-type']?.startsWith('text/html')) continue;
    assert.is(BESIDE_IT.exec(text)?.[0], undefined, path);
    if (begin === '/') assert.equal(await markupProblems(text), [], path);
    for (const [, , href = ''] of text.matchAll(HREF)) {
      const url = new URL(href.replaceAll('&amp;', '&').replace(/^webcal:/, 'http:'), ORIGIN + SITE_PATH + path);
      if (url.origin !== ORIGIN || url.hash !== '') continue;
      assert.ok(url.pathname.startsWith(`${SITE_PATH}/`), `${href} on ${path}`);
      url.pathname = url.pathname.slice(SITE_PATH.length);
      if (begin !== '/' && !url.pathname.startsWith(begin)) continue;
      const kind = kindOf(url);
      const ofKind = seen.get(kind) ?? new Set();
      seen.set(kind, ofKind);
      const target = url.pathname + url.search;
      if (ofKind.size >= MAX_OF_A_KIND || ofKind.has(target)) continue;
      ofKind.add(target);
      queue.push(target);
    }
  }
  return seen;
}

test('every kind of page is reached from the first one, and every link leads to something', async ({ daybook }) => {
  const seen = await walked((path) => daybook.get(`/${path}`), '/');
  for (const kind of [
    ...['/', '/?page', '/?when', '/?series', '/event/…/', '/venue/…/', '/organizer/…/', '/tag/…/', '/submit'],
    ...['/events/day/…/', '/events/month/…/', '/events/category/…/…/'],
    ...[`${PREFIX}/events.ics`, `${PREFIX}/events.atom`, `${PREFIX}/events/…`, `${PREFIX}/events/….ics`],
  ])
    assert.ok(seen.has(kind), `${kind} is reached; these are: ${[...seen.keys()].join(' ')}`);
});

test('at the desk, too, links and forms stay under the path of the site, and so do the ways on from forms', async ({
  daybook,
}) => {
  const visitor = visitorOf(daybook);
  const entered = await visitor.post('/desk/sign-in', visitor.credentials('administrator'));
  assert.is(entered.headers.location, `${SITE_PATH}/desk`);
  const seen = await walked((path) => visitor.get(path), '/desk');
  assert.ok(seen.size > 40, `${seen.size} kinds`);
  const place = '/desk/categories/new';
  const made = await visitor.post('/desk/categories', { ...formOf(await visitor.get(place)), name: 'Under a path' });
  assert.match(made.headers.location ?? '', new RegExp(`^${SITE_PATH}/desk/categories`));
  assert.is((await daybook.get('//?when=today')).status, 200);
  assert.is((await daybook.get('//events?search=x')).headers.location, `${SITE_PATH}/?search=x`);
});

/** The titles of the events on a page, each event once; of the page of an event its own. */
function titlesOn(path: string, page: string): string[] {
  if (path.startsWith('/event/')) return [/<h1>([^<]*)<\/h1>/.exec(page)?.[1] ?? ''];
  const links = page.matchAll(/<a [^>]*href="(\/event\/[^"]*)"[^>]*>(?:<time>[^<]*<\/time>)?([^<]*)</g);
  return [...new Map([...links].map(([, href, title = '']) => [href, title])).values()].sort();
}

/** The titles of the dates of a calendar, as ical.js expands it. */
function titlesIn(calendar: string): string[] {
  const events = new ICAL.Component(ICAL.parse(calendar))
    .getAllSubcomponents('vevent')
    .map((one) => new ICAL.Event(one));
  const series = new Set(events.filter((event) => event.isRecurring()).map(({ uid }) => uid));
  return events
    .filter((event) => !(event.isRecurrenceException() && series.has(event.uid)))
    .flatMap((event) => (event.isRecurring() ? datesOf(event).map(() => event.summary) : [event.summary]))
    .sort();
}

function datesOf(event: ICAL.Event): ICAL.Time[] {
  const dates: ICAL.Time[] = [];
  const all = event.iterator();
  for (let date = all.next(); date && dates.length < 100; date = all.next()) dates.push(date);
  return dates;
}

const PAGE_OF_ONE = /^\/(event|venue|organizer|tag|events\/category)\//;

test('a page and the calendars that it offers have the same events', async () => {
  const daybook = await startTestService({
    environment: { DAYBOOK_TIMEZONE: 'Europe/Berlin', DAYBOOK_PER_PAGE: '50' },
  });
  const music = await daybook.created('editor', 'categories', { name: 'Music', slug: '2026' });
  const winter = await daybook.created('editor', 'tags', { name: 'Winter' });
  const hall = { venue: 'Harbour Hall', city: 'Leeds', geo_lat: 53.8, geo_lng: -1.5, status: 'publish' };
  const { id: venue } = await daybook.created('editor', 'venues', hall);
  const { id: organizer } = await daybook.created('editor', 'organizers', {
    organizer: 'The Guild',
    status: 'publish',
  });
  // It is noon of Friday, 20 November.
  const events: readonly (readonly [title: string, from: string, to: string, more?: object])[] = [
    ['Exhibition', '2026-11-17 10:00', '2026-12-05 18:00', { venue, categories: [music.id] }],
    ['Over', '2026-11-20 08:00', '2026-11-20 09:00', { venue, tags: [winter.id] }],
    ['Night of Friday', '2026-11-20 22:00', '2026-11-21 04:00', { tags: [winter.id] }],
    ['Night of Sunday', '2026-11-22 23:00', '2026-11-23 02:00', { organizer }],
    ['Until midnight', '2026-11-22 22:00', '2026-11-23 00:00'],
    ['Days off', '2026-11-23', '2026-11-24', { all_day: true, organizer }],
    ['Turn of the month', '2026-11-30 23:30', '2026-12-01 00:30', { categories: [music.id] }],
    ['Far away', '2031-06-01 10:00', '2031-06-01 11:00', { tags: [winter.id] }],
    ['Weekly', '2026-11-13 19:00', '2026-11-13 21:00', { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=6' }, venue }],
  ];
  for (const [title, start_date, end_date, more] of events)
    await daybook.created('editor', 'events', { ...someEvent({ title, start_date, end_date }), ...more });
  const filters = [
    '',
    'search=night',
    'near=Leeds',
    'collapse=series',
    `venue=${venue}`,
    'tags=winter',
    'categories=2026',
  ];
  const periods = ['', 'today', 'weekend', 'next_week', '2026-11-22', '2026-12', '2031-06'];
  const lists = filters.flatMap((filter) => periods.map((when) => `/?${filter}${when && `&when=${when}`}`));
  const months = ['/events/month/2026-11/', '/events/month/2026-12/?tags=winter', '/events/day/2026-11-30/'];
  const pages = new Set([...lists, ...months]);
  let compared = 0;
  for (const path of pages) {
    const { text } = await daybook.get(`/${path}`);
    const shown = titlesOn(path, text);
    const offered = [...text.matchAll(HREF)].map(([, , href = '']) => href.replaceAll('&amp;', '&'));
    for (const href of offered) if (PAGE_OF_ONE.test(href)) pages.add(href);
    const calendars = offered
      .filter((href) => /\.ics(\?|$)/.test(href))
      .map((href) => href.replace(/^webcal:/, 'http:'));
    for (const href of new Set(calendars)) {
      const { pathname, search } = new URL(href);
      assert.equal(titlesIn((await daybook.get(`/${pathname}${search}`)).text), shown, `${path} offers ${href}`);
      compared += 1;
    }
  }
  assert.is(compared, pages.size);
  await daybook.close();
});

test.run();
