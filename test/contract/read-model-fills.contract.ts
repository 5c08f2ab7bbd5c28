// Filling an emptied read model in many batches that count as one.
import * as assert from 'uvu/assert';
import { LOG_START } from '../../src/log/envelope.ts';
import type { DocumentChange, ReadModel } from '../../src/read-model/read-model.ts';
import { event, eventQuery, saved } from '../support/documents.ts';
import { type Check, idsOf } from './read-model-check.ts';

const add = (model: ReadModel, fill: string, ...changes: readonly DocumentChange[]) =>
  model.apply({ after: LOG_START, upTo: LOG_START, changes, fill });

const end = (model: ReadModel, fill: string, upTo: string, ...changes: readonly DocumentChange[]) =>
  model.apply({ after: LOG_START, upTo, changes, fill });

const shownBy = async (model: ReadModel): Promise<readonly number[]> => idsOf(await model.listEvents(eventQuery()));

export function fillRules(check: Check): void {
  check('a fill counts when its last batch is in', async (model) => {
    await model.clear();
    assert.is(await add(model, 'one', saved(event(1))), 'applied');
    assert.is(await model.checkpoint(), LOG_START);
    assert.is(await end(model, 'one', '7', saved(event(2))), 'applied');
    assert.is(await model.checkpoint(), '7');
    assert.equal(await shownBy(model), [1, 2]);
  });

  check('after a fill the views go on as usual', async (model) => {
    await model.clear();
    await add(model, 'one', saved(event(1)));
    await end(model, 'one', '7');
    assert.is(await model.apply({ after: '7', upTo: '8', changes: [saved(event(3))] }), 'applied');
    assert.equal(await shownBy(model), [1, 3]);
  });

  check('a fill that another one has replaced is stale from then on, and the other one is complete', async (model) => {
    await model.clear();
    await add(model, 'one', saved(event(1)));
    await model.clear();
    assert.is(await add(model, 'two', saved(event(1))), 'applied');
    assert.is(await add(model, 'one', saved(event(2))), 'stale');
    assert.is(await end(model, 'one', '7', saved(event(2))), 'stale');
    assert.is(await end(model, 'two', '9', saved(event(2))), 'applied');
    assert.is(await model.checkpoint(), '9');
    assert.equal(await shownBy(model), [1, 2]);
  });

  // An adapter may hold back all of a fill until its last batch: then nothing of it was there to be cleared away.
  check('a fill that was replaced before the other one began is stale or complete, never half', async (model) => {
    await model.clear();
    await add(model, 'one', saved(event(1)));
    await model.clear();
    const isWhole = (await end(model, 'one', '7', saved(event(2)))) === 'applied';
    assert.is(await model.checkpoint(), isWhole ? '7' : LOG_START);
    assert.equal(await shownBy(model), isWhole ? [1, 2] : []);
  });

  check('a fill that comes after the views are in use is stale', async (model) => {
    await model.apply({ after: LOG_START, upTo: '5', changes: [saved(event(1))] });
    await add(model, 'one', saved(event(2)));
    assert.is(await end(model, 'one', '7', saved(event(3))), 'stale');
    assert.is(await model.checkpoint(), '5');
    assert.equal(await shownBy(model), [1]);
  });

  check('what a broken-off fill has left is gone after the next one', async (model) => {
    await model.clear();
    await add(model, 'one', saved(event(1)), saved(event(2)));
    await model.clear();
    await add(model, 'two', saved(event(3)));
    await end(model, 'two', '7');
    assert.equal(await shownBy(model), [3]);
  });
}
