// The read model in one SQLite file: the default, the engine of time travel, and the reference for other adapters.
import type { Position } from '../../event-store/envelope.ts';
import { onceUnlocked, waitForNoLock } from '../../files/sqlite-errors.ts';
import type { Document, DocumentKey, DocumentKind, DocumentOf, EventDocument } from '../documents.ts';
import {
  type Batch,
  type FillableModel,
  type Guard,
  type Life,
  type NamedPart,
  notReady,
  type PackedBatch,
  type Progress,
  type ReadModel,
  ReadModelUnavailable,
  UNGUARDED,
} from '../read-model.ts';
import { listTerms, type Terms } from '../term-queries.ts';
import { type Applier, openApplier } from './applier.ts';
import type { Connection } from './connection.ts';
import { readForList, readWhole, type TermCache, termCache } from './document-rows.ts';
import { BRIEF, findEvents, isLong, listEvents, nextEdge, UNLIMITED } from './event-queries.ts';
import { readModelFailure } from './failures.ts';
import { followersOf, isReplaced, lifeOf, openInUse } from './in-use.ts';
import {
  listLinkedPosts,
  newestEvents,
  nextScheduled,
  registerFieldSearch,
  scheduledUntil,
} from './linked-post-queries.ts';
import { distrustViews, emptyViews, kindCode } from './schema.ts';
import { type Meta, openSeen, type Seen } from './seen.ts';

export interface SqliteReadModelOptions {
  /** Path, or `:memory:`. Missing folders are created. */
  readonly file: string;
  /** Identifies the code and settings that documents are built with: with another one, the read model starts empty. */
  readonly fingerprint: string;
  /** For reads; absent: all are admitted. */
  readonly guard?: Guard;
  /** Candidates of one filter that are few enough to test the others at once; tests lower it. */
  readonly few?: number;
}

interface SqliteReadModel extends FillableModel {
  /** The same for the projector, without the guard. */
  readonly forProjector: ReadModel;
}

/** The same read model in another thread. */
export type SlowReads = Pick<
  ReadModel,
  'fetch' | 'findBySlug' | 'findEvents' | 'listEvents' | 'listLinkedPosts' | 'close'
>;

/** An open file and its cached data. */
interface Views {
  readonly connection: Connection;
  readonly terms: TermCache;
  readonly applier: Applier;
  readonly seen: Seen;
}

