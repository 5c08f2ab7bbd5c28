// Which venues and organizers have something coming up, and which events are still on, whatever was changed before.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EventDocument } from '../../src/read-model/documents.ts';
import { openRedisReadModel, type RedisReadModel } from '../../src/read-model/redis/open.ts';
import {
  event,
  eventQuery,
  linkedPostQuery,
  organizer,
  PUBLIC,
  put,
  removed,
  saved,
  venue,
} from '../support/documents.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';

const coming = suite('coming events in Redis');

let server: RedisServer;
let model: RedisReadModel;
coming.before(async () => {
  server = await startRedisServer();
  model = await openRedisReadModel({ url: server.url, fingerprint: 'test' });
});
coming.after(async () => {
  await model.close();
  await server.stop();
});

const HOUR = 3_600;
const links = fc
  .uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 2 })
  .map((ids) => ids.map((id) => ({ id, life: 0 })));
const changes = fc.record({
  id: fc.integer({ min: 100, max: 140 }),
  startsAt: fc.integer({ min: 0, max: 500 }).map((hours) => hours * HOUR),
  length: fc.constantFrom(0, HOUR, 2 ** 14 - 1, 2 ** 14, 30 * HOUR, 300 * HOUR),
  status: fc.constantFrom<EventDocument['status']>('publish', 'publish', 'publish', 'draft', 'trash'),
  hidden: fc.integer({ min: 0, max: 5 }).map((one) => one === 0),
  protected: fc.integer({ min: 0, max: 5 }).map((one) => one === 0),
  featured: fc.boolean(),
  venues: links,
  organizers: links.map((all) => all.map(({ id, life }) => ({ id: id + 10, life }))),
  gone: fc.integer({ min: 0, max: 7 }).map((one) => one === 0),
});
const histories = fc.array(fc.array(changes, { maxLength: 40, size: 'max' }), { minLength: 1, maxLength: 6 });

const inOrder = (one: EventDocument, other: EventDocument) =>
  one.startsAt - other.startsAt || one.date - other.date || one.id - other.id;

coming('posts with a coming event, and events that are not over, are those that all of them, looked at, give', () =>
  fc.assert(
    fc.asyncProperty(
      histories,
      fc.array(fc.integer({ min: 0, max: 550 }), { maxLength: 8 }),
      async (history, hours) => {
        await model.clear();
        const ids = [1, 2, 3, 4, 5, 6];
        await put(model, ...ids.map((id) => saved(venue(id))), ...ids.map((id) => saved(organizer(id + 10))));
        const calendar = new Map<number, EventDocument>();
        for (const batch of history) {
          const last = new Map(batch.map((change) => [change.id, change]));
          const documents = [...last.values()].map(({ id, length, gone, ...members }) => {
            const one = event(id, { ...members, endsAt: members.startsAt + length });
            if (gone) calendar.delete(id);
            else calendar.set(id, one);
            return gone ? removed('event', id) : saved(one);
          });
          await put(model, ...documents);
        }
        const seen = [...calendar.values()].filter(({ status, hidden }) => status === 'publish' && !hidden);
        for (const from of hours.map((hour) => hour * HOUR)) {
          for (const [kind, linked] of [
            ['venue', 'venues'],
            ['organizer', 'organizers'],
          ] as const) {
            const query = linkedPostQuery({
              kind,
              page: { offset: 0, limit: 20 },
              upcoming: { from, visibility: PUBLIC },
            });
            const { items } = await model.listLinkedPosts(query);
            const expected = new Set(
              seen
                .filter((one) => one.startsAt >= from && !one.protected)
                .flatMap((one) => one[linked].map(({ id }) => id)),
            );
            assert.equal(items.map(({ id }) => id).sort(), [...expected].sort(), `${kind} from ${from}`);
          }
          for (const featured of [undefined, true]) {
            const query = eventQuery({
              bounds: { endsAfter: from },
              page: { offset: 3, limit: 7 },
              ...(featured ? { featured } : {}),
            });
            const { items, total } = await model.listEvents(query);
            const all = seen.filter((one) => one.endsAt > from && (!featured || one.featured)).sort(inOrder);
            const found = { total, ids: items.map(({ id }) => id) };
            assert.equal(
              found,
              { total: all.length, ids: all.slice(3, 10).map(({ id }) => id) },
              `after ${from}, ${featured}`,
            );
          }
        }
      },
    ),
    { numRuns: 120, seed: 20_270_314 },
  ),
);

coming.run();
