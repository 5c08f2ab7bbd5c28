import { setImmediate as nextTurn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openGate } from '../../../src/queries/gate.ts';

const test = suite('gate');

/** Work that is under way until it is told to end. */
function openWork() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    do: (name: string) => () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    },
    end: async (name: string) => {
      ends.get(name)?.();
      await nextTurn();
    },
  };
}

const setUp = () => ({
  gate: openGate({ concurrency: 2, maxWaiting: 2, refused: () => new Error('full') }),
  work: openWork(),
});

test('so many are inside at once, the others come in in their turn', async () => {
  const { gate, work } = setUp();
  const done = ['a', 'b', 'c', 'd'].map((name) => gate.pass(work.do(name)));
  await nextTurn();
  assert.equal(work.begun, ['a', 'b']);
  await work.end('b');
  assert.equal(work.begun, ['a', 'b', 'c']);
  for (const name of ['a', 'c', 'd']) await work.end(name);
  assert.equal(await Promise.all(done), ['a', 'b', 'c', 'd']);
});

test('a request that finds too many waiting is refused at once, and a later one may wait again', async () => {
  const { gate, work } = setUp();
  const inside = ['a', 'b', 'c', 'd'].map((name) => gate.pass(work.do(name)));
  assert.is(await gate.pass(work.do('e')).catch((error: Error) => error.message), 'full');
  await work.end('a');
  const later = gate.pass(work.do('f'));
  for (const name of ['b', 'c', 'd', 'f']) await work.end(name);
  await Promise.all([...inside, later]);
  assert.equal(work.begun, ['a', 'b', 'c', 'd', 'f']);
});

test('work that fails makes room, too', async () => {
  const { gate, work } = setUp();
  const failing = () => Promise.reject(new Error('failed'));
  for (let turn = 0; turn < 5; turn += 1)
    assert.is(await gate.pass(failing).catch((error: Error) => error.message), 'failed');
  void gate.pass(work.do('a'));
  void gate.pass(work.do('b'));
  await nextTurn();
  assert.equal(work.begun, ['a', 'b']);
});

test.run();
