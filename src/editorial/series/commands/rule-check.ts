// Whether the rules that a client sends have dates: found out in a thread, because a rule that never comes is searched for
// up to a second, and others must not wait for that.

import { once } from 'node:events';
import { openThreads } from '../../../kernel/event-loop/spare-thread.ts';
import type { RefusedRule } from '../../../kernel/time/recurrence.ts';
import type { RuleTask } from './rule-worker.ts';

const threads = openThreads(new URL('./rule-worker.ts', import.meta.url));
/** Far more than any rule takes that has dates. */
const LIMIT_MS = 5_000;

/** Rules of these parts alone always come. */
const SIMPLE =
  /^(?:RRULE:)?(?:(?:FREQ=(?:DAILY|WEEKLY|MONTHLY|YEARLY)|INTERVAL=\d+|COUNT=\d+|UNTIL=[\dTZ]+|BYDAY=[A-Z,]+|WKST=[A-Z]{2});?)+$/i;

/** Why the rules cannot be followed from a wall clock on; null: they can, as far as rules alone say. */
export async function refusedRule({ rules, bounds }: RuleTask): Promise<RefusedRule | null> {
  const doubtful = rules.filter((rule) => !SIMPLE.test(rule));
  if (doubtful.length === 0) return null;
  const task: RuleTask = { rules: doubtful, bounds };
  const worker = threads.take();
  worker.postMessage(task);
  try {
    const [refused] = await once(worker, 'message', { signal: AbortSignal.timeout(LIMIT_MS) });
    threads.keep(worker);
    return refused;
  } catch (error) {
    void worker.terminate();
    if (!(error instanceof Error && error.name === 'AbortError')) throw error;
    return { fault: 'never', detail: 'it takes too long to find its dates' };
  }
}
