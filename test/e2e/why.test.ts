import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type As, type Body, NOON, someEvent, startTestService } from '../support/service.ts';

const test = suite('why an event is in a list');
const daybook = await startTestService({ environment: { DAYBOOK_TIMEZONE: 'Europe/Berlin' } });

const iso = (at: number): string => new Date(at * 1000).toISOString().replace('.000Z', 'Z');
const hall = await daybook.created('editor', 'venues', { venue: 'Hall', geo_lat: 52.5, geo_lng: 13.4 });
const secretHall = await daybook.created('editor', 'venues', { venue: 'Secret Hall', status: 'private' });
const music = await daybook.created('editor', 'categories', { name: 'Music' });
const jazz = await daybook.created('editor', 'categories', { name: 'Jazz', parent: music.id });

const EVENTS: readonly object[] = [
  {},
  { title: 'Jazz night', categories: [jazz.id], venue: [hall.id] },
  { title: 'Over', start_date: '2026-11-01 20:00', end_date: '2026-11-01 22:00' },
  { title: 'Far ahead', start_date: '2030-11-01 20:00', end_date: '2030-11-01 22:00' },
  { title: 'Hidden', hide_from_listings: true },
  { title: 'Locked jazz', password: 'sesame', venue: [hall.id] },
  { title: 'Draft', status: 'draft' },
  { title: 'Private', status: 'private', categories: [music.id] },
  { title: 'In a secret place', venue: [secretHall.id] },
  { title: 'Pinned', featured: true, excerpt: 'Not jazz at all' },
];
const events: Body[] = [];
for (const members of EVENTS) {
  const author = daybook.userId(events.length % 2 === 0 ? 'author' : 'editor');
  events.push(await daybook.created('administrator', 'events', someEvent({ author, ...members })));
}
const idOf = (title: string): number => events.find((event) => event.title === title)?.id;

const LISTS = [
  '',
  'search=jazz',
  'search=jazz+-night',
  'categories=music',
  `venue=${hall.id}`,
  `venue=${secretHall.id}`,
  'geoloc=1',
  'geoloc=0&search=a',
  'geoloc_lat=52.5&geoloc_lng=13.4&geoloc_radius=5',
  'featured=1',
  'featured=0&starts_after=2026-11-25',
  'ends_before=2026-11-30',
  'start_date=2020-01-01&end_date=2040-01-01&per_page=3&page=2',
  'strict_dates=1&start_date=2026-12-01 12:00:01',
  `include=${idOf('Over')},${idOf('Jazz night')}`,
  'status=publish',
];
const READERS: readonly As[] = ['anonymous', 'contributor', 'author', 'editor'];

const conditionsOf = ({ conditions }: Body): Body[] => conditions;
const unmet = (body: Body): string[] =>
  conditionsOf(body)
    .filter(({ passes }) => !passes)
    .map(({ condition }) => condition);

/** All pages of a list. */
async function idsOf(list: string, as: As): Promise<number[]> {
  const ids: number[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { status, body, text } = await daybook.get(`/events?${list.replace(/&page=\d+/, '')}&page=${page}`, as);
    assert.is(status, 200, text);
    ids.push(...body.events.map(({ id }: Body) => id));
    pages = body.total_pages;
  }
  return ids;
}

async function agrees(list: string, as: As): Promise<void> {
  const ids = await idsOf(list, as);
  for (const { id } of events) {
    const read = await daybook.get(`/events/${id}?context=edit`, as);
    const { status, body } = await daybook.get(`/events/${id}/why?${list}`, as);
    const what = `${as}: event ${id} in ?${list}`;
    if (read.status !== 200) {
      assert.equal([status, body], [read.status, read.body], what);
      continue;
    }
    assert.is(status, 200, what);
    const place = ids.indexOf(id) + 1;
    assert.is(body.listed, place > 0, `${what}: ${body.summary}`);
    assert.is(body.place, place || null, what);
    assert.is(body.total, ids.length, what);
    assert.is(body.listed, unmet(body).filter((condition) => condition !== 'page').length === 0, what);
    const perPage = Number(/per_page=(\d+)/.exec(list)?.[1] ?? 10);
    if (place > 0) assert.is(body.page, Math.ceil(place / perPage), what);
    const page = await daybook.get(`/events?${list}`, as);
    const shown = page.status === 200 && page.body.events.some((event: Body) => event.id === id);
    assert.is(body.on_page, shown, what);
  }
}

for (const as of READERS)
  test(`${as}: the answer agrees with the list, and without rights it is that of a read`, async () => {
    for (const list of LISTS) await agrees(list, as);
  });

test('the answer for a role is what that role is shown', async () => {
  for (const list of LISTS) {
    const ids = await idsOf(list, 'anonymous');
    for (const { id } of events) {
      const { body } = await daybook.get(`/events/${id}/why?${list}&role=public`, 'editor');
      assert.is(body.listed, ids.includes(id), `event ${id} in ?${list}: ${body.summary}`);
      assert.is(body.total, ids.length);
      assert.is(body.role, 'public');
    }
  }
});

