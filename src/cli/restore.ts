// `daybook restore`: a log into an empty event store.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { LOG_START, type Position } from '../event-store/envelope.ts';
import { type EventStore, EventStoreUnavailable } from '../event-store/event-store.ts';
import { type LogSource, openLogFile, openLogStore } from '../export/log-source.ts';
import { type Restored, restoreLog } from '../export/restore.ts';
import type { RestoreTarget } from '../export/restore-target.ts';
import { carrySkips } from '../export/skips.ts';
import { spool } from '../export/spool.ts';
import { Interrupted, Unusable } from '../export/unusable.ts';
import type { Progress } from '../import/progress.ts';
import { KEYS_REMARK } from './export.ts';
import { type Phases, phasesOf } from './phases.ts';
import { UsageError } from './usage-error.ts';

export interface RestoreDependencies {
  readonly openTarget: () => Promise<RestoreTarget>;
  /** Opens the same log to go on behind what was restored, as it is stored. */
  readonly openLog: () => Promise<EventStore>;
  /** Opens the log at an address to read it as it is stored; it must be there already. Throws an error of one line. */
  readonly openFrom: (address: string) => Promise<EventStore>;
  /** Where the views in use stand; null when there are none. */
  readonly viewsStandAt: () => Promise<Position | null>;
  readonly newestVersion: (type: string) => number;
  readonly stdin: Readable;
  readonly out: (line: string) => void;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** ISO 8601 in UTC. */
  readonly instant: () => string;
  readonly newId: () => string;
}

export const RESTORE_USAGE = 'daybook restore FILE|- | --from ADDRESS [--dry-run] [--resume]';

/** As shells have it for what was ended by Ctrl-C. */
const INTERRUPTED = 130;

const FLAGS = {
  from: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  resume: { type: 'boolean', default: false },
} as const;

type Wish = ReturnType<typeof read>;

/**
 * Carries out `daybook restore ...`; `args` is what stands behind `restore`. Answers the exit code: 0 when the log is
 * there, 130 when it was interrupted. Throws `UsageError`.
 */
export async function runRestore(args: readonly string[], dependencies: RestoreDependencies): Promise<0 | 130> {
  const wish = read(args);
  const { out, viewsStandAt, openTarget } = dependencies;
  const phases = phasesOf(dependencies.progress, 'events');
  const target = await openTarget();
  try {
    const isFresh = await target.isEmpty();
    const standing = isFresh ? await viewsStandAt() : null;
    if (standing !== null && standing !== LOG_START)
      throw new Unusable(
        `the event store is empty, but the views in use stand at position ${standing}: they belong to another log. Remove them first`,
      );
    const lines = await withSource(wish, dependencies, (source) =>
      broughtBack(wish, source, target, dependencies, phases),
    );
    phases.end();
    for (const line of lines) out(line);
    return 0;
  } catch (error) {
    phases.end();
    if (error instanceof Unusable) throw new UsageError(`restore: ${error.message}.`, 1);
    if (error instanceof EventStoreUnavailable && target.remains === 'a beginning')
      throw new UsageError(`restore: ${error.message} The same command with --resume goes on where it stopped.`, 1);
    if (!(error instanceof Interrupted)) throw error;
    out(
      target.remains === 'nothing'
        ? 'Interrupted. Nothing was written.'
        : 'Interrupted. A beginning may be there: the same command with --resume goes on behind it.',
    );
    return INTERRUPTED;
  } finally {
    await target.close();
  }
}

async function broughtBack(
  wish: Wish,
  source: LogSource,
  target: RestoreTarget,
  dependencies: RestoreDependencies,
  phases: Phases,
): Promise<string[]> {
  const { newestVersion, signal } = dependencies;
  const restored = await restoreLog({
    source,
    target,
    mode: wish.mode,
    newestVersion,
    signal,
    begin: phases.begin,
    reach: phases.reach,
  });
  if (wish.mode === 'check')
    return [`${inWords(restored)}: it is whole, and it fits.`, 'Dry run: nothing was written.'];
  await target.close();
  const carried = await carriedOver(restored, dependencies);
  return [
    ...(restored.before > 0 ? [`${restored.before} events were there already.`] : []),
    ...(carried > 0 ? [`Recorded anew, as positions are others here: ${carried} events that views do without.`] : []),
    `last hash: ${restored.lastHash ?? 'none'}`,
    `Restored ${inWords(restored)} from ${source.name}. Start the service: it fills its views.`,
    KEYS_REMARK,
  ];
}

async function carriedOver({ skipped }: Restored, { openLog, instant, newId }: RestoreDependencies): Promise<number> {
  if (skipped.length === 0) return 0;
  const store = await openLog();
  try {
    return await carrySkips({ store, skipped, instant: instant(), newId });
  } finally {
    await store.close();
  }
}

const inWords = ({ events, streams }: Restored): string => `${events} domain events in ${streams} streams`;

async function withSource<Result>(
  { from, file }: Wish,
  { openFrom, stdin, signal }: RestoreDependencies,
  work: (source: LogSource) => Promise<Result>,
): Promise<Result> {
  if (from !== undefined) {
    const log = await openFrom(from);
    try {
      return await work(await openLogStore(log, 'the other event store'));
    } finally {
      await log.close();
    }
  }
  if (file !== '-') return work(await openLogFile(file));
  // A stream can be read once only, and it is read twice: checked before anything is written.
  const folder = await mkdtemp(path.join(tmpdir(), 'daybook-restore-'));
  try {
    const copy = path.join(folder, 'log');
    await spool(stdin, copy, signal);
    return await work(await openLogFile(copy, 'standard input'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function read(args: readonly string[]) {
  const { values, positionals } = parsed(args);
  const { from, resume } = values;
  const [file = '', ...more] = positionals;
  if (file === '' && from === undefined) throw new UsageError(`restore: what to restore is missing.\n${RESTORE_USAGE}`);
  if (more.length > 0 || (file !== '' && from !== undefined))
    throw new UsageError(`restore: one log at a time.\n${RESTORE_USAGE}`);
  if (values['dry-run'] && resume) throw new UsageError('restore: --dry-run only checks, --resume writes: choose one.');
  const mode = values['dry-run'] ? 'check' : resume ? 'resume' : 'restore';
  return { file, from, mode } as const;
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS, allowPositionals: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [problem = ''] = error.message.split('. ');
    throw new UsageError(`restore: ${problem}; allowed: --from, --dry-run, --resume.\n${RESTORE_USAGE}`);
  }
}
