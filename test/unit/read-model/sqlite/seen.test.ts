// Documents that a connection has read are used again until they change, by this connection or another.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { DocumentKey } from '../../../../src/read-model/documents.ts';
import type { ReadModel } from '../../../../src/read-model/read-model.ts';
import { openSqliteReadModel } from '../../../../src/read-model/sqlite/open.ts';
import { event, put, removed, saved, venue } from '../../../support/documents.ts';

const HALL: DocumentKey = { kind: 'venue', id: 1 };
const PUB: DocumentKey = { kind: 'venue', id: 2 };

/** The same file, opened twice, and once more as by another process. */
async function opened(
  run: (own: ReadModel, other: ReadModel, outside: Database.Database) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'daybook-seen-'));
  const file = path.join(folder, 'views.db');
  const open = () => openSqliteReadModel({ file, fingerprint: 'test' });
  const models = [open(), open()] as const;
  const outside = new Database(file);
  try {
    await run(...models, outside);
  } finally {
    outside.close();
    for (const model of models) await model.close();
    rmSync(folder, { recursive: true });
  }
}

const one = async (model: ReadModel, key: DocumentKey) => (await model.fetch([key]))[0];
const slugOf = async (model: ReadModel, key: DocumentKey): Promise<unknown> => {
  const found = await one(model, key);
  return found && 'slug' in found ? found.slug : found;
};

test('an embedded document is read once, until it changes', () =>
  opened(async (own) => {
    await put(own, saved(venue(1, { slug: 'hall' })), saved(venue(2, { slug: 'pub' })));
    // They are followed from the first list on.
    await own.terms();
    const [hall, pub] = await own.fetch([HALL, PUB]);
    assert.is(await one(own, HALL), hall);
    await put(own, saved(venue(1, { slug: 'great-hall' })));
    assert.is(await slugOf(own, HALL), 'great-hall');
    assert.is(await one(own, PUB), pub, 'what was not written stays');
  }));

for (const followed of [false, true])
  test(`what another connection has written is read at once, ${followed ? 'with' : 'without'} an index`, () =>
    opened(async (own, other) => {
      if (followed) await own.terms();
      await put(own, saved(venue(1, { slug: 'hall' })));
      assert.is(await slugOf(own, HALL), 'hall');
      assert.is(await slugOf(own, PUB), null);
      const before = await own.version();
      await put(other, saved(venue(1, { slug: 'great-hall' })), saved(venue(2, { slug: 'pub' })));
      assert.is.not(await own.version(), before);
      assert.is(await slugOf(own, HALL), 'great-hall');
      assert.is(await slugOf(own, PUB), 'pub');
      // Each in turn: the one's own writes must not make it believe that it knows those of the other.
      await put(own, saved(event(5, {})));
      await put(other, saved(venue(1, { slug: 'small-hall' })));
      await put(own, saved(event(6, {})));
      assert.is(await slugOf(own, HALL), 'small-hall');
    }));

test('a removed document is gone, and a read model that was emptied has none', () =>
  opened(async (own, other) => {
    await put(own, saved(venue(1, { slug: 'hall' })), saved(venue(2, { slug: 'pub' })));
    assert.is(await slugOf(own, HALL), 'hall');
    assert.is(await slugOf(other, PUB), 'pub');
    await put(own, removed('venue', 1));
    assert.is(await slugOf(own, HALL), null);
    await own.clear();
    assert.equal(await own.fetch([HALL, PUB]), [null, null]);
    assert.equal(await other.fetch([HALL, PUB]), [null, null]);
  }));

test('what a projector goes on from is read anew', () =>
  opened(async (own) => {
    const model = openSqliteReadModel({ file: ':memory:', fingerprint: 'test' });
    await put(model, saved(venue(1, { slug: 'hall' })));
    const shown = await one(model, HALL);
    assert.is.not((await model.forProjector.fetch([HALL]))[0], shown);
    await model.close();
    assert.is(await slugOf(own, HALL), null);
  }));

test('reads that wait for nothing share a look, and the next one sees what another process has written since', () =>
  opened(async (own, _other, outside) => {
    await put(own, saved(venue(1, { slug: 'hall' })));
    await own.terms();
    const batch = outside.prepare('UPDATE meta SET batch = batch + 1');
    await nextTurn();
    const before = await own.version();
    batch.run();
    assert.is(await own.version(), before);
    assert.is(await slugOf(own, PUB), null, 'what is read of the file is as the file is');
    const after = await own.version();
    assert.is.not(after, before, 'which is a look of its own');
    batch.run();
    assert.is(await own.version(), after);
    await nextTurn();
    assert.is.not(await own.version(), after, 'something was waited for');
    batch.run();
    await put(own, saved(venue(1, { slug: 'own-hall' })));
    assert.is(await slugOf(own, HALL), 'own-hall', 'its own writes count at once');
  }));

test('what old batches have changed is not kept', () =>
  opened(async (own, _other, outside) => {
    await put(own, saved(venue(1, { slug: 'hall' })));
    outside.exec('UPDATE meta SET batch = 599');
    await nextTurn();
    await put(own, saved(venue(2, { slug: 'pub' })));
    assert.equal(outside.prepare('SELECT DISTINCT batch FROM change').pluck().all(), [600]);
  }));

test.run();