test('a role may be chosen by callers with its rights', async () => {
  const ROLES = ['administrator', 'editor', 'author', 'contributor', 'subscriber', 'public'];
  for (const [index, as] of [...ROLES.slice(0, -1), 'anonymous'].entries())
    for (const role of ROLES) {
      const { status, body } = await daybook.get(`/events/${idOf('Jazz night')}/why?role=${role}`, as as As);
      const allowed = ROLES.slice(index);
      assert.is(status, allowed.includes(role) ? 200 : 400, `${as} for ${role}`);
      if (status === 400) assert.is(body.data.params.role, `role must be one of ${allowed.join(', ')}.`);
    }
});

test('an author of a private event learns that the public does not see it', async () => {
  const own = events.find(({ title }) => title === 'Draft');
  const { body } = await daybook.get(`/events/${own.id}/why?role=public`, 'author');
  assert.equal(unmet(body), ['status']);
  assert.is(
    conditionsOf(body)[1].sentence,
    'Its status is draft; this list shows the reader status=publish. Change the status of the event, or ask for status=draft as a user who may see it.',
  );
});

test('the default window is in the zone of the list', async () => {
  const { body } = await daybook.get(`/events/${idOf('Over')}/why`);
  assert.is(body.summary, 'The event is not in this list. What it does not meet: start_date.');
  assert.is(
    conditionsOf(body).find(({ condition }) => condition === 'start_date').sentence,
    'It starts at 2026-11-01 20:00:00 (Europe/Berlin); start_date asks for 2026-11-19 00:00:00 or later. This is the default of start_date: send another date, or move the event.',
  );
});

test('a hidden venue is neither named nor distinguishable from another one', async () => {
  const id = idOf('In a secret place');
  const { text, body } = await daybook.get(`/events/${id}/why?venue=${secretHall.id}`);
  const other = await daybook.get(`/events/${id}/why?venue=${hall.id}`);
  assert.not.match(text, /Secret Hall/);
  const neutral = (told: string) =>
    told.replaceAll(`venue=${secretHall.id}`, 'venue=').replaceAll(`venue=${hall.id}`, 'venue=');
  assert.equal(conditionsOf(JSON.parse(neutral(text))), conditionsOf(JSON.parse(neutral(other.text))));
  assert.equal(unmet(body), ['venue']);
});

test('protected content is not revealed by a search', async () => {
  const id = idOf('Locked jazz');
  assert.is((await daybook.get(`/events/${id}/why?search=jazz`)).body.code, 'event-password-protected');
  const { body } = await daybook.get(`/events/${id}/why?search=jazz&password=sesame`);
  assert.equal(unmet(body), ['password']);
  assert.not.ok(conditionsOf(body).some(({ condition }) => condition === 'search'));
  assert.is((await daybook.get(`/events/${id}/why?search=jazz`, 'editor')).body.listed, true);
});

test('as of an instant, an event that was not public then reveals nothing else', async () => {
  daybook.clock.at = NOON + 60;
  const event = await daybook.created('editor', 'events', someEvent({ title: 'Late', status: 'draft' }));
  const before = iso(daybook.clock.at);
  daybook.clock.at += 60;
  await daybook.request('editor', 'PUT', `/events/${event.id}`, { status: 'publish' });
  const after = iso(daybook.clock.at);
  for (const as of ['anonymous', 'editor'] as const) {
    const { body } = await daybook.get(`/events/${event.id}/why?search=late&as_of=${before}`, as);
    assert.equal(unmet(body), ['status']);
    assert.is(conditionsOf(body).length, 1);
    assert.match(conditionsOf(body)[0].sentence, `At ${before} it was not there or not public`);
    const later = await daybook.get(`/events/${event.id}/why?search=late&as_of=${after}`, as);
    assert.equal([later.body.listed, later.body.place, later.body.total], [true, 1, 1]);
  }
  daybook.clock.at = NOON;
});

test('what the list refuses is refused in the same words', async () => {
  const { id } = events[0];
  for (const list of [
    'status=draft',
    'categories=nothing',
    'page=0',
    'geoloc_lat=5',
    'as_of=2040-01-01',
    'venue=999',
  ]) {
    const [asked, listed] = [await daybook.get(`/events/${id}/why?${list}`), await daybook.get(`/events?${list}`)];
    assert.is(asked.status, 400, list);
    assert.equal(asked.body, listed.body);
  }
});

test('sentences are in the language of the reader', async () => {
  const { body, headers } = await daybook.get(`/events/${idOf('Hidden')}/why`, 'anonymous', {
    'accept-language': 'de',
  });
  assert.is(headers['content-language'], 'de');
  assert.is(
    conditionsOf(body)[0].sentence,
    'Sie ist vor allen Listen verborgen. hide_from_listings der Veranstaltung auf false setzen.',
  );
});

test('the service ends', () => daybook.close());

test.run();
