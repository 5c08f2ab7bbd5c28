// Long work on the thread that answers all requests yields every few milliseconds.
import { setImmediate as endOfRound } from 'node:timers/promises';

/** What takes longer gives others their turn, in milliseconds. */
export const MAX_TURN_MS = 4;

/**
 * Resolves when other requests have had their turn. What a request's own arrival calls is followed by the end of that
 * round of the loop before any other socket is read: only the end of the next round is behind the others.
 */
export async function nextTurn(): Promise<void> {
  await endOfRound();
  await endOfRound();
}

/** When the work of this round of the event loop began; null: none has begun. */
let roundBegan: number | null = null;

function beginningOfRound(): number {
  if (roundBegan !== null) return roundBegan;
  roundBegan = performance.now();
  setImmediate(() => {
    roundBegan = null;
  });
  return roundBegan;
}

/** For work that does not know when it began: a promise of the next turn, once this round of the event loop has taken long enough. */
export function turnOfRound(): Promise<void> | undefined {
  return performance.now() - beginningOfRound() < MAX_TURN_MS ? undefined : nextTurn();
}

/** `lengthAfter`: how long the next turn is, by how long others had theirs; both in milliseconds. */
function turnsOf(lengthAfter: (wait: number) => number): () => Promise<void> | undefined {
  let length = MAX_TURN_MS;
  let began = performance.now();
  beginningOfRound();
  return () => {
    // Behind a wait, what has arrived may have taken long already: then this piece began before the round.
    const now = performance.now();
    if (now - Math.min(began, beginningOfRound()) < length) return undefined;
    return nextTurn().then(() => {
      length = lengthAfter(performance.now() - now);
      began = beginningOfRound();
    });
  };
}

/**
 * Begins a piece of work. Await it between the steps: resolves at once until the turn has taken long enough. All pieces of
 * one round of the event loop share a turn, so that many short ones, each behind the other, are no long one.
 */
export const openTurns = () => turnsOf(() => MAX_TURN_MS);

/** A turn is one part in so many of all that was waited: more than 4 ms after 80. */
const WAIT_PER_GROWTH = 20;

/**
 * Begins work that others wait for, as it holds a lock. Beside much other work its turns grow until they are as long as those of the
 * others: it takes little longer than twice as long as alone.
 */
export function openGrowingTurns(): () => Promise<void> | undefined {
  let waited = 0;
  return turnsOf((wait) => {
    waited += wait;
    return Math.max(MAX_TURN_MS, Math.min(wait, waited / WAIT_PER_GROWTH));
  });
}

/** What waits for a round, in the order of arrival. */
const waiting: (() => void)[] = [];

/**
 * How many share a round: side by side one finds the code of each step in the caches of the processor, where the other has left it. Lists
 * of no events, of twelve, and of twelve that are kept cost 10 to 20 % less than alone; four at a time no less than two.
 */
const TOGETHER = 2;

function beginNext(): void {
  roundBegan = null;
  for (const begin of waiting.splice(0, TOGETHER)) begin();
  if (waiting.length > 0) setImmediate(beginNext);
}

/**
 * Before work that keeps much in memory until it is done: begins at once while this round of the event loop is young, else
 * two a round, while others are read and answered in between. With 32 connections some 24 lists would otherwise
 * each wait in the middle, with the documents that they have read, and a quarter of what is young would outlive its collection.
 */
export function roundOfTwo(): Promise<void> | undefined {
  if (waiting.length === 0 && performance.now() - beginningOfRound() < MAX_TURN_MS) return undefined;
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(beginNext);
  });
}

/** Documents that are read in some milliseconds. */
const AT_ONCE = 100;

/** What `find` finds for each item, so many at a time, so that others have their turn in between. */
export async function inPortions<Item, Found>(
  items: readonly Item[],
  find: (some: readonly Item[]) => Promise<readonly Found[]>,
): Promise<Found[]> {
  const results: Found[] = [];
  for (let first = 0; first < items.length; first += AT_ONCE) {
    if (first > 0) await nextTurn();
    results.push(...(await find(items.slice(first, first + AT_ONCE))));
  }
  return results;
}
