import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../../projections/catalogue.ts';
import type { AnyProjection } from '../../../projections/projection.ts';
import { createLinkedPost, VENUES } from '../../../src/calendar/linked-post/commands/linked-posts.ts';
import { changeTermOf, createTermOf } from '../../../src/calendar/term/commands/terms.ts';
import type { Position } from '../../../src/log/envelope.ts';
import { parkedIn } from '../../../src/read-model/projector/parking.ts';
import { type Runner, type RunnerOptions, startRunner } from '../../../src/read-model/projector/runner.ts';
import type { ReadModel } from '../../../src/read-model/read-model.ts';
import { openSqliteReadModel } from '../../../src/read-model/sqlite/open.ts';
import { NEW_YORK, openWorld, type World, written } from '../../support/given.ts';

/** Far longer than anything here takes; nothing waits for it to pass. */
const LONG_MS = 30_000;

interface Context {
  world: World;
  model: ReadModel;
  runners: Runner[];
}

const test = suite<Context>('runner');
test.before.each((context) => {
  context.world = openWorld();
  context.model = openSqliteReadModel({ file: ':memory:', fingerprint: 'test' });
  context.runners = [];
});
test.after.each(async ({ world, model, runners }) => {
  await Promise.all(runners.map((runner) => runner.stop()));
  await model.close();
  await world.store.close();
});

const PROJECTIONS = allProjections({
  siteZone: NEW_YORK,
  signBefore: '$',
  signAfter: '',
  freeLabel: 'Free',
});

const SILENT = { warn: () => {}, error: () => {} };

function start(context: Context, options: Partial<RunnerOptions> = {}): Runner {
  const { world, model } = context;
  const runner = startRunner({
    store: world.store,
    readModel: model,
    projections: PROJECTIONS,
    log: SILENT,
    ...options,
  });
  context.runners.push(runner);
  return runner;
}

async function createTags(world: World, ...names: readonly string[]): Promise<Position> {
  let position = '';
  for (const name of names)
    position = (await written(createTermOf(world.dependencies, world.context(), 'tag', { name }))).position;
  return position;
}

const tagNames = async (model: ReadModel, count = 9): Promise<readonly string[]> => {
  const ids = Array.from({ length: count }, (_, index) => ({ kind: 'tag', id: index + 1 }) as const);
  return (await model.fetch(ids)).flatMap((tag) => (tag?.kind === 'tag' ? [tag.name] : []));
};

/** Says whether it is the first time. */
function once(): () => boolean {
  let isFirst = true;
  return () => {
    const was = isFirst;
    isFirst = false;
    return was;
  };
}

test('a runner applies what is there and what comes', async (context) => {
  const { world, model } = context;
  const first = await createTags(world, 'Loud', 'Late');
  const runner = start(context);
  assert.ok(await runner.reached(first, LONG_MS));
  assert.equal(await tagNames(model), ['Loud', 'Late']);
  const second = await createTags(world, 'New');
  assert.ok(await runner.reached(second, LONG_MS));
  assert.equal(await tagNames(model), ['Loud', 'Late', 'New']);
  assert.is(runner.status(), 'running');
  assert.ok(await runner.reached(first, 0));
});

test('others have their turn between folding a long text and writing it', async (context) => {
  const { world, model } = context;
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const [folded, applied]: number[][] = [[], []];
  const runner = start(context, {
    projections: PROJECTIONS.map((projection) => ({
      ...projection,
      document(...of: Parameters<AnyProjection['document']>) {
        folded?.push(turns);
        return projection.document(...of);
      },
    })),
    readModel: {
      ...model,
      apply(batch) {
        applied?.push(turns);
        return model.apply(batch);
      },
    },
  });
  for (const characters of [10, 200_000]) {
    const input = { name: 'Hall', description: 'x'.repeat(characters) };
    const { position } = await written(createLinkedPost(world.dependencies, world.context(), VENUES, input));
    assert.ok(await runner.reached(position, LONG_MS));
  }
  clearImmediate(next);
  const waited = applied?.map((at, index) => at - (folded?.[index] ?? at));
  assert.equal(
    waited?.map((count) => count >= 2),
    [false, true],
    String(waited),
  );
});

test('a position that does not come is not reached', async (context) => {
  const position = await createTags(context.world, 'Loud');
  const runner = start(context);
  assert.not(await runner.reached(`${position}9`, 1));
});

test('waiting for a runner that is stopped ends without the position', async (context) => {
  const position = await createTags(context.world, 'Loud');
  const runner = start(context);
  const waiting = runner.reached(`${position}9`, LONG_MS);
  await runner.stop();
  assert.not(await waiting);
});

test('a runner continues at the checkpoint of the read model', async (context) => {
  const { world, model } = context;
  const first = start(context);
  assert.ok(await first.reached(await createTags(world, 'Loud'), LONG_MS));
  await first.stop();
  const position = await createTags(world, 'Late');
  assert.equal(await tagNames(model), ['Loud']);
  assert.ok(await start(context).reached(position, LONG_MS));
  assert.equal(await tagNames(model), ['Loud', 'Late']);
});

