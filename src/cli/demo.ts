// `daybook demo`: fills an empty calendar with realistic sample data.

import { commandDependencies } from '../app.ts';
import type { CommandContext } from '../commands/context.ts';
import { changeCalendarEvent, trashCalendarEvent } from '../commands/events.ts';
import { evolveEvent } from '../domain/calendar-event.ts';
import { LOG_START } from '../event-store/envelope.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { type DemoCalendar, type DemoChange, demoCalendar } from '../import/demo/calendar.ts';
import { openImportSummary } from '../import/import-summary.ts';
import type { Progress } from '../import/progress.ts';
import { faultLine } from '../import/report.ts';
import { writeAll } from '../import/run.ts';
import { openCachingStore } from '../import/write/caching-store.ts';
import { IMPORTER, type ImportCommands, presentOf, type Writing } from '../import/write/writing.ts';
import { counted } from '../text/counted.ts';
import { formatCivil, parseCivil, SECONDS_PER_DAY, weekdayOf } from '../time/civil-time.ts';
import { type EpochSeconds, toWallClock } from '../time/zone.ts';
import { command, type GivenTo, synopsis } from './command.ts';
import { UsageError } from './errors.ts';
import { type Paste, pasteFor } from './paste.ts';
import { openProgress } from './terminal.ts';
import { DAY, wholeNumber } from './values.ts';
import { SURROUNDINGS, type Surroundings, withLog } from './with-log.ts';

interface DemoDependencies extends Surroundings {
  readonly store: EventStore;
  readonly commandsOn: (store: EventStore) => ImportCommands;
  /** Brings the read model up to the end of the log. */
  readonly project: () => Promise<unknown>;
  /** A command line for pasting. */
  readonly paste: Paste;
  readonly progress: Progress;
}

const MAX_SEED = 2 ** 32 - 1;
const MAX_WEEKS = 520;
/** The sample begins this many weeks before today: some of it is over, most is to come. */
const WEEKS_BEFORE = 10;

const SPEC = synopsis({
  name: 'demo',
  summary: 'fill an empty calendar with realistic sample data',
  description: [
    'The same seed, first day and number of weeks give the same calendar. A calendar with resources is refused.',
  ],
  arguments: {},
  options: {
    seed: { value: 'N', description: 'gives another sample', type: wholeNumber(MAX_SEED), default: '1' },
    'first-day': {
      value: 'YYYY-MM-DD',
      description: 'the day on which the sample begins',
      type: DAY,
      otherwise: `the Monday ${WEEKS_BEFORE} weeks ago`,
    },
    weeks: { value: 'N', description: 'its length in weeks', type: wholeNumber(MAX_WEEKS), default: '36' },
    'if-empty': { description: 'succeed without doing anything if there is a calendar already' },
  },
  examples: [['DAYBOOK_DATA_DIR=data/demo daybook demo', 'fills a calendar in a folder of its own']],
});

export const demoCommand = command(SPEC, {
  perform: runDemo,
  run: (given) =>
    withLog('create', (stores, config) =>
      runDemo(given, {
        ...SURROUNDINGS,
        store: stores.store,
        commandsOn: (store) => commandDependencies({ ...stores, store }, config),
        project: stores.project,
        paste: pasteFor(config),
        progress: openProgress(),
      }),
    ),
});

async function runDemo(given: GivenTo<typeof SPEC>, dependencies: DemoDependencies): Promise<0 | 1> {
  const { seed, weeks, 'if-empty': ifEmpty } = given;
  const { store, out, progress, project, newId, now } = dependencies;
  if (await holdsCalendar(store)) {
    const found = 'There is a calendar already; nothing was added.';
    if (!ifEmpty) throw new UsageError(`demo: ${found} Set DAYBOOK_DATA_DIR to an empty folder.`, 1);
    out(found);
    return 0;
  }
  const commands = dependencies.commandsOn(openCachingStore(store));
  const firstDay = given['first-day'] ?? mondayBefore(now(), commands);
  const calendar = demoCalendar({ seed, weeks, firstDay });
  const summary = openImportSummary();
  const writing: Writing = {
    commands,
    summary,
    now: now(),
    correlationId: newId(),
    ids: new Map(),
    granted: new Map(),
  };
  await writeAll(writing, calendar.plan, progress);
  await placeParts(writing, calendar);
  for (const change of calendar.changes) await carryOut(writing, change);
  await project();
  for (const fault of summary.refused) out(faultLine('refused', fault));
  const { venues, organizers, events } = calendar.plan;
  out(
    `${counted(events.length, 'event')}, ${counted(venues.length, 'venue')}, ${counted(organizers.length, 'organizer')} from ${firstDay} on.`,
  );
  out(`To undo it: ${dependencies.paste('revert', '--correlation', writing.correlationId)}`);
  return summary.refused.length === 0 ? 0 : 1;
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

/** Parents must exist before their parts. */
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
