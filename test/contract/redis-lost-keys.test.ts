// Keys that a server has evicted, or that an operator has deleted: nothing is answered from what is left.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ReadModel } from '../../src/read-model/read-model.ts';
import { category, event, eventQuery, linkedPostQuery, put, saved, termQuery, venue } from '../support/documents.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { complaint, withModels } from './redis-models.ts';

const lost = suite('keys that Redis has lost');

let server: RedisServer;
lost.before(async () => {
  server = await startRedisServer();
});
lost.after(() => server.stop());
lost.before.each(() => server.with(async (redis) => void (await redis.flushall())));

const drop = (pattern: string): Promise<void> =>
  server.with(async (redis) => {
    const keys = await redis.keys(pattern);
    assert.ok(keys.length > 0, pattern);
    await redis.del(...keys);
  });

const READS: Readonly<Record<string, (model: ReadModel) => Promise<unknown>>> = {
  events: (model) => model.listEvents(eventQuery()),
  venues: (model) => model.listLinkedPosts(linkedPostQuery({ kind: 'venue' })),
  terms: (model) => model.listTerms(termQuery()),
  'by id': (model) => model.fetch([{ kind: 'event', id: 1 }]),
  'by slug': (model) => model.findBySlug('event', 'event-1'),
  'by name': (model) => model.named('event', 'author:7'),
};

for (const [key, reads] of [
  ['*:rows', ['events', 'venues', 'terms']],
  ['*:names', ['by slug', 'by name']],
  ['*:b:e1', ['events', 'by id', 'by slug']],
  ['*:z:e1', ['by id', 'by slug']],
  ['*:version', Object.keys(READS)],
  ['*:meta', Object.keys(READS)],
] as const)
  lost(`without ${key} nothing of what it held is missing from an answer`, () =>
    withModels(server, async (open) => {
      const writer = await open();
      await put(writer, saved(category(3)), saved(venue(5)), saved(event(1, { author: 7 })), saved(event(2)));
      const expected = new Map<string, string>();
      for (const name of reads) expected.set(name, JSON.stringify(await READS[name]?.(writer)));
      await drop(key);
      const other = await open();
      const { mark } = await other.progress();
      for (const name of reads) {
        const answer = await complaint(READS[name]?.(other) ?? Promise.resolve());
        const isRefusal = answer.startsWith('ReadModelDamaged') || answer.startsWith('ReadModelUnavailable');
        // An emptied mark tells the projector to fill it again, and no reader is admitted before.
        assert.ok(isRefusal || mark === '' || answer.endsWith(expected.get(name) ?? ''), `${name}: ${answer}`);
      }
    }),
  );

for (const [what, damage] of [
  ['that is gone', () => null],
  ['that names what cannot be', (names: string) => names.replace('e2', 'e?')],
  ['that names a kind that cannot be', (names: string) => names.replace('e2', 'x2')],
] as const)
  lost(`a stream of changes ${what} is not followed: all rows are read again`, () =>
    withModels(server, async (open) => {
      const [model, other] = [await open(), await open()];
      await put(other, saved(event(1)), saved(event(2)));
      const featured = async () => (await model.listEvents(eventQuery({ featured: true }))).items.map(({ id }) => id);
      assert.equal(await featured(), []);
      await put(other, saved(event(2, { featured: true })));
      await server.with(async (redis) => {
        const [key = ''] = await redis.keys('*:changes');
        const entries = await redis.xrange(key, '-', '+');
        await redis.del(key);
        for (const [id, [field = '', names = '']] of entries) {
          const written = damage(names);
          if (written !== null) await redis.xadd(key, id, field, written);
        }
      });
      assert.equal(await featured(), [2]);
    }),
  );

lost.run();
