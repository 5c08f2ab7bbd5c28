import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openIdSequence } from '../../../src/commands/reservations/ids.ts';
import { AppendOutcomeUnknown, type EventStore, EventStoreUnavailable } from '../../../src/event-store/event-store.ts';
import { openSqliteEventStore } from '../../../src/event-store/sqlite/store.ts';
import { newEvents, someMetadata } from '../../support/events.ts';

interface Context {
  store: EventStore;
}

const test = suite<Context>('ids');

test.before.each((context) => {
  context.store = openSqliteEventStore({ file: ':memory:' });
});
test.after.each((context) => context.store.close());

function open(store: EventStore, { first = 1, blockSize = 1 } = {}) {
  const ids = openIdSequence(store, { stream: 'ids-post', first, blockSize, newEventId: randomUUID });
  return {
    next: () => ids.next(someMetadata),
    nexts: (count: number) => Promise.all(Array.from({ length: count }, () => ids.next(someMetadata))),
    async claim(wished: readonly number[], claimant = 'old.example', used: readonly number[] = []) {
      const isUsed = async (id: number) => used.includes(id);
      return [...(await ids.claim(wished, someMetadata, { claimant, isUsed }))].sort((left, right) => left - right);
    },
  };
}

const reservations = async (store: EventStore) => (await store.readStream('ids-post')).map((event) => event.data);

test('ids start at the first one and leave none out', async ({ store }) => {
  const ids = open(store, { first: 10 });
  assert.equal([await ids.next(), await ids.next(), await ids.next()], [10, 11, 12]);
});

test('each kind of sequence counts for itself', async ({ store }) => {
  const terms = openIdSequence(store, { stream: 'ids-term', first: 1, blockSize: 1, newEventId: randomUUID });
  await open(store).nexts(5);
  assert.is(await terms.next(someMetadata), 1);
});

test('a sequence that is opened again goes on after the last block', async ({ store }) => {
  await open(store).nexts(3);
  assert.is(await open(store).next(), 4);
  assert.is(await open(store, { blockSize: 10 }).next(), 5);
  assert.is(await open(store).next(), 15);
});

test('a block is used up before the next one is reserved', async ({ store }) => {
  const ids = open(store, { blockSize: 3 });
  for (const expected of [1, 2, 3, 4]) assert.is(await ids.next(), expected);
  assert.equal(await reservations(store), [
    { first: 1, count: 3, purpose: 'create' },
    { first: 4, count: 3, purpose: 'create' },
  ]);
});

test('requests that wait together share one reservation of as many ids as they need', async ({ store }) => {
  const ids = open(store);
  const first = ids.next();
  const others = ids.nexts(50);
  assert.is(await first, 1);
  assert.equal(
    await others,
    Array.from({ length: 50 }, (_, index) => index + 2),
  );
  assert.equal(await reservations(store), [
    { first: 1, count: 1, purpose: 'create' },
    { first: 2, count: 50, purpose: 'create' },
  ]);
});

test('two sequences on one log never hand out the same id', async ({ store }) => {
  const sequences = [open(store), open(store, { blockSize: 7 }), open(store)];
  const ids: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    ids.push(...(await Promise.all(sequences.map((sequence) => sequence.nexts(3)))).flat());
  }
  assert.is(new Set(ids).size, 180);
});

test('a reservation with unknown outcome is repeated, and counts once', async ({ store }) => {
  let failures = 2;
  const flaky: EventStore = {
    ...store,
    async append(appends) {
      const outcome = await store.append(appends);
      failures -= 1;
      if (failures >= 0) throw new AppendOutcomeUnknown('timed out');
      return outcome;
    },
  };
  const ids = open(flaky);
  assert.equal([await ids.next(), await ids.next()], [1, 2]);
  assert.is((await reservations(store)).length, 2);
});

test('a failure reaches all waiting requests, and later ones are served', async ({ store }) => {
  let isDown = true;
  let attempts = 0;
  const unreliable: EventStore = {
    ...store,
    async append(appends) {
      attempts += 1;
      if (isDown) throw new EventStoreUnavailable('down');
      return store.append(appends);
    },
  };
  const ids = open(unreliable);
  const outcomes = await Promise.allSettled([ids.next(), ids.next(), ids.next()]);
  assert.ok(outcomes.every((outcome) => outcome.status === 'rejected'));
  assert.is(attempts, 2, 'one for the first, one for the two who came while it was under way');
  isDown = false;
  assert.equal([await ids.next(), await ids.next()], [1, 2]);
});

