// `daybook restore`: restores a log into an empty event store, with its keys if it is a backup.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { copyMedia } from '../../../calendar/picture/media/folder.ts';
import { command } from '../../../cli/command.ts';
import { ended, UsageError } from '../../../cli/errors.ts';
import { viewsStandAt } from '../../../cli/live-views.ts';
import { type LongWork, longWork, type Phases, phasesOf } from '../../../cli/rate-progress.ts';
import { warn } from '../../../cli/terminal.ts';
import { operatorMetadata } from '../../../cli/with-log.ts';
import { openLogAt, openRawLog, openRestoreTarget } from '../../../composition.ts';
import { type Config, readConfig } from '../../../config.ts';
import { AUDIT_KEYS, auditKeysFile, copyAuditKeys } from '../../../kernel/files/audit-keys.ts';
import { closing } from '../../../kernel/files/closing.ts';
import { readEventStoreAddress } from '../../../kernel/settings/addresses.ts';
import { counted } from '../../../kernel/text/counted.ts';
import { LOG_START } from '../../../log/envelope.ts';
import { EventStoreUnavailable } from '../../../log/event-store.ts';
import { type KeyRing, openKeyRing } from '../../../people/personal-data/facts/key-ring.ts';
import { openKeys } from '../../../people/personal-data/facts/open-keys.ts';
import { type BackupFolder, checkBackup, findBackup, keysCheck, MEDIA_FOLDER } from '../backup.ts';
import { type LogSource, openLogFile, openLogStore, spool } from '../log-source.ts';
import { carrySkips, type Restored, restoreLog } from '../restore.ts';
import type { RestoreTarget } from '../restore-target.ts';
import { Unusable } from '../unusable.ts';
import { KEYS_REMARK } from './export.ts';

interface RestoreDependencies extends LongWork {
  readonly config: Config;
  readonly openTarget: typeof openRestoreTarget;
  readonly stdin: Readable;
}

export const restoreCommand = command(
  {
    name: 'restore',
    description: [
      'Everything is checked before anything is written. A backup folder brings its keys along; with any other source, copy the keys of personal data (DAYBOOK_KEYS) yourself. Exit code 130: interrupted.',
    ],
    arguments: {
      file: {
        label: 'DIR|FILE|-',
        description: 'a folder of `daybook backup`, a file of `daybook export --log`, or - for standard input',
        count: 'optional',
      },
    },
    options: {
      from: { value: 'ADDRESS', description: 'read another event store instead: sqlite:FILE or esdb://…' },
      dryRun: { description: 'only check that the source is complete and undamaged; write nothing' },
      resume: { description: 'go on with a restore that was interrupted' },
    },
    examples: [
      ['daybook restore /srv/backups/2030-05-31', 'restores a backup'],
      ['daybook restore --from sqlite:old/daybook.db --dry-run', 'checks whether that log could be moved here'],
    ],
    check({ file = '', from, dryRun: isDryRun, resume }) {
      if (file === '' && from === undefined) return 'DIR, FILE or --from ADDRESS is missing.';
      if (file !== '' && from !== undefined) return 'a file and --from exclude each other.';
      return isDryRun && resume ? '--dry-run only checks and --resume writes: use one of them.' : null;
    },
  },
  async (values, dependencies: RestoreDependencies) => {
    const { file = '', from, dryRun: isDryRun, resume } = values;
    const task: Task = { file, from, mode: isDryRun ? 'check' : resume ? 'resume' : 'restore' };
    const { config, out } = dependencies;
    const phases = phasesOf(dependencies.progress, 'events');
    const target = await dependencies.openTarget(config);
    try {
      const isFresh = await target.isEmpty();
      const unchecked = (why: string): void => warn(`The views are not checked: ${why}`);
      const checkpoint = isFresh ? await viewsStandAt(config, unchecked) : null;
      if (checkpoint !== null && checkpoint !== LOG_START)
        throw new Unusable(
          `the event store is empty, but the read model in use is at position ${checkpoint}: it belongs to another log. Remove it first`,
        );
      const lines = await withSource(task, dependencies, (source, keys) =>
        restored(task, source, target, { ...dependencies, phases, keys }),
      );
      phases.end();
      for (const line of lines) out(line);
      return 0;
    } catch (error) {
      phases.end();
      if (error instanceof EventStoreUnavailable && target.remains === 'a beginning')
        throw new UsageError(`${error.message} Run the same command with --resume to go on.`, 1);
      return ended(error, () =>
        out(
          target.remains === 'nothing'
            ? 'Interrupted. Nothing was written.'
            : 'Interrupted. A beginning may have been written: run the same command with --resume to go on.',
        ),
      );
    } finally {
      await target.close();
    }
  },
  (work) =>
    work({
      ...longWork(),
      config: readConfig(process.env),
      openTarget: openRestoreTarget,
      stdin: process.stdin,
    }),
);

interface Task {
  /** `''` if another store is read. */
  readonly file: string;
  readonly from: string | undefined;
  readonly mode: 'check' | 'resume' | 'restore';
}

