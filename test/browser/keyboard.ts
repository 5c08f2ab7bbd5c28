// Going through a page by keyboard alone.
import type { Locator, Page } from 'playwright-core';

/** More than any page of ours has. */
const MAX_STOPS = 200;

/** Presses Tab until this has the focus. Throws if it is not in the order of focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    await page.keyboard.press('Tab');
    if ((await target.and(page.locator(':focus')).count()) === 1) return;
  }
  throw new Error(`${target} is not in the order of focus`);
}
