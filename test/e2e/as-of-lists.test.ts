import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EventStoreUnavailable } from '../../src/log/event-store.ts';
import {
  type Answer,
  type As,
  type Body,
  NOON,
  someEvent,
  startTestService,
  type TestService,
} from '../support/service.ts';

const test = suite<{ daybook: TestService }>('lists as of an instant');

test.before.each(async (context) => {
  context.daybook = await startTestService({ environment: { DAYBOOK_TIMEZONE: 'Europe/Berlin' } });
});
test.after.each(({ daybook }) => daybook.close());

const iso = (at: number): string => new Date(at * 1000).toISOString().replace('.000Z', 'Z');
const codeOf = ({ status, body }: Answer): string => `${status} ${body?.code ?? ''}`;

/** Lets a minute pass, and answers the instant before. */
function later({ clock }: TestService): string {
  const before = iso(clock.at);
  clock.at += 60;
  return before;
}

async function put(daybook: TestService, target: string, body: object): Promise<void> {
  later(daybook);
  const { status, text } = await daybook.request('editor', 'PUT', target, body);
  assert.is(status, 200, text);
}

async function trash(daybook: TestService, target: string): Promise<void> {
  later(daybook);
  assert.is((await daybook.request('editor', 'DELETE', target)).status, 200);
}

const titles = ({ body }: Answer): string[] => body.events.map(({ title }: Body) => title);

async function titlesAt(daybook: TestService, at: string, filters = '', as: As = 'anonymous'): Promise<string[]> {
  const answer = await daybook.get(`/events?as_of=${at}${filters}`, as);
  assert.is(answer.status, 200, answer.text);
  assert.is(answer.body.total, answer.body.events.length, 'the total counts what is shown');
  return titles(answer);
}

/** Without what says where it was asked. */
function content({ body }: Answer): Body {
  const { rest_url: _, next_rest_url: __, previous_rest_url: ___, ...rest } = body;
  return rest;
}

const LISTS = [
  '/events?',
  '/events?per_page=1&page=2',
  '/events?search=rehearsal',
  '/events?starts_after=tomorrow',
  '/events?strict_dates=1&ends_after=now',
  '/venues?',
  '/venues?only_with_upcoming=1',
  '/venues?has_events=0',
  '/organizers?',
  '/categories?hide_empty=0',
  '/tags?orderby=count&order=desc',
];

test('each list answers what it answered then', async ({ daybook }) => {
  const seen: { readonly at: string; readonly answers: readonly Answer[] }[] = [];
  const look = async () => {
    const answers = await Promise.all(LISTS.map((target) => daybook.get(target)));
    seen.push({ at: iso(daybook.clock.at), answers });
    daybook.clock.at += 86_400;
  };
  await look();
  const parent = await daybook.created('editor', 'categories', { name: 'Arts' });
  const category = await daybook.created('editor', 'categories', { name: 'Music', parent: parent.id });
  const members = {
    categories: [category.id],
    tags: 'free',
    venue: { venue: 'Hall' },
    organizer: { organizer: 'Choir' },
  };
  const first = await daybook.created('editor', 'events', someEvent(members));
  await look();
  const second = await daybook.created(
    'author',
    'events',
    someEvent({ title: 'Second', start_date: '2026-11-24 10:00:00', venue: first.venue.id }),
  );
  await look();
  await put(daybook, `/venues/${first.venue.id}`, { venue: 'Great Hall' });
  await put(daybook, `/categories/${category.id}`, { name: 'Concerts' });
  await look();
  await put(daybook, `/events/${second.id}`, { title: 'Rehearsal, closed', password: 'sesame' });
  await put(daybook, `/events/${first.id}`, { start_date: '2026-12-22 10:00:00', end_date: '2026-12-22 11:00:00' });
  await look();
  await daybook.created(
    'author',
    'events',
    someEvent({ title: 'Draft', status: 'draft', venue: { venue: 'Shed', status: 'draft' } }),
  );
  await daybook.created('author', 'events', someEvent({ title: 'Third' }));
  await look();
  for (const { at, answers } of seen) {
    const then = await Promise.all(
      LISTS.map((target) => daybook.get(`${target}&as_of=${at}`.replace('?&', '?'), 'editor')),
    );
    for (const [index, answer] of then.entries()) {
      const before = answers[index];
      assert.ok(before);
      assert.equal([answer.status, content(answer)], [before.status, content(before)], `${LISTS[index]} ${at}`);
    }
  }
});

