import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../../../projections/catalogue.ts';
import { pastOf, presentOf } from '../../../../src/editorial/time-travel/queries/folded-log.ts';
import {
  type LogStorage,
  openLogModel,
  openLogStorage,
} from '../../../../src/editorial/time-travel/queries/log-storage.ts';
import { MAX_TURN_MS } from '../../../../src/kernel/event-loop/turns.ts';
import { MemoryShort } from '../../../../src/kernel/memory/watch.ts';
import type { EventStore } from '../../../../src/log/event-store.ts';
import { openSqliteEventStore } from '../../../../src/log/sqlite/store.ts';
import { type Document, type DocumentKey, writtenBy } from '../../../../src/read-model/documents.ts';
import { catchUp } from '../../../../src/read-model/projector/catch-up.ts';
import type { ReadModel } from '../../../../src/read-model/read-model.ts';
import { openSqliteReadModel } from '../../../../src/read-model/sqlite/open.ts';
import { writeHistory } from '../../../perf/long-history.ts';
import { eventQuery } from '../../../support/documents.ts';
import { NEW_YORK } from '../../../support/given.ts';
import { roundsOf } from '../../../support/rounds.ts';
import { eventDrafted, givenLog } from '../history/given-log.ts';

const test = suite('a read model over the log');

const rendering = { siteZone: NEW_YORK, signBefore: '$', signAfter: '', freeLabel: 'Free' } as const;
const projections = allProjections(rendering);

/** When `writeHistory` begins, and a moment on its way. */
const FIRST = 1_700_000_001;
const MIDWAY = FIRST + 1_500;

async function withLog(work: (store: EventStore) => Promise<void>, facts = 3_000): Promise<void> {
  const store = openSqliteEventStore({ file: ':memory:' });
  try {
    await writeHistory(store, facts);
    await work(store);
  } finally {
    await store.close();
  }
}

const pastAt = (store: EventStore, at: number) => pastOf({ store, projections }, { at, beginning: null, rendering });

