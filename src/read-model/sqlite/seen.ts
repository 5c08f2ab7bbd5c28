// What was read of a file, used again for as long as the file stays as it is: the row of `meta`, which every read needs, and
// documents that many answers embed. Asking whether it has changed takes a fraction of reading them.
import { LRUCache } from 'lru-cache';
import type { Position } from '../../event-store/envelope.ts';
import type { Document, DocumentKey, DocumentKind } from '../documents.ts';
import { sharedLook } from '../one-look.ts';
import type { Life } from '../read-model.ts';
import type { Connection, Row, Value } from './connection.ts';
import { readWeighed } from './document-rows.ts';
import { documentRow } from './schema.ts';

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
  /** Documents that are cached, all of them or null. Call `meta` before. */
  recall(keys: readonly DocumentKey[]): (Document | null)[] | null;
  isCached(key: DocumentKey): boolean;
  /** A whole document. Call it in a transaction. */
  read(key: DocumentKey): Document | null;
  /** Does work that writes these documents and no others in one transaction: the others stay cached. */
  writing<Result>(keys: readonly DocumentKey[], work: () => Result): Result;
}

/** Of the texts of all cached documents together. */
const MAX_CHARACTERS = 6_000_000;
/** What an entry takes beside its texts, roughly. */
const ENTRY_CHARACTERS = 300;
/** What events embed. */
const EMBEDDED: ReadonlySet<DocumentKind> = new Set(['venue', 'organizer', 'series']);

const META_IN_USE =
  'SELECT epoch, batch, checkpoint, mark FROM meta WHERE NOT EXISTS (SELECT 1 FROM successor WHERE followers = ?)';

/** Null: there is no such document. */
type Entry = { readonly document: Document | null; readonly characters: number };

export function openSeen(connection: Connection, followers: string): Seen {
  const { db, rows, column, compared } = connection;
  const documents = new LRUCache<number, Entry>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ characters }) => characters + ENTRY_CHARACTERS,
  });
  /** How often others have written, and what this connection has: `data_version` does not count that. */
  let state: { readonly others: Value; readonly own: Value } | null = null;
  let meta: Meta | null | undefined;
  let lastShared: number | null = null;

  const byOthers = (): Value => column('PRAGMA data_version').get() ?? null;
  const byItself = (): Value => column('SELECT total_changes()').get() ?? null;

  function look(): void {
    const [others, own] = [byOthers(), byItself()];
    if (state?.others === others && state.own === own) return;
    if (state?.others !== others) compared.clear();
    documents.clear();
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

  function lookOnce(): void {
    const shared = sharedLook();
    if (shared !== null && shared === lastShared && state?.own === byItself()) return;
    look();
    lastShared = shared;
  }

  return {
    meta() {
      lookOnce();
      // Read outside of a transaction it might be newer than what else is cached.
      return meta === undefined ? connection.inTransaction(metaInside) : meta;
    },
    metaInside,
    recall(keys) {
      const found: (Document | null)[] = [];
      for (const key of keys) {
        const entry = documents.get(documentRow(key));
        if (entry === undefined) return null;
        found.push(entry.document);
      }
      return found;
    },
    isCached: (key) => documents.has(documentRow(key)),
    read(key) {
      const row = documentRow(key);
      const entry = documents.get(row);
      if (entry !== undefined) return entry.document;
      const { document, characters } = readWeighed(connection, key);
      if (document === null || EMBEDDED.has(key.kind))
        documents.set(row, { document: document && Object.freeze(document), characters });
      return document;
    },
    writing(keys, work) {
      const isKnown = state !== null && state.own === byItself();
      const result = work();
      if (isKnown && state !== null && state.others === byOthers()) {
        for (const key of keys) documents.delete(documentRow(key));
        meta = undefined;
        state = { others: state.others, own: byItself() };
      }
      return result;
    },
  };
}

const metaOf = ([epoch, batch, checkpoint, mark]: Row, file: string): Meta => ({
  life: `${file} ${epoch}`,
  batch: Number(batch),
  checkpoint: String(checkpoint),
  mark: String(mark),
});
