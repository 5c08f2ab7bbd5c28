// The storage of the read model in one SQLite file: the default, and the reference for other adapters.
import { MAX_TURN_MS, nextTurn } from '../../kernel/event-loop/turns.ts';
import { onceUnlocked, waitForNoLock } from '../../kernel/files/sqlite-errors.ts';
import type { Document, DocumentKey } from '../documents.ts';
import { type IndexedModel, openIndexedModel } from '../indexed-model.ts';
import { type Batch, type Guard, ReadModelUnavailable, UNGUARDED } from '../read-model.ts';
import type { NamedIds, NameQuery, Purpose, ReadModelStorage, Stored } from '../storage.ts';
import { applyInTurns, openApplier } from './apply.ts';
import { changedRows, rowsBehind } from './changes.ts';
import { type Connection, writeOnce } from './connection.ts';
import { readForList, readWhole } from './document-rows.ts';
import { readModelFailure } from './failures.ts';
import { openFiller } from './fill.ts';
import { followersOf, isReplaced, lifeOf, openInUse } from './in-use.ts';
import { type Meta, type MetaCache, openMetaCache } from './meta-cache.ts';
import { distrustViews, emptyViews, kindCode } from './schema.ts';

export interface SqliteReadModelOptions {
  /** Path, or `:memory:`. Missing folders are created. */
  readonly file: string;
  /** Identifies the code and settings that documents are built with: with another one, the read model starts empty. */
  readonly fingerprint: string;
  /** For reads; absent: all are admitted. */
  readonly guard?: Guard;
  /** `once`: a crash may damage the file, which is then deleted; see `settle`. */
  readonly written?: 'safely' | 'once';
}

/** An open file and its cached data. */
interface Views {
  readonly connection: Connection;
  apply(batch: Batch): Promise<'applied' | 'stale'>;
  readonly metaCache: MetaCache;
}

function openViews({ file, fingerprint, written }: SqliteReadModelOptions): Views {
  const connection = openInUse(file, fingerprint);
  try {
    if (written === 'once') writeOnce(connection);
    waitForNoLock(connection.db);
    const metaCache = openMetaCache(connection, followersOf(fingerprint));
    const apply = openApplier(connection, fingerprint);
    const fill = openFiller(connection, fingerprint);
    /** Another connection would give a file that is written once a write-ahead log. */
    const isShared = file !== ':memory:' && written !== 'once';
    return {
      connection,
      metaCache,
      async apply(batch) {
        const isLong = batch.changes.length > CHANGES_OF_TURN && batch.fill === undefined;
        if (isLong && isShared) {
          const outcome = await applyInTurns(connection.db.name, fingerprint, batch);
          metaCache.written();
          return outcome === 'stale' ? outcome : 'applied';
        }
        const arrival = batch.fill === undefined ? apply(batch) : fill(batch, batch.fill);
        if (arrival === 'stale') {
          // Who asks at once how far it is must not be answered as before.
          metaCache.written();
          return arrival;
        }
        metaCache.written(arrival);
        return 'applied';
      },
    };
  } catch (error) {
    connection.db.close();
    throw error;
  }
}

function openOrExplain(options: SqliteReadModelOptions): Views {
  try {
    return openViews(options);
  } catch (error) {
    throw readModelFailure(options.file, error);
  }
}

/** Changes that are applied in one turn, some 10 ms. */
const CHANGES_OF_TURN = 100;
const ALL = -1;
/** Then documents are read at once, however long they are. */
const MAX_READINGS = 3;

function names({ column }: Connection, { kind, name, direction, below, offset, limit }: NameQuery): NamedIds {
  const named = [kindCode(kind), name] as const;
  const total = Number(column('SELECT count(*) FROM name WHERE kind = ? AND name = ?').get(...named));
  if (limit === 0) return { ids: [], total };
  const order = direction === 'ascending' ? 'ASC' : 'DESC';
  const page = column(
    `SELECT id FROM name WHERE kind = +? AND name = +? AND id < +? ORDER BY id ${order} LIMIT +? OFFSET +?`,
  );
  const most = limit === Number.POSITIVE_INFINITY ? ALL : limit;
  return { ids: page.all(...named, below ?? Number.MAX_SAFE_INTEGER, most, offset).map(Number), total };
}

const readOne = ({ connection }: Views, key: DocumentKey, purpose: Purpose): Document | null =>
  (purpose === 'list' ? readForList : readWhole)(connection, key);

/** Documents from the first key on, until it has taken long. */
function readSome(views: Views, keys: readonly DocumentKey[], purpose: Purpose): (Document | null)[] {
  const until = performance.now() + MAX_TURN_MS;
  const documents: (Document | null)[] = [];
  for (const key of keys) {
    documents.push(readOne(views, key, purpose));
    if (performance.now() > until) return documents;
  }
  return documents;
}

