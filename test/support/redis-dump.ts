// Everything that Redis holds of one set of views, to be compared with another one byte for byte.
import type { Redis } from 'ioredis';

/** What tells builds apart although they are equal: how they came about, and how often they changed. */
const OF_ITS_OWN = new Set(['fingerprint', 'birth', 'changes', 'termChanges']);
const COUNTERS = /:(version|tv|next)$/;

async function contentOf(redis: Redis, key: string): Promise<unknown> {
  const type = await redis.type(key);
  if (type === 'string') return (await redis.getBuffer(key))?.toString('latin1');
  if (type === 'zset') {
    const items = (await redis.callBuffer('ZRANGE', key, '0', '-1', 'WITHSCORES')) as Buffer[];
    return items.map((item) => item.toString('latin1'));
  }
  if (type === 'set') return (await redis.smembersBuffer(key)).map((item) => item.toString('latin1')).sort();
  if (type === 'hash') {
    const members = Object.entries(await redis.hgetallBuffer(key)).filter(([name]) => !OF_ITS_OWN.has(name));
    return members.map(([name, value]) => [name, value.toString('latin1')]).sort();
  }
  throw new Error(`${key} is a ${type}`);
}

/** Ids of a search index: two bytes each, in the order in which they came. */
const listed = (list: Buffer): number[] =>
  Array.from({ length: list.length / 2 }, (_, at) => list.readUInt16BE(2 * at)).sort((one, other) => one - other);

/** The same where there are many: a bit for each. */
function marked(bitmap: Buffer): number[] {
  const ids: number[] = [];
  for (let id = 0; id < 8 * bitmap.length; id++) if (((bitmap[id >> 3] ?? 0) >> (7 - (id & 7))) & 1) ids.push(id);
  return ids;
}

/** Which events have a token. How they are kept depends on how many they once were, and on who came first. */
async function eventsByToken(redis: Redis, key: string): Promise<unknown> {
  const tokens = await redis.hgetallBuffer(key);
  const sets = await Promise.all(
    Object.entries(tokens).map(async ([token, list]): Promise<readonly [string, string]> => {
      const ids =
        list.length > 0 ? listed(list) : marked((await redis.getBuffer(`${key}:${token}`)) ?? Buffer.alloc(0));
      return [token, ids.join()];
    }),
  );
  return sets.sort(([one], [other]) => (one < other ? -1 : 1));
}

const SEARCH_INDEX = /:k:\d+$/;
const BITMAP_OF_IT = /:k:\d+:/;
/** Tokens to be looked through, in the order in which they came. */
const TOKENS = /:w:\d+\.\d+$/;

/** Events of a period, as ids like those of tokens. */
const PERIOD = /:[rR]\d+:/;

async function comparable(redis: Redis, key: string): Promise<unknown> {
  if (SEARCH_INDEX.test(key)) return eventsByToken(redis, key);
  if (PERIOD.test(key)) return listed((await redis.getBuffer(key)) ?? Buffer.alloc(0));
  const content = await contentOf(redis, key);
  return TOKENS.test(key) ? String(content).split('\u0001').sort() : content;
}

/** The views that are in use under a name, by key without the generation. */
export async function dumpViews(redis: Redis, name: string): Promise<ReadonlyMap<string, unknown>> {
  const generation = await redis.get(`${name}:live`);
  const base = `{${name}:${generation}}`;
  const keys = (await redis.keys('*'))
    .filter((key) => key.startsWith(base) && !COUNTERS.test(key) && !BITMAP_OF_IT.test(key))
    .sort();
  const dump = new Map<string, unknown>();
  for (const key of keys) dump.set(key.slice(base.length), await comparable(redis, key));
  return dump;
}

/** The first key of which two dumps differ, with what each has; null when they are the same. */
export function firstDifference(one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): string | null {
  for (const key of new Set([...one.keys(), ...other.keys()])) {
    const [here, there] = [JSON.stringify(one.get(key)), JSON.stringify(other.get(key))];
    if (here !== there) return `${key}\n${here}\n${there}`;
  }
  return null;
}