async function restored(
  task: Task,
  source: LogSource,
  target: RestoreTarget,
  dependencies: RestoreDependencies & { readonly phases: Phases; readonly keys: KeyRing | null },
): Promise<string[]> {
  const { config, signal, phases, keys } = dependencies;
  const check = keys && keysCheck(keys);
  const outcome = await restoreLog({
    source,
    target,
    mode: task.mode,
    signal,
    begin: phases.begin,
    reach: phases.reach,
    ...(keys && check && { observe: check.observe, beforeWriting: () => takeKeys(keys, config) }),
  });
  const unreadable = check?.unreadable() ?? [];
  const lost = unreadable.length === 0 ? [] : [`No key opens the personal data of ${unreadable.join(', ')}.`];
  if (task.mode === 'check')
    return [`${inWords(outcome)}: complete and undamaged.`, ...lost, 'Dry run: nothing was written.'];
  await target.close();
  const carried = await carriedOver(outcome, dependencies);
  return [
    ...(outcome.before > 0 ? [`${counted(outcome.before, 'event')} already there.`] : []),
    ...(carried > 0
      ? [`Recorded anew for the positions of this store: ${counted(carried, 'event')} that read models skip.`]
      : []),
    `last hash: ${outcome.lastHash ?? 'none'}`,
    `Restored ${inWords(outcome)} from ${source.name}. Start the service: it builds its views.`,
    ...(keys ? [...(await checkedAgain(outcome, dependencies)), ...lost] : [KEYS_REMARK]),
    ...(keys ? SIGNING[copyAuditKeys(path.join(task.file, AUDIT_KEYS), auditKeysFile(config.dataDir))] : []),
    ...(keys ? picturesTaken(await copyMedia(path.join(task.file, MEDIA_FOLDER), config.mediaDir)) : []),
  ];
}

const picturesTaken = (files: number): readonly string[] =>
  files === 0 ? [] : [`Pictures are there again: ${counted(files, 'file')}.`];

const SIGNING: Readonly<Record<ReturnType<typeof copyAuditKeys>, readonly string[]>> = {
  copied: ['The key that signs audit trails is there again.'],
  'others are there': [
    'Audit trails are signed with the key that was there already (audit-keys.json), not with that of the backup.',
  ],
  none: [],
};

/**
 * Before the log, so that an interrupted restore leaves keys without a log, which does no harm, and can be repeated.
 */
async function takeKeys(keys: KeyRing, config: Config): Promise<void> {
  const outcome = await closing(await openKeys(config.keys), async (target) => target.take(await keys.copy()));
  if (outcome !== 'taken')
    throw new Unusable('the keys that are there already (DAYBOOK_KEYS) are those of another log. Nothing was written');
}

/** Reads the restored log back with the keys that the service will use. */
async function checkedAgain(
  { events, lastHash }: Restored,
  { config, elapsed, signal, phases }: RestoreDependencies & { readonly phases: Phases },
): Promise<string[]> {
  const checked = await closing(await openRawLog(config), async (log) =>
    closing(openKeyRing(await openKeys(config.keys), { elapsed }), async (keys) =>
      checkBackup(await openLogStore(log, 'what was restored'), keys, { signal, ...phases }),
    ),
  );
  if (checked.events < events)
    throw new Unusable(`only ${checked.events} of ${counted(events, 'event')} were restored`);
  const isSame = checked.events === events ? checked.lastHash === lastHash : true;
  if (!isSame) throw new Unusable('the restored log does not end as the backup does');
  return ['Checked afterwards: the log is undamaged, and its keys are there.'];
}

async function carriedOver({ skipped }: Restored, { config, now, newId }: RestoreDependencies): Promise<number> {
  if (skipped.length === 0) return 0;
  const metadata = operatorMetadata('daybook restore', { now, newId });
  return closing(await openRawLog(config), (store) => carrySkips({ store, skipped, metadata, newId }));
}

const inWords = ({ events, streams }: Restored): string =>
  `${counted(events, 'domain event')} in ${counted(streams, 'stream')}`;

async function withSource<Result>(
  { from, file }: Task,
  dependencies: RestoreDependencies,
  work: (source: LogSource, keys: KeyRing | null) => Promise<Result>,
): Promise<Result> {
  const { config, stdin, signal } = dependencies;
  if (from !== undefined)
    return closing(await openLogAt(readEventStoreAddress(from, '--from'), config, '--from'), async (log) =>
      work(await openLogStore(log, 'the other event store'), null),
    );
  const backup = file === '-' ? null : await findBackup(file);
  if (backup) return withBackup(file, backup, dependencies, work);
  if (file !== '-') return work(await openLogFile(file), null);
  // A stream can be read only once, and is needed twice: it is checked before anything is written.
  const folder = await mkdtemp(path.join(tmpdir(), 'daybook-restore-'));
  try {
    const copy = path.join(folder, 'log');
    await spool(stdin, copy, signal);
    return await work(await openLogFile(copy, 'standard input'), null);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads a backup with its own keys; `name` is what it is called in messages. */
export async function withBackup<Result>(
  name: string,
  { log, keys: keysFile }: BackupFolder,
  { config, elapsed }: Pick<RestoreDependencies, 'config' | 'elapsed'>,
  work: (source: LogSource, keys: KeyRing) => Promise<Result>,
): Promise<Result> {
  return closing(openKeyRing(await openKeys({ engine: 'sqlite', file: keysFile }), { elapsed }), async (keys) => {
    const { kind, file } = log;
    return closing(
      kind === 'sqlite' ? await openLogAt({ engine: 'sqlite', file }, config, '--from') : null,
      async (opened) => work(opened ? await openLogStore(opened, name) : await openLogFile(file, name), keys),
    );
  });
}
