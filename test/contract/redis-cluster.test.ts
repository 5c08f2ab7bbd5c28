// What the Redis read model does in a cluster: slots that go elsewhere, nodes that die, addresses that do not fit.
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openRedisGenerations } from '../../src/read-model/redis/generations.ts';
import { generationKeys, generationOf } from '../../src/read-model/redis/keys.ts';
import { openRedisReadModel, type RedisReadModel } from '../../src/read-model/redis/open.ts';
import { event, eventQuery, put, saved } from '../support/documents.ts';
import { type RedisCluster, startRedisCluster } from '../support/redis-cluster.ts';
import { startRedisServer } from '../support/redis-server.ts';
import { complaint, many } from './redis-models.ts';

const LONG_MS = 60_000;
const { meta: META } = generationKeys('daybook', generationOf('test'));
const EVENT = { kind: 'event', id: 1 } as const;

const redis = suite<{ cluster: RedisCluster; opened: RedisReadModel[] }>('Redis read model in a cluster');
redis.before(async (context) => {
  context.cluster = await startRedisCluster(3);
});
redis.after(({ cluster }) => cluster.stop());
redis.before.each(async (context) => {
  context.opened = [];
  await context.cluster.flush();
});
redis.after.each(async ({ opened }) => {
  for (const model of opened) await model.close();
});

type Context = { readonly cluster: RedisCluster; readonly opened: RedisReadModel[] };

async function open({ cluster, opened }: Context, fingerprint = 'test', url = cluster.url): Promise<RedisReadModel> {
  const model = await openRedisReadModel({ url, fingerprint });
  opened.push(model);
  return model;
}

const refusal = (url: string) => complaint(openRedisReadModel({ url, fingerprint: 'test' }));

/** Tries until it succeeds. */
async function eventually<Found>(work: () => Promise<Found>): Promise<Found> {
  for (let attempt = 0; attempt < 800; attempt++) {
    try {
      return await work();
    } catch {
      await pause(25);
    }
  }
  return work();
}

const revisionOf = async (model: RedisReadModel) => (await model.fetch([EVENT]))[0]?.revision;

redis('all of a generation is at one node, and one of the nodes is enough to find it', async (context) => {
  const { cluster } = context;
  await put(await open(context), ...many(20, 'Jazz'));
  const owner = await cluster.ownerOf(META);
  for (const node of cluster.nodes) {
    const keys = await node.with((connection) => connection.keys('{*'));
    assert.is(keys.length > 0, node === owner);
    const model = await open(context, 'test', `redis+cluster://127.0.0.1:1,127.0.0.1:${node.port}`);
    assert.is((await model.listEvents(eventQuery())).total, 20);
  }
});

redis('of two projectors one has the lease, wherever its key lies', async (context) => {
  for (const fingerprint of ['one', 'two', 'three', 'four']) {
    const [model, another] = [await open(context, fingerprint), await open(context, fingerprint)];
    const lease = model.lease('one', LONG_MS);
    const other = another.lease('other', LONG_MS);
    assert.equal([await lease.hold(), await other.hold(), await lease.hold()], [true, false, true]);
    await lease.release();
    assert.is(await other.hold(), true);
  }
});

redis('a slot that has gone to another node is found there, by readers and writers', async (context) => {
  const [writer, reader] = [await open(context), await open(context)];
  for (let round = 1; round <= 4; round++) {
    await put(writer, saved(event(1, { revision: round })), ...many(30, `round${round}`).slice(1));
    assert.is(await revisionOf(reader), round);
    const before = await context.cluster.ownerOf(META);
    await context.cluster.move(META);
    assert.is.not(await context.cluster.ownerOf(META), before);
    const search = { words: [`round${round}`], without: [] };
    assert.is((await reader.listEvents(eventQuery({ search }))).total, 29);
  }
});

redis('cached values are dropped when their slot moves', async (context) => {
  const [writer, reader] = [await open(context), await open(context)];
  await put(writer, saved(event(1, { revision: 1 })));
  for (const revision of [2, 3, 4]) {
    assert.is(await revisionOf(reader), revision - 1);
    await context.cluster.move(META);
    await put(writer, saved(event(1, { revision })));
    await reader.version();
    assert.is(await revisionOf(reader), revision);
  }
});

