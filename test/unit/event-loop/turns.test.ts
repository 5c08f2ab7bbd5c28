import { readFile } from 'node:fs/promises';
import { setImmediate as endOfRound } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  inPortions,
  MAX_TURN_MS,
  nextTurn,
  openGrowingTurns,
  openTurns,
  roundOfTwo,
} from '../../../src/kernel/event-loop/turns.ts';

test('a turn that is given back on arrival of something leaves room for what arrived meanwhile', async () => {
  // Reading a file arrives as requests do: the end of that round of the loop comes before anything else.
  await readFile(import.meta.filename);
  let isServed = false;
  const due = performance.now() + 2;
  setTimeout(() => {
    isServed = true;
  }, 1);
  while (performance.now() < due);
  await nextTurn();
  assert.ok(isServed);
});

function work(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

test('pieces of work behind each other share a turn, and each round of the loop has its own', async () => {
  await endOfRound();
  const early = openTurns();
  work(MAX_TURN_MS / 2);
  // As if another function, or another request, began in the same round.
  const late = openTurns();
  work(MAX_TURN_MS / 2);
  let rounds = 0;
  setImmediate(() => {
    rounds += 1;
  });
  await Promise.all([early(), late()]);
  assert.is(rounds, 1);
});

test('what goes on behind a turn has begun its round', async () => {
  await endOfRound();
  const early = openTurns();
  work(MAX_TURN_MS);
  await early();
  work(MAX_TURN_MS);
  const late = openTurns();
  let rounds = 0;
  setImmediate(() => {
    rounds += 1;
  });
  await late();
  assert.is(rounds, 1);
});

/** How many rounds of so much other work pass until steps of one millisecond are done. */
async function besideOthers(milliseconds: number, steps: number, open: typeof openTurns) {
  let rounds = 0;
  let isDone = false;
  const others = (): void => {
    if (isDone) return;
    rounds += 1;
    work(milliseconds);
    setImmediate(others);
  };
  await endOfRound();
  others();
  const turn = open();
  for (let step = 0; step < steps; step++) {
    work(1);
    await turn();
  }
  isDone = true;
  return rounds;
}

test('turns that grow share the event loop with what takes long, and are as short as others where nothing does', async () => {
  const [rigid, growing] = [await besideOthers(10, 200, openTurns), await besideOthers(10, 200, openGrowingTurns)];
  assert.ok(growing < rigid * 0.7, `${growing} rounds, ${rigid} of others`);
  const short = await besideOthers(MAX_TURN_MS / 2, 600, openGrowingTurns);
  assert.ok(short >= 220, `${short} rounds`);
});

test('work begins at once in a young round; in a long one two pieces share one of the next rounds, in order', async () => {
  await endOfRound();
  assert.is(roundOfTwo(), undefined);
  work(MAX_TURN_MS);
  let round = 0;
  const counted = (): void => {
    round += 1;
    if (begun.length < 5) setImmediate(counted);
  };
  const begun: { readonly name: string; readonly round: number }[] = [];
  setImmediate(counted);
  await Promise.all(
    ['first', 'second', 'third', 'fourth', 'fifth'].map(async (name) => {
      await roundOfTwo();
      begun.push({ name, round });
    }),
  );
  assert.equal(
    begun.map(({ name }) => name),
    ['first', 'second', 'third', 'fourth', 'fifth'],
  );
  const [first = 0] = begun.map((one) => one.round);
  assert.equal(
    begun.map((one) => one.round - first),
    [0, 0, 1, 1, 2],
  );
  assert.is(roundOfTwo(), undefined);
});

const numbered = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** Runs the work, and counts how often others have had their turn before it has ended. */
async function turnsDuring<Result>(
  work: Promise<Result>,
): Promise<{ readonly result: Result; readonly turns: number }> {
  let hasEnded = false;
  const result = work.finally(() => {
    hasEnded = true;
  });
  let turns = 0;
  for (; !hasEnded; turns += 1) await endOfRound();
  return { result: await result, turns };
}

test('ids are taken a hundred at a time, in order, and others have their turn in between', async () => {
  const taken: number[] = [];
  const doubled = inPortions(numbered(250), async (some) => {
    taken.push(some.length);
    return some.map((id) => 2 * id);
  });
  const { result, turns } = await turnsDuring(doubled);
  assert.equal(taken, [100, 100, 50]);
  assert.equal(
    result,
    numbered(250).map((id) => 2 * id),
  );
  assert.ok(turns >= 2);
  assert.equal(await inPortions([], () => Promise.reject(new Error('asked for nothing'))), []);
});

test.run();
