// Keys in a SQLite file beside the log: for the processes of one machine. If another file replaces the open one, it is
// used; if the file was deleted, no keys are created, because they would end with this process.

import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite, { type Database } from 'better-sqlite3';
import { placeOf, prepareOwnFile } from '../../../kernel/files/own-file.ts';
import { makePrivateFile } from '../../../kernel/files/private-files.ts';
import { LOCK_PATIENCE_MS, LOOK_AGAIN_MS, onceUnlocked, waitForNoLock } from '../../../kernel/files/sqlite-errors.ts';
import { EventStoreUnavailable } from '../../../log/event-store.ts';
import {
  identityOf,
  KEY_BYTES,
  type KeyState,
  type KeysCopy,
  KeysReplaced,
  type Subject,
  type SubjectKeys,
} from './subject-keys.ts';

/**
 * Opens `file` (created with its directories if absent; `:memory:` for keys that end with the process). Throws
 * `EventStoreUnavailable` with the file's name; `KeysReplaced` once it has been deleted.
 */
export function openSqliteKeys({ file }: { readonly file: string }): SubjectKeys {
  let current = openKeysDatabase(file);
  let place = placeOf(file);

  /** The file may have been deleted or replaced; the open handle still refers to the old one, which is then lost. */
  function follow() {
    if (!current.isOpen) throw new EventStoreUnavailable(`The keys ${file} are closed.`);
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

  const attempt = onceUnlocked(follow, (error) => explainedKeys(file, error));

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
    find: (subjects) => attempt((keys) => keys.find(subjects)),
    make: (subjects) => attempt((keys) => keys.make(subjects)),
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

const lost = (file: string): never => {
  throw new EventStoreUnavailable(`The keys ${file} cannot be used: data written to them was lost.`);
};

const deleted = (file: string): Error =>
  new KeysReplaced(
    `The keys ${file} have been deleted under the running service. Put back their backup; the service then goes on by itself.`,
  );

// The file keys.db: tables, statements, and errors in words. Only its owner can read it.

/** Marks a SQLite file as keys of Daybook (`PRAGMA application_id`, the letters "DBks"). */
const APPLICATION_ID = 0x44426b73;
const SCHEMA_VERSION = 1;
/** How long a statement waits for another process's transaction, in milliseconds. */
const BUSY_TIMEOUT = 5_000;

// A subject without a key is one whose key was destroyed.
const SCHEMA = `
  CREATE TABLE subjects (subject TEXT PRIMARY KEY, key BLOB) STRICT, WITHOUT ROWID;
  CREATE TABLE store (pepper BLOB, erasures INTEGER NOT NULL) STRICT;
  INSERT INTO store VALUES (NULL, 0);
`;

/**
 * The port's methods on `file`, synchronously; they throw what SQLite throws. Creates the file and its folders if absent.
 * Throws `EventStoreUnavailable` with the file's name.
 */
function openKeysDatabase(file: string) {
  const db = open(file);
  const erasures = db.prepare<[], number>('SELECT erasures FROM store').pluck();
  const read = db.prepare<[string], { key: Buffer | null }>('SELECT key FROM subjects WHERE subject = ?');
  const add = db.prepare<[string, Buffer]>('INSERT INTO subjects VALUES (?, ?)');
  const strike = db.prepare<[string]>(
    'INSERT INTO subjects VALUES (?, NULL) ON CONFLICT (subject) DO UPDATE SET key = NULL',
  );
  const count = db.prepare<[]>('UPDATE store SET erasures = erasures + 1');
  const readPepper = db.prepare<[], Buffer | null>('SELECT pepper FROM store').pluck();
  const setPepper = db.prepare<[Uint8Array]>('UPDATE store SET pepper = ? WHERE pepper IS NULL');
  const countSubjects = db.prepare<[], number>('SELECT count(*) FROM subjects').pluck();
  const all = db.prepare<[], { subject: Subject; key: Buffer | null }>('SELECT subject, key FROM subjects');

  function stateOf(subject: Subject): KeyState | undefined {
    const row = read.get(subject);
    return row && (row.key ?? 'destroyed');
  }

  function find(subjects: readonly Subject[]): Map<Subject, KeyState> {
    const states = new Map<Subject, KeyState>();
    for (const subject of subjects) {
      const state = stateOf(subject);
      if (state !== undefined) states.set(subject, state);
    }
    return states;
  }

  const makeAll = db.transaction((missing: readonly Subject[]) => {
    for (const subject of missing) if (stateOf(subject) === undefined) add.run(subject, randomBytes(KEY_BYTES));
  });

  const destroyOne = db.transaction((subject: Subject): boolean => {
    if (stateOf(subject) === 'destroyed') return false;
    strike.run(subject);
    count.run();
    return true;
  });

  const copyAll = db.transaction((): KeysCopy => {
    const states = all.all().map(({ subject, key }): [Subject, KeyState] => [subject, key ?? 'destroyed']);
    return { pepper: readPepper.get() ?? null, subjects: new Map(states) };
  });

  const takeAll = db.transaction((copy: KeysCopy): 'taken' | 'other keys' => {
    const own = readPepper.get();
    if (own && copy.pepper && Buffer.compare(own, copy.pepper) !== 0) return 'other keys';
    if (copy.pepper) setPepper.run(copy.pepper);
    for (const [subject, state] of copy.subjects) {
      if (state === 'destroyed') strike.run(subject);
      else if (stateOf(subject) === undefined) add.run(subject, Buffer.from(state));
    }
    count.run();
    return 'taken';
  });

  return {
    get isOpen() {
      return db.open;
    },
    erasures: () => String(erasures.get() ?? ''),
    find,
    make(subjects: readonly Subject[]): Map<Subject, KeyState> {
      const states = find(subjects);
      if (states.size === new Set(subjects).size) return states;
      makeAll.immediate(subjects);
      return find(subjects);
    },
    destroy: (subject: Subject): boolean => destroyOne.immediate(subject),
    pepper: (): Uint8Array | null => readPepper.get() ?? null,
    makePepper: () => void setPepper.run(randomBytes(KEY_BYTES)),
    count: () => countSubjects.get() ?? 0,
    copy: () => copyAll(),
    take: (copy: KeysCopy) => takeAll.immediate(copy),
    /** False if another connection was in the way. */
    emptyJournal: () => Number(db.pragma('wal_checkpoint(TRUNCATE)', { simple: true })) === 0,
    close: () => void db.close(),
  };
}

function open(file: string): Database {
  let db: Database | undefined;
  try {
    if (file !== ':memory:') makePrivateFile(file);
    db = new Sqlite(file, { timeout: BUSY_TIMEOUT });
    prepare(db, file);
    waitForNoLock(db);
    return db;
  } catch (error) {
    db?.close();
    throw explainedKeys(file, error);
  }
}

function prepare(db: Database, file: string): void {
  // Overwrites what is deleted.
  db.pragma('secure_delete = ON');
  prepareOwnFile(db, {
    applicationId: APPLICATION_ID,
    schemaVersion: SCHEMA_VERSION,
    schema: SCHEMA,
    look: () => look(db, file),
  });
}

function look(db: Database, file: string): 'empty' | 'ours' {
  const application = db.pragma('application_id', { simple: true });
  const version = db.pragma('user_version', { simple: true });
  const tables = db.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get();
  if (application === 0 && version === 0 && tables === 0) return 'empty';
  if (application === APPLICATION_ID && version === SCHEMA_VERSION) return 'ours';
  const what = application === APPLICATION_ID ? 'are of another version of Daybook' : 'are no keys of Daybook';
  throw new EventStoreUnavailable(`The keys ${file} ${what}. Check DAYBOOK_KEYS; the file was left untouched.`);
}

/** SQLite needs a file beside this one even for reading. */
const FULL = /^SQLITE_(?:FULL|IOERR_SHM)/;

/** A failure of the disk as a sentence that says what to do; other errors are returned unchanged. */
function explainedKeys(file: string, error: unknown): unknown {
  if (error instanceof EventStoreUnavailable) return error;
  const isSystem = error instanceof Sqlite.SqliteError || (error instanceof Error && 'syscall' in error);
  if (!isSystem) return error;
  const why = error instanceof Sqlite.SqliteError && FULL.test(error.code) ? 'the disk is full' : error.message;
  return new EventStoreUnavailable(
    `The keys ${file} cannot be used: ${why}. Check the path of DAYBOOK_KEYS, the rights of the file and its ` +
      'folder, and the disk; if the file is damaged, put back its backup.',
    { cause: error },
  );
}
