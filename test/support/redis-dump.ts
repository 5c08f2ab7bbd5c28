// Everything that Redis holds of one set of views, to be compared with another one byte for byte.
import type { Redis } from 'ioredis';

/** What tells builds apart although they are equal: how they came about, and how often they changed. */
const OF_ITS_OWN = new Set(['fingerprint', 'birth', 'changes']);
const HOW_IT_CAME_ABOUT = /:(version|changes)$/;

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

/** The views that are in use under a name, by key without the generation. */
export async function dumpViews(redis: Redis, name: string): Promise<ReadonlyMap<string, unknown>> {
  const generation = await redis.get(`${name}:live`);
  const base = `{${name}:${generation}}`;
  const keys = (await redis.keys('*')).filter((key) => key.startsWith(base) && !HOW_IT_CAME_ABOUT.test(key)).sort();
  const dump = new Map<string, unknown>();
  for (const key of keys) dump.set(key.slice(base.length), await contentOf(redis, key));
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
