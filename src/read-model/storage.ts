// The port of the stored read model. A storage keeps what projections make of the log: documents, the names they are looked up
// by, the rows that lists filter by, and which of them the last batches have changed. It never filters: lists are answered
// by one index per process (list-index/), which is filled from the rows and follows the changes (indexed-model.ts).
import type { Position } from '../log/envelope.ts';
import type { Document, DocumentKey, DocumentKind } from './documents.ts';
import type { PackedRow, Row } from './list-index/rows.ts';
import type { Batch, Life, NamedPart, Progress } from './read-model.ts';

/** A state of the stored data. With the same life and number of batches the data are the same. */
export interface StoredVersion {
  readonly life: Life;
  /** How many batches were applied in this life. Each batch, also one that is emptied or filled, counts one or more. */
  readonly batch: number;
  readonly checkpoint: Position;
}

/** What was read, with the state that all of it is of. */
export interface Stored<Value> {
  readonly at: StoredVersion;
  readonly value: Value;
}

/**
 * What documents are read for. `list`: `state` may be null and the texts of events `''`.
 * `show`: whole. `fold`: whole, and as the next batch must be made from them: never from a cache, and of the generation that
 * `apply` writes to.
 */
export type Purpose = 'list' | 'show' | 'fold';

/** Ids of documents of a kind that have a name. */
export interface NameQuery extends NamedPart {
  readonly kind: DocumentKind;
  readonly name: string;
  /** By id. */
  readonly direction: 'ascending' | 'descending';
}

export interface NamedIds {
  readonly ids: readonly number[];
  /** The number of all documents with the name, of which `ids` are the requested part. */
  readonly total: number;
}

/**
 * A row (see list-index/rows.ts), packed if it was stored; null: the document is gone, or documents of its kind have none.
 */
export interface StoredRow {
  readonly key: DocumentKey;
  readonly row: PackedRow | Row | null;
}

export interface RowPortion {
  readonly rows: readonly StoredRow[];
  /** Where the next portion begins; null: there is none. */
  readonly next: string | null;
}

/**
 * Rejections: `ReadModelUnavailable`; `ReadModelDamaged` of what reads documents or rows that are not what was written.
 * Nothing is guarded here: whether data of a life may be read is decided above.
 */
export interface ReadModelStorage {
  /** For messages. */
  readonly address: string;
  /** The checkpoint with the mark of the log. */
  progress(): Promise<Progress>;
  /** The state of now; cheap enough for every request, and at once where nothing has to be waited for. */
  version(): StoredVersion | Promise<StoredVersion>;
  /** Stores documents, names, rows, change list and checkpoint in one atomic step, or returns `stale` and stores nothing. */
  apply(batch: Batch): Promise<'applied' | 'stale'>;
  /** Documents by key, in the requested order; null for missing ones. */
  fetch(keys: readonly DocumentKey[], purpose: Purpose): Promise<Stored<readonly (Document | null)[]>>;
  /** Documents by name. */
  names(query: NameQuery): Promise<Stored<NamedIds>>;
  /**
   * All rows, in portions that take some milliseconds each; null begins. Portions may be of different moments, and a row may
   * come twice: what has changed since the first one is in the change list.
   */
  rows(from: string | null): Promise<Stored<RowPortion>>;
  /**
   * The keys of all documents, of any kind, that were changed since a state, each once, with their present rows; null if
   * that is not known, because the state is of another life or too long ago: then all rows have to be read.
   */
  changesSince(version: StoredVersion): Promise<Stored<readonly StoredRow[]> | null>;
  /**
   * `empty`: empties it, to be refilled from the beginning of the log; a generation that came into use meanwhile is left
   * unchanged. `distrust`: its content was found damaged; its mark is removed and its life ends, so that every process
   * refuses to read it until it was refilled.
   */
  clear(how: 'empty' | 'distrust'): Promise<void>;
  /** Releases files and connections. */
  close(): Promise<void>;
}
