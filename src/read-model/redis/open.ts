// The storage of the read model in Redis 7 or later, or Valkey: for several processes. Key layout: keys.ts. Guarantees of
// cached answers: tracked-cache.ts.

import { randomUUID } from 'node:crypto';
import { singleFlight } from '../../kernel/event-loop/shared-work.ts';
import { shareOf } from '../../kernel/memory/limit.ts';
import { ReadModelDamaged } from '../damage.ts';
import type { Document, DocumentKey } from '../documents.ts';
import type { Lease } from '../generations.ts';
import { type IndexedModel, openIndexedModel } from '../indexed-model.ts';
import { type Batch, type Guard, ReadModelUnavailable, UNGUARDED } from '../read-model.ts';
import type {
  NamedIds,
  NameQuery,
  ReadModelStorage,
  RowPortion,
  Stored,
  StoredRow,
  StoredVersion,
} from '../storage.ts';
import { applyBatch } from './batch-payload.ts';
import { isClusterAddress } from './cluster-address.ts';
import { connectReader, connectWriter } from './connections.ts';
import { bodies, documents, documentsIn } from './documents.ts';
import { shownAddress } from './failures.ts';
import { enterGeneration } from './generation.ts';
import { followInUse, isInUse, type Reading, stateIn } from './in-use.ts';
import { documentName, generationKeys, generationOf, type Keys, keyNamed, namedId, nameRange } from './keys.ts';
import { redisLease } from './leases.ts';
import type { Reader } from './reader.ts';
import { checkServer } from './server.ts';
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

