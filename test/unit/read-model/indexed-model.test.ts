// What an answer shows when something is written while it is made, and how the index follows what others write.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ReadModelDamaged } from '../../../src/read-model/damage.ts';
import { type EventDocument, keyText } from '../../../src/read-model/documents.ts';
import { openIndexedModel } from '../../../src/read-model/indexed-model.ts';
import { openListIndex } from '../../../src/read-model/list-index/list-index.ts';
import { packRow, rowOf } from '../../../src/read-model/list-index/rows.ts';
import { openSqliteReadModel, openSqliteStorage } from '../../../src/read-model/sqlite/open.ts';
import { documentRow } from '../../../src/read-model/sqlite/schema.ts';
import type { ReadModelStorage } from '../../../src/read-model/storage.ts';
import { event, eventQuery, put, removed, saved, user, venue } from '../../support/documents.ts';
import { temporaryFolder } from '../../support/service.ts';

interface Place {
  readonly file: string;
  remove(): void;
}

const test = suite<Place>('indexed model');

test.before.each((context) => {
  const { folder, remove } = temporaryFolder();
  Object.assign(context, { remove, file: join(folder, 'views.db') });
});
test.after.each(({ remove }) => remove());

const of = (file: string) => ({ file, fingerprint: 'test' });

const revised = (revision: number, members: Partial<EventDocument> = {}): EventDocument =>
  event(1, { revision, title: `revision ${revision}`, ...members });

const rowFor = (document: EventDocument): Buffer => {
  const row = rowOf(document);
  if (row === null) throw new Error('an event has a row');
  return packRow(row);
};

/** A storage into which something is written before the first document of a list is read. */
function interrupted(storage: ReadModelStorage, write: () => Promise<void>): ReadModelStorage {
  let isWritten = false;
  return {
    ...storage,
    async fetch(keys, purpose) {
      if (!isWritten && purpose !== 'fold') {
        isWritten = true;
        await write();
      }
      return storage.fetch(keys, purpose);
    },
  };
}

test('lists without a search do not wait for the words of texts, and a search does', async ({ file }) => {
  const writer = openSqliteReadModel(of(file));
  const words = (of: number): string => Array.from({ length: 200 }, (_, at) => `word${of}x${at}`).join(' ');
  const many = Array.from({ length: 2_000 }, (_, at) =>
    saved(event(at + 1, { title: 'Title', description: words(at) })),
  );
  await put(writer, ...many);
  await writer.close();
  const model = openSqliteReadModel(of(file));
  assert.not.ok(model.isSearchable());
  const page = { offset: 0, limit: 10 };
  assert.is((await model.listEvents(eventQuery({ page }))).total, many.length);
  assert.not.ok(model.isSearchable(), 'the list did not wait');
  const found = await model.findEvents(eventQuery({ page, search: { words: ['title'], without: [] } }));
  assert.equal([found.total, model.isSearchable()], [many.length, true]);
  await put(model, saved(event(1, { title: 'Another' })));
  assert.ok(model.isSearchable());
  await model.close();
});

test('a list is of one state, whatever is written between its index and its documents', async ({ file }) => {
  const other = openSqliteReadModel(of(file));
  await put(other, saved(revised(0, { featured: true })), saved(event(2, { featured: true })));
  const storage = interrupted(openSqliteStorage(of(file)), () => put(other, saved(revised(1, { featured: false }))));
  const model = openIndexedModel(storage);
  const { items, total } = await model.listEvents(eventQuery({ featured: true }));
  assert.equal([items.map(({ id }) => id), total], [[2], 1]);
  await model.close();
  await other.close();
});

test('what this process applies is followed without being read back, and what others apply as well', async ({
  file,
}) => {
  const storage = openSqliteStorage(of(file));
  const asked: string[] = [];
  const model = openIndexedModel({
    ...storage,
    changesSince(at) {
      asked.push('changes');
      return storage.changesSince(at);
    },
    fetch(keys, purpose) {
      asked.push('documents');
      return storage.fetch(keys, purpose);
    },
  });
  const titles = async (): Promise<string[]> => {
    const { items } = await model.listEvents(eventQuery());
    const documents = await model.fetch(items.map(({ id }) => ({ kind: 'event', id })));
    return documents.map((document) => (document?.kind === 'event' ? document.title : ''));
  };
  await put(model, saved(revised(0)), saved(event(2)));
  assert.equal(await titles(), ['revision 0', 'Event 2']);
  const before = await model.version();
  asked.length = 0;
  await put(model, saved(revised(1)), removed('event', 2), saved(event(3)));
  assert.equal(await titles(), ['revision 1', 'Event 3']);
  assert.equal(asked, []);
  for (const id of [1, 2, 3, 4])
    assert.is(await model.haveChanged([keyText({ kind: 'event', id })], before), id < 4, `event ${id}`);
  const other = openSqliteReadModel(of(file));
  await put(other, saved(revised(2)));
  // Between them one of another process has come.
  await put(model, saved(event(3, { revision: 1, title: 'Third' })));
  assert.equal(await titles(), ['revision 2', 'Third']);
  assert.ok(asked.includes('changes'));
  await model.close();
  await other.close();
});

