// The read model in one SQLite file: the default, the engine behind looks into the past, and the yardstick for others.
import type { Position } from '../../event-store/envelope.ts';
import type { DocumentKind, DocumentOf, EventDocument } from '../documents.ts';
import { type Batch, type ReadModel, ReadModelUnavailable } from '../read-model.ts';
import { listTerms, type Terms } from '../term-queries.ts';
import { type Applier, applier } from './applier.ts';
import { kindCode } from './codes.ts';
import type { Connection } from './connection.ts';
import { readForList, readWhole } from './document-rows.ts';
import { BRIEF, findEvents, listEvents, nextEdge, UNLIMITED } from './event-queries.ts';
import { readModelFailure } from './failures.ts';
import { listLinkedPosts, registerFieldSearch } from './linked-post-queries.ts';
import { newestEvents, nextScheduled, scheduledUntil } from './publication-queries.ts';
import { emptyViews } from './schema.ts';
import { followersOf, isReplaced, openInUse } from './successors.ts';
import { termCache } from './term-cache.ts';

export interface SqliteReadModelOptions {
  /** Path, or `:memory:`. Missing folders are made. */
  readonly file: string;
  /** Stands for the code and settings that documents are made with: with another one, the model starts empty. */
  readonly fingerprint: string;
}

/** The same read model in another thread. */
export type SlowReads = Pick<ReadModel, 'findEvents' | 'listEvents' | 'close'>;

/** An open file, and what is kept in memory of it. */
interface Views {
  readonly connection: Connection;
  readonly terms: () => Terms;
  readonly apply: Applier;
}

function openViews({ file, fingerprint }: SqliteReadModelOptions): Views {
  const connection = openInUse(file, fingerprint);
  try {
    registerFieldSearch(connection);
    return { connection, terms: termCache(connection), apply: applier(connection, file, fingerprint) };
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

/** Users stand among the names by login and e-mail. */
function userIds({ column }: Connection): number[] {
  return column('SELECT DISTINCT id FROM name WHERE kind = ? ORDER BY id').all(kindCode('user')).map(Number);
}

function eventById(connection: Connection, id: number): EventDocument | null {
  const document = readForList(connection, { kind: 'event', id });
  return document?.kind === 'event' ? document : null;
}

/**
 * Opens the read model: the file itself, or what has come into its place since. When another generation comes into use
 * meanwhile, it goes on with that one. What `thread` is there for is asked there when it takes more than some
 * milliseconds. Throws `ReadModelUnavailable` when the file cannot be used.
 */
export function openSqliteReadModel(options: SqliteReadModelOptions, thread: SlowReads | null = null): ReadModel {
  const { file, fingerprint } = options;
  const effort = thread ? BRIEF : UNLIMITED;
  const followers = followersOf(fingerprint);
  let current = openOrExplain(options);
  /** What the next batch is made from. It never changes between a look at the checkpoint and the batch that follows. */
  let written = current;

  const explained = async <Answer>(work: () => Answer | Promise<Answer>): Promise<Answer> => {
    if (!current.connection.db.open)
      throw new ReadModelUnavailable(`The read model ${file} is closed: the service is shutting down.`);
    try {
      return await work();
    } catch (error) {
      throw readModelFailure(file, error);
    }
  };

  /** Nothing is read from the file before any more: all that is asked of it is answered at once. */
  function follow(): void {
    const before = current;
    current = openViews(options);
    before.connection.db.close();
  }

  /** Everything that one answer reads is of one moment, whatever other processes write meanwhile, and of the generation in use at that moment. */
  const inOneMoment = <Answer>(work: (views: Views) => Answer): Promise<Answer> =>
    explained(() => {
      for (;;) {
        const views = current;
        const read = views.connection.db.transaction(() =>
          isReplaced(views.connection, followers) ? null : { answer: work(views) },
        );
        const found = read();
        if (found) return found.answer;
        follow();
      }
    });

  /** What takes its time: where there is another thread for it, nothing that takes long is done here. */
  function slowly<Answer>(ask: (reads: SlowReads) => Promise<Answer>): Promise<Answer> {
    if (thread === null) throw new Error('a question without a limit was not answered');
    return ask(thread);
  }

  async function apply(batch: Batch): Promise<'applied' | 'stale'> {
    const views = written;
    try {
      if (views === current) return await views.apply(batch);
    } catch (error) {
      // A fill takes its time: meanwhile a read may have gone on with another generation.
      if (views === current && !isReplaced(views.connection, followers)) throw error;
      if (views === current) follow();
    }
    // Documents of another generation were looked at for this batch.
    written = current;
    return 'stale';
  }

  /** Whoever wants it emptied knows the generation that was in use before: the one that is now stays as it is. */
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

  /** One value of `meta`, for one statement's worth of time: it is asked for at every request. */
  const ofMeta = (expression: string): Promise<string> =>
    explained(() => {
      const text = `SELECT ${expression} FROM meta WHERE NOT EXISTS (SELECT 1 FROM successor WHERE followers = ?)`;
      for (;;) {
        const value = current.connection.column(text).get(followers);
        if (value !== undefined) return String(value);
        follow();
      }
    });

  return {
    checkpoint: (): Promise<Position> => ofMeta('checkpoint'),
    version: () => ofMeta("epoch || ' ' || changes"),
    apply: (batch) => explained(() => apply(batch)),
    fetch: (keys) => inOneMoment(({ connection }) => keys.map((key) => readWhole(connection, key))),
    findBySlug: <Kind extends DocumentKind>(kind: Kind, slug: string) =>
      inOneMoment(({ connection }) => {
        const id = findOne(connection, kind, slug);
        // The row of a kind holds a document of that kind.
        return id === null ? null : (readWhole(connection, { kind, id }) as DocumentOf<Kind> | null);
      }),
    findEvents: async (query) =>
      (await inOneMoment(({ connection }) => findEvents(connection, query, effort.candidates))) ??
      slowly((reads) => reads.findEvents(query)),
    listEvents: async (query) =>
      (await inOneMoment(({ connection }) => listEvents(connection, query, effort))) ??
      slowly((reads) => reads.listEvents(query)),
    listLinkedPosts: (query) =>
      inOneMoment(({ connection }) => listLinkedPosts(connection, query, (id) => eventById(connection, id))),
    listTerms: (query) =>
      inOneMoment(({ connection, terms }) => listTerms(terms(), query, (id) => eventById(connection, id))),
    terms: () => inOneMoment(({ terms }) => terms()),
    userIds: () => inOneMoment(({ connection }) => userIds(connection)),
    nextEdge: (now) => inOneMoment(({ connection }) => nextEdge(connection, now)),
    newestEvents: (query) => inOneMoment(({ connection }) => newestEvents(connection, query)),
    nextScheduled: () => inOneMoment(({ connection }) => nextScheduled(connection)),
    scheduledUntil: (instant, limit) => inOneMoment(({ connection }) => scheduledUntil(connection, instant, limit)),
    clear: () => explained(clear),
    async close() {
      current.connection.db.close();
      await thread?.close();
    },
  };
}
