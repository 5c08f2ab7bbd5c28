import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type As, type Body, NOON, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService }>('comparisons');

test.before(async (context) => {
  context.daybook = await startTestService();
});
test.before.each(({ daybook }) => {
  daybook.clock.at = NOON;
});
test.after(({ daybook }) => daybook.close());

/** Those that change what other comparisons look at. */
const alone = suite<{ daybook: TestService }>('comparisons in a calendar of their own');
alone.before.each(async (context) => {
  context.daybook = await startTestService();
});
alone.after.each(({ daybook }) => daybook.close());

const iso = (at: number): string => new Date(at * 1000).toISOString().replace('.000Z', 'Z');

async function put(daybook: TestService, target: string, body: object): Promise<void> {
  daybook.clock.at += 60;
  const { status, text } = await daybook.request('editor', 'PUT', target, body);
  assert.is(status, 200, text);
}

const changeOf = ({ changes }: Body, field: string): Body => changes.find((change: Body) => change.field === field);

test('two revisions differ field by field, texts by words, and both are rendered', async ({ daybook }) => {
  const hall = await daybook.created('editor', 'venues', { venue: 'Hall' });
  const { id } = await daybook.created('editor', 'events', someEvent({ description: '<p>Bring a coat.</p>' }));
  await put(daybook, `/events/${id}`, { title: 'Open concert' });
  await put(daybook, `/events/${id}`, { description: '<p>Bring a raincoat.</p>', venue: hall.id, cost: '5' });
  const { status, body, headers } = await daybook.get(`/events/${id}/compare?from=0`, 'editor');
  assert.is(status, 200);
  assert.equal(
    body.changes.map(({ field }: Body) => field),
    ['title', 'description', 'venue', 'cost', 'status'],
  );
  assert.equal(changeOf(body, 'title'), {
    field: 'title',
    before: 'Open rehearsal',
    after: 'Open concert',
    words: [
      { change: 'same', text: 'Open ' },
      { change: 'removed', text: 'rehearsal' },
      { change: 'added', text: 'concert' },
    ],
  });
  assert.equal(changeOf(body, 'venue'), { field: 'venue', before: [], after: [{ id: hall.id, venue: 'Hall' }] });
  const newest = body.to.revision;
  for (const side of ['from', 'to'] as const) {
    const read = await daybook.get(`/events/${id}?revision=${body[side].revision}`, 'editor');
    assert.equal(body[side].event, read.body, side);
    assert.is(body[side].actor.name, 'editor');
  }
  assert.is(headers.etag?.startsWith(`"${newest}`), true);
  const same = await daybook.get(`/events/${id}/compare?from=${newest}&to=${newest}`, 'editor');
  assert.equal(same.body.changes, []);
});

test('an instant names the state of that instant', async ({ daybook }) => {
  const { id } = await daybook.created('editor', 'events', someEvent());
  const before = iso(daybook.clock.at);
  await put(daybook, `/events/${id}`, { title: 'Second' });
  const between = iso(daybook.clock.at);
  await put(daybook, `/events/${id}`, { title: 'Third' });
  const { body } = await daybook.get(`/events/${id}/compare?from=${before}&to=${between}`, 'editor');
  assert.is(changeOf(body, 'title').after, 'Second');
  const { from, to } = body;
  const target = `/events/${id}/compare?from=${from.revision}&to=${to.revision}`;
  assert.equal(body, (await daybook.get(target, 'editor')).body);
});

