// `daybook backup DIR`: the log and the keys of its personal data into a folder, while the service runs.
import { parseArgs } from 'node:util';
import { type KeyRing, openKeyRing } from '../event-store/encryption/key-ring.ts';
import type { KeysCopy, SubjectKeys } from '../event-store/encryption/subject-keys.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { checkBackup, findBackup, KEYS_FILE, LINES_FILE, LOG_FILE, writeBackup } from '../export/backup.ts';
import { exportLog } from '../export/log-export.ts';
import { type LogSource, openLogFile, openLogStore } from '../export/log-source.ts';
import { openFileSink } from '../export/sink.ts';
import { Interrupted, Unusable } from '../export/unusable.ts';
import type { Progress } from '../import/progress.ts';
import { type Phases, phasesOf } from './phases.ts';

import { UsageError } from './usage-error.ts';

export interface BackupDependencies {
  /** The log as it is stored; it must be there. */
  readonly openSealed: () => Promise<EventStore>;
  /** Copies the file of the log to another one, as it is at one moment; null for a log that is a server's. */
  readonly copyLog: ((to: string) => Promise<void>) | null;
  /** The keys of the service, as they are at one moment. */
  readonly copyKeys: () => Promise<KeysCopy>;
  /** Keys in a file, made when it is not there. */
  readonly openKeysAt: (file: string) => Promise<SubjectKeys>;
  /** A copied log, as it is stored. */
  readonly openLogAt: (file: string) => Promise<EventStore>;
  readonly newestVersion: (type: string) => number;
  /** Takes one line of the answer, without its end. */
  readonly out: (line: string) => void;
  readonly progress: Progress;
  /** Ctrl-C. */
  readonly signal: AbortSignal;
  readonly elapsed: () => number;
  readonly version: string;
  /** ISO 8601 in UTC. */
  readonly instant: () => string;
}

export const BACKUP_USAGE = 'daybook backup DIR   a folder that is new or empty; `daybook restore DIR` brings it back';

/** As shells have it for what was ended by Ctrl-C. */
const INTERRUPTED = 130;

/**
 * Carries out `daybook backup DIR`. Answers the exit code: 0 when the backup is there and fits, 1 when it is there and
 * something in it does not fit, 130 when it was interrupted and there is none. Throws `UsageError`.
 */
export async function runBackup(args: readonly string[], dependencies: BackupDependencies): Promise<0 | 1 | 130> {
  const folder = folderIn(args);
  const { out } = dependencies;
  const phases = phasesOf(dependencies.progress, 'events');
  const log = await dependencies.openSealed();
  try {
    await written(folder, log, dependencies, phases);
    const unreadable = await checked(folder, dependencies, phases);
    phases.end();
    if (unreadable.length === 0) return 0;
    out(
      `DOES NOT FIT: no key opens the personal data of ${unreadable.join(', ')}: put back a newer backup of the keys.`,
    );
    return 1;
  } catch (error) {
    phases.end();
    if (error instanceof Unusable) throw new UsageError(`backup: ${error.message}.`, 1);
    if (!(error instanceof Interrupted)) throw error;
    out('Interrupted. There is no backup.');
    return INTERRUPTED;
  } finally {
    await log.close();
  }
}

function written(folder: string, log: EventStore, dependencies: BackupDependencies, phases: Phases): Promise<void> {
  const { copyLog, copyKeys, openKeysAt } = dependencies;
  const logPart = copyLog
    ? { name: LOG_FILE, write: copyLog }
    : { name: LINES_FILE, write: (file: string) => lines(file, log, dependencies, phases) };
  return writeBackup(folder, [
    logPart,
    {
      name: KEYS_FILE,
      async write(file) {
        const keys = await openKeysAt(file);
        try {
          await keys.take(await copyKeys());
        } finally {
          await keys.close();
        }
      },
    },
  ]);
}

async function lines(
  file: string,
  log: EventStore,
  { version, instant, signal }: BackupDependencies,
  { begin, reach }: Phases,
): Promise<void> {
  const sink = await openFileSink(file);
  try {
    await exportLog({ log, daybook: version, exported: instant(), signal, begin, reach }, sink);
    await sink.commit();
  } catch (error) {
    await sink.discard();
    throw error;
  }
}

async function checked(folder: string, dependencies: BackupDependencies, phases: Phases): Promise<readonly string[]> {
  const { out, newestVersion, signal, openKeysAt, elapsed } = dependencies;
  const backup = await findBackup(folder);
  if (!backup) throw new Unusable(`${folder} is gone`);
  const keys = openKeyRing(await openKeysAt(backup.keys), { elapsed });
  try {
    const { events, streams, lastHash, unreadable } = await withLog(backup.log, dependencies, (source) =>
      checkBackup(source, keys, { newestVersion, signal, ...phases }),
    );
    phases.end();
    out(`last hash: ${lastHash ?? 'none'}`);
    out(`Backed up and checked: ${events} domain events in ${streams} streams, and ${await keyCount(keys)} keys.`);
    out(`${folder} holds what deciphers personal data: keep it for no longer than erasures may take.`);
    return unreadable;
  } finally {
    await keys.close();
  }
}

const keyCount = async (keys: KeyRing): Promise<number> => (await keys.copy()).subjects.size;

async function withLog<Result>(
  { kind, file }: { readonly kind: 'sqlite' | 'lines'; readonly file: string },
  { openLogAt }: BackupDependencies,
  work: (source: LogSource) => Promise<Result>,
): Promise<Result> {
  if (kind === 'lines') return work(await openLogFile(file));
  const log = await openLogAt(file);
  try {
    return await work(await openLogStore(log, file));
  } finally {
    await log.close();
  }
}

function folderIn(args: readonly string[]): string {
  try {
    const { positionals } = parseArgs({ args: [...args], options: {}, allowPositionals: true });
    const [folder = '', ...more] = positionals;
    if (folder !== '' && more.length === 0) return folder;
    throw new UsageError(`backup: one folder has to be named.\n${BACKUP_USAGE}`);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [problem = ''] = error.message.split('. ');
    throw new UsageError(`backup: ${problem}.\n${BACKUP_USAGE}`);
  }
}
