// `daybook import FILE-OR-URL ...`
import { parseArgs } from 'node:util';
import type { CostDisplay } from '../domain/cost.ts';
import type { EpochSeconds } from '../domain/zone.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { openLedger } from '../import/ledger.ts';
import type { Progress } from '../import/progress.ts';
import { DEFAULT_LIMITS, type ReadLimits } from '../import/read-source.ts';
import { openRehearsalStore } from '../import/rehearsal-store.ts';
import { openRememberingStore } from '../import/remembering-store.ts';
import { faultLine, summaryJson, summaryLines } from '../import/report.ts';
import { readAll, writeAll } from '../import/run.ts';
import type { ImportCommands, Writing } from '../import/writing.ts';
import { UsageError } from './usage-error.ts';

export interface ImportDependencies {
  readonly store: EventStore;
  /** What commands work with, on this store or on one that stands in for it. */
  readonly commandsOn: (store: EventStore) => ImportCommands;
  /** Brings the read model up to the end of the log. */
  readonly project: () => Promise<void>;
  /** How costs are displayed: those of records were displayed in the same way. */
  readonly display: CostDisplay;
  readonly now: () => EpochSeconds;
  /** Milliseconds, for durations. */
  readonly elapsed: () => number;
  readonly newId: () => string;
  /** Takes one line of the answer, without its end. */
  readonly out: (line: string) => void;
  readonly progress: Progress;
  readonly limits?: ReadLimits;
}

export const IMPORT_USAGE = `daybook import FILE-OR-URL ... [--dry-run] [--keep-authors] [--json]`;

const FLAGS = {
  'dry-run': { type: 'boolean', default: false },
  'keep-authors': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

/**
 * Carries out `daybook import ...`; `args` is what stands behind `import`. Answers the exit code: 0 when everything was
 * taken, 1 when something was refused. Throws `UsageError`.
 */
export async function runImport(args: readonly string[], dependencies: ImportDependencies): Promise<0 | 1> {
  const { flags, sources } = read(args);
  const { store, out, progress, elapsed, newId, now, display, limits = DEFAULT_LIMITS } = dependencies;
  const isRehearsal = flags['dry-run'];
  const ledger = openLedger();
  const begun = elapsed();
  const authors = flags['keep-authors'] ? 'keep' : 'drop';
  const { wishes, records } = await readAll({ sources, limits, display, authors }, ledger, progress);
  const writing: Writing = {
    commands: dependencies.commandsOn(openRememberingStore(isRehearsal ? openRehearsalStore(store) : store)),
    ledger,
    now: now(),
    correlationId: newId(),
    ids: new Map(),
    granted: new Map(),
  };
  await writeAll(writing, wishes, progress);
  const written = elapsed();
  if (!isRehearsal) await dependencies.project();
  const figures = {
    correlationId: writing.correlationId,
    mode: isRehearsal ? 'dry run' : 'import',
    records,
    seconds: (written - begun) / 1000,
    viewSeconds: (elapsed() - written) / 1000,
  } as const;
  const lines = flags.json
    ? [summaryJson(ledger, figures)]
    : [
        ...ledger.refused.map((fault) => faultLine('refused', fault)),
        ...ledger.notes.map((fault) => faultLine('note', fault)),
        ...summaryLines(ledger, figures),
      ];
  for (const line of lines) out(line);
  return ledger.refused.length === 0 ? 0 : 1;
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
