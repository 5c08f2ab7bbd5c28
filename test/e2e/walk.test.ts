// A visitor who only clicks: from the first page every kind of page is reached, and no link leads nowhere.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { markupProblems } from '../support/markup.ts';
import { PREFIX, someEvent, startTestService, type TestService } from '../support/service.ts';

const ORIGIN = 'http://cal.example';
/** Months lead to further months without end. */
const MAX_OF_A_KIND = 12;
const HREF = /<(a|link)\s(?:[^>]*\s)?href="([^"]*)"/g;

const test = suite<{ daybook: TestService }>('walk');

test.before(async (context) => {
  const daybook = await startTestService({ environment: { DAYBOOK_PER_PAGE: '2', DAYBOOK_SUBMISSIONS: 'on' } });
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

test('every kind of page is reached from the first one, and every link leads to something', async ({ daybook }) => {
  const seen = new Map<string, Set<string>>([['/', new Set(['/'])]]);
  for (const queue = ['/']; queue.length > 0; ) {
    const path = queue.shift() ?? '';
    const { status, text, headers } = await daybook.get(`/${path}`);
    assert.is(status, 200, path);
    if (!headers['content-type']?.startsWith('text/html')) continue;
    assert.equal(await markupProblems(text), [], path);
    for (const [, , href = ''] of text.matchAll(HREF)) {
      const url = new URL(href.replaceAll('&amp;', '&').replace(/^webcal:/, 'http:'), ORIGIN + path);
      if (url.origin !== ORIGIN || url.hash !== '') continue;
      const kind = kindOf(url);
      const ofKind = seen.get(kind) ?? new Set();
      seen.set(kind, ofKind);
      const target = url.pathname + url.search;
      if (ofKind.size >= MAX_OF_A_KIND || ofKind.has(target)) continue;
      ofKind.add(target);
      queue.push(target);
    }
  }
  for (const kind of [
    ...['/', '/?page', '/?when', '/?series', '/event/…/', '/venue/…/', '/organizer/…/', '/tag/…/', '/submit'],
    ...['/events/day/…/', '/events/month/…/', '/events/category/…/…/'],
    ...[`${PREFIX}/events.ics`, `${PREFIX}/events.atom`, `${PREFIX}/events/…`, `${PREFIX}/events/….ics`],
  ])
    assert.ok(seen.has(kind), `${kind} is reached; these are: ${[...seen.keys()].join(' ')}`);
});

test.run();
