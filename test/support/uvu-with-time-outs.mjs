// uvu, with a time-out for every test and hook: one that hangs fails by its name, and the rest still run. The process that started
// this one (scripts/test.mjs) hears which test is running, so that it can name one that blocks the event loop or ends the process.
import * as uvu from 'uvu';
import { processorMs } from './processor-time.mjs';

const TIMEOUT_MS = Number(process.env.DAYBOOK_TEST_TIMEOUT_MS ?? 120_000);
/** Rooms whose tests take minutes by design. */
const LONG = /^(fuzz|drills|properties|docs)\//;
const LONG_TIMEOUT_MS = 5 * TIMEOUT_MS;

const report = (message) => process.send?.(message);

function limited(suiteName, name, handler) {
  const file = globalThis.UVU_QUEUE?.[globalThis.UVU_INDEX]?.[0] ?? '';
  const timeout = LONG.test(file) ? LONG_TIMEOUT_MS : TIMEOUT_MS;
  const title = [suiteName, name].filter(Boolean).join(': ');
  return async (state) => {
    report({ kind: 'begun', file, title });
    const begun = performance.now();
    const usedBefore = processorMs();
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no result after ${timeout} ms`)), timeout);
    });
    try {
      await Promise.race([handler(state), late]);
    } catch (error) {
      report({ kind: 'failed', file, title });
      throw error;
    } finally {
      clearTimeout(timer);
      report({ kind: 'ended', file, ms: performance.now() - begun, usedMs: processorMs() - usedBefore });
    }
  };
}

/** uvu says nothing of a hook that throws. */
function hook(suiteName, name, add) {
  return (handler) => {
    const guarded = limited(suiteName, name, handler);
    add(async (state) => {
      try {
        await guarded(state);
      } catch (error) {
        console.error(`\n${suiteName}, ${name}: ${error?.stack ?? error}`);
        throw error;
      }
    });
  };
}

function withTimeOuts(original, suiteName) {
  const test = (name, handler) => original(name, limited(suiteName, name, handler));
  test.skip = original.skip;
  test.run = original.run;
  test.before = hook(suiteName, 'before', original.before);
  test.before.each = hook(suiteName, 'before each', original.before.each);
  test.after = hook(suiteName, 'after', original.after);
  test.after.each = hook(suiteName, 'after each', original.after.each);
  return test;
}

export const suite = (name = '', state = {}) => withTimeOuts(uvu.suite(name, state), name);
export const test = withTimeOuts(uvu.test, '');
export const exec = uvu.exec;
