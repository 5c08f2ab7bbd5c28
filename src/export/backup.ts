// What a folder with a backup holds: the log, as a file of SQLite or as lines, and the keys of its personal data.
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { openPersonal } from '../event-store/encryption/encrypting-store.ts';
import type { KeyRing } from '../event-store/encryption/key-ring.ts';
import { openUnreadable } from '../event-store/encryption/unreadable-subjects.ts';
import type { RecordedEvent } from '../event-store/envelope.ts';
import type { LogSource } from './log-source.ts';
import { type CheckOptions, checkLog, type Restored } from './restore.ts';
import { persistFolder } from './sink.ts';
import { Unusable } from './unusable.ts';

/** A copy of the file of a SQLite log. */
export const LOG_FILE = 'daybook.db';
/** What `daybook export --log` writes, of a log that is a server's. */
export const LINES_FILE = 'daybook-log.jsonl.gz';
export const KEYS_FILE = 'keys.db';

const OWNER_ONLY = 0o700;

export interface BackupFolder {
  readonly log: { readonly kind: 'sqlite' | 'lines'; readonly file: string };
  readonly keys: string;
}

/** What lies in a folder; null when it is no folder. Throws `Unusable` when it holds no whole backup. */
export async function findBackup(folder: string): Promise<BackupFolder | null> {
  const found = await stat(folder).catch(() => null);
  if (!found?.isDirectory()) return null;
  const names = await readdir(folder);
  const keys = path.join(folder, KEYS_FILE);
  if (!names.includes(KEYS_FILE)) throw new Unusable(`it is a folder, and holds no backup: ${KEYS_FILE} is missing`);
  if (names.includes(LOG_FILE)) return { log: { kind: 'sqlite', file: path.resolve(folder, LOG_FILE) }, keys };
  if (names.includes(LINES_FILE)) return { log: { kind: 'lines', file: path.join(folder, LINES_FILE) }, keys };
  throw new Unusable(`it is a folder, and holds no backup: ${LOG_FILE} or ${LINES_FILE} is missing`);
}

/** What writes one file of a backup. */
export interface BackupPart {
  readonly name: string;
  readonly write: (file: string) => Promise<void>;
}

/**
 * Writes the parts one after the other, the log first: so the keys are never older than it. The names are given in the
 * opposite order: a folder with a log is whole. Throws `Unusable` when the folder is there and not empty.
 */
export async function writeBackup(folder: string, parts: readonly BackupPart[]): Promise<void> {
  const there = await readdir(folder).catch(() => null);
  if (there !== null && there.length > 0) throw new Unusable(`${folder} is not empty: name a new folder`);
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY }).catch((error: unknown) => {
    throw new Unusable(`${folder} cannot be made (${error instanceof Error ? error.message : String(error)})`);
  });
  try {
    for (const { name, write } of parts) await write(partOf(folder, name));
    for (const { name } of parts.toReversed()) await rename(partOf(folder, name), path.join(folder, name));
    await persistFolder(folder);
  } catch (error) {
    for (const { name } of parts) await rm(partOf(folder, name), { force: true });
    if (there === null) await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Ends as the name does: what is compressed is told by it. */
const partOf = (folder: string, name: string): string => path.join(folder, `part-${name}`);

export interface CheckedBackup extends Omit<Restored, 'before'> {
  /** Users and organizers, by their streams, whose personal data no key opens. */
  readonly unreadable: readonly string[];
}

/** Checks a log by its hashes, and whether the keys open it. Throws `Unusable` where the log does not fit. */
export async function checkBackup(
  source: LogSource,
  keys: Pick<KeyRing, 'look'>,
  options: Omit<CheckOptions, 'source' | 'observe'>,
): Promise<CheckedBackup> {
  const { observe, unreadable } = keysCheck(keys);
  const checked = await checkLog({ ...options, source, observe });
  return { ...checked, unreadable: unreadable() };
}

/** Whether keys open what they are shown. */
export function keysCheck(keys: Pick<KeyRing, 'look'>) {
  const unreadable = openUnreadable();
  return {
    observe: (events: readonly RecordedEvent[]) => openPersonal(events, keys, unreadable),
    unreadable: () => unreadable.subjects(),
  };
}
