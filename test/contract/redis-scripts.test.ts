import { readdirSync } from 'node:fs';
import { Redis } from 'ioredis';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { POST_STATUSES } from '../../src/domain/post.ts';
import { PERIOD, TIME_OFFSET } from '../../src/read-model/redis/index-entries.ts';
import { READING_SCRIPTS, scriptText, WRITING_SCRIPTS } from '../../src/read-model/redis/scripts.ts';
import { BLOCKS, CHUNK } from '../../src/read-model/redis/token-changes.ts';
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
  const texts = [
    ...Object.values(WRITING_SCRIPTS).map(({ lua }) => lua),
    ...Object.values(READING_SCRIPTS).map(({ SCRIPT }) => SCRIPT),
  ];
  assert.is(new Set(texts).size, luaIn(FOLDER).length);
  for (const text of texts) assert.match(String(await redis.script('LOAD', text)), /^[0-9a-f]{40}$/);
});

test('a script includes a file once, and each file is included by some script', () => {
  const scripts = luaIn(FOLDER).map((name) => scriptText(name.replace('.lua', '')));
  for (const name of luaIn(new URL('include/', FOLDER))) {
    // Its last line is of no other file's.
    const own = scriptText(`include/${name.replace('.lua', '')}`).slice(-200);
    const counts = scripts.map((script) => script.split(own).length - 1);
    assert.is(Math.max(...counts), 1, name);
  }
  for (const script of scripts) assert.not.match(script, '@include');
});

test('the numbers of the layout are those of TypeScript', async ({ redis }) => {
  const script = `${scriptText('include/layout')}
return { IDS_PER_CHUNK, BLOCKS, PERIOD, STATUSES, string.format('%.0f', OFFSET) }`;
  assert.equal(await redis.eval(script, 0), [CHUNK, BLOCKS, PERIOD, POST_STATUSES.length, String(TIME_OFFSET)]);
});

test.run();
