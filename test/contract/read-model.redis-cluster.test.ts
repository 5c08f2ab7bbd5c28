import { suite } from 'uvu';
import { openRedisReadModel } from '../../src/read-model/redis/open.ts';
import { type RedisCluster, startRedisCluster } from '../support/redis-cluster.ts';
import { readModelContract } from './read-model.contract.ts';

let cluster: RedisCluster;

const before = suite('a Redis cluster');
before('starts', async () => {
  cluster = await startRedisCluster(3);
});
before.run();

readModelContract('Redis cluster', async () => {
  await cluster.flush();
  const open = (fingerprint = 'test') => openRedisReadModel({ url: cluster.url, fingerprint });
  const model = await open();
  return { model, another: open, damage: null, cleanup: () => model.close() };
});

const after = suite('the Redis cluster');
after('ends', () => cluster.stop());
after.run();
