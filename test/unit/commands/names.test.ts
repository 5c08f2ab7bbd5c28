import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ownersOf, releaseName, takeName } from '../../../src/commands/reservations/reservations.ts';
import type { EventStore, StreamAppend } from '../../../src/log/event-store.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import { someMetadata } from '../../support/events.ts';

interface Context {
  store: EventStore;
}

const test = suite<Context>('names');

test.before.each((context) => {
  context.store = openSqliteEventStore({ file: ':memory:' });
});
test.after.each((context) => context.store.close());

const by = (owner: string) => ({ owner, metadata: someMetadata, newEventId: randomUUID });

async function write(store: EventStore, append: StreamAppend | null): Promise<string> {
  return (await store.append(append === null ? [] : [append])).kind;
}

async function take(store: EventStore, kind: string, name: string, owner: string): Promise<string> {
  return write(store, takeName(await ownersOf(store, kind, name), by(owner)));
}

test('an unused name has no owners', async ({ store }) => {
  const found = await ownersOf(store, 'venue', 'North Hall');
  assert.equal(found.owners, []);
  assert.is(found.expected, 'no_stream');
});

test('several resources may bear a name; they are found in the order in which they took it', async ({ store }) => {
  await take(store, 'venue', 'North Hall', 'venue-9');
  await take(store, 'venue', 'North Hall', 'venue-4');
  const found = await ownersOf(store, 'venue', 'North Hall');
  assert.equal(found.owners, ['venue-9', 'venue-4']);
  assert.is(found.expected, 1);
});

test('letter case and composition of accents make no difference, blanks do', async ({ store }) => {
  await take(store, 'tag', 'Cafe\u0301 Été', 'tag-1');
  assert.equal((await ownersOf(store, 'tag', 'CAFÉ éTÉ')).owners, ['tag-1']);
  assert.equal((await ownersOf(store, 'tag', 'CaféÉté')).owners, []);
});

test('each kind has names of its own', async ({ store }) => {
  await take(store, 'venue', 'North Hall', 'venue-1');
  assert.equal((await ownersOf(store, 'organizer', 'North Hall')).owners, []);
});

test('a released name is found no more, and may be taken again', async ({ store }) => {
  await take(store, 'venue', 'Hall', 'venue-1');
  await take(store, 'venue', 'Hall', 'venue-2');
  await write(store, releaseName(await ownersOf(store, 'venue', 'hall'), by('venue-1')));
  assert.equal((await ownersOf(store, 'venue', 'Hall')).owners, ['venue-2']);
  await take(store, 'venue', 'Hall', 'venue-1');
  assert.equal((await ownersOf(store, 'venue', 'Hall')).owners, ['venue-2', 'venue-1']);
});

test('taking what one has and releasing what one has not needs no append', async ({ store }) => {
  await take(store, 'venue', 'Hall', 'venue-1');
  const found = await ownersOf(store, 'venue', 'Hall');
  assert.is(takeName(found, by('venue-1')), null);
  assert.is(releaseName(found, by('venue-2')), null);
});

test('of two that found a name free and reserve it, the later one gets a conflict', async ({ store }) => {
  const found = await ownersOf(store, 'venue', 'Hall');
  assert.is(await write(store, takeName(found, by('venue-1'))), 'appended');
  assert.is(await write(store, takeName(found, by('venue-2'))), 'conflict');
});

test('the registry stream has a plain name, however long the name is', async ({ store }) => {
  const found = await ownersOf(store, 'venue', '日'.repeat(5000));
  assert.match(takeName(found, by('venue-1'))?.stream ?? '', /^name-venue-[0-9a-f]{32}$/);
});

test.run();
