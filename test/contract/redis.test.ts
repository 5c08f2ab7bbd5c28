// What the Redis read model promises beyond the contract: round trips, atomicity, memory that is never too old, generations.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LOG_START } from '../../src/log/envelope.ts';
import type { ReadModel } from '../../src/read-model/read-model.ts';
import { openRedisReadModel } from '../../src/read-model/redis/open.ts';
import { category, event, eventQuery, linkedPostQuery, put, saved, termQuery, venue } from '../support/documents.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { complaint, many, withModels } from './redis-models.ts';

const redis = suite('Redis read model');

let server: RedisServer;
redis.before(async () => {
  server = await startRedisServer();
});
redis.after(() => server.stop());
redis.before.each(async () => {
  await server.with((connection) => connection.flushall());
});

async function withProxy(run: (proxy: TcpProxy) => Promise<void>): Promise<void> {
  const proxy = await startTcpProxy(server.port);
  try {
    await run(proxy);
  } finally {
    await proxy.close();
  }
}

redis('with its index loaded, a list costs at most two round trips, and one when its documents are in memory', () =>
  withModels(server, (open) =>
    withProxy(async (proxy) => {
      const writer = await open();
      const near = { lat: 1, lng: 2, radiusKm: 5 };
      await put(writer, ...[1, 2, 3].map((id) => saved(category(id))));
      await put(writer, saved(venue(5, { coordinates: near })), ...many(300, 'Jazz'));
      await put(writer, saved(event(7, { venues: [{ id: 5, life: 0 }], categories: [1, 2], title: 'Jazz' })));
      const search = { words: ['jazz'], without: ['rock'] };
      const lists: Record<string, (model: ReadModel) => Promise<unknown>> = {
        everything: (model) => model.listEvents(eventQuery()),
        'a window': (model) => model.listEvents(eventQuery({ bounds: { startsFrom: 10_050, endsUntil: 20_100 } })),
        'all filters': (model) =>
          model.listEvents(eventQuery({ search, categories: [1, 2], venues: [5], nearby: near, order: 'distance' })),
        'named events': (model) => model.listEvents(eventQuery({ include: [1, 7, 99], order: 'date' })),
        venues: (model) => model.listLinkedPosts(linkedPostQuery({ event: 7, hasEvents: true, search: ['venue'] })),
        terms: (model) => model.listTerms(termQuery({ event: 7 })),
        'all terms': (model) => model.terms(),
      };
      for (const [name, list] of Object.entries(lists)) {
        const cold = await open('test', proxy.port);
        await cold.terms();
        const start = proxy.sent();
        const first = await list(cold);
        const atFirst = proxy.sent() - start;
        assert.ok(atFirst <= 2, `${name}: ${atFirst} round trips`);
        assert.equal(await list(cold), first);
        const again = proxy.sent() - start - atFirst;
        assert.ok(again <= 1, `${name}, once more: ${again} round trips`);
      }
    }),
  ),
);

redis('a batch is in as a whole or not at all, wherever the line is cut', () =>
  withModels(server, (open) =>
    withProxy(async (proxy) => {
      const looker = await open();
      const outcomes = new Set<string>();
      await put(looker, ...many(2_500, 'before'));
      let at = '000001';
      for (const bytes of [200, 30_000, 900_000, 1_500_000, 40_000_000]) {
        const writer = await open('test', proxy.port);
        const upTo = `${at}-${bytes}`;
        proxy.cutAfter(bytes);
        const applied = await complaint(writer.apply({ after: at, upTo, changes: many(2_500, upTo) }));
        proxy.cutAfter(Infinity);
        await writer.close();
        const checkpoint = await looker.checkpoint();
        const search = { words: [upTo], without: [] };
        const { total } = await looker.listEvents(eventQuery({ search }));
        assert.equal([checkpoint, total], checkpoint === upTo ? [upTo, 2_500] : [at, 0], applied);
        if (applied.includes('"applied"')) assert.is(checkpoint, upTo);
        at = checkpoint;
        outcomes.add(checkpoint === upTo ? 'in' : 'out');
      }
      assert.equal([...outcomes].sort(), ['in', 'out']);
    }),
  ),
);

redis('of two large batches after the same checkpoint one is applied, in all its parts, and one is stale', () =>
  withModels(server, async (open) => {
    const [one, other] = [await open(), await open()];
    const batch = (title: string) => ({ after: LOG_START, upTo: title, changes: many(2_100, title) });
    const outcomes = await Promise.all([one.apply(batch('aaa')), other.forProjector.apply(batch('bbb'))]);
    assert.equal([...outcomes].sort(), ['applied', 'stale']);
    const found = await Promise.all(
      ['aaa', 'bbb'].map((word) => one.listEvents(eventQuery({ search: { words: [word], without: [] } }))),
    );
    assert.equal(found.map(({ total }) => total).sort(), [0, 2_100]);
    assert.is(found[0]?.total === 2_100 ? 'aaa' : 'bbb', await one.checkpoint());
  }),
);

