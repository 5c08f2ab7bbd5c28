// The storage of a calendar of another moment than now: the log itself. Rows are folded when the index is filled, and a
// document is folded again whenever it is read, so that nothing is held but the index, and what was put on top.
import { MAX_TURN_MS, openTurns } from '../../../kernel/event-loop/turns.ts';
import type { Position } from '../../../log/envelope.ts';
import { type Document, type DocumentKey, type DocumentKind, keyText } from '../../../read-model/documents.ts';
import { type IndexedModel, openIndexedModel } from '../../../read-model/indexed-model.ts';
import type { ListIndex } from '../../../read-model/list-index/list-index.ts';
import { rowOf } from '../../../read-model/list-index/rows.ts';
import { type DocumentChange, type ReadModel, UNGUARDED } from '../../../read-model/read-model.ts';
import type { NamedIds, NameQuery, ReadModelStorage, StoredRow, StoredVersion } from '../../../read-model/storage.ts';

/** Documents of the log as it was up to a position: the same whenever they are asked for. */
export interface FoldedLog {
  /** All of them, one after the other, with what rows and names are made of. */
  all(upTo: Position): AsyncIterator<Document>;
  /** In the order of their keys; null for missing ones. */
  some(keys: readonly DocumentKey[], upTo: Position): Promise<(Document | null)[]>;
  /** What readers look them up by. */
  namesOf(document: Document): readonly string[];
}

/** A read model over the log. */
export interface LogModel extends ReadModel, Pick<IndexedModel, 'index'> {}

export interface LogStorage extends ReadModelStorage {
  /** Moves on to a later position; `touched` are the keys of what was recorded since, or more. */
  moveOn(upTo: Position, touched: readonly DocumentKey[]): Promise<void>;
  /** The keys of what was applied. */
  onTop(): readonly DocumentKey[];
  /** Undoes what was applied. */
  takeOff(): Promise<void>;
}

/** `apply` puts documents on top of the log. */
export function openLogStorage(log: FoldedLog, start: Position): LogStorage {
  let at: StoredVersion = { life: 'log', batch: 0, checkpoint: start };
  const names = openNames();
  const onTop = new Map<string, DocumentChange>();
  /** Since the index has asked last. */
  let changed: (StoredRow & { readonly batch: number })[] = [];
  let filling = log.all(start);

  const stored = <Value>(value: Value) => ({ at, value });

  const rowFor = ({ key, document }: DocumentChange): StoredRow => ({ key, row: document && rowOf(document) });

  async function documents(keys: readonly DocumentKey[]): Promise<(Document | null)[]> {
    const missing = keys.filter((key) => !onTop.has(keyText(key)));
    const folded = (await log.some(missing, at.checkpoint)).values();
    return keys.map((key) => {
      const change = onTop.get(keyText(key));
      return change ? change.document : (folded.next().value ?? null);
    });
  }

  async function replace(keys: readonly DocumentKey[], work: (batch: number) => void): Promise<void> {
    const before = await documents(keys);
    work(at.batch + 1);
    const after = await documents(keys);
    const turn = openTurns();
    for (const [index, key] of keys.entries()) {
      await turn();
      const [former = null, present = null] = [before[index], after[index]];
      names.replace(key, former ? log.namesOf(former) : [], present ? log.namesOf(present) : []);
      changed.push({ ...rowFor({ key, document: present }), batch: at.batch });
    }
  }

  return {
    address: 'log',
    progress: async () => ({ checkpoint: at.checkpoint, mark: '', life: at.life }),
    version: async () => at,
    async apply(batch) {
      if (!('changes' in batch) || batch.after !== at.checkpoint) return 'stale';
      const keys = batch.changes.map(({ key }) => key);
      await replace(keys, (number) => {
        at = { ...at, batch: number };
        for (const change of batch.changes) onTop.set(keyText(change.key), change);
      });
      return 'applied';
    },
    fetch: async (keys) => stored(await documents(keys)),
    names: async (query) => stored(names.find(query)),
    async rows(from) {
      if (from === null) {
        filling = log.all(at.checkpoint);
        names.clear();
      }
      const rows: StoredRow[] = [];
      const enter = ({ key, document }: DocumentChange): void => {
        rows.push(rowFor({ key, document }));
        if (document) names.replace(key, [], log.namesOf(document));
      };
      for (const began = performance.now(); performance.now() - began < MAX_TURN_MS; ) {
        const { done, value: document } = await filling.next();
        if (!done && !onTop.has(keyText(document))) enter({ key: document, document });
        if (!done) continue;
        for (const change of onTop.values()) enter(change);
        return stored({ rows, next: null });
      }
      return stored({ rows, next: 'more' });
    },
    async changesSince({ batch }) {
      const since = changed.filter((one) => one.batch > batch);
      changed = [];
      return stored([...new Map(since.map((row) => [keyText(row.key), row])).values()]);
    },
    async moveOn(upTo, touched) {
      await replace(touched, (batch) => {
        at = { ...at, batch, checkpoint: upTo };
      });
    },
    onTop: () => [...onTop.values()].map(({ key }) => key),
    takeOff: () =>
      replace(
        [...onTop.values()].map(({ key }) => key),
        (batch) => {
          at = { ...at, batch };
          onTop.clear();
        },
      ),
    clear: async () => {},
    close: async () => {},
  };
}

/** The read model of a storage, with its index filled, which may begin with what is not in the storage. Rejections: those of the log. */
export async function openLogModel(storage: LogStorage, beginning?: ListIndex): Promise<LogModel> {
  const model = openIndexedModel(storage, UNGUARDED, beginning && (() => beginning));
  await model.index();
  return model;
}

function openNames() {
  const idsByName = new Map<DocumentKind, Map<string, Set<number>>>();

  function ofKind(kind: DocumentKind): Map<string, Set<number>> {
    const names = idsByName.get(kind) ?? new Map<string, Set<number>>();
    idsByName.set(kind, names);
    return names;
  }

  return {
    clear: () => idsByName.clear(),
    replace({ kind, id }: DocumentKey, former: readonly string[], present: readonly string[]): void {
      const names = ofKind(kind);
      for (const name of former) names.get(name)?.delete(id);
      for (const name of present) names.set(name, (names.get(name) ?? new Set()).add(id));
    },
    find({ kind, name, direction, below = Number.POSITIVE_INFINITY, offset, limit }: NameQuery): NamedIds {
      const names = ofKind(kind);
      const ids = name === null ? new Set([...names.values()].flatMap((some) => [...some])) : (names.get(name) ?? []);
      const all = [...ids].sort((one, other) => (direction === 'ascending' ? one - other : other - one));
      return { ids: all.filter((id) => id < below).slice(offset, offset + limit), total: all.length };
    },
  };
}
