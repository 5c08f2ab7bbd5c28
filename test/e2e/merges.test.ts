// Merging venues, organizers, categories and tags over HTTP: everything leads to the one that stays, and a revert takes
// it apart.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, type As, type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService }>('merges over HTTP');

test.before.each(async (context) => {
  context.daybook = await startTestService();
});
test.after.each(({ daybook }) => daybook.close());

const ROOT = 'http://cal.example/calendar/events/v1';
const codeOf = ({ status, body }: Answer): string => `${status} ${body.code ?? ''}`.trim();
const idsIn = (items: readonly Body[]): number[] => items.map(({ id }) => id);

interface Calendar {
  readonly stays: number;
  readonly goes: number;
  /** Published, draft, hidden, in the trash; the last one has both venues. */
  readonly events: readonly number[];
}

async function fill({ created, request }: TestService): Promise<Calendar> {
  const stays = await created('editor', 'venues', { venue: 'Town Hall', phone: '1' });
  const goes = await created('editor', 'venues', { venue: 'The Townhall', phone: '2' });
  const published = await created('editor', 'events', someEvent({ venue: goes.id }));
  const draft = await created('editor', 'events', someEvent({ venue: goes.id, status: 'draft' }));
  const hidden = await created('editor', 'events', someEvent({ venue: goes.id, hide_from_listings: true }));
  const trashed = await created('author', 'events', someEvent({ venue: goes.id }));
  await request('editor', 'DELETE', `/events/${trashed.id}`);
  const both = await created('editor', 'events', someEvent({ venue: [stays.id, goes.id] }));
  return { stays: stays.id, goes: goes.id, events: idsIn([published, draft, hidden, trashed, both]) };
}

const venuesOf = ({ body }: Answer): number[] => idsIn([body.venue].flat());

test('a dry run says what a merge would do, and changes nothing', async ({ daybook }) => {
  const { stays, goes, events } = await fill(daybook);
  const { body, status } = await daybook.request('editor', 'POST', `/venues/${goes}/merge`, {
    into: stays,
    dry_run: true,
  });
  assert.is(status, 200);
  assert.equal(
    [body.dry_run, body.kind, body.id, body.merged_into, body.url, body.events],
    [true, 'venue', goes, stays, `${ROOT}/venues/${stays}`, { count: 5, ids: events }],
  );
  assert.equal(body.differences, [
    { field: 'venue', goes: 'The Townhall', stays: 'Town Hall' },
    { field: 'phone', goes: '2', stays: '1' },
    { field: 'slug', goes: 'the-townhall', stays: 'town-hall' },
  ]);
  assert.is((await daybook.get(`/venues/${goes}`)).status, 200);
  assert.equal(venuesOf(await daybook.get(`/events/${events[0]}`)), [goes]);
});

test('every event is linked to the one that stays, whatever its status', async ({ daybook }) => {
  const { stays, goes, events } = await fill(daybook);
  const merged = await daybook.request('editor', 'POST', `/venues/${goes}/merge`, { into: 'town-hall' });
  assert.is(merged.status, 200, merged.text);
  assert.equal(merged.body.events, { count: 5, ids: events });
  const [published, draft, hidden, trashed, both] = events;
  for (const id of [published, draft, hidden, both])
    assert.equal(venuesOf(await daybook.get(`/events/${id}`, 'editor')), [stays]);
  await daybook.request('editor', 'PATCH', `/events/${trashed}`, { status: 'publish' });
  assert.equal(venuesOf(await daybook.get(`/events/${trashed}`)), [stays]);
  const wanted = idsIn((await daybook.get(`/events?venue=${stays}`)).body.events);
  assert.is(wanted.length, 3);
  assert.equal(idsIn((await daybook.get(`/events?venue=${goes}`)).body.events), wanted);
});

test('the merged one redirects by id and slug, and editors find it in the trash', async ({ daybook }) => {
  const { stays, goes } = await fill(daybook);
  await daybook.request('editor', 'POST', `/venues/${goes}/merge`, { into: stays });
  for (const path of [`/venues/${goes}`, '/venues/by-slug/the-townhall']) {
    const { status, headers, body } = await daybook.get(path);
    assert.equal([status, headers.location], [308, `${ROOT}/venues/${stays}`]);
    assert.equal([body.code, body.merged_into], ['rest_moved_permanently', stays]);
  }
  const { body } = await daybook.get('/venues?status=trash', 'editor');
  assert.equal(
    body.venues.map((venue: Body) => [venue.id, venue.merged_into]),
    [[goes, stays]],
  );
  const twin = await daybook.created('editor', 'venues', { venue: 'The Townhall!' });
  assert.is(twin.slug, 'the-townhall-2');
});

test('a reader who may not see the one that stays does not learn of it', async ({ daybook }) => {
  const stays = await daybook.created('editor', 'venues', { venue: 'Secret', status: 'private' });
  const goes = await daybook.created('editor', 'venues', { venue: 'Public' });
  await daybook.request('editor', 'POST', `/venues/${goes.id}/merge`, { into: stays.id });
  assert.is((await daybook.get(`/venues/${goes.id}`)).status, 403);
  assert.is((await daybook.get(`/venues/${goes.id}`, 'editor')).status, 308);
});

