// `daybook backup DIR`: copies the log, the keys of its personal data and uploaded pictures into a folder, while the service runs.

import { existsSync } from 'node:fs';
import { copyMedia } from '../../../calendar/picture/media/folder.ts';
import { command, type GivenTo, synopsis } from '../../../cli/command.ts';
import { ended } from '../../../cli/errors.ts';
import { openProgress, type Phases, phasesOf } from '../../../cli/rate-progress.ts';
import { interruption, say } from '../../../cli/terminal.ts';
import { instant, withLog } from '../../../cli/with-log.ts';
import { logCopier, openLogAt, openRawLog } from '../../../composition.ts';
import { assertLogIsThere, readConfig } from '../../../config.ts';
import { AUDIT_KEYS, auditKeysFile, copyAuditKeys } from '../../../kernel/files/audit-keys.ts';
import { noteBackup } from '../../../kernel/files/backup-mark.ts';
import { counted } from '../../../kernel/text/counted.ts';
import { elapsed } from '../../../kernel/time/system.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { currentSchemaVersion } from '../../../log/upcasting/upcast.ts';
import { type KeyRing, openKeyRing } from '../../../people/personal-data/facts/key-ring.ts';
import { openKeys } from '../../../people/personal-data/facts/open-keys.ts';
import type { KeysCopy, SubjectKeys } from '../../../people/personal-data/facts/subject-keys.ts';
import { VERSION } from '../../../version.ts';
import type { Progress } from '../../import/progress.ts';
import { checkBackup, findBackup, KEYS_FILE, LINES_FILE, LOG_FILE, MEDIA_FOLDER, writeBackup } from '../backup.ts';
import { exportLog } from '../log-export.ts';
import { type LogSource, openLogFile, openLogStore } from '../log-source.ts';
import { openFileSink } from '../sink.ts';
import { Unusable } from '../unusable.ts';

export interface BackupDependencies {
  /** The log as stored; it must exist. */
  readonly openRawLog: () => Promise<EventStore>;
  /** Copies the file of the log as of one moment; null for a log on a server. */
  readonly copyLog: ((to: string) => Promise<void>) | null;
  /** The service's keys, as of one moment. */
  readonly copyKeys: () => Promise<KeysCopy>;
  /** Copies the keys that sign audit trails; null if there are none. */
  readonly copyAuditKeys: ((to: string) => void) | null;
  /** Copies the files of uploaded pictures; null if there are none. */
  readonly copyMedia: ((to: string) => Promise<unknown>) | null;
  /** Keys in a file, created if absent. */
  /** Notes in the data folder that there is one, made and checked. */
  readonly note: () => Promise<void>;
  readonly openKeysAt: (file: string) => Promise<SubjectKeys>;
  /** A copied log, as stored. */
  readonly openLogAt: (file: string) => Promise<EventStore>;
  readonly newestVersion: (type: string) => number;
  /** Writes one line of output, given without its end. */
  readonly out: (line: string) => void;
  readonly progress: Progress;
  /** Ctrl-C. */
  readonly signal: AbortSignal;
  readonly elapsed: () => number;
  readonly version: string;
  /** ISO 8601 in UTC. */
  readonly instant: () => string;
}

const SPEC = synopsis({
  name: 'backup',
  description: [
    'The service may keep running. `daybook restore DIR` restores a backup. Exit code 1: the backup is complete, but keys of personal data are missing; 130: interrupted, without a backup.',
  ],
  arguments: { folder: { label: 'DIR', description: 'a folder that is new or empty' } },
  options: {},
  examples: [['daybook backup /srv/backups/2030-05-31', 'creates and checks a backup']],
});

export const backupCommand = command(SPEC, {
  perform: runBackup,
  run(given) {
    const config = readConfig(process.env);
    const auditKeys = auditKeysFile(config.dataDir);
    return runBackup(given, {
      async openRawLog() {
        assertLogIsThere(config);
        return openRawLog(config);
      },
      copyLog: logCopier(config),
      copyKeys: () => withLog('read', ({ keys }) => keys.copy(), config),
      copyAuditKeys: existsSync(auditKeys) ? (to) => copyAuditKeys(auditKeys, to) : null,
      copyMedia: existsSync(config.mediaDir) ? (to) => copyMedia(config.mediaDir, to) : null,
      note: () => noteBackup(config.dataDir, instant()),
      openKeysAt: (file) => openKeys({ engine: 'sqlite', file }),
      openLogAt: (file) => openLogAt({ engine: 'sqlite', file }, config, 'backup'),
      newestVersion: currentSchemaVersion,
      out: say,
      progress: openProgress(),
      signal: interruption(),
      elapsed,
      version: VERSION,
      instant,
    });
  },
});

async function runBackup({ folder }: GivenTo<typeof SPEC>, dependencies: BackupDependencies): Promise<0 | 1 | 130> {
  const { out } = dependencies;
  const phases = phasesOf(dependencies.progress, 'events');
  const log = await dependencies.openRawLog();
  try {
    await written(folder, log, dependencies, phases);
    const unreadable = await checked(folder, dependencies, phases);
    phases.end();
    if (unreadable.length === 0) {
      // A data folder on a full or read-only disk is what backups are for.
      await dependencies
        .note()
        .catch((error: Error) =>
          out(`The backup is complete, but the data folder does not note it: ${error.message}.`),
        );
      return 0;
    }
    out(`PROBLEM: no key opens the personal data of ${unreadable.join(', ')}. Put back a newer backup of the keys.`);
    return 1;
  } catch (error) {
    phases.end();
    return ended('backup', error, () => out('Interrupted. There is no backup.'));
  } finally {
    await log.close();
  }
}

function written(folder: string, log: EventStore, dependencies: BackupDependencies, phases: Phases): Promise<void> {
  const { copyLog, copyKeys, copyAuditKeys: copySigning, copyMedia: copyPictures, openKeysAt } = dependencies;
  const logPart = copyLog
    ? { name: LOG_FILE, write: copyLog }
    : { name: LINES_FILE, write: (file: string) => lines(file, log, dependencies, phases) };
  return writeBackup(folder, [
    logPart,
    // Behind the log: every picture that it names has had its files.
    ...(copyPictures ? [{ name: MEDIA_FOLDER, write: async (to: string) => void (await copyPictures(to)) }] : []),
    ...(copySigning ? [{ name: AUDIT_KEYS, write: async (file: string) => copySigning(file) }] : []),
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
    const { events, streams, lastHash, unreadable } = await withCopiedLog(backup.log, dependencies, (source) =>
      checkBackup(source, keys, { newestVersion, signal, ...phases }),
    );
    phases.end();
    out(`last hash: ${lastHash ?? 'none'}`);
    out(
      `Backed up and checked: ${counted(events, 'domain event')} in ${counted(streams, 'stream')}, and ${await keysCounted(keys)}.`,
    );
    out(`${folder} holds the keys of personal data: delete it before the deadline of your erasures.`);
    if (dependencies.copyAuditKeys)
      out(`It also holds the key that signs audit trails: others could sign trails in your name with it.`);
    return unreadable;
  } finally {
    await keys.close();
  }
}

async function keysCounted(keys: KeyRing): Promise<string> {
  return counted((await keys.copy()).subjects.size, 'key');
}

async function withCopiedLog<Result>(
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