export interface RedisReadModel extends IndexedModel {
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
/** Bytes of all documents cached in the process, approximately. */
const MAX_CACHED_BYTES = shareOf(256 * 2 ** 20, 1 / 8);

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
  const cache = new TrackedCache(MAX_CACHED_BYTES);
  const reader = await connectReader({ url, deadlineMs: READ_DEADLINE_MS, cache });
  let writer: Writer | null = null;
  try {
    writer = await connectWriter({ url, deadlineMs: writeDeadlineMs });
    const enter = sharedEntering(writer, { name, fingerprint, generation, address });
    const storage = storageOver(reader, writer, await enter(), enter, { name, address, guard });
    const leaseOver = writer;
    return {
      ...openIndexedModel(storage, guard),
      cacheCounts: () => ({ hits: cache.hits, misses: cache.misses }),
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
  const entering = singleFlight<Keys, null>();
  return () => entering(null, () => enterGeneration(writer, options));
}

const versionNow = (reader: Reader, { version }: Keys) => reader.send('GET', version) as Promise<string | null>;

/** Reads with several commands, of which nothing came in between; again if something did. */
async function inOneState<Value>(
  reader: Reader,
  keys: Keys,
  ask: () => Promise<Value>,
): Promise<{ readonly version: string | null; readonly value: Value }> {
  for (;;) {
    // Sent at once, so they seldom differ.
    const [before, value, after] = await Promise.all([versionNow(reader, keys), ask(), versionNow(reader, keys)]);
    if (before === after) return { version: after, value };
  }
}

/** How many records, rows and names the last batch left; a server that evicts keys, or has lost one, has others. */
const SIZES = 'sizes';
type Sizes = readonly [records: number, rows: number, names: number];

async function checkSizes(reader: Reader, keys: Keys, key: 'records' | 'rows' | 'names'): Promise<void> {
  const [at, count] = { records: [0, 'HLEN'], rows: [1, 'HLEN'], names: [2, 'ZCARD'] }[key] as [0 | 1 | 2, string];
  const { value } = await inOneState(reader, keys, () =>
    Promise.all([reader.send('HGET', keys.meta, SIZES), reader.send(count, keys[key])]),
  );
  const sizes = String(value[0] ?? '0 0 0')
    .split(' ')
    .map(Number) as unknown as Sizes; // As the script wrote them.
  if (sizes[at] !== value[1]) throw new ReadModelDamaged(keys[key]);
}

/** A document that is not there, although it is recorded, has been lost. */
async function checkMissing(
  reader: Reader,
  keys: Keys,
  documentKeys: readonly DocumentKey[],
  result: readonly (Document | null)[],
): Promise<void> {
  const missing = documentKeys.filter((_, at) => result[at] === null).map(documentName);
  if (missing.length === 0) return;
  await checkSizes(reader, keys, 'records');
  const { value } = await inOneState(reader, keys, async () => {
    const [recorded, halves] = await Promise.all([
      reader.send('HMGET', keys.records, ...missing) as Promise<(string | null)[]>,
      reader.send('MGET', ...missing.map((name) => `${keys.base}:b:${name}`)) as Promise<(string | null)[]>,
    ]);
    return missing.filter((_, at) => recorded[at] !== null && halves[at] === null);
  });
  if (value.length > 0) throw new ReadModelDamaged(`${keys.base}:b:${value[0]}`);
}

async function namedIds(reader: Reader, keys: Keys, query: NameQuery): Promise<Reading<NamedIds>> {
  const { kind, name, direction, below, offset, limit } = query;
  const [from, to] = nameRange(kind, name);
  const [, end] = nameRange(kind, name, below);
  const range =
    direction === 'ascending' ? ['ZRANGEBYLEX', keys.names, from, end] : ['ZREVRANGEBYLEX', keys.names, end, from];
  const part = ['LIMIT', String(offset), limit === Number.POSITIVE_INFINITY ? '-1' : String(limit)];
  const { version, value } = await inOneState(reader, keys, () =>
    Promise.all([
      limit === 0 ? [] : (reader.send(...range, ...part) as Promise<string[]>),
      reader.send('ZLEXCOUNT', keys.names, from, to),
    ]),
  );
  const [entries, total] = value;
  return {
    version,
    async take() {
      if (total === 0) await checkSizes(reader, keys, 'names');
      return { ids: entries.map(namedId), total: Number(total) };
    },
  };
}

/** Rows that are read at once. */
const ROWS_AT_ONCE = '500';

async function rowPortion(reader: Reader, keys: Keys, from: string | null): Promise<Reading<RowPortion>> {
  const command = ['HSCAN', keys.rows, from ?? '0', 'COUNT', ROWS_AT_ONCE];
  const [version, reply] = await Promise.all([
    versionNow(reader, keys),
    reader.sendForBytes(...command) as Promise<[Buffer, Buffer[]]>,
  ]);
  const [cursor, fields] = reply;
  const next = String(cursor);
  return {
    version,
    async take() {
      if (from === null) await checkSizes(reader, keys, 'rows');
      const rows = fields.flatMap((field, at): StoredRow[] => {
        const [key, row] = at % 2 === 0 ? [keyNamed(String(field)), fields[at + 1]] : [];
        return key && row ? [{ key, row }] : [];
      });
      return { rows, next: next === '0' ? null : next };
    },
  };
}

type Change = readonly [id: string, fields: readonly string[]];

/** Null: it is not known of each batch since then, or not to be read. */
async function changedRows(reader: Reader, keys: Keys, since: StoredVersion): Promise<Reading<StoredRow[] | null>> {
  for (;;) {
    const changes = (await reader.send('XRANGE', keys.changes, `${since.batch + 1}-0`, '+')) as Change[];
    const batches = new Set(changes.map(([id]) => id.slice(0, id.indexOf('-'))));
    const named = new Set(changes.flatMap(([, [, names = '']]) => names.split(' ')));
    named.delete('');
    const changed = [...named].flatMap((name) => {
      const key = keyNamed(name);
      return key ? [{ name, key }] : [];
    });
    const { version, value } = await inOneState(reader, keys, () =>
      changed.length === 0
        ? Promise.resolve([])
        : (reader.sendForBytes('HMGET', keys.rows, ...changed.map(({ name }) => name)) as Promise<(Buffer | null)[]>),
    );
    const missing = isInUse(version) ? Number(version.split(' ')[1]) - since.batch - batches.size : 0;
    // Another batch has come since the changes were read.
    if (missing > 0 && changes.length > 0 && (await isNoted(reader, keys, since.batch + 1))) continue;
    const rows = changed.map(({ key }, at) => ({ key, row: value[at] ?? null }));
    return { version, take: () => (missing === 0 && changed.length === named.size ? rows : null) };
  }
}

async function isNoted(reader: Reader, keys: Keys, batch: number): Promise<boolean> {
  const entries = (await reader.send('XRANGE', keys.changes, `${batch}-0`, `${batch}`, 'COUNT', '1')) as Change[];
  return entries.length > 0;
}

function storageOver(
  reader: Reader,
  writer: Writer,
  entered: Keys,
  enter: () => Promise<Keys>,
  { name, address, guard }: { readonly name: string; readonly address: string; readonly guard: Guard },
): ReadModelStorage {
  const { cache } = reader;
  const lost = () => new ReadModelUnavailable(`The read model ${address} loses what is written to it.`);
  /** The generation to read. */
  const inUse = followInUse({ name, address, guard, cache, entered, enter });
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

  /** Finds out where to write after a generation was replaced or is gone. Throws if other code has taken over. */
  async function writeElsewhere(): Promise<void> {
    const { meta, version } = written;
    const [retired, successor] = await writer.with(meta, (redis) => redis.hmget(meta, 'retired', 'successor'));
    if (retired != null && successor == null) throw takenOver();
    // A read after a following write must not wait for the server to say so.
    cache.invalidate(version);
    const previous = written;
    written = successor == null ? await enter() : generationKeys(name, successor);
    inUse.turnTo(written, successor == null ? null : previous);
  }

  const isRefusal = (outcome: string): boolean => outcome === 'retired' || outcome === 'missing';

  async function apply(batch: Batch): Promise<'applied' | 'stale'> {
    const isOutdated = hasMoved;
    hasMoved = false;
    if (isOutdated) return 'stale';
    const outcome = await applyBatch(writer, cache, written, batch);
    if (isRefusal(outcome)) await writeElsewhere();
    return outcome === 'applied' ? 'applied' : 'stale';
  }

  async function empty(): Promise<void> {
    const outcome = await writer.with(written.base, (redis) => redis.emptyGeneration(written.base, randomUUID()));
    cache.invalidate(null);
    // The caller meant another one.
    if (isRefusal(outcome)) await writeElsewhere();
  }

  async function distrust(): Promise<void> {
    const { base, version } = inUse.keys();
    await writer.with(base, (redis) => redis.distrustGeneration(base, randomUUID()));
    cache.invalidate(version);
  }

  /**
   * A server may begin to throw keys away while it is used; those that it has thrown away are noticed like all that are lost. Nodes
   * of a cluster are looked at when they are connected to.
   */
  async function assertKeeping(): Promise<void> {
    if (!isClusterAddress(address)) checkServer(String(await reader.send('INFO', 'memory')), address);
  }

  /**
   * Documents as the next batch must be made from them. Those of a deleted generation would seem never to have existed:
   * anything made from them is `stale`.
   */
  async function forFold(documentKeys: readonly DocumentKey[]): Promise<Stored<(Document | null)[]>> {
    const keys = written;
    const { version, body, rest } = keys;
    const pairs = documentKeys.flatMap((key) => [body(key), rest(key)]);
    const [now = null, ...texts] = await writer.with(version, (redis) => redis.mget([version, ...pairs]));
    if (isInUse(now)) return { at: stateIn(keys.base, now), value: documentsIn(keys, documentKeys, texts) };
    await writeElsewhere();
    hasMoved = true;
    return forFold(documentKeys);
  }

  const version = sharedInTurn(() =>
    inUse.read(async (keys) => ({ version: await versionNow(reader, keys), take: () => null })),
  );

  return {
    address,
    async progress() {
      await assertKeeping();
      const { at, value } = await inUse.read(async (keys) => {
        const state = await inOneState(
          reader,
          keys,
          () => reader.send('HMGET', keys.meta, 'checkpoint', 'mark') as Promise<(string | null)[]>,
        );
        return { version: state.version, take: () => state.value };
      });
      const [checkpoint = null, mark] = value;
      if (checkpoint === null) throw lost();
      return { checkpoint, mark: mark ?? '', life: at.life };
    },
    version: async () => (await version()).at,
    apply,
    async fetch(documentKeys, purpose) {
      if (purpose === 'fold') return forFold(documentKeys);
      return inUse.read(async (keys) => {
        const state = await (purpose === 'list' ? bodies : documents)(reader, keys, documentKeys);
        return {
          version: state.version,
          async take() {
            const result = await state.take();
            await checkMissing(reader, keys, documentKeys, result);
            return result;
          },
        };
      });
    },
    names: (query) => inUse.read((keys) => namedIds(reader, keys, query)),
    rows: (from) => inUse.read((keys) => rowPortion(reader, keys, from)),
    async changesSince(since) {
      const { at, value } = await inUse.read((keys) => changedRows(reader, keys, since));
      return value === null || at.life !== since.life ? null : { at, value };
    },
    clear: (how) => (how === 'empty' ? empty() : distrust()),
    async close() {
      reader.close();
      writer.close();
    },
  };
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
