// `daybook demo`: fills an empty calendar with realistic sample data, and serves it.

import { commandDependencies } from '../commands/dependencies.ts';
import { readConfig } from '../config.ts';
import { type Paste, pasteFor } from '../exchange/import/cli/paste.ts';
import { fillWithSample, holdsCalendar, SAMPLE, WEEKS_BEFORE } from '../exchange/import/demo/fill.ts';
import type { Progress } from '../exchange/import/progress.ts';
import { faultLine } from '../exchange/import/report.ts';
import type { ImportCommands } from '../exchange/import/write/writing.ts';
import { counted } from '../kernel/text/counted.ts';
import type { EventStore } from '../log/event-store.ts';
import { command } from './command.ts';
import { UsageError } from './errors.ts';
import { openProgress } from './rate-progress.ts';
import { environmentWith, SETTING_OPTIONS } from './settings.ts';
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

/** The calendar of the sample, unless settings name another. */
const OWN_CALENDAR = { DAYBOOK_DATA_DIR: 'data/demo', DAYBOOK_SITE_NAME: 'Lantern Bay' };

export const demoCommand = command(
  {
    name: 'demo',
    description: [
      'The sample lies in ./data/demo unless DAYBOOK_DATA_DIR names another folder. The same first day and number of weeks give the same calendar. Nothing is added to a calendar that has resources.',
    ],
    options: {
      firstDay: {
        value: 'YYYY-MM-DD',
        description: 'the day on which the sample begins',
        type: DAY,
        otherwise: `the Monday ${WEEKS_BEFORE} weeks ago`,
      },
      weeks: {
        value: 'N',
        description: 'its length in weeks',
        type: wholeNumber(SAMPLE.weeks),
        default: String(SAMPLE.weeks),
      },
      fillOnly: { description: 'do not serve the calendar, and fail if it has resources' },
      port: SETTING_OPTIONS.port,
    },
    examples: [['daybook demo', 'fills and serves a calendar in a folder of its own']],
  },
  async ({ weeks, fillOnly, firstDay }, dependencies: DemoDependencies) => {
    const { store, commandsOn, out, progress, project, newId, now } = dependencies;
    if (await holdsCalendar(store)) {
      const problem = 'There is a calendar already; nothing was added.';
      if (fillOnly) throw new UsageError(`${problem} Set DAYBOOK_DATA_DIR to an empty folder.`, 1);
      out(problem);
      return 0;
    }
    const correlationId = newId();
    const filling = { store, commandsOn, now: now(), correlationId, progress };
    const { summary, plan, firstDay: from } = await fillWithSample(filling, { weeks, firstDay });
    await project();
    for (const fault of summary.refused) out(faultLine('refused', fault));
    const { venues, organizers, events } = plan;
    out(
      `${counted(events.length, 'event')}, ${counted(venues.length, 'venue')}, ${counted(organizers.length, 'organizer')} from ${from} on.`,
    );
    out(`To undo it: ${dependencies.paste('revert', '--correlation', correlationId)}`);
    return summary.refused.length === 0 ? 0 : 1;
  },
  async (work, { fillOnly, port }) => {
    const config = readConfig(environmentWith({ port }, { ...OWN_CALENDAR, ...process.env }));
    const code = await withLog(
      'create',
      (stores, settled) =>
        work({
          ...SURROUNDINGS,
          store: stores.store,
          commandsOn: (store) => commandDependencies({ ...stores, store }, settled),
          project: stores.project,
          paste: pasteFor(settled),
          progress: openProgress(),
        }),
      config,
    );
    if (fillOnly || code !== 0) return code;
    return (await import('./serve.ts')).serveAlone(config);
  },
);
