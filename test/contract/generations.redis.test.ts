import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openRedisGenerations } from '../../src/read-model/redis/generations.ts';
import { generationKeys, generationOf } from '../../src/read-model/redis/keys.ts';
import { openRedisReadModel } from '../../src/read-model/redis/open.ts';
import { event, put, saved } from '../support/documents.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { type GenerationsPlace, generationsContract } from './generations.contract.ts';

let server: RedisServer;

const before = suite('a Redis server for generations');
before('starts', async () => {
  server = await startRedisServer();
});
before.run();

async function place(): Promise<GenerationsPlace> {
  await server.with((redis) => redis.flushall());
  const opened: { close(): Promise<void> }[] = [];
  const remember = <Handle extends { close(): Promise<void> }>(handle: Handle): Handle => {
    opened.push(handle);
    return handle;
  };
  return {
    open: async (fingerprint = 'test') => remember(await openRedisReadModel({ url: server.url, fingerprint })),
    generations: async (fingerprint = 'test') =>
      remember(await openRedisGenerations({ url: server.url, fingerprint, claimExpiresMs: 500 })),
    count: () =>
      server.with(async (redis) => {
        const keys = await redis.keys('{*');
        return new Set(keys.map((key) => key.slice(0, key.indexOf('}')))).size;
      }),
    async cleanup() {
      for (const handle of opened) await handle.close();
    },
  };
}

generationsContract('Redis', place);

const redis = suite('generations in Redis');

async function inPlace(run: (at: GenerationsPlace) => Promise<void>): Promise<void> {
  const at = await place();
  try {
    await run(at);
  } finally {
    await at.cleanup();
  }
}

redis('following costs a single read no round trip of its own', () =>
  inPlace(async (at) => {
    await put(await at.open(), saved(event(1)));
    const proxy = await startTcpProxy(server.port);
    const model = await openRedisReadModel({ url: `redis://127.0.0.1:${proxy.port}`, fingerprint: 'test' });
    try {
      await model.version();
      const start = proxy.sent();
      await model.version();
      await model.version();
      assert.is(proxy.sent() - start, 2);
      const { hits, misses } = model.cacheCounts();
      assert.equal([hits, misses], [0, 0]);
    } finally {
      await model.close();
      await proxy.close();
    }
  }),
);

redis('a read that begins after the switch is of the new generation, however late the news of it come', () =>
  inPlace(async (at) => {
    await put(await at.open('one'), saved(event(1, { title: 'one' })));
    await put(await at.open('two'), saved(event(1, { title: 'two' })));
    const [one, two] = ['one', 'two'].map(generationOf);
    if (!one || !two) throw new Error('no generations');
    const versions = [one, two].map((name) => generationKeys('daybook', name).version);
    const proxy = await startTcpProxy(server.port);
    const reader = await openRedisReadModel({ url: `redis://127.0.0.1:${proxy.port}`, fingerprint: 'one' });
    try {
      await server.with(async (connection) => {
        for (let round = 0; round < 200; round++) {
          const title = round % 2 === 0 ? 'two' : 'one';
          const [ofOne = '', ofTwo = ''] = versions;
          await connection.mset(
            title === 'two' ? [ofOne, `>${two}`, ofTwo, `b ${round} 1`] : [ofOne, `a ${round} 1`, ofTwo, `>${one}`],
          );
          const [found] = await Promise.all([reader.findBySlug('event', 'event-1'), reader.version()]);
          assert.is(found?.title, title, `round ${round}`);
        }
      });
    } finally {
      await reader.close();
      await proxy.close();
    }
  }),
);

redis('a projector whose generation is gone finds documents where they are now, and begins its batch again', () =>
  inPlace(async (at) => {
    const model = await openRedisReadModel({ url: server.url, fingerprint: 'test' });
    const { forProjector } = model;
    await put(forProjector, saved(event(1, { title: 'wrong' })));
    const claim = await (await at.generations()).claim();
    const build = await claim.begin();
    await build.model.apply({ after: '', upTo: '000001', changes: [saved(event(1, { title: 'right' }))] });
    await build.promote();
    await build.close();
    await claim.cleanUp();
    await claim.release();
    const [found] = await forProjector.fetch([{ kind: 'event', id: 1 }]);
    assert.is(found?.kind === 'event' && found.title, 'right');
    const batch = { after: '000001', upTo: '000002', changes: [] };
    assert.is(await forProjector.apply(batch), 'stale');
    assert.is(await forProjector.apply(batch), 'applied');
    await model.close();
  }),
);

