import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { checksumOf, distrustedWhenDamaged, ReadModelDamaged } from '../../../src/read-model/damage.ts';
import { type ReadModel, ReadModelUnavailable } from '../../../src/read-model/read-model.ts';
import { openSqliteReadModel } from '../../../src/read-model/sqlite/open.ts';
import { eventQuery } from '../../support/documents.ts';

/** A read model whose lists answer with an error; notes how often it was distrusted. */
function failing(error: Error, distrust: () => Promise<void> = async () => {}) {
  const real = openSqliteReadModel({ file: ':memory:', fingerprint: 'test' });
  const seen = { distrusted: 0 };
  const model: ReadModel = {
    ...real,
    listEvents: () => Promise.reject(error),
    distrust() {
      seen.distrusted++;
      return distrust();
    },
  };
  return { model: distrustedWhenDamaged(model), seen };
}

const refusal = (model: ReadModel): Promise<unknown> => model.listEvents(eventQuery()).catch((error: unknown) => error);

test('many simultaneous reads of a damaged read model distrust it once, and all are refused', async () => {
  const damage = new ReadModelDamaged('somewhere');
  const { model, seen } = failing(damage);
  assert.equal(await Promise.all([1, 2, 3].map(() => refusal(model))), [damage, damage, damage]);
  assert.is(seen.distrusted, 1);
  await refusal(model);
  assert.is(seen.distrusted, 2, 'who finds it damaged later distrusts it again');
});

test('damage that cannot be noted now is refused all the same', async () => {
  const damage = new ReadModelDamaged('somewhere');
  const { model } = failing(damage, () => Promise.reject(new Error('the disk is full')));
  assert.is(await refusal(model), damage);
});

test('a read model that is merely unavailable is not distrusted', async () => {
  const { model, seen } = failing(new ReadModelUnavailable('away'));
  await refusal(model);
  assert.is(seen.distrusted, 0);
});

test('a seal distinguishes texts that differ anywhere, however long they are', () => {
  const long = 'Łódź '.repeat(100_000);
  const other = `${long.slice(0, 400_000)}x${long.slice(400_001)}`;
  const seals = ['', 'a', 'b', 'aa', long, other, `${long} `].map(checksumOf);
  assert.is(new Set(seals).size, seals.length);
  assert.ok(seals.every(Number.isSafeInteger));
});

test.run();