test('"now" is the current instant, and links contain it', async ({ daybook }) => {
  await daybook.created('editor', 'events', someEvent());
  await daybook.created('editor', 'events', someEvent({ title: 'Another' }));
  const { body } = await daybook.get('/events?as_of=now&per_page=1');
  assert.is(body.total, 2);
  assert.match(body.rest_url, `as_of=${encodeURIComponent('2026-11-20T12:00:00Z')}`);
  assert.match(body.next_rest_url, `as_of=${encodeURIComponent('2026-11-20T12:00:00Z')}`);
  const next = await daybook.get(
    `//${new URL(body.next_rest_url).pathname.slice(1)}${new URL(body.next_rest_url).search}`,
  );
  assert.equal(next.body.events.length, 1);
  // Years later the default window is elsewhere; that of then is not.
  daybook.clock.at += 3 * 365 * 86_400;
  assert.equal((await daybook.get('/events')).body.total, 0);
  assert.equal((await titlesAt(daybook, iso(NOON))).length, 2);
  for (const [list, links] of [
    ['venues', 'rest_url'],
    ['organizers', 'rest_url'],
    ['categories', 'rest_url'],
    ['tags', 'rest_url'],
  ] as const) {
    const answer = await daybook.get(`/${list}?as_of=${NOON}`);
    assert.match(answer.body[links], 'as_of=2026-11-20T12%3A00%3A00Z', list);
  }
});

test('writes in the very second are included', async ({ daybook }) => {
  await daybook.created('editor', 'events', someEvent({ title: 'One' }));
  const now = iso(daybook.clock.at);
  assert.equal(await titlesAt(daybook, now), ['One']);
  const { id } = await daybook.created('editor', 'events', someEvent({ title: 'Two' }));
  assert.equal(await titlesAt(daybook, now), ['One', 'Two']);
  await put(daybook, `/events/${id}`, { title: 'Three' });
  assert.equal(await titlesAt(daybook, now), ['One', 'Two']);
  assert.equal(await titlesAt(daybook, iso(daybook.clock.at)), ['One', 'Three']);
});

test('posts closed since are listed only for readers of their history', async ({ daybook }) => {
  const ids: number[] = [];
  for (const title of ['Binned', 'Made private', 'Locked', 'Open'])
    ids.push((await daybook.created('author', 'events', someEvent({ title, tags: ['free'] }))).id);
  const then = later(daybook);
  const all = ['Binned', 'Made private', 'Locked', 'Open'];
  // Asked before and after: a calendar that is kept already must not go on showing it.
  assert.equal(await titlesAt(daybook, then), all);
  await trash(daybook, `/events/${ids[0]}`);
  assert.equal(await titlesAt(daybook, then), all.slice(1));
  await put(daybook, `/events/${ids[1]}`, { status: 'private' });
  assert.equal(await titlesAt(daybook, then), all.slice(2));
  await put(daybook, `/events/${ids[2]}`, { password: 'sesame' });
  assert.equal(await titlesAt(daybook, then), ['Open']);
  assert.equal(await titlesAt(daybook, then, '', 'subscriber'), ['Open']);
  assert.equal(await titlesAt(daybook, then, '', 'otherAuthor'), ['Open']);
  assert.equal(await titlesAt(daybook, then, '', 'author'), all);
  assert.equal(await titlesAt(daybook, then, '', 'editor'), all);
  const count = async (as: As) => (await daybook.get(`/tags?as_of=${then}`, as)).body.tags[0].count;
  assert.equal([await count('anonymous'), await count('editor')], [1, 4]);
  await put(daybook, `/events/${ids[1]}`, { status: 'publish' });
  assert.equal(await titlesAt(daybook, then), ['Made private', 'Open']);
});

test('venues, organizers and terms closed since are left out, and find nothing', async ({ daybook }) => {
  const { id, venue, organizer, categories } = await daybook.created(
    'editor',
    'events',
    someEvent({ venue: { venue: 'Safe house' }, organizer: { organizer: 'Choir' }, categories: ['Secret'] }),
  );
  const then = later(daybook);
  await put(daybook, `/venues/${venue.id}`, { status: 'private' });
  await trash(daybook, `/organizers/${organizer[0].id}`);
  await trash(daybook, `/categories/${categories[0].id}`);
  const open = await daybook.get(`/events?as_of=${then}`);
  const [event] = open.body.events;
  assert.equal([event.id, event.venue, event.organizer, event.categories], [id, [], [], []]);
  const total = async (target: string, as: As) => (await daybook.get(`${target}&as_of=${then}`, as)).body.total;
  for (const target of [
    `/events?venue=${venue.id}`,
    `/events?organizer=${organizer[0].id}`,
    `/events?categories=${categories[0].id}`,
    '/venues?search=safe',
    '/organizers?',
    `/categories?event=${id}`,
  ])
    assert.equal([await total(target, 'anonymous'), await total(target, 'editor')], [0, 1], target);
});

