// Counting what a story costs its user.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import * as assert from 'uvu/assert';

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

const PAGE = 'docs/decisions/33-accessibility.md';
const TASKS = readFileSync(path.resolve(import.meta.dirname, '../..', PAGE), 'utf8').split('\n');

/** The decision says of this task that it takes so many steps. */
export function assertCounted(task: string, steps: number): void {
  const row = TASKS.find((line) => line.startsWith(`| ${task}`)) ?? '';
  assert.is(row.split('|').at(-2)?.trim(), String(steps), `${PAGE}: ${task}`);
}
