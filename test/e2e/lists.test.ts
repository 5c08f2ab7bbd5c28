import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startDocumentedService } from '../support/documented.ts';
import { type As, type Body, NOON, ROOT, someEvent, type TestService } from '../support/service.ts';

let daybook: TestService;
const ids: { [name: string]: number } = {};
const test = suite('lists over HTTP');

const COUNT = 9;
const day = (n: number) => `2026-12-${String(n).padStart(2, '0')}`;

test.before(async () => {
  daybook = await startDocumentedService({ environment: { DAYBOOK_PER_PAGE: '4' } });
  const venue = await daybook.created('editor', 'venues', { venue: 'Hall', geo_lat: 53.8, geo_lng: -1.55 });
  const organizer = await daybook.created('editor', 'organizers', { organizer: 'Guild' });
  const music = await daybook.created('editor', 'categories', { name: 'Music' });
  const jazz = await daybook.created('editor', 'categories', { name: 'Jazz', parent: music.id });
  Object.assign(ids, { venue: venue.id, organizer: organizer.id, music: music.id, jazz: jazz.id });
  const parent = await daybook.created(
    'editor',
    'events',
    someEvent({ title: 'Parent', start_date: day(1), end_date: day(1) }),
  );
  ids.parent = parent.id;
  const relations = {
    venue: venue.id,
    organizer: organizer.id,
    categories: jazz.id,
    tags: 'late',
    post_parent: parent.id,
  };
  for (let n = 1; n <= COUNT; n++) {
    const dates = { start_date: `${day(n)} 10:00:00`, end_date: `${day(n)} 12:00:00` };
    const flags = { featured: true, ticketed: true, ...relations };
    const { id } = await daybook.created(
      'editor',
      'events',
      someEvent({ title: `Concert ${n} & more`, ...dates, ...flags }),
    );
    ids[`event ${n}`] = id;
    await daybook.created('editor', 'venues', { venue: `Room ${n}`, city: 'Leeds & Bradford' });
    await daybook.created('editor', 'organizers', { organizer: `Host ${n}`, phone: '0113' });
    await daybook.created('editor', 'tags', { name: `Tag ${n}` });
    await daybook.created('editor', 'categories', { name: `Sort ${n}`, parent: music.id });
  }
  // What no public list may show, and what only some filters find.
  await daybook.created('editor', 'events', someEvent({ title: 'Hidden', hide_from_listings: true, ...relations }));
  await daybook.created('editor', 'events', someEvent({ title: 'Draft', status: 'draft', ...relations }));
  await daybook.created(
    'editor',
    'events',
    someEvent({ title: 'Long ago', start_date: '2020-01-01', end_date: '2020-01-01' }),
  );
});
test.before.each(() => {
  daybook.clock.at = NOON;
});
test.after(() => daybook.close());

/** Follows the links of a list from page to page; answers all items. Checks totals, headers and ways back. */
async function walk(collection: string, query: string, as: As = 'anonymous'): Promise<Body[]> {
  const items: Body[] = [];
  const first = await daybook.get(`/${collection}${query}`, as);
  assert.is(first.status, 200, first.text);
  let page = first;
  for (let number = 1; ; number++) {
    const { body, headers } = page;
    items.push(...body[collection]);
    assert.equal([body.total, body.total_pages], [first.body.total, first.body.total_pages]);
    for (const name of ['x-tec-total', 'x-wp-total']) assert.is(headers[name], String(body.total));
    for (const name of ['x-tec-totalpages', 'x-wp-totalpages']) assert.is(headers[name], String(body.total_pages));
    assert.is('previous_rest_url' in body, number > 1, 'the first page has no way back');
    if (number > 1) {
      const back = await follow(body.previous_rest_url, as);
      if (number === 2) assert.equal(back.body[collection], first.body[collection]);
    }
    if (!('next_rest_url' in body)) {
      assert.is(number, Math.max(1, body.total_pages), 'the last page has no next');
      break;
    }
    page = await follow(body.next_rest_url, as);
    assert.is(page.status, 200, body.next_rest_url);
  }
  assert.is(items.length, first.body.total);
  assert.is(new Set(items.map(({ id }) => id)).size, items.length, 'nothing twice');
  return items;
}

async function follow(url: string, as: As) {
  assert.ok(url.startsWith(`${ROOT}/`), url);
  return daybook.get(url.slice(ROOT.length), as);
}

