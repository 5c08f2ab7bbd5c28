// The filters of lists as addresses: found by the form, kept by links, and the same in calendars and feeds.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Body, PREFIX, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite('filters of pages');
let daybook: TestService;
let venues: { readonly [name: string]: Body };

const HALL = { venue: 'Harbour Hall', city: 'Leeds', geo_lat: 53.8, geo_lng: -1.5, status: 'publish' };
const BARN = { venue: 'Old Barn', city: 'York', geo_lat: 53.96, geo_lng: -1.08, status: 'publish' };

test.before(async () => {
  daybook = await startTestService({ environment: { DAYBOOK_PER_PAGE: '3' } });
  const made = (collection: string, body: object) => daybook.created('editor', collection, body);
  const music = await made('categories', { name: 'Music' });
  const winter = await made('tags', { name: 'Winter' });
  venues = { hall: await made('venues', HALL), barn: await made('venues', BARN) };
  const event = (title: string, fields: object) => made('events', someEvent({ title, ...fields }));
  await event('Concert', { categories: [music.id], venue: venues.hall.id, cost: 'Eintritt frei' });
  await event('Dance', {
    ...{ categories: [music.id], tags: [winter.id], venue: venues.barn.id },
    ...{ age_range: '16+', languages: 'en' },
  });
  await event('Market', {
    image: 'https://images.example/1.jpg',
    tags: [winter.id],
    age_range: '3-8',
    languages: 'de-AT, en',
    start_date: '2026-11-21 10:00',
    end_date: '2026-11-21 11:00',
  });
  const secret = { venue: 'Secret', city: 'Hidden City', geo_lat: 10, geo_lng: 10, status: 'draft' };
  await event('Elsewhere', {
    is_virtual: true,
    virtual_url: 'https://meet.example/1',
    venue: (await made('venues', secret)).id,
  });
});
test.after(() => daybook.close());

const page = (target: string) => daybook.get(`/${target}`);

function titlesIn(text: string): string[] {
  return [...text.matchAll(/<a (?:class="title" )?href="\/event\/[^"]*">(?:<time>[^<]*<\/time>)?([^<]*)<\/a>/g)]
    .map(([, title = '']) => title)
    .sort();
}

const hrefs = (text: string): string[] =>
  [...text.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));

