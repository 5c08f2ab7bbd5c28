import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createGate, type Gate } from '../../../src/read-model/read-model.ts';

/** A gate whose judge notes that it was called, and does something with it. */
function judgedGate(judge: (gate: Gate) => void): { readonly gate: Gate; readonly judgements: () => number } {
  const gate = createGate();
  let judgements = 0;
  gate.judgeBy(async () => {
    judgements++;
    judge(gate);
  });
  return { gate, judgements: () => judgements };
}

const test = suite('guard of a read model');

test('everything is admitted as long as there is no pressure monitor', () =>
  assert.is(createGate().admits('one'), true));

test('a life that has not been compared yet is judged, and then known', async () => {
  const { gate, judgements } = judgedGate((of) => of.admit('one'));
  assert.is(await gate.admits('one'), true);
  assert.is(gate.admits('one'), true);
  assert.is(judgements(), 1);
});

test('a refused life is refused without another judgement, another one is judged', async () => {
  const { gate, judgements } = judgedGate((of) => of.refuse('one'));
  assert.is(await gate.admits('one'), false);
  assert.is(gate.admits('one'), false);
  assert.is(judgements(), 1);
  assert.is(await gate.admits('two'), false);
  assert.is(judgements(), 2);
});

test('what could not be compared is judged again with each read', async () => {
  const { gate, judgements } = judgedGate((of) => of.refuse(null));
  for (const _ of [1, 2]) assert.is(await gate.admits('one'), false);
  assert.is(judgements(), 2);
});

test('one life is admitted at a time', async () => {
  const { gate } = judgedGate(() => {});
  gate.admit('one');
  gate.admit('two');
  assert.is(gate.admits('two'), true);
  assert.is(await gate.admits('one'), false);
});

test('an admitted connection hands its admission to its successor, others have none', async () => {
  const { gate } = judgedGate(() => {});
  gate.admit('one');
  gate.succeed('elsewhere', 'two');
  assert.is(await gate.admits('two'), false);
  gate.succeed('one', 'two');
  assert.is(gate.admits('two'), true);
  assert.is(await gate.admits('one'), false);
});

test.run();
