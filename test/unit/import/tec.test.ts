import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Desk, fixture, type Json, openDesk, parsedFixture, row } from './desk.ts';

const test = suite<{ desk: Desk }>('import of an events API');

test.before.each(async (context) => {
  context.desk = await openDesk();
});
test.after.each(({ desk }) => desk.close());

/** The fixture's list, with one event changed. */
function changedList(id: number, changes: Json): unknown {
  const list = parsedFixture('events.json') as { readonly events: readonly Json[] };
  return { ...list, events: list.events.map((event) => (event.id === id ? { ...event, ...changes } : event)) };
}

test('an export is shown again as it was', async ({ desk }) => {
  assert.is((await desk.run(fixture('events.json'))).code, 0);
  const { events } = parsedFixture('events.json') as { readonly events: readonly Json[] };
  for (const exported of events) {
    const shown = await desk.get(`/events/${String(exported.id)}`);
    for (const name of ['id', 'title', 'description', 'excerpt', 'slug', 'status', 'date_utc', 'image', 'all_day'])
      assert.equal(shown[name], exported[name], name);
    for (const name of ['start_date', 'end_date', 'timezone', 'website', 'show_map', 'show_map_link', 'sticky'])
      assert.equal(shown[name], exported[name], name);
    for (const name of ['hide_from_listings', 'featured', 'cost_details'])
      assert.equal(shown[name], exported[name], name);
    assert.is(shown.cost, String(exported.cost).replace('&#8211;', '–'));
  }
  const [exported] = events;
  const shown = await desk.get('/events/4101');
  const members = (one: unknown, names: readonly string[]) => names.map((name) => (one as Json)[name]);
  const venue = ['id', 'venue', 'slug', 'address', 'city', 'state', 'stateprovince', 'geo_lat', 'geo_lng', 'date_utc'];
  assert.equal(members(shown.venue, venue), members(exported?.venue, venue));
  const organizer = ['id', 'organizer', 'slug', 'phone', 'email'];
  assert.equal(
    members((shown.organizer as Json[])[0], organizer),
    members((exported?.organizer as Json[] | undefined)?.[0], organizer),
  );
  const term = ['id', 'name', 'slug', 'parent', 'description'];
  const terms = (list: unknown) =>
    (list as Json[]).map((one) => members(one, term)).sort((one, other) => Number(one[0]) - Number(other[0]));
  assert.equal(terms(shown.categories), terms(exported?.categories));
  assert.equal(terms(shown.tags), terms(exported?.tags));
});

test('titles are stored as an editor types them', async ({ desk }) => {
  await desk.run(fixture('events.json'));
  const drafted = (await desk.log()).find(({ type, stream }) => type === 'EventDrafted' && stream === 'event-4101');
  assert.is((drafted?.data as Json | undefined)?.title, "Harbour Walk - Boats & Birds: the captain's tour");
});

test('a second run of the same file appends nothing and says so', async ({ desk }) => {
  const first = await desk.run(fixture('events.json'));
  assert.is(first.events?.created, 2);
  const before = (await desk.log()).length;
  const second = await desk.run(fixture('events.json'));
  assert.is((await desk.log()).length, before);
  assert.equal(second.events, row({ unchanged: 2 }));
  assert.equal(second.categories, row({ unchanged: 2 }));
  const { lines } = await desk.say(fixture('events.json'));
  assert.ok(lines.includes('Nothing to do: everything was there already.'));
});

test('a changed record changes what it became before, and nothing else', async ({ desk }) => {
  await desk.run(fixture('events.json'));
  const before = (await desk.log()).length;
  const changed = await desk.run(desk.file('changed.json', changedList(4102, { title: 'Open Days' })));
  assert.equal(changed.events, row({ changed: 1, unchanged: 1 }));
  const added = (await desk.log()).slice(before);
  assert.equal(
    added.map(({ type, stream }) => [type, stream]),
    [['EventRetitled', 'event-4102']],
  );
  assert.is((await desk.get('/events/4102')).title, 'Open Days');
});

test('all events of a run carry its correlation id, the importer and where they come from', async ({ desk }) => {
  const { correlation_id: id } = await desk.run(fixture('events.json'));
  for (const { metadata } of await desk.log()) {
    assert.is(metadata.correlationId, id);
    assert.equal(metadata.actor, { id: 0, name: 'daybook import' });
    assert.is(metadata.reason, 'imported from calendar.example.org');
  }
});

test('a dry run reports the same and writes nothing', async ({ desk }) => {
  const rehearsed = await desk.run(fixture('events.json'), '--dry-run');
  assert.equal(await desk.log(), []);
  const real = await desk.run(fixture('events.json'));
  for (const kind of ['events', 'venues', 'organizers', 'categories', 'tags'] as const)
    assert.equal(rehearsed[kind], real[kind]);
});

test('every record that cannot be taken is reported with its place and reason, and the others are taken', async ({
  desk,
}) => {
  const { code, events, refused, notes } = await desk.run(fixture('faulty.json'));
  assert.is(code, 1);
  assert.is(events?.created, 1);
  assert.equal(
    refused.map(({ kind, index, name, reason }) => [kind, index, name, reason]),
    [
      ['event', 0, '#1', 'no title'],
      ['event', 1, 'No such day', 'start_date "2030-02-30 10:00:00" is not a date and time'],
      ['event', 2, "Nowhere's time", 'the time zone "Mars/Olympus" is not known'],
      ['event', 3, 'Backwards', 'it ends (2030-03-01 11:00:00) before it starts (2030-03-02 10:00:00)'],
      ['venue', 4, '#6', 'no name'],
      ['record', 5, '', 'neither an event, venue, organizer, category or tag, nor a row with a title and a start'],
      ['record', 6, '', 'neither an event, venue, organizer, category or tag, nor a row with a title and a start'],
      [
        'record',
        7,
        'Wordless Conf',
        'neither an event, venue, organizer, category or tag, nor a row with a title and a start',
      ],
    ],
  );
  assert.equal(
    notes.map(({ name }) => name),
    ['A good one'],
  );
  assert.ok(refused.every(({ file }) => file === fixture('faulty.json')));
});

