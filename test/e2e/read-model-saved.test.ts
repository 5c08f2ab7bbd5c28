// A Redis that crashes and comes back with all it had: nothing is refilled, and nothing less than all is shown meanwhile.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { counted, eventually, isReady, undergo, writeEvent } from '../support/polled-views.ts';
import { type Serving, serving } from '../support/process.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { temporaryFolder } from '../support/service.ts';

interface Context {
  redis: RedisServer;
  daybook: Serving;
  token: string;
  remove(): void;
}

const test = suite<Context>('a read model that is saved');

test.before(async (context) => {
  const { folder, remove } = temporaryFolder();
  const saves = mkdtempSync(path.join(tmpdir(), 'daybook-redis-'));
  context.redis = await startRedisServer('--dir', saves, '--appendonly', 'yes', '--appendfsync', 'always');
  context.daybook = await serving({
    DAYBOOK_DATA_DIR: folder,
    DAYBOOK_READ_MODEL: context.redis.url,
    DAYBOOK_REQUESTS_PER_MINUTE: '0',
  });
  context.token = context.daybook.token ?? '';
  context.remove = () => {
    remove();
    rmSync(saves, { recursive: true, force: true });
  };
});
test.after(async ({ daybook, redis, remove }) => {
  await daybook.kill();
  await redis.stop();
  remove();
});

test('one that crashes and comes back with all it had shows all or nothing, and is not refilled', async (context) => {
  const { redis, daybook, token } = context;
  const names = ['One', 'Two', 'Three'];
  for (const name of names) await writeEvent(daybook, token, name);
  const last = await writeEvent(daybook, token, 'The last one');
  await undergo(daybook, last, async () => {
    await redis.stop();
    await eventually(async () => !(await isReady(daybook, '?for=reads')));
    await redis.restart();
  });
  assert.not.match(daybook.errors(), /refill/);
  await writeEvent(daybook, token, 'After it');
  assert.is((await counted(daybook))[0], names.length + 2);
});

test.run();
