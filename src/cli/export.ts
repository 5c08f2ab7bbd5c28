// `daybook export`: everything, or the log itself.
import { stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { readControl } from '../../projections/control.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { exportLog } from '../export/log-export.ts';
import { RESOURCE_KINDS, type ResourceCounts, type ResourceKind } from '../export/resource-lines.ts';
import { exportResources } from '../export/resources.ts';
import { openFileSink, openStreamSink, type Sink } from '../export/sink.ts';
import { Interrupted, Unusable } from '../export/unusable.ts';
import type { Progress } from '../import/progress.ts';
import { type Phases, phasesOf } from './phases.ts';
import { UsageError } from './usage-error.ts';

export interface ExportDependencies {
  /** Opens the log, as everybody reads it. */
  readonly openLog: () => Promise<EventStore>;
  /** Opens the same log as it is stored: personal data are encrypted, and no key is needed. */
  readonly openSealed: () => Promise<EventStore>;
  /** Where lines go that no file was named for. */
  readonly stdout: Writable;
  /** Takes one line for people, without its end; where nothing but lines of the export may go to standard output it goes elsewhere. */
  readonly tell: (line: string, beside: 'standard output' | 'the file') => void;
  readonly progress: Progress;
  /** Ctrl-C. */
  readonly signal: AbortSignal;
  readonly version: string;
  /** ISO 8601 in UTC. */
  readonly instant: () => string;
}

export const EXPORT_USAGE = 'daybook export [--out FILE|-] [--kinds KIND,...] [--log]';

/** As shells have it for what was ended by Ctrl-C. */
const INTERRUPTED = 130;

const FLAGS = {
  out: { type: 'string', default: '-' },
  kinds: { type: 'string' },
  log: { type: 'boolean', default: false },
} as const;

/** What an export does not hold, told at its end. */
export const KEYS_REMARK =
  'Keys of personal data are kept apart from the log (DAYBOOK_KEYS, keys.db) and are not in it: copy them, too.';

/**
 * Carries out `daybook export ...`; `args` is what stands behind `export`. Answers the exit code: 0 when all of it is
 * there, 130 when it was interrupted and nothing is. Throws `UsageError`.
 */
export async function runExport(args: readonly string[], dependencies: ExportDependencies): Promise<0 | 130> {
  const { out, log, kinds } = read(args);
  const { tell } = dependencies;
  const phases = phasesOf(dependencies.progress, log ? 'events' : 'resources');
  const beside = out === '-' ? 'standard output' : 'the file';
  try {
    const sink = out === '-' ? openStreamSink(dependencies.stdout) : await openFileSink(out);
    const written = await writtenTo(sink, out, () =>
      log ? logInto(sink, dependencies, phases) : resourcesInto(sink, kinds, dependencies, phases),
    );
    phases.end();
    for (const line of written.lines) tell(line, beside);
    return 0;
  } catch (error) {
    phases.end();
    if (error instanceof Unusable) throw new UsageError(`export: ${error.message}.`, 1);
    if (!(error instanceof Interrupted)) throw error;
    tell(out === '-' ? 'Interrupted: what was written is not whole.' : 'Interrupted. Nothing was written.', beside);
    return INTERRUPTED;
  }
}

interface Written {
  /** Domain events or resources. */
  readonly count: number;
  /** For people. */
  readonly lines: readonly string[];
}

async function writtenTo(sink: Sink, out: string, work: () => Promise<Written>): Promise<Written> {
  try {
    const written = await work();
    if (written.count === 0 && out !== '-' && (await isFull(out)))
      throw new Unusable(`nothing is there to be exported, so ${out} is left as it is`);
    await sink.commit();
    return written;
  } catch (error) {
    await sink.discard();
    throw error;
  }
}

const isFull = async (file: string): Promise<boolean> => {
  const found = await stat(file).catch(() => null);
  return found !== null && found.size > 0;
};

async function logInto(sink: Sink, { openSealed, ...rest }: ExportDependencies, phases: Phases): Promise<Written> {
  const log = await openSealed();
  try {
    const { events, digest } = await exportLog({ log, ...settingsOf(rest, phases) }, sink);
    return { count: events, lines: [`${events} domain events; digest ${digest}`, KEYS_REMARK] };
  } finally {
    await log.close();
  }
}

async function resourcesInto(
  sink: Sink,
  kinds: ReadonlySet<ResourceKind>,
  { openLog, ...rest }: ExportDependencies,
  phases: Phases,
): Promise<Written> {
  const store = await openLog();
  try {
    const { skips } = await readControl(store);
    const counts = await exportResources({ store, kinds, skips, ...settingsOf(rest, phases) }, sink);
    const count = RESOURCE_KINDS.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
    return { count, lines: [countsText(counts)] };
  } finally {
    await store.close();
  }
}

const settingsOf = (
  { signal, version, instant }: Pick<ExportDependencies, 'signal' | 'version' | 'instant'>,
  { begin, reach }: Phases,
) => ({ daybook: version, exported: instant(), signal, begin, reach });

const PLURALS: { readonly [Kind in ResourceKind]: readonly [one: string, many: string] } = {
  category: ['category', 'categories'],
  tag: ['tag', 'tags'],
  venue: ['venue', 'venues'],
  organizer: ['organizer', 'organizers'],
  event: ['event', 'events'],
};

/** `2 categories, 1 venue`. */
function countsText(counts: ResourceCounts): string {
  const parts = RESOURCE_KINDS.flatMap((kind) => {
    const count = counts[kind] ?? 0;
    return count === 0 ? [] : [`${count} ${PLURALS[kind][count === 1 ? 0 : 1]}`];
  });
  return parts.length === 0 ? 'Nothing is there to be written.' : parts.join(', ');
}

function read(args: readonly string[]): { out: string; log: boolean; kinds: ReadonlySet<ResourceKind> } {
  const { out, log, kinds } = parsed(args);
  if (out === '') throw new UsageError(`export: --out names no file.\n${EXPORT_USAGE}`);
  if (log && kinds !== undefined)
    throw new UsageError('export: --log writes the whole log, --kinds picks resources: choose one.');
  return { out, log, kinds: kindsIn(kinds) };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [problem = ''] = error.message.split('. ');
    throw new UsageError(`export: ${problem}; allowed: --out, --kinds, --log.\n${EXPORT_USAGE}`);
  }
}

/** Both `event` and `events`. */
function kindsIn(text: string | undefined): ReadonlySet<ResourceKind> {
  if (text === undefined) return new Set(RESOURCE_KINDS);
  const words = text.split(',').map((word) => word.trim().toLowerCase());
  return new Set(
    words.map((word) => {
      const kind = RESOURCE_KINDS.find((one) => PLURALS[one].includes(word));
      if (kind) return kind;
      const allowed = RESOURCE_KINDS.map((one) => PLURALS[one][1]).join(', ');
      throw new UsageError(`export: ${JSON.stringify(word)} is no kind; allowed: ${allowed}.`);
    }),
  );
}
