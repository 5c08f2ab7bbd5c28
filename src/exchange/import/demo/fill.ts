// Fills an empty calendar with the sample.

import { changeCalendarEvent, trashCalendarEvent } from '../../../calendar/event/commands/events.ts';
import { evolveEvent } from '../../../calendar/event/domain/calendar-event.ts';
import type { CommandContext } from '../../../commands/context.ts';
import { ALL_EVENTS } from '../../../editorial/series/facts/occurrences.ts';
import { formatCivil, parseCivil, SECONDS_PER_DAY, weekdayOf } from '../../../kernel/time/civil-time.ts';
import { type EpochSeconds, toWallClock, type Zone } from '../../../kernel/time/zone.ts';
import { LOG_START } from '../../../log/envelope.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { type ImportSummary, openImportSummary } from '../import-summary.ts';
import type { Progress } from '../progress.ts';
import { writeAll } from '../run.ts';
import { openCachingStore } from '../write/caching-store.ts';
import { IMPORTER, type ImportCommands, presentOf, type Writing } from '../write/writing.ts';
import { type DemoCalendar, type DemoChange, demoCalendar } from './calendar.ts';

/** The sample begins this many weeks before today: some of it is over, most is to come. */
export const WEEKS_BEFORE = 10;

export const SAMPLE = { seed: 1, weeks: 36 } as const;

interface Filling {
  readonly store: EventStore;
  readonly commandsOn: (store: EventStore) => ImportCommands;
  readonly now: EpochSeconds;
  /** All of it is one request: it can be reverted as one. */
  readonly correlationId: string;
  readonly progress: Progress;
}

interface Sample {
  readonly seed: number;
  readonly weeks: number;
  /** Default: the Monday `WEEKS_BEFORE` weeks ago. */
  readonly firstDay?: string | undefined;
}

export interface Filled {
  readonly summary: ImportSummary;
  readonly plan: DemoCalendar['plan'];
  readonly firstDay: string;
}

/** Fills a calendar that holds nothing yet: see `holdsCalendar`. */
export async function fillWithSample(
  { store, commandsOn, now, correlationId, progress }: Filling,
  { seed, weeks, firstDay }: Sample,
): Promise<Filled> {
  const commands = commandsOn(openCachingStore(store));
  const from = firstDay ?? mondayBefore(now, commands.siteZone);
  const calendar = demoCalendar({ seed, weeks, firstDay: from });
  const summary = openImportSummary();
  const writing: Writing = { commands, summary, now, correlationId, ids: new Map(), granted: new Map() };
  await writeAll(writing, calendar.plan, progress);
  await placeParts(writing, calendar);
  for (const change of calendar.changes) await carryOut(writing, change);
  return { summary, plan: calendar.plan, firstDay: from };
}

export async function holdsCalendar(store: Pick<EventStore, 'readAll'>): Promise<boolean> {
  const prefixes = [...ALL_EVENTS, 'venue-', 'organizer-', 'category-', 'tag-'];
  return (await store.readAll({ after: LOG_START, prefixes, limit: 1 })).length > 0;
}

function mondayBefore(now: EpochSeconds, siteZone: Zone): string {
  const today = parseCivil(`${toWallClock(now, siteZone).slice(0, 10)} 00:00:00`) / SECONDS_PER_DAY;
  const sinceMonday = (weekdayOf(today) + 6) % 7;
  return formatCivil((today - sinceMonday - 7 * WEEKS_BEFORE) * SECONDS_PER_DAY).slice(0, 10);
}

/** Parents must exist before their parts. */
async function placeParts(writing: Writing, { parts }: DemoCalendar): Promise<void> {
  for (const [part, whole] of parts) {
    const [event, parent] = [
      await presentOf(writing, { key: part }, evolveEvent),
      await presentOf(writing, { key: whole }, evolveEvent),
    ];
    if (event && parent)
      await changeCalendarEvent(writing.commands, contextOf(writing, undefined), event.id, { parent: parent.id });
  }
}

async function carryOut(writing: Writing, { event, reason, change, venue }: DemoChange): Promise<void> {
  const present = await presentOf(writing, { key: event }, evolveEvent);
  if (!present) return;
  const context = contextOf(writing, reason);
  if (change.kind === 'trash') {
    await trashCalendarEvent(writing.commands, context, present.id);
    return;
  }
  const moved = venue === undefined ? undefined : writing.ids.get(venue);
  const input = { ...change.input, ...(moved === undefined ? {} : { venues: [{ id: moved }] }) };
  await changeCalendarEvent(writing.commands, context, present.id, input);
}

const contextOf = ({ now, correlationId }: Writing, reason: string | undefined): CommandContext => ({
  caller: IMPORTER,
  now,
  correlationId,
  reason,
  ifRevision: undefined,
  idempotencyKey: undefined,
});
