// `daybook demo`: fills an empty calendar with realistic sample data.

import { commandDependencies } from '../commands/dependencies.ts';
import { type Paste, pasteFor } from '../exchange/import/cli/paste.ts';
import { fillWithSample, holdsCalendar, SAMPLE, WEEKS_BEFORE } from '../exchange/import/demo/fill.ts';
import type { Progress } from '../exchange/import/progress.ts';
import { faultLine } from '../exchange/import/report.ts';
import type { ImportCommands } from '../exchange/import/write/writing.ts';
import { counted } from '../kernel/text/counted.ts';
import type { EventStore } from '../log/event-store.ts';
import { command, type GivenTo, synopsis } from './command.ts';
import { UsageError } from './errors.ts';
import { openProgress } from './rate-progress.ts';
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

const SPEC = synopsis({
  name: 'demo',
  description: [
    'The same seed, first day and number of weeks give the same calendar. A calendar with resources is refused.',
  ],
  arguments: {},
  options: {
    seed: {
      value: 'N',
      description: 'gives another sample',
      type: wholeNumber(MAX_SEED),
      default: String(SAMPLE.seed),
    },
    firstDay: {
      value: 'YYYY-MM-DD',
      description: 'the day on which the sample begins',
      type: DAY,
      otherwise: `the Monday ${WEEKS_BEFORE} weeks ago`,
    },
    weeks: {
      value: 'N',
      description: 'its length in weeks',
      type: wholeNumber(MAX_WEEKS),
      default: String(SAMPLE.weeks),
    },
    ifEmpty: { description: 'succeed without doing anything if there is a calendar already' },
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
  const { seed, weeks, ifEmpty, firstDay } = given;
  const { store, commandsOn, out, progress, project, newId, now } = dependencies;
  if (await holdsCalendar(store)) {
    const found = 'There is a calendar already; nothing was added.';
    if (!ifEmpty) throw new UsageError(`demo: ${found} Set DAYBOOK_DATA_DIR to an empty folder.`, 1);
    out(found);
    return 0;
  }
  const correlationId = newId();
  const filling = { store, commandsOn, now: now(), correlationId, progress };
  const { summary, plan, firstDay: from } = await fillWithSample(filling, { seed, weeks, firstDay });
  await project();
  for (const fault of summary.refused) out(faultLine('refused', fault));
  const { venues, organizers, events } = plan;
  out(
    `${counted(events.length, 'event')}, ${counted(venues.length, 'venue')}, ${counted(organizers.length, 'organizer')} from ${from} on.`,
  );
  out(`To undo it: ${dependencies.paste('revert', '--correlation', correlationId)}`);
  return summary.refused.length === 0 ? 0 : 1;
}
