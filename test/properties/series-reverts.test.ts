// Random splits, changes and reverts of series that are split from one another: each date is of one series, keeps its id and
// is never lost, whatever goes back and forth.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { changeCalendarEvent } from '../../src/calendar/event/commands/events.ts';
import { loadEvent } from '../../src/calendar/resource/commands/references.ts';
import type { CommandContext, CommandDependencies } from '../../src/commands/context.ts';
import type { CommandResult } from '../../src/commands/handle-command.ts';
import { changeRepeatingEvent, trashRepeatingEvent } from '../../src/editorial/series/commands/change.ts';
import { createRepeatingEvent } from '../../src/editorial/series/commands/create.ts';
import { streamOfSeries } from '../../src/editorial/series/commands/record.ts';
import { revertSeries } from '../../src/editorial/series/commands/revert.ts';
import type { Series, SeriesFact } from '../../src/editorial/series/domain/facts.ts';
import { evolveSeries } from '../../src/editorial/series/domain/occurrences.ts';
import { presentDates } from '../../src/editorial/series/domain/series.ts';
import { withOccurrences } from '../../src/editorial/series/facts/occurrences.ts';
import { fold } from '../../src/log/envelope.ts';
import { NOW, openWorld, type World, written } from '../support/given.ts';

const test = suite('series, split and reverted at random');

const RULES = ['FREQ=WEEKLY;COUNT=6', 'FREQ=WEEKLY;INTERVAL=2;COUNT=3', 'FREQ=WEEKLY;BYDAY=MO,WE;COUNT=7'];
const TIMES = ['19:00:00', '20:30:00'];

/** `of` and `at` choose a series and a date or a revision of it. */
const anyStep = fc.record({
  kind: fc.constantFrom(
    'split',
    'split',
    'retitle',
    'move',
    'rule',
    'skip',
    'trash',
    'apart',
    'revert',
    'revert',
    'revert',
  ),
  of: fc.nat(2),
  at: fc.nat(9),
});
type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never;

interface Family {
  readonly commands: CommandDependencies;
  readonly series: readonly Series[];
  readonly last: (series: Series) => Promise<number>;
}

async function familyOf(world: World, root: number): Promise<Family> {
  const store = withOccurrences(world.store);
  const ids = new Set([root]);
  const series: Series[] = [];
  for (const id of ids) {
    const events = await store.readStream(streamOfSeries(id));
    const state = fold<Series, SeriesFact>(events, evolveSeries);
    if (!state) continue;
    series.push(state);
    for (const { type, data } of events)
      if (type === 'SeriesSplit' && typeof data === 'object' && data !== null && 'into' in data)
        ids.add(Number(data.into));
  }
  const last = async ({ id }: Series) => (await store.readStream(streamOfSeries(id))).length - 1;
  return { commands: { ...world.dependencies, store }, series, last };
}

/** Null if there is nothing to do it to. */
async function done({ commands, series, last }: Family, context: CommandContext, step: Step) {
  const chosen = series[step.of % series.length];
  if (!chosen) return null;
  if (step.kind === 'revert') return revertSeries(commands, context, chosen.id, step.at % ((await last(chosen)) + 1));
  const dates = presentDates(chosen);
  const date = dates[step.at % (dates.length || 1)];
  if (!date) return null;
  const title = `Choir ${step.at}`;
  const day = date.wallClock.slice(0, 10);
  switch (step.kind) {
    case 'split':
      return changeRepeatingEvent(commands, context, date.id, 'following', { input: { title } });
    case 'retitle':
      return changeRepeatingEvent(commands, context, date.id, 'all', { input: { title } });
    case 'move': {
      const times = { start: `${day} ${TIMES[step.at % TIMES.length]}` };
      return changeRepeatingEvent(commands, context, date.id, 'all', { input: { times } });
    }
    case 'rule': {
      const rules = [RULES[step.at % RULES.length] ?? ''];
      return changeRepeatingEvent(commands, context, date.id, 'all', { input: {}, repeating: { rules } });
    }
    case 'skip':
      return trashRepeatingEvent(commands, context, date.id, 'this');
    case 'trash':
      return trashRepeatingEvent(commands, context, date.id, 'following');
    default:
      return changeCalendarEvent(commands, context, date.id, { title });
  }
}

/** Ids of events by the series that has them; fails if two have one, or the event itself says another. */
async function owners({ commands, series }: Family): Promise<ReadonlyMap<number, number>> {
  const found = new Map<number, number>();
  for (const one of series)
    for (const { id, wallClock, isThere, isDetached } of one.dates.values()) {
      assert.not(found.has(id), `the event ${id} is of ${found.get(id)} and of ${one.id}`);
      found.set(id, one.id);
      const event = await loadEvent(commands.store, id);
      assert.is(event?.series?.id, one.id, `series of ${id}`);
      if (isDetached) continue;
      assert.equal([event?.schedule.start, event?.status !== 'trash'], [wallClock, isThere], `event ${id}`);
    }
  return found;
}

const reasonOf = (result: CommandResult<unknown> | null): string =>
  result?.kind === 'rejected' ? result.rejection.code : '';

test('no date is of two series, or lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 10 }), async (steps) => {
      const world = openWorld();
      try {
        const commands = { ...world.dependencies, store: withOccurrences(world.store) };
        const times = { start: '2027-03-01 19:00:00', end: '2027-03-01 21:00:00' };
        const input = { title: 'Choir', times };
        const rules = ['FREQ=WEEKLY;COUNT=5'];
        const { state } = await written(createRepeatingEvent(commands, world.context(), input, { rules }));
        const root = state.series?.id ?? 0;
        let known: Iterable<number> = [];
        for (const [index, step] of steps.entries()) {
          const context = world.context({ correlationId: `request-${index + 2}`, now: NOW + index + 1 });
          const result = await done(await familyOf(world, root), context, step);
          assert.ok(
            ['', 'series_joined', 'invalid_parameter', 'event_in_trash'].includes(reasonOf(result)),
            JSON.stringify(result),
          );
          const now = await owners(await familyOf(world, root));
          for (const id of known) assert.ok(now.has(id), `the event ${id} is of no series`);
          known = now.keys();
        }
      } finally {
        await world.store.close();
      }
    }),
    { numRuns: 60 },
  );
});

test.run();