redis('a generation that was replaced is not taken up again', () =>
  inPlace(async (at) => {
    await put(await at.open(), saved(event(1)));
    const claim = await (await at.generations()).claim();
    const build = await claim.begin();
    await build.model.apply({ after: '', upTo: '000001', changes: [] });
    await build.promote();
    await build.close();
    const former = { url: server.url, fingerprint: 'test', generation: generationOf('test') };
    const model = await openRedisReadModel(former);
    assert.is(await model.forProjector.apply({ after: '000001', upTo: '000002', changes: [saved(event(2))] }), 'stale');
    assert.equal(await model.fetch([{ kind: 'event', id: 1 }]), [null]);
    await model.close();
    await claim.release();
  }),
);

redis('the right to rebuild of a process that died is taken over once it has expired', () =>
  inPlace(async (at) => {
    const generations = await at.generations();
    await server.with((connection) => connection.set('daybook:rebuild', 'a process that died', 'PX', 300));
    const claim = await generations.claim();
    await claim.release();
    assert.is(await server.with((connection) => connection.exists('daybook:rebuild')), 0);
  }),
);

redis('a process that has lost the right to rebuild cannot switch', () =>
  inPlace(async (at) => {
    const model = await at.open();
    const claim = await (await at.generations()).claim();
    const build = await claim.begin();
    await server.with((connection) => connection.set('daybook:rebuild', 'another process', 'PX', 60_000));
    const told = await build.promote().then(
      () => 'done',
      (error: Error) => error.message,
    );
    assert.match(told, 'another process may rebuild it');
    await put(model, saved(event(1)));
    await build.close();
  }),
);

redis('pointers left behind by a crash are moved by the next process', () =>
  inPlace(async (at) => {
    const model = await at.open();
    await put(model, saved(event(1)));
    const first = generationOf('test');
    const claim = await (await at.generations()).claim();
    const build = await claim.begin();
    await build.model.apply({ after: '', upTo: '000001', changes: [saved(event(2))] });
    await build.promote();
    await build.close();
    // As it was before the pointers were turned.
    await server.with(async (connection) => {
      await connection.hdel('daybook:newest', first);
      await connection.set('daybook:live', first);
      await connection.sadd('daybook:builds', build.name);
      await connection.srem('daybook:generations', build.name);
    });
    assert.is(await claim.cleanUp(), 1);
    await claim.release();
    const state = await server.with(async (connection) => ({
      live: await connection.get('daybook:live'),
      builds: await connection.smembers('daybook:builds'),
      generations: await connection.smembers('daybook:generations'),
      old: await connection.exists(generationKeys('daybook', first).meta),
    }));
    assert.equal(state, { live: build.name, builds: [], generations: [build.name], old: 0 });
    const [one, two] = await (await at.open()).fetch([1, 2].map((id) => ({ kind: 'event', id }) as const));
    assert.equal([one, two?.id], [null, 2]);
  }),
);

redis('a generation whose deletion was interrupted is started over by a process that needs it', () =>
  inPlace(async (at) => {
    await put(await at.open(), saved(event(1)));
    const { base, meta } = generationKeys('daybook', generationOf('test'));
    await server.with(async (connection) => {
      await connection.del(meta, `${base}:next`, `${base}:version`, `${base}:tv`);
      await connection.hset(meta, 'dropped', 1);
    });
    const model = await at.open();
    assert.is(await model.checkpoint(), '');
    assert.equal(await model.fetch([{ kind: 'event', id: 1 }]), [null]);
    await put(model, saved(event(2)));
  }),
);

redis.run();

const after = suite('the Redis server for generations');
after('ends', () => server.stop());
after.run();
