import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { changeCalendarEvent } from '../../../src/calendar/event/commands/events.ts';
import { loadEvent } from '../../../src/calendar/resource/commands/references.ts';
import type { CommandContext } from '../../../src/commands/context.ts';
import { REVERTER, revertCorrelation } from '../../../src/editorial/reverts/commands/revert-correlation.ts';
import { touchedBy } from '../../../src/editorial/reverts/commands/touched.ts';
import { createRepeatingEvent } from '../../../src/editorial/series/commands/create.ts';
import { withOccurrences } from '../../../src/editorial/series/facts/occurrences.ts';
import { HOUR, NOW, openWorld, type World, written } from '../../support/given.ts';

const test = suite<{ world: World }>('reverting a request that created a series');
test.before.each((context) => {
  context.world = openWorld();
});
test.after.each(({ world }) => world.store.close());

const X = { correlationId: 'x' };

/** Its dates have one id after the other. */
async function opened(world: World) {
  const store = withOccurrences(world.store);
  const commands = { ...world.dependencies, store };
  const input = { title: 'Choir', times: { start: '2027-03-01 20:00:00', end: '2027-03-01 22:00:00' } };
  const rules = ['FREQ=WEEKLY;COUNT=3'];
  const { id } = await written(createRepeatingEvent(commands, world.context(X), input, { rules }));
  const statuses = async () => {
    const events = await Promise.all([id, id + 1, id + 2].map((one) => loadEvent(store, one)));
    return events.map((event) => event?.status);
  };
  const change = (title: string, told: Partial<CommandContext>) =>
    written(changeCalendarEvent(commands, world.context(told), id + 1, { title }));
  return { id, store, commands, statuses, change };
}

async function takeBack(world: World, { store, commands }: Awaited<ReturnType<typeof opened>>): Promise<string[]> {
  const context = world.context({ caller: REVERTER, correlationId: 'run', now: NOW + HOUR });
  const touched = await touchedBy(store, 'x', () => {});
  const reverted = await revertCorrelation({ commands, correlationId: 'x', context }, touched, () => {});
  return reverted.map(({ resource, action, outcome }) => `${resource.stream} ${action} ${outcome.kind}`);
}

test('all of its dates go to the trash, and a second run finds nothing to do', async ({ world }) => {
  const series = await opened(world);
  assert.equal(await takeBack(world, series), [`event-${series.id} trash done`]);
  assert.equal(await series.statuses(), ['trash', 'trash', 'trash']);
  const before = world.appends;
  await takeBack(world, series);
  assert.is(world.appends, before);
});

test('so do dates that the request itself changed apart', async ({ world }) => {
  const series = await opened(world);
  await series.change('In the park', X);
  await takeBack(world, series);
  assert.equal(await series.statuses(), ['trash', 'trash', 'trash']);
});

test('a date that was changed later keeps the series', async ({ world }) => {
  const series = await opened(world);
  const before = await series.statuses();
  await series.change('Elsewhere', { correlationId: 'y' });
  assert.equal(await takeBack(world, series), [`event-${series.id} trash changed_later`]);
  assert.equal(await series.statuses(), before);
});

test.run();