test('posts that were not public then are hidden from all', async ({ daybook }) => {
  const { id } = await daybook.created('author', 'events', someEvent({ title: 'Draft', status: 'draft' }));
  await daybook.created('author', 'events', someEvent({ title: 'Private', status: 'private' }));
  const then = later(daybook);
  await put(daybook, `/events/${id}`, { status: 'publish' });
  for (const as of ['anonymous', 'author', 'editor'] as const) assert.equal(await titlesAt(daybook, then, '', as), []);
});

test('filters of the past need not exist today', async ({ daybook }) => {
  const { id } = await daybook.created('editor', 'categories', { name: 'Music' });
  await daybook.created('editor', 'events', someEvent({ categories: [id] }));
  const then = later(daybook);
  await put(daybook, `/categories/${id}`, { slug: 'concerts', name: 'Concerts' });
  assert.equal(await titlesAt(daybook, then, '&categories=music'), ['Open rehearsal']);
  assert.equal(await titlesAt(daybook, then, '&categories=concerts'), []);
  assert.is(codeOf(await daybook.get('/events?categories=music')), '400 rest_invalid_param');
  for (const nothing of ['categories=nowhere', 'tags=77', 'venue=999', 'organizer=999', 'post_parent=999'])
    assert.equal(await titlesAt(daybook, then, `&${nothing}`), [], nothing);
  assert.is((await daybook.get(`/categories?as_of=${then}&parent=99&exclude=nothing`)).body.total, 0);
  assert.is((await daybook.get(`/venues?as_of=${then}&event=99`)).body.total, 0);
  for (const odd of ['venue=x', 'post_parent=0'])
    assert.is(codeOf(await daybook.get(`/events?as_of=${then}&${odd}`)), '400 rest_invalid_param', odd);
});

test('passwords open nothing of the past', async ({ daybook }) => {
  await daybook.created('editor', 'events', someEvent({ description: 'behind it', password: 'sesame' }));
  const then = later(daybook);
  for (const as of ['anonymous', 'editor'] as const) {
    const { body } = await daybook.get(`/events?as_of=${then}&password=sesame`, as);
    assert.equal([body.total, body.events[0].description], [1, '']);
  }
  assert.equal(await titlesAt(daybook, then, '&search=behind', 'editor'), []);
});

test('an instant that cannot be answered is refused in words that say why', async ({ daybook }) => {
  const refused = async (query: string, as: As = 'anonymous') => {
    const { status, body } = await daybook.get(`/${query}`, as);
    return `${status} ${body.code}: ${body.message}`;
  };
  for (const list of ['events', 'venues', 'organizers', 'categories', 'tags']) {
    assert.match(
      await refused(`${list}?as_of=2026-11-20T12:00:01Z`),
      '400 rest_invalid_param: Invalid parameter(s): as_of. 2026-11-20T12:00:01Z is in the future: it is 2026-11-20T12:00:00Z now.',
    );
    for (const unreadable of ['', 'soonish', '2026-02-30'])
      assert.match(await refused(`${list}?as_of=${unreadable}`), 'as_of. It cannot be read as a date and time.');
    assert.is(
      await refused(`${list}?as_of=2026-11-20T11:59:59Z`),
      '404 rest_not_there_then: 2026-11-20T11:59:59Z is before the first event, which was recorded at 2026-11-20T12:00:00Z. Ask for a later as_of.',
    );
  }
  for (const status of ['any', 'draft', 'publish,private'])
    assert.match(
      await refused(`events?as_of=now&status=${status}`, 'editor'),
      '400 rest_invalid_param: Invalid parameter(s): status.',
    );
  assert.is((await daybook.get('/venues?as_of=now&status=publish')).status, 200);
  assert.is(codeOf(await daybook.get('/events?as_of=now&page=2')), '404 event-archive-page-not-found');
});

