// `daybook import FILE-OR-URL ...`

import type { CostDisplay } from '../../../calendar/event/domain/currency.ts';
import { command, type ValueType } from '../../../cli/command.ts';
import { type LongWork, longWork } from '../../../cli/rate-progress.ts';
import { DAY, JSON_FLAG, seconds } from '../../../cli/values.ts';
import { withLog } from '../../../cli/with-log.ts';
import { commandDependencies } from '../../../commands/dependencies.ts';
import { openDryRunStore } from '../../../commands/dry-run-store.ts';
import { dryRunConfig, readConfig } from '../../../config.ts';
import { withOccurrences } from '../../../editorial/series/facts/occurrences.ts';
import type { Zone } from '../../../kernel/time/zone.ts';
import type { EventStore } from '../../../log/event-store.ts';
import type { ViewsAfterwards } from '../../../read-model/projector/bring-along.ts';
import { originOf } from '../../export/resources.ts';
import { FIELDS } from '../formats/table/headings.ts';
import { type Mapping, MappingError, readMapping } from '../formats/table/mapping.ts';
import { openImportSummary } from '../import-summary.ts';
import { readAll } from '../read-all.ts';
import { DEFAULT_LIMITS, type ReadLimits } from '../read-source.ts';
import { faultLine, summaryJson, summaryLines } from '../report.ts';
import { writeAll } from '../run.ts';
import { openCachingStore } from '../write/caching-store.ts';
import type { ImportCommands, Writing } from '../write/writing.ts';

interface ImportDependencies extends LongWork {
  readonly store: EventStore;
  /** The dependencies of commands, on this store or on a substitute. */
  readonly commandsOn: (store: EventStore) => ImportCommands;
  /** Brings the read model up to the end of the log. */
  readonly project: () => Promise<ViewsAfterwards>;
  /** The formatting of costs, and the zone of the site: records are assumed to use the same. */
  readonly display: CostDisplay & { readonly siteZone: Zone };
  readonly limits?: ReadLimits;
}

/** How far dates are looked at without --until, in seconds. */
const HORIZON = 2 * 366 * 86_400;
const MAX_TIMEOUT = 3_600;

const MAPPING: ValueType<Mapping> = {
  must: `FIELD=COLUMN,… with fields of ${FIELDS.join(', ')}, or a JSON file`,
  read(text) {
    try {
      return readMapping(text);
    } catch (error) {
      if (error instanceof MappingError) return undefined;
      throw error;
    }
  },
};

const ENCODING: ValueType<string> = {
  must: 'the name of an encoding, such as windows-1250, iso-8859-2, macintosh, shift_jis, gbk, big5 or euc-kr',
  read(text) {
    try {
      return new TextDecoder(text).encoding;
    } catch {
      return undefined;
    }
  },
};

