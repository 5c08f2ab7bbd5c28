// What the Redis read model does when Redis is away, full, read-only, too old, or not to be reached at all.
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LOG_START } from '../../src/log/envelope.ts';
import { openRedisReadModel } from '../../src/read-model/redis/open.ts';
import { checkServer } from '../../src/read-model/redis/server.ts';
import { event, eventQuery, put, saved } from '../support/documents.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { complaint, many, withModels } from './redis-models.ts';

const redis = suite('Redis read model in need');

let server: RedisServer;
redis.before(async () => {
  server = await startRedisServer();
});
redis.after(() => server.stop());
redis.before.each(async () => {
  await server.with((connection) => connection.flushall());
});

/** Tries until it succeeds. */
async function eventually<Found>(work: () => Promise<Found>): Promise<Found> {
  for (let attempt = 0; attempt < 200; attempt++) {
    try {
      return await work();
    } catch {
      await pause(25);
    }
  }
  return work();
}

redis('a read-only replica is reported, and continues to answer', () =>
  withModels(server, async (open) => {
    const model = await open();
    await put(model, saved(event(1)));
    await server.with((connection) => connection.replicaof('127.0.0.1', 1));
    try {
      const batch = { after: '000001', upTo: '000002', changes: [] };
      assert.match(await complaint(model.apply(batch)), /^ReadModelUnavailable: .*read-only replica: name the primary/);
      assert.is((await model.listEvents(eventQuery())).total, 1);
      assert.match(await complaint(open('other')), /^ReadModelUnavailable: .*read-only replica/);
    } finally {
      await server.with((connection) => connection.replicaof('NO', 'ONE'));
    }
  }),
);

redis('full memory refuses a batch as a whole, and takes it once there is room', () =>
  withModels(server, async (open) => {
    const model = await open();
    const limit = (memory: string) => server.with((connection) => connection.config('SET', 'maxmemory', memory));
    const batch = { after: LOG_START, upTo: '1', changes: many(2_500, 'much') };
    await limit('500kb');
    try {
      assert.match(await complaint(model.apply(batch)), /^ReadModelUnavailable: .*memory is full: raise maxmemory/);
      assert.is(await model.checkpoint(), LOG_START);
      assert.is((await model.listEvents(eventQuery())).total, 0);
    } finally {
      await limit('0');
    }
    assert.is(await model.apply(batch), 'applied');
    assert.is((await model.listEvents(eventQuery())).total, 2_500);
  }),
);

redis('a server that may evict keys is refused', () =>
  withModels(server, async (open) => {
    const policy = (name: string) => server.with((connection) => connection.config('SET', 'maxmemory-policy', name));
    await policy('allkeys-lru');
    try {
      assert.match(await complaint(open()), /^ReadModelUnavailable: .*Set maxmemory-policy to noeviction/);
    } finally {
      await policy('noeviction');
    }
  }),
);

redis('while the server is down it is unavailable; when it is back, even empty, everything recovers by itself', () =>
  withModels(server, async (open) => {
    const model = await open();
    await put(model, saved(event(1)));
    const version = await model.version();
    await server.stop();
    const complaints = await Promise.all(
      [
        Promise.resolve(model.version()),
        model.checkpoint(),
        model.listEvents(eventQuery()),
        model.apply({ after: '000001', upTo: '000002', changes: [] }),
        open(),
      ].map(complaint),
    );
    for (const told of complaints) assert.match(told, /^ReadModelUnavailable: The read model redis:\/\/127/);
    await server.restart();
    assert.is.not(await eventually(async () => model.version()), version);
    assert.is(await eventually(() => model.forProjector.checkpoint()), LOG_START);
    assert.equal(await model.fetch([{ kind: 'event', id: 1 }]), [null]);
    await put(model, saved(event(2)));
    assert.is((await model.listEvents(eventQuery())).total, 1);
  }),
);

redis('data that is lost while connected is noticed by the next batch', () =>
  withModels(server, async (open) => {
    const model = await open();
    await put(model, saved(event(1)));
    await server.with((connection) => connection.flushall());
    assert.is(await model.apply({ after: '000001', upTo: '000002', changes: [saved(event(2))] }), 'stale');
    assert.is(await model.checkpoint(), LOG_START);
    assert.is((await model.listEvents(eventQuery())).total, 0);
  }),
);

redis('a wrong address and a refused password name the setting, never the password', async () => {
  const open = (url: string) => complaint(openRedisReadModel({ url, fingerprint: 'test' }));
  assert.match(await open('redis://127.0.0.1:1'), /^ReadModelUnavailable: .*127\.0\.0\.1:1.*nothing listens there/);
  const guarded = await startRedisServer('--requirepass', 'correct');
  try {
    const refused = await open(`redis://:horse@127.0.0.1:${guarded.port}`);
    assert.match(refused, /^ReadModelUnavailable: .*refuses the user or password/);
    assert.not.match(refused, 'horse');
    assert.match(await open(guarded.url), /^ReadModelUnavailable: .*refuses the user or password/);
    const model = await openRedisReadModel({
      url: `redis://:correct@127.0.0.1:${guarded.port}/2`,
      fingerprint: 'test',
    });
    assert.is(await model.checkpoint(), LOG_START);
    await model.close();
  } finally {
    await guarded.stop();
  }
});

redis('a server that is too old, or not Redis, is reported', async () => {
  const speaking = async (reply: string): Promise<string> => {
    const other = createServer((line) => {
      line.on('error', () => line.destroy());
      line.on('data', () => line.write(reply));
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const told = await complaint(openRedisReadModel({ url: `redis://127.0.0.1:${port}`, fingerprint: 'test' }));
    other.close();
    return told;
  };
  assert.match(await speaking("-ERR unknown command 'HELLO'\r\n"), /^ReadModelUnavailable: .*too old: version 7.0/);
  const info = async (text: string) =>
    complaint(Promise.resolve(text).then((told) => checkServer(told, 'redis://there')));
  assert.match(await info('# Server\r\nredis_version:6.2.14\r\n'), /^ReadModelUnavailable: .*is Redis 6.2.14/);
  assert.match(await info('# Server\r\nredis_version:7.0.15\r\nmaxmemory_policy:volatile-lru\r\n'), 'no complaint');
});

redis('closing leaves nothing open that keeps the process alive', async () => {
  const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
  // Those of the tests before are on their way out.
  await pause(100);
  const before = sockets();
  const model = await openRedisReadModel({ url: server.url, fingerprint: 'test' });
  await put(model, saved(event(1)));
  assert.ok(sockets() > before);
  await model.close();
  await model.close();
  await pause(50);
  assert.is(sockets(), before);
});

redis.run();
