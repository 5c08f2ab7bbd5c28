// What caches between Daybook and its readers may keep, and what they must not.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type As, type Body, NOON, type SendHeaders, someEvent, startTestService } from '../support/service.ts';

const test = suite('shared caches');

const HOUR = 3_600;
const daybook = await startTestService({ environment: { DAYBOOK_CACHE_SECONDS: '86400' } });
const unset = await startTestService();

const venue = await daybook.created('editor', 'venues', { venue: 'Town Hall' });
const parent = await daybook.created('editor', 'events', someEvent({ title: 'Festival' }));
const event: Body = await daybook.created('editor', 'events', {
  ...someEvent({
    title: 'Concert',
    venue: venue.id,
    categories: ['Music'],
    tags: ['Loud'],
    organizer: { organizer: 'Club' },
  }),
  post_parent: parent.id,
});
const [{ id: music }] = event.categories;
const [{ id: loud }] = event.tags;
const [{ id: club }] = event.organizer;
const locked = await daybook.created('editor', 'events', someEvent({ title: 'Locked', password: 'open' }));
const draft = await daybook.created('editor', 'events', someEvent({ title: 'Draft', status: 'draft' }));

const shared = (seconds: number): string =>
  `public, max-age=0, s-maxage=${seconds}, stale-while-revalidate=0, stale-if-error=86400`;

test('answers to the public may be kept until the day ends, and name what they show', async () => {
  const { headers: one } = await daybook.get(`/events/${event.id}`);
  assert.is(one['cache-control'], shared(12 * HOUR));
  const names = ['event', 'venue', 'organizer', 'category', 'tag'];
  const ids = [event.id, venue.id, club, music, loud];
  assert.is(
    one['surrogate-key'],
    [...names.map((name, index) => `${name}-${ids[index]}`), 'terms', `event-${parent.id}`, 'list'].join(' '),
  );
  assert.is(one['cache-tag'], one['surrogate-key']?.replaceAll(' ', ','));
  const { headers: list } = await daybook.get('/events');
  assert.is(list['cache-control'], shared(12 * HOUR));
  const shown = list['surrogate-key']?.split(' ') ?? [];
  assert.is(shown[0], 'list');
  for (const name of [`event-${event.id}`, `event-${parent.id}`, `venue-${venue.id}`, `organizer-${club}`])
    assert.ok(shown.includes(name), name);
});

const KEPT = [
  ...[
    '/events',
    '/events?start_date=2026-12-01',
    '/events?start_date=tomorrow',
    '/venues',
    '/organizers',
    '/categories',
  ],
  ...['/tags', '/events.ics', '/events.rss', '/events.atom', `/events/${event.id}`, `/events/by-slug/${event.slug}`],
  ...[`/venues/${venue.id}`, `/categories/${music}`, `/events/${event.id}.ics`, '//', '//events/month/2026-12'],
  ...[`//event/${event.slug}`, '//venue/town-hall', '//embed/events'],
];

for (const target of KEPT)
  test(`${target} may be kept, first and again, and for HEAD and 304`, async () => {
    const first = await daybook.get(target);
    assert.is(first.status, 200);
    assert.match(first.headers['cache-control'] ?? '', /^public, max-age=0, s-maxage=\d+, /);
    assert.ok(first.headers['surrogate-key'] && first.headers['cache-tag']);
    assert.match(first.headers.vary ?? '', /, X-Daybook-Position$/);
    const again = await daybook.get(target);
    for (const name of ['cache-control', 'surrogate-key', 'cache-tag', 'vary'])
      assert.is(again.headers[name], first.headers[name], name);
    const head = await daybook.request('anonymous', 'HEAD', target);
    assert.equal([head.status, head.text], [200, '']);
    assert.is(head.headers['cache-control'], first.headers['cache-control']);
    const held = await daybook.get(target, 'anonymous', { 'if-none-match': first.headers.etag ?? '' });
    assert.is(held.status, 304);
    assert.is(held.headers['cache-control'], first.headers['cache-control']);
  });

interface Refused {
  readonly target: string;
  readonly as?: As;
  readonly headers?: SendHeaders;
  readonly status?: number;
}

