import { suite } from 'uvu';
import { openRedisReadModel } from '../../src/read-model/redis/open.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { readModelContract } from './read-model.contract.ts';

let server: RedisServer;

const before = suite('a Redis server');
before('starts', async () => {
  server = await startRedisServer();
});
before.run();

readModelContract('Redis', async () => {
  await server.with((redis) => redis.flushall());
  const open = (fingerprint = 'test') => openRedisReadModel({ url: server.url, fingerprint });
  const model = await open();
  return { model, another: open, cleanup: () => model.close() };
});

const after = suite('the Redis server');
after('ends', () => server.stop());
after.run();
