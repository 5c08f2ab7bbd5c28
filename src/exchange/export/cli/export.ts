// `daybook export`: all resources, or the log itself.

import { stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { COLLECTIONS } from '../../../calendar/resource/domain/collections.ts';
import { command, type ValueType } from '../../../cli/command.ts';
import { ended } from '../../../cli/errors.ts';
import { type LongWork, longWork, type Phases, phasesOf } from '../../../cli/rate-progress.ts';
import { warn } from '../../../cli/terminal.ts';
import { oneOf, TEXT } from '../../../cli/values.ts';
import { instantOf } from '../../../cli/with-log.ts';
import { openLog, openRawLog } from '../../../composition.ts';
import { assertLogIsThere, readConfig, siteAddress } from '../../../config.ts';
import { closing } from '../../../kernel/files/closing.ts';
import { counted } from '../../../kernel/text/counted.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { readControl } from '../../../read-model/projector/control.ts';
import { VERSION } from '../../../version.ts';
import { exportEventTable } from '../event-table.ts';
import { exportLog } from '../log-export.ts';
import { RESOURCE_KINDS, type ResourceCounts, type ResourceKind } from '../resource-lines.ts';
import { exportResources } from '../resources.ts';
import { committed, openFileSink, openStreamSink, type Sink } from '../sink.ts';
import { Unusable } from '../unusable.ts';

interface ExportDependencies extends Pick<LongWork, 'progress' | 'signal' | 'now' | 'out'> {
  /** Opens the log with personal data in plain text. */
  readonly openLog: () => Promise<EventStore>;
  /** Opens the same log as stored: personal data is encrypted, and no key is needed. */
  readonly openRawLog: () => Promise<EventStore>;
  /** Standard output, for exports without a file. */
  readonly stdout: Writable;
  /** Writes one line for people while standard output carries the export. */
  readonly warn: (line: string) => void;
  /** The address of the site: uploaded pictures are found there. */
  readonly site: string;
}

const PLURALS: { readonly [Kind in ResourceKind]: string } = { ...COLLECTIONS, proposal: 'proposals' };

/** Both `event` and `events`. */
const KINDS: ValueType<ReadonlySet<ResourceKind>> = {
  must: `a list of ${RESOURCE_KINDS.map((kind) => PLURALS[kind]).join(', ')}`,
  read(text) {
    const words = text.split(',').map((word) => word.trim().toLowerCase());
    const kinds = words.map((word) => RESOURCE_KINDS.find((kind) => [kind, PLURALS[kind]].includes(word)));
    const known = kinds.filter((kind) => kind !== undefined);
    return known.length === kinds.length ? new Set(known) : undefined;
  },
};

export const exportCommand = command(
  {
    name: 'export',
    description: [
      'A file appears under its name only when it is complete; a name that ends in .gz is compressed. `daybook import` reads resources into another calendar, `daybook restore` reads a log into an empty store. Exit code 130: interrupted, and no file is there.',
    ],
    options: {
      out: { value: 'FILE', description: 'where to write; - is standard output', type: TEXT, default: '-' },
      kinds: { value: 'KIND,…', description: KINDS.must, type: KINDS, otherwise: 'all of them' },
      format: {
        value: 'FORMAT',
        description:
          'jsonl: all resources as JSON lines; csv: a table of events, with venues, organizers and terms by name',
        type: oneOf(['jsonl', 'csv']),
        default: 'jsonl',
      },
      log: { description: 'write the log itself, with personal data encrypted, instead of resources' },
    },
    examples: [
      ['daybook export --out calendar.jsonl', 'writes all resources as JSON lines'],
      ['daybook export --format csv --out events.csv', 'writes a table of events that `daybook import` reads back'],
      ['daybook export --log --out calendar-log.gz', 'writes the log, compressed'],
    ],
    check({ log, kinds, format }) {
      if (log && kinds !== undefined)
        return '--log writes the whole log and --kinds selects resources: use one of them.';
      if (format === 'csv' && (log || kinds !== undefined))
        return '--format csv writes events: leave out --log and --kinds.';
      return null;
    },
  },
  async ({ out, log, format, kinds = new Set(RESOURCE_KINDS) }, dependencies: ExportDependencies) => {
    const phases = phasesOf(dependencies.progress, log ? 'events' : 'resources');
    const tell = out === '-' ? dependencies.warn : dependencies.out;
    try {
      const sink = out === '-' ? openStreamSink(dependencies.stdout) : await openFileSink(out);
      const lines = await committed(sink, async () => {
        const written = log
          ? await logInto(sink, dependencies, phases)
          : await resourcesInto(sink, { kinds, format }, dependencies, phases);
        if (written.count === 0 && out !== '-' && (await isFull(out)))
          throw new Unusable(`there is nothing to export, so ${out} is left as it is`);
        return written.lines;
      });
      phases.end();
      for (const line of lines) tell(line);
      return 0;
    } catch (error) {
      phases.end();
      return ended(error, () =>
        tell(out === '-' ? 'Interrupted: the output is incomplete.' : 'Interrupted. Nothing was written.'),
      );
    }
  },
  (work) => {
    const config = readConfig(process.env);
    return work({
      ...longWork(),
      async openRawLog() {
        assertLogIsThere(config);
        return openRawLog(config);
      },
      openLog: async () => (await openLog(config, 'read')).store,
      stdout: process.stdout,
      warn,
      site: siteAddress(config),
    });
  },
);

/** A reminder at the end of an export of the log. */
export const KEYS_REMARK =
  'Keys of personal data are kept apart from the log (DAYBOOK_KEYS, keys.db) and are not in it: copy them, too.';

interface Written {
  /** Domain events or resources. */
  readonly count: number;
  /** For people. */
  readonly lines: readonly string[];
}

const isFull = async (file: string): Promise<boolean> => {
  const stats = await stat(file).catch(() => null);
  return stats !== null && stats.size > 0;
};

const logInto = async (sink: Sink, { openRawLog, ...rest }: ExportDependencies, phases: Phases): Promise<Written> =>
  closing(await openRawLog(), async (log) => {
    const { events, digest } = await exportLog({ log, ...settingsOf(rest, phases) }, sink);
    return { count: events, lines: [`${counted(events, 'domain event')}; digest ${digest}`, KEYS_REMARK] };
  });

async function resourcesInto(
  sink: Sink,
  { kinds, format }: { readonly kinds: ReadonlySet<ResourceKind>; readonly format: 'jsonl' | 'csv' },
  { openLog, site, ...rest }: ExportDependencies,
  phases: Phases,
): Promise<Written> {
  return closing(await openLog(), async (store) => {
    const { skips } = await readControl(store);
    const write = format === 'csv' ? exportEventTable : exportResources;
    const counts = await write({ store, kinds, skips, site, ...settingsOf(rest, phases) }, sink);
    const count = RESOURCE_KINDS.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
    return { count, lines: [countsText(counts)] };
  });
}

const settingsOf = ({ signal, now }: Pick<ExportDependencies, 'signal' | 'now'>, { begin, reach }: Phases) => ({
  daybook: VERSION,
  exported: instantOf({ now }),
  signal,
  begin,
  reach,
});

/** `2 categories, 1 venue`. */
function countsText(counts: ResourceCounts): string {
  const parts = RESOURCE_KINDS.flatMap((kind) => {
    const count = counts[kind] ?? 0;
    return count === 0 ? [] : [`${count} ${count === 1 ? kind : PLURALS[kind]}`];
  });
  return parts.length === 0 ? 'There is nothing to write.' : parts.join(', ');
}