function openViews({ file, fingerprint }: SqliteReadModelOptions): Views {
  const connection = openInUse(file, fingerprint);
  try {
    waitForNoLock(connection.db);
    registerFieldSearch(connection);
    const seen = openSeen(connection, followersOf(fingerprint));
    return { connection, terms: termCache(connection), applier: openApplier(connection, file, fingerprint), seen };
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

function findOne({ column }: Connection, kind: DocumentKind, slug: string): number | null {
  const wanted = kind === 'user' ? slug.toLowerCase() : slug;
  const id = column('SELECT min(id) FROM name WHERE kind = ? AND name = ?').get(kindCode(kind), wanted);
  return id == null ? null : Number(id);
}

const named = ({ column }: Connection, kind: DocumentKind, name: string): number[] =>
  column('SELECT id FROM name WHERE kind = ? AND name = ? ORDER BY id').all(kindCode(kind), name).map(Number);

function countNamed({ column }: Connection, kind: DocumentKind, name: string): number {
  return Number(column('SELECT count(*) FROM name WHERE kind = ? AND name = ?').get(kindCode(kind), name));
}

function namedPage(
  { column }: Connection,
  kind: DocumentKind,
  name: string,
  { below = Number.MAX_SAFE_INTEGER, offset, limit }: NamedPart,
): number[] {
  const page = column('SELECT id FROM name WHERE kind = ? AND name = ? AND id < ? ORDER BY id DESC LIMIT ? OFFSET ?');
  return page.all(kindCode(kind), name, below, limit, offset).map(Number);
}

/** Users are among the names by login and e-mail address. */
function userIds({ column }: Connection): number[] {
  return column('SELECT DISTINCT id FROM name WHERE kind = ? ORDER BY id').all(kindCode('user')).map(Number);
}

function eventById(connection: Connection, id: number): EventDocument | null {
  const document = readForList(connection, { kind: 'event', id });
  return document?.kind === 'event' ? document : null;
}

/**
 * Opens the read model: the file itself, or its successor. If another generation comes into use meanwhile, it continues
 * with that one. Queries that take more than some milliseconds are sent to `thread`. Throws `ReadModelUnavailable` if
 * the file cannot be used.
 */
export function openSqliteReadModel(options: SqliteReadModelOptions, thread: SlowReads | null = null): SqliteReadModel {
  const { file, fingerprint, guard = UNGUARDED, few = UNLIMITED.few } = options;
  const effort = { ...(thread ? BRIEF : UNLIMITED), few };
  const followers = followersOf(fingerprint);
  let current = openOrExplain(options);
  /** What the next batch is built from. It never changes between reading the checkpoint and applying the batch. */
  let written = current;

  const explained = async <Answer>(work: () => Answer | Promise<Answer>): Promise<Answer> => {
    const whileOpen = (): Answer | Promise<Answer> => {
      if (current.connection.db.open) return work();
      throw new ReadModelUnavailable(`The read model ${file} is closed: the service is shutting down.`);
    };
    try {
      return await onceUnlocked(whileOpen);
    } catch (error) {
      throw readModelFailure(file, error);
    }
  };

  /** Nothing reads the file any more: all queries of it are answered synchronously. */
  function follow(): void {
    const before = current;
    current = openViews(options);
    guard.succeed(lifeOf(before.connection), lifeOf(current.connection));
    before.connection.db.close();
  }

  /**
   * Everything in one answer is of one moment, whatever other processes write meanwhile, and of the generation in use
   * at that moment.
   */
  const inOneMoment = <Answer>(work: (views: Views, life: Life) => Answer): Promise<Answer> =>
    explained(() => {
      for (;;) {
        const views = current;
        const found = views.connection.inTransaction(() => {
          const meta = views.seen.metaInside();
          return meta === null ? null : { answer: work(views, meta.life) };
        });
        if (found) return found.answer;
        follow();
      }
    });

  /** A query that is answered if the guard admits the life of the data. */
  const asGuarded =
    <Answer>(work: (views: Views, life: Life) => Answer) =>
    (views: Views, life: Life): Guarded<Answer> => {
      const verdict = guard.admits(life);
      if (verdict === false) throw notReady(file);
      return verdict === true ? { answer: work(views, life) } : { verdict };
    };

  /** Repeats a query from before the judgement of its life. */
  async function admitted<Answer>(ask: () => Promise<Guarded<Answer>>): Promise<Answer> {
    for (;;) {
      const found = await ask();
      if ('answer' in found) return found.answer;
      if (!(await found.verdict)) throw notReady(file);
    }
  }

  const guarded = <Answer>(work: (views: Views, life: Life) => Answer): Promise<Answer> =>
    admitted(() => inOneMoment(asGuarded(work)));

  /**
   * Queries that may take long: with another thread, nothing long runs here. Nothing is guarded there, so its answer
   * counts if it is still of the admitted life.
   */
  async function inEitherThread<Answer>(
    briefly: (views: Views) => Answer | null,
    slowly: (reads: SlowReads) => Promise<Answer>,
  ): Promise<Answer> {
    for (;;) {
      const { found, life } = await guarded((views, now) => ({ found: briefly(views), life: now }));
      if (found !== null) return found;
      if (thread === null) throw new Error('a question without a limit was not answered');
      const answer = await slowly(thread);
      if ((await guardedMeta((meta) => meta.life)) === life) return answer;
    }
  }

  const applyNow = ({ seen, applier }: Views, batch: Batch | PackedBatch) =>
    seen.writing('changes' in batch ? batch.changes.map(({ key }) => key) : [], () => applier.apply(batch));

  async function apply(batch: Batch | PackedBatch): Promise<'applied' | 'stale'> {
    const views = written;
    try {
      if (views === current)
        return await (batch.fill === undefined ? applyNow(views, batch) : views.applier.apply(batch));
    } catch (error) {
      // A fill takes time: meanwhile a read may have moved to another generation.
      if (views === current && !isReplaced(views.connection, followers)) throw error;
      if (views === current) follow();
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
      return true;
    });
    if (written === current && empty.immediate()) return;
    if (written === current) follow();
    written = current;
  }

  /** What every request asks for, without a query while nothing has changed. */
  const ofMeta = <Answer>(work: (meta: Meta) => Answer): Promise<Answer> =>
    explained(() => {
      for (;;) {
        const meta = current.seen.meta();
        if (meta !== null) return work(meta);
        follow();
      }
    });

  const guardedMeta = <Answer>(work: (meta: Meta) => Answer): Promise<Answer> =>
    admitted(() => ofMeta((meta) => asGuarded(() => work(meta))(current, meta.life)));

  /** Every list asks for them several times, and they seldom change: one statement shows that they have not. */
  async function findTerms(): Promise<Terms> {
    const cached = await guardedMeta(({ termsVersion }) => current.terms.of(termsVersion));
    return cached ?? guarded(({ terms }) => terms.read());
  }

  /** Cached ones are neither read nor weighed. */
  const fetchBriefly = ({ connection, seen }: Views, keys: readonly DocumentKey[]) => {
    const unread = keys.filter((key) => !seen.isCached(key));
    return isLong(connection, unread, effort) ? null : keys.map(seen.read);
  };

  async function fetch(keys: readonly DocumentKey[]): Promise<(Document | null)[]> {
    const cached = await guardedMeta(() => current.seen.recall(keys));
    if (cached !== null) return cached;
    return inEitherThread(
      (views) => fetchBriefly(views, keys),
      (reads) => reads.fetch(keys),
    );
  }

  /** None or one document. */
  function findBriefly(views: Views, kind: DocumentKind, slug: string): readonly (Document | null)[] | null {
    const id = findOne(views.connection, kind, slug);
    return id === null ? [] : fetchBriefly(views, [{ kind, id }]);
  }

  async function find<Kind extends DocumentKind>(kind: Kind, slug: string): Promise<DocumentOf<Kind> | null> {
    const [document = null] = await inEitherThread(
      (views) => findBriefly(views, kind, slug),
      async (reads) => [await reads.findBySlug(kind, slug)],
    );
    // The row of a kind holds a document of that kind.
    return document as DocumentOf<Kind> | null;
  }

  const model: FillableModel = {
    takesPacked: true,
    checkpoint: (): Promise<Position> => guardedMeta(({ checkpoint }) => checkpoint),
    progress: () => ofMeta(({ checkpoint, mark, life }): Progress => ({ checkpoint, mark, life })),
    version: () => guardedMeta(({ epoch, changes, checkpoint }) => `${epoch} ${changes} ${checkpoint}`),
    apply: (batch) => explained(() => apply(batch)),
    fetch,
    findBySlug: find,
    findEvents: (query) =>
      inEitherThread(
        ({ connection }) => findEvents(connection, query, effort),
        (reads) => reads.findEvents(query),
      ),
    listEvents: (query) =>
      inEitherThread(
        ({ connection }) => listEvents(connection, query, effort),
        (reads) => reads.listEvents(query),
      ),
    listLinkedPosts: (query) =>
      inEitherThread(
        ({ connection }) => listLinkedPosts(connection, query, (id) => eventById(connection, id), effort),
        (reads) => reads.listLinkedPosts(query),
      ),
    listTerms: (query) =>
      guarded(({ connection, terms }) => listTerms(terms.read(), query, (id) => eventById(connection, id))),
    terms: findTerms,
    named: (kind, name) => guarded(({ connection }) => named(connection, kind, name)),
    countNamed: (kind, name) => guarded(({ connection }) => countNamed(connection, kind, name)),
    namedPage: (kind, name, part) => guarded(({ connection }) => namedPage(connection, kind, name, part)),
    userIds: () => guarded(({ connection }) => userIds(connection)),
    nextEdge: (now) => guarded(({ connection }) => nextEdge(connection, now)),
    newestEvents: (query) => guarded(({ connection }) => newestEvents(connection, query)),
    nextScheduled: () => guarded(({ connection }) => nextScheduled(connection)),
    scheduledUntil: (instant, limit) => guarded(({ connection }) => scheduledUntil(connection, instant, limit)),
    clear: () => explained(clear),
    distrust: () => inOneMoment(({ connection }) => distrustViews(connection)),
    async close() {
      current.connection.db.close();
      await Promise.all([current.applier.close(), thread?.close()]);
    },
  };
  return {
    ...model,
    forProjector: {
      ...model,
      checkpoint: () => ofMeta(({ checkpoint }) => checkpoint),
      fetch: (keys) => inOneMoment(({ connection }) => keys.map((key) => readWhole(connection, key))),
    },
  };
}

/** An answer, or the judgement that has to be awaited first. */
type Guarded<Answer> = { readonly answer: Answer } | { readonly verdict: Promise<boolean> };
