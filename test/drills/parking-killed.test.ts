// `kill -9` while a projector parks resources, and while it folds parked ones anew: what is kept of each is of one moment, and in
// the end that of a read model that was filled from nothing.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { NewEvent } from '../../src/log/envelope.ts';
import type { EventStore } from '../../src/log/event-store.ts';
import { ALL, type Document, type DocumentKey, parkedKey } from '../../src/read-model/documents.ts';
import { catchUp } from '../../src/read-model/projector/catch-up.ts';
import { canonical } from '../../src/read-model/projector/compare.ts';
import { replayParked } from '../../src/read-model/projector/parking.ts';
import { replay } from '../../src/read-model/projector/replay.ts';
import type { ReadModel } from '../../src/read-model/read-model.ts';
import { openSqliteReadModel } from '../../src/read-model/sqlite/open.ts';
import { newEvent } from '../support/events.ts';
import { working } from '../support/killed-process.ts';
import { openViews } from '../support/list-process.ts';
import { openParkingLog, type ParkingOrder, projectionsThatKnow, UNKNOWN_FACT } from '../support/parking-process.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { temporaryFolder } from '../support/service.ts';

/** `npm run drills` asks for 200. */
const ROUNDS = Number(process.env.DAYBOOK_DRILL_ROUNDS ?? 1);
/** Of each round; every other one is parked, more than are folded anew in one batch. */
const TAGS = 80;
/** A process is killed within this after its first batch, or after it has begun to fold anew. */
const WITHIN_MS = 60;

interface Context {
  redis: RedisServer;
  folder: string;
  remove: () => void;
}

const test = suite<Context>('parking while processes are killed');

test.before(async (context) => {
  Object.assign(context, temporaryFolder());
  context.redis = await startRedisServer();
});
test.after(async ({ redis, remove }) => {
  await redis.stop();
  remove();
});

const created = (id: number): NewEvent =>
  newEvent('TagCreated', { id, name: `Tag ${id}`, slug: `tag-${id}`, description: '', parent: 0 });
const renamed = (name: string): NewEvent => newEvent('TagRenamed', { name });

const isPoisoned = (id: number): boolean => id % 2 === 0;

/** Tags that are all there before any of them is poisoned, so that one batch parks several. */
async function write(store: EventStore, ids: readonly number[]): Promise<void> {
  await store.append(ids.map((id) => ({ stream: `tag-${id}`, expected: 'no_stream', events: [created(id)] })));
  await store.append(
    ids.map((id) => ({
      ...{ stream: `tag-${id}`, expected: 0 },
      events: isPoisoned(id) ? [newEvent(UNKNOWN_FACT), renamed(`Late ${id}`)] : [renamed(`Renamed ${id}`)],
    })),
  );
  // What is unknown of these may have taken them from readers.
  await store.append(
    ids
      .filter((id) => id % 4 === 0)
      .map((id) => ({ stream: `tag-${id}`, expected: 2, events: [newEvent('TagDeleted', {})] })),
  );
}

type Documents = readonly (Document | null)[];

async function kept(model: ReadModel, ids: readonly number[]): Promise<{ readonly tags: Documents; notes: Documents }> {
  const keys = ids.map((id): DocumentKey => ({ kind: 'tag', id }));
  const all = await model.fetch([...keys, ...keys.map(parkedKey)]);
  return { tags: all.slice(0, ids.length), notes: all.slice(ids.length) };
}

/** Each resource and its note are of the same moment. */
async function assertTogether(model: ReadModel, ids: readonly number[]): Promise<void> {
  const { tags, notes } = await kept(model, ids);
  const noted = await model.named('parked', ALL);
  for (const [index, id] of ids.entries()) {
    const [tag, note] = [tags[index] ?? null, notes[index]];
    if (note?.kind !== 'parked') {
      assert.is(tag?.parkedAt, undefined, `tag ${id} is marked without a note`);
      continue;
    }
    assert.ok(noted.includes(note.id), `the note of tag ${id} can be found`);
    assert.is(tag === null, note.withheld, `tag ${id} is withheld`);
    if (tag) assert.is(tag.parkedAt, note.at.position, `tag ${id} is marked`);
  }
}

async function killedAfter(lines: number, order: ParkingOrder): Promise<void> {
  const projector = working('parking-process.ts', order);
  await projector.said(lines);
  await sleep(Math.random() * WITHIN_MS);
  await projector.kill();
}

/** What a version that knows this much makes of the log, in a read model that is filled from nothing. */
async function filled(store: EventStore, knows: ParkingOrder['knows'], ids: readonly number[]): Promise<string> {
  const model = openSqliteReadModel({ file: ':memory:', fingerprint: 'test' });
  await replay(store, model, projectionsThatKnow(knows), { upTo: await store.head() });
  const found = canonical(await kept(model, ids));
  await model.close();
  return found;
}

async function killedAgain(folder: string, views: string, name: string): Promise<void> {
  const log = path.join(folder, `${name}.db`);
  const store = openParkingLog(log);
  const model = await openViews(views);
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const ids = Array.from({ length: TAGS }, (_, at) => round * TAGS + at + 1);
      await write(store, ids);
      // It has parked one.
      await killedAfter(2, { log, views, knows: 'not everything' });
      await assertTogether(model, ids);
      await catchUp(store, model, projectionsThatKnow('not everything'));
      assert.is(canonical(await kept(model, ids)), await filled(store, 'not everything', ids), 'parked');
      await killedAfter(1, { log, views, knows: 'everything' });
      await assertTogether(model, ids);
      await replayParked({ store, readModel: model, projections: projectionsThatKnow('everything') });
      assert.is(canonical(await kept(model, ids)), await filled(store, 'everything', ids), 'folded anew');
    }
  } finally {
    await model.close();
    await store.close();
  }
}

test('over SQLite', ({ folder }) => killedAgain(folder, path.join(folder, 'views.db'), 'log'));

test('over Redis', ({ folder, redis }) => killedAgain(folder, redis.url, 'log-of-redis'));

test.run();
