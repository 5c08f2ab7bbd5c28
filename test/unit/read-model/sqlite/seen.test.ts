// Documents that a connection has read are used again until they change, by this connection or another.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { DocumentKey } from '../../../../src/read-model/documents.ts';
import { shareLook } from '../../../../src/read-model/one-look.ts';
import type { ReadModel } from '../../../../src/read-model/read-model.ts';
import { openSqliteReadModel } from '../../../../src/read-model/sqlite/open.ts';
import { event, put, removed, saved, venue } from '../../../support/documents.ts';

const HALL: DocumentKey = { kind: 'venue', id: 1 };
const PUB: DocumentKey = { kind: 'venue', id: 2 };

/** The same file, opened twice as by two processes. */
async function opened(run: (own: ReadModel, other: ReadModel) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'daybook-seen-'));
  const open = () => openSqliteReadModel({ file: path.join(folder, 'views.db'), fingerprint: 'test' });
  const models = [open(), open()] as const;
  try {
    await run(...models);
  } finally {
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

test('reads that share a look are of that look, and the next one sees what was written since', () =>
  opened(async (own, other) => {
    await put(own, saved(venue(1, { slug: 'hall' })));
    await own.terms();
    await one(own, HALL);
    shareLook();
    const before = await own.version();
    await put(other, saved(venue(1, { slug: 'great-hall' })));
    assert.is(await own.version(), before);
    assert.is(await slugOf(own, PUB), null, 'what is read of the file is as the file is');
    assert.is.not(await own.version(), before, 'which is a look of its own');
    assert.is(await slugOf(own, HALL), 'great-hall');
    shareLook();
    const between = await own.version();
    await put(other, saved(venue(1, { slug: 'small-hall' })));
    assert.is(await own.version(), between);
    shareLook();
    assert.is(await slugOf(own, HALL), 'small-hall', 'another answer begins');
    await put(other, saved(venue(1, { slug: 'hall' })));
    await nextTurn();
    assert.is(await slugOf(own, HALL), 'hall', 'something was waited for');
    shareLook();
    await own.version();
    await put(own, saved(venue(1, { slug: 'own-hall' })));
    assert.is(await slugOf(own, HALL), 'own-hall', 'its own writes count at once');
  }));

test.run();
