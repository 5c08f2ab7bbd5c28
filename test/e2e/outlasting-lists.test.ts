// A cached list outlasts the writes that cannot touch it, and no other.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type As, type Body, someEvent, startTestService } from '../support/service.ts';
import { uncachedLists } from '../support/uncached.ts';

const test = suite('lists that outlast writes');

/** How many lists of events were read. */
let reads = 0;
/** How many of their events were shown as they had been kept. */
let recalled = 0;
const daybook = await startTestService({
  wrap: (stores) => ({
    ...stores,
    readModel: {
      ...stores.readModel,
      listEvents(query, recall) {
        reads += 1;
        return stores.readModel.listEvents(
          query,
          recall &&
            ((listed, state) => {
              const known = recall(listed, state);
              if (known !== undefined) recalled += 1;
              return known;
            }),
        );
      },
    },
  }),
});
const fresh = uncachedLists(daybook);

const created = (collection: string, body: object): Promise<Body> => daybook.created('administrator', collection, body);
const change = async (target: string, body: object): Promise<void> => {
  const { status } = await daybook.request('administrator', 'PATCH', target, body);
  assert.is(status, 200, target);
};
const remove = async (target: string): Promise<void> => {
  const { status } = await daybook.request('administrator', 'DELETE', target);
  assert.is(status, 200, target);
};

const music = await created('categories', { name: 'Music' });
const jazz = await created('categories', { name: 'Jazz', parent: music.id });
const sports = await created('categories', { name: 'Sports' });
const loud = await created('tags', { name: 'Loud' });
const hall = await created('venues', { venue: 'Hall' });
const park = await created('venues', { venue: 'Park' });
const club = await created('organizers', { organizer: 'Club' });
const on = (day: number) => ({ start_date: `2026-12-${day} 10:00:00`, end_date: `2026-12-${day} 12:00:00` });
const event = (members: object): Promise<Body> => created('events', someEvent(members));
const concert = await event({ title: 'Concert', ...on(10), categories: [jazz.id], venue: hall.id, organizer: club.id });
const encore = await event({ title: 'Encore', ...on(11), categories: [jazz.id] });
const finale = await event({ title: 'Finale', ...on(12), categories: [jazz.id], tags: [loud.id] });
const match = await event({ title: 'Match', ...on(20), categories: [sports.id], tags: [loud.id], venue: park.id });
const child = await event({ title: 'Half-time', ...on(20), post_parent: match.id });

interface Case {
  readonly write: string;
  readonly does: () => Promise<unknown>;
  readonly list: string;
  readonly as?: As;
  readonly outlasts: boolean;
}

const ALL = 'start_date=2026-01-01&end_date=2027-12-31';
const inMusic = `/events?categories=music&${ALL}`;
const firstOfMusic = `${inMusic}&per_page=1`;

