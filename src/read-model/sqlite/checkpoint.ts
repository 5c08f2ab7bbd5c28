// Brings a write-ahead log that has grown long into its file, in a thread: tens of thousands of documents take a second, most of it
// for the disk, in which nothing else would be answered.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Connection, MAX_LOG_PAGES } from './connection.ts';

/** From now on commits leave the log to `checkpoint`. */
export function leaveLog({ db }: Connection): void {
  db.pragma('wal_autocheckpoint = 0');
}

/** Resolves when the log is in the file, or short. Where that fails, the next commit of another connection tries it again. */
export async function checkpoint({ db, rows }: Connection): Promise<void> {
  try {
    const [, pages] = rows('PRAGMA wal_checkpoint(NOOP)').get() ?? [];
    if (Number(pages) < MAX_LOG_PAGES) return;
    await once(new Worker(new URL('./checkpoint-worker.ts', import.meta.url), { workerData: db.name }), 'exit');
  } catch {
    // What was committed is in the log.
  }
}