const REFUSED: readonly Refused[] = [
  { target: '/events', as: 'subscriber' },
  { target: `/events/${event.id}`, as: 'editor' },
  { target: `/events/${draft.id}`, as: 'editor' },
  { target: '/events', headers: { cookie: 'a=b' } },
  { target: '/events.ics', as: 'editor' },
  { target: `/events/${locked.id}?password=open` },
  { target: '/events?password=open' },
  { target: '/events?as_of=2026-11-20T12:00:00Z' },
  { target: '/events?strict_dates=1' },
  { target: '/events?start_date=now' },
  { target: '/events?start_date=%2B2+hours' },
  { target: '/venues?only_with_upcoming=1' },
  { target: '/events?_envelope=1' },
  { target: '/events/4711?_envelope=1' },
  { target: '/events/4711', status: 404 },
  { target: `/events/${draft.id}`, status: 403 },
  { target: '/events?page=99', status: 404 },
  { target: '/events?start_date=nonsense', status: 400 },
  { target: '/nothing', status: 404 },
  { target: '//event/nothing', status: 404 },
  { target: '//desk', status: 303 },
  { target: '/users', as: 'administrator' },
  { target: '/changes', as: 'administrator' },
];

for (const { target, as = 'anonymous', headers = {}, status } of REFUSED)
  test(`${target} for ${as} ${JSON.stringify(headers)} is nothing to share`, async () => {
    for (let round = 0; round < 2; round += 1) {
      const answer = await daybook.get(target, as, headers);
      assert.is(answer.status, status ?? 200);
      assert.ok(answer.headers['cache-control'], 'without a word caches decide');
      assert.not.match(answer.headers['cache-control'] ?? '', /public|s-maxage/);
      assert.is(answer.headers['surrogate-key'], undefined);
    }
  });

test('a reader who demands a position is not answered from a cache', async () => {
  const position = await daybook.readModel.checkpoint();
  const { headers } = await daybook.get('/events', 'anonymous', { 'x-daybook-position': position });
  assert.not.match(headers['cache-control'] ?? '', /public/);
});

test('pages are kept no longer than until the next event starts or ends', async () => {
  daybook.clock.at = NOON + 100;
  await daybook.created('editor', 'events', {
    title: 'Soon',
    start_date: '2026-11-20 12:05:00',
    end_date: '2026-11-20 12:06:00',
  });
  assert.is((await daybook.get('//')).headers['cache-control'], shared(200));
  assert.is((await daybook.get('/events')).headers['cache-control'], shared(12 * HOUR - 100));
  daybook.clock.at = NOON + 12 * HOUR - 5;
  assert.is((await daybook.get('/events')).headers['cache-control'], shared(5));
});

test('far from such an instant caches may go on for half a minute while they ask', async () => {
  const brief = await startTestService({ environment: { DAYBOOK_CACHE_SECONDS: '60' } });
  const expected = 'public, max-age=0, s-maxage=60, stale-while-revalidate=30, stale-if-error=86400';
  assert.is((await brief.get('/events')).headers['cache-control'], expected);
  await brief.close();
});

test('an answer with more names than fit is forgotten at every change', async () => {
  const organizers = Array.from({ length: 110 }, (_, index) => ({ organizer: `Club ${index}` }));
  const large = await daybook.created('editor', 'events', { ...someEvent(), organizer: organizers });
  const names = (await daybook.get(`/events/${large.id}`)).headers['surrogate-key']?.split(' ') ?? [];
  assert.equal(names.slice(0, 2), ['list', `event-${large.id}`]);
  assert.is(names.length, 100);
});

test('what is read for the public depends on credentials, with or without the setting', async () => {
  const created = await unset.created('editor', 'events', someEvent());
  for (const [service, id] of [
    [daybook, event.id],
    [unset, created.id],
  ] as const)
    for (const target of ['/events', `/events/${id}`, `/events/${id}/ical`, '/venues', '/categories', '/events/4711'])
      assert.match((await service.get(target)).headers.vary ?? '', /Authorization/, target);
});

test('without the setting nothing is for shared caches', async () => {
  for (const target of ['/events', '/events/1', '/events.ics', '//']) {
    const { headers } = await unset.get(target);
    assert.not.match(headers['cache-control'] ?? '', /public|no-store/);
    assert.is(headers['surrogate-key'], undefined);
  }
});

test.after(async () => {
  await daybook.close();
  await unset.close();
});

test.run();
