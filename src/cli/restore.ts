// `daybook restore`: a log into an empty event store, with its keys when it is a backup.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { type KeyRing, openKeyRing } from '../event-store/encryption/key-ring.ts';
import type { SubjectKeys } from '../event-store/encryption/subject-keys.ts';
import { LOG_START, type Position } from '../event-store/envelope.ts';
import { type EventStore, EventStoreUnavailable } from '../event-store/event-store.ts';
import { type BackupFolder, checkBackup, findBackup, keysCheck } from '../export/backup.ts';
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
  /** Keys in a file of a backup. */
  readonly openKeysAt: (file: string) => Promise<SubjectKeys>;
  /** The keys of the service, made when they are not there. */
  readonly openTargetKeys: () => Promise<SubjectKeys>;
  readonly elapsed: () => number;
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

export const RESTORE_USAGE = 'daybook restore DIR|FILE|- | --from ADDRESS [--dry-run] [--resume]';

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
    const lines = await withSource(wish, dependencies, (source, keys) =>
      broughtBack(wish, source, target, { ...dependencies, phases, keys }),
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
  dependencies: RestoreDependencies & { readonly phases: Phases; readonly keys: KeyRing | null },
): Promise<string[]> {
  const { newestVersion, signal, phases, keys } = dependencies;
  const check = keys && keysCheck(keys);
  const restored = await restoreLog({
    ...{ source, target, mode: wish.mode, newestVersion, signal, begin: phases.begin, reach: phases.reach },
    ...(keys && check && { observe: check.observe, beforeWriting: () => takeKeys(keys, dependencies) }),
  });
  const unreadable = check?.unreadable() ?? [];
  const lost = unreadable.length === 0 ? [] : [`No key opens the personal data of ${unreadable.join(', ')}.`];
  if (wish.mode === 'check')
    return [`${inWords(restored)}: it is whole, and it fits.`, ...lost, 'Dry run: nothing was written.'];
  await target.close();
  const carried = await carriedOver(restored, dependencies);
  return [
    ...(restored.before > 0 ? [`${restored.before} events were there already.`] : []),
    ...(carried > 0 ? [`Recorded anew, as positions are others here: ${carried} events that views do without.`] : []),
    `last hash: ${restored.lastHash ?? 'none'}`,
    `Restored ${inWords(restored)} from ${source.name}. Start the service: it fills its views.`,
    ...(keys ? [...(await checkedAgain(restored, dependencies)), ...lost] : [KEYS_REMARK]),
  ];
}

/** Before the log, so that a restore that is cut short leaves keys without a log, which does no harm, and may be repeated. */
async function takeKeys(keys: KeyRing, { openTargetKeys }: RestoreDependencies): Promise<void> {
  const target = await openTargetKeys();
  try {
    if ((await target.take(await keys.copy())) === 'taken') return;
  } finally {
    await target.close();
  }
  throw new Unusable('the keys that are there already (DAYBOOK_KEYS) are those of another log. Nothing was written');
}

/** What was restored, read back with the keys that the service will use. */
async function checkedAgain(
  { events, lastHash }: Restored,
  {
    openLog,
    openTargetKeys,
    elapsed,
    newestVersion,
    signal,
    phases,
  }: RestoreDependencies & { readonly phases: Phases },
): Promise<string[]> {
  const [log, keys] = [await openLog(), openKeyRing(await openTargetKeys(), { elapsed })];
  try {
    const source = await openLogStore(log, 'what was restored');
    const checked = await checkBackup(source, keys, { newestVersion, signal, ...phases });
    if (checked.events < events) throw new Unusable(`only ${checked.events} of ${events} events are there afterwards`);
    const isSame = checked.events === events ? checked.lastHash === lastHash : true;
    if (!isSame) throw new Unusable('what is there afterwards does not end as the backup does');
    return ['Checked afterwards: the log fits, and its keys are there.'];
  } finally {
    await log.close();
    await keys.close();
  }
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
  dependencies: RestoreDependencies,
  work: (source: LogSource, keys: KeyRing | null) => Promise<Result>,
): Promise<Result> {
  const { openFrom, stdin, signal } = dependencies;
  if (from !== undefined) {
    const log = await openFrom(from);
    try {
      return await work(await openLogStore(log, 'the other event store'), null);
    } finally {
      await log.close();
    }
  }
  const backup = file === '-' ? null : await findBackup(file);
  if (backup) return withBackup(file, backup, dependencies, work);
  if (file !== '-') return work(await openLogFile(file), null);
  // A stream can be read once only, and it is read twice: checked before anything is written.
  const folder = await mkdtemp(path.join(tmpdir(), 'daybook-restore-'));
  try {
    const copy = path.join(folder, 'log');
    await spool(stdin, copy, signal);
    return await work(await openLogFile(copy, 'standard input'), null);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function withBackup<Result>(
  folder: string,
  { log, keys: keysFile }: BackupFolder,
  { openFrom, openKeysAt, elapsed }: RestoreDependencies,
  work: (source: LogSource, keys: KeyRing) => Promise<Result>,
): Promise<Result> {
  const keys = openKeyRing(await openKeysAt(keysFile), { elapsed });
  const opened = log.kind === 'sqlite' ? await openFrom(`sqlite:${log.file}`) : null;
  try {
    return await work(opened ? await openLogStore(opened, folder) : await openLogFile(log.file, folder), keys);
  } finally {
    await opened?.close();
    await keys.close();
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
