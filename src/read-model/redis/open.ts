// The read model in Redis 7 or later, or Valkey: for several processes. What is where: keys.ts. What may be relied on
// when answers come from memory: tracked-cache.ts.
import type { Position } from '../../event-store/envelope.ts';
import type { Document, DocumentKey, DocumentKind, DocumentOf, EventDocument } from '../documents.ts';
import type { Lease } from '../lease.ts';
import type { NewestQuery, TermQuery } from '../queries.ts';
import { type ReadModel, ReadModelUnavailable } from '../read-model.ts';
import { listTerms, type Terms } from '../term-queries.ts';
import { applyBatch } from './apply.ts';
import { connectReader, connectWriter } from './connections.ts';
import { bodies, documents, documentsIn } from './documents.ts';
import { findEvents, listEvents, nextEdge } from './event-queries.ts';
import { shownAddress } from './failures.ts';
import { enterGeneration } from './generation.ts';
import { namedId, namePrefix } from './index-entries.ts';
import { generationKeys, generationOf, type Keys, letterOf } from './keys.ts';
import { redisLease } from './lease.ts';
import { listLinkedPosts } from './linked-post-queries.ts';
import { newestEvents, nextScheduled, scheduledUntil } from './publication-queries.ts';
import type { Reader } from './reader.ts';
import { sharedInTurn } from './shared-in-turn.ts';
import { termCache } from './term-queries.ts';
import { TrackedCache } from './tracked-cache.ts';
import type { Writer } from './writer.ts';

