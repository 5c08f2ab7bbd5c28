// What lists tell of links between events and other resources: only what the reader may read of both counts.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type As, type Body, someEvent, startTestService } from '../support/service.ts';

const test = suite('rights on what events are linked to');
const daybook = await startTestService();

const ROLES: readonly As[] = ['anonymous', 'subscriber', 'otherContributor', 'contributor', 'author', 'editor'];
const LATER = '2027-06-01 09:00:00';

interface Linked {
  readonly id: number;
  readonly owner: As;
  readonly status: string;
  readonly isProtected: boolean;
  /** Ids of what it alone is linked to. */
  readonly venue: number;
  readonly organizer: number;
  readonly category: number;
  readonly tag: number;
}

/** An event with a category, a tag, a venue and an organizer of its own, all of them public. */
async function linkedEvent(owner: As, status: string, password = ''): Promise<Linked> {
  const name = `${status} of ${owner}${password}`;
  const category: number = (await daybook.created('editor', 'categories', { name: `c ${name}` })).id;
  const tag: number = (await daybook.created('editor', 'tags', { name: `t ${name}` })).id;
  const venue: number = (await daybook.created('editor', 'venues', { venue: `v ${name}` })).id;
  const organizer: number = (await daybook.created('editor', 'organizers', { organizer: `o ${name}` })).id;
  const members = {
    author: daybook.userId(owner),
    status: status === 'trash' ? 'publish' : status,
    categories: [category],
    tags: [tag],
    venue,
    organizer,
    ...(password === '' ? {} : { password }),
    ...(status === 'future' ? { date: LATER } : {}),
  };
  const { id } = await daybook.created('administrator', 'events', someEvent({ title: name, ...members }));
  if (status === 'trash') await daybook.request('administrator', 'DELETE', `/events/${id}`);
  return { id, owner, status, isProtected: password !== '', venue, organizer, category, tag };
}

const EVENTS: Linked[] = [];
for (const owner of ['contributor', 'author', 'editor'] as const) {
  for (const status of ['publish', 'future', 'draft', 'pending', 'private', 'trash'])
    EVENTS.push(await linkedEvent(owner, status));
  for (const status of ['publish', 'private']) EVENTS.push(await linkedEvent(owner, status, 'secret'));
}

/** Whether a reader may learn what an event is linked to; a password stays closed to all who may not edit the event. */
function mayLearn(role: As, { owner, status, isProtected }: Linked): boolean {
  if (status === 'trash') return false;
  if (role === 'editor') return true;
  const isOwn = role === owner;
  if (isProtected) return isOwn && (role === 'author' || (role === 'contributor' && status !== 'publish'));
  return status === 'publish' || isOwn;
}

const idsOf = async (target: string, role: As, collection: string): Promise<number[]> => {
  const { status, body, text } = await daybook.get(target, role);
  assert.is(status, 200, `${role} ${target} ${text}`);
  assert.is(body.total, body[collection].length, `${role} ${target}: the total counts nothing that is not shown`);
  return body[collection].map(({ id }: Body) => id);
};

const COLLECTIONS = ['categories', 'tags', 'venues', 'organizers'] as const;
const MEMBERS = { categories: 'category', tags: 'tag', venues: 'venue', organizers: 'organizer' } as const;

test('terms, venues and organizers of an event are listed for those who may read the event', async () => {
  for (const role of ROLES)
    for (const event of EVENTS)
      for (const collection of COLLECTIONS) {
        const expected = mayLearn(role, event) ? [event[MEMBERS[collection]]] : [];
        const names = collection === 'categories' || collection === 'tags' ? ['event', 'post'] : ['event'];
        for (const name of names) {
          const target = `/${collection}?${name}=${event.id}&hide_empty=0`;
          const what = `${role}: ${target} (${event.status} of ${event.owner}, ${event.isProtected})`;
          assert.equal(await idsOf(target, role, collection), expected, what);
        }
      }
});

test('has_events and only_with_upcoming count only events that the reader may read', async () => {
  for (const role of ROLES)
    for (const collection of ['venues', 'organizers'] as const) {
      const kind = MEMBERS[collection];
      const having = EVENTS.filter((event) => mayLearn(role, event));
      const settled = having.filter(({ status }) => status !== 'draft' && status !== 'pending');
      const posts = (some: readonly Linked[]) => some.map((event) => event[kind]).sort();
      const all = EVENTS.map((event) => event[kind]);
      const list = async (query: string) =>
        (await idsOf(`/${collection}?per_page=50&${query}`, role, collection)).sort();
      assert.equal(await list('has_events=1'), posts(settled), `${role} ${collection} with events`);
      const without = all.filter((id) => !posts(settled).includes(id)).sort();
      assert.equal(await list('has_events=0'), without, `${role} ${collection} without`);
      assert.equal(await list('only_with_upcoming=1'), posts(having), `${role} ${collection} with upcoming events`);
    }
});

