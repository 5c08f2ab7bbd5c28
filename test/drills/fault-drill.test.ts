// The drill: projectors and APIs are killed again and again, in mid-batch and in mid-write, while clients write. In the
// end nothing that was acknowledged is lost, nothing is there twice, and the views are those of a rebuild.
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Deployment, startDeployment } from '../support/deployment.ts';
import { assertNothingLost, drillWriters, type Writers, type Writing } from '../support/drill-writers.ts';
import { waitFor } from '../support/eventstoredb-given.ts';
import type { Serving } from '../support/process.ts';

/** Kills of each kind; `npm run drills` asks for 200. */
const ROUNDS = Number(process.env.DAYBOOK_DRILL_ROUNDS ?? 1);
/** A kill comes within so many milliseconds after the first sign of work. */
const KILL_WITHIN_MS = 25;
const WRITES_BEFORE_THE_END = 12;

interface Context {
  deployment: Deployment;
  writers: Writers;
  api: Serving;
  clients: readonly Writing[];
}

const test = suite<Context>('fault drill');

test.before(async (context) => {
  context.deployment = await startDeployment();
});
test.after(({ deployment }) => deployment.close());

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
  context.writers = drillWriters(api.token ?? '');
  const { writeOne, writing } = context.writers;
  while (!(await writeOne(api)));
  await first.kill();
  // Answers come without views: after the deadline, with a word about it. Many clients make up for it.
  context.api = api;
  context.clients = [writing(api), writing(api), writing(api)];
});

for (let round = 1; round <= ROUNDS; round++)
  test(`a projector is killed in the middle of its work, ${round} of ${ROUNDS}`, async ({ deployment }) => {
    const before = await checkpointIn(deployment);
    const projector = await deployment.start('projector');
    while ((await checkpointIn(deployment)) === before) await sleep(1);
    await randomPause();
    await projector.kill();
  });

test('these clients had answers, and a projector starts once more', async ({ api, clients, deployment, writers }) => {
  await Promise.all(clients.map((client) => client.end()));
  await api.kill();
  assert.ok(writers.told.size > ROUNDS, 'there was something to project');
  await deployment.start('projector');
});

for (let round = 1; round <= ROUNDS; round++)
  test(`an API is killed while it writes, ${round} of ${ROUNDS}`, async ({ deployment, writers }) => {
    const api = await deployment.start('api');
    const clients = writers.writing(api);
    await waitFor(() => clients.acknowledged() >= WRITES_BEFORE_THE_END);
    await randomPause();
    await api.kill();
    await clients.end();
  });

test('then everything that was acknowledged is there, once, and the views are those of a rebuild', async ({
  deployment,
  writers: { told },
}) => {
  assert.ok(told.size >= ROUNDS * WRITES_BEFORE_THE_END);
  await assertNothingLost(deployment, told);
});

test.run();
