// Processes that write to one read model and list from it are killed: while rows are read at the start, while changes are
// applied, while they are followed. No list that any process gives is of a state that was never written.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ReadModel } from '../../src/read-model/read-model.ts';
import { type Working, working } from '../support/killed-process.ts';
import { checkLists, type ListOrder, openViews, writeNext } from '../support/list-process.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { temporaryFolder } from '../support/service.ts';

/** `npm run drills` asks for 200. */
const ROUNDS = Number(process.env.DAYBOOK_DRILL_ROUNDS ?? 2);
/** A process is killed within this after it was started, so in the middle of anything. */
const WITHIN_MS = 300;

interface Context {
  redis: RedisServer;
  folder: string;
  remove: () => void;
}

const test = suite<Context>('lists while processes are killed');

test.before(async (context) => {
  Object.assign(context, temporaryFolder());
  context.redis = await startRedisServer();
});
test.after(async ({ redis, remove }) => {
  await redis.stop();
  remove();
});

async function batchOf(model: ReadModel): Promise<number> {
  return Number(await model.checkpoint()) - 1;
}

/** One that has followed all along and one that reads all rows agree, and say what was written last. */
async function assertRight(views: string, followed: ReadModel): Promise<void> {
  const fresh = await openViews(views);
  try {
    const last = await batchOf(fresh);
    assert.is(await checkLists(fresh), last, 'a new process');
    assert.is(await checkLists(followed), last, 'one that has followed');
  } finally {
    await fresh.close();
  }
}

async function killedAgain(views: string): Promise<void> {
  const followed = await openViews(views);
  const running: Working[] = [];
  const start = (as: ListOrder['as']): Working => {
    const order: ListOrder = { views, as };
    const one = working('list-process.ts', order);
    running.push(one);
    return one;
  };
  try {
    await writeNext(followed);
    await checkLists(followed);
    const survivor = start('reader');
    for (let round = 0; round < ROUNDS; round++) {
      const [writer, reader] = [start('writer'), start('reader')];
      // Both have begun to write and to read rows.
      await Promise.all([writer.said(2), reader.said(1), survivor.said(2)]);
      await sleep(Math.random() * WITHIN_MS);
      await Promise.all(round % 2 === 0 ? [writer.kill(), reader.kill()] : [reader.kill()]);
      if (round % 2 === 1) await writer.kill();
      await assertRight(views, followed);
    }
    await survivor.kill();
  } finally {
    await followed.close();
    await Promise.all(running.map((one) => one.kill()));
  }
}

test('of several processes over SQLite', ({ folder }) => killedAgain(path.join(folder, 'views.db')));

test('of several processes over Redis', ({ redis }) => killedAgain(redis.url));

test.run();