redis('while its slot is on the way nothing is read or written by halves; then all is there again', async (context) => {
  const model = await open(context);
  await put(model, ...many(50, 'before'));
  const checkpoint = await model.checkpoint();
  const batch = { after: checkpoint, upTo: 'later', changes: many(2_100, 'after') };
  const total = async () => (await model.listEvents(eventQuery())).total;
  for (const moved of [0, 20]) {
    const finish = await context.cluster.beginMove(META, moved);
    const work = [model.apply(batch), model.clear(), open(context, 'test')];
    const [listed = '', ...refusals] = await Promise.all([total(), ...work].map(complaint));
    // What is in memory is right for as long as the version can be read.
    if (listed !== 'no complaint but 50') refusals.push(listed);
    for (const told of refusals)
      assert.match(told, /^ReadModelUnavailable: .*its slot is on the way to another node.*once it is there \(/);
    await finish();
    assert.is(await total(), 50);
    assert.is(await model.forProjector.checkpoint(), checkpoint);
  }
  assert.is(await model.apply(batch), 'applied');
  assert.is(await total(), 2_100);
});

redis(
  'batches are in as a whole or not at all while the slot goes to and fro, and memory is never too old',
  async (context) => {
    const [writer, reader] = [await open(context), await open(context)];
    const ids = [1, 2].map((id) => ({ kind: 'event', id }) as const);
    await put(writer, ...ids.map(({ id }) => saved(event(id, { revision: 0 }))));
    const versions = new Map([[await writer.version(), 0]]);
    let done = false;
    const seen: (readonly [version: string, revisions: readonly number[]])[] = [];
    const writing = async () => {
      for (let revision = 1; !done; revision++) {
        const changes = ids.map(({ id }) => saved(event(id, { revision })));
        await eventually(async () => {
          const after = await writer.forProjector.checkpoint();
          const outcome = await writer.forProjector.apply({
            after,
            upTo: `b${String(revision).padStart(6, '0')}`,
            changes,
          });
          assert.is(outcome, 'applied');
        });
        versions.set(await eventually(async () => writer.version()), revision);
      }
    };
    const reading = async () => {
      while (!done) {
        try {
          const version = await reader.version();
          const found = await reader.fetch(ids);
          const listed = await reader.listEvents(eventQuery());
          seen.push([version, [...found, ...listed.items].map((document) => document?.revision ?? -1)]);
        } catch {
          await pause(1);
        }
      }
    };
    const moving = async () => {
      // A slow machine reads less often in the same time.
      for (let round = 0; round < 6 || seen.length <= 50; round++) {
        await pause(50);
        await context.cluster.move(META);
      }
      done = true;
    };
    await Promise.all([moving(), writing(), reading(), reading()]);
    for (const [version, revisions] of seen) {
      const told = versions.get(version) ?? 0;
      assert.ok(revisions.length === 4 && Math.min(...revisions) >= told, `${revisions} at revision ${told}`);
    }
  },
);

redis('the next generation may be on another node: readers follow it there', async (context) => {
  const model = await open(context);
  await put(model, saved(event(1, { revision: 1 })));
  const generations = await openRedisGenerations({ url: context.cluster.url, fingerprint: 'test' });
  const owners = new Set([(await context.cluster.ownerOf(META)).port]);
  for (let revision = 2; owners.size < 3; revision++) {
    const claim = await generations.claim();
    const build = await claim.begin();
    const after = await build.model.checkpoint();
    await build.model.apply({
      after,
      upTo: `9${String(revision).padStart(5, '0')}`,
      changes: [saved(event(1, { revision }))],
    });
    assert.is(await build.promote(), 'live');
    await build.close();
    await claim.cleanUp();
    await claim.release();
    assert.is(await revisionOf(model), revision);
    owners.add((await context.cluster.ownerOf(generationKeys('daybook', build.name).meta)).port);
  }
  const keys = await Promise.all(context.cluster.nodes.map((node) => node.with((one) => one.keys('{*'))));
  assert.is(new Set(keys.flat().map((key) => key.slice(0, key.indexOf('}')))).size, 1);
  await generations.close();
});

redis('pointers may lie at any nodes: each is found where it is', async ({ cluster, opened }) => {
  const { url } = cluster;
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
    const model = await openRedisReadModel({ url, fingerprint: 'test', name });
    opened.push(model);
    await put(model, saved(event(1, { revision: 1 })));
    const generations = await openRedisGenerations({ url, fingerprint: 'test', name });
    const claim = await generations.claim();
    const build = await claim.begin();
    await build.model.apply({ after: '', upTo: '000001', changes: [saved(event(1, { revision: 2 }))] });
    assert.is(await build.promote(), 'live');
    await build.close();
    assert.is(await claim.cleanUp(), 1);
    await claim.release();
    await generations.close();
    assert.is(await revisionOf(model), 2);
    opened.push(await openRedisReadModel({ url, fingerprint: 'other', name }));
  }
});