test('an id that is taken is not reassigned: the event gets another', async ({ desk }) => {
  await desk.run(fixture('events.json'));
  const other = { ...(changedList(4101, {}) as Json) };
  const [event] = (other.events as Json[]).map((one) => ({ ...one, global_id: 'other.example.org?id=4101' }));
  const summary = await desk.run(desk.file('other.json', [{ ...event, title: 'Another', slug: 'another' }]));
  assert.is(summary.events?.created, 1);
  assert.is((await desk.get('/events/by-slug/another')).title, 'Another');
  assert.is.not((await desk.get('/events/by-slug/another')).id, 4101);
});

test('categories and venues of another source are reused where slug or name are the same', async ({ desk }) => {
  await desk.run(fixture('events.json'));
  const text = JSON.stringify(parsedFixture('events.json')).replaceAll('calendar.example.org', 'other.example.org');
  const before = (await desk.log()).filter(({ type }) => /^(?:Venue|Category|Tag|Organizer)/.test(type)).length;
  const { events, venues, categories } = await desk.run(desk.file('other.json', text));
  assert.is(events?.created, 2);
  assert.is(venues?.created, 0);
  assert.is(categories?.created, 0);
  assert.is((await desk.log()).filter(({ type }) => /^(?:Venue|Category|Tag|Organizer)/.test(type)).length, before);
});

test('two venues of one name from one site stay two', async ({ desk }) => {
  const venue = (id: number, address: string) => ({
    id,
    global_id: `calendar.example.org?id=${id}`,
    venue: 'Town Hall',
    address,
    show_map: true,
  });
  const file = desk.file('venues.json', [venue(10, '1 First Street'), venue(11, '2 Second Street')]);
  assert.is((await desk.run(file)).venues?.created, 2);
  assert.is((await desk.run(file)).venues?.unchanged, 2);
  assert.is((await desk.get('/venues/11')).address, '2 Second Street');
});

test('a child category before its parent is placed below it', async ({ desk }) => {
  const category = (id: number, name: string, parent: number) => ({
    id,
    name,
    parent,
    taxonomy: 'tribe_events_cat',
    urls: { self: `https://calendar.example.org/categories/${id}` },
  });
  const file = desk.file('categories.json', [category(3, 'Leaf', 2), category(2, 'Branch', 1), category(1, 'Root', 0)]);
  assert.is((await desk.run(file)).categories?.created, 3);
  assert.is((await desk.get('/categories/3')).parent, 2);
  assert.is((await desk.get('/categories/2')).parent, 1);
});

test('authors are carried over only where it is asked for', async ({ desk }) => {
  await desk.run(fixture('events.json'));
  assert.is((await desk.get('/events/4101')).author, '0');
  await desk.run(fixture('events.json'), '--keep-authors');
  const reassigned = (await desk.log()).filter(({ type }) => type === 'EventReassigned');
  assert.equal(
    reassigned.map(({ data }) => data),
    [{ author: 7 }, { author: 7 }],
  );
});

test('what another Daybook protects is private here, and its series are told', async ({ desk }) => {
  const event = (id: number, more: object) => ({
    ...{ id, global_id: `other.example?id=${id}`, title: `Event ${id}`, status: 'publish', description: '' },
    ...{ start_date: `2030-05-0${id} 10:00:00`, end_date: `2030-05-0${id} 11:00:00`, timezone: 'UTC', show_map: true },
    ...{ all_day: false, ...more },
  });
  const masked = { all_day: null, show_map: null, sticky: null, featured: null, hide_from_listings: null };
  const series = { series: { id: 4, index: 1, is_override: false }, recurrence: { rrule: ['FREQ=DAILY;COUNT=2'] } };
  const records = (first: object) => ({
    events: [event(1, first), event(2, { description: 'Open' }), event(3, series), event(4, series)],
  });
  const { notes, events } = await desk.run(desk.file('events.json', records(masked)));
  assert.is(events?.created, 4);
  assert.equal(
    notes.map(({ name, reason }) => `${name}: ${reason}`),
    [
      'Event 1: it is protected by a password there, so its content is not told; it is private here',
      'Event 3: taken as single events: only the address of the API tells by which rules it repeats, or the iCalendar address of that calendar',
    ],
  );
  const titles = async () =>
    ((await desk.get('/events?start_date=2030-01-01&end_date=2031-01-01')).events as Json[]).map(({ title }) => title);
  assert.equal(await titles(), ['Event 2', 'Event 3', 'Event 4']);
  await desk.run(desk.file('events.json', records({ description: 'Told' })));
  assert.equal(await titles(), ['Event 1', 'Event 2', 'Event 3', 'Event 4']);
  await desk.run(desk.file('events.json', records(masked)));
  assert.equal(await titles(), ['Event 2', 'Event 3', 'Event 4']);
});

test.run();