export interface RedisReadModelOptions {
  /**
   * `redis://` or, encrypted, `rediss://`: user, password, host, port, database. `redis+cluster://` or
   * `rediss+cluster://`: user, password, hosts and ports of some nodes of a cluster, separated by commas.
   */
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

const DEFAULTS = {
  name: 'daybook',
  readDeadlineMs: 2_000,
  writeDeadlineMs: 30_000,
  cacheBytes: 256 * 2 ** 20,
} as const;

/** So often a generation may have been replaced, or lost, while one question is answered. */
const MOST_ATTEMPTS = 10;

/** Opens the read model. Rejects with `ReadModelUnavailable`, saying what to do, when Redis cannot be used. */
export async function openRedisReadModel(options: RedisReadModelOptions): Promise<RedisReadModel> {
  const { url, name, readDeadlineMs, writeDeadlineMs, cacheBytes } = { ...DEFAULTS, ...options };
  const { fingerprint, generation } = options;
  const address = shownAddress(url);
  const reader = await connectReader({ url, deadlineMs: readDeadlineMs, cache: new TrackedCache(cacheBytes) });
  let writer: Writer | null = null;
  try {
    writer = await connectWriter({ url, deadlineMs: writeDeadlineMs });
    const enter = enterer(writer, { name, fingerprint, generation, address });
    const model = readModelOver(reader, writer, await enter(), enter, { name, address });
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

/** A generation, and what is kept in memory of it. */
interface Views {
  readonly keys: Keys;
  readonly terms: () => Promise<Terms>;
}

function readModelOver(
  reader: Reader,
  writer: Writer,
  entered: Keys,
  enter: () => Promise<Keys>,
  { name, address }: { readonly name: string; readonly address: string },
): Omit<RedisReadModel, 'lease'> {
  const viewsOf = (keys: Keys): Views => ({ keys, terms: termCache(reader, keys) });
  const lost = () => new ReadModelUnavailable(`The read model ${address} loses what is written to it.`);

  /** What is read. */
  let current = viewsOf(entered);
  /** What is written to. It moves when it refuses, and then the batch at hand is `stale`: none is ever made from one generation and applied to another. */
  let written = entered;
  /** It has moved since the last batch, so the next one may be made from what was there before. */
  let hasMoved = false;
  /** Looks at `next`, which are no business of those who count. */
  const looks = { hits: 0, misses: 0 };

  const turnTo = (keys: Keys): void => {
    if (keys.base !== current.keys.base) current = viewsOf(keys);
  };

  /** What has taken the place of a generation: '' while nothing has, null when it is gone. In memory, as a rule. */
  async function nextOf({ next }: Keys): Promise<{ readonly text: string | null; isTrue(): boolean }> {
    const { hits, misses } = reader.cache;
    const asked = reader.values([next]);
    looks.hits += reader.cache.hits - hits;
    looks.misses += reader.cache.misses - misses;
    const [entry = { text: null }] = await asked;
    return { text: entry.text, isTrue: () => reader.cache.keeps(next, entry) };
  }

  async function follow(from: Keys, next: string | null): Promise<void> {
    const keys = next === null ? await enter() : generationKeys(name, next);
    if (current.keys.base === from.base) turnTo(keys);
  }

  /**
   * Answers from the generation in use. An answer that has come is of a time at which `next` was still empty if it is
   * empty in memory afterwards: the server tells of a change before it answers anything that it is asked later.
   */
  async function inUse<Answer>(ask: (views: Views) => Promise<Answer>): Promise<Answer> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const views = current;
      const [answered, before] = await Promise.all([settled(ask(views)), nextOf(views.keys)]);
      const after = before.isTrue() ? before : await nextOf(views.keys);
      if (after.text === '') return answered();
      await follow(views.keys, after.text);
    }
    throw lost();
  }

  const takenOver = () =>
    new ReadModelUnavailable(
      `The read model ${address} is being filled by another version of the service or with other settings: stop one of the two.`,
    );

  const version = sharedInTurn(() => inUse(({ keys }) => reader.send('GET', keys.version) as Promise<string>));

  async function findBySlug<Kind extends DocumentKind>(kind: Kind, slug: string, keys: Keys) {
    const prefix = namePrefix(kind, kind === 'user' ? slug.toLowerCase() : slug);
    // Bytes compare as numbers: all entries of a name lie between its prefix and its prefix with a colon after digits.
    const range = ['ZRANGEBYLEX', keys.names, `[${prefix}`, `(${prefix}:`, 'LIMIT', '0', '1'];
    const [entry] = (await reader.send(...range)) as string[];
    if (entry === undefined) return null;
    const [found = null] = await documents(reader, keys, [{ kind, id: namedId(entry) }]);
    // The key of a kind holds a document of that kind.
    return found as DocumentOf<Kind> | null;
  }

  /** Users stand among the names by login and e-mail; a name begins with a quotation mark, as JSON does. */
  async function userIds(keys: Keys): Promise<number[]> {
    const prefix = letterOf('user');
    const entries = (await reader.send('ZRANGEBYLEX', keys.names, `[${prefix}"`, `(${prefix}#`)) as string[];
    return [...new Set(entries.map(namedId))].sort((one, other) => one - other);
  }

  async function listTermPage(query: TermQuery, { keys, terms }: Views) {
    const { event } = query;
    const [all, [found]] = await Promise.all([
      terms(),
      event === undefined ? [] : bodies<EventDocument>(reader, keys, 'event', [event]),
    ]);
    return listTerms(all, query, () => found ?? null);
  }

  /** Finds out where to write from now on, after a generation was found replaced or gone. Throws when other code has taken over. */
  async function writeElsewhere(): Promise<void> {
    const { meta, next } = written;
    const [retired, successor] = await writer.with(meta, (redis) => redis.hmget(meta, 'retired', 'successor'));
    if (retired != null && successor == null) throw takenOver();
    // Whoever reads after a write that follows must not wait for the server to say so.
    reader.cache.invalidate(next);
    written = successor == null ? await enter() : generationKeys(name, successor);
    turnTo(written);
  }

  const isRefusal = (outcome: string): boolean => outcome === 'retired' || outcome === 'missing';

  const shared = {
    async apply(batch: Parameters<ReadModel['apply']>[0]): Promise<'applied' | 'stale'> {
      const isOutdated = hasMoved;
      hasMoved = false;
      if (isOutdated) return 'stale';
      const outcome = await applyBatch(writer, reader.cache, written, batch);
      if (isRefusal(outcome)) await writeElsewhere();
      return outcome === 'applied' ? 'applied' : 'stale';
    },
    async clear(): Promise<void> {
      const outcome = await writer.with(written.base, (redis) => redis.daybookEmpty(written.base));
      reader.cache.invalidate(null);
      // Whoever wanted it emptied knew another one.
      if (isRefusal(outcome)) await writeElsewhere();
    },
    version,
    findBySlug: <Kind extends DocumentKind>(kind: Kind, slug: string) =>
      inUse(({ keys }) => findBySlug(kind, slug, keys)),
    findEvents: (query: Parameters<ReadModel['findEvents']>[0]) => inUse(({ keys }) => findEvents(reader, keys, query)),
    listEvents: (query: Parameters<ReadModel['listEvents']>[0]) => inUse(({ keys }) => listEvents(reader, keys, query)),
    listLinkedPosts: (query: Parameters<ReadModel['listLinkedPosts']>[0]) =>
      inUse(({ keys }) => listLinkedPosts(reader, keys, query)),
    listTerms: (query: TermQuery) => inUse((views) => listTermPage(query, views)),
    terms: () => inUse(({ terms }) => terms()),
    userIds: () => inUse(({ keys }) => userIds(keys)),
    nextEdge: (now: number) => inUse(({ keys }) => nextEdge(reader, keys, now)),
    newestEvents: (query: NewestQuery) => inUse(({ keys }) => newestEvents(reader, keys, query)),
    nextScheduled: () => inUse(({ keys }) => nextScheduled(reader, keys)),
    scheduledUntil: (instant: number, limit: number) =>
      inUse(({ keys }) => scheduledUntil(reader, keys, instant, limit)),
    async close() {
      reader.close();
      writer.close();
    },
  };

  /** Documents of a generation that is gone would seem never to have been: whatever is made from these is `stale`. */
  async function fetchFresh(wanted: readonly DocumentKey[]): Promise<(Document | null)[]> {
    if (wanted.length === 0) return [];
    const { next, body, rest } = written;
    const pairs = wanted.flatMap((key) => [body(key), rest(key)]);
    const [successor = null, ...texts] = await writer.with(next, (redis) => redis.mget([next, ...pairs]));
    if (successor === '') return documentsIn(texts);
    await writeElsewhere();
    hasMoved = true;
    return fetchFresh(wanted);
  }

  /** Begins anew, should Redis have lost its data: the model is empty then, as the log will fill it. */
  async function writtenCheckpoint(): Promise<Position> {
    const look = () => writer.with(written.meta, (redis) => redis.hget(written.meta, 'checkpoint'));
    const checkpoint = (await look()) ?? (await writeElsewhere().then(look));
    if (checkpoint === null) throw lost();
    return checkpoint;
  }

  return {
    ...shared,
    // Over the connection whose invalidations empty the memory, so that what follows is never older than this.
    checkpoint: () => inUse(({ keys }) => reader.send('HGET', keys.meta, 'checkpoint') as Promise<Position>),
    fetch: (wanted) => inUse(({ keys }) => documents(reader, keys, wanted)),
    cacheCounts: () => ({ hits: reader.cache.hits - looks.hits, misses: reader.cache.misses - looks.misses }),
    forProjector: { ...shared, checkpoint: writtenCheckpoint, fetch: fetchFresh },
  };
}

/** Waits for an answer or a failure; what comes back gives the one or throws the other. */
function settled<Answer>(work: Promise<Answer>): Promise<() => Answer> {
  return work.then(
    (answer) => () => answer,
    (error: unknown) => () => {
      throw error;
    },
  );
}
