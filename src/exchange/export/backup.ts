// A backup folder: the log, as a SQLite file or as lines, the keys of its personal data, and uploaded pictures.
// decision 5

import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorText } from '../../kernel/text/error-text.ts';
import type { RecordedEvent } from '../../log/envelope.ts';
import { openPersonal } from '../../people/personal-data/facts/encrypting-store.ts';
import { type KeyRing, openUnreadable } from '../../people/personal-data/facts/key-ring.ts';
import type { LogSource } from './log-source.ts';
import { type CheckOptions, checkLog, type Restored } from './restore.ts';
import { persistFolder } from './sink.ts';
import { Unusable } from './unusable.ts';

/** A copy of the file of a SQLite log. */
export const LOG_FILE = 'daybook.db';
/** The output of `daybook export --log`, for a log on a server. */
export const LINES_FILE = 'daybook-log.jsonl.gz';
export const KEYS_FILE = 'keys.db';
/** The folder of uploaded pictures; absent if there are none. */
export const MEDIA_FOLDER = 'media';

const OWNER_ONLY = 0o700;

export interface BackupFolder {
  readonly log: { readonly kind: 'sqlite' | 'lines'; readonly file: string };
  readonly keys: string;
}

/** The backup in a folder; null if it is no folder. Throws `Unusable` if it contains no complete backup. */
export async function findBackup(folder: string): Promise<BackupFolder | null> {
  const stats = await stat(folder).catch(() => null);
  if (!stats?.isDirectory()) return null;
  const names = await readdir(folder);
  const keys = path.join(folder, KEYS_FILE);
  if (!names.includes(KEYS_FILE)) throw new Unusable(`it is a folder without a backup: ${KEYS_FILE} is missing`);
  if (names.includes(LOG_FILE)) return { log: { kind: 'sqlite', file: path.resolve(folder, LOG_FILE) }, keys };
  if (names.includes(LINES_FILE)) return { log: { kind: 'lines', file: path.join(folder, LINES_FILE) }, keys };
  throw new Unusable(`it is a folder without a backup: ${LOG_FILE} or ${LINES_FILE} is missing`);
}

/** Writes one file or folder of a backup. */
interface BackupPart {
  readonly name: string;
  readonly write: (file: string) => Promise<void>;
}

/**
 * Writes the parts one after the other, the log first, so that the keys are never older than it. Final names are given
 * in the opposite order: a folder with a log is complete. Throws `Unusable` if the folder exists and is not empty.
 */
export async function writeBackup(folder: string, parts: readonly BackupPart[]): Promise<void> {
  const there = await readdir(folder).catch(() => null);
  if (there !== null && there.length > 0) throw new Unusable(`${folder} is not empty: name a new folder`);
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY }).catch((error: unknown) => {
    throw new Unusable(`${folder} cannot be made (${errorText(error)})`);
  });
  try {
    for (const { name, write } of parts) await write(partOf(folder, name));
    for (const { name } of parts.toReversed()) await rename(partOf(folder, name), path.join(folder, name));
    await persistFolder(folder);
  } catch (error) {
    for (const { name } of parts) await rm(partOf(folder, name), { recursive: true, force: true });
    if (there === null) await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Same extension as the name, because it decides about compression. */
const partOf = (folder: string, name: string): string => path.join(folder, `part-${name}`);

interface CheckedBackup extends Omit<Restored, 'before'> {
  /** Users and organizers, by their streams, whose personal data no key decrypts. */
  readonly unreadable: readonly string[];
}

/** Checks a log by its hashes, and whether the keys decrypt it. Throws `Unusable` for a log with problems. */
export async function checkBackup(
  source: LogSource,
  keys: Pick<KeyRing, 'look'>,
  options: Omit<CheckOptions, 'source' | 'observe'>,
): Promise<CheckedBackup> {
  const { observe, unreadable } = keysCheck(keys);
  const checked = await checkLog({ ...options, source, observe });
  return { ...checked, unreadable: unreadable() };
}

/** Tests whether keys decrypt data. */
export function keysCheck(keys: Pick<KeyRing, 'look'>) {
  const unreadable = openUnreadable();
  return {
    observe: (events: readonly RecordedEvent[]) => openPersonal(events, keys, unreadable),
    unreadable: () => unreadable.subjects(),
  };
}