redis('a document in memory costs nothing, and is dropped as soon as it changes', () =>
  withModels(server, (open) =>
    withProxy(async (proxy) => {
      const writer = await open();
      const reader = await open('test', proxy.port);
      await put(writer, saved(event(1, { title: 'One' })));
      const key = { kind: 'event', id: 1 } as const;
      const first = await reader.fetch([key]);
      const start = proxy.sent();
      assert.equal(await reader.fetch([key]), first);
      assert.is(proxy.sent(), start);
      await put(writer, saved(event(1, { title: 'Two', slug: 'two' })));
      await reader.version();
      assert.equal(await reader.fetch([key]), [event(1, { title: 'Two', slug: 'two' })]);
      assert.equal((await reader.listEvents(eventQuery())).items[0]?.slug, 'two');
    }),
  ),
);

redis('a cached answer is never older than the version returned before', () =>
  withModels(server, async (open) => {
    const [writer, reader] = [await open(), await open()];
    const keys = [1, 2].map((id) => ({ kind: 'event', id }) as const);
    const write = (revision: number) => put(writer.forProjector, ...[1, 2].map((id) => saved(event(id, { revision }))));
    await write(0);
    const versions = new Map([[await writer.version(), 0]]);
    let done = false;
    const writing = async () => {
      for (let revision = 1; revision <= 300; revision++) {
        await write(revision);
        versions.set(await writer.version(), revision);
      }
      done = true;
    };
    const seen: (readonly [version: string, revisions: readonly number[]])[] = [];
    const reading = async () => {
      while (!done) {
        const version = await reader.version();
        const found = await reader.fetch(keys);
        const listed = await reader.listEvents(eventQuery());
        seen.push([version, [...found, ...listed.items].map((document) => document?.revision ?? -1)]);
      }
    };
    await Promise.all([writing(), reading(), reading()]);
    assert.ok(seen.length > 50);
    for (const [version, revisions] of seen) {
      const told = versions.get(version) ?? 0;
      assert.ok(Math.min(...revisions) >= told, `${revisions} at the version of revision ${told}`);
    }
    const counts = reader.cacheCounts();
    assert.ok(counts.hits > 0 && counts.misses > 0);
  }),
);

redis('a script that the server has forgotten is sent again', () =>
  withModels(server, async (open) => {
    const model = await open();
    await put(model, saved(event(1)));
    await model.listEvents(eventQuery());
    await server.with((connection) => connection.script('FLUSH'));
    assert.is((await model.listEvents(eventQuery())).total, 1);
    await put(model, ...many(2_001, 'more'));
    assert.is((await model.listEvents(eventQuery())).total, 2_001);
  }),
);

redis('another fingerprint begins anew; the one before goes on reading, and finds all when it comes back', () =>
  withModels(server, async (open) => {
    const old = await open('old');
    await put(old, saved(event(1)));
    const young = await open('young');
    assert.is(await young.checkpoint(), LOG_START);
    assert.is((await old.listEvents(eventQuery())).total, 1);
    assert.match(await complaint(old.clear()), /^ReadModelUnavailable: .*another version of the service/);
    const back = await open('old');
    assert.is(await back.checkpoint(), '000001');
    await put(back, saved(event(2)));
    assert.is((await back.listEvents(eventQuery())).total, 2);
  }),
);

redis('of the unused generations only the last one is kept', () =>
  withModels(server, async (open) => {
    for (const fingerprint of ['one', 'two', 'three']) await put(await open(fingerprint), saved(event(1)));
    const tags = await server.with(async (connection) => {
      const keys = await connection.keys('{*');
      return new Set(keys.map((key) => key.slice(0, key.indexOf('}'))));
    });
    assert.is(tags.size, 2);
  }),
);

redis('a generation that is named is built beside the one in use', () =>
  withModels(server, async (open) => {
    const inUse = await open('old');
    await put(inUse, saved(event(1)));
    const options = { url: server.url, fingerprint: 'young', generation: 'green' };
    const beside = await openRedisReadModel(options);
    await put(beside, saved(event(1)), saved(event(2)));
    await put(inUse, saved(event(3)));
    assert.is((await inUse.listEvents(eventQuery())).total, 2);
    assert.is((await beside.listEvents(eventQuery())).total, 2);
    await beside.close();
    assert.match(
      await complaint(openRedisReadModel({ ...options, fingerprint: 'else' })),
      /^ReadModelUnavailable: .*Name another generation/,
    );
  }),
);

redis.run();
