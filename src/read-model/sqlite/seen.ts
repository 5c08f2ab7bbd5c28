// The row of `meta`, which every read needs, used again for as long as the file stays as it is. Asking whether it has changed
// takes a fraction of reading it, and is done once a look.
import { presentLook } from '../../kernel/event-loop/one-look.ts';
import type { Position } from '../../log/envelope.ts';
import type { Life } from '../read-model.ts';
import type { Connection, Row, Value } from './connection.ts';

/** The row of `meta` of a file that is in use. */
export interface Meta {
  readonly life: Life;
  readonly batch: number;
  readonly checkpoint: Position;
  readonly mark: string;
}

export interface Seen {
  /** As it is now; null: another generation has taken its place. */
  meta(): Meta | null;
  /** The same in a transaction, as this sees it. Call it first in each that reads documents. */
  metaInside(): Meta | null;
}

const META_IN_USE =
  'SELECT epoch, batch, checkpoint, mark FROM meta WHERE NOT EXISTS (SELECT 1 FROM successor WHERE followers = ?)';

export function openSeen(connection: Connection, followers: string): Seen {
  const { db, rows, column } = connection;
  const dataVersion = column('PRAGMA data_version');
  const totalChanges = column('SELECT total_changes()');
  /** How often others have written, and what this connection has: `data_version` does not count that. */
  let state: { readonly others: Value; readonly own: Value } | null = null;
  let meta: Meta | null | undefined;
  let looked: number | null = null;

  function look(): void {
    looked = presentLook();
    const [others = null, own = null] = [dataVersion.get(), totalChanges.get()];
    if (state?.others === others && state.own === own) return;
    meta = undefined;
    state = { others, own };
  }

  function metaInside(): Meta | null {
    look();
    if (meta === undefined) {
      const row = rows(META_IN_USE).get(followers);
      meta = row === undefined ? null : metaOf(row, db.name);
    }
    return meta;
  }

  return {
    meta() {
      if (looked !== presentLook()) look();
      // Read outside of a transaction it might be newer than what else is read.
      return meta === undefined ? connection.inTransaction(metaInside) : meta;
    },
    metaInside,
  };
}

const metaOf = ([epoch, batch, checkpoint, mark]: Row, file: string): Meta => ({
  life: `${file} ${epoch}`,
  batch: Number(batch),
  checkpoint: String(checkpoint),
  mark: String(mark),
});
