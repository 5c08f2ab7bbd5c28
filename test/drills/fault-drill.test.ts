// The drill: projectors and APIs are killed again and again, in mid-batch and in mid-write, while clients write. In the
// end nothing that was acknowledged is lost, nothing is there twice, and the views are those of a rebuild.
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../projections/catalogue.ts';
import { catchUp } from '../../projections/engine/catch-up.ts';
import { openStores } from '../../src/composition.ts';
import { readConfig } from '../../src/config.ts';
import { openRedisReadModel } from '../../src/read-model/redis/open.ts';
import { type Deployment, startDeployment } from '../support/deployment.ts';
import { waitFor } from '../support/eventstoredb-given.ts';
import type { Serving } from '../support/process.ts';
import { dumpViews, firstDifference } from '../support/redis-dump.ts';
import { someEvent } from '../support/service.ts';

/** Kills of each kind; `npm run drills` asks for 200. */
const ROUNDS = Number(process.env.DAYBOOK_DRILL_ROUNDS ?? 1);
const CLIENTS = 6;
/** A kill comes within so many milliseconds after the first sign of work. */
const KILL_WITHIN_MS = 25;
const WRITES_BEFORE_THE_END = 12;

interface Writing {
  readonly acknowledged: () => number;
  end(): Promise<void>;
}

interface Context {
  deployment: Deployment;
  token: string;
  /** Titles that were acknowledged, by the id that each was given. */
  told: Map<number, string>;
  /** Names each write. */
  written: number;
  api: Serving;
  clients: readonly Writing[];
}

const test = suite<Context>('fault drill');

test.before(async (context) => {
  context.deployment = await startDeployment();
  context.told = new Map();
  context.written = 0;
});
test.after(({ deployment }) => deployment.close());

/**
 * Writes an event with a venue of its own. True if that was acknowledged: on a busy machine a process may answer that it
 * cannot reach its stores in time. Without an answer it is unknown whether it was written.
 */
async function writeOne(context: Context, { api }: Serving): Promise<boolean> {
  const number = ++context.written;
  const title = `Drill ${number}`;
  const answer = await fetch(`${api}/events`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${context.token}`,
      'content-type': 'application/json',
      'idempotency-key': `drill-${number}`,
    },
    body: JSON.stringify(someEvent({ title, venue: { venue: `Barn ${number}` }, tags: [`tag ${number % 7}`] })),
  });
  const text = await answer.text();
  if (answer.status === 503) return false;
  if (answer.status !== 201) throw new Error(`${answer.status}: ${text}`);
  const { id } = JSON.parse(text) as { id: number };
  context.told.set(id, title);
  return true;
}

/** Clients that write until they are told to end, or until the process that they write to has gone. */
function writing(context: Context, api: Serving): Writing {
  let acknowledged = 0;
  let isOver = false;
  async function client(): Promise<void> {
    while (!isOver) {
      try {
        if (await writeOne(context, api)) acknowledged++;
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

const isFetchFailure = (error: unknown): boolean => error instanceof TypeError;

const randomPause = (): Promise<void> => sleep(Math.random() * KILL_WITHIN_MS);

async function checkpointIn({ redis }: Deployment): Promise<string> {
  return redis.with(async (connection) => {
    const generation = await connection.get('daybook:live');
    return (await connection.hget(`{daybook:${generation}}:meta`, 'checkpoint')) ?? '';
  });
}

test('clients write while there is no projector', async (context) => {
  const { deployment } = context;
  const first = await deployment.start('projector');
  const api = await deployment.start('api');
  context.token = api.token ?? '';
  while (!(await writeOne(context, api)));
  await first.kill();
  // Answers come without views: after the deadline, with a word about it. Many clients make up for it.
  context.api = api;
  context.clients = [writing(context, api), writing(context, api), writing(context, api)];
});

for (let round = 1; round <= ROUNDS; round++)
  test(`a projector is killed in the middle of its work, ${round} of ${ROUNDS}`, async ({ deployment }) => {
    const before = await checkpointIn(deployment);
    const projector = await deployment.start('projector');
    while ((await checkpointIn(deployment)) === before) await sleep(1);
    await randomPause();
    await projector.kill();
  });

test('these clients had answers, and a projector starts once more', async ({ api, clients, deployment, told }) => {
  await Promise.all(clients.map((client) => client.end()));
  await api.kill();
  assert.ok(told.size > ROUNDS, 'there was something to project');
  await deployment.start('projector');
});

for (let round = 1; round <= ROUNDS; round++)
  test(`an API is killed while it writes, ${round} of ${ROUNDS}`, async (context) => {
    const api = await context.deployment.start('api');
    const clients = writing(context, api);
    await waitFor(() => clients.acknowledged() >= WRITES_BEFORE_THE_END);
    await randomPause();
    await api.kill();
    await clients.end();
  });

test('then everything that was acknowledged is there, once, and the views are those of a rebuild', async (context) => {
  const { deployment, told } = context;
  assert.ok(told.size >= ROUNDS * WRITES_BEFORE_THE_END);
  const stores = await openStores(readConfig(deployment.settings));
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
});

/** Every event came with a venue of its own, so there are as many of one as of the other, and no name is there twice. */
function assertWhole(views: ReadonlyMap<string, unknown>): void {
  const bodies = [...views].filter(([key]) => /^:b:[ev]\d+$/.test(key));
  const names = bodies.map(([, body]) => /(?:Drill|Barn) \d+/.exec(String(body))?.[0]);
  const events = names.filter((name) => name?.startsWith('Drill'));
  const venues = names.filter((name) => name?.startsWith('Barn'));
  assert.is(new Set(events).size, events.length, 'no event twice');
  assert.is(new Set(venues).size, venues.length, 'no venue twice');
}

test.run();
