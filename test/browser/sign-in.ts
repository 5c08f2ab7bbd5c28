// Signing in at the desk in a browser.
import type { BrowserContextOptions } from 'playwright-core';
import { visitorOf } from '../support/desk.ts';
import type { As } from '../support/service.ts';
import { type BrowserContext, watched } from './browser.ts';

/** The labels of the form, and of the first section of the menu. */
export interface SignInWords {
  readonly login: string;
  readonly password: string;
  readonly enter: string;
  readonly events: string;
}

export async function signIn(
  { daybook, browser, origin }: BrowserContext,
  words: SignInWords,
  options: BrowserContextOptions,
  as: As = 'editor',
) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const faults = watched(page, origin);
  const { login, password } = visitorOf(daybook).credentials(as);
  await page.goto(`${origin}/desk`);
  await page.getByLabel(words.login).fill(login);
  await page.getByLabel(words.password).fill(password);
  await page.getByRole('button', { name: words.enter }).click();
  // On a small screen the menu is behind a button.
  await page.locator('nav.desk').waitFor({ state: 'attached' });
  return { page, faults, context };
}
