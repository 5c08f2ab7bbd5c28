import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EventStoreUnavailable } from '../../src/log/event-store.ts';
import { openRedisKeys } from '../../src/people/personal-data/facts/redis-keys.ts';
import type { SubjectKeys } from '../../src/people/personal-data/facts/subject-keys.ts';
import { startRedisServer } from '../support/redis-server.ts';
import { subjectKeysContract } from './subject-keys.contract.ts';

subjectKeysContract('Redis', async () => {
  const server = await startRedisServer();
  const opened: SubjectKeys[] = [];
  const another = async () => {
    const keys = await openRedisKeys({ url: server.url });
    opened.push(keys);
    return keys;
  };
  return {
    keys: await another(),
    another,
    async cleanup() {
      for (const one of opened) await one.close();
      await server.stop();
    },
  };
});

const test = suite('keys in Redis');

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

test('an unavailable server is reported without its password', async () => {
  const server = await startRedisServer();
  const url = `redis://:secret@127.0.0.1:${server.port}`;
  await server.with((redis) => redis.config('SET', 'requirepass', 'secret'));
  const keys = await openRedisKeys({ url, deadlineMs: 300 });
  await keys.make(['user-1']);
  await server.stop();
  const failure = await failureOf(keys.find(['user-1']));
  assert.instance(failure, EventStoreUnavailable);
  assert.match((failure as Error).message, /keys of personal data in redis:\/\/127\.0\.0\.1.*DAYBOOK_KEYS/);
  assert.not.match((failure as Error).message, 'secret');
  assert.instance(await failureOf(openRedisKeys({ url, deadlineMs: 300 })), EventStoreUnavailable);
  await keys.close();
});

test.run();
