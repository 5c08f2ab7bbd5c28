// Calendars over HTTP, read by another reader and compared with the JSON of the same query.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type As, type Body, NOON, startTestService, type TestService } from '../support/service.ts';
import { ask } from '../unit/http/feeds/feed-client.ts';
import { type ReadEvent, readCalendar } from '../unit/http/feeds/ical-reader.ts';
import { type SampleCalendar, SECRET, startSampleCalendar } from '../unit/http/feeds/sample-calendar.ts';

let daybook: TestService;
let ids: SampleCalendar['ids'];
const test = suite('calendars over HTTP');

test.before(async () => {
  ({ daybook, ids } = await startSampleCalendar());
});
test.before.each(() => {
  daybook.clock.at = NOON;
});
test.after(() => daybook.close());

const calendarOf = async (query = '', as: As = 'anonymous') => {
  const answer = await ask(daybook, `/events.ics${query}`, as);
  assert.is(answer.status, 200, answer.text);
  return readCalendar(answer.text);
};

const listed = async (query = '', as: As = 'anonymous'): Promise<Body[]> => {
  const { body, text } = await daybook.get(`/events${query}${query === '' ? '?' : '&'}per_page=50`, as);
  assert.ok(body.events, text);
  return body.events;
};

const secondsOf = (utc: string): number => Date.parse(`${utc.replace(' ', 'T')}Z`) / 1000;

/** HTML as plain text, as far as these tests write any. */
const plain = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

function assertSame(told: ReadEvent, event: Body): void {
  assert.is(told.value('uid'), `event-${event.id}@cal.example`);
  assert.is(told.value('url'), event.url);
  if (!event.title.includes('script')) assert.is(told.value('summary'), plain(event.title));
  assert.is(told.isDate, event.all_day === true, event.title);
  if (event.all_day === true) {
    assert.is(told.startsAt, secondsOf(`${event.start_date.slice(0, 10)} 00:00:00`));
    assert.is(told.endsAt, secondsOf(event.end_date) + 1);
  } else {
    assert.is(told.startsAt, secondsOf(event.utc_start_date), event.title);
    assert.is(told.endsAt, secondsOf(event.utc_end_date), event.title);
  }
  const names = [...event.categories, ...event.tags].map(({ name }: Body) => plain(name));
  assert.equal(told.component.getFirstProperty('categories')?.getValues() ?? [], names);
  const { venue } = event;
  const address = Array.isArray(venue)
    ? ''
    : [plain(venue.venue), venue.address, venue.zip, venue.city, venue.country].filter(Boolean).join(', ');
  assert.is(told.value('location'), address);
  assert.is(told.value('last-modified'), `${event.modified_utc.replace(' ', 'T')}Z`);
}

const QUERIES = [
  '',
  '?start_date=2027-02-01&end_date=2027-06-30',
  '?categories=jazz',
  '?tags=late,none-such',
  '?search=set',
  '?geoloc_lat=53.8&geoloc_lng=-1.5&geoloc_radius=100',
  '?starts_after=2027-06-15',
  '?featured=1',
];

for (const query of QUERIES)
  test(`the calendar of events.ics${query} is the list of the same query`, async () => {
    const asked = query === '?tags=late,none-such' ? '?tags=late' : query;
    const [{ events }, list] = [await calendarOf(asked), await listed(asked)];
    assert.is(events.length, list.length);
    for (const [index, told] of events.entries()) assertSame(told, list[index]);
    if (query === '') assert.is(list.length, 10);
  });

test('an included event is listed whenever it is, in the order of the list', async () => {
  const query = `?include=${ids.Kolkata},${ids.Berlin}`;
  const [{ events }, list] = [await calendarOf(query), await listed(query)];
  assert.is(events.length, 2);
  for (const [index, told] of events.entries()) assertSame(told, list[index]);
});

test('pages do not apply', async () => {
  const { events } = await calendarOf('?per_page=2&page=3');
  assert.is(events.length, 10);
});

