// Errors of SQLite in words, and waiting for locks of other processes. The engine itself would wait by blocking the
// event loop, and reads with it.
// decision 2: SQLite's own time-out waits in the event loop.
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite, { type Database } from 'better-sqlite3';

/** The advice on an error of SQLite by its code; the first match counts. */
export type Advice = readonly (readonly [code: RegExp, advice: string])[];

/** The advice on an error and its code; null if it is no error of SQLite, or one without advice: a bug. */
export function adviceOn(error: unknown, advice: Advice): { readonly text: string; readonly code: string } | null {
  if (!(error instanceof Sqlite.SqliteError)) return null;
  const { code } = error;
  const text = advice.find(([pattern]) => pattern.test(code))?.[1];
  return text === undefined ? null : { text, code };
}

/** Whether the file is not, or no longer, a valid database. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);

/** How long to wait for a lock, in milliseconds. */
export const LOCK_PATIENCE_MS = 5_000;

/** Between two attempts. */
export const LOOK_AGAIN_MS = 10;

/** Whether a statement failed because another connection holds a lock. */
export const isLocked = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');

/** From now on statements of a connection fail at once on a lock. */
export function waitForNoLock(db: Database): void {
  db.pragma('busy_timeout = 0');
}

/**
 * Runs work on an open file, retried while another process has it locked, between turns of the event loop and until `deadline`
 * (of `performance.now()`); then it rejects with the engine's error, as `explained` has it. Work must not have changed anything
 * when it meets a lock: a transaction that begins with it, or a single statement. `open` throws if the file is closed.
 */
export function onceUnlocked<Open>(open: () => Open, explained: (error: unknown) => unknown) {
  return async <Answer>(
    work: (open: Open) => Answer | Promise<Answer>,
    deadline: number = performance.now() + LOCK_PATIENCE_MS,
  ): Promise<Answer> => {
    for (;;) {
      try {
        return await work(open());
      } catch (error) {
        if (!isLocked(error) || performance.now() >= deadline) throw explained(error);
      }
      await pause(LOOK_AGAIN_MS);
    }
  };
}
