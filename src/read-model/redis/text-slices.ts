// Long replies are taken a few megabytes at a time: checking and measuring the texts of a page can take tens of
// milliseconds, and others get their turn in between.
import { setImmediate as endOfRound } from 'node:timers/promises';

/** Checked or measured within a few milliseconds. */
const MAX_CHARACTERS = 2 ** 22;

/** Calls `take` for each item in order; `lengthOf` says how many characters that concerns. */
export async function inSlices<Item>(
  items: readonly Item[],
  lengthOf: (item: Item) => number,
  take: (item: Item, at: number) => void,
): Promise<void> {
  let characters = 0;
  for (const [at, item] of items.entries()) {
    characters += lengthOf(item);
    if (characters > MAX_CHARACTERS && at > 0) {
      // The end of the round in which a reply arrives comes before anything else: only the next one is behind others.
      await endOfRound();
      await endOfRound();
      characters = lengthOf(item);
    }
    take(item, at);
  }
}
