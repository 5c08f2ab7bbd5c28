// `daybook import FILE-OR-URL ...`
import { parseArgs } from 'node:util';
import type { CostDisplay } from '../domain/cost.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { originOf } from '../export/resources.ts';
import { isDay } from '../import/dates.ts';
import { openLedger } from '../import/import-summary.ts';
import type { Progress } from '../import/progress.ts';
import { readAll } from '../import/read-all.ts';
import { DEFAULT_LIMITS, type ReadLimits } from '../import/read-source.ts';
import { faultLine, summaryJson, summaryLines } from '../import/report.ts';
import { writeAll } from '../import/run.ts';
import { openRememberingStore } from '../import/write/caching-store.ts';
import { openRehearsalStore } from '../import/write/dry-run-store.ts';
import type { ImportCommands, Writing } from '../import/write/writing.ts';
import type { ViewsAfterwards } from '../service.ts';
import type { EpochSeconds, Zone } from '../time/zone.ts';
import { UsageError } from './usage-error.ts';

export interface ImportDependencies {
  readonly store: EventStore;
  /** What commands work with, on this store or on one that stands in for it. */
  readonly commandsOn: (store: EventStore) => ImportCommands;
  /** Brings the read model up to the end of the log. */
  readonly project: () => Promise<ViewsAfterwards>;
  /** How costs are displayed, and the zone of the site: those of records were displayed in the same way. */
  readonly display: CostDisplay & { readonly siteZone: Zone };
  readonly now: () => EpochSeconds;
  /** Milliseconds, for durations. */
  readonly elapsed: () => number;
  readonly newId: () => string;
  /** Takes one line of the answer, without its end. */
  readonly out: (line: string) => void;
  readonly progress: Progress;
  /** Aborted when the command is to end. */
  readonly signal?: AbortSignal;
  readonly limits?: ReadLimits;
}

export const IMPORT_USAGE =
  'daybook import FILE-OR-URL ... [--dry-run] [--keep-authors] [--trust-html] [--until YYYY-MM-DD] [--timeout SECONDS] [--json]';

/** How far events that repeat are followed unless told otherwise, in seconds. */
const HORIZON = 2 * 366 * 86_400;
const LONGEST_TIMEOUT = 3_600;

const FLAGS = {
  'dry-run': { type: 'boolean', default: false },
  'keep-authors': { type: 'boolean', default: false },
  'trust-html': { type: 'boolean', default: false },
  until: { type: 'string' },
  timeout: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/**
 * Carries out `daybook import ...`; `args` is what stands behind `import`. Answers the exit code: 0 when everything was
 * taken, 1 when something was refused or left undone. Throws `UsageError`, and what the stores throw.
 */
export async function runImport(args: readonly string[], dependencies: ImportDependencies): Promise<0 | 1> {
  const { flags, sources } = read(args);
  const { store, out, progress, elapsed, newId, now, display, signal, limits = DEFAULT_LIMITS } = dependencies;
  const isRehearsal = flags['dry-run'];
  const ledger = openLedger();
  const begun = elapsed();
  const authors = flags['keep-authors'] ? 'keep' : 'drop';
  const until = horizonIn(flags.until) ?? now() + HORIZON;
  const ownOrigin = await originOf(store);
  const html = flags['trust-html'] ? 'kept' : 'cleaned';
  const reading = {
    sources,
    limits: limitsIn(flags.timeout, limits),
    display,
    authors,
    html,
    until,
    ownOrigin,
  } as const;
  const { wishes, records, remarks } = await readAll(reading, ledger, progress, signal);
  const writing: Writing = {
    commands: dependencies.commandsOn(openRememberingStore(isRehearsal ? openRehearsalStore(store) : store)),
    ledger,
    now: now(),
    correlationId: newId(),
    ids: new Map(),
    granted: new Map(),
  };
  const outcome = await writeAll(writing, wishes, progress, signal).catch((failure: unknown) => ({ failure }));
  const written = elapsed();
  const hasFailed = 'failure' in outcome;
  const views = isRehearsal || hasFailed ? 'current' : await dependencies.project();
  const left = hasFailed ? null : outcome.left;
  const figures = {
    correlationId: writing.correlationId,
    mode: isRehearsal ? 'dry run' : 'import',
    records,
    seconds: (written - begun) / 1000,
    views,
    viewSeconds: (elapsed() - written) / 1000,
    left,
  } as const;
  const lines = flags.json
    ? [summaryJson(ledger, figures, remarks)]
    : [
        ...ledger.refused.map((fault) => faultLine('refused', fault)),
        ...ledger.notes.map((fault) => faultLine('note', fault)),
        ...remarks.map((remark) => `note: ${remark}`),
        ...summaryLines(ledger, figures),
      ];
  for (const line of lines) out(line);
  // What has been written is told first, and how to take it back.
  if (hasFailed) throw outcome.failure;
  return ledger.refused.length === 0 && left === 0 ? 0 : 1;
}

/** The end of a day, in UTC. */
function horizonIn(day: string | undefined): EpochSeconds | null {
  if (day === undefined) return null;
  if (!isDay(day)) throw new UsageError(`import: --until ${JSON.stringify(day)} is no day; write it as YYYY-MM-DD.`);
  return Date.parse(`${day}T23:59:59Z`) / 1000;
}

function limitsIn(timeout: string | undefined, limits: ReadLimits): ReadLimits {
  if (timeout === undefined) return limits;
  const seconds = /^\d+(?:\.\d+)?$/.test(timeout) ? Number(timeout) : 0;
  if (seconds > 0 && seconds <= LONGEST_TIMEOUT) return { ...limits, timeoutMs: Math.ceil(seconds * 1000) };
  throw new UsageError(
    `import: --timeout ${JSON.stringify(timeout)} cannot be used; it is a number of seconds up to ${LONGEST_TIMEOUT}.`,
  );
}

function read(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: FLAGS, allowPositionals: true });
    if (positionals.length === 0) throw new UsageError(`import: what to import is missing.\n${IMPORT_USAGE}`);
    return { flags: values, sources: positionals };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [problem = ''] = error.message.split('. ');
    const allowed = Object.keys(FLAGS).map((name) => `--${name}`);
    throw new UsageError(`import: ${problem}; allowed: ${allowed.join(', ')}.`);
  }
}
