// The read model in Redis 7 or later, or Valkey: for several processes. Key layout: keys.ts. Guarantees of cached
// answers: tracked-cache.ts.
import { randomUUID } from 'node:crypto';
import type { Position } from '../../event-store/envelope.ts';
import type { Document, DocumentKey, DocumentKind, DocumentOf, EventDocument } from '../documents.ts';
import type { Lease } from '../generations.ts';
import type { NewestQuery, TermQuery } from '../queries.ts';
import { type Guard, type NamedPart, type ReadModel, ReadModelUnavailable, UNGUARDED } from '../read-model.ts';
import { listTerms } from '../term-queries.ts';
import { applyBatch } from './batch-payload.ts';
import { connectReader, connectWriter } from './connections.ts';
import { bodies, documents, documentsIn } from './documents.ts';
import {
  findEvents,
  listEvents,
  listLinkedPosts,
  newestEvents,
  nextEdge,
  nextScheduled,
  scheduledUntil,
} from './event-queries.ts';
import { shownAddress } from './failures.ts';
import { enterGeneration } from './generation.ts';
import { followInUse, type Views } from './in-use.ts';
import { namedId, nameEntry, namePrefix } from './index-entries.ts';
import { generationKeys, generationOf, isInUse, type Keys, letterOf } from './keys.ts';
import { redisLease } from './leases.ts';
import type { Reader } from './reader.ts';
import { TrackedCache } from './tracked-cache.ts';
import type { Writer } from './writer.ts';

export interface RedisReadModelOptions {
  /**
   * `redis://` or, encrypted, `rediss://`: user, password, host, port, database. `redis+cluster://` or
   * `rediss+cluster://`: user, password, hosts and ports of some nodes of a cluster, separated by commas.
   */
  readonly url: string;
  /** Identifies the code and settings that documents are built with: another one creates another generation. */
  readonly fingerprint: string;
  /** A generation to build beside the one in use; absent: the one in use, which this process may change. */
  readonly generation?: string;
  /** For reads; absent: all are admitted. */
  readonly guard?: Guard;
  /** Prefix of all keys. */
  readonly name?: string;
  /** Time-out of a batch, in milliseconds. */
  readonly writeDeadlineMs?: number;
}

export interface RedisReadModel extends ReadModel {
  /** The same for the projector, which neither reads from the cache nor fills it. */
  readonly forProjector: ReadModel;
  /**
   * The lease of processes that fill this generation or its successors, or have another duty; `holder` identifies this
   * process.
   */
  lease(holder: string, expiresMs: number, duty?: 'webhooks'): Lease;
  /** Cache hits and misses since the start. */
  cacheCounts(): { readonly hits: number; readonly misses: number };
}

/** Time-out of a query, in milliseconds. */
const READ_DEADLINE_MS = 2_000;
/** Of all documents cached in the process, approximately. */
const MAX_CACHED_BYTES = 256 * 2 ** 20;

const DEFAULTS = {
  name: 'daybook',
  writeDeadlineMs: 30_000,
  guard: UNGUARDED,
} as const;

/** Opens the read model. Rejects with `ReadModelUnavailable`, saying what to do, if Redis cannot be used. */
export async function openRedisReadModel(options: RedisReadModelOptions): Promise<RedisReadModel> {
  const { url, name, guard, writeDeadlineMs } = { ...DEFAULTS, ...options };
  const { fingerprint, generation } = options;
  const address = shownAddress(url);
  const reader = await connectReader({ url, deadlineMs: READ_DEADLINE_MS, cache: new TrackedCache(MAX_CACHED_BYTES) });
  let writer: Writer | null = null;
  try {
    writer = await connectWriter({ url, deadlineMs: writeDeadlineMs });
    const enter = sharedEntering(writer, { name, fingerprint, generation, address });
    const model = readModelOver(reader, writer, await enter(), enter, { name, address, guard });
    const leaseOver = writer;
    return {
      ...model,
      lease: (holder, expiresMs, duty) =>
        redisLease(leaseOver, { key: `${name}:lease:${duty ?? generationOf(fingerprint)}`, holder, expiresMs }),
    };
  } catch (error) {
    reader.close();
    writer?.close();
    throw error;
  }
}