redis('invalid addresses are reported, never with the password', async ({ cluster }) => {
  const plain = await startRedisServer();
  try {
    const told = await refusal(`redis+cluster://127.0.0.1:${plain.port}`);
    assert.match(told, /^ReadModelUnavailable: .*it is not a cluster: begin the URL with redis:\/\//);
    assert.not.match(told, '\n');
  } finally {
    await plain.stop();
  }
  const owner = await cluster.ownerOf(META);
  const single = cluster.nodes.find((node) => node !== owner);
  assert.match(await refusal(single?.url ?? ''), /^ReadModelUnavailable: .*begin the URL with redis\+cluster:\/\//);
  assert.match(await refusal('redis+cluster://127.0.0.1:1,127.0.0.1:2'), /nothing listens there/);
  assert.match(await refusal('redis+cluster://127.0.0.1:1/3'), /without the number of a database/);
  for (const { port } of cluster.nodes)
    assert.not.match(await refusal(`redis+cluster://me:horse@127.0.0.1:${port}`), 'horse');
});

redis('user and password are shown to every node', async (context) => {
  const { cluster } = context;
  for (const node of cluster.nodes)
    await node.with((connection) => connection.acl('SETUSER', 'me', 'on', '>p@ss', '~*', '&*', '+@all'));
  const seed = `127.0.0.1:${cluster.nodes[0]?.port}`;
  assert.match(await refusal(`redis+cluster://me:wrong@${seed}`), /refuses the user or password/);
  const model = await open(context, 'test', `redis+cluster://me:p%40ss@${seed}`);
  await put(model, saved(event(1)));
  const users = await Promise.all(
    cluster.nodes.map((node) => node.with(async (connection) => String(await connection.client('LIST')))),
  );
  assert.ok(users.filter((list) => list.includes('user=me')).length > 1);
});

redis('a node that may evict keys is refused', async (context) => {
  const policy = (name: string) =>
    Promise.all(context.cluster.nodes.map((node) => node.with((one) => one.config('SET', 'maxmemory-policy', name))));
  await policy('allkeys-lru');
  try {
    assert.match(await complaint(open(context)), /^ReadModelUnavailable: .*Set maxmemory-policy to noeviction/);
  } finally {
    await policy('noeviction');
  }
});

redis('closing leaves nothing open that keeps the process alive', async ({ cluster }) => {
  const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
  await pause(100);
  const before = sockets();
  const model = await openRedisReadModel({ url: cluster.url, fingerprint: 'test' });
  await put(model, saved(event(1)));
  await model.version();
  assert.ok(sockets() > before);
  await model.close();
  await model.close();
  await pause(50);
  assert.is(sockets(), before);
  assert.match(await complaint(Promise.resolve(model.version())), /is closed: the service is shutting down/);
});

redis(
  'a replica that takes over goes on where its master was, whether that one steps down or dies',
  async (context) => {
    const { cluster } = context;
    const [writer, reader] = [await open(context), await open(context)];
    await put(writer, ...many(40, 'before'));
    assert.is(await revisionOf(reader), 0);
    const master = await cluster.ownerOf(META);
    const replica = await cluster.replicate(master);
    await replica.with((connection) => connection.cluster('FAILOVER'));
    while ((await cluster.ownerOf(META)) !== replica) await pause(25);
    await eventually(() => put(writer, saved(event(1, { revision: 1 }))));
    await eventually(async () => reader.version());
    assert.is(await revisionOf(reader), 1);
    assert.is((await reader.listEvents(eventQuery())).total, 40);
    await replica.with((connection) => connection.wait(1, 5_000));
    await cluster.kill(replica);
    assert.match(await complaint(Promise.resolve(reader.version())), /^ReadModelUnavailable: /);
    await eventually(async () => reader.version());
    assert.is(await cluster.ownerOf(META), master);
    assert.is((await reader.listEvents(eventQuery())).total, 40);
    await eventually(() => put(writer, saved(event(1, { revision: 2 }))));
    await reader.version();
    assert.is(await revisionOf(reader), 2);
  },
);

redis.run();
