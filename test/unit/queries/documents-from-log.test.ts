import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../../projections/catalogue.ts';
import { slugOwners } from '../../../src/commands/reservations/slugs.ts';
import { documentsFromLog, type LogDocuments } from '../../../src/queries/log-fallback.ts';
import type { DocumentKey } from '../../../src/read-model/documents.ts';
import { endOf } from '../../support/ends.ts';
import { newEvent } from '../../support/events.ts';
import { someEvent, startTestService, type TestService } from '../../support/service.ts';

interface Context {
  daybook: TestService;
  log: LogDocuments;
}

const test = suite<Context>('documents from the log');

test.before.each(async (context) => {
  context.daybook = await startTestService();
  const { store, rendering } = context.daybook.stores;
  context.log = documentsFromLog(store, allProjections(rendering), slugOwners(store));
});
test.after.each(({ daybook }) => daybook.close());

test('they are those that views hold, of every kind', async ({ daybook, log }) => {
  const event = await daybook.created(
    'editor',
    'events',
    someEvent({ venue: { venue: 'Hall' }, organizer: { organizer: 'Band' }, categories: ['Music'], tags: ['loud'] }),
  );
  await daybook.request('editor', 'PATCH', `/venues/${event.venue.id}`, { city: 'Ghent' });
  const keys: DocumentKey[] = [
    { kind: 'event', id: event.id },
    { kind: 'venue', id: event.venue.id },
    { kind: 'organizer', id: event.organizer[0].id },
    { kind: 'category', id: event.categories[0].id },
    { kind: 'tag', id: event.tags[0].id },
    { kind: 'user', id: daybook.userId('editor') },
    { kind: 'event', id: event.venue.id },
    { kind: 'user', id: 999 },
  ];
  const fetched = await log.fetch(keys);
  assert.equal(fetched, await daybook.readModel.fetch(keys));
  assert.equal(
    fetched.map((document) => document === null),
    [false, false, false, false, false, false, true, true],
  );
  assert.is(await log.revisionOf(keys[1] as DocumentKey), fetched[1]?.revision);
  assert.is(await log.revisionOf({ kind: 'user', id: 999 }), null);
});

test('slugs are found as views find them', async ({ daybook, log }) => {
  const event = await daybook.created('editor', 'events', someEvent({ title: 'Gig', categories: ['Music', 'Film'] }));
  await daybook.created('editor', 'events', someEvent({ title: 'Walk' }));
  const film = event.categories.find(({ name }: { name: string }) => name === 'Film');
  await daybook.request('editor', 'DELETE', `/categories/${film.id}`);
  await daybook.request('editor', 'DELETE', '/events/by-slug/walk');
  const kinds = ['event', 'venue', 'category', 'user'] as const;
  for (const slug of ['gig', 'walk', 'walk__trashed', 'music', 'film', 'editor', 'anonymous'])
    for (const kind of kinds)
      assert.equal(await log.findBySlug(kind, slug), await daybook.readModel.findBySlug(kind, slug), `${kind} ${slug}`);
  assert.is((await log.findBySlug('event', 'gig'))?.id, event.id);
  assert.is((await log.findBySlug('event', 'walk')) ?? null, null);
});

test('a reservation whose owner was never written, is deleted or bears another slug by now is no find', async ({
  daybook,
  log,
}) => {
  const { id } = await daybook.created('editor', 'tags', { name: 'Loud' });
  const reserve = (slug: string, owner: string) => ({
    stream: `slug-tag-${slug}`,
    expected: 'no_stream' as const,
    events: [newEvent('SlugReserved', { owner })],
  });
  await daybook.store.append([reserve('quiet', `tag-${id}`), reserve('later', 'tag-999'), reserve('odd', 'tag-x')]);
  const past = await daybook.created('editor', 'tags', { name: 'Past' });
  await daybook.request('editor', 'DELETE', `/tags/${past.id}`);
  // As if the slug had not been given back.
  const expected = await endOf(daybook.store, 'slug-tag-past');
  await daybook.store.append([{ ...reserve('past', `tag-${past.id}`), expected }]);
  for (const slug of ['quiet', 'later', 'odd', 'past']) assert.is(await log.findBySlug('tag', slug), null, slug);
});

test('a resource with an event that cannot be folded is parked as in the read model', async ({ daybook, log }) => {
  const { id } = await daybook.created('editor', 'tags', { name: 'Before' });
  const append = { stream: `tag-${id}`, expected: await endOf(daybook.store, `tag-${id}`) };
  await daybook.store.append([{ ...append, events: [newEvent('TagPainted', {})] }]);
  await daybook.store.append([{ stream: 'tag-77', expected: 'no_stream', events: [newEvent('TagPainted', {})] }]);
  const [parked, unknown] = await log.fetch([id, 77].map((one) => ({ kind: 'tag', id: one })));
  assert.equal([parked?.revision, parked?.parkedAt === undefined, unknown], [0, false, null]);
});

test.run();