/** The read model in a file, with the index of this process. Throws `ReadModelUnavailable` if the file cannot be used. */
export const openSqliteReadModel = (options: SqliteReadModelOptions): IndexedModel =>
  openIndexedModel(openSqliteStorage(options), options.guard);

/**
 * Opens the file itself, or its successor. If another generation comes into use meanwhile, it continues with that one.
 * Throws `ReadModelUnavailable` if the file cannot be used.
 */
export function openSqliteStorage(options: SqliteReadModelOptions): ReadModelStorage {
  const { file, fingerprint, guard = UNGUARDED } = options;
  const followers = followersOf(fingerprint);
  let current = openOrExplain(options);
  /** What the next batch is built from. It never changes between reading the checkpoint and applying the batch. */
  let written = current;

  function assertOpen(): void {
    if (current.connection.db.open) return;
    throw new ReadModelUnavailable(`The read model ${file} is closed: the service is shutting down.`);
  }

  const explained = onceUnlocked(assertOpen, (error) => readModelFailure(file, error));

  /** Nothing reads the file any more: all queries of it are answered synchronously. */
  function follow(): void {
    const previous = current;
    current = openViews(options);
    guard.succeed(lifeOf(previous.connection), lifeOf(current.connection));
    previous.connection.db.close();
  }

  /** Everything in one answer is of one moment, and of the generation in use at that moment. */
  const inOneMoment = <Value>(work: (views: Views, meta: Meta) => Value): Promise<Stored<Value>> =>
    explained(() => {
      for (;;) {
        const views = current;
        const result = views.connection.inTransaction(() => {
          const meta = views.metaCache.metaInside();
          return meta && { at: meta, value: work(views, meta) };
        });
        if (result) return result;
        follow();
      }
    });

  async function apply(batch: Batch): Promise<'applied' | 'stale'> {
    const { connection, apply: write } = written;
    try {
      if (written === current) return await write(batch);
    } catch (error) {
      // What was read in the meantime may have followed, and closed the connection.
      if (written === current) {
        if (!isReplaced(connection, followers)) throw error;
        follow();
      }
    }
    // Documents of another generation were read for this batch.
    written = current;
    return 'stale';
  }

  /** The caller means the generation that was in use before: the present one is left unchanged. */
  function clear(): void {
    const { connection } = current;
    const empty = connection.db.transaction(() => {
      if (isReplaced(connection, followers)) return false;
      emptyViews(connection);
      current.metaCache.written();
      return true;
    });
    if (written === current && empty.immediate()) return;
    if (written === current) follow();
    written = current;
  }

  const distrust = () =>
    inOneMoment(({ connection, metaCache }) => {
      distrustViews(connection);
      metaCache.written();
    });

  /** What every request asks for, without a query while nothing has changed. */
  const ofMeta = <Answer>(work: (meta: Meta) => Answer): Promise<Answer> =>
    explained(() => {
      for (;;) {
        const meta = current.metaCache.meta();
        if (meta !== null) return work(meta);
        follow();
      }
    });

  /** Many or long documents some at a time; null: something was written in between. */
  async function fetchInTurns(keys: readonly DocumentKey[], purpose: Purpose) {
    const { at, value } = await inOneMoment((views) => readSome(views, keys, purpose));
    while (value.length < keys.length) {
      await nextTurn();
      const next = await inOneMoment((views) => readSome(views, keys.slice(value.length), purpose));
      if (next.at.life !== at.life || next.at.batch !== at.batch) return null;
      value.push(...next.value);
    }
    return { at, value };
  }

  return {
    address: file,
    progress: () => ofMeta(({ checkpoint, mark, life }) => ({ checkpoint, mark, life })),
    version() {
      try {
        const meta = current.metaCache.meta();
        if (meta) return meta;
      } catch {
        // Asked again it waits for a lock to be released, or explains: also when the file is closed.
      }
      return ofMeta((meta) => meta);
    },
    apply: (batch) => explained(() => apply(batch)),
    async fetch(keys, purpose) {
      for (let reading = 0; reading < MAX_READINGS; reading++) {
        const documents = await fetchInTurns(keys, purpose);
        if (documents !== null) return documents;
      }
      return inOneMoment((views) => keys.map((key) => readOne(views, key, purpose)));
    },
    names: (query) => inOneMoment(({ connection }) => names(connection, query)),
    rows: (from) => inOneMoment(({ connection }) => rowsBehind(connection, from)),
    async changesSince({ life, batch }) {
      const { at, value } = await inOneMoment(({ connection }, meta) =>
        meta.life === life ? changedRows(connection, batch, meta) : null,
      );
      return value && { at, value };
    },
    async clear(how) {
      await explained(how === 'empty' ? clear : distrust);
    },
    async close() {
      current.connection.db.close();
    },
  };
}