const EVENT_FILTERS: readonly (readonly [string, () => string])[] = [
  ['nothing', () => ''],
  ['start_date', () => `start_date=${day(1)}`],
  ['end_date', () => `end_date=${day(9)}`],
  ['starts_after and ends_before', () => 'starts_after=2026-11-30 12:00&ends_before=2026-12-09'],
  ['starts_before and ends_after', () => 'starts_before=2026-12-09&ends_after=2026-11-30'],
  ['strict_dates', () => `start_date=${day(1)} 09:00&end_date=${day(9)} 13:00&strict_dates=true`],
  ['search', () => 'search=Concert "& more"'],
  ['categories', () => `categories=music,${ids.jazz}`],
  ['tags', () => 'tags[]=late'],
  ['venue and organizer', () => `venue=${ids.venue}&organizer[]=${ids.organizer}`],
  ['featured', () => 'featured=true'],
  ['ticketed', () => 'ticketed=1'],
  ['event_status', () => 'event_status=scheduled,postponed'],
  ['post_parent', () => `post_parent=${ids.parent}`],
  ['geoloc', () => 'geoloc=true'],
  ['distance', () => 'geoloc_lat=53.8&geoloc_lng=-1.5&geoloc_radius=30'],
  ['include', () => `include=${Array.from({ length: COUNT }, (_, n) => ids[`event ${n + 1}`]).join(', ')}`],
];

for (const [name, query] of EVENT_FILTERS) {
  test(`the pages of events filtered by ${name} can be followed to the end, with the same filter`, async () => {
    const items = await walk('events', `?per_page=2&${encodeURI(query())}`);
    const concerts = items.filter(({ title }) => title.startsWith('Concert'));
    assert.equal(
      concerts.map(({ id }) => id),
      Array.from({ length: COUNT }, (_, n) => ids[`event ${n + 1}`]),
    );
    const others = items.filter(({ title }) => !title.startsWith('Concert')).map(({ title }) => title);
    const withParent = [
      'nothing',
      'start_date',
      'end_date',
      'starts_after and ends_before',
      'starts_before and ends_after',
      'event_status',
    ];
    assert.equal(others, withParent.includes(name) ? ['Parent'] : []);
  });
}

test('featured=false and ticketed=false keep the others, on every page', async () => {
  const plain = await walk('events', '?per_page=1&featured=false');
  assert.equal(
    plain.map(({ title }) => title),
    ['Parent'],
  );
  assert.match((await daybook.get('/events?featured=false')).body.rest_url, 'featured=0');
});

test('editors follow their lists too, whatever status they asked for', async () => {
  for (const status of ['', '&status=any', '&status=', '&status=draft,publish']) {
    const items = await walk('events', `?per_page=3${status}`, 'editor');
    const hasDraft = items.some(({ status: shown }) => shown === 'draft');
    assert.is(hasDraft, status !== '&status=', status);
  }
});

const OTHER_LISTS: readonly (readonly [string, string, number])[] = [
  ['venues', '', COUNT + 1],
  ['venues', 'search=Leeds Bradford', COUNT],
  ['venues', 'has_events=false', COUNT],
  ['venues', 'only_with_upcoming=true', 1],
  ['organizers', '', COUNT + 1],
  ['organizers', 'search=0113', COUNT],
  ['organizers', 'has_events=yes', 1],
  ['categories', 'hide_empty=false', COUNT + 2],
  ['categories', '', 1],
  ['categories', 'hide_empty=0&search=sort&order=desc&orderby=id', COUNT],
  ['tags', 'hide_empty=0&search=tag', COUNT],
  ['tags', 'hide_empty=0&exclude=3', COUNT],
];

for (const [collection, query, total] of OTHER_LISTS) {
  test(`the pages of ${collection}${query && ` with ${query}`} can be followed to the end`, async () => {
    assert.is((await walk(collection, `?per_page=2&${encodeURI(query)}`)).length, total);
  });
}

test('the filter by parent and by event holds on the next page', async () => {
  const children = await walk('categories', `?per_page=2&hide_empty=0&parent=${ids.music}`);
  assert.is(children.length, COUNT + 1);
  assert.equal(
    (await walk('venues', `?event=${ids['event 1']}`)).map(({ id }) => id),
    [ids.venue],
  );
  assert.equal(
    (await walk('tags', `?event=${ids['event 1']}`)).map(({ name }) => name),
    ['late'],
  );
});

test('the page size is the configured one, at most 50, and never 0', async () => {
  assert.is((await daybook.get('/events')).body.events.length, 4);
  const clamped = await daybook.get('/events?per_page=51');
  assert.match(clamped.body.rest_url, 'per_page=50');
  assert.is(clamped.body.total_pages, 1);
  for (const size of ['0', '-1', '2.5', 'x', ''])
    assert.is((await daybook.get(`/events?per_page=${size}`)).status, 400, size);
});

