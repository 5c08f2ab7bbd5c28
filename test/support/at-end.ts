// What the files of one process share: it is closed when the last of them has ended, or by the file itself if it is the
// only one.

type Close = () => Promise<void>;

const closing: Close[] = [];

/** uvu sets it while it runs files one after the other; see run-files.mjs. */
const hasMoreFiles = (): boolean => 'UVU_DEFER' in globalThis;

/** Call it once for each shared resource. */
export const closeAtEnd = (close: Close): void => void closing.push(close);

/** For hooks after the tests of a file. */
export async function endOfFile(): Promise<void> {
  if (!hasMoreFiles()) await endOfFiles();
}

/** After the last file of a process. */
export async function endOfFiles(): Promise<void> {
  await Promise.all(closing.splice(0).map((close) => close()));
}
