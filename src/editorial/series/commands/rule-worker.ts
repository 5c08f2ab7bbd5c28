// The thread of rule-check.ts.
import { parentPort } from 'node:worker_threads';
import { type RecurrenceBounds, type RefusedRule, recurrenceStarts } from '../../../kernel/time/recurrence.ts';
import { parseSeriesRule } from '../domain/rule-set.ts';

export interface RuleTask {
  readonly rules: readonly string[];
  readonly bounds: RecurrenceBounds;
}

function faultOf(rule: string, bounds: RecurrenceBounds): RefusedRule | null {
  const parsed = parseSeriesRule(rule);
  if ('fault' in parsed) return parsed;
  const starts = recurrenceStarts(parsed.text, bounds);
  // How many dates there are depends on the end of the rule as well.
  return 'fault' in starts && starts.fault !== 'too-many' ? starts : null;
}

parentPort?.on('message', ({ rules, bounds }: RuleTask) => {
  const faults = rules.map((rule) => faultOf(rule, bounds));
  parentPort?.postMessage(faults.find((fault) => fault !== null) ?? null);
});
