// The full-text index. It costs more than everything else of an event together, so large batches only note what is to
// be done; until it is done, searches look through those texts one by one and miss nothing.
import { type Connection, numberOf } from './connection.ts';

/** Enters the texts of events, or takes them out again. To be called inside a transaction. */
export interface SearchIndex {
  /** The event has a new text. */
  note(event: number): void;
  /** The event is gone, or about to be noted again. */
  forget(event: number): void;
  /** Enters up to so many noted texts; answers whether any are left. */
  enter(atMost: number): 'all entered' | 'some left';
}

export function searchIndex(connection: Connection): SearchIndex {
  const { change, rows } = connection;
  return {
    note(event) {
      change('INSERT INTO search_pending VALUES (?)').run(event);
    },
    forget(event) {
      // What is noted has not been entered, so there is nothing to take out.
      if (change('DELETE FROM search_pending WHERE event_id = ?').run(event).changes > 0) return;
      change('DELETE FROM event_search WHERE rowid = ?').run(event);
    },
    enter(atMost) {
      const pending = rows(
        `SELECT event_id, text FROM search_pending JOIN event_detail USING (event_id) ORDER BY event_id LIMIT ?`,
      ).all(atMost);
      for (const [event = null, text = null] of pending) {
        change('INSERT INTO event_search (rowid, text) VALUES (?, ?)').run(event, text);
        change('DELETE FROM search_pending WHERE event_id = ?').run(event);
      }
      return anyPending(connection) ? 'some left' : 'all entered';
    },
  };
}

/** Whether some texts are noted and not yet entered. */
export const anyPending = (connection: Connection): boolean =>
  numberOf(connection, 'SELECT EXISTS (SELECT 1 FROM search_pending)') === 1;
