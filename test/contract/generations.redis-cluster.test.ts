import { suite } from 'uvu';
import { openRedisGenerations } from '../../src/read-model/redis/generations.ts';
import { openRedisReadModel } from '../../src/read-model/redis/open.ts';
import { type RedisCluster, startRedisCluster } from '../support/redis-cluster.ts';
import { type GenerationsPlace, generationsContract } from './generations.contract.ts';

let cluster: RedisCluster;

const before = suite('a Redis cluster for generations');
before('starts', async () => {
  cluster = await startRedisCluster(3);
});
before.run();

async function place(): Promise<GenerationsPlace> {
  await cluster.flush();
  const opened: { close(): Promise<void> }[] = [];
  const remember = <Handle extends { close(): Promise<void> }>(handle: Handle): Handle => {
    opened.push(handle);
    return handle;
  };
  const { url } = cluster;
  return {
    open: async (fingerprint = 'test') => remember(await openRedisReadModel({ url, fingerprint })),
    generations: async (fingerprint = 'test') =>
      remember(await openRedisGenerations({ url, fingerprint, claimExpiresMs: 500 })),
    async count() {
      const keys = await Promise.all(cluster.nodes.map((node) => node.with((redis) => redis.keys('{*'))));
      return new Set(keys.flat().map((key) => key.slice(0, key.indexOf('}')))).size;
    },
    async cleanup() {
      for (const handle of opened) await handle.close();
    },
  };
}

generationsContract('Redis cluster', place);

const after = suite('the Redis cluster for generations');
after('ends', () => cluster.stop());
after.run();
