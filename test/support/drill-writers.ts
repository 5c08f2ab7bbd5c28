// Clients that write during a drill and remember what was acknowledged, and the look afterwards: nothing of it is lost,
// nothing is there twice, and the views are those of a rebuild.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import * as assert from 'uvu/assert';
import { allProjections } from '../../projections/catalogue.ts';
import { openStores } from '../../src/composition.ts';
import { readConfig } from '../../src/config.ts';
import { catchUp } from '../../src/read-model/projector/catch-up.ts';
import { openRedisReadModel } from '../../src/read-model/redis/open.ts';
import type { Deployment } from './deployment.ts';
import type { Serving } from './process.ts';
import { dumpViews, firstDifference } from './redis-dump.ts';
import { someEvent } from './service.ts';

export interface Writing {
  readonly acknowledged: () => number;
  end(): Promise<void>;
}

export interface Writers {
  /** Titles that were acknowledged, by the id that each was given. */
  readonly told: ReadonlyMap<number, string>;
  /**
   * Writes an event with a venue of its own. True if that was acknowledged: on a busy machine, and without its stores, a
   * process may answer that it cannot write in time. Without an answer it is unknown whether it was written.
   */
  writeOne(api: Serving): Promise<boolean>;
  /** Clients that write until they are told to end, or until the process that they write to has gone. */
  writing(api: Serving): Writing;
}

const CLIENTS = 6;

/** Stores and processes are new after so many rounds, since each rebuild takes in everything that was written before. */
export const WITH_THE_SAME_STORES = 20;

/** Only a service that has lost something, or that does not recover, takes that long. */
const PATIENCE_MS = 60_000;

/** Resolves when it is so; rejects when it has not been for a minute. */
export async function soon(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const begun = performance.now();
  while (!(await isSo())) {
    assert.ok(performance.now() - begun < PATIENCE_MS, `${what}: not so after ${PATIENCE_MS} ms`);
    await sleep(10);
  }
}

/** `token`: of who may write. */
export function drillWriters(token: string): Writers {
  const told = new Map<number, string>();
  let written = 0;

  async function writeOne({ api }: Serving): Promise<boolean> {
    const number = ++written;
    const title = `Drill ${number}`;
    const answer = await fetch(`${api}/events`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': `drill-${number}`,
      },
      body: JSON.stringify(someEvent({ title, venue: { venue: `Barn ${number}` }, tags: [`tag ${number % 7}`] })),
    });
    const text = await answer.text();
    if (answer.status === 503) return false;
    if (answer.status !== 201) throw new Error(`${answer.status}: ${text}`);
    const { id } = JSON.parse(text) as { id: number };
    told.set(id, title);
    return true;
  }

  function writing(api: Serving): Writing {
    let acknowledged = 0;
    let isOver = false;
    async function client(): Promise<void> {
      while (!isOver) {
        try {
          if (await writeOne(api)) acknowledged++;
        } catch (error) {
          if (api.child.signalCode === null && api.child.exitCode === null && !isFetchFailure(error)) throw error;
          return;
        }
      }
    }
    const all = Promise.all(Array.from({ length: CLIENTS }, client));
    return {
      acknowledged: () => acknowledged,
      async end() {
        isOver = true;
        await all;
      },
    };
  }

  return { told, writeOne, writing };
}

const isFetchFailure = (error: unknown): boolean => error instanceof TypeError;

/** `told`: titles by id. Nothing may be written meanwhile. */
export async function assertNothingLost(deployment: Deployment, told: ReadonlyMap<number, string>): Promise<void> {
  const stores = await openStores(readConfig(deployment.settings));
  await deployment.redis.with(forgetRebuilt);
  const rebuilt = await openRedisReadModel({ url: deployment.redis.url, fingerprint: 'rebuilt', name: 'rebuilt' });
  try {
    await stores.project();
    const documents = await stores.readModel.fetch([...told.keys()].map((id) => ({ kind: 'event', id })));
    const titles = documents.map((document) => (document?.kind === 'event' ? document.title : null));
    assert.equal(titles, [...told.values()]);
    await catchUp(stores.store, rebuilt.forProjector, allProjections(stores.rendering));
    await deployment.redis.with(async (redis) => {
      const views = await dumpViews(redis, 'daybook');
      assert.ok(views.size > told.size, 'there is something to compare');
      assert.is(firstDifference(views, await dumpViews(redis, 'rebuilt')), null);
      assertWhole(views);
    });
  } finally {
    await rebuilt.close();
    await stores.close();
  }
}

/** What an earlier look has built would only be carried on. */
async function forgetRebuilt(redis: Redis): Promise<void> {
  const keys = await redis.keys('*rebuilt*');
  if (keys.length > 0) await redis.unlink(...keys);
}

/** Every event came with a venue of its own, so there are as many of one as of the other, and no name is there twice. */
function assertWhole(views: ReadonlyMap<string, unknown>): void {
  const bodies = [...views].filter(([key]) => /^:b:[ev]\d+$/.test(key));
  const names = bodies.map(([, body]) => /(?:Drill|Barn) \d+/.exec(String(body))?.[0]);
  const events = names.filter((name) => name?.startsWith('Drill'));
  const venues = names.filter((name) => name?.startsWith('Barn'));
  assert.is(new Set(events).size, events.length, 'no event twice');
  assert.is(new Set(venues).size, venues.length, 'no venue twice');
}