test('zones that are used are described, and no others', async () => {
  assert.equal((await calendarOf()).zones, [
    ...['Africa/Casablanca', 'America/New_York', 'Asia/Kolkata', 'Europe/Berlin'],
  ]);
  const { zones } = await calendarOf('?start_date=2027-01-20&end_date=2027-02-10');
  assert.equal(zones, [], 'whole days have no zone');
});

test('all fields of an event are included', async () => {
  const { events } = await calendarOf(`?include=${ids.Berlin}`);
  const [told] = events;
  assert.is(told?.value('description'), 'First set at eight.\n\nSecond; “later”, in the hall\\garden 😀');
  assert.is(told?.value('location'), 'North “Hall” & Garden, 1 Mill Lane; rear, LS1 1AA, Leeds, United Kingdom');
  assert.equal(told?.component.getFirstPropertyValue('geo'), [53.8, -1.55]);
  assert.is(told?.value('organizer'), 'mailto:g@a.example');
  assert.is(told?.value('contact'), 'Host, 0113');
  assert.is(told?.value('attach'), 'https://pics.example/a.png');
  assert.is(told?.value('sequence'), '1');
});

test('an event under a password is masked', async () => {
  const { text } = await ask(daybook, `/events.ics?include=${ids['Under a password']}`);
  const [told] = readCalendar(text).events;
  assert.is(told?.value('summary'), 'Under a password');
  assert.is(told?.isDate, false, 'that it takes whole days is not told');
  assert.is(told?.startsAt, Date.UTC(2027, 8, 1, 4) / 1000);
  for (const secret of ['friends', 'Mill', 'Guild', 'Secret', 'secret.png', 'GEO']) assert.not.match(text, secret);
  for (const format of ['rss', 'atom']) {
    const feed = await ask(daybook, `/events.${format}?password=${encodeURIComponent(SECRET)}`);
    assert.match(feed.text, 'Under a password');
    for (const secret of ['friends', 'Secret', 'secret.png']) assert.not.match(feed.text, secret);
  }
});

test('with the password the reader gets all of it, and no shared cache does', async () => {
  const query = `include=${ids['Under a password']}&password=${encodeURIComponent(SECRET)}`;
  const { text, headers } = await ask(daybook, `/events.ics?${query}`);
  assert.is(headers['cache-control'], 'private, no-cache');
  const [told] = readCalendar(text).events;
  assert.ok(told?.isDate);
  assert.is(told?.value('description'), 'Only for friends.');
  const masked = await ask(daybook, `/events.ics?include=${ids['Under a password']}`);
  assert.is.not(masked.headers.etag, headers.etag);
  const wrong = await ask(daybook, `/events.ics?include=${ids['Under a password']}&password=wrong`);
  assert.not.match(wrong.text, 'friends');
});

test('unpublished events are only for editors', async () => {
  const titles = async (query: string, as: As) =>
    (await calendarOf(query, as)).events
      .map((event) => event.value('summary'))
      .filter((title) => /^(Draft|Private|Trashed|Hidden)$/.test(title));
  assert.equal(await titles('', 'anonymous'), []);
  assert.equal(await titles('', 'subscriber'), []);
  assert.equal((await titles('', 'editor')).sort(), ['Draft', 'Private']);
  assert.equal(await titles('?status=draft', 'editor'), ['Draft']);
  assert.equal(await titles('?status=trash', 'editor'), ['Trashed']);
  assert.is((await ask(daybook, '/events.ics?status=draft')).status, 400);
  const editors = await ask(daybook, '/events.ics', 'editor');
  assert.match(editors.headers['cache-control'] ?? '', 'no-store');
});

