// The zone rules of the log, and how future events adopt newer ones. Kept in a stream, so it reaches every process:
// `ZoneRulesAdopted` records which release applies from now on, each later `ZoneRulesApplied` that everything before
// its mark was examined. Marks are themselves events at a place in the log, so they are valid in a copy of the log,
// too.
// decision 17

import type { CommandContext, CommandDependencies, Coordination } from '../../../commands/context.ts';
import { handleCommand } from '../../../commands/handle-command.ts';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import type { Evolve, Fact } from '../../../domain/decider.ts';
import { evolveSeries, seriesZoneRulesFacts } from '../../../editorial/series/domain/occurrences.ts';
import { ALL_EVENTS, EVENT_PREFIX, SERIES_PREFIX, seriesOf } from '../../../editorial/series/facts/occurrences.ts';
import type { EpochSeconds, ZoneRules } from '../../../kernel/time/zone.ts';
import { factOf, fold, type Json, LOG_START, type Position, type RecordedEvent } from '../../../log/envelope.ts';
import { type EventStore, lastEvent, type StreamReader } from '../../../log/event-store.ts';
import { eventOf, systemActor, systemMetadata } from '../../../log/writing.ts';
import { type CalendarEvent, type EventFact, evolveEvent, zoneRulesFacts } from '../../event/domain/calendar-event.ts';
import { type Schedule, scheduleUnder } from '../../event/domain/schedule.ts';

/** No projection reads it. */
export const ZONE_RULES_STREAM = 'zone-rules';

/** The actor of adjustments. */
const ZONE_RULES = systemActor('zone rules');

interface RulesOfLog {
  /** Null while the log has no release: older than any. */
  readonly release: string | null;
  /** Everything before it has been examined under these rules. */
  readonly appliedUpTo: Position;
  /** The revision of the last fact of the stream; -1 if there is none. */
  readonly revision: number;
}

/** Rejections: those of the store. */
export async function rulesOfLog(store: StreamReader): Promise<RulesOfLog> {
  const [last, before] = await store.readStream(ZONE_RULES_STREAM, { direction: 'backwards', limit: 2 });
  if (last === undefined) return { release: null, appliedUpTo: LOG_START, revision: -1 };
  const isApplied = last.type === 'ZoneRulesApplied' && before !== undefined;
  return {
    release: releaseIn(last.data),
    appliedUpTo: isApplied ? before.position : LOG_START,
    revision: last.revision,
  };
}

function releaseIn(data: Json): string | null {
  const of = data as { readonly release?: unknown }; // Only `markOf` writes here.
  return typeof of.release === 'string' ? of.release : null;
}

/** How the rules of a process compare with those of the log. */
type RulesAge = 'same' | 'newer' | 'older';

export function ageOfRules(process: string, log: string | null): RulesAge {
  if (process === log) return 'same';
  return log === null || process > log ? 'newer' : 'older';
}

export type ZoneRulesDependencies = Pick<CommandDependencies, 'store' | 'newEventId'>;

export interface AdjustmentContext {
  readonly now: EpochSeconds;
  /** One for everything that a change of rules causes. */
  readonly correlationId: string;
}

/**
 * Appends a mark at `revision`. False if another process was faster; rejects like the store. `ZoneRulesAdopted`: from
 * now on the log has these rules.
 */
export async function recordMark(
  { store, newEventId }: ZoneRulesDependencies,
  { now, correlationId }: AdjustmentContext,
  type: 'ZoneRulesAdopted' | 'ZoneRulesApplied',
  release: string,
  revision: number,
): Promise<boolean> {
  const metadata = systemMetadata({ actor: ZONE_RULES, now, correlationId });
  const event = eventOf({ type, data: { release } }, { metadata, newEventId });
  const expected = revision < 0 ? 'no_stream' : revision;
  const outcome = await store.append([{ stream: ZONE_RULES_STREAM, expected, events: [event] }]);
  return outcome.kind === 'appended';
}

/** An event that newer rules would change. */
export interface Affected {
  readonly id: number;
  readonly title: string;
  readonly before: Schedule;
  readonly after: Schedule;
}

/** A step: a few milliseconds of work, also just after the start, when no code is compiled yet, and where texts are long. */
const STEP = { limit: 150, maxCharacters: 250_000 };
const SCHEDULING: ReadonlySet<string> = new Set(['EventDrafted', 'EventRescheduled', 'EventAdjustedToZoneRules']);