test('two runners on one read model lose nothing and apply nothing twice', async (context) => {
  const { world, model } = context;
  let applied = 0;
  const counting: ReadModel = {
    ...model,
    async apply(batch) {
      const outcome = await model.apply(batch);
      if (outcome === 'applied') applied += 1;
      return outcome;
    },
  };
  const both = [1, 2].map(() => start(context, { readModel: counting, batchSize: 1 }));
  const names = Array.from({ length: 9 }, (_, index) => `Tag ${index}`);
  const position = await createTags(world, ...names);
  for (const runner of both) assert.ok(await runner.reached(position, LONG_MS));
  assert.equal(await tagNames(model), names);
  assert.is(applied, names.length);
});

test('a batch that came too late has not arrived', async (context) => {
  const { world, model } = context;
  const isFirst = once();
  let hasApplied = false;
  const late: ReadModel = {
    ...model,
    async apply(batch) {
      if (isFirst()) return 'stale';
      await new Promise((resolve) => setImmediate(resolve));
      const outcome = await model.apply(batch);
      hasApplied = true;
      return outcome;
    },
  };
  const position = await createTags(world, 'Loud');
  assert.ok(await start(context, { readModel: late }).reached(position, LONG_MS));
  assert.ok(hasApplied);
});

test('a subscription that ends by itself is a break: there is a pause before the next one', async (context) => {
  const { world } = context;
  const position = await createTags(world, 'Loud');
  const pauses: number[] = [];
  let begun = 0;
  const runner = start(context, {
    store: {
      ...world.store,
      async *subscribe(options) {
        begun += 1;
        if (begun > 2) yield* world.store.subscribe(options);
      },
    },
    log: { ...SILENT, warn: (details) => pauses.push((details as { pauseMs: number }).pauseMs) },
  });
  assert.ok(await runner.reached(position, LONG_MS));
  assert.equal([begun, pauses], [3, [100, 200]]);
});

test('a store that is closed under a runner does not make it spin', async (context) => {
  const { world } = context;
  let begun = 0;
  const runner = start(context, {
    store: {
      ...world.store,
      subscribe(options) {
        begun += 1;
        return world.store.subscribe(options);
      },
    },
  });
  assert.ok(await runner.reached(await createTags(world, 'Loud'), LONG_MS));
  await world.store.close();
  for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
  assert.equal([runner.status(), begun], ['waiting to try again', 1]);
});

test('a resource whose document cannot be made is as it was when it could be', async (context) => {
  const { world, model } = context;
  await createTags(world, 'Loud');
  const { position } = await written(changeTermOf(world.dependencies, world.context(), 'tag', 1, { name: 'Late' }));
  const failing: AnyProjection[] = PROJECTIONS.map((projection) => ({
    ...projection,
    document: (state, at) => {
      if ((state as { name: string }).name === 'Late') throw new Error('out of ink');
      return projection.document(state, at);
    },
  }));
  const runner = start(context, { projections: failing });
  assert.ok(await runner.reached(position, LONG_MS));
  assert.equal(await tagNames(model), ['Loud']);
  assert.equal(
    (await parkedIn(model)).map(({ why }) => why),
    ['out of ink'],
  );
});

test('a store that fails once is asked again', async (context) => {
  const { world, model } = context;
  const isFirst = once();
  const position = await createTags(world, 'Loud');
  const seen: string[] = [];
  const runner: Runner = start(context, {
    store: {
      ...world.store,
      subscribe(options) {
        if (isFirst()) throw new Error('gone for a moment');
        return world.store.subscribe(options);
      },
    },
    log: { ...SILENT, warn: () => seen.push(runner.status()) },
  });
  assert.ok(await runner.reached(position, LONG_MS));
  assert.equal(seen, ['waiting to try again']);
  assert.is(runner.status(), 'running');
  assert.equal(await tagNames(model), ['Loud']);
});

test('a read model that fails before or after it has applied a batch has it once', async (context) => {
  const { world, model } = context;
  const [isFirst, isSecond] = [once(), once()];
  const flaky: ReadModel = {
    ...model,
    async apply(batch) {
      if (isFirst()) throw new Error('gone before');
      const outcome = await model.apply(batch);
      if (isSecond()) throw new Error('gone after');
      return outcome;
    },
  };
  await createTags(world, 'Loud');
  const { position } = await written(changeTermOf(world.dependencies, world.context(), 'tag', 1, { name: 'Noisy' }));
  assert.ok(await start(context, { readModel: flaky }).reached(position, LONG_MS));
  const [tag] = await model.fetch([{ kind: 'tag', id: 1 }]);
  assert.equal([tag?.kind === 'tag' && tag.name, tag?.revision], ['Noisy', 1]);
});

test.run();