test('one event is its calendar, by the rights of a single read', async () => {
  const { text, status, headers } = await ask(daybook, `/events/${ids.Berlin}.ics`);
  assert.is(status, 200);
  assert.is(headers['content-type'], 'text/calendar; charset=utf-8');
  assert.is(headers['content-disposition'], `inline; filename="event-${ids.Berlin}.ics"`);
  const [told] = readCalendar(text).events;
  assertSame(told as ReadEvent, (await daybook.get(`/events/${ids.Berlin}`)).body);
  const refused = async (name: string, as: As = 'anonymous') => {
    const one = await ask(daybook, `/events/${ids[name]}.ics`, as);
    const json = await daybook.get(`/events/${ids[name]}`, as);
    assert.is(one.status, json.status);
    assert.is(one.headers['content-type'], 'application/json; charset=UTF-8');
    return JSON.parse(one.text).code === json.body.code && json.body.code;
  };
  assert.is(await refused('Draft'), 'event-not-accessible');
  assert.is(await refused('Trashed', 'editor'), 'event-no-longer-available');
  assert.is(await refused('Under a password'), 'event-password-protected');
  assert.is(await refused('venue'), 'rest-invalid-event-id');
  assert.is((await ask(daybook, '/events/99999.ics')).status, 404);
  assert.is((await ask(daybook, `/events/${ids.Draft}.ics`, 'editor')).status, 200);
  assert.is((await ask(daybook, `/events/${ids.Hidden}.ics`)).status, 200);
  const opened = await ask(daybook, `/events/${ids['Under a password']}.ics?password=${encodeURIComponent(SECRET)}`);
  assert.match(opened.text, 'DTSTART;VALUE=DATE:20270901');
});

test('a calendar without events is one', async () => {
  const { component, events } = await calendarOf('?search=nowhere+to+be+found');
  assert.is(events.length, 0);
  assert.is(component.getFirstPropertyValue('x-wr-calname'), 'cal.example');
});

test('a page and the calendar that it offers have the same events, until they have ended', async () => {
  const service = await startTestService();
  const make = (title: string, start: string, end: string, fields: object = {}) =>
    service.created('editor', 'events', { ...fields, title, start_date: start, end_date: end });
  const art = await service.created('editor', 'categories', { name: 'Art' });
  const hall = { venue: 'Hall', status: 'publish' };
  await make('Exhibition', '2026-10-01 10:00', '2027-01-31 18:00', { categories: [art.id], venue: hall });
  await make('Ended this morning', '2026-11-20 08:00', '2026-11-20 09:00', { categories: [art.id] });
  await make('Going on', '2026-11-20 11:00', '2026-11-20 13:00', { categories: [art.id] });
  await make('In three years', '2029-11-20 11:00', '2029-11-20 13:00', { venue: hall });
  for (const [at, path, titles] of [
    [NOON, '/', ['Exhibition', 'Going on', 'In three years']],
    [NOON, '/events/category/art/', ['Exhibition', 'Going on']],
    [NOON, '/venue/hall/', ['Exhibition', 'In three years']],
    [NOON + 7_200, '/', ['Exhibition', 'In three years']],
    [NOON + 10 * 86_400, '/', ['Exhibition', 'In three years']],
    [NOON + 80 * 86_400, '/', ['In three years']],
  ] as const) {
    service.clock.at = at;
    const { text } = await service.get(`/${path}`);
    const shown = [...text.matchAll(/class="title" href="[^"]*">([^<]*)</g)].map(([, title]) => title);
    assert.equal(shown, titles, path);
    const [, calendar = ''] = /href="webcal:\/\/cal\.example([^"]*)"/.exec(text) ?? [];
    const { events } = readCalendar((await service.get(`/${calendar.replaceAll('&amp;', '&')}`)).text);
    assert.equal(events.map((event) => event.value('summary')).sort(), [...titles].sort(), `${path} ${calendar}`);
  }
  await service.close();
});

test('self and id of a filtered feed keep the filter, and nothing else that was sent', async () => {
  const kept = `categories%5B%5D=${ids.category ?? 1}&search=a+b&is_free=true&series=5`;
  for (const format of ['atom', 'rss']) {
    const { status, text } = await ask(daybook, `/events.${format}?${kept}&password=x&utm_source=y`);
    assert.is(status, 200, text);
    const address = `/events.${format}?${kept.replaceAll('&', '&amp;')}`;
    const self = /<(?:atom:)?link[^>]*rel="self"[^>]*>/.exec(text)?.[0] ?? '';
    assert.ok(self.includes(`${address}"`), self);
    if (format === 'atom') assert.ok(text.includes(`${address}</id>`), text.slice(0, 400));
  }
});

test.run();
