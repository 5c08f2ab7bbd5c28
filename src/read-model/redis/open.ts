// The read model in Redis 7 or later, or Valkey: for several processes. What is where: keys.ts. What may be relied on
// when answers come from memory: tracked-cache.ts.
import type { Position } from '../../event-store/envelope.ts';
import type { DocumentKey, DocumentKind, DocumentOf, EventDocument } from '../documents.ts';
import type { Lease } from '../lease.ts';
import type { TermQuery } from '../queries.ts';
import { type ReadModel, ReadModelUnavailable } from '../read-model.ts';
import { listTerms } from '../term-queries.ts';
import { applyBatch } from './apply.ts';
import { bodies, documents, documentsIn } from './documents.ts';
import { listEvents, nextEdge } from './event-queries.ts';
import { shownAddress } from './failures.ts';
import { enterGeneration } from './generation.ts';
import { namedId, namePrefix } from './index-entries.ts';
import { generationOf, type Keys } from './keys.ts';
import { redisLease } from './lease.ts';
import { listLinkedPosts } from './linked-post-queries.ts';
import { openReader, type Reader } from './reader.ts';
import { checkServer } from './server-check.ts';
import { sharedInTurn } from './shared-in-turn.ts';
import { termCache } from './term-queries.ts';
import { openWriter, type Writer } from './writer.ts';

export interface RedisReadModelOptions {
  /** `redis://` or, encrypted, `rediss://`: user, password, host, port, database. */
  readonly url: string;
  /** Stands for the code and settings that documents are made with: with another one, another generation is begun. */
  readonly fingerprint: string;
  /** A generation to be built beside the one in use; absent: the one in use, which this process may turn. */
  readonly generation?: string;
  /** Begins the names of all keys. */
  readonly name?: string;
  /** How long a question may take, in milliseconds. */
  readonly readDeadlineMs?: number;
  /** How long a batch may take, in milliseconds. */
  readonly writeDeadlineMs?: number;
  /** How much of documents is kept in the memory of the process, in bytes, about. */
  readonly cacheBytes?: number;
}

export interface RedisReadModel extends ReadModel {
  /** The same for the projector, which never reads from memory and does not fill it with what it rebuilds. */
  readonly forProjector: ReadModel;
  /** The lease of those who fill this generation or its successors; `holder` tells this process from all others. */
  lease(holder: string, expiresMs: number): Lease;
  /** Values that were found in memory, and that were not, since the start. */
  cacheCounts(): { readonly hits: number; readonly misses: number };
}

const DEFAULTS = { name: 'daybook', readDeadlineMs: 2_000, writeDeadlineMs: 30_000, cacheBytes: 64 * 2 ** 20 } as const;

const MEMBER_OF_KIND = { category: 'categories', tag: 'tags' } as const;

/** Opens the read model. Rejects with `ReadModelUnavailable`, saying what to do, when Redis cannot be used. */
export async function openRedisReadModel(options: RedisReadModelOptions): Promise<RedisReadModel> {
  const { url, name, readDeadlineMs, writeDeadlineMs, cacheBytes } = { ...DEFAULTS, ...options };
  const { fingerprint, generation } = options;
  const address = shownAddress(url);
  const reader = await openReader({ url, deadlineMs: readDeadlineMs, cacheBytes });
  let writer: Writer | null = null;
  try {
    await checkServer(reader, address);
    writer = await openWriter({ url, deadlineMs: writeDeadlineMs });
    const enter = enterer(writer, { name, fingerprint, generation, address });
    const model = readModelOver(reader, writer, await enter(), enter, address);
    const key = `${name}:lease:${generationOf(fingerprint)}`;
    const leaseOver = writer;
    return { ...model, lease: (holder, expiresMs) => redisLease(leaseOver, { key, holder, expiresMs }) };
  } catch (error) {
    reader.close();
    writer?.close();
    throw error;
  }
}

/** Enters the generation; several that find it gone at the same time enter it once. */
function enterer(writer: Writer, options: Parameters<typeof enterGeneration>[1]): () => Promise<Keys> {
  let underWay: Promise<Keys> | null = null;
  return () => {
    underWay ??= enterGeneration(writer, options).finally(() => {
      underWay = null;
    });
    return underWay;
  };
}

