// The read model in one SQLite file: the default, the engine behind looks into the past, and the yardstick for others.
import type { Position } from '../../event-store/envelope.ts';
import type { DocumentKind, DocumentOf, EventDocument } from '../documents.ts';
import { type ReadModel, ReadModelUnavailable } from '../read-model.ts';
import { listTerms } from '../term-queries.ts';
import { applyBatch } from './apply.ts';
import { kindCode } from './codes.ts';
import { type Connection, connect, setAside } from './connection.ts';
import { readForList, readWhole } from './document-rows.ts';
import { listEvents, nextEdge } from './event-queries.ts';
import { isDamage, readModelFailure } from './failures.ts';
import { listLinkedPosts, registerFieldSearch } from './linked-post-queries.ts';
import { emptyViews, prepareSchema } from './schema.ts';
import { termCache } from './term-cache.ts';

export interface SqliteReadModelOptions {
  /** Path, or `:memory:`. Missing folders are made. */
  readonly file: string;
  /** Stands for the code and settings that documents are made with: with another one, the model starts empty. */
  readonly fingerprint: string;
}

/** Opens the file; one that is damaged is set aside as `<file>.damaged`. */
function openConnection({ file, fingerprint }: SqliteReadModelOptions): Connection {
  const connection = connect(file);
  try {
    prepareSchema(connection, file, fingerprint);
    registerFieldSearch(connection);
    return connection;
  } catch (error) {
    connection.db.close();
    if (file === ':memory:' || !isDamage(error)) throw error;
    setAside(file);
    return openConnection({ file, fingerprint });
  }
}

function openOrExplain(options: SqliteReadModelOptions): Connection {
  try {
    return openConnection(options);
  } catch (error) {
    throw readModelFailure(options.file, error);
  }
}

function findOne({ column }: Connection, kind: DocumentKind, slug: string): number | null {
  const wanted = kind === 'user' ? slug.toLowerCase() : slug;
  const id = column('SELECT min(id) FROM name WHERE kind = ? AND name = ?').get(kindCode(kind), wanted);
  return id == null ? null : Number(id);
}

function linksOf(connection: Connection, id: number): EventDocument | null {
  const document = readForList(connection, { kind: 'event', id });
  return document?.kind === 'event' ? document : null;
}

const MEMBER_OF_KIND = { category: 'categories', tag: 'tags', venue: 'venues', organizer: 'organizers' } as const;

/** Opens the read model. Throws `ReadModelUnavailable` when the file cannot be used. */
export function openSqliteReadModel(options: SqliteReadModelOptions): ReadModel {
  const { file, fingerprint } = options;
  const connection = openOrExplain(options);
  const { column, db } = connection;
  const terms = termCache(connection);

  const explained = async <Answer>(work: () => Answer): Promise<Answer> => {
    if (!db.open) throw new ReadModelUnavailable(`The read model ${file} is closed: the service is shutting down.`);
    try {
      return work();
    } catch (error) {
      throw readModelFailure(file, error);
    }
  };
  /** Everything that one answer reads is of one moment, whatever other processes write meanwhile. */
  const inOneMoment = <Answer>(work: () => Answer): Promise<Answer> => explained(() => db.transaction(work)());

  return {
    checkpoint: () => explained(() => String(column('SELECT checkpoint FROM meta').get()) as Position),
    version: () => explained(() => String(column("SELECT epoch || ' ' || changes FROM meta").get())),
    apply: (batch) => explained(() => applyBatch(connection, fingerprint, batch)),
    fetch: (keys) => inOneMoment(() => keys.map((key) => readWhole(connection, key))),
    findBySlug: <Kind extends DocumentKind>(kind: Kind, slug: string) =>
      inOneMoment(() => {
        const id = findOne(connection, kind, slug);
        // The row of a kind holds a document of that kind.
        return id === null ? null : (readWhole(connection, { kind, id }) as DocumentOf<Kind> | null);
      }),
    listEvents: (query) => inOneMoment(() => listEvents(connection, query)),
    listLinkedPosts: (query) =>
      inOneMoment(() =>
        listLinkedPosts(connection, query, (id, kind) => linksOf(connection, id)?.[MEMBER_OF_KIND[kind]] ?? []),
      ),
    listTerms: (query) =>
      inOneMoment(() =>
        listTerms(terms(), query, ({ id }, kind) => linksOf(connection, id)?.[MEMBER_OF_KIND[kind]] ?? []),
      ),
    terms: () => inOneMoment(terms),
    nextEdge: (now) => inOneMoment(() => nextEdge(connection, now)),
    clear: () => explained(() => db.transaction(() => emptyViews(connection)).immediate()),
    close: async () => {
      db.close();
    },
  };
}
