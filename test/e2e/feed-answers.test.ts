// What feeds have in common as answers: where they lie, their tags and headers, and what is refused. RSS and Atom besides.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Body, NOON, type TestService } from '../support/service.ts';
import { ask, listOf, readXml } from '../unit/http/feeds/feed-client.ts';
import { readCalendar } from '../unit/http/feeds/ical-reader.ts';
import { type SampleCalendar, startSampleCalendar } from '../unit/http/feeds/sample-calendar.ts';

let daybook: TestService;
let ids: SampleCalendar['ids'];
let create: SampleCalendar['create'];
const test = suite('feeds over HTTP');

test.before(async () => {
  ({ daybook, ids, create } = await startSampleCalendar());
});
test.before.each(() => {
  daybook.clock.at = NOON;
});
test.after(() => daybook.close());

const calendarOf = async (query: string) => readCalendar((await ask(daybook, `/events.ics${query}`)).text);

test('paths of feeds are found in any case, and nothing else is', async () => {
  assert.is((await ask(daybook, `/EVENTS/00${ids.Berlin}.ICS`)).status, 200);
  assert.is((await ask(daybook, '/Events.ICS/')).status, 200);
  for (const path of ['/events/.ics', '/events/x.ics', `/events/${ids.Berlin}.rss`, `/events/${ids.Berlin}ics`])
    assert.is((await ask(daybook, path)).status, 404, path);
  const { text } = await ask(daybook, '/events/by-slug/berlin.ics');
  assert.is(JSON.parse(text).code, 'rest_invalid_param', 'a slug is a slug');
  assert.is((await ask(daybook, '/events.ics', 'editor', {}, 'POST')).status, 404);
});

const FEEDS = () => ['/events.ics', `/events/${ids.Berlin}.ics`, '/events.rss', '/events.atom'];

test('every feed has a tag, and revalidating it sends no body', async () => {
  for (const path of FEEDS()) {
    const first = await ask(daybook, path);
    assert.is(first.status, 200);
    const { etag = '' } = first.headers;
    assert.match(etag, /^"[\w-]{22}"$/);
    assert.is(first.headers['cache-control'], 'no-cache');
    assert.is(first.headers.vary, 'Origin, Authorization');
    const again = await ask(daybook, path, 'anonymous', { 'if-none-match': `"x", W/${etag}` });
    assert.equal([again.status, again.text, again.headers.etag], [304, '', etag], path);
    assert.is((await ask(daybook, path, 'anonymous', { 'if-none-match': '"x"' })).text, first.text);
    const head = await ask(daybook, path, 'anonymous', {}, 'HEAD');
    assert.equal([head.status, head.text, head.headers.etag], [200, '', etag]);
    const enveloped = await ask(daybook, `${path}?_envelope=1&_fields=x`);
    assert.is(enveloped.text, first.text);
    const notEnveloped = await ask(daybook, `${path}?_envelope=1`, 'anonymous', { 'if-none-match': etag });
    assert.equal([notEnveloped.status, notEnveloped.text], [304, '']);
  }
});

test('a tag lasts while nothing of the calendar changes, and no longer', async () => {
  const tags = async () => Promise.all(FEEDS().map(async (path) => (await ask(daybook, path)).headers.etag));
  const before = await tags();
  const sequence = async () => (await calendarOf(`?include=${ids.Berlin}`)).events[0]?.value('sequence');
  const revision = Number(await sequence());
  await daybook.created('editor', 'venues', { venue: 'Elsewhere' });
  daybook.clock.at += 60;
  assert.equal(await tags(), before);
  await daybook.request('editor', 'PATCH', `/venues/${ids.venue}`, { city: 'York' });
  const moved = await tags();
  for (const [index, tag] of moved.entries()) if (index < 2) assert.is.not(tag, before[index]);
  assert.is(Number(await sequence()), revision);
  await daybook.request('editor', 'PATCH', `/events/${ids.Berlin}`, { tags: ['late', 'new'] });
  const tagged = await tags();
  for (const [index, tag] of tagged.entries()) assert.is.not(tag, moved[index]);
  assert.is(Number(await sequence()), revision + 1);
});

test('the total counts all matches', async () => {
  const { headers } = await ask(daybook, '/events.ics');
  assert.equal([headers['x-tec-total'], headers['x-wp-total']], ['10', '10']);
});