test('a proposal is a side: the event as it would be now', async ({ daybook }) => {
  const { id } = await daybook.created('editor', 'events', someEvent());
  const propose = async (wish: object): Promise<number> =>
    (await daybook.request('contributor', 'POST', `/events/${id}/proposals`, wish)).body.id;
  const [title, cost] = [await propose({ title: 'Open concert' }), await propose({ cost: '5' })];
  await put(daybook, `/events/${id}`, { description: 'Bring a coat.' });
  const compare = (from: unknown, to: unknown, as: As = 'editor') =>
    daybook.get(`/events/${id}/compare?from=${from}&to=${to}`, as);
  const { body } = await compare(0, `proposal:${title}`);
  assert.equal(
    body.changes.map(({ field }: Body) => field),
    ['title', 'description', 'status'],
  );
  assert.equal([body.from.proposal, body.to.proposal, body.to.actor.name], [undefined, title, 'contributor']);
  const { body: read } = await daybook.get(`/events/${id}?proposal=${title}`, 'editor');
  assert.equal(body.to.event, read);
  const between = (await compare(`proposal:${title}`, `proposal:${cost}`)).body;
  assert.equal(
    between.changes.map(({ field, after }: Body) => [field, after]),
    [
      ['title', 'Open rehearsal'],
      ['cost', '$5'],
    ],
  );
  assert.is((await compare(0, `proposal:${title}`, 'contributor')).status, 403, 'the history is not theirs');
  const other = await daybook.created('editor', 'events', someEvent());
  const elsewhere = await daybook.get(`/events/${other.id}/compare?from=0&to=proposal:${title}`, 'editor');
  assert.equal([elsewhere.status, elsewhere.body.code], [404, 'rest_proposal_not_found']);
  await daybook.request('editor', 'POST', `/proposals/${title}/approve`, {});
  assert.is((await compare(0, `proposal:${title}`)).body.code, 'rest_proposal_closed');
});

test('a venue that the reader may not see is not named', async ({ daybook }) => {
  const secret = await daybook.created('editor', 'venues', { venue: 'Secret Hall', status: 'private' });
  const { id } = await daybook.created('author', 'events', someEvent());
  await put(daybook, `/events/${id}`, { venue: secret.id });
  const { text, body } = await daybook.get(`/events/${id}/compare?from=0`, 'author');
  assert.not.match(text, 'Secret Hall');
  assert.equal(changeOf(body, 'venue').after, [{ id: secret.id }]);
});

test('what names no two states is refused with what to send', async ({ daybook }) => {
  const { id } = await daybook.created('editor', 'events', someEvent());
  await put(daybook, `/events/${id}`, { title: 'Second' });
  const last = (await daybook.get(`/events/${id}/compare?from=0`, 'editor')).body.to.revision;
  const refused = async (query: string, as: As = 'editor') => {
    const { status, body } = await daybook.get(`/events/${id}/compare?${query}`, as);
    return `${status} ${body.code}: ${body.data.params?.from ?? body.data.params?.to ?? body.message}`;
  };
  assert.is(await refused(''), '400 rest_missing_callback_param: Missing parameter(s): from');
  assert.is(
    await refused(`from=${last}&to=0`),
    `400 rest_invalid_param: from is revision ${last}, which comes after revision 0 of to. Exchange the two.`,
  );
  assert.is(
    await refused('from=99'),
    `404 rest_revision_not_found: There is no revision 99: they run from 0 to ${last}. Ask for one of them.`,
  );
  assert.match(await refused('from=nonsense'), 'Neither a revision (a whole number) nor a date and time.');
  assert.match(await refused('from=0&to=2040-01-01', 'author'), 'is in the future');
  assert.match(await refused('from=2001-01-01'), '404 rest_not_there_then');
  assert.is((await daybook.get('/events/999/compare?from=0', 'editor')).body.code, 'rest-event-not-found');
});

const DERIVED = ['modified', 'modified_utc', 'count', 'urls', 'date_utc'];

/** Without what changes by itself. */
function plain(value: Body): Body {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => !DERIVED.includes(name));
  return Object.fromEntries(members.map(([name, member]) => [name, plain(member)]));
}

const whenAndWhere = (event: Body): string => {
  const { start_date, end_date, timezone, all_day } = event;
  const venues = [event.venue].flat().map(({ id, address, city }: Body) => [id, address ?? '', city ?? '']);
  return JSON.stringify([start_date, end_date, timezone, all_day, venues]);
};