test('a page past the end is 404 for posts and an empty list for terms', async () => {
  for (const collection of ['events', 'venues', 'organizers'])
    assert.is((await daybook.get(`/${collection}?page=50`)).status, 404, collection);
  const terms = await daybook.get('/tags?page=50&hide_empty=0');
  assert.equal([terms.status, terms.body.tags, terms.body.total], [200, [], COUNT + 1]);
  assert.match(terms.body.previous_rest_url, 'page=49');
});

test('a list without matches is empty, with totals 0 and no links to other pages', async () => {
  for (const target of [
    '/events?search=unheard',
    '/venues?search=unheard',
    '/organizers?search=unheard',
    '/tags?search=unheard',
  ]) {
    const { status, body, headers } = await daybook.get(target);
    assert.equal([status, body.total, body.total_pages], [200, 0, 0], target);
    assert.not.ok('next_rest_url' in body || 'previous_rest_url' in body);
    assert.is(headers['x-tec-total'], '0');
  }
});

test('the members of the envelope are in order, links with every effective argument', async () => {
  const events = (await daybook.get('/events?page=2&per_page=2')).body;
  assert.equal(Object.keys(events), [
    'events',
    'rest_url',
    'next_rest_url',
    'previous_rest_url',
    'total',
    'total_pages',
  ]);
  const dates = 'start_date=2026-11-19+00%3A00%3A00&end_date=2028-11-20+23%3A59%3A59';
  assert.is(events.rest_url, `${ROOT}/events/?page=2&per_page=2&${dates}&status=publish`);
  assert.is(events.next_rest_url, `${ROOT}/events/?per_page=2&${dates}&status=publish&page=3`);
  assert.is(events.previous_rest_url, `${ROOT}/events/?per_page=2&${dates}&status=publish`);
  const tags = (await daybook.get('/tags?page=2&per_page=2&hide_empty=0')).body;
  assert.equal(Object.keys(tags), ['rest_url', 'total', 'total_pages', 'tags', 'next_rest_url', 'previous_rest_url']);
});

test('end_date and ends_before both count when both are sent', async () => {
  const titles = async (filters: string) =>
    (await daybook.get(`/events?per_page=20&strict_dates=1&starts_after=2026-12-01&${filters}`)).body.events.map(
      ({ title }: Body) => title.slice(0, 'Concert n'.length),
    );
  const [second, third] = [encodeURIComponent(`${day(2)} 12:00:00`), encodeURIComponent(`${day(3)} 12:00:00`)];
  assert.equal(await titles(`end_date=${third}`), ['Concert 1', 'Concert 2', 'Concert 3']);
  assert.equal(await titles(`end_date=${third}&ends_before=${third}`), ['Concert 1', 'Concert 2']);
  assert.equal(await titles(`end_date=${second}&ends_before=${third}`), ['Concert 1', 'Concert 2']);
});

test('the default window moves with the clock, and a list with it', async () => {
  const total = async () => (await daybook.get('/events')).body.total;
  assert.is(await total(), COUNT + 1);
  daybook.clock.at = Date.UTC(2026, 11, 6, 0, 0, 0) / 1000;
  assert.is(await total(), 5, 'from yesterday on: the 5th to the 9th');
  daybook.clock.at -= 1;
  assert.is(await total(), 6);
});

test('venues stop having upcoming events when the last one has begun', async () => {
  const total = async () => (await daybook.get('/venues?only_with_upcoming=1')).body.total;
  daybook.clock.at = Date.UTC(2026, 11, COUNT, 10, 0, 0) / 1000;
  assert.is(await total(), 1, 'at the very start');
  daybook.clock.at += 1;
  assert.is(await total(), 0);
});

test('a table is about the present: other states are refused, whatever its filters are', async () => {
  const filters = ['tags=late', `categories=${ids.jazz}`, `venue=${ids.venue}`, `post_parent=${ids.parent}`];
  for (const filter of filters) {
    assert.is((await daybook.get(`/events.csv?${filter}`, 'editor')).status, 200, filter);
    for (const [name, state] of Object.entries({ as_of: '2026-01-01', with: 'proposal:7' })) {
      const { status, body } = await daybook.get(`/events.csv?${filter}&${name}=${state}`, 'editor');
      assert.is(status, 400, `${filter} ${name}`);
      assert.equal(Object.keys((body.data as { params: object }).params), [name]);
    }
  }
});

test.run();
