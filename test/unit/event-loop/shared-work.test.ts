import { setImmediate as nextTurn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { askedOnce, openQueue, singleFlight } from '../../../src/kernel/event-loop/shared-work.ts';

const test = suite('shared work');

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
  inTurn: openQueue({ atOnce: 2, maxWaiting: 2, refused: () => new Error('full') }),
  work: openWork(),
});

test('so many are inside at once, the others come in in their turn', async () => {
  const { inTurn, work } = setUp();
  const done = ['a', 'b', 'c', 'd'].map((name) => inTurn(work.do(name)));
  await nextTurn();
  assert.equal(work.begun, ['a', 'b']);
  await work.end('b');
  assert.equal(work.begun, ['a', 'b', 'c']);
  for (const name of ['a', 'c', 'd']) await work.end(name);
  assert.equal(await Promise.all(done), ['a', 'b', 'c', 'd']);
});

test('a request that finds too many waiting is refused at once, and a later one may wait again', async () => {
  const { inTurn, work } = setUp();
  const inside = ['a', 'b', 'c', 'd'].map((name) => inTurn(work.do(name)));
  assert.is(await inTurn(work.do('e')).catch((error: Error) => error.message), 'full');
  await work.end('a');
  const later = inTurn(work.do('f'));
  for (const name of ['b', 'c', 'd', 'f']) await work.end(name);
  await Promise.all([...inside, later]);
  assert.equal(work.begun, ['a', 'b', 'c', 'd', 'f']);
});

test('work that fails makes room, too', async () => {
  const { inTurn, work } = setUp();
  const failing = () => Promise.reject(new Error('failed'));
  for (let turn = 0; turn < 5; turn += 1)
    assert.is(await inTurn(failing).catch((error: Error) => error.message), 'failed');
  void inTurn(work.do('a'));
  void inTurn(work.do('b'));
  await nextTurn();
  assert.equal(work.begun, ['a', 'b']);
});

test('those who ask while work goes on share its result, also a failure; then it is begun anew', async () => {
  const shared = singleFlight<string>();
  const work = openWork();
  const both = [shared('a', work.do('first')), shared('a', work.do('second')), shared('b', work.do('other'))];
  assert.equal(work.begun, ['first', 'other']);
  await work.end('first');
  await work.end('other');
  assert.equal(await Promise.all(both), ['first', 'first', 'other']);
  const failing = () => Promise.reject(new Error('failed'));
  const failed = [shared('a', failing), shared('a', work.do('third'))].map((one) => one.catch(String));
  assert.equal(await Promise.all(failed), ['Error: failed', 'Error: failed']);
  const again = shared('a', work.do('fourth'));
  await work.end('fourth');
  assert.is(await again, 'fourth');
  assert.equal(work.begun, ['first', 'other', 'fourth']);
});

test('what was asked once is not asked again, by the key of the question', () => {
  const asked: number[] = [];
  const half = askedOnce(
    (number: number) => {
      asked.push(number);
      return Math.floor(number / 2);
    },
    new Map(),
    (number) => number >> 1,
  );
  assert.equal([half(4), half(5), half(6)], [2, 2, 3]);
  assert.equal(asked, [4, 6]);
});

test.run();