test('counts of terms count what the public may read', async () => {
  for (const role of ROLES)
    for (const collection of ['categories', 'tags'] as const) {
      const { body } = await daybook.get(`/${collection}?per_page=50&hide_empty=0`, role);
      const open = EVENTS.filter(({ status, isProtected }) => status === 'publish' && !isProtected);
      const counted: number[] = body[collection].filter(({ count }: Body) => count > 0).map(({ id }: Body) => id);
      assert.equal(counted.sort(), open.map((event) => event[MEMBERS[collection]]).sort(), `${role} ${collection}`);
      const shown = await idsOf(`/${collection}?per_page=50`, role, collection);
      assert.equal(shown.sort(), counted, 'what has no count is left out');
    }
});

test('a list of the past reveals no more of closed events than today’s', async () => {
  const event = await linkedEvent('editor', 'publish', ' closed since');
  await daybook.request('editor', 'PATCH', `/events/${event.id}`, { password: '' });
  const guarded = await linkedEvent('editor', 'publish', ' opened since');
  const open = new Date(daybook.clock.at * 1000).toISOString();
  daybook.clock.at += 60;
  await daybook.request('editor', 'PATCH', `/events/${event.id}`, { status: 'private' });
  await daybook.request('editor', 'PATCH', `/events/${guarded.id}`, { password: '' });
  for (const { id } of [event, guarded])
    for (const collection of COLLECTIONS) {
      const target = `/${collection}?event=${id}&hide_empty=0&as_of=${open}`;
      assert.equal(await idsOf(target, 'anonymous', collection), [], target);
    }
  assert.equal(await idsOf(`/venues?has_events=1&as_of=${open}&per_page=50`, 'anonymous', 'venues'), [
    ...(await idsOf(`/venues?has_events=1&per_page=50`, 'anonymous', 'venues')).filter((id) => id !== guarded.venue),
  ]);
  const { body } = await daybook.get(`/categories/${guarded.category}?as_of=${open}`);
  assert.is(body.count, 0, 'a count of the past leaves out what a password hid');
});

for (const [status, owner] of [
  ['private', 'editor'],
  ['draft', 'contributor'],
  ['pending', 'author'],
] as const)
  test(`a ${status} venue or organizer reveals no event to a reader without rights`, async () => {
    const place = { geo_lat: 52.5, geo_lng: 13.4, address: 'Hidden Lane 7' };
    const author = daybook.userId(owner);
    const { id: venue } = await daybook.created('editor', 'venues', { venue: `home ${status}`, ...place });
    const { id: organizer } = await daybook.created('editor', 'organizers', { organizer: `host ${status}` });
    const { id } = await daybook.created('editor', 'events', someEvent({ title: `party ${status}`, venue, organizer }));
    for (const target of [`/venues/${venue}`, `/organizers/${organizer}`])
      assert.is((await daybook.request('administrator', 'PATCH', target, { status, author })).status, 200);
    const queries = [
      `venue=${venue}`,
      `organizer=${organizer}`,
      'geoloc=1',
      'geoloc_lat=52.5&geoloc_lng=13.4&geoloc_radius=1',
      'geoloc_lat=52.6&geoloc_lng=13.4&geoloc_radius=50',
    ];
    for (const role of ROLES) {
      const isSeen = role === 'editor' || role === owner;
      for (const query of queries) {
        const found = await idsOf(`/events?per_page=50&${query}`, role, 'events');
        assert.is(found.includes(id), isSeen, `${role}: ${query}`);
        const { service } = daybook;
        const authorization = role === 'anonymous' ? {} : { authorization: daybook.authorization(role) };
        const headers = { host: 'cal.example', ...authorization };
        const url = `/calendar/events/v1/events.ics?${query}`;
        const { payload } = await service.app.inject({ url, headers });
        assert.is(payload.includes(`party ${status}`), isSeen, `${role}: events.ics?${query}`);
      }
      const unplaced = await idsOf('/events?per_page=50&geoloc=0', role, 'events');
      assert.is(unplaced.includes(id), !isSeen, `${role}: geoloc=0`);
      const { text } = await daybook.get(`/events/${id}`, role);
      assert.is(text.includes('Hidden Lane'), isSeen, `${role}: the event itself`);
    }
  });

test.after(() => daybook.close());
test.run();
