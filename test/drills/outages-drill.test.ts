// The drill of stores that go away: cut, stalled, stopped, flushed, full, refusing to write, killed, again and again,
// while clients write and read. After each of them nothing that was acknowledged is lost, nothing is there twice, and the
// views are those of a rebuild.
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Deployment, startDeployment } from '../support/deployment.ts';
import { assertNothingLost, drillWriters, soon, WITH_THE_SAME_STORES, type Writers } from '../support/drill-writers.ts';
import type { Serving } from '../support/process.ts';
import { ON_ANY_DAY } from '../support/service.ts';

/** Outages in all; `npm run drills` asks for 200. Which comes when is drawn, so that no two follow each other always. */
const ROUNDS = Number(process.env.DAYBOOK_DRILL_ROUNDS ?? 1);
const WRITES_BEFORE = 12;
const WRITES_AFTER = 6;
/** An outage lasts for at most so long, and the next comes at most so long after the last writes. */
const LASTS_MS = 1_500;
const WITHIN_MS = 50;

/** Makes a store go away, and answers what brings it back. */
type Outage = (deployment: Deployment) => Promise<() => Promise<void>>;

const told =
  (...words: readonly [string, ...string[]]) =>
  ({ redis }: Deployment): Promise<void> =>
    redis.with(async (connection) => void (await connection.call(...words)));

const OUTAGES: Readonly<Record<string, Outage>> = {
  'the log is cut off': async ({ events }) => {
    events.dropConnections();
    return async () => {};
  },
  'the log is stalled': async ({ events }) => {
    events.stall();
    return async () => events.resume();
  },
  'the log is stopped': async ({ events }) => {
    await events.stop();
    return () => events.start();
  },
  'Redis is cut off': async (deployment) => {
    await told('CLIENT', 'KILL', 'TYPE', 'normal')(deployment);
    return async () => {};
  },
  'Redis is stalled': async (deployment) => {
    await told('CLIENT', 'PAUSE', String(LASTS_MS), 'ALL')(deployment);
    return async () => {};
  },
  'Redis is flushed': async (deployment) => {
    await told('FLUSHALL')(deployment);
    return async () => {};
  },
  'Redis is full': async (deployment) => {
    await told('CONFIG', 'SET', 'maxmemory', '1')(deployment);
    return () => told('CONFIG', 'SET', 'maxmemory', '0')(deployment);
  },
  // As a replica does that has lost its leader.
  'Redis refuses to write': async (deployment) => {
    await told('REPLICAOF', '127.0.0.1', '1')(deployment);
    return () => told('REPLICAOF', 'NO', 'ONE')(deployment);
  },
  'Redis is killed and has kept nothing': async ({ redis }) => {
    await redis.stop();
    return () => redis.restart();
  },
};

interface Context {
  deployment: Deployment;
  apis: Serving[];
  writers: Writers;
}

const test = suite<Context>('drill of stores that go away');

async function begin(context: Context): Promise<void> {
  const deployment = await startDeployment();
  context.deployment = deployment;
  await deployment.start('projector');
  context.apis = [await deployment.start('api'), await deployment.start('api')];
  context.writers = drillWriters(context.apis.map(({ token }) => token).find((token) => token !== null) ?? '');
}

test.before(begin);
test.after(({ deployment }) => deployment.close());

/** An event that was acknowledged is there, or the answer says when to come back; a list is never empty. */
async function readOnce({ api }: Serving, acknowledged: ReadonlyMap<number, string>): Promise<void> {
  const [id, title] = [...acknowledged][Math.floor(Math.random() * acknowledged.size)] ?? [0, ''];
  const one = await fetch(`${api}/events/${id}`);
  const text = await one.text();
  if (one.status === 200) assert.is((JSON.parse(text) as { title: string }).title, title);
  else assert.equal([one.status, one.headers.has('retry-after')], [503, true], text);
  const list = await fetch(`${api}/events?per_page=5&page=1&${ON_ANY_DAY}&search=drill`);
  const answer = await list.text();
  if (list.status === 200) assert.ok((JSON.parse(answer) as { total: number }).total > 0, answer);
  else assert.equal([list.status, list.headers.has('retry-after')], [503, true], answer);
}

function reading(api: Serving, acknowledged: ReadonlyMap<number, string>): { end(): Promise<number> } {
  let isOver = false;
  let reads = 0;
  const all = (async () => {
    for (; !isOver; reads++) {
      await readOnce(api, acknowledged);
      await sleep(20);
    }
  })();
  return {
    async end() {
      isOver = true;
      await all;
      return reads;
    },
  };
}

const drawn = (): readonly [string, Outage] => {
  const all = Object.entries(OUTAGES);
  const one = all[Math.floor(Math.random() * all.length)];
  if (!one) throw new Error('there are outages');
  return one;
};

for (let round = 1; round <= ROUNDS; round++) {
  const [what, outage] = drawn();
  test(`${what}, ${round} of ${ROUNDS}`, async (context) => {
    if (round > 1 && round % WITH_THE_SAME_STORES === 1) {
      await context.deployment.close();
      await begin(context);
    }
    const { deployment, apis, writers } = context;
    await soon(() => writers.writeOne(apis[0] as Serving), 'the first is written');
    const writing = apis.map((api) => writers.writing(api));
    const readers = apis.map((api) => reading(api, writers.told));
    const acknowledged = (): number => writing.reduce((sum, clients) => sum + clients.acknowledged(), 0);
    await soon(() => acknowledged() >= WRITES_BEFORE, 'clients write');
    await sleep(Math.random() * WITHIN_MS);
    const bringBack = await outage(deployment);
    await sleep(Math.random() * LASTS_MS);
    await bringBack();
    const then = acknowledged();
    await soon(() => acknowledged() >= then + WRITES_AFTER, 'clients write again');
    await Promise.all(writing.map((clients) => clients.end()));
    for (const reader of readers) assert.ok((await reader.end()) > 0);
    await soon(async () => (await fetch(`${apis[0]?.address}/readyz`)).ok, 'ready again');
    await assertNothingLost(deployment, writers.told);
  });
}

test.run();
