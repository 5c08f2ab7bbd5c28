// The mark that each store carries: which builds may use it, and which keys belong to a log. Stores of before have none.
// decision 5
import Sqlite from 'better-sqlite3';

/** What a build writes: the number of its store format, and its version for messages. */
export interface Build {
  readonly format: number;
  readonly daybook: string;
}

/** The mark of a store: the least build that may read and write it. */
export interface Mark extends Build {
  /** The identity of the keys that encrypt what is in a log; null for other stores. */
  readonly keys: string | null;
}

/** Where the mark of one store is kept. */
export interface MarkPlace {
  /** Its text; null for none. */
  read(): Promise<string | null>;
  write(text: string): Promise<void>;
}

/** A store was written by a build that this one does not understand. */
export class NewerStore extends Error {
  override readonly name = 'NewerStore';
}

/** The mark of a store; null for none. Throws `NewerStore`, naming `store`, if the build may not use it. */
export async function usableMark(place: MarkPlace, store: string, build: Build): Promise<Mark | null> {
  const text = await place.read();
  if (text === null) return null;
  const mark = parsed(text);
  if (mark !== null && mark.format <= build.format) return mark;
  const needed = mark === null ? 'another Daybook' : `Daybook ${mark.daybook} or newer (store format ${mark.format})`;
  throw new NewerStore(
    `${store} needs ${needed}; this is Daybook ${build.daybook} (store format ${build.format}). Install that version, or ` +
      'put back a backup from before the upgrade. Nothing was changed.',
  );
}

/** Sets the mark of a build, unless it stands there. */
export async function setMark(place: MarkPlace, present: Mark | null, next: Mark): Promise<void> {
  if (present?.format === next.format && present.keys === next.keys) return;
  await place.write(JSON.stringify(next));
}

/** Null for a text that is no mark. */
function parsed(text: string): Mark | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return null;
    if (!('format' in value && 'daybook' in value) || typeof value.format !== 'number') return null;
    const keys = 'keys' in value && typeof value.keys === 'string' ? value.keys : null;
    return { format: value.format, daybook: String(value.daybook), keys };
  } catch {
    return null;
  }
}

export const UNMARKED: MarkPlace = { read: async () => null, write: async () => {} };

const HAS_MARK = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'mark'";

/**
 * In a SQLite file beside its own tables. A file that is missing or cannot be used has none: opening it afterwards says
 * why. A disk that is full, or a file that is locked, is marked by a later start.
 */
export function fileMark(file: string): MarkPlace {
  const inFile = <Answer>(options: Sqlite.Options, work: (db: Sqlite.Database) => Answer): Answer | null => {
    let db: Sqlite.Database | null = null;
    try {
      db = new Sqlite(file, { fileMustExist: true, ...options });
      return work(db);
    } catch (error) {
      if (error instanceof Sqlite.SqliteError || error instanceof TypeError) return null;
      throw error;
    } finally {
      db?.close();
    }
  };
  return {
    read: async () =>
      inFile({ readonly: true }, (db) => {
        if (db.prepare(HAS_MARK).pluck().get() === 0) return null;
        return db.prepare<[], string>('SELECT text FROM mark').pluck().get() ?? null;
      }),
    async write(text) {
      inFile({}, (db) =>
        db
          .transaction(() => {
            db.exec('CREATE TABLE IF NOT EXISTS mark (text TEXT NOT NULL) STRICT; DELETE FROM mark;');
            db.prepare('INSERT INTO mark VALUES (?)').run(text);
          })
          .immediate(),
      );
    },
  };
}
