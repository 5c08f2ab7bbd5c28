// What holds for a page however it is looked at: narrow and dark, wide and light, and by assistive programs.
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { seriousProblems } from './axe.ts';

const LOOKS = [
  ['dark', 360],
  ['light', 1280],
] as const;

/** Opens the page with all its details; nothing sticks out, and axe finds nothing serious. */
export async function assertGoodLooks(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await assertGoodLook(page);
}

/** The same of the page as it is, such as one that has answered a form. */
export async function assertGoodLook(page: Page): Promise<void> {
  const address = page.url();
  await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
  for (const [colorScheme, width] of LOOKS) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    const excess = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    assert.is(excess, 0, `${address} ${width}`);
    assert.equal(await seriousProblems(page), [], `${address} ${colorScheme}`);
  }
}