const CASES: readonly Case[] = [
  // Another event.
  { write: 'a new event elsewhere', does: () => event({ ...on(24) }), list: inMusic, outlasts: true },
  {
    write: 'a new event of another venue',
    does: () => event({ venue: park.id }),
    list: `/events?venue=${hall.id}&${ALL}`,
    outlasts: true,
  },
  {
    write: 'a new event of another time',
    does: () => event({ ...on(28) }),
    list: '/events?start_date=2026-12-01&end_date=2026-12-15',
    outlasts: true,
  },
  { write: 'a draft', does: () => event({ status: 'draft' }), list: `/events?${ALL}`, outlasts: true },
  {
    write: 'a draft, for those who see it',
    does: () => event({ status: 'draft' }),
    list: `/events?status=any&${ALL}`,
    as: 'administrator',
    outlasts: false,
  },
  { write: 'a hidden event', does: () => event({ hide_from_listings: true }), list: `/events?${ALL}`, outlasts: true },
  {
    write: 'a new text elsewhere',
    does: () => change(`/events/${match.id}`, { description: 'Kick-off at ten' }),
    list: inMusic,
    outlasts: true,
  },
  // What enters, leaves, or moves within a list, on the page or behind it.
  {
    write: 'a new event in it',
    does: () => event({ ...on(13), categories: [jazz.id] }),
    list: firstOfMusic,
    outlasts: false,
  },
  {
    write: 'one that leaves from a later page',
    does: () => change(`/events/${finale.id}`, { categories: [sports.id] }),
    list: firstOfMusic,
    outlasts: false,
  },
  {
    write: 'one that comes back on a later page',
    does: () => change(`/events/${finale.id}`, { categories: [jazz.id] }),
    list: firstOfMusic,
    outlasts: false,
  },
  {
    write: 'one that is hidden on a later page',
    does: () => change(`/events/${finale.id}`, { hide_from_listings: true }),
    list: '/events?tags=loud&page=1&start_date=2026-01-01',
    outlasts: false,
  },
  {
    write: 'one that moves out of its dates',
    does: () => change(`/events/${encore.id}`, on(29)),
    list: '/events?start_date=2026-12-01&end_date=2026-12-15&per_page=1',
    outlasts: false,
  },
  { write: 'one that is deleted', does: () => remove(`/events/${encore.id}`), list: firstOfMusic, outlasts: false },
  {
    write: 'a new text in it',
    does: () => change(`/events/${concert.id}`, { description: 'Doors at nine' }),
    list: inMusic,
    outlasts: false,
  },
  {
    write: 'a new text behind its page',
    does: () => change(`/events/${match.id}`, { description: 'Kick-off at eleven' }),
    list: `/events?${ALL}&per_page=1`,
    outlasts: true,
  },
  {
    write: 'a new text that it finds as before',
    does: () => change(`/events/${concert.id}`, { description: 'Doors at ten' }),
    list: `/events?search=kick-off&${ALL}`,
    outlasts: true,
  },
  {
    write: 'a new text that it finds now',
    does: () => change(`/events/${concert.id}`, { description: 'Kick-off at ten' }),
    list: `/events?search=kick-off&${ALL}`,
    outlasts: false,
  },
  // What its events embed.
  {
    write: 'another venue',
    does: () => change(`/venues/${park.id}`, { venue: 'Stadium' }),
    list: inMusic,
    outlasts: true,
  },
  {
    write: 'its venue',
    does: () => change(`/venues/${hall.id}`, { venue: 'Great Hall' }),
    list: inMusic,
    outlasts: false,
  },
  {
    write: 'its organizer',
    does: () => change(`/organizers/${club.id}`, { organizer: 'Music Club' }),
    list: inMusic,
    outlasts: false,
  },
  {
    write: 'another category',
    does: () => change(`/categories/${sports.id}`, { description: 'Ball games' }),
    list: inMusic,
    outlasts: true,
  },
  {
    write: 'its category',
    does: () => change(`/categories/${jazz.id}`, { name: 'Free Jazz' }),
    list: inMusic,
    outlasts: false,
  },
  {
    write: 'the category above',
    does: () => change(`/categories/${music.id}`, { slug: 'musique' }),
    list: `/events?venue=${hall.id}&${ALL}`,
    outlasts: false,
  },
  {
    write: 'the number of events of its category',
    does: () => event({ ...on(30), categories: [jazz.id] }),
    list: '/events?start_date=2026-12-10&end_date=2026-12-10',
    outlasts: false,
  },
  {
    write: 'a tag that its events have now',
    does: () => change(`/tags/${loud.id}`, { name: 'Noisy' }),
    list: `/events?${ALL}&status=any`,
    as: 'administrator',
    outlasts: false,
  },
  {
    write: 'the parent of its event',
    does: () => change(`/events/${match.id}`, { post_parent: concert.id }),
    list: `/events?include=${child.id}&${ALL}`,
    outlasts: false,
  },
  // Filters that look at other resources.
  {
    write: 'coordinates of a venue',
    does: () => change(`/venues/${park.id}`, { geo_lat: 52.5, geo_lng: 13.4 }),
    list: `/events?geoloc=true&${ALL}`,
    outlasts: false,
  },
  {
    write: 'coordinates near by',
    does: () => change(`/venues/${hall.id}`, { geo_lat: 52.5, geo_lng: 13.4 }),
    list: `/events?geoloc_lat=52.5&geoloc_lng=13.4&${ALL}`,
    outlasts: false,
  },
  {
    write: 'a text that a search finds',
    does: () => change(`/events/${match.id}`, { description: 'A derby' }),
    list: `/events?search=derby&${ALL}`,
    outlasts: false,
  },
  {
    write: 'a series',
    does: () => event({ title: 'Course', ...on(15), recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } }),
    list: `/events?collapse=series&${ALL}`,
    outlasts: false,
  },
  {
    write: 'a user',
    does: () => daybook.request('administrator', 'POST', '/users', { login: 'new', role: 'author' }),
    list: `/events?${ALL}`,
    outlasts: true,
  },
];

for (const { write, does, list, as = 'anonymous', outlasts } of CASES)
  test(`${write}: ${list} ${outlasts ? 'outlasts it' : 'is made anew'}`, async () => {
    // What is asked for once is not kept.
    await daybook.get(list, as);
    await daybook.get(list, as);
    const before = reads;
    await daybook.get(list, as);
    assert.is(reads, before, 'it is not cached at all');
    await does();
    const expected = await fresh(as, list);
    const already = reads;
    const found = await daybook.get(list, as);
    assert.is(found.status, expected.status);
    assert.is(found.text, expected.text);
    assert.is(reads - already, outlasts ? 0 : 1);
    const { headers } = await daybook.get(list, as);
    assert.is(headers['x-daybook-position'], await daybook.readModel.checkpoint());
    // Lists that were never asked for show events that were.
    for (const perPage of [7, 8, 9]) {
      const another = `${list}&per_page=${perPage}`;
      assert.is((await daybook.get(another, as)).text, (await fresh(as, another)).text, another);
    }
  });

test('events that were listed lately were not read again for other lists', () =>
  assert.ok(recalled > 100, `${recalled}`));

test('with a write between any two requests, nineteen of twenty are still answered from the cache', async () => {
  const days = Array.from({ length: 20 }, (_, index) => `2027-03-${String(index + 1).padStart(2, '0')}`);
  const lists = days.map((day) => `/events?start_date=${day}&end_date=${day}`);
  for (const day of days) await event({ start_date: `${day} 10:00:00`, end_date: `${day} 11:00:00` });
  for (const list of [...lists, ...lists]) await daybook.get(list);
  const before = reads;
  for (const [index, day] of days.entries()) {
    await event({ start_date: `${day} 15:00:00`, end_date: `${day} 16:00:00`, title: `Second of day ${index}` });
    for (const list of lists) await daybook.get(list);
  }
  assert.is(reads - before, days.length);
});

test.after(() => daybook.close());

test.run();