async function listAsOf(daybook: TestService, at: string, filters: string, as: As): Promise<Map<number, Body>> {
  const { status, body, text } = await daybook.get(`/events?as_of=${at}&per_page=50&${filters}`, as);
  assert.is(status, 200, text);
  return new Map(body.events.map((event: Body) => [event.id, event]));
}

/** By hand: two lists, put beside one another. */
async function byHand(daybook: TestService, from: string, to: string, filters: string, as: As): Promise<string[]> {
  const [before, after] = [await listAsOf(daybook, from, filters, as), await listAsOf(daybook, to, filters, as)];
  const everything = 'start_date=2000-01-01&end_date=2040-01-01';
  const still = await daybook.get(`/events?as_of=${to}&per_page=50&${everything}`, as);
  const stillListed = new Set(still.body.events.map(({ id }: Body) => id));
  return [...new Set([...before.keys(), ...after.keys()])]
    .flatMap((id) => {
      const [former, present] = [before.get(id), after.get(id)];
      if (!former) return [`${id} added`];
      if (!present) return [`${id} ${stillListed.has(id) ? 'removed' : 'cancelled'}`];
      if (JSON.stringify(plain(former)) === JSON.stringify(plain(present))) return [];
      return [`${id} ${whenAndWhere(former) === whenAndWhere(present) ? 'changed' : 'moved'}`];
    })
    .sort();
}

async function compared(daybook: TestService, from: string, to: string, filters: string, as: As): Promise<string[]> {
  const found: string[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const target = `/events/compare?from=${from}&to=${to}&per_page=3&page=${page}&${filters}`;
    const { status, body, text } = await daybook.get(target, as);
    assert.is(status, 200, text);
    for (const { id, what, event, changes } of body.events) {
      found.push(`${id} ${what}`);
      assert.is(event.id, id);
      if (what === 'moved' || what === 'changed') assert.ok(changes.length > 0, text);
    }
    pages = body.total_pages;
    assert.is(
      Object.values<number>(body.totals).reduce((sum, count) => sum + count),
      body.total,
    );
    if (page === pages || pages === 0)
      for (const [what, count] of Object.entries(body.totals))
        assert.is(found.filter((one) => one.endsWith(` ${what}`)).length, count, what);
  }
  return found.sort();
}

const WINDOW = 'start_date=2026-01-01&end_date=2027-12-31';
const LISTS = [WINDOW, `${WINDOW}&search=jazz`, `${WINDOW}&categories=1`, `${WINDOW}&venue=1`, `${WINDOW}&featured=1`];

/** One change that an editor makes to a calendar of two venues, two categories and some events. */
const steps = fc.oneof(
  { arbitrary: fc.record({ do: fc.constant('create' as const), members: fc.record({}) }), weight: 2 },
  {
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      event: fc.nat(7),
      members: fc.record(
        {
          title: fc.constantFrom('Jazz', 'Talk', 'Walk'),
          start_date: fc.constantFrom('2026-12-01 10:00', '2027-06-01 10:00', '2028-06-01 10:00'),
          featured: fc.boolean(),
          categories: fc.constantFrom([], [1], [2], [1, 2]),
          venue: fc.constantFrom([], [1], [2]),
          status: fc.constantFrom('publish', 'publish', 'draft', 'private'),
          password: fc.constantFrom('', '', 'sesame'),
        },
        { requiredKeys: [] },
      ),
    }),
    weight: 6,
  },
  { arbitrary: fc.record({ do: fc.constant('trash' as const), event: fc.nat(7) }), weight: 1 },
  {
    arbitrary: fc.record({
      do: fc.constant('venue' as const),
      id: fc.constantFrom(1, 2),
      city: fc.constantFrom('A', 'B'),
    }),
    weight: 1,
  },
  {
    arbitrary: fc.record({
      do: fc.constant('rename' as const),
      id: fc.constantFrom(1, 2),
      name: fc.constantFrom('X', 'Y'),
    }),
    weight: 1,
  },
  {
    arbitrary: fc.record({
      do: fc.constant('close' as const),
      id: fc.constantFrom(1, 2),
      status: fc.constantFrom('private', 'publish'),
    }),
    weight: 1,
  },
);