async function all(documents: AsyncIterator<Document>): Promise<Document[]> {
  const found: Document[] = [];
  for (let next = await documents.next(); !next.done; next = await documents.next()) found.push(next.value);
  return found;
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const ALL_EVENTS = eventQuery({ page: { offset: 0, limit: 10_000 } });
const NAMES = ['event-5', 'event-77', writtenBy(1), writtenBy(3), 'nothing'];

/** What it shows, as far as it can be seen from outside. */
async function shownBy(model: ReadModel, keys: readonly DocumentKey[]) {
  const { items, total } = await model.findEvents(ALL_EVENTS);
  const searched = await model.findEvents({
    ...ALL_EVENTS,
    search: { words: ['jazz', 'free entry'], without: ['café'] },
  });
  const names = NAMES.map(async (name) => [await model.named('event', name), await model.findBySlug('event', name)]);
  return plain({
    ...{ items, total, searched },
    checkpoint: await model.checkpoint(),
    terms: [...(await model.terms()).values()].sort((one, other) => one.id - other.id),
    documents: await model.fetch(keys),
    names: await Promise.all(names),
    next: await model.nextEdge(FIRST),
  });
}

test('of the present it shows what a read model shows that has followed the log', () =>
  withLog(async (store) => {
    const followed = openSqliteReadModel({ file: ':memory:', fingerprint: 'followed' });
    await catchUp(store, followed, projections);
    const present = await presentOf({ store, projections });
    const keys = await all(present.all(await store.head()));
    assert.ok(keys.length > 500);
    const model = await openLogModel(openLogStorage(present, await store.head()));
    assert.equal(await shownBy(model, keys), await shownBy(followed, keys));
    await followed.close();
  }));

test('it moves on with the log, and what is put on top of it comes off again', () =>
  withLog(async (store) => {
    const present = await presentOf({ store, projections });
    const keys = await all(present.all(await store.head()));
    const events = keys.filter((one) => one.kind === 'event');
    const positions = keys.map(({ position }) => position).sort();
    const early = positions[Math.floor(positions.length / 2)] ?? '';
    const freshAt = async (position: string): Promise<LogStorage> => openLogStorage(present, position);
    const storage = await freshAt(early);
    const model = await openLogModel(storage);
    const begun = await shownBy(model, keys);
    assert.equal(begun, await shownBy(await openLogModel(await freshAt(early)), keys));

    const [one, other] = events;
    assert.ok(one && other);
    const changed: Document = { ...one, slug: 'event-77', author: 3, title: 'free entry jazz' };
    const changes = [
      { key: one, document: changed },
      { key: other, document: null },
    ];
    assert.is(await model.apply({ after: early, upTo: early, changes }), 'applied');
    const onTop = await openLogModel(
      openLogStorage(
        {
          namesOf: present.namesOf,
          async *all(upTo) {
            for (const document of await all(present.all(upTo)))
              if (document.id !== one.id && document.id !== other.id) yield document;
            yield changed;
          },
          some: async (asked, upTo) => {
            const found = await present.some(asked, upTo);
            return asked.map(({ id }, index) =>
              id === one.id ? changed : id === other.id ? null : (found[index] ?? null),
            );
          },
        },
        early,
      ),
    );
    assert.equal(await shownBy(model, keys), await shownBy(onTop, keys));
    assert.equal(storage.onTop(), [one, other]);
    await storage.takeOff();
    assert.equal(await shownBy(model, keys), begun);

    await storage.moveOn(await store.head(), keys);
    assert.equal(
      await shownBy(model, keys),
      await shownBy(await openLogModel(await freshAt(await store.head())), keys),
    );
    assert.is(await model.apply({ after: early, upTo: early, changes }), 'stale');
  }, 1_200));

test('an event that cannot be folded is reported', () =>
  withLog(async (store) => {
    const metadata = {
      actor: { id: null, name: 'test' },
      instant: new Date(FIRST * 1000).toISOString(),
      correlationId: 'c',
      causationId: 'c',
    };
    const odd = {
      id: '00000000-0000-4000-8000-999999999999',
      type: 'EventSetToMusic',
      schemaVersion: 1,
      data: {},
      metadata,
    };
    await store.append([{ stream: 'event-999999', expected: 'no_stream', events: [odd] }]);
    const upTo = await store.head();
    const past = await pastAt(store, MIDWAY);
    assert.equal(await past.some([{ kind: 'event', id: 999_999 }], upTo), [null]);
    assert.not((await all(past.all(upTo))).some(({ id }) => id === 999_999));
    assert.equal(await all((await pastAt(store, FIRST - 1)).all(upTo)), []);
  }, 300));

test('of the past it shows nothing that was recorded after it was begun', () =>
  withLog(async (store) => {
    const upTo = await store.head();
    const past = await pastAt(store, FIRST * 2);
    const before = plain(await all(past.all(upTo)));
    await writeMore(store);
    assert.equal(plain(await all(past.all(upTo))), before);
    const keys = await all(past.all(upTo));
    assert.equal(plain(await past.some(keys, upTo)), before);
    assert.ok(
      (await all(past.all(await store.head()))).some(({ revision }, index) => revision !== keys[index]?.revision),
    );
  }, 300));

async function writeMore(store: EventStore): Promise<void> {
  const read = await store.readStream('event-1');
  const metadata = read[0]?.metadata;
  assert.ok(metadata);
  const retitled = { id: '00000000-0000-4000-8000-888888888888', type: 'EventRetitled', schemaVersion: 1 };
  const events = [{ ...retitled, data: { title: 'Later' }, metadata }];
  await store.append([{ stream: 'event-1', expected: read.length - 1, events }]);
}

test('it is not begun, or not brought to its end, without memory', () =>
  withLog(async (store) => {
    let left = 2;
    const hasRoom = () => left-- > 0;
    const past = await pastOf(
      { store, projections, openRoom: () => hasRoom },
      { at: MIDWAY, beginning: null, rendering },
    );
    await openLogModel(openLogStorage(past, await store.head())).then(
      () => assert.unreachable(),
      (error: unknown) => assert.instance(error, MemoryShort),
    );
  }));

test('it gives the interval in which the calendar is the same', () =>
  withLog(async (store) => {
    const spanAt = async (at: number) => {
      const past = await pastAt(store, at);
      await all(past.all(await store.head()));
      const { from, until } = past.summary();
      return [from, until];
    };
    const [from = 0, until = 0] = await spanAt(MIDWAY);
    assert.ok(from <= MIDWAY && MIDWAY < until);
    assert.equal(await spanAt(until - 1), [from, until]);
    assert.is((await spanAt(until))[0], until);
    assert.equal((await spanAt(FIRST - 60))[0], Number.NEGATIVE_INFINITY);
    assert.equal((await spanAt(FIRST * 2))[1], Number.POSITIVE_INFINITY);
  }));

test('others have their turn before each document that is folded for a page', () =>
  withLog(async (store) => {
    const log = givenLog();
    for (let id = 1; id <= 20; id++) log.add(`event-${id}`, 'EventDrafted', eventDrafted({ id }));
    // Reading takes no turn here.
    const { readStream, readAll } = log.dependencies.store;
    const present = await presentOf({ store: { ...store, readStream, readAll }, projections });
    const rounds = (ids: number) => {
      const keys = Array.from({ length: ids }, (_, at) => ({ kind: 'event', id: at + 1 }) as const);
      const work = async () => assert.is((await present.some(keys, '99999999')).filter(Boolean).length, ids);
      // Then a turn is over for the second look in it.
      return roundsOf(work, MAX_TURN_MS - 1);
    };
    // Each turn is two rounds.
    assert.ok((await rounds(20)) - (await rounds(10)) >= 20);
  }, 1));

test.run();
