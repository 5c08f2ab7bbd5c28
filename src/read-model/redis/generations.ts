// Generations beside each other in one Redis. A generation being built is recorded as such until it is in use, so that
// the next process after a crash knows what to drop. The switch is one script on the generation in use; pointers are
// moved afterwards, and any process that finds them outdated moves them.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Position } from '../../log/envelope.ts';
import type { Document, DocumentKey } from '../documents.ts';
import {
  type Beside,
  type Build,
  type Claim,
  type Generation,
  type Generations,
  RebuildUnderWay,
} from '../generations.ts';
import { ReadModelUnavailable } from '../read-model.ts';
import { connectWriter } from './connections.ts';
import { shownAddress } from './failures.ts';
import { dropGeneration, newestGeneration, pointTo } from './generation.ts';
import { documentName, generationKeys, generationOf, type Keys, keyNamed, nameEntries } from './keys.ts';
import { takeRebuildLease } from './leases.ts';
import { openRedisReadModel, type RedisReadModelOptions } from './open.ts';
import type { Writer } from './writer.ts';

export interface RedisGenerationsOptions extends Omit<RedisReadModelOptions, 'generation'> {
  /** How long the right to rebuild stays taken after a crash, in milliseconds. */
  readonly claimExpiresMs?: number;
}

const WRITE_DEADLINE_MS = 30_000;
const CLAIM_EXPIRES_MS = 10_000;
const DEFAULT_NAME = 'daybook';

/** Opens a connection. Rejects with `ReadModelUnavailable`. */
export async function openRedisGenerations(options: RedisGenerationsOptions): Promise<Generations> {
  const { url, fingerprint, name = DEFAULT_NAME, claimExpiresMs = CLAIM_EXPIRES_MS } = options;
  const address = shownAddress(url);
  const first = generationOf(fingerprint);
  const writer = await connectWriter({ url, deadlineMs: options.writeDeadlineMs ?? WRITE_DEADLINE_MS });

  async function generation(generationName: string): Promise<Generation> {
    const model = await openRedisReadModel({ ...options, generation: generationName });
    const { base } = generationKeys(name, generationName);
    return {
      name: generationName,
      // Fills and comparisons read everything once: caching would be useless.
      model: { ...model, ...model.forProjector },
      storage: model.storage,
      keys: () => documentKeys(writer, `${base}:x`),
      beside: (documents) => besideOf(writer, generationKeys(name, generationName), documents),
      close: () => model.close(),
    };
  }

  /** The newest one of this fingerprint, unless other code has taken over. */
  async function inUse(): Promise<string | null> {
    const newest = await newestGeneration(writer, name, first);
    const { meta } = generationKeys(name, newest);
    const [owner, retired] = await writer.with(meta, (redis) => redis.hmget(meta, 'fingerprint', 'retired'));
    return owner === fingerprint && retired === null ? newest : null;
  }

  async function promote(built: string, checkpoint: Position): Promise<'live' | 'behind'> {
    const current = await newestGeneration(writer, name, first);
    const { base } = generationKeys(name, current);
    const outcome = await writer.with(base, (redis) => redis.replaceGeneration(base, built, checkpoint));
    if (outcome === 'behind') return 'behind';
    // Retired or gone: nothing is written there, so the new generation misses nothing.
    await pointTo(writer, name, { first, from: current, to: built });
    return 'live';
  }

  async function begin(assertHeld: () => Promise<void>): Promise<Build> {
    const built = `${first}.${randomBytes(4).toString('hex')}`;
    await assertHeld();
    await writer.with(`${name}:builds`, (redis) => redis.sadd(`${name}:builds`, built));
    const building = await generation(built);
    return {
      ...building,
      async promote() {
        const checkpoint = await building.model.checkpoint();
        await assertHeld();
        return promote(built, checkpoint);
      },
      async discard() {
        await building.close();
        await dropGeneration(writer, name, built);
      },
    };
  }

  /** Those in use, and the last one of other code or settings. */
  async function needed(): Promise<ReadonlySet<string>> {
    const newest = await newestGeneration(writer, name, first);
    const live = await writer.with(`${name}:live`, (redis) => redis.get(`${name}:live`));
    const newestOfAll = await writer.with(`${name}:newest`, (redis) => redis.hvals(`${name}:newest`));
    return new Set([newest, ...(live === null ? [] : [live]), ...newestOfAll]);
  }

  async function cleanUp(): Promise<number> {
    const inUse = await needed();
    const builds = await writer.with(`${name}:builds`, (redis) => redis.smembers(`${name}:builds`));
    const replaced = await replacedGenerations(writer, name);
    const left = [...new Set([...builds, ...replaced])].filter((one) => !inUse.has(one));
    for (const one of left) await dropGeneration(writer, name, one);
    return left.length;
  }

  return {
    async live() {
      const name = await inUse();
      return name === null ? null : generation(name);
    },
    async claim(): Promise<Claim> {
      const options = { key: `${name}:rebuild`, holder: randomUUID(), expiresMs: claimExpiresMs };
      const lease = await takeRebuildLease(writer, options);
      if (lease === null) throw new RebuildUnderWay(address);
      const assertHeld = async (): Promise<void> => {
        if (await lease.hold()) return;
        throw new ReadModelUnavailable(
          `The read model ${address} was out of reach for so long that another process may rebuild it: start again.`,
        );
      };
      return { begin: () => begin(assertHeld), cleanUp, release: () => lease.release() };
    },
    close: async () => writer.close(),
  };
}

/** Generations that have been replaced, or whose deletion was interrupted. */
async function replacedGenerations(writer: Writer, name: string): Promise<string[]> {
  const all = await writer.with(`${name}:generations`, (redis) => redis.smembers(`${name}:generations`));
  const names: string[] = [];
  for (const one of all) {
    const { meta } = generationKeys(name, one);
    const marks = await writer.with(meta, (redis) => redis.hmget(meta, 'successor', 'dropped'));
    if (marks.some((mark) => mark !== null)) names.push(one);
  }
  return names;
}

const moved = () =>
  new ReadModelUnavailable('The views went to another node of the cluster while they were gone through: start again.');

async function besideOf(writer: Writer, keys: Keys, documents: readonly Document[]): Promise<readonly Beside[]> {
  if (documents.length === 0) return [];
  const entries = documents.map(nameEntries);
  const all = entries.flat();
  const [rows, scores] = await writer.with(keys.base, (redis) =>
    Promise.all([
      redis.hmgetBuffer(keys.rows, ...documents.map(documentName)),
      all.length === 0 ? [] : redis.zmscore(keys.names, ...all),
    ]),
  );
  let from = 0;
  return entries.map((names, index) => {
    const nameScores = scores.slice(from, from + names.length);
    from += names.length;
    return { row: rows[index] ?? null, hasNames: nameScores.every((score) => score !== null) };
  });
}

async function* documentKeys(writer: Writer, records: string): AsyncIterable<readonly DocumentKey[]> {
  let server: Redis | null = null;
  let cursor = '0';
  do {
    const [next, names] = await writer.with(records, async (redis) => {
      // A cursor is meaningless at another server.
      if (cursor !== '0' && redis !== server) throw moved();
      server = redis;
      return redis.hscan(records, cursor, 'COUNT', 500);
    });
    const keys = names.map((name, at) => (at % 2 === 0 ? keyNamed(name) : null));
    yield keys.filter((key) => key !== null);
    cursor = next;
  } while (cursor !== '0');
}