test('endless conflicts end in an error', async ({ store }) => {
  const losing: EventStore = {
    ...store,
    append: async () => ({ kind: 'conflict', stream: 'ids-post', actual: 0 }),
  };
  const outcome = await open(losing)
    .next()
    .catch((error: unknown) => error);
  assert.match(String(outcome), 'No ids could be reserved in ids-post');
});

test('an import gets the ids that it brings, and later ids continue above them', async ({ store }) => {
  const ids = open(store);
  await ids.nexts(4);
  assert.equal(await ids.claim([120, 7, 8, 120]), [7, 8, 120]);
  assert.equal(await ids.nexts(2), [121, 122]);
  assert.equal((await reservations(store)).at(2), {
    first: 5,
    count: 116,
    purpose: 'import',
    claimant: 'old.example',
    granted: [
      [7, 8],
      [120, 120],
    ],
  });
});

test('an import never gets an id that was reserved for new resources, used or not', async ({ store }) => {
  const ids = open(store, { blockSize: 10 });
  await ids.next();
  assert.equal(await ids.claim([1, 2, 10, 11]), [11]);
});

test('an import that is run again gets its ids again, but for those that are used', async ({ store }) => {
  await open(store).claim([5, 6, 7]);
  assert.equal(await open(store).claim([5, 6, 7, 9], 'old.example', [6]), [5, 7, 9]);
});

test('another import never gets a granted id, even if it is unused', async ({ store }) => {
  await open(store).claim([5, 7]);
  assert.equal(await open(store).claim([5, 6, 7, 8], 'other.example'), [6, 8]);
});

test('a gap in an import goes to its first claimant, and to the same one again', async ({ store }) => {
  await open(store).claim([50]);
  assert.equal(await open(store).claim([20, 21], 'other.example'), [20, 21]);
  assert.equal(await open(store).claim([20, 22], 'third.example'), [22]);
  assert.equal(await open(store).claim([20, 21], 'other.example', [21]), [20]);
});

test('a gap that a resource turns out to have is not granted', async ({ store }) => {
  await open(store).claim([50]);
  assert.equal(await open(store).claim([20, 21], 'other.example', [20]), [21]);
});

test('imports at the same time share no id, whether fresh or in a gap', async ({ store }) => {
  await open(store).claim([30]);
  const wished = Array.from({ length: 60 }, (_, index) => index + 1);
  const claims = await Promise.all(['a', 'b', 'c'].map((claimant) => open(store).claim(wished, `${claimant}.example`)));
  const granted = claims.flat();
  assert.is(new Set(granted).size, granted.length);
  assert.is(granted.length, 59);
});

test('creating during an import shares no id with it', async ({ store }) => {
  const [ids, importing] = [open(store), open(store)];
  const created: number[] = [];
  const imported: number[] = [];
  for (let round = 1; round <= 20; round += 1) {
    const [fresh, claimed] = await Promise.all([ids.nexts(2), importing.claim([round * 5, round * 5 + 1])]);
    created.push(...fresh);
    imported.push(...claimed);
  }
  assert.is(new Set([...created, ...imported]).size, created.length + imported.length);
  assert.ok(imported.length > 0);
});

test('the search for an old import reaches back over many pages of reservations', async ({ store }) => {
  await open(store).claim([3, 9]);
  const ids = open(store);
  for (let index = 0; index < 1200; index += 1) await ids.next();
  assert.equal(await open(store).claim([3, 4, 9, 10], 'old.example'), [3, 4, 9]);
});

test('invalid ids, and those beyond 32 bits, are not granted', async ({ store }) => {
  assert.equal(await open(store).claim([0, -1, 1.5, Number.NaN, 2 ** 31, 2 ** 53, 2]), [2]);
  assert.is(await open(store).next(), 3);
});

test('events of other streams do not matter', async ({ store }) => {
  await store.append([{ stream: 'event-9', expected: 'no_stream', events: newEvents(1) }]);
  assert.is(await open(store).next(), 1);
});

test.run();