/** Opens the generation; concurrent callers that find it gone share one attempt. */
function sharedEntering(writer: Writer, options: Parameters<typeof enterGeneration>[1]): () => Promise<Keys> {
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
  entered: Keys,
  enter: () => Promise<Keys>,
  { name, address, guard }: { readonly name: string; readonly address: string; readonly guard: Guard },
): Omit<RedisReadModel, 'lease'> {
  const lost = () => new ReadModelUnavailable(`The read model ${address} loses what is written to it.`);

  /** The generation to read. */
  const read = followInUse(reader, { name, address, guard, entered, enter });
  const { guarded } = read;
  /**
   * The generation to write. When it refuses a batch this changes, and the batch is `stale`: no batch is made from one
   * generation and applied to another.
   */
  let written = entered;
  /** It has changed since the last batch, so the next one may be made from earlier data. */
  let hasMoved = false;
  const takenOver = () =>
    new ReadModelUnavailable(
      `The read model ${address} is being filled by another version of the service or with other settings: stop one of the two.`,
    );

  const version = sharedInTurn(() => guarded(({ keys }) => reader.send('GET', keys.version) as Promise<string>));

  async function findBySlug<Kind extends DocumentKind>(kind: Kind, slug: string, keys: Keys) {
    const range = entriesOf(kind, kind === 'user' ? slug.toLowerCase() : slug);
    const [entry] = (await reader.send('ZRANGEBYLEX', keys.names, ...range, 'LIMIT', '0', '1')) as string[];
    if (entry === undefined) return null;
    const [found = null] = await documents(reader, keys, [{ kind, id: namedId(entry) }]);
    // The key of a kind holds a document of that kind.
    return found as DocumentOf<Kind> | null;
  }

  async function named(kind: DocumentKind, name: string, keys: Keys): Promise<number[]> {
    return ((await reader.send('ZRANGEBYLEX', keys.names, ...entriesOf(kind, name))) as string[]).map(namedId);
  }

  const countNamed = async (kind: DocumentKind, name: string, keys: Keys): Promise<number> =>
    Number(await reader.send('ZLEXCOUNT', keys.names, ...entriesOf(kind, name)));

  async function namedPage(kind: DocumentKind, name: string, { below, offset, limit }: NamedPart, keys: Keys) {
    const [from, to] = entriesOf(kind, name);
    const before = below === undefined ? to : `(${nameEntry(kind, name, below)}`;
    const page = ['LIMIT', String(offset), String(limit)];
    return ((await reader.send('ZREVRANGEBYLEX', keys.names, before, from, ...page)) as string[]).map(namedId);
  }

  /** Users are among the names by login and e-mail address; a name begins with a quotation mark, as JSON does. */
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

  /** Finds out where to write after a generation was replaced or is gone. Throws if other code has taken over. */
  async function writeElsewhere(): Promise<void> {
    const { meta, next } = written;
    const [retired, successor] = await writer.with(meta, (redis) => redis.hmget(meta, 'retired', 'successor'));
    if (retired != null && successor == null) throw takenOver();
    // A read after a following write must not wait for the server to say so.
    reader.cache.invalidate(next);
    const before = written;
    written = successor == null ? await enter() : generationKeys(name, successor);
    read.turnTo(written, successor == null ? null : before);
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
      const outcome = await writer.with(written.base, (redis) => redis.emptyGeneration(written.base, randomUUID()));
      reader.cache.invalidate(null);
      // The caller meant another one.
      if (isRefusal(outcome)) await writeElsewhere();
    },
    async distrust(): Promise<void> {
      const { base, next } = read.keys();
      await writer.with(base, (redis) => redis.distrustGeneration(base, randomUUID()));
      reader.cache.invalidate(next);
    },
    progress: read.progress,
    version,
    findBySlug: <Kind extends DocumentKind>(kind: Kind, slug: string) =>
      guarded(({ keys }) => findBySlug(kind, slug, keys)),
    findEvents: (query: Parameters<ReadModel['findEvents']>[0]) =>
      guarded(({ keys }) => findEvents(reader, keys, query)),
    listEvents: (query: Parameters<ReadModel['listEvents']>[0]) =>
      guarded(({ keys }) => listEvents(reader, keys, query)),
    listLinkedPosts: (query: Parameters<ReadModel['listLinkedPosts']>[0]) =>
      guarded(({ keys }) => listLinkedPosts(reader, keys, query)),
    listTerms: (query: TermQuery) => guarded((views) => listTermPage(query, views)),
    terms: () => guarded(({ terms }) => terms()),
    named: (kind: DocumentKind, name: string) => guarded(({ keys }) => named(kind, name, keys)),
    countNamed: (kind: DocumentKind, name: string) => guarded(({ keys }) => countNamed(kind, name, keys)),
    namedPage: (kind: DocumentKind, name: string, part: NamedPart) =>
      guarded(({ keys }) => namedPage(kind, name, part, keys)),
    userIds: () => guarded(({ keys }) => userIds(keys)),
    nextEdge: (now: number) => guarded(({ keys }) => nextEdge(reader, keys, now)),
    newestEvents: (query: NewestQuery) => guarded(({ keys }) => newestEvents(reader, keys, query)),
    nextScheduled: () => guarded(({ keys }) => nextScheduled(reader, keys)),
    scheduledUntil: (instant: number, limit: number) =>
      guarded(({ keys }) => scheduledUntil(reader, keys, instant, limit)),
    async close() {
      reader.close();
      writer.close();
    },
  };

  /** Documents of a deleted generation would seem never to have existed: anything made from them is `stale`. */
  async function fetchFresh(wanted: readonly DocumentKey[]): Promise<(Document | null)[]> {
    if (wanted.length === 0) return [];
    const keys = written;
    const { next, body, rest } = keys;
    const pairs = wanted.flatMap((key) => [body(key), rest(key)]);
    const [successor = null, ...texts] = await writer.with(next, (redis) => redis.mget([next, ...pairs]));
    if (isInUse(successor)) return documentsIn(keys, wanted, texts);
    await writeElsewhere();
    hasMoved = true;
    return fetchFresh(wanted);
  }

  /** Starts over if Redis has lost its data: the read model is then empty, and the log refills it. */
  async function writtenCheckpoint(): Promise<Position> {
    const look = () => writer.with(written.meta, (redis) => redis.hget(written.meta, 'checkpoint'));
    const checkpoint = (await look()) ?? (await writeElsewhere().then(look));
    if (checkpoint === null) throw lost();
    return checkpoint;
  }

  return {
    ...shared,
    // Over the connection whose invalidations empty the cache, so that later answers are never older than this.
    checkpoint: () => guarded(({ keys }) => reader.send('HGET', keys.meta, 'checkpoint') as Promise<Position>),
    fetch: (wanted) => guarded(({ keys }) => documents(reader, keys, wanted)),
    cacheCounts: read.cacheCounts,
    forProjector: { ...shared, checkpoint: writtenCheckpoint, fetch: fetchFresh },
  };
}

/** Bytes compare as numbers: all entries of a name lie between its prefix and its prefix with a colon after digits. */
function entriesOf(kind: DocumentKind, name: string): [string, string] {
  const prefix = namePrefix(kind, name);
  return [`[${prefix}`, `(${prefix}:`];
}

/**
 * Lets all callers within one turn of the event loop share one query. It is sent at the end of the turn, after the last
 * call, so each gets an answer as new as if it had asked alone.
 */
function sharedInTurn<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let gathering: Promise<Answer> | null = null;
  return () => {
    gathering ??= new Promise((resolve) => {
      setImmediate(() => {
        gathering = null;
        resolve(ask());
      });
    });
    return gathering;
  };
}
