import { readdirSync } from 'node:fs';
import { Redis } from 'ioredis';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { WRITING_SCRIPTS } from '../../src/read-model/redis/scripts.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';

const test = suite<{ server: RedisServer; redis: Redis }>('Lua scripts');

test.before(async (context) => {
  context.server = await startRedisServer();
  context.redis = new Redis(context.server.port);
});
test.after(async ({ server, redis }) => {
  redis.disconnect();
  await server.stop();
});

const FOLDER = new URL('../../src/read-model/redis/lua/', import.meta.url);
const luaIn = (folder: URL): string[] => readdirSync(folder).filter((name) => name.endsWith('.lua'));

test('every script is in use, and the server takes it', async ({ redis }) => {
  const texts = Object.values(WRITING_SCRIPTS).map(({ lua }) => lua);
  assert.is(new Set(texts).size, luaIn(FOLDER).length);
  for (const text of texts) assert.not.match(text, '@include');
  for (const text of texts) assert.match(String(await redis.script('LOAD', text)), /^[0-9a-f]{40}$/);
});

test.run();
