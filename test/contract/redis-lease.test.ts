import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Lease } from '../../src/read-model/generations.ts';
import { openRedisReadModel, type RedisReadModel } from '../../src/read-model/redis/open.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';

const LONG_MS = 60_000;

const test = suite<{ redis: RedisServer; model: RedisReadModel; others: RedisReadModel[] }>('lease of the projector');

test.before(async (context) => {
  context.redis = await startRedisServer();
});
test.before.each(async (context) => {
  await context.redis.with((redis) => redis.flushall());
  context.model = await openRedisReadModel({ url: context.redis.url, fingerprint: 'test' });
  context.others = [];
});
test.after.each(async ({ model, others }) => {
  for (const opened of [model, ...others]) await opened.close();
});
test.after(({ redis }) => redis.stop());

async function held(lease: Lease): Promise<Lease> {
  assert.is(await lease.hold(), true);
  return lease;
}

test('one process has it, and no other', async ({ model }) => {
  await held(model.lease('one', LONG_MS));
  assert.is(await model.lease('other', LONG_MS).hold(), false);
});

test('its holder may renew it', async ({ redis, model }) => {
  const lease = await held(model.lease('one', LONG_MS));
  const [key = ''] = await redis.with((connection) => connection.keys('*lease*'));
  await redis.with((connection) => connection.pexpire(key, 5_000));
  assert.is(await lease.hold(), true);
  assert.ok((await redis.with((connection) => connection.pttl(key))) > 30_000);
});

test('it expires unless renewed', async ({ model }) => {
  await held(model.lease('one', 20));
  const other = model.lease('other', LONG_MS);
  while (!(await other.hold())) await sleep(5);
});

test('once released it is free at once', async ({ model }) => {
  const lease = await held(model.lease('one', LONG_MS));
  await lease.release();
  await held(model.lease('other', LONG_MS));
});

test('a lease cannot be released by another process', async ({ model }) => {
  await held(model.lease('one', LONG_MS));
  const other = model.lease('other', LONG_MS);
  await other.release();
  assert.is(await other.hold(), false);
});

test('another version of the service has a lease of its own: it fills views of its own', async (context) => {
  await held(context.model.lease('one', LONG_MS));
  const other = await openRedisReadModel({ url: context.redis.url, fingerprint: 'newer' });
  context.others.push(other);
  await held(other.lease('other', LONG_MS));
});

test.run();
