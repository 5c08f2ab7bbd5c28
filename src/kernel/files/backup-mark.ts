// When the last backup was made and checked: a line in a file of the data folder, for those who look whether there is one.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const fileIn = (dataDir: string): string => path.join(dataDir, 'last-backup');

/** `instant`: ISO 8601 in UTC. */
export const noteBackup = (dataDir: string, instant: string): Promise<void> =>
  writeFile(fileIn(dataDir), `${instant}\n`);

/** UTC seconds; null if none was made from this folder. */
export async function lastBackup(dataDir: string): Promise<number | null> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch(() => '');
  const at = Date.parse(text.trim());
  return Number.isNaN(at) ? null : at / 1000;
}
