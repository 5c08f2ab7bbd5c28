// Measures what a visitor with a telephone waits for: the largest paint, what moves, and what a page weighs, on a network and a
// processor that are slowed down. Times depend on the machine, so this is no test; weights and moves are tested in visitor.test.ts.
// Usage: node test/browser/paint.ts http://127.0.0.1:8080 / /event/some-slug/ …
import { type Browser, chromium } from 'playwright-core';
import { BROWSER } from './browser.ts';

/** As Lighthouse slows telephones down ("slow 4G"): 1.6 Mbit/s, 150 ms there and back, a fourth of the processor. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 };
const SLOWER = 4;
const RUNS = 5;

const OBSERVE = `globalThis.paint = { at: 0, what: '', moved: 0 };
new PerformanceObserver((list) => { for (const { startTime, element, url } of list.getEntries())
  globalThis.paint = { ...globalThis.paint, at: startTime, what: (element?.tagName ?? '') + ' ' + url.replace(/.*\\//, '') }; })
  .observe({ type: 'largest-contentful-paint', buffered: true });
new PerformanceObserver((list) => { for (const { value } of list.getEntries()) globalThis.paint.moved += value; })
  .observe({ type: 'layout-shift', buffered: true });`;

interface Paint {
  /** Milliseconds after the request. */
  readonly at: number;
  readonly first: number;
  readonly what: string;
  readonly moved: number;
  /** Bytes as they were sent: without pictures, and all. */
  readonly weight: number;
  readonly whole: number;
}

const READ = `(() => {
  const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
  const sum = (some) => some.reduce((total, { transferSize }) => total + transferSize, 0);
  const first = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
  return { ...globalThis.paint, first, weight: sum(entries.filter(({ initiatorType }) => initiatorType !== 'img')), whole: sum(entries) };
})()`;

async function paintOf(browser: Browser, address: string): Promise<Paint> {
  const context = await browser.newContext({
    ...{
      viewport: { width: 360, height: 780 },
      deviceScaleFactor: 2,
      isMobile: true,
      locale: 'en-GB',
      bypassCSP: true,
    },
  });
  const page = await context.newPage();
  await page.addInitScript(OBSERVE);
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', NETWORK);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.goto(address, { waitUntil: 'networkidle' });
  await page.waitForFunction('globalThis.paint.at > 0');
  await page.waitForLoadState('networkidle');
  const paint = (await page.evaluate(READ)) as Paint; // As it is made above.
  await context.close();
  return paint;
}

const [origin = '', ...paths] = process.argv.slice(2);
if (BROWSER === undefined || origin === '') throw new Error('a Chromium and the address of a service are needed');
const browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox'] });
for (const path of paths.length === 0 ? ['/'] : paths) {
  const paints: Paint[] = [];
  for (let run = 0; run < RUNS; run += 1) paints.push(await paintOf(browser, `${origin}${path}`));
  const [least] = paints.toSorted((one, other) => one.at - other.at);
  if (least === undefined) continue;
  const all = paints.map(({ at }) => Math.round(at)).join(' ');
  console.log(
    `${path}: largest paint ${Math.round(least.at)} ms (${least.what.trim()}; all: ${all}), first ${Math.round(least.first)} ms, ` +
      `moved ${least.moved.toFixed(3)}, ${Math.round(least.weight / 1000)} kB without pictures, ${Math.round(least.whole / 1000)} kB in all`,
  );
}
await browser.close();
