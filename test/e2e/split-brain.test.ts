// Two projectors that both believe they lead: nothing is lost, applied twice, or mixed up.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../projections/catalogue.ts';
import { createTermOf } from '../../src/calendar/term/commands/terms.ts';
import type { Lease } from '../../src/read-model/generations.ts';
import { catchUp } from '../../src/read-model/projector/catch-up.ts';
import { type Projector, startProjector } from '../../src/read-model/projector/projector.ts';
import { openRedisReadModel, type RedisReadModel } from '../../src/read-model/redis/open.ts';
import { NEW_YORK, openWorld, type World, written } from '../support/given.ts';
import { dumpViews, firstDifference } from '../support/redis-dump.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';

interface Context {
  world: World;
  redis: RedisServer;
  models: RedisReadModel[];
  projectors: Projector[];
}

const test = suite<Context>('two projectors that both lead');

const PROJECTIONS = allProjections({
  siteZone: NEW_YORK,
  signBefore: '$',
  signAfter: '',
  freeLabel: 'Free',
});
const SILENT = { warn: () => {}, error: () => {} };
const LONG_MS = 30_000;
const FINGERPRINT = 'test';
const TERMS = 300;

/** A lease that every process holds. */
const believed: Lease = { hold: async () => true, release: async () => {} };

test.before(async (context) => {
  context.world = openWorld();
  context.redis = await startRedisServer();
  context.models = [];
  context.projectors = [];
});
test.after(async ({ world, redis, models, projectors }) => {
  await Promise.all(projectors.map((projector) => projector.stop()));
  await Promise.all(models.map((model) => model.close()));
  await redis.stop();
  await world.store.close();
});

async function openModel({ redis, models }: Context, name?: string): Promise<RedisReadModel> {
  const model = await openRedisReadModel({ url: redis.url, fingerprint: FINGERPRINT, ...(name && { name }) });
  models.push(model);
  return model;
}

/** One that notes whether its batches were taken. */
async function startBeliever(context: Context, outcomes: string[]): Promise<Projector> {
  const model = (await openModel(context)).forProjector;
  const projector = startProjector({
    store: context.world.store,
    readModel: {
      ...model,
      async apply(batch) {
        const outcome = await model.apply(batch);
        outcomes.push(outcome);
        return outcome;
      },
    },
    projections: PROJECTIONS,
    lease: believed,
    log: SILENT,
  });
  context.projectors.push(projector);
  return projector;
}

test('their views are those of one that was alone, byte for byte', async (context) => {
  const { world, redis } = context;
  const outcomes: string[] = [];
  const both = await Promise.all([startBeliever(context, outcomes), startBeliever(context, outcomes)]);
  for (let at = 0; at < TERMS; at++)
    await written(createTermOf(world.dependencies, world.context(), 'category', { name: `Term ${at}` }));
  const head = await world.store.head();
  for (const projector of both) assert.ok(await projector.reached(head, LONG_MS));
  assert.ok(outcomes.includes('stale'), 'they have met');
  assert.ok(outcomes.includes('applied'));
  const alone = await openModel(context, 'alone');
  await catchUp(world.store, alone, PROJECTIONS);
  await redis.with(async (connection) => {
    const views = await dumpViews(connection, 'daybook');
    assert.ok(views.size > TERMS, 'there is something to compare');
    assert.is(firstDifference(views, await dumpViews(connection, 'alone')), null);
  });
});

test.run();
