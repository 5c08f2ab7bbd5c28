// Files of pictures in a folder, for their owner alone. A file is written beside its place, made durable and renamed, so
// that a crash leaves whole files or none under their names.
import { createReadStream } from 'node:fs';
import { chmod, copyFile, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isOfSystem, missing } from '../../../kernel/files/missing.ts';
import { makePrivateFolder } from '../../../kernel/files/private-files.ts';
import { isFileName, type MediaStore, MediaUnavailable, type NewFile } from './media-store.ts';

const FILE_MODE = 0o600;
const UNFINISHED = '.part';

/** The folder is created with the first file. */
export function openMediaFolder(folder: string): MediaStore {
  const placeOf = (name: string): string => {
    if (!isFileName(name)) throw new Error(`${JSON.stringify(name)} is no name of a picture's file`);
    return path.join(folder, name);
  };

  async function whileUsable<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    try {
      return await work();
    } catch (error) {
      if (!isOfSystem(error)) throw error;
      throw new MediaUnavailable(`The folder of pictures ${folder} cannot be used: ${error.message}.`);
    }
  }

  async function writeOne({ name, bytes }: NewFile): Promise<void> {
    const place = placeOf(name);
    const beside = `${place}${UNFINISHED}`;
    const file = await open(beside, 'w', FILE_MODE);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, place);
  }

  /** Renames are durable once the folder is. */
  async function syncFolder(): Promise<void> {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  const entries = async (): Promise<readonly string[]> => (await readdir(folder).catch(missing)) ?? [];

  const remove = async (names: readonly string[]): Promise<void> => {
    for (const name of names) {
      await rm(placeOf(name), { force: true });
      await rm(`${placeOf(name)}${UNFINISHED}`, { force: true });
    }
  };

  return {
    write: (files) =>
      whileUsable(async () => {
        makePrivateFolder(folder);
        try {
          for (const file of files) await writeOne(file);
          await syncFolder();
        } catch (error) {
          await remove(files.map(({ name }) => name)).catch(() => {});
          throw error;
        }
      }),
    find: (name) =>
      whileUsable(async () => {
        if (!isFileName(name)) return null;
        const stats = await stat(placeOf(name)).catch(missing);
        if (!stats?.isFile()) return null;
        return { size: stats.size, open: () => createReadStream(placeOf(name)) };
      }),
    remove: (names) => whileUsable(() => remove(names)),
    names: () => whileUsable(async () => (await entries()).filter(isFileName)),
    unfinished: () => whileUsable(async () => (await entries()).filter((name) => name.endsWith(UNFINISHED))),
  };
}

/**
 * Copies the files of a folder of pictures into another one, for backups and what is made of them. Files that are there
 * already are the same. Answers how many it copied. Rejects with `MediaUnavailable`.
 */
export async function copyMedia(from: string, to: string): Promise<number> {
  const [source, target] = [openMediaFolder(from), openMediaFolder(to)];
  const present = new Set(await target.names());
  const missing = (await source.names()).filter((name) => !present.has(name));
  if (missing.length === 0) return 0;
  try {
    makePrivateFolder(to);
    for (const name of missing) {
      const beside = path.join(to, `${name}${UNFINISHED}`);
      await copyFile(path.join(from, name), beside);
      await chmod(beside, FILE_MODE);
      await rename(beside, path.join(to, name));
    }
    return missing.length;
  } catch (error) {
    throw isOfSystem(error) ? new MediaUnavailable(`The pictures cannot be copied to ${to}: ${error.message}.`) : error;
  }
}
