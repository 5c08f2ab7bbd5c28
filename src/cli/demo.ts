// `daybook demo`: fills an empty calendar with a sample that looks like a real one.
import { parseArgs } from 'node:util';
import type { CommandContext } from '../commands/context.ts';
import { changeCalendarEvent, trashCalendarEvent } from '../commands/events.ts';
import { evolveEvent } from '../domain/calendar-event.ts';
import { LOG_START } from '../event-store/envelope.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { type DemoCalendar, type DemoChange, demoCalendar } from '../import/demo/calendar.ts';
import { openLedger } from '../import/import-summary.ts';
import type { Progress } from '../import/progress.ts';
import { faultLine } from '../import/report.ts';
import { writeAll } from '../import/run.ts';
import { openRememberingStore } from '../import/write/caching-store.ts';
import { IMPORTER, type ImportCommands, presentOf, type Writing } from '../import/write/writing.ts';
import { formatCivil, parseCivil, SECONDS_PER_DAY, weekdayOf } from '../time/civil-time.ts';
import { type EpochSeconds, toWallClock } from '../time/zone.ts';
import type { Paste } from './paste.ts';
import { UsageError } from './usage-error.ts';

export interface DemoDependencies {
  readonly store: EventStore;
  readonly commandsOn: (store: EventStore) => ImportCommands;
  /** Brings the read model up to the end of the log. */
  readonly project: () => Promise<unknown>;
  /** A command line that works when it is pasted. */
  readonly paste: Paste;
  readonly now: () => EpochSeconds;
  readonly newId: () => string;
  /** Takes one line of the answer, without its end. */
  readonly out: (line: string) => void;
  readonly progress: Progress;
}

export const DEMO_USAGE = `daybook demo [--seed N] [--first-day YYYY-MM-DD] [--weeks N] [--if-empty]`;

const FLAGS = {
  seed: { type: 'string', default: '1' },
  'first-day': { type: 'string' },
  weeks: { type: 'string', default: '36' },
  'if-empty': { type: 'boolean', default: false },
} as const;

const MOST_WEEKS = 520;
/** The sample begins so many weeks before today: half of it is over, half is to come. */
const WEEKS_BEFORE = 10;

/**
 * Carries out `daybook demo`; `args` is what stands behind `demo`. The same seed, first day and number of weeks give the
 * same calendar. A log that holds a calendar already is left alone. Throws `UsageError`.
 */
export async function runDemo(args: readonly string[], dependencies: DemoDependencies): Promise<0 | 1> {
  const flags = read(args);
  const { store, out, progress, project, newId, now } = dependencies;
  if (await holdsCalendar(store)) {
    const said = 'There is a calendar already; nothing was added.';
    if (flags['if-empty']) out(said);
    else throw new UsageError(`demo: ${said} Set DAYBOOK_DATA_DIR to an empty folder.`, 1);
    return 0;
  }
  const commands = dependencies.commandsOn(openRememberingStore(store));
  const firstDay = flags['first-day'] === undefined ? mondayBefore(now(), commands) : dayFrom(flags['first-day']);
  const wish = {
    seed: wholeNumber('--seed', flags.seed, 2 ** 32 - 1),
    weeks: wholeNumber('--weeks', flags.weeks, MOST_WEEKS),
  };
  const calendar = demoCalendar({ ...wish, firstDay });
  const ledger = openLedger();
  const writing: Writing = { commands, ledger, now: now(), correlationId: newId(), ids: new Map(), granted: new Map() };
  await writeAll(writing, calendar.wishes, progress);
  await placeParts(writing, calendar);
  for (const change of calendar.changes) await carryOut(writing, change);
  await project();
  for (const fault of ledger.refused) out(faultLine('refused', fault));
  const { venues, organizers, events } = calendar.wishes;
  out(`${events.length} events, ${venues.length} venues, ${organizers.length} organizers from ${firstDay} on.`);
  out(`To undo it: ${dependencies.paste('revert', '--correlation', writing.correlationId)}`);
  return ledger.refused.length === 0 ? 0 : 1;
}

async function holdsCalendar(store: EventStore): Promise<boolean> {
  const prefixes = ['event-', 'venue-', 'organizer-', 'category-', 'tag-'];
  return (await store.readAll({ after: LOG_START, prefixes, limit: 1 })).length > 0;
}

function mondayBefore(now: EpochSeconds, { siteZone }: ImportCommands): string {
  const today = parseCivil(`${toWallClock(now, siteZone).slice(0, 10)} 00:00:00`) / SECONDS_PER_DAY;
  const sinceMonday = (weekdayOf(today) + 6) % 7;
  return formatCivil((today - sinceMonday - 7 * WEEKS_BEFORE) * SECONDS_PER_DAY).slice(0, 10);
}

/** Parts belong to wholes that must be there first. */
async function placeParts(writing: Writing, { parts }: DemoCalendar): Promise<void> {
  for (const [part, whole] of parts) {
    const [event, parent] = [await presentOf(writing, part, evolveEvent), await presentOf(writing, whole, evolveEvent)];
    if (event && parent)
      await changeCalendarEvent(writing.commands, contextOf(writing, undefined), event.id, { parent: parent.id });
  }
}

async function carryOut(writing: Writing, { event, reason, change, venue }: DemoChange): Promise<void> {
  const present = await presentOf(writing, event, evolveEvent);
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

function read(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [problem = ''] = error.message.split('. ');
    const allowed = Object.keys(FLAGS).map((name) => `--${name}`);
    throw new UsageError(`demo: ${problem}; allowed: ${allowed.join(', ')}.`);
  }
}

function wholeNumber(flag: string, text: string, most: number): number {
  if (/^\d{1,10}$/.test(text) && Number(text) >= 1 && Number(text) <= most) return Number(text);
  throw new UsageError(`demo: ${flag} takes a whole number from 1 to ${most}, not "${text}".`);
}

function dayFrom(text: string): string {
  try {
    return formatCivil(parseCivil(`${text} 00:00:00`)).slice(0, 10);
  } catch {
    throw new UsageError(`demo: --first-day takes a day such as 2027-03-01, not "${text}".`);
  }
}
