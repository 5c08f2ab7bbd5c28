// What a comparison of two generations takes for a difference, and what only for another moment.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Document } from '../../../src/read-model/documents.ts';
import type { Generation } from '../../../src/read-model/generations.ts';
import { type Verification, verify } from '../../../src/read-model/projector/compare.ts';
import { openSqliteReadModel } from '../../../src/read-model/sqlite/open.ts';
import { category, event, saved } from '../../support/documents.ts';

async function generation(checkpoint: string, documents: readonly Document[]): Promise<Omit<Generation, 'beside'>> {
  const model = openSqliteReadModel({ file: ':memory:', fingerprint: 'test' });
  await model.apply({ after: '', upTo: checkpoint, changes: documents.map(saved) });
  return {
    name: 'one',
    model,
    storage: model.storage,
    async *keys() {
      yield documents.map(({ kind, id }) => ({ kind, id }));
      // As when it is written to meanwhile.
      yield documents.slice(0, 1).map(({ kind, id }) => ({ kind, id }));
    },
    close: () => model.close(),
  };
}

/** Two generations with their checkpoints. */
async function compared(
  live: readonly [checkpoint: string, ...documents: Document[]],
  built: readonly [checkpoint: string, ...documents: Document[]],
): Promise<Verification> {
  const [liveAt, ...liveDocuments] = live;
  const [builtAt, ...builtDocuments] = built;
  const [one, other] = [await generation(liveAt, liveDocuments), await generation(builtAt, builtDocuments)];
  try {
    return await verify({
      live: one,
      built: other,
      advance: async () => {},
      reach: ({ model }) => model.checkpoint(),
      onProgress: () => {},
    });
  } finally {
    await one.close();
    await other.close();
  }
}

const at = (id: number, position: string, revision = 0): Document => event(id, { position, revision });

test('equal documents have equal counts and digests, whatever order they come in', async () => {
  const found = await compared(['3', at(1, '1'), at(2, '2'), category(9)], ['3', category(9), at(2, '2'), at(1, '1')]);
  const { digests, ...rest } = found;
  assert.equal(rest, {
    counts: [
      { kind: 'category', live: 1, built: 1 },
      { kind: 'event', live: 2, built: 2 },
    ],
    different: 0,
    damaged: 0,
    differences: [],
    notCompared: 0,
  });
  assert.match(digests.live, /^[0-9a-f]{32}$/);
  assert.is(digests.live, digests.built);
});

test('the same revision with other content is a difference', async () => {
  const found = await compared(['3', event(1, { title: 'one' })], ['3', event(1, { title: 'other' })]);
  const [first] = found.differences.filter(({ place }) => place === 'title');
  assert.equal(first, {
    ...{ kind: 'event', what: 'of other content', place: 'title', documents: 1 },
    first: { id: 1, live: 'one', built: 'other' },
  });
  assert.is(found.different, 1);
  assert.is.not(found.digests.live, found.digests.built);
});

test('a document that the one in use lacks or has too much is a difference', async () => {
  const { counts, differences, different } = await compared(['3', at(1, '1')], ['3', at(2, '2')]);
  assert.equal(counts, [{ kind: 'event', live: 1, built: 1 }]);
  assert.equal(
    differences.map(({ kind, what, place, documents, first }) => [kind, what, place, documents, first.id]),
    [
      ['event', 'missing in the one in use', '', 1, 2],
      ['event', 'only in the one in use', '', 1, 1],
    ],
  );
  assert.is(different, 2);
});

test('an older document in views that have gone further is a difference', async () => {
  const found = await compared(['5', at(1, '1', 0)], ['5', at(1, '4', 3)]);
  assert.equal([...new Set(found.differences.map(({ what }) => what))], ['of another revision']);
});

test('what the one in use has not got to yet is not compared', async () => {
  const found = await compared(['3', at(1, '1', 0)], ['5', at(1, '4', 3), at(2, '5')]);
  assert.is(found.different, 0);
  assert.is(found.notCompared, 2);
});

test('what the new one has not got to yet is not compared', async () => {
  const found = await compared(['5', at(1, '4', 3), at(2, '5')], ['3', at(1, '1', 0)]);
  assert.is(found.different, 0);
  assert.is(found.notCompared, 2);
});

test.run();