async function carryOut(daybook: TestService, step: Body, ids: number[]): Promise<void> {
  daybook.clock.at += 60;
  const id = ids[step.event % Math.max(1, ids.length)];
  const edit = (target: string, body: object) => daybook.request('editor', 'PUT', target, body);
  if (step.do === 'create') ids.push((await daybook.created('editor', 'events', someEvent({ title: 'Jazz' }))).id);
  if (step.do === 'change') await edit(`/events/${id}`, step.members);
  if (step.do === 'trash') await daybook.request('editor', 'DELETE', `/events/${id}`);
  if (step.do === 'venue') await edit(`/venues/${step.id}`, { city: step.city });
  if (step.do === 'rename') await edit(`/categories/${step.id}`, { name: step.name });
  if (step.do === 'close') await edit(`/venues/${step.id}`, { status: step.status });
}

const RUNS = Number(process.env.DAYBOOK_PROPERTY_RUNS ?? 5);
const SEED = Number(process.env.DAYBOOK_PROPERTY_SEED ?? 20_270_314);

test('a list as of two instants differs as two lists do that are put beside one another', async () => {
  const property = fc.asyncProperty(
    fc.array(steps, { minLength: 4, maxLength: 24, size: 'max' }),
    fc.array(fc.tuple(fc.nat(30), fc.nat(30)), { minLength: 1, maxLength: 3 }),
    async (history, pairs) => {
      const daybook = await startTestService();
      try {
        for (const venue of ['Hall', 'Barn']) await daybook.created('editor', 'venues', { venue });
        for (const name of ['Music', 'Talks']) await daybook.created('editor', 'categories', { name });
        const ids: number[] = [];
        for (let count = 0; count < 4; count++)
          ids.push((await daybook.created('editor', 'events', someEvent({ title: 'Talk', categories: [1] }))).id);
        for (const step of history) await carryOut(daybook, step, ids);
        for (const [one, other] of pairs)
          for (const as of ['anonymous', 'editor', 'author'] as const)
            for (const filters of LISTS) {
              const instants = [one, other].sort((a, b) => a - b).map((at) => NOON + 60 * Math.min(at, history.length));
              const [from = '', to = ''] = instants.map(iso);
              const what = `${as} ${from} ${to} ${filters}`;
              assert.equal(
                await compared(daybook, from, to, filters, as),
                await byHand(daybook, from, to, filters, as),
                what,
              );
            }
      } finally {
        await daybook.close();
      }
    },
  );
  await fc.assert(property, { numRuns: RUNS, seed: SEED });
});

alone('what an event embeds belongs to it, but for counts and dates of modification', async ({ daybook }) => {
  const hall = await daybook.created('editor', 'venues', { venue: 'Hall', city: 'Here' });
  const choir = await daybook.created('editor', 'organizers', { organizer: 'Choir' });
  const arts = await daybook.created('editor', 'categories', { name: 'Arts' });
  const free = await daybook.created('editor', 'tags', { name: 'Free' });
  const made: Body = {};
  for (const [name, members] of Object.entries({
    venue: { venue: hall.id },
    organizer: { organizer: choir.id },
    categories: { categories: [arts.id] },
    tags: { tags: [free.id] },
  }))
    made[name] = (await daybook.created('editor', 'events', someEvent(members))).id;
  const from = iso(daybook.clock.at);
  await put(daybook, `/venues/${hall.id}`, { city: 'There' });
  await put(daybook, `/organizers/${choir.id}`, { organizer: 'Choirs' });
  await put(daybook, `/categories/${arts.id}`, { name: 'Art' });
  await put(daybook, `/tags/${free.id}`, { name: 'Free entry' });
  await put(daybook, `/events/${made.tags}`, { status: 'draft' });
  await put(daybook, `/events/${made.tags}`, { status: 'publish' });
  const { body } = await daybook.get(`/events/compare?from=${from}`);
  const told = body.events.map(({ id, what, changes }: Body) => [id, what, changes.map(({ field }: Body) => field)]);
  assert.equal(told, [
    [made.venue, 'moved', ['venue.city']],
    [made.organizer, 'changed', ['organizer.organizer']],
    [made.categories, 'changed', ['categories.name']],
    [made.tags, 'changed', ['tags.name']],
  ]);
});