/**
 * The next step through the log: ids of events with a recorded schedule that these rules would change. Whether that
 * schedule is still current is checked by `affectedBy` and `adjust`. Rejections: those of the store.
 */
export async function nextStep(
  store: Pick<EventStore, 'readAll'>,
  rules: ZoneRules,
  { after, now }: { readonly after: Position; readonly now: EpochSeconds },
) {
  const events = await store.readAll({ after, prefixes: ALL_EVENTS, ...STEP });
  const ids = new Set<number>();
  for (const event of events) {
    const id = Number(event.stream.slice(EVENT_PREFIX.length));
    if (Number.isSafeInteger(id) && isAffected(event, rules, now)) ids.add(id);
  }
  return {
    ids: [...ids],
    /** How many facts were examined. */
    facts: events.length,
    upTo: events.at(-1)?.position ?? after,
  };
}

function isAffected(event: RecordedEvent, rules: ZoneRules, now: EpochSeconds): boolean {
  if (!SCHEDULING.has(event.type)) return false;
  // Written by our deciders and upcast to today's form; events that cannot be upcast are not for this version to
  // adjust.
  const schedule = scheduleIn(event);
  return schedule !== null && scheduleUnder(schedule, rules, now) !== schedule;
}

function scheduleIn(event: RecordedEvent): Schedule | null {
  try {
    const fact = factOf<EventFact>(event);
    if (fact.type === 'EventDrafted') return fact.data.schedule;
    return fact.type === 'EventRescheduled' || fact.type === 'EventAdjustedToZoneRules' ? fact.data : null;
  } catch {
    return null;
  }
}

/**
 * How an event would change under these rules; null if it would not. Rejects with `CannotFold` and like the store.
 */
export async function affectedBy(
  store: StreamReader,
  rules: ZoneRules,
  { id, now }: { readonly id: number; readonly now: EpochSeconds },
): Promise<Affected | null> {
  const event = fold<CalendarEvent, EventFact>(await store.readStream(streamOf('event', id)), evolveEvent);
  if (event === null) return null;
  const after = scheduleUnder(event.schedule, rules, now);
  return after === event.schedule ? null : { id, title: event.title, before: event.schedule, after };
}

/**
 * Appends that an event has adopted these rules, at the revision that was read; a lost race is decided again on the new
 * state. True if there was something to append. Rejections: those of the store, and `CannotFold`.
 */
export async function adjust(
  dependencies: ZoneRulesDependencies & Coordination,
  rules: ZoneRules,
  { now, correlationId }: AdjustmentContext,
  id: number,
): Promise<boolean> {
  const affected = await affectedBy(dependencies.store, rules, { id, now });
  if (affected === null) return false;
  const context = {
    caller: null,
    actor: ZONE_RULES,
    now,
    correlationId,
    reason: `${affected.before.timezone}, rules ${rules.release}`,
  };
  const stream = streamOf('event', id);
  const series = await seriesOfDate(dependencies.store, stream);
  if (series === null) {
    const event = { id, stream, evolve: evolveEvent };
    return adjusted(dependencies, context, event, (state) => zoneRulesFacts(state, rules, now));
  }
  // All dates at once: by the time it is the turn of the others, there is nothing left to do.
  const whole = { id: series, stream: `${SERIES_PREFIX}${series}`, evolve: evolveSeries };
  return adjusted(dependencies, context, whole, (state) => seriesZoneRulesFacts(state, rules, now));
}

/** The series that tells all about a date; null for every other event. */
async function seriesOfDate(store: StreamReader, stream: string): Promise<number | null> {
  const last = await lastEvent(store, stream);
  return (last && seriesOf(last)) ?? null;
}

interface Adjustable<State, F extends Fact> {
  readonly id: number;
  readonly stream: string;
  readonly evolve: Evolve<State, F>;
}

async function adjusted<State, F extends Fact>(
  dependencies: ZoneRulesDependencies & Coordination,
  context: CommandContext,
  { id, stream, evolve }: Adjustable<State, F>,
  factsOf: (state: State) => readonly F[],
): Promise<boolean> {
  let isAdjusted = false;
  const result = await handleCommand(dependencies, context, [stream], async (unit) => {
    const { state } = await unit.load(stream, evolve);
    const facts = state ? factsOf(state) : [];
    isAdjusted = facts.length > 0;
    await unit.record(stream, facts);
    return { kind: 'planned', id, stream, evolve, created: false };
  });
  if (result.kind === 'rejected') throw new Error(`${stream} changed too often while it was to be adjusted`);
  return isAdjusted;
}
