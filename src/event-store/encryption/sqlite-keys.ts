// Keys in a SQLite file beside the log: for the processes of one machine. If another file replaces the open one, it is
// used; if the file was deleted, no keys are created, because they would end with this process.
import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { LOCK_PATIENCE_MS, LOOK_AGAIN_MS, onceUnlocked } from '../../files/sqlite-errors.ts';
import { EventStoreUnavailable } from '../event-store.ts';
import { explainedKeys, type KeysDatabase, openKeysDatabase } from './sqlite-keys-file.ts';
import { identityOf, KeysReplaced, type SubjectKeys } from './subject-keys.ts';

/**
 * Opens `file` (created with its directories if absent; `:memory:` for keys that end with the process). Throws
 * `EventStoreUnavailable` with the file's name; `KeysReplaced` once it has been deleted.
 */
export function openSqliteKeys({ file }: { readonly file: string }): SubjectKeys {
  let current = openKeysDatabase(file);
  let place = placeOf(file);

  /** The file may have been deleted or replaced; the open handle still refers to the old one, which is then lost. */
  function follow(): KeysDatabase {
    if (file === ':memory:') return current;
    const now = placeOf(file);
    if (now === null) throw deleted(file);
    if (now === place) return current;
    const before = current;
    current = openKeysDatabase(file);
    place = now;
    before.close();
    return current;
  }

  async function attempt<Result>(work: (keys: KeysDatabase) => Result): Promise<Result> {
    if (!current.isOpen) throw new EventStoreUnavailable(`The keys ${file} are closed.`);
    try {
      return await onceUnlocked(() => work(follow()));
    } catch (error) {
      throw explainedKeys(file, error);
    }
  }

  /** The journal also contains former values. If others read all the time, it is emptied later. */
  async function emptyJournal(): Promise<void> {
    const deadline = performance.now() + LOCK_PATIENCE_MS;
    while (!(await attempt((keys) => keys.emptyJournal())) && performance.now() < deadline) await pause(LOOK_AGAIN_MS);
  }

  return {
    erasures: () => attempt((keys) => keys.erasures()),
    identity: () =>
      attempt((keys) => {
        const pepper = keys.pepper();
        return pepper && identityOf(pepper);
      }),
    find: (asked) => attempt((keys) => keys.find(asked)),
    make: (asked) => attempt((keys) => keys.make(asked)),
    async destroy(subject) {
      const isNew = await attempt((keys) => keys.destroy(subject));
      await emptyJournal();
      return isNew;
    },
    pepper: () =>
      attempt((keys) => {
        if (!keys.pepper()) keys.makePepper();
        return keys.pepper() ?? lost(file);
      }),
    isEmpty: () => attempt((keys) => !keys.pepper() && keys.count() === 0),
    copy: () => attempt((keys) => keys.copy()),
    async take(copy) {
      const outcome = await attempt((keys) => keys.take(copy));
      await emptyJournal();
      return outcome;
    },
    close: async () => current.close(),
  };
}

/** The identity of the file behind a name; null for none. */
function placeOf(file: string): string | null {
  const found = file === ':memory:' ? undefined : statSync(file, { throwIfNoEntry: false, bigint: true });
  return found === undefined ? null : `${found.dev} ${found.ino}`;
}

const lost = (file: string): never => {
  throw new EventStoreUnavailable(`The keys ${file} cannot be used: what was written to them is gone.`);
};

const deleted = (file: string): Error =>
  new KeysReplaced(
    `The keys ${file} have been deleted under the running service. Put back their backup; the service then goes on by itself.`,
  );
