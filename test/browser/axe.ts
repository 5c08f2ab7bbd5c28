// What axe finds in a page.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules that a page breaks seriously for those who cannot see it, or cannot use a mouse. */
export const seriousProblems = async (page: Page): Promise<string[]> =>
  (await violationsIn(page)).filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id }) => id);

/** The rules that it breaks at all. */
export const everyProblem = async (page: Page): Promise<string[]> => (await violationsIn(page)).map(({ id }) => id);

async function violationsIn(page: Page) {
  // Not as a script of the page, which its policy would refuse.
  await page.evaluate(AXE);
  const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as {
    readonly violations: readonly { readonly id: string; readonly impact: string }[];
  };
  return violations;
}
