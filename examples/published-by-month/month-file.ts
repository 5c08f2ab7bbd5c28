import Database from 'better-sqlite3';
import type { CalendarEvent } from '../../src/calendar/event/domain/calendar-event.ts';
import { LOG_START, type Position } from '../../src/log/envelope.ts';
import { monthOf, VERSION } from './months.ts';

export interface Batch {
  /** The writer's expected checkpoint. */
  readonly after: Position;
  /** The checkpoint after this batch. */
  readonly upTo: Position;
  readonly states: ReadonlyMap<string, CalendarEvent>;
}

export interface MonthFile {
  checkpoint(): Position;
  /** The state of an event by its stream; null if there is none. */
  state(stream: string): CalendarEvent | null;
  apply(batch: Batch): 'applied' | 'stale';
  counts(): { readonly [month: string]: number };
  close(): void;
}

/** Opens the file, or `:memory:`. A file of another version is emptied. */
export function openMonthFile(file: string): MonthFile {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  if (db.pragma('user_version', { simple: true }) !== VERSION) {
    db.exec(`
      DROP TABLE IF EXISTS event; DROP TABLE IF EXISTS place;
      CREATE TABLE event (stream TEXT PRIMARY KEY, month TEXT, state TEXT NOT NULL);
      CREATE TABLE place (checkpoint TEXT NOT NULL);
      INSERT INTO place VALUES ('${LOG_START}');
      PRAGMA user_version = ${VERSION}`);
  }
  const place = db.prepare<[], string>('SELECT checkpoint FROM place').pluck();
  const known = db.prepare<[string], string>('SELECT state FROM event WHERE stream = ?').pluck();
  const put = db.prepare('INSERT OR REPLACE INTO event VALUES (?, ?, ?)');
  const arrive = db.prepare('UPDATE place SET checkpoint = ?');
  const counted = db.prepare<[], { month: string; count: number }>(
    'SELECT month, count(*) AS count FROM event WHERE month IS NOT NULL GROUP BY month ORDER BY month',
  );

  const checkpoint = (): Position => place.get() ?? LOG_START;
  const apply = db.transaction(({ after, upTo, states }: Batch): 'applied' | 'stale' => {
    if (checkpoint() !== after) return 'stale';
    for (const [stream, state] of states) put.run(stream, monthOf(state), JSON.stringify(state));
    arrive.run(upTo);
    return 'applied';
  });
  return {
    checkpoint,
    state(stream) {
      const text = known.get(stream);
      // States are plain data, and all of this version.
      return text === undefined ? null : (JSON.parse(text) as CalendarEvent);
    },
    apply: (batch) => apply.immediate(batch),
    counts: () => Object.fromEntries(counted.all().map(({ month, count }) => [month, count])),
    close: () => void db.close(),
  };
}
