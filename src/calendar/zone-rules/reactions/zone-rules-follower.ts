// Adjusts future events to the newest zone rules that any process of this log has. Runs in every process that answers
// requests, without coordination: the log accepts a change of rules, and each adjustment, at one revision only.
//
// The first process with newer rules records them in the log, and all processes that have them go through the log step
// by step. Later they examine what was recorded since, because a process with older rules may have written it. A
// process with older rules than the log's logs that, and adjusts nothing.

import { setTimeout as sleep } from 'node:timers/promises';
import { openCoordination } from '../../../commands/context.ts';
import type { EpochSeconds, ZoneRules } from '../../../kernel/time/zone.ts';
import { LOG_START, type Position } from '../../../log/envelope.ts';
import { isOutage } from '../../../log/writing.ts';
import type { Log } from '../../../observability/log.ts';
import type { Reaction } from '../../../reactions/repeat.ts';
import {
  type AdjustmentContext,
  adjust,
  ageOfRules,
  nextStep,
  recordMark,
  rulesOfLog,
  type ZoneRulesDependencies,
} from '../commands/zone-rules.ts';

interface ZoneRulesFollowerOptions extends ZoneRulesDependencies {
  readonly rules: ZoneRules;
  readonly clock: { now(): EpochSeconds };
  readonly newId: () => string;
  readonly log: Log;
}

/** The pause before examining what others have recorded, and after a failure. */
const LOOK_AFTER_MS = 30_000;
const AGAIN_AFTER_MS = 2_000;
/** Events adjusted concurrently: requests get their turn in between. */
const AT_ONCE = 20;
/** Facts between two marks, for processes that start later. */
const FACTS_PER_MARK = 10_000;

/** Goes through the log once from the last mark, and continues from there with each further call. */
export function openSweep({ rules, clock, newId, log, store, newEventId }: ZoneRulesFollowerOptions) {
  const dependencies = { store, newEventId, ...openCoordination() };
  const { release } = rules;
  let after: Position = LOG_START;
  let sinceMark = 0;

  const contextNow = (correlationId: string): AdjustmentContext => ({ now: clock.now(), correlationId });

  /**
   * An event that cannot be adjusted, because this version does not understand its stream, does not stop the others.
   */
  async function adjustOne(id: number, correlationId: string): Promise<boolean> {
    try {
      return await adjust(dependencies, rules, contextNow(correlationId), id);
    } catch (error) {
      if (isOutage(error)) throw error;
      log.error({ err: error, id }, 'applying the new zone rules to an event failed');
      return false;
    }
  }

  async function adjustAll(ids: readonly number[], correlationId: string): Promise<number> {
    let adjusted = 0;
    for (let first = 0; first < ids.length; first += AT_ONCE) {
      const some = ids.slice(first, first + AT_ONCE);
      // None may still be running when the first failure ends the step.
      for (const outcome of await Promise.allSettled(some.map((id) => adjustOne(id, correlationId)))) {
        if (outcome.status === 'rejected') throw outcome.reason;
        if (outcome.value) adjusted += 1;
      }
    }
    return adjusted;
  }

  return {
    /** Examines everything. Returns the number of adjusted events; null if the log's rules are newer. */
    async run(signal: AbortSignal): Promise<number | null> {
      const correlationId = newId();
      let ofLog = await rulesOfLog(store);
      // Another process may be faster, with these rules, newer ones or older ones.
      while (ageOfRules(release, ofLog.release) === 'newer') {
        after = LOG_START;
        await recordMark(dependencies, contextNow(correlationId), 'ZoneRulesAdopted', release, ofLog.revision);
        ofLog = await rulesOfLog(store);
      }
      if (ofLog.release !== release) return null;
      if (ofLog.appliedUpTo > after) after = ofLog.appliedUpTo;
      let adjusted = 0;
      while (!signal.aborted) {
        const step = await nextStep(store, rules, { after, now: clock.now() });
        if (step.facts === 0) {
          // Everything before the last mark has been examined.
          const isDue = ofLog.appliedUpTo === LOG_START || sinceMark >= FACTS_PER_MARK;
          if (isDue)
            await recordMark(dependencies, contextNow(correlationId), 'ZoneRulesApplied', release, ofLog.revision);
          if (isDue) sinceMark = 0;
          break;
        }
        adjusted += await adjustAll(step.ids, correlationId);
        after = step.upTo;
        sinceMark += step.facts;
        await sleep(1, undefined, { signal }).catch(() => {});
      }
      return adjusted;
    },
  };
}

/** Starts following, until it is stopped. `watch`: adjusts nothing, only logs that its rules are older. */
export function startZoneRulesFollower(
  options: ZoneRulesFollowerOptions & { readonly duty: 'adjust' | 'watch' },
): Reaction {
  const { rules, log, store, duty } = options;
  const ending = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { signal: ending.signal }).catch(() => {});
  const sweep = openSweep(options);
  let isOlder = false;

  async function look(): Promise<void> {
    const { release } = await rulesOfLog(store);
    const wasOlder = isOlder;
    isOlder = ageOfRules(rules.release, release) === 'older';
    if (isOlder && !wasOlder)
      log.warn({ rules: rules.release, logRules: release }, olderRulesText(rules.release, release));
    if (isOlder || duty === 'watch') return;
    const adjusted = await sweep.run(ending.signal);
    if (adjusted) log.info({ adjusted, rules: rules.release }, 'applied new zone rules to upcoming events');
  }

  async function run(): Promise<void> {
    for (let failures = 0; !ending.signal.aborted; ) {
      try {
        await look();
        failures = 0;
      } catch (error) {
        if (failures === 0) log.warn({ err: error }, 'following zone rules failed; retrying');
        failures += 1;
      }
      await pause(failures > 0 ? AGAIN_AFTER_MS : LOOK_AFTER_MS);
    }
  }

  const running = run();
  return {
    async stop() {
      ending.abort();
      await running;
    },
  };
}

/** The log message of a process with older rules. */
export const olderRulesText = (process: string, log: string | null): string =>
  `The zone rules of this process (${process}) are older than the log's (${log}): events written here may be ` +
  'off by an hour until a process with newer rules sees them. Run a newer Node.';
