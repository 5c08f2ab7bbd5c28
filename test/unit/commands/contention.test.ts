// Many writers of the same: contention costs order, not errors.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { changeCalendarEvent, createCalendarEvent } from '../../../src/calendar/event/commands/events.ts';
import { createLinkedPost, ORGANIZERS } from '../../../src/calendar/linked-post/commands/linked-posts.ts';
import { MAX_WAITING } from '../../../src/commands/write-turns.ts';
import { EventStoreUnavailable } from '../../../src/log/event-store.ts';
import { elsewhere, openWorld, refusal, type World, written } from '../../support/given.ts';

const test = suite<{ world: World }>('contention');
test.before.each((context) => {
  context.world = openWorld();
});
test.after.each(({ world }) => world.store.close());

const TIMES = { start: '2026-05-01 10:00:00', end: '2026-05-01 11:00:00' } as const;
const create = ({ dependencies, context }: World) =>
  createCalendarEvent(dependencies, context(), { title: 'Same', times: TIMES });
const describe = ({ dependencies, context }: World, id: number, description: string, ifRevision?: number) =>
  changeCalendarEvent(dependencies, context({ ifRevision }), id, { description });
const numbered = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test('changes of one event at once are written in the order in which they came, each in one append', async ({
  world,
}) => {
  const { id } = await written(create(world));
  const before = world.appends;
  await Promise.all(numbered(64).map((number) => written(describe(world, id, `by ${number}`))));
  assert.is(world.appends - before, 64);
  const told = (await world.store.readStream(`event-${id}`)).slice(2).map(({ data }) => data);
  assert.equal(
    told,
    numbered(64).map((number) => ({ description: `by ${number}`, excerpt: '' })),
  );
});

test('creations of one title at once get all suffixes, and ids without gaps', async ({ world }) => {
  let reads = 0;
  const counted: World = {
    ...world,
    dependencies: {
      ...world.dependencies,
      store: {
        ...world.dependencies.store,
        readStream(stream, options) {
          reads += 1;
          return world.store.readStream(stream, options);
        },
      },
    },
  };
  const made = await Promise.all(numbered(200).map(() => written(create(counted))));
  const wanted = numbered(200).map((number) => (number === 0 ? 'same' : `same-${number + 1}`));
  assert.equal(made.map(({ state }) => state.slug).sort(), wanted.sort());
  assert.equal(
    made.map(({ id }) => id).sort((one, other) => one - other),
    numbered(200).map((number) => number + 1),
  );
  assert.is(world.appends, 200);
  assert.ok(reads < 2_000, `${reads} reads`);
});

test('creations of one name at once come upon the first', async ({ world }) => {
  const made = await Promise.all(
    numbered(40).map(() =>
      written(createLinkedPost(world.dependencies, world.context(), ORGANIZERS, { name: 'Choir' })),
    ),
  );
  assert.is(new Set(made.map(({ id }) => id)).size, 1);
  assert.is(made.filter(({ created }) => created).length, 1);
});

test('writers of two processes all get through', async ({ world }) => {
  const { id } = await written(create(world));
  const both = [world, elsewhere(world)];
  const changes = numbered(64).map((number) => written(describe(both[number % 2] ?? world, id, `by ${number}`)));
  const creations = numbered(64).map((number) => written(create(both[number % 2] ?? world)));
  await Promise.all(changes);
  assert.is((await world.store.readStream(`event-${id}`)).length, 2 + 64);
  const slugs = (await Promise.all(creations)).map(({ state }) => state.slug);
  assert.is(new Set(slugs).size, 64);
});

test('a writer with an expected revision does not wait', async ({ world }) => {
  const { id, revision } = await written(create(world));
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  world.onAppend = async (_appends, pass) => {
    await gate;
    return pass();
  };
  const changes = numbered(5).map((number) => written(describe(world, id, `by ${number}`)));
  await nextTurn();
  assert.equal(await refusal(describe(world, id, 'x', revision - 1)), { code: 'precondition_failed' });
  world.onAppend = (_appends, pass) => pass();
  const insisting = await written(describe(world, id, 'first', revision));
  assert.is(insisting.revision, revision + 1);
  open();
  await Promise.all(changes);
});

test('beyond the limit of waiting writers the next is refused as busy', async ({ world }) => {
  const { id } = await written(create(world));
  const changes = numbered(MAX_WAITING + 5).map((number) => describe(world, id, `by ${number}`));
  const answers = await Promise.all(changes);
  const refusals = answers.flatMap((answer) => (answer.kind === 'rejected' ? [answer.rejection.code] : []));
  assert.equal(refusals, ['busy', 'busy', 'busy', 'busy']);
});

test('an unavailable store fails all writers that wait', async ({ world }) => {
  const { id } = await written(create(world));
  const before = world.appends;
  world.onAppend = async () => {
    throw new EventStoreUnavailable('away');
  };
  const changes = await Promise.allSettled(numbered(20).map((number) => describe(world, id, `by ${number}`)));
  assert.ok(changes.every(({ status }) => status === 'rejected'));
  assert.is(world.appends - before, 1);
});

test.run();
