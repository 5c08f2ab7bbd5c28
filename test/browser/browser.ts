// The distribution's Chromium, for tests of pages. Without it these tests are skipped, and say so. The one that has no window at
// all draws the same pages with little more than half of the processor time: its renderers are not started in advance.
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { closeAtEnd, endOfFile } from '../support/at-end.ts';
import { startTestService, type TestService } from '../support/service.ts';

const PATHS = [
  process.env.DAYBOOK_TEST_CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The path of a browser; undefined if this machine has none. */
export const BROWSER = PATHS.find((path) => path !== undefined && path !== '' && existsSync(path));

export interface BrowserContext {
  daybook: TestService;
  browser: Browser;
  /** Where the service listens. */
  origin: string;
}

let launched: Promise<Browser> | null = null;

/** One for all files of a process; what is opened in it is in contexts of its own, which share nothing. */
export function sharedBrowser(): Promise<Browser> {
  launched ??= launch();
  return launched;
}

function launch(): Promise<Browser> {
  const launching = chromium.launch({
    ...(BROWSER !== undefined && { executablePath: BROWSER }),
    args: ['--no-sandbox'],
  });
  closeAtEnd(async () => {
    launched = null;
    await (await launching).close();
  });
  return launching;
}

/** Closes all pages, and the browser unless further files of this process use it. */
export async function leaveBrowser(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
  await endOfFile();
}

/** A service that listens, and a browser. */
export async function openBrowser(environment: { readonly [name: string]: string } = {}): Promise<BrowserContext> {
  const daybook = await startTestService({ environment });
  const origin = await daybook.service.app.listen({ host: '127.0.0.1', port: 0 });
  return { daybook, browser: await sharedBrowser(), origin };
}

export async function closeBrowser({ browser, daybook }: BrowserContext): Promise<void> {
  await leaveBrowser(browser);
  await daybook.close();
}

/** What a page did that none of ours may: errors, refused by the policy, requests that leave the origin. */
export function watched(page: Page, origin: string): readonly string[] {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  // A policy may refuse what the console does not name.
  const listening = page.addInitScript(`document.addEventListener('securitypolicyviolation', (violation) =>
    console.error('policy: ' + violation.effectiveDirective + ' ' + violation.blockedURI))`);
  listening.catch((error: unknown) => faults.push(String(error)));
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) faults.push(`asked ${request.url()}`);
  });
  return faults;
}
