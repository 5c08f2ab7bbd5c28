import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { changeRepeatingEvent } from '../../../src/editorial/series/commands/change.ts';
import { createRepeatingEvent } from '../../../src/editorial/series/commands/create.ts';
import { streamOfSeries } from '../../../src/editorial/series/commands/record.ts';
import { revertSeries } from '../../../src/editorial/series/commands/revert.ts';
import { completeSplits } from '../../../src/editorial/series/commands/split.ts';
import type { Series, SeriesFact } from '../../../src/editorial/series/domain/facts.ts';
import { evolveSeries } from '../../../src/editorial/series/domain/occurrences.ts';
import { withOccurrences } from '../../../src/editorial/series/facts/occurrences.ts';
import { fold } from '../../../src/log/envelope.ts';
import { HOUR, NOW, openWorld, type World, written } from '../../support/given.ts';

const test = suite<{ world: World }>('dates that move between two series');
test.before.each((context) => {
  context.world = openWorld();
});
test.after.each(({ world }) => world.store.close());

test('dates that a writer left to a series that had them before arrive there later, once', async ({ world }) => {
  const commands = { ...world.dependencies, store: withOccurrences(world.dependencies.store) };
  let count = 0;
  const context = () => {
    count += 1;
    return world.context({ correlationId: `request-${count}`, now: NOW + count });
  };
  const input = { title: 'Choir', times: { start: '2027-03-01 20:00:00', end: '2027-03-01 22:00:00' } };
  const { id, state } = await written(
    createRepeatingEvent(commands, context(), input, { rules: ['FREQ=WEEKLY;COUNT=4'] }),
  );
  const one = state.series?.id ?? 0;
  const split = await written(
    changeRepeatingEvent(commands, context(), id + 2, 'following', { input: { title: 'Big choir' } }),
  );
  const other = split.state.series?.id ?? 0;
  const datesOf = async (series: number): Promise<number[]> => {
    const read = await world.store.readStream(streamOfSeries(series));
    const found = fold<Series, SeriesFact>(read, evolveSeries);
    return [...(found?.dates.values() ?? [])].map((date) => date.id);
  };
  await written(revertSeries(commands, context(), one, 0));
  assert.equal([await datesOf(one), await datesOf(other)], [[id, id + 1, id + 2, id + 3], []]);

  world.onAppend = (appends) => world.store.append(appends.filter(({ stream }) => stream !== streamOfSeries(other)));
  await revertSeries(commands, context(), one, 1);
  assert.equal([await datesOf(one), await datesOf(other)], [[id, id + 1], []], 'the writer has died in between');

  world.onAppend = (_appends, pass) => pass();
  const later = { now: NOW + HOUR, correlationId: 'completer' };
  assert.is(await completeSplits(commands, later, one), 1);
  assert.equal(
    [await datesOf(one), await datesOf(other)],
    [
      [id, id + 1],
      [id + 2, id + 3],
    ],
  );
  assert.is(await completeSplits(commands, later, one), 0);
  assert.is(await completeSplits(commands, later, other), 0, 'what was taken back has arrived');
});

test.run();