test('what is kept and what is read for one answer are of one state', async ({ file }) => {
  const other = openSqliteReadModel(of(file));
  await put(other, saved(event(1)), saved(venue(1, { name: 'Old Town Hall' })), saved(venue(2)), saved(venue(3)));
  const storage = openSqliteStorage(of(file));
  const read: number[][] = [];
  let write = async (): Promise<void> => {};
  const model = openIndexedModel({
    ...storage,
    async fetch(keys, purpose) {
      await write();
      read.push(keys.map(({ id }) => id));
      return storage.fetch(keys, purpose);
    },
  });
  await model.findEvents(eventQuery());
  const venues = [1, 2, 3].map((id) => ({ kind: 'venue', id }) as const);
  await model.fetch(venues.slice(0, 1));
  await model.fetch(venues.slice(0, 2));
  assert.equal(read, [[1], [2]], 'only what is missing is read');
  write = async () => {
    write = async () => {};
    await put(other, saved(venue(1, { name: 'New Town Hall', revision: 1 })));
  };
  const [first] = await model.fetch(venues);
  assert.is(first?.revision, 1);
  assert.equal(read.slice(2), [[3], [1, 2, 3]]);
  await model.close();
  await other.close();
});

test('an event that is gone before its document is read is in no list', async ({ file }) => {
  const other = openSqliteReadModel(of(file));
  await put(other, saved(event(1)), saved(event(2)));
  const model = openIndexedModel(interrupted(openSqliteStorage(of(file)), () => put(other, removed('event', 1))));
  const { items, total } = await model.listEvents(eventQuery());
  assert.equal([items.map(({ id }) => id), total], [[2], 1]);
  await model.close();
  await other.close();
});

test('events that are known are not read, and nothing is known of a state that is over', async ({ file }) => {
  const other = openSqliteReadModel(of(file));
  await put(other, saved(revised(0, { title: 'late jazz night' })), saved(event(2, { title: 'late jazz' })));
  const read: number[][] = [];
  const storage = interrupted(openSqliteStorage(of(file)), async () => {
    await put(other, saved(event(3)));
    await model.terms();
  });
  const model = openIndexedModel({
    ...storage,
    fetch(keys, purpose) {
      if (purpose === 'list') read.push(keys.map(({ id }) => id));
      return storage.fetch(keys, purpose);
    },
  });
  const states: string[] = [];
  const list = async () => {
    const { items, total } = await model.listEvents(
      eventQuery({ search: { words: ['late jazz'], without: [] } }),
      ({ id, revision }, { version, haveChanged }) => {
        states.push(version);
        assert.is(haveChanged(['event-3'], version), false);
        return id === 1 ? { known: revision } : undefined;
      },
    );
    return [items.map((item) => ('known' in item ? 'known' : item.id)), total];
  };
  // While its texts were read, the index has gone on.
  assert.equal([await list(), states], [[[1, 2], 2], []]);
  assert.equal(await list(), [['known', 2], 2]);
  assert.equal(new Set(states), new Set([await model.version()]));
  assert.equal(read, [[1, 2], [2]]);
  await model.close();
  await other.close();
});

test('a phrase is looked for in the texts of the state that the list shows', async ({ file }) => {
  const other = openSqliteReadModel(of(file));
  await put(other, saved(revised(0, { title: 'late jazz night' })), saved(event(2, { title: 'jazz at night' })));
  const storage = interrupted(openSqliteStorage(of(file)), () =>
    put(other, saved(revised(1, { title: 'night jazz' }))),
  );
  const model = openIndexedModel(storage);
  const search = { words: ['jazz night'], without: [] };
  assert.equal(await model.findEvents(eventQuery({ search })), { items: [], total: 0 });
  await put(other, saved(revised(2, { title: 'a jazz night' })));
  assert.equal(await model.findEvents(eventQuery({ search })), { items: [1], total: 1 });
  await model.close();
  await other.close();
});

test('others have their turn between the texts in which a phrase is looked for, also where they are kept', async ({
  file,
}) => {
  const other = openSqliteReadModel(of(file));
  await put(other, ...Array.from({ length: 40 }, (_, at) => saved(event(at + 1, { title: 'late jazz night' }))));
  const model = openIndexedModel(openSqliteStorage(of(file)));
  const { now } = performance;
  const turnsOf = async (phrase: string): Promise<number> => {
    let [turns, isOver, ms] = [0, false, 0];
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    await model.version();
    setImmediate(count);
    // Each text takes longer than a turn.
    performance.now = () => (ms += 5);
    try {
      await model.findEvents(eventQuery({ search: { words: [phrase], without: [] } }));
    } finally {
      performance.now = now;
      isOver = true;
    }
    return turns;
  };
  // A turn is two rounds of the loop. There is one behind each look at what is kept of a text, and behind each at the text.
  for (const phrase of ['late jazz', 'jazz night']) assert.ok((await turnsOf(phrase)) >= 2 * (40 + 40), phrase);
  await model.close();
  await other.close();
});