test('writes to the merged one are refused and name the one that stays; links to it lead there', async ({
  daybook,
}) => {
  const { stays, goes } = await fill(daybook);
  const third = await daybook.created('editor', 'venues', { venue: 'Third' });
  await daybook.request('editor', 'POST', `/venues/${goes}/merge`, { into: stays });
  for (const [method, path, body] of [
    ['PATCH', `/venues/${goes}`, { phone: '3' }],
    ['DELETE', `/venues/${goes}`, undefined],
    ['POST', `/venues/${goes}/merge`, { into: third.id }],
  ] as const) {
    const refused = await daybook.request('editor', method, path, body);
    assert.is(codeOf(refused), '409 rest_merged', path);
    assert.is(refused.body.data.merged_into, stays);
  }
  assert.equal(venuesOf({ body: await daybook.created('editor', 'events', someEvent({ venue: goes })) } as Answer), [
    stays,
  ]);
  const named = await daybook.created('editor', 'events', someEvent({ venue: { venue: 'The Townhall' } }));
  assert.equal(idsIn([named.venue].flat()), [stays]);
  await daybook.request('editor', 'POST', `/venues/${stays}/merge`, { into: third.id });
  assert.is((await daybook.get(`/venues/${goes}`)).headers.location, `${ROOT}/venues/${third.id}`);
});

test('what cannot be merged is refused, and nothing is written', async ({ daybook }) => {
  const { stays, goes } = await fill(daybook);
  const top = await daybook.created('editor', 'categories', { name: 'Music' });
  const child = await daybook.created('editor', 'categories', { name: 'Jazz', parent: top.id });
  const trashed = await daybook.created('editor', 'venues', { venue: 'Gone' });
  await daybook.request('editor', 'DELETE', `/venues/${trashed.id}`);
  const merged = await daybook.created('editor', 'venues', { venue: 'Merged' });
  await daybook.request('editor', 'POST', `/venues/${merged.id}/merge`, { into: stays });
  const before = await daybook.get('/changes?limit=1&order=desc', 'editor');
  const cases: readonly (readonly [path: string, into: number | string, code: string, why?: string])[] = [
    [`venues/${goes}`, goes, '409 rest_cannot_merge', 'itself'],
    [`venues/${goes}`, trashed.id, '409 rest_cannot_merge', 'in_trash'],
    [`venues/${trashed.id}`, stays, '409 rest_cannot_merge', 'in_trash'],
    [`venues/${goes}`, merged.id, '409 rest_cannot_merge', 'merged'],
    [`venues/${goes}`, 'no-such-venue', '400 rest_invalid_param'],
    [`venues/${goes}`, 9999, '400 rest_invalid_param'],
    [`venues/9999`, stays, '400 rest_invalid_param'],
    [`organizers/${goes}`, stays, '400 rest_invalid_param'],
    [`categories/${top.id}`, child.id, '409 rest_cannot_merge', 'below'],
  ];
  for (const [path, into, code, why] of cases) {
    const refused = await daybook.request('editor', 'POST', `/${path}/merge`, { into });
    assert.is(codeOf(refused), code, `${path} ${into}: ${refused.text}`);
    if (why) assert.is(refused.body.data.why, why);
  }
  assert.is((await daybook.get('/changes?limit=1&order=desc', 'editor')).text, before.text);
});

test('a merged category takes its children and events along; its id and slug still filter', async ({ daybook }) => {
  const stays = await daybook.created('editor', 'categories', { name: 'Concerts' });
  const goes = await daybook.created('editor', 'categories', { name: 'Gigs' });
  const child = await daybook.created('editor', 'categories', { name: 'Late', parent: goes.id });
  const event = await daybook.created('editor', 'events', someEvent({ categories: [goes.id] }));
  const both = await daybook.created('editor', 'events', someEvent({ categories: [goes.id, stays.id] }));
  const merged = await daybook.request('editor', 'POST', `/categories/${goes.id}/merge`, { into: stays.id });
  assert.is(merged.status, 200, merged.text);
  assert.is((await daybook.get(`/categories/${child.id}`)).body.parent, stays.id);
  assert.is((await daybook.get(`/categories/${stays.id}`)).body.count, 2);
  assert.is((await daybook.get(`/categories/${goes.id}`)).headers.location, `${ROOT}/categories/${stays.id}`);
  for (const named of [goes.id, 'gigs', stays.id])
    assert.equal(
      idsIn((await daybook.get(`/events?categories=${named}`)).body.events),
      idsIn([event, both]),
      String(named),
    );
  assert.is(
    codeOf(await daybook.request('editor', 'PATCH', `/categories/${goes.id}`, { name: 'x' })),
    '409 rest_merged',
  );
  const tagged = await daybook.created('editor', 'events', someEvent({ categories: ['Gigs'] }));
  assert.equal(idsIn(tagged.categories), [stays.id]);

  const reverted = await daybook.request('editor', 'POST', `/categories/${goes.id}/revert`, { revision: 0 });
  assert.is(reverted.status, 200, reverted.text);
  assert.is((await daybook.get(`/categories/${child.id}`)).body.parent, goes.id);
  assert.equal(idsIn((await daybook.get(`/events/${event.id}`)).body.categories), [goes.id]);
  assert.equal(
    idsIn((await daybook.get(`/events/${both.id}`)).body.categories).sort((one, other) => one - other),
    [stays.id, goes.id],
  );
  assert.is((await daybook.get(`/categories/${goes.id}`)).body.slug, 'gigs');
});