const FOUND: readonly (readonly [query: string, titles: readonly string[]])[] = [
  ['tags=winter', ['Dance', 'Market']],
  ['categories=music&tags=winter', ['Dance']],
  ['near=Leeds&geoloc_radius=10', ['Concert']],
  ['near=leeds&geoloc_radius=50', ['Concert', 'Dance']],
  ['near=Old+Barn', ['Dance']],
  ['near=53.95%2C+-1.1', ['Dance']],
  ['geoloc_lat=53.8&geoloc_lng=-1.5&geoloc_radius=5', ['Concert']],
  ['is_virtual=1', ['Elsewhere']],
  ['is_free=1', ['Concert']],
  ['has_image=1', ['Market']],
  ['when=weekend', ['Market']],
  ['on_weekend=1', ['Market']],
  ['in_evening=1&search=market', []],
  ['weekdays=saturday', ['Market']],
  ['weekdays=saturday,sunday&languages=en', ['Market']],
  ['ages=6-12', ['Market']],
  ['ages=13-17,65-', ['Dance']],
  ['languages=de', ['Market']],
  ['languages=en', ['Dance', 'Market']],
  ['when=weekend&categories=music', []],
  ['search=anc&categories=&tags=&near=', ['Dance']],
];
for (const [query, titles] of FOUND)
  test(`/?${query} finds ${titles.join(', ') || 'nothing'}, and so do its calendar, its feed and the embedded list`, async () => {
    const { status, text } = await page(`/?${query}`);
    assert.is(status, 200);
    assert.equal(titlesIn(text), titles);
    const embedded = (await page(`/embed/events?${query}`)).text;
    const parts = [...embedded.matchAll(/part="title" href="[^"]*">([^<]*)</g)].map(([, title = '']) => title);
    assert.equal(parts.sort(), titles, 'embedded');
    const links = hrefs(text);
    const feeds = links.filter((href) => href.startsWith('http') && /\/events\.(ics|atom)/.test(href));
    assert.ok(links.some((href) => href.startsWith('webcal://cal.example/')));
    // News are of all days.
    assert.is(feeds.length, query.includes('when=') ? 1 : 2);
    for (const feed of feeds) {
      const { pathname, search } = new URL(feed);
      const { text: all } = await daybook.get(`/${pathname}${search}`);
      const inFeed = ['Concert', 'Dance', 'Market', 'Elsewhere'].filter((title) => all.includes(title)).sort();
      assert.equal(inFeed, titles, feed);
      assert.ok(text.includes(`href="${feed.replaceAll('&', '&amp;')}"/>`), 'discovered from the page');
    }
  });

test('an event online says so, and where to attend it', async () => {
  assert.match((await page('/?is_virtual=1')).text, /<span class="label">Online<\/span>/);
  const { text } = await page('/event/elsewhere/');
  assert.ok(
    text.includes('<dt>Online</dt><dd><a rel="noopener nofollow" href="https://meet.example/1">meet.example</a>'),
  );
});

test('filters say how many events they leave, those that are in use can be taken away', async () => {
  const secret = {
    ...{ title: 'Members only', password: 'sesame', cost: '0', categories: ['Music'] },
    ...{ age_range: '6-12', languages: 'de' },
  };
  const made = [
    await daybook.created('editor', 'events', someEvent(secret)),
    await daybook.created('editor', 'events', someEvent({ title: 'Draft', status: 'draft', categories: ['Music'] })),
  ];
  const chip = /<li><a class="chip[^"]*" href="([^"]*)"[^>]*>([^<]*)\s*<span class="count">(\d+)<\/span>/g;
  for (const start of [
    '/',
    '/?categories=music',
    '/?when=today&is_free=1',
    '/?search=dance',
    '/events/category/music/',
  ]) {
    const { text } = await page(start);
    const chips = [...text.matchAll(chip)].map(([, href = '', label = '', count]) => ({
      ...{ href: href.replaceAll('&amp;', '&'), label: label.trim(), count },
    }));
    if (!start.includes('when=')) assert.ok(chips.length > 0, start);
    for (const { href, label, count } of chips)
      assert.is(/id="total"[^>]*>Events: (\d+)</.exec((await page(href)).text)?.[1], count, `${start}: ${label}`);
  }
  const { text } = await page('/?categories=music&tags=winter&near=York&geoloc_radius=50');
  const [taken = ''] = hrefs(text).filter((href) => href === '/?categories=music&tags=winter');
  assert.ok(taken, 'a place is taken away with its distance');
  assert.match(text, 'aria-label="Remove: Music"');
  for (const { id } of made) await daybook.request('editor', 'DELETE', `/events/${id}`);
});

test('a venue is chosen by its id', async () => {
  const { text } = await page(`/?venue=${venues.hall.id}`);
  assert.equal(titlesIn(text), ['Concert']);
  assert.ok(text.includes(`<option value="${venues.hall.id}" selected>Harbour Hall</option>`), text);
});

test('the form shows again what was sent, and offers places that the public may know', async () => {
  const { text } = await page('/?search=a%22b&near=York&geoloc_radius=50&tags=winter');
  assert.ok(text.includes('name="search" value="a&quot;b"'));
  assert.ok(text.includes('name="near" list="places" value="York"'));
  assert.match(text, /<option value="50" selected>/);
  assert.match(text, /<option value="winter" selected>/);
  for (const name of ['Leeds', 'York', 'Harbour Hall', 'Old Barn'])
    assert.ok(text.includes(`<option value="${name}"></option>`), name);
  assert.not.match(text, /Secret|Hidden City/);
});

test('filters are kept by the month, its days, and the menu', async () => {
  const { text } = await page('/events/month/2026-12/?categories=music&when=today');
  assert.equal(titlesIn(text), ['Concert', 'Dance']);
  const links = hrefs(text);
  for (const path of [
    '/events/month/2027-01/?categories=music',
    '/events/day/2026-12-01/?categories=music',
    '/?categories=music',
  ])
    assert.ok(
      links.some((href) => href.startsWith(path)),
      `${path} in ${links.join(' ')}`,
    );
  assert.ok(hrefs((await page('/?tags=winter')).text).includes('/events/month/2026-11/?tags=winter'));
});

test('the page of a category takes periods and filters, its own category stays', async () => {
  const { text } = await page('/events/category/music/?tags=winter&categories=nonsense-is-no-filter');
  assert.is((await page('/events/category/music/?tags=winter')).status, 200);
  assert.equal(titlesIn((await page('/events/category/music/?tags=winter')).text), ['Dance']);
  assert.equal(titlesIn((await page('/events/category/music/?when=weekend')).text), []);
  assert.match(text, /name="tags"/);
});

test('values of filters are offered and named in words, and one that is none is refused', async () => {
  const { text } = await page('/');
  const chips = [...text.matchAll(/<li><a class="chip"[^>]*>([^<]*?)\s*<span/g)].map(([, label]) => label);
  for (const label of ['6 to 12 years', 'From 65 years', 'English', 'German']) assert.ok(chips.includes(label), label);
  assert.match((await page('/?languages=de')).text, 'aria-label="Remove: German"');
  const { text: chosen } = await page('/?weekdays=saturday');
  assert.match(chosen, '<option value="saturday" selected>Saturday</option>');
  for (const query of ['weekdays=someday', 'ages=7', 'languages=']) {
    const { status } = await daybook.get(`/events?${query}`);
    assert.is(status, 400, query);
  }
  const why = await daybook.get('/events?weekdays=someday');
  assert.match(why.text, /monday/);
});

const REFUSED: readonly (readonly [target: string, told: RegExp])[] = [
  ['/?near=Atlantis&search=typed', /“Atlantis”.*coordinates/],
  ['/?near=95%2C+10&search=typed', /geoloc_lat/],
  ['/?geoloc_radius=far&search=typed', /geoloc_radius/],
  ['/events/month/2026-12/?categories=nowhere&search=typed', /categories/],
  ['/events/category/music/?tags=nowhere&search=typed', /tags/],
];
for (const [target, told] of REFUSED)
  test(`${target} is told beside the form, and nothing typed is lost`, async () => {
    const { status, text, headers } = await page(target);
    assert.is(status, 400);
    assert.is(headers['cache-control'], 'no-store');
    const [, problem = ''] = /role="alert">([^<]*)</.exec(text) ?? [];
    assert.match(problem.replaceAll('&quot;', '"'), told);
    assert.ok(text.includes('name="search" value="typed"'));
    assert.not.match(text, /rel="canonical"/);
  });

test('the addresses of the API are not those of a page: unknown parameters change nothing', async () => {
  const plain = await page('/');
  const { headers } = await page('/?utm_source=x&fbclid=y');
  assert.is(headers.etag, plain.headers.etag);
  assert.is((await daybook.get(`/${PREFIX}/events?near=Leeds`)).body.total, 4, 'the API has no such filter');
});

test.run();
