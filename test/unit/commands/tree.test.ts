// Categories and events that belong to others: no race may make a circle, and one of an older log is open everywhere.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { changeCalendarEvent, createCalendarEvent } from '../../../src/calendar/event/commands/events.ts';
import { effectiveParent, loadEvent, loadTerm } from '../../../src/calendar/resource/commands/references.ts';
import { changeTermOf, createTermOf, deleteTermOf } from '../../../src/calendar/term/commands/terms.ts';
import { revertTermOf } from '../../../src/editorial/reverts/commands/revert-term.ts';
import type { NewEvent } from '../../../src/log/envelope.ts';
import { openWorld, refusal, type World, written } from '../../support/given.ts';

const test = suite<{ world: World }>('trees in the log');
test.before.each((context) => {
  context.world = openWorld();
});
test.after.each(({ world }) => world.store.close());

const category = async ({ dependencies, context }: World, parent = 0): Promise<number> =>
  (await written(createTermOf(dependencies, context(), 'category', { name: `C${Math.random()}`, parent }))).id;
const tryMove = ({ dependencies, context }: World, id: number, parent: number) =>
  changeTermOf(dependencies, context(), 'category', id, { parent });
const TIMES = { start: '2026-05-01 10:00:00', end: '2026-05-01 11:00:00' } as const;
const event = async ({ dependencies, context }: World, parent: number | null = null): Promise<number> => {
  const input = { title: 'Part', times: TIMES, parent };
  return (await written(createCalendarEvent(dependencies, context(), input))).id;
};
const tryPlace = ({ dependencies, context }: World, id: number, parent: number | null) =>
  changeCalendarEvent(dependencies, context(), id, { parent });

const parentOfCategory = async ({ store }: World, id: number): Promise<number> => {
  const term = await loadTerm(store, 'category', id);
  return term ? effectiveParent(store, term) : 0;
};
const parentOfEvent = async ({ store }: World, id: number): Promise<number> =>
  (await loadEvent(store, id))?.parent ?? 0;

/** Whether something stands above itself, as written. */
async function hasCircle(ids: readonly number[], parentOf: (id: number) => Promise<number>): Promise<boolean> {
  for (const id of ids) {
    const seen = new Set<number>();
    for (let at = id; at !== 0; at = await parentOf(at)) {
      if (seen.has(at)) return true;
      seen.add(at);
    }
  }
  return false;
}

/** Makes each stand under the next one and the last under the first, at once. */
const inARing = <T>(ids: readonly number[], move: (id: number, parent: number) => Promise<T>): Promise<T[]> =>
  Promise.all(ids.map((id, index) => move(id, ids[(index + 1) % ids.length] ?? 0)));

/** Writes into the log what no command writes. */
async function record({ store, dependencies, context }: World, stream: string, type: string, data: NewEvent['data']) {
  const { now, correlationId } = context();
  const metadata = {
    actor: { id: null, name: 'an older version' },
    instant: new Date(now * 1000).toISOString(),
    correlationId,
    causationId: correlationId,
  };
  const last = (await store.readStream(stream)).at(-1);
  const event = { id: dependencies.newEventId(), type, schemaVersion: 1, data, metadata };
  await store.append([{ stream, expected: last?.revision ?? 'no_stream', events: [event] }]);
}

const lastRevision = async ({ store }: World, id: number): Promise<number> =>
  (await store.readStream(`event-${id}`)).at(-1)?.revision ?? -1;

test('categories that are moved below each other at once make no circle', async ({ world }) => {
  for (const size of [2, 2, 3, 5]) {
    const ids = [];
    for (let count = 0; count < size; count += 1) ids.push(await category(world));
    const answers = await inARing(ids, (id, parent) => written(tryMove(world, id, parent)));
    const asWritten = async (id: number) => (await loadTerm(world.store, 'category', id))?.parent ?? 0;
    assert.not(await hasCircle(ids, asWritten));
    assert.is(answers.filter(({ state }) => state.parent === 0).length, 1, 'the last to come goes to the top');
  }
});

