// Files that only their owner may read: the log, its keys and the read model contain drafts and who wrote what.
import { closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
/** The rights of group and others. */
const OTHERS = 0o077;
/** A folder that is shared on purpose, such as `/tmp`. */
const STICKY = 0o1000;

const isFolder = (folder: string): boolean => statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;

/**
 * Creates a folder and its missing parents, for their owner alone; existing ones keep their rights. Level by level:
 * Node's own recursion never ends if the system denies that an existing folder exists.
 */
export function makePrivateFolder(folder: string): void {
  if (isFolder(folder)) return;
  makePrivateFolder(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: FOLDER_MODE });
  } catch (error) {
    // Another process that starts at the same time may have created it.
    if (!isFolder(folder)) throw error;
  }
}

/**
 * Creates an empty file with its folder, for their owner alone; an existing one is unchanged. Call it before SQLite
 * opens the file: its companions (`-wal`, `-shm`) get the rights of the file. Throws what the system throws.
 */
export function makePrivateFile(file: string): void {
  makePrivateFolder(path.dirname(path.resolve(file)));
  try {
    closeSync(openSync(file, 'wx', FILE_MODE));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/**
 * The files of some stores, their companions and their folders that other users may access. Empty if the system has no
 * such rights.
 */
export function openToOthers(stores: readonly string[]) {
  if (process.platform === 'win32') return { folders: [], files: [] };
  const folders = [...new Set(stores.map((file) => path.dirname(path.resolve(file))))];
  const names = new Set(stores.map((file) => path.resolve(file)));
  const isOurs = (file: string): boolean => [...names].some((name) => file === name || isCompanion(name, file));
  const files = folders.flatMap((folder) => entriesOf(folder).map((name) => path.join(folder, name)));
  return {
    folders: folders.filter((folder) => isWide(folder) && (modeOf(folder) & STICKY) === 0),
    files: files.filter((file) => isOurs(file) && isWide(file)).sort(),
  };
}

/** A journal, another generation, or a file that was set aside. */
const isCompanion = (name: string, file: string): boolean => file.startsWith(`${name}-`) || file.startsWith(`${name}.`);

const modeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mode ?? 0;

const isWide = (file: string): boolean => (modeOf(file) & OTHERS) !== 0;

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Missing, or not readable: opening its files reports it.
    return [];
  }
}

/** The commands that remove these rights, for pasting into a shell. */
export function closingCommand({ folders, files }: ReturnType<typeof openToOthers>): string {
  const parts = [
    ...(folders.length > 0 ? [`chmod 700 ${folders.map(quoted).join(' ')}`] : []),
    ...(files.length > 0 ? [`chmod 600 ${files.map(quoted).join(' ')}`] : []),
  ];
  return parts.join(' && ');
}

const PLAIN = /^[\w./:@%+,=-]+$/;

/** A word of a command line, quoted for a POSIX shell. */
export const quoted = (word: string): string => (PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