alone('a list tells changed texts by words on request', async ({ daybook }) => {
  const hall = await daybook.created('editor', 'venues', { venue: 'Old Hall', description: 'By the sea' });
  const { id } = await daybook.created('editor', 'events', someEvent({ venue: hall.id }));
  const from = iso(daybook.clock.at);
  await put(daybook, `/events/${id}`, { title: 'Open concert', cost: '5' });
  await put(daybook, `/venues/${hall.id}`, { venue: 'New Hall' });
  const wordsOf = async (query: string): Promise<Body> => {
    const { body } = await daybook.get(`/events/compare?from=${from}&${query}`);
    return body.events[0].changes.map(({ field, words }: Body) => [field, words?.map(({ text }: Body) => text)]);
  };
  const told = [
    ['title', ['Open ', 'rehearsal', 'concert']],
    ['venue.venue', ['Old', 'New', ' Hall']],
    ['cost', undefined],
  ];
  const plainly = told.map(([field]) => [field, undefined]);
  const byField = (changes: Body) => changes.filter(([field]: Body) => told.some(([name]) => name === field));
  assert.equal(byField(await wordsOf('')), plainly);
  assert.equal(byField(await wordsOf('words=0')), plainly);
  assert.equal(byField(await wordsOf('words=true')), told);
  const { body } = await daybook.get(`/events/compare?from=${from}&words=1`);
  assert.match(body.rest_url, 'words=true');
});

test('the later instant decides which dates are default ones', async ({ daybook }) => {
  const { id } = await daybook.created('editor', 'events', someEvent());
  const from = iso(daybook.clock.at);
  daybook.clock.at += 86_400 * 60;
  assert.equal(
    (await daybook.get(`/events/compare?from=${from}`)).body.events,
    [],
    'it has taken place, which is no news',
  );
  await put(daybook, `/events/${id}`, { title: 'Too late' });
  assert.equal((await daybook.get(`/events/compare?from=${from}`)).body.total, 0);
});

alone('states closed since are compared only for readers of the history', async ({ daybook }) => {
  const { id } = await daybook.created('editor', 'events', someEvent());
  const from = iso(daybook.clock.at);
  await put(daybook, `/events/${id}`, { status: 'draft' });
  assert.equal((await daybook.get(`/events/compare?from=${from}`)).body.total, 0);
  const { body } = await daybook.get(`/events/compare?from=${from}`, 'editor');
  assert.equal(
    body.events.map(({ what, event }: Body) => [what, event.title]),
    [['cancelled', 'Open rehearsal']],
  );
  assert.equal(body.totals, { added: 0, removed: 0, moved: 0, changed: 0, cancelled: 1 });
});

test('invalid instants, and two in the wrong order, are refused', async ({ daybook }) => {
  await daybook.created('editor', 'events', someEvent());
  const now = iso(daybook.clock.at);
  const refused = async (query: string) => {
    const { status, body } = await daybook.get(`/events/compare?${query}`);
    return `${status} ${Object.values(body.data.params ?? {})[0] ?? body.message}`;
  };
  daybook.clock.at += 60;
  const later = iso(daybook.clock.at);
  assert.is(await refused(`from=${later}&to=${now}`), `400 ${later} comes after ${now}. Exchange from and to.`);
  assert.match(await refused('from=2040-01-01'), 'is in the future');
  assert.match(await refused('from=x'), 'cannot be read as a date');
  assert.match(await refused(`from=${now}&status=draft`), 'status must be publish');
  assert.match(await refused('from=2001-01-01'), '404 2001-01-01T00:00:00Z is before the first event');
  assert.match(await refused(`from=${now}&page=9`), '404 The list of events has fewer pages.');
});

test.run();
alone.run();