test('a list of the past has an entity tag, and is not mixed up with the one of today', async ({ daybook }) => {
  const { id } = await daybook.created('editor', 'events', someEvent());
  const then = later(daybook);
  const target = `/events?as_of=${then}`;
  const first = await daybook.get(target);
  await put(daybook, `/events/${id}`, { title: 'Renamed' });
  const again = await daybook.get(target, 'anonymous', { 'if-none-match': String(first.headers.etag) });
  assert.is(again.status, 304);
  assert.equal(
    [titles(await daybook.get(target)), titles(await daybook.get('/events'))],
    [['Open rehearsal'], ['Renamed']],
  );
  assert.equal(titles(await daybook.get(target)), ['Open rehearsal']);
  await trash(daybook, `/events/${id}`);
  const closed = await daybook.get(target, 'anonymous', { 'if-none-match': String(first.headers.etag) });
  assert.equal([closed.status, closed.body.total], [200, 0]);
});

test('while the log is unavailable lists of the past answer 503', async () => {
  const fault = { isAway: false };
  const daybook = await startTestService({
    wrap: (stores) => ({
      ...stores,
      store: {
        ...stores.store,
        head: () => (fault.isAway ? Promise.reject(new EventStoreUnavailable('away')) : stores.store.head()),
      },
    }),
  });
  try {
    const now = iso(daybook.clock.at);
    await titlesAt(daybook, now);
    fault.isAway = true;
    const answer = await daybook.get(`/events?as_of=${now}`);
    assert.equal([codeOf(answer), answer.headers['retry-after']], ['503 rest_unavailable', '5']);
    fault.isAway = false;
    assert.equal(await titlesAt(daybook, now), []);
  } finally {
    await daybook.close();
  }
});

const connectionsOf = ({ service }: TestService): Promise<number> =>
  new Promise((resolve) => service.app.server.getConnections((_error, count) => resolve(count)));

test('more instants at once than can be made are refused with 503, and everything else goes on', async () => {
  let goOn = (): void => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const daybook = await startTestService({
    wrap: (stores) => ({
      ...stores,
      store: {
        ...stores.store,
        async *readByStream(options) {
          await held;
          yield* stores.store.readByStream(options);
        },
      },
    }),
  });
  try {
    daybook.clock.at += 100;
    const asked = Array.from({ length: 10 }, async (_, index) => ({
      index,
      ...(await daybook.get(`/events?as_of=${NOON + index}`)),
    }));
    // Nine of them wait, so the one that comes last is the only one with an answer.
    const { index: refused, status, body, headers } = await Promise.race(asked);
    assert.equal([status, body.code, headers['retry-after']], [503, 'rest_unavailable', '2']);
    assert.match(body.message, 'Too many lists of other instants are being made.');
    const same = daybook.get(`/venues?as_of=${NOON + (refused === 0 ? 1 : 0)}`);
    assert.is((await daybook.get('/events')).status, 200);
    goOn();
    const answers = await Promise.all([...asked.filter((_, index) => index !== refused), same]);
    assert.ok(answers.every((answer) => answer.status === 200));
  } finally {
    await daybook.close();
  }
});

test('instants that clients have stopped waiting for are not made', async () => {
  let goOn = (): void => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let reads = 0;
  const daybook = await startTestService({
    wrap: (stores) => ({
      ...stores,
      recentChanges: {
        ...stores.recentChanges,
        // Each of them begins with the index of now.
        async index() {
          reads += 1;
          await held;
          return stores.recentChanges.index();
        },
      },
    }),
  });
  const origin = await daybook.service.app.listen({ port: 0, host: '127.0.0.1' });
  const instants: number[] = [];
  const get = (index: number, signal?: AbortSignal): Promise<number> =>
    fetch(`${origin}/calendar/events/v1/events?as_of=${instants[index]}`, signal && { signal }).then(
      ({ status }) => status,
    );
  try {
    // Something was written before each of them: none is the same as another.
    for (let index = 0; index < 5; index++) {
      await daybook.created('editor', 'events', someEvent());
      daybook.clock.at += 10;
      instants.push(daybook.clock.at);
      daybook.clock.at += 10;
    }
    const first = get(0);
    while (reads === 0) await new Promise((resolve) => setImmediate(resolve));
    const impatient = new AbortController();
    const gone = [1, 2, 3].map((index) => get(index, impatient.signal).catch(() => 0));
    const patient = get(4);
    // Those that came before it wait in front of it, and are gone by the time that it is answered.
    while ((await connectionsOf(daybook)) < 5) await new Promise((resolve) => setImmediate(resolve));
    impatient.abort();
    await Promise.all(gone);
    while ((await connectionsOf(daybook)) > 2) await new Promise((resolve) => setImmediate(resolve));
    const readsOfOne = reads;
    goOn();
    assert.equal(await Promise.all([first, patient]), [200, 200]);
    assert.is(reads, 2 * readsOfOne);
  } finally {
    await daybook.close();
  }
});

test.run();
