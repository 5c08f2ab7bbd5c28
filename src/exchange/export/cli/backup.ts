// `daybook backup DIR`: copies the log, the keys of its personal data and uploaded pictures into a folder, while the service runs.

import { existsSync } from 'node:fs';
import { copyMedia } from '../../../calendar/picture/media/folder.ts';
import { command } from '../../../cli/command.ts';
import { ended } from '../../../cli/errors.ts';
import { type LongWork, longWork, type Phases, phasesOf } from '../../../cli/rate-progress.ts';
import { instantOf, withLog } from '../../../cli/with-log.ts';
import { logCopier, openRawLog } from '../../../composition.ts';
import { assertLogIsThere, type Config, readConfig } from '../../../config.ts';
import { AUDIT_KEYS, auditKeysFile, copyAuditKeys } from '../../../kernel/files/audit-keys.ts';
import { noteBackup } from '../../../kernel/files/backup-mark.ts';
import { closing } from '../../../kernel/files/closing.ts';
import { counted } from '../../../kernel/text/counted.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { openKeys } from '../../../people/personal-data/facts/open-keys.ts';
import { VERSION } from '../../../version.ts';
import { checkBackup, findBackup, KEYS_FILE, LINES_FILE, LOG_FILE, MEDIA_FOLDER, writeBackup } from '../backup.ts';
import { exportLog } from '../log-export.ts';
import { committed, openFileSink } from '../sink.ts';
import { Unusable } from '../unusable.ts';
import { withBackup } from './restore.ts';

export interface BackupDependencies extends LongWork {
  readonly config: Config;
  /** Copies the file of the log as of one moment; null for a log on a server. */
  readonly copyLog: ((to: string) => Promise<void>) | null;
  /** Notes in the data folder that there is one, made and checked. */
  readonly note: typeof noteBackup;
}

export const backupCommand = command(
  {
    name: 'backup',
    description: [
      'The service may keep running. `daybook restore DIR` restores a backup. Exit code 1: the backup is complete, but keys of personal data are missing; 130: interrupted, without a backup.',
    ],
    arguments: { folder: { label: 'DIR', description: 'a folder that is new or empty' } },
    examples: [['daybook backup /srv/backups/2030-05-31', 'creates and checks a backup']],
  },
  async ({ folder }, dependencies: BackupDependencies) => {
    const { config, out } = dependencies;
    const phases = phasesOf(dependencies.progress, 'events');
    assertLogIsThere(config);
    const log = await openRawLog(config);
    try {
      await written(folder, log, dependencies, phases);
      const unreadable = await checked(folder, dependencies, phases);
      phases.end();
      if (unreadable.length === 0) {
        // A data folder on a full or read-only disk is what backups are for.
        await dependencies
          .note(config.dataDir, instantOf(dependencies))
          .catch((error: Error) =>
            out(`The backup is complete, but the data folder does not note it: ${error.message}.`),
          );
        return 0;
      }
      out(`PROBLEM: no key opens the personal data of ${unreadable.join(', ')}. Put back a newer backup of the keys.`);
      return 1;
    } catch (error) {
      phases.end();
      return ended(error, () => out('Interrupted. There is no backup.'));
    } finally {
      await log.close();
    }
  },
  (work) => {
    const config = readConfig(process.env);
    return work({ ...longWork(), config, copyLog: logCopier(config), note: noteBackup });
  },
);

function written(folder: string, log: EventStore, dependencies: BackupDependencies, phases: Phases): Promise<void> {
  const { config, copyLog } = dependencies;
  const { mediaDir } = config;
  const auditKeys = auditKeysFile(config.dataDir);
  const logPart = copyLog
    ? { name: LOG_FILE, write: copyLog }
    : { name: LINES_FILE, write: (file: string) => lines(file, log, dependencies, phases) };
  return writeBackup(folder, [
    logPart,
    // Behind the log: every picture that it names has had its files.
    ...(existsSync(mediaDir)
      ? [{ name: MEDIA_FOLDER, write: async (to: string) => void (await copyMedia(mediaDir, to)) }]
      : []),
    ...(existsSync(auditKeys)
      ? [{ name: AUDIT_KEYS, write: async (file: string) => void copyAuditKeys(auditKeys, file) }]
      : []),
    {
      name: KEYS_FILE,
      write: async (file) =>
        closing(await openKeys({ engine: 'sqlite', file }), async (keys) => {
          await keys.take(await withLog('read', (stores) => stores.keys.copy(), config));
        }),
    },
  ]);
}

async function lines(
  file: string,
  log: EventStore,
  { signal, ...rest }: BackupDependencies,
  { begin, reach }: Phases,
): Promise<void> {
  const sink = await openFileSink(file);
  await committed(sink, () =>
    exportLog({ log, daybook: VERSION, exported: instantOf(rest), signal, begin, reach }, sink),
  );
}

async function checked(folder: string, dependencies: BackupDependencies, phases: Phases): Promise<readonly string[]> {
  const { config, out, signal } = dependencies;
  const backup = await findBackup(folder);
  if (!backup) throw new Unusable(`${folder} is gone`);
  return withBackup(backup.log.file, backup, dependencies, async (source, keys) => {
    const { events, streams, lastHash, unreadable } = await checkBackup(source, keys, { signal, ...phases });
    phases.end();
    out(`last hash: ${lastHash ?? 'none'}`);
    out(
      `Backed up and checked: ${counted(events, 'domain event')} in ${counted(streams, 'stream')}, and ${counted((await keys.copy()).subjects.size, 'key')}.`,
    );
    out(`${folder} holds the keys of personal data: delete it before the deadline of your erasures.`);
    if (existsSync(auditKeysFile(config.dataDir)))
      out(`It also holds the key that signs audit trails: others could sign trails in your name with it.`);
    return unreadable;
  });
}
