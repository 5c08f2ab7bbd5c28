// The row of `meta`, which every read needs, used again for as long as the file stays as it is. Asking whether others have changed
// it takes a fraction of reading it, and is done once a look; what this connection changes it tells.
import { lookAnew, presentLook } from '../../kernel/event-loop/one-look.ts';
import type { Position } from '../../log/envelope.ts';
import type { Life } from '../read-model.ts';
import type { Connection, Row, Value } from './connection.ts';

/** How far a file is. */
export interface Arrival {
  readonly batch: number;
  readonly checkpoint: Position;
  readonly mark: string;
}

/** The row of `meta` of a file that is in use. */
export interface Meta extends Arrival {
  readonly life: Life;
}

export type MetaCache = ReturnType<typeof openMetaCache>;

const META_IN_USE =
  'SELECT epoch, batch, checkpoint, mark FROM meta WHERE NOT EXISTS (SELECT 1 FROM successor WHERE followers = ?)';

export function openMetaCache(connection: Connection, followers: string) {
  const { db, rows, column } = connection;
  const dataVersion = column('PRAGMA data_version');
  /** Changes whenever others have written. */
  let others: Value = null;
  let meta: Meta | null | undefined;
  let looked: number | null = null;

  function look(): void {
    looked = presentLook();
    const now = dataVersion.get() ?? null;
    if (others === now) return;
    meta = undefined;
    others = now;
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
    /** As it is now; null: another generation has taken its place. */
    meta() {
      if (looked !== presentLook()) look();
      // Read outside of a transaction it might be newer than what else is read.
      return meta === undefined ? connection.inTransaction(metaInside) : meta;
    },
    /** The row as the present transaction sees it. Call it first in each transaction that reads documents. */
    metaInside,
    /**
     * The file was written: by this connection, or by others, as a batch says that is stale. `batch`: one that this connection applied
     * to this life; else it may be another one.
     */
    written(batch?: Arrival) {
      // Others may have written before: earlier looks do not count.
      lookAnew();
      meta = batch && meta ? { ...batch, life: meta.life } : undefined;
    },
  };
}

const metaOf = ([epoch, batch, checkpoint, mark]: Row, file: string): Meta => ({
  life: `${file} ${epoch}`,
  batch: Number(batch),
  checkpoint: String(checkpoint),
  mark: String(mark),
});