test('events that are placed under each other at once make no circle: the last is refused', async ({ world }) => {
  for (const size of [2, 2, 3, 5]) {
    const ids = [];
    for (let count = 0; count < size; count += 1) ids.push(await event(world));
    const answers = await inARing(ids, (id, parent) => tryPlace(world, id, parent));
    assert.not(await hasCircle(ids, (id) => parentOfEvent(world, id)));
    const refused = answers.flatMap((answer) => (answer.kind === 'rejected' ? [answer.rejection] : []));
    assert.equal(refused, [{ code: 'invalid_parameter', parameter: 'post_parent' }]);
  }
});

test('a move that is reserved and not written yet counts as if it were, for a minute', async ({ world }) => {
  const [one, other] = [await event(world), await event(world)];
  await record(world, 'tree-event', 'MoveReserved', {
    id: one,
    parent: other,
    revision: await lastRevision(world, one),
  });
  assert.is((await refusal(tryPlace(world, other, one))).code, 'invalid_parameter');
  const later = world.context({ now: world.context().now + 61 });
  await written(changeCalendarEvent(world.dependencies, later, other, { parent: one }));
});

test('a move that was reserved and lost is no obstacle once its child has changed', async ({ world }) => {
  const [one, other] = [await event(world), await event(world)];
  await record(world, 'tree-event', 'MoveReserved', {
    id: one,
    parent: other,
    revision: await lastRevision(world, one),
  });
  await written(changeCalendarEvent(world.dependencies, world.context(), one, { title: 'Another' }));
  await written(tryPlace(world, other, one));
});

test('what changes nothing or goes to the top reserves nothing', async ({ world }) => {
  const [top, child] = [await event(world), await event(world)];
  await written(tryPlace(world, child, top));
  await written(tryPlace(world, child, top));
  await written(tryPlace(world, child, null));
  assert.equal(await world.typesIn('tree-event'), ['MoveReserved']);
});

test('a deleted category is not restored under one of its descendants', async ({ world }) => {
  const top = await category(world);
  const middle = await category(world, top);
  await written(tryMove(world, middle, 0));
  const low = await category(world, middle);
  await written(deleteTermOf(world.dependencies, world.context(), 'category', middle));
  await written(tryMove(world, top, low));
  // At its first revision it stood under what stands below it by now, past the place that it left.
  const refused = await refusal(revertTermOf(world.dependencies, world.context(), 'category', middle, 0));
  assert.is(refused.code, 'revert_conflict');
});

test('a circle of categories in the log is open at its lowest id, and stays open when another leaves it', async ({
  world,
}) => {
  const ids = [await category(world), await category(world), await category(world)];
  const [one = 0, two = 0, three = 0] = ids;
  await record(world, `category-${one}`, 'CategoryMoved', { parent: two });
  await record(world, `category-${two}`, 'CategoryMoved', { parent: three });
  await record(world, `category-${three}`, 'CategoryMoved', { parent: one });
  const parents = () => Promise.all(ids.map((id) => parentOfCategory(world, id)));
  assert.equal(await parents(), [0, three, one]);
  await written(tryMove(world, one, three));
  assert.equal(await parents(), [0, three, one], 'still no place for it');
  await written(tryMove(world, three, 0));
  assert.equal(await parents(), [0, three, 0]);
});

test('a circle of events in the log is open for writers, and stays open when one leaves it', async ({ world }) => {
  const [one, two] = [await event(world), await event(world)];
  await record(world, `event-${one}`, 'EventPlacedUnder', { parent: two });
  await record(world, `event-${two}`, 'EventPlacedUnder', { parent: one });
  const other = await event(world);
  await written(tryPlace(world, other, one));
  assert.is((await refusal(tryPlace(world, one, other))).code, 'invalid_parameter');
  await written(tryPlace(world, two, other));
  assert.equal([await parentOfEvent(world, one), await parentOfEvent(world, two)], [0, other]);
});

test.run();