function readModelOver(
  reader: Reader,
  writer: Writer,
  keys: Keys,
  enter: () => Promise<Keys>,
  address: string,
): Omit<RedisReadModel, 'lease'> {
  const terms = termCache(reader, keys);

  /** Asks again after beginning anew, should Redis have lost its data: the model is empty then, as the log will fill it. */
  const unlessLost = async <Found>(ask: () => Promise<Found | null>): Promise<Found> => {
    const found = (await ask()) ?? (await enter().then(ask));
    if (found === null) throw new ReadModelUnavailable(`The read model ${address} loses what is written to it.`);
    return found;
  };
  const retired = () =>
    new ReadModelUnavailable(
      `The read model ${address} is being filled by another version of the service or with other settings: stop one of the two.`,
    );

  const version = sharedInTurn(() => unlessLost(() => reader.send('GET', keys.version) as Promise<string | null>));

  async function findBySlug<Kind extends DocumentKind>(kind: Kind, slug: string): Promise<DocumentOf<Kind> | null> {
    const prefix = namePrefix(kind, kind === 'user' ? slug.toLowerCase() : slug);
    // Bytes compare as numbers: all entries of a name lie between its prefix and its prefix with a colon after digits.
    const range = ['ZRANGEBYLEX', keys.names, `[${prefix}`, `(${prefix}:`, 'LIMIT', '0', '1'];
    const [entry] = (await reader.send(...range)) as string[];
    if (entry === undefined) return null;
    const [found = null] = await documents(reader, keys, [{ kind, id: namedId(entry) }]);
    // The key of a kind holds a document of that kind.
    return found as DocumentOf<Kind> | null;
  }

  async function listTermPage(query: TermQuery) {
    const { event } = query;
    const [all, [found]] = await Promise.all([
      terms(),
      event === undefined ? [] : bodies<EventDocument>(reader, keys, 'event', [event]),
    ]);
    return listTerms(all, query, (_, kind) => found?.[MEMBER_OF_KIND[kind]] ?? []);
  }

  const shared = {
    async apply(batch: Parameters<ReadModel['apply']>[0]): Promise<'applied' | 'stale'> {
      const outcome = await applyBatch(writer, reader.cache, keys, batch);
      if (outcome === 'retired') throw retired();
      if (outcome === 'missing') await enter();
      return outcome === 'applied' ? 'applied' : 'stale';
    },
    async clear() {
      const outcome = await writer.with((redis) => redis.daybookEmpty(keys.base, 'clear'));
      reader.cache.invalidate(null);
      if (outcome === 'retired') throw retired();
      if (outcome === 'missing') await enter();
    },
    version,
    findBySlug,
    listEvents: (query: Parameters<ReadModel['listEvents']>[0]) => listEvents(reader, keys, query),
    listLinkedPosts: (query: Parameters<ReadModel['listLinkedPosts']>[0]) => listLinkedPosts(reader, keys, query),
    listTerms: listTermPage,
    terms,
    nextEdge: (now: number) => nextEdge(reader, keys, now),
    async close() {
      reader.close();
      writer.close();
    },
  };

  async function fetchFresh(wanted: readonly DocumentKey[]) {
    if (wanted.length === 0) return [];
    const pairs = wanted.flatMap((key) => [keys.body(key), keys.state(key)]);
    return documentsIn(await writer.with((redis) => redis.mget(pairs)));
  }

  return {
    ...shared,
    // Over the connection whose invalidations empty the memory, so that what follows is never older than this.
    checkpoint: () => unlessLost(() => reader.send('HGET', keys.meta, 'checkpoint') as Promise<Position | null>),
    fetch: (wanted) => documents(reader, keys, wanted),
    cacheCounts: () => ({ hits: reader.cache.hits, misses: reader.cache.misses }),
    forProjector: {
      ...shared,
      checkpoint: () => unlessLost(() => writer.with((redis) => redis.hget(keys.meta, 'checkpoint'))),
      fetch: fetchFresh,
    },
  };
}
