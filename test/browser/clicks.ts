// Counting what a story costs its user.
import type { Locator } from 'playwright-core';

export interface Clicks {
  on(target: Locator): Promise<void>;
  /** A choice in a list, a date that is typed, a drag: each as much as a click. */
  also(act: () => Promise<unknown>): Promise<void>;
  count(): number;
}

export function clicker(): Clicks {
  let done = 0;
  const also = async (act: () => Promise<unknown>): Promise<void> => {
    done += 1;
    await act();
  };
  return { also, on: (target) => also(() => target.click()), count: () => done };
}