test('a revert takes a merge apart; events linked anew since stay as they are', async ({ daybook }) => {
  const { stays, goes, events } = await fill(daybook);
  const third = await daybook.created('editor', 'venues', { venue: 'Third' });
  const { body: history } = await daybook.get(`/venues/${goes}/history`, 'editor');
  const revision = history.history[0].revision;
  await daybook.request('editor', 'POST', `/venues/${goes}/merge`, { into: stays });
  const [published, draft, , , both] = events;
  await daybook.request('editor', 'PATCH', `/events/${draft}`, { venue: third.id });
  const reverted = await daybook.request('editor', 'POST', `/venues/${goes}/revert`, { revision });
  assert.is(reverted.status, 200, reverted.text);
  assert.equal([reverted.body.status, reverted.body.merged_into], ['publish', undefined]);
  assert.is((await daybook.get(`/venues/${goes}`)).body.slug, 'the-townhall');
  assert.equal(venuesOf(await daybook.get(`/events/${published}`)), [goes]);
  assert.equal(venuesOf(await daybook.get(`/events/${draft}`, 'editor')), [third.id]);
  assert.equal(venuesOf(await daybook.get(`/events/${both}`)), [stays, goes]);
});

test('the histories of both tell of it', async ({ daybook }) => {
  const { stays, goes } = await fill(daybook);
  await daybook.request('editor', 'POST', `/venues/${goes}/merge`, { into: stays });
  const newest = async (id: number) => (await daybook.get(`/venues/${id}/history`, 'editor')).body.history[0];
  assert.is((await newest(goes)).summary, `Merged into #${stays}.`);
  assert.is((await newest(stays)).summary, `#${goes} was merged into it.`);
});

/** Who may merge, and list what could be: those who may edit all of both, and all events. */
const MAY: { readonly [Who in As]?: string } = {
  administrator: '200',
  editor: '200',
  author: '403',
  contributor: '403',
  subscriber: '403',
  anonymous: '401',
};

test('only editors and administrators merge, and see duplicates', async ({ daybook }) => {
  for (const [role, wanted] of Object.entries(MAY)) {
    const as = role as As; // The keys of the table are roles.
    for (const [collection, name] of [
      ['venues', 'venue'],
      ['organizers', 'organizer'],
      ['categories', 'name'],
      ['tags', 'name'],
    ] as const) {
      const one = await daybook.created('administrator', collection, { [name]: `One ${role}` });
      const other = await daybook.created('administrator', collection, { [name]: `Other ${role}` });
      const merged = await daybook.request(as, 'POST', `/${collection}/${one.id}/merge`, { into: other.id });
      assert.is(String(merged.status), wanted, `${role} ${collection}`);
      assert.is(String((await daybook.get(`/${collection}/duplicates`, as)).status), wanted, `${role} ${collection}`);
    }
  }
});

test('duplicates have the same name, address or place, and say which', async ({ daybook }) => {
  const { created, get } = daybook;
  const one = await created('editor', 'venues', { venue: 'Café Central', geo_lat: 48.2101, geo_lng: 16.3655 });
  const near = await created('editor', 'venues', { venue: 'Cafe  Central!', geo_lat: 48.2104, geo_lng: 16.3655 });
  const far = await created('editor', 'venues', { venue: 'Harbour', address: 'Quay 1', city: 'Kiel' });
  const same = await created('editor', 'venues', { venue: 'Pier', address: 'QUAY 1', city: 'Kiel' });
  await created('editor', 'venues', { venue: 'Alone', geo_lat: 48.2111, geo_lng: 16.3655 });
  const { body } = await get('/venues/duplicates', 'editor');
  assert.equal(
    body.duplicates.map(({ reasons, resources }: Body) => [reasons, idsIn(resources)]),
    [
      [['name', 'place'], idsIn([one, near])],
      [['address'], idsIn([far, same])],
    ],
  );
  assert.is(body.duplicates[0].distance, 33);
  assert.equal([body.total, body.total_pages], [2, 1]);
  await daybook.request('editor', 'POST', `/venues/${near.id}/merge`, { into: one.id });
  assert.is((await get('/venues/duplicates', 'editor')).body.total, 1);
});

test.run();
