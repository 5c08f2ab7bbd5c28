// Locks among processes of one machine, on small files beside the read model. The system takes one back when its process
// ends, however it ends, so that no clock decides. Their files stay: removing one would let two processes in.
import Database from 'better-sqlite3';
import { makePrivateFile } from '../../kernel/files/private-files.ts';
import { isLocked } from '../../kernel/files/sqlite-errors.ts';
import type { Lease } from '../generations.ts';
import { readModelFailure } from './failures.ts';

/** Locks a file, which is created if it is missing, until the connection is closed; null while another process does. */
export function tryLock(file: string): Database.Database | null {
  makePrivateFile(file);
  const lock = new Database(file, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (isLocked(error)) return null;
    throw error;
  }
}

/** The lease with the name of a duty; `file` is that of the read model. Nothing is opened before it is asked for. */
export function fileLease(file: string, duty: string): Lease {
  const name = `${file}.${duty}`;
  let lock: Database.Database | null = null;
  return {
    async hold() {
      try {
        lock ??= tryLock(name);
      } catch (error) {
        throw readModelFailure(name, error);
      }
      return lock !== null;
    },
    async release() {
      lock?.close();
      lock = null;
    },
  };
}