test('a feed of a phrase reads the texts published last, and all others only if these are too few', async ({
  file,
}) => {
  const COUNT = 1_300;
  const other = openSqliteReadModel(of(file));
  const title = (id: number): string => (id <= 60 ? 'jazz late night' : 'late jazz night');
  await put(
    other,
    ...Array.from({ length: COUNT }, (_, at) => saved(event(at + 1, { title: title(at + 1), date: at }))),
  );
  const storage = openSqliteStorage(of(file));
  let read = 0;
  const model = openIndexedModel({
    ...storage,
    fetch(keys, purpose) {
      read += keys.length;
      return storage.fetch(keys, purpose);
    },
  });
  const newest = async (phrase: string, limit: number) => {
    model.empty();
    read = 0;
    const search = { words: [phrase], without: [] };
    return [await model.newestEvents({ limit, of: eventQuery({ search }) }), read];
  };
  assert.equal(await newest('late jazz', 3), [[COUNT, COUNT - 1, COUNT - 2], 1_000]);
  assert.equal(await newest('jazz late', 3), [[60, 59, 58], COUNT]);
  assert.equal(await newest('night late', 3), [[], COUNT]);
  await model.close();
  await other.close();
});

test('what is said of one event is of one state, whatever is written between its conditions', async ({ file }) => {
  const other = openSqliteReadModel(of(file));
  await put(other, saved(revised(0, { title: 'late jazz', featured: true })), saved(event(2)));
  const storage = interrupted(openSqliteStorage(of(file)), () =>
    put(other, saved(revised(1, { title: 'late', featured: false }))),
  );
  const model = openIndexedModel(storage);
  const search = { words: ['jazz'], without: [] };
  const conditions = [{ featured: true }, { search }].map((one) => eventQuery({ ...one, include: [1] }));
  const told = await model.explainEvent(eventQuery({ featured: true, search }), 1, conditions);
  assert.equal(told, { place: null, total: 0, met: [false, false] });
  assert.equal(await model.explainEvent(eventQuery({ featured: false }), 2, []), { place: 2, total: 2, met: [] });
  await model.close();
  await other.close();
});

test('a phrase is looked for to the end while texts change, and in each text once', async ({ file }) => {
  const other = openSqliteReadModel(of(file));
  const many = Array.from({ length: 500 }, (_, at) => saved(event(at + 1, { title: 'late jazz night' })));
  await put(other, ...many);
  const storage = openSqliteStorage(of(file));
  let [read, written] = [0, 0];
  const model = openIndexedModel({
    ...storage,
    async fetch(keys, purpose) {
      read += keys.length;
      // One that is read last is changed while the first are read, again and again.
      if (written < 100)
        await put(other, saved(event(500 - (written % 20), { revision: ++written, title: 'night jazz' })));
      return storage.fetch(keys, purpose);
    },
  });
  const { total } = await model.findEvents(eventQuery({ search: { words: ['jazz night'], without: [] } }));
  assert.ok(read < 2 * many.length, `${read} documents were read`);
  assert.ok(total < many.length && total >= many.length - 20, `${total} events were found`);
  await model.close();
  await other.close();
});

test('the next phrase reads no text again but those that have changed, of whatever revision', async ({ file }) => {
  const other = openSqliteReadModel(of(file));
  const many = Array.from({ length: 200 }, (_, at) => saved(event(at + 1, { title: 'late jazz night' })));
  await put(other, ...many);
  const storage = openSqliteStorage(of(file));
  let read = 0;
  const model = openIndexedModel({
    ...storage,
    async fetch(keys, purpose) {
      read += keys.length;
      return storage.fetch(keys, purpose);
    },
  });
  const page = { offset: 0, limit: 0 };
  const count = async (phrase: string) =>
    (await model.findEvents(eventQuery({ page, search: { words: [phrase], without: [] } }))).total;
  assert.equal([await count('jazz night'), read], [200, 200]);
  assert.equal([await count('late jazz'), read], [200, 200]);
  await put(other, saved(event(7, { title: 'jazz late night' })), removed('event', 8));
  assert.equal([await count('late jazz'), read], [198, 201]);
  await model.close();
  await other.close();
});

