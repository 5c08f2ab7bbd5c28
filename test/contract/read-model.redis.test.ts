import { suite } from 'uvu';
import { documentName, namedId } from '../../src/read-model/redis/keys.ts';
import { openRedisReadModel } from '../../src/read-model/redis/open.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { readModelContract } from './read-model.contract.ts';
import type { OpenedReadModel } from './read-model-check.ts';

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
  const damage: OpenedReadModel['damage'] = (part, key, edit) =>
    server.with(async (redis) => {
      if (part === 'row') {
        const [rows = ''] = await redis.keys('*:rows');
        const packed = await redis.hgetBuffer(rows, documentName(key));
        await redis.hset(rows, documentName(key), Buffer.from(edit(packed?.toString('latin1') ?? ''), 'latin1'));
        return;
      }
      if (part === 'name') {
        const [names = ''] = await redis.keys('*:names');
        const own = (await redis.zrange(names, '0', '-1')).filter((entry) => namedId(entry) === key.id);
        for (const entry of own) await redis.multi().zrem(names, entry).zadd(names, '0', edit(entry)).exec();
        return;
      }
      const [found = ''] = await redis.keys(`*:${part === 'not shown' ? 'z' : 'b'}:${documentName(key)}`);
      await redis.set(found, edit((await redis.get(found)) ?? ''));
    });
  return { model, another: open, damage, cleanup: () => model.close() };
});

const after = suite('the Redis server');
after('ends', () => server.stop());
after.run();
