import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDrawnIds, openIdSequence } from '../../../src/commands/reservations/ids.ts';
import { AppendOutcomeUnknown, type EventStore, EventStoreUnavailable } from '../../../src/log/event-store.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
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
  assert.equal(
    await ids.nexts(50),
    Array.from({ length: 50 }, (_, index) => index + 1),
  );
  assert.equal(await reservations(store), [{ first: 1, count: 50, purpose: 'create' }]);
});

test('requests that wait together wait for one append', async ({ store }) => {
  let appends = 0;
  const counting: EventStore = {
    ...store,
    append(units) {
      appends += 1;
      return store.append(units);
    },
  };
  const ids = open(counting);
  assert.is((await ids.nexts(50)).length, 50);
  assert.is(await ids.next(), 51);
  assert.is(appends, 2);
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
  assert.ok(attempts > 0);
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
  assert.equal((await reservations(store)).at(1), {
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

/** Writers of one process that draw ids, and append what they use with their reservations. */
function drawing(store: EventStore) {
  const sequence = openIdSequence(store, { stream: 'ids-post', first: 1, blockSize: 1, newEventId: randomUUID });
  return async (stream: (id: number) => string, expected: 'no_stream' | 7 = 'no_stream') => {
    const ids = openDrawnIds();
    const id = await ids.next(sequence, someMetadata);
    const own = { stream: stream(id), expected, events: newEvents(1) };
    const { kind } = await ids.write((reservations) => store.append([...reservations, own]));
    return { id, kind };
  };
}

test('an id is reserved by the append of what uses it, and those of one turn share a reservation', async ({
  store,
}) => {
  const create = drawing(store);
  const all = await Promise.all([1, 2, 3].map(() => create((id) => `event-${id}`)));
  assert.equal(
    all.map(({ id, kind }) => [id, kind]),
    [1, 2, 3].map((id) => [id, 'appended']),
  );
  assert.equal(await create((id) => `event-${id}`), { id: 4, kind: 'appended' });
  assert.equal(await reservations(store), [
    { first: 1, count: 3, purpose: 'create' },
    { first: 4, count: 1, purpose: 'create' },
  ]);
});

test('of several that share a reservation one may fail, whichever it is: the others write it', async ({ store }) => {
  for (const failing of [0, 1, 2]) {
    const create = drawing(store);
    const all = await Promise.all(
      [0, 1, 2].map((index) => create((id) => `event-${id}`, index === failing ? 7 : 'no_stream')),
    );
    assert.equal(
      all.map(({ kind }) => kind),
      [0, 1, 2].map((index) => (index === failing ? 'conflict' : 'appended')),
    );
  }
  assert.is((await reservations(store)).length, 3);
});

test('nothing is written with an id that another process has reserved meanwhile', async ({ store }) => {
  const [create, other] = [drawing(store), open(store)];
  await create((id) => `event-${id}`);
  assert.is(await other.next(), 2);
  assert.equal(await create((id) => `event-${id}`), { id: 2, kind: 'conflict' });
  assert.equal(await store.readStream('event-2'), []);
  // From here on ids are reserved before they are used, for as long as others may draw them.
  assert.equal(await create((id) => `event-${id}`), { id: 3, kind: 'appended' });
  assert.is(await other.next(), 4);
  assert.equal(await create((id) => `event-${id}`), { id: 5, kind: 'appended' });
});

test('many writers of two processes that draw ids at once never share one', async ({ store }) => {
  const writers = [drawing(store), drawing(store)];
  const ids: number[] = [];
  const write = async (index: number): Promise<void> => {
    for (;;) {
      const { id, kind } = await (writers[index % 2] ?? drawing(store))((drawn) => `event-${drawn}`);
      if (kind === 'appended') return void ids.push(id);
    }
  };
  for (let round = 0; round < 5; round += 1) await Promise.all(Array.from({ length: 40 }, (_, index) => write(index)));
  assert.is(new Set(ids).size, 200);
  const blocks = (await store.readStream('ids-post')).map(({ data }) => data as { first: number; count: number });
  for (const id of ids) assert.is(blocks.filter(({ first, count }) => first <= id && id < first + count).length, 1);
});

test.run();