test('a row of another revision than its document is damage, and is in no answer', async ({ file }) => {
  const model = openSqliteReadModel(of(file));
  await put(model, saved(revised(3)));
  const raw = new Database(file);
  raw.prepare('UPDATE list_row SET packed = ? WHERE row = ?').run(rowFor(revised(4)), documentRow(event(1)));
  raw.close();
  const refused = await model.listEvents(eventQuery()).catch((error: unknown) => error);
  assert.instance(refused, ReadModelDamaged);
  await model.close();
});

test('an index that others have left far behind reads all rows again, and shows the same', async ({ file }) => {
  const model = openSqliteReadModel(of(file));
  await put(model, saved(event(1)), saved(event(2)));
  assert.is((await model.listEvents(eventQuery())).total, 2);
  const other = openSqliteReadModel(of(file));
  await put(other, removed('event', 2));
  // More batches than the change list has.
  for (let batch = 0; batch < 501; batch++) await put(other, saved(event(3, { startsAt: batch, endsAt: batch })));
  const { items } = await model.listEvents(eventQuery());
  assert.equal(
    items.map(({ id, startsAt }) => [id, startsAt]),
    [
      [3, 500],
      [1, 10_000],
    ],
  );
  await other.close();
  await model.close();
});

test('what is written while rows are read at the start is in the first list', async ({ file }) => {
  const other = openSqliteReadModel(of(file));
  await put(other, ...Array.from({ length: 500 }, (_, at) => saved(event(at + 1))));
  const storage = openSqliteStorage(of(file));
  let portions = 0;
  const model = openIndexedModel({
    ...storage,
    async rows(from) {
      const portion = await storage.rows(from);
      portions += 1;
      if (portions === 1) await put(other, saved(event(1, { featured: true })), removed('event', 2));
      return portion;
    },
  });
  const listed = await model.listEvents(eventQuery({ featured: true }));
  assert.ok(portions > 1);
  assert.equal(
    listed.items.map(({ id }) => id),
    [1],
  );
  assert.is((await model.findEvents(eventQuery())).total, 499);
  await model.close();
  await other.close();
});

test('changes that cannot be read are not followed: all rows are read again', async ({ file }) => {
  const model = openSqliteReadModel(of(file));
  await put(model, saved(event(1)), saved(event(2)));
  const featured = async () => (await model.listEvents(eventQuery({ featured: true }))).items.map(({ id }) => id);
  assert.equal(await featured(), []);
  const other = openSqliteReadModel(of(file));
  await put(other, saved(event(2, { featured: true })));
  await other.close();
  const raw = new Database(file);
  raw.prepare('UPDATE change SET row = ? WHERE row = ?').run(2 ** 52, documentRow(event(2)));
  raw.close();
  assert.equal(await featured(), [2]);
  await model.close();
});

test('what any process has changed since a version is known', async ({ file }) => {
  const model = openSqliteReadModel(of(file));
  const other = openSqliteReadModel(of(file));
  await put(model, saved(event(1, { tags: [7] })), saved(venue(9)));
  await model.terms();
  const first = await model.version();
  await put(other, saved(event(1, { tags: [8] })));
  const second = await model.version();
  await model.terms();
  await put(other, saved(event(2)), removed('venue', 9), saved(user(3, 'ada', 'ada@cal.example')));
  const third = await model.version();
  const all = ['event-1', 'event-2', 'event-3', 'venue-9', 'user-3'];
  const changed = async (since: string) => {
    const answers = await Promise.all(all.map((name) => model.haveChanged([name], since)));
    return all.filter((_, at) => answers[at]);
  };
  assert.equal(await changed(first), ['event-1', 'event-2', 'venue-9', 'user-3']);
  assert.equal(await changed(second), ['event-2', 'venue-9', 'user-3']);
  assert.equal(await changed(third), []);
  assert.is(await model.haveChanged(['event-3', 'venue-9'], second), true, 'one of them');
  await put(model, ...Array.from({ length: 10_001 }, (_, at) => saved(event(10 + at))));
  assert.equal(await changed(third), all, 'too much for what is known');
  const fourth = await model.version();
  await model.clear();
  await put(model, saved(event(1)));
  assert.equal(await changed(fourth), all, 'another life');
  await other.close();
  await model.close();
});

test('an index in which most texts are former ones says so', () => {
  const index = openListIndex();
  for (const _ of index.loaded());
  const enter = (from: number, to: number): void => {
    for (let at = from; at < to; at++)
      index.apply([{ key: { kind: 'event', id: 1 }, row: rowOf(event(1, { title: `night ${at % 7} ${at}` })) }]);
  };
  enter(0, 20_000);
  assert.not(index.isWorn());
  enter(20_000, 20_010);
  assert.ok(index.isWorn());
  const search = (word: string) => index.findEvents(eventQuery({ search: { words: [word], without: [] } })).total;
  assert.equal([search('20009'), search('20008'), search('night')], [1, 0, 1]);
});

test.run();