export const importCommand = command(
  {
    name: 'import',
    description: [
      `Tables are CSV, a list of JSON objects, or JSON lines. Their fields are ${FIELDS.join(', ')}; columns with such names, or usual names in several languages, are recognised without --map. A row is identified by its uid, else by title, start and venue. Several values of a cell are separated by |; times that are not understood refuse the table.`,
      'Formats are recognised by content. Folders are read with everything below them; lists at an address are followed page by page. Importing the same source again applies its changes and creates no duplicates; a file under another name is the same source with --source. `daybook revert` reverts an import by the correlation id at its end. Exit code 1: something was refused or left undone.',
    ],
    arguments: { sources: { label: 'FILE-OR-URL', description: 'a file, a folder or an address', count: 'many' } },
    options: {
      dryRun: { description: 'show what would happen and the first ten rows of tables; write nothing' },
      map: {
        value: 'MAPPING',
        description:
          'which column of a table is which field, as FIELD=COLUMN,… or the name of a JSON file; takes JSON as a table, too',
        type: MAPPING,
        otherwise: 'guessed from the names of the columns',
      },
      source: {
        value: 'NAME',
        description: 'whose records these are: the same UID of another source is another event',
        otherwise: 'the name of each file, or the address',
      },
      encoding: {
        value: 'NAME',
        description: 'of files and answers that do not say it and are no UTF-8',
        type: ENCODING,
        otherwise: 'the one that their letters are most like, with a note',
      },
      keepAuthors: { description: 'keep the ids of authors, for users with the same ids as in the source' },
      trustHtml: { description: 'keep HTML as it is instead of cleaning it' },
      until: {
        value: 'YYYY-MM-DD',
        description: 'take events that repeat as single events, as far as this day',
        type: DAY,
        otherwise: 'they are kept as series',
      },
      timeout: {
        value: 'SECONDS',
        description: 'how long an address may take to answer',
        type: seconds(MAX_TIMEOUT),
        otherwise: '30',
      },
      json: JSON_FLAG,
    },
    examples: [
      [
        'daybook import events.csv --map title=Name,start="Start date",city=Ort --dry-run',
        'shows the first rows as they would arrive',
      ],
      ['daybook import conferences/ --map examples/conferences.json', 'imports JSON lists with a mapping from a file'],
      ['daybook import calendar.ics --dry-run', 'shows what an import would do'],
      ['daybook import https://calendar.example/wp-json/tribe/events/v1/events', 'imports a calendar page by page'],
    ],
  },
  async (options, dependencies: ImportDependencies) => {
    const { sources, dryRun: isDryRun, until, timeout, encoding } = options;
    const { store, out, progress, newId, now, display, signal, limits = DEFAULT_LIMITS } = dependencies;
    const summary = openImportSummary();
    const startedAt = dependencies.elapsed();
    const reading = {
      sources,
      limits: { ...limits, encoding, ...(timeout !== undefined && { timeoutMs: Math.ceil(timeout * 1000) }) },
      display,
      authors: options.keepAuthors ? 'keep' : 'drop',
      html: options.trustHtml ? 'kept' : 'cleaned',
      until: until === undefined ? now() + HORIZON : Date.parse(`${until}T23:59:59Z`) / 1000,
      // A bounded horizon is one of single events.
      rules: until === undefined ? 'kept' : 'expanded',
      ownOrigin: await originOf(store),
      now: now(),
      mapping: options.map,
      source: options.source,
    } as const;
    const { plan, records, remarks, samples } = await readAll(reading, summary, progress, signal);
    const writing: Writing = {
      commands: dependencies.commandsOn(openCachingStore(isDryRun ? withOccurrences(openDryRunStore(store)) : store)),
      summary,
      now: now(),
      correlationId: newId(),
      ids: new Map(),
      grantedIds: new Map(),
    };
    const outcome = await writeAll(writing, plan, progress, signal).catch((failure: unknown) => ({ failure }));
    const written = dependencies.elapsed();
    const hasFailed = 'failure' in outcome;
    const views = isDryRun || hasFailed ? 'current' : await dependencies.project();
    const remainder = hasFailed ? null : outcome.remainder;
    const figures = {
      correlationId: writing.correlationId,
      mode: isDryRun ? 'dry run' : 'import',
      records,
      seconds: (written - startedAt) / 1000,
      views,
      viewSeconds: (dependencies.elapsed() - written) / 1000,
      remainder,
    } as const;
    const lines = options.json
      ? [summaryJson(summary, figures, remarks)]
      : [
          ...(isDryRun && samples.length > 0 ? ['First rows:', ...samples.map((sample) => `  ${sample}`)] : []),
          ...summary.refused.map((fault) => faultLine('refused', fault)),
          ...summary.notes.map((fault) => faultLine('note', fault)),
          ...remarks.map((remark) => `note: ${remark}`),
          ...summaryLines(summary, figures),
        ];
    for (const line of lines) out(line);
    // First what has been written, and how to revert it.
    if (hasFailed) throw outcome.failure;
    return summary.refused.length === 0 && remainder === 0 ? 0 : 1;
  },
  (work, { dryRun }) => {
    const config = readConfig(process.env);
    return withLog(
      'create',
      (stores) =>
        work({
          ...longWork(),
          store: stores.store,
          commandsOn: (store) => commandDependencies({ ...stores, store }, config),
          project: stores.project,
          display: stores.rendering,
        }),
      dryRun ? dryRunConfig(config) : config,
    );
  },
);
