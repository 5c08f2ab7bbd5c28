// Errors of SQLite: what they mean in words, and locks of other processes. The engine would wait for it in the event loop, and reads would wait meanwhile.
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite, { type Database } from 'better-sqlite3';

/** What to say about an error of SQLite whose code matches; the first that does. */
export type Advice = readonly (readonly [code: RegExp, advice: string])[];

/** The advice on an error and its code; null for what is no error of SQLite, or one without advice: a bug. */
export function adviceOn(error: unknown, advice: Advice): { readonly text: string; readonly code: string } | null {
  if (!(error instanceof Sqlite.SqliteError)) return null;
  const { code } = error;
  const text = advice.find(([pattern]) => pattern.test(code))?.[1];
  return text === undefined ? null : { text, code };
}

/** Whether the file is not, or no longer, a sound database. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);

/** How long a lock is waited for, in milliseconds. */
export const LOCK_PATIENCE_MS = 5_000;

/** Between two tries. */
export const LOOK_AGAIN_MS = 10;

/** Whether a statement failed because another connection has locked something. */
export const isLocked = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');

/** From now on statements of a connection fail at once where something is locked. */
export function waitForNoLock(db: Database): void {
  db.pragma('busy_timeout = 0');
}

/**
 * What `work` answers. It is tried again while another process has the file locked, between turns of the event loop and
 * until `deadline` (of `performance.now()`); then it rejects with the engine's error. `work` must have done nothing when it
 * meets a lock: a transaction that begins with it, or a single statement.
 */
export async function onceUnlocked<Answer>(
  work: () => Answer | Promise<Answer>,
  deadline: number = performance.now() + LOCK_PATIENCE_MS,
): Promise<Answer> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isLocked(error) || performance.now() >= deadline) throw error;
    }
    await pause(LOOK_AGAIN_MS);
  }
}