test('a filter that makes no sense is refused as by the list', async () => {
  for (const query of ['?geoloc_lat=1', '?categories=none-such', '?start_date=nonsense', '?venue=x']) {
    const [feed, list] = [await ask(daybook, `/events.ics${query}`), await daybook.get(`/events${query}`)];
    assert.equal([feed.status, JSON.parse(feed.text).code], [list.status, list.body.code], query);
    assert.is(feed.status, 400);
  }
});

test('a calendar of the past is refused, and not taken for one of today', async () => {
  assert.is((await ask(daybook, '/events.ics?as_of=2026-11-20')).status, 400);
});

test('the newest events come first, with their texts as they are', async () => {
  const { text, headers } = await ask(daybook, '/events.rss');
  assert.is(headers['content-type'], 'application/rss+xml; charset=utf-8');
  const { channel } = readXml(text).rss;
  const items = listOf(channel.item);
  assert.is(items.length, 10);
  assert.is(items[0].title, 'Under a password');
  assert.is(items.at(-1).title, 'Berlin');
  assert.is(channel['atom:link']['@href'], 'http://cal.example/calendar/events/v1/events.rss');
  const nasty = items.find(({ title }: Body) => title.startsWith('R&amp;B'));
  assert.not.match(nasty.title, '<script>');
  assert.match(nasty.description, 'y</p>');
  const atom = await ask(daybook, '/events.atom');
  assert.is(atom.headers['content-type'], 'application/atom+xml; charset=utf-8');
  const entries = listOf(readXml(atom.text).feed.entry);
  assert.equal(
    entries.map(({ id }: Body) => id),
    items.map(({ guid }: Body) => guid['#text']),
  );
});

test('RSS and Atom are the same for all readers', async () => {
  const venue = await daybook.created('editor', 'venues', { venue: 'Not yet open', status: 'draft' });
  await create('At a place to come', { venue: venue.id });
  for (const path of ['/events.rss', '/events.atom']) {
    const { text } = await ask(daybook, path);
    assert.match(text, 'At a place to come');
    assert.is((await ask(daybook, path, 'editor')).text, text);
    assert.not.match(text, 'Not yet open');
  }
});

test('a host that no address can have is refused', async () => {
  const { status } = await ask(daybook, '/events.rss', 'anonymous', { host: 'cal.example:99999' });
  assert.is(status, 400);
});

test('the index lists the feeds last, and OPTIONS describes them', async () => {
  const { body } = await daybook.get('/');
  const routes = Object.keys(body.routes).map((route) => route.replace('/calendar/events/v1', ''));
  const feeds = ['/events.ics', '/events/(?P<id>\\d+).ics', '/events.rss', '/events.atom'];
  assert.equal(
    routes.filter((route) => feeds.includes(route)),
    feeds,
  );
  assert.ok(routes.indexOf('/events.ics') > routes.indexOf('/changes'));
  const { text, status } = await ask(daybook, '/events.ics', 'anonymous', {}, 'OPTIONS');
  assert.is(status, 200);
  const { args } = JSON.parse(text).endpoints[0];
  for (const name of ['page', 'per_page']) assert.not.ok(name in args, name);
  assert.ok('categories' in args);
});

test('RSS and Atom take the filters of the list, whatever the date, and name themselves with them', async () => {
  const category = await daybook.created('editor', 'categories', { name: 'Far & near' });
  const past = { start_date: '2019-05-05 10:00:00', end_date: '2019-05-05 11:00:00', categories: [category.id] };
  const first = await create('Older', { ...past, date: '2026-11-01 10:00:00' });
  const second = await create('Newer', { ...past, date: '2026-11-02 10:00:00' });
  const { feed } = readXml((await ask(daybook, '/events.atom?categories=far-near&search=er')).text);
  assert.equal(
    listOf(feed.entry).map((entry) => entry.link['@href']),
    [second.url, first.url],
  );
  assert.is(feed.id, 'http://cal.example/calendar/events/v1/events.atom?categories=far-near&search=er');
  const { rss } = readXml((await ask(daybook, `/events.rss?categories=${category.id}&search=older`)).text);
  assert.is(listOf(rss.channel.item).length, 1);
  assert.is((await ask(daybook, '/events.atom?categories=nowhere')).status, 400);
});

test.run();
