import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Desk, fixture, type Json, openDesk, row } from './desk.ts';

const test = suite<{ desk: Desk }>('import of conference lists');

/** The example of a mapping in a file. */
const CONFERENCES = fileURLToPath(new URL('../../../examples/conferences.json', import.meta.url));

test.before.each(async (context) => {
  context.desk = await openDesk();
});
test.after.each(({ desk }) => desk.close());

const slugs = (list: unknown): unknown[] => (list as Json[]).map(({ slug }) => slug).sort();

test('the same conference in two lists is one event with both topics', async ({ desk }) => {
  const { code, records, events, venues } = await desk.run(fixture('lists'), '--map', CONFERENCES);
  assert.is(code, 0);
  assert.is(records, 4);
  assert.is(events?.created, 3);
  assert.is(venues?.created, 1);
  const event = await desk.get('/events/by-slug/web-weavers-co');
  assert.equal(slugs(event.categories), ['javascript', 'tech-comm']);
  assert.equal(slugs(event.tags), ['de', 'en', 'online']);
  assert.is(event.title, 'Web &lt;Weavers&gt; &#038; Co');
  assert.is(event.all_day, true);
  assert.is(event.start_date, '2030-05-01 00:00:00');
  assert.is(event.end_date, '2030-05-03 23:59:59');
  assert.is(event.website, 'https://weavers.example.org');
  assert.match(
    String(event.description),
    '<a href="https://weavers.example.org/cfp">Call for papers</a> until 2030-01-31',
  );
  const venue = event.venue as Json;
  assert.equal([venue.venue, venue.city, venue.country], ['Haven, Norway', 'Haven', 'Norway']);
});

test('online-only events have a tag and no venue', async ({ desk }) => {
  await desk.run(fixture('lists'), '--map', CONFERENCES);
  const event = await desk.get('/events/by-slug/screens-only');
  assert.equal(event.venue, []);
  assert.equal(slugs(event.tags), ['online']);
});

test('lists that are imported one after the other add their topics', async ({ desk }) => {
  const conference = { name: 'Weavers', url: 'https://weavers.example.org', startDate: '2030-05-01' };
  const css = desk.file('css.json', [conference]);
  await desk.run(css, '--map', CONFERENCES);
  const second = await desk.run(desk.file('ux.json', [conference]), '--map', CONFERENCES);
  assert.equal(second.events, row({ changed: 1 }));
  const third = await desk.run(css, '--map', CONFERENCES);
  assert.equal(third.events, row({ unchanged: 1 }));
  assert.equal(slugs((await desk.get('/events/by-slug/weavers')).categories), ['css', 'ux']);
});

test('a second run of a whole folder appends nothing', async ({ desk }) => {
  await desk.run(fixture('lists'), '--map', CONFERENCES);
  const before = (await desk.log()).length;
  const { events, venues, categories, tags } = await desk.run(fixture('lists'), '--map', CONFERENCES);
  assert.is((await desk.log()).length, before);
  for (const row of [events, venues, categories, tags]) assert.is((row?.created ?? 1) + (row?.changed ?? 1), 0);
});

test('an event that was trashed here stays in the trash', async ({ desk }) => {
  const file = desk.file('css.json', [{ name: 'Once', url: 'https://once.example.org', startDate: '2030-01-02' }]);
  await desk.run(file, '--map', CONFERENCES);
  const published = (await desk.log()).find(({ type }) => type === 'EventPublished');
  await desk.store.append([
    {
      stream: published?.stream ?? '',
      expected: published?.revision ?? 0,
      events: [
        {
          id: '00000000-0000-4000-8000-000000000001',
          type: 'EventTrashed',
          schemaVersion: 1,
          data: { slug: 'once__trashed', date: 0 },
          metadata: {
            actor: { id: 1, name: 'ann' },
            instant: '2030-01-01T00:00:00Z',
            correlationId: 'c',
            causationId: 'c',
          },
        },
      ],
    },
  ]);
  const { events, notes } = await desk.run(file, '--map', CONFERENCES);
  assert.equal(events, row({ unchanged: 1 }));
  assert.equal(
    notes.map(({ reason }) => reason),
    ['it is in the trash here; it stays there'],
  );
});

test.run();
