import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../projections/catalogue.ts';
import {
  changeCalendarEvent,
  createCalendarEvent,
  trashCalendarEvent,
} from '../../src/calendar/event/commands/events.ts';
import { startRunner } from '../../src/read-model/projector/runner.ts';
import { openSqliteReadModel } from '../../src/read-model/sqlite/open.ts';
import { NEW_YORK, openWorld, type World, written } from '../../test/support/given.ts';
import { catchUp, follow } from './follow.ts';
import { type MonthFile, openMonthFile } from './month-file.ts';

const months = suite<{ world: World; view: MonthFile }>('published events per month');

const december = { start: '2026-12-05 14:00:00', end: '2026-12-05 16:00:00' };
const january = { start: '2027-01-09 14:00:00', end: '2027-01-09 16:00:00' };

/** Events in December, of which one is moved, one is trashed and one is still a draft. */
async function someHistory({ dependencies, context }: World): Promise<number> {
  const create = async (title: string, status: 'publish' | 'draft'): Promise<number> =>
    (await written(createCalendarEvent(dependencies, context(), { title, status, times: december }))).state.id;
  const moved = await create('Moved', 'publish');
  const trashed = await create('Trashed', 'publish');
  const draft = await create('Draft', 'draft');
  await create('Left alone', 'publish');
  await written(changeCalendarEvent(dependencies, context(), moved, { times: january }));
  await written(trashCalendarEvent(dependencies, context(), trashed));
  return draft;
}

months.before.each((context) => {
  context.world = openWorld();
  context.view = openMonthFile(':memory:');
});
months.after.each(async ({ world, view }) => {
  view.close();
  await world.store.close();
});

months('an event counts where it begins now, while it is public', async ({ world, view }) => {
  const draft = await someHistory(world);
  await catchUp(world.store, view);
  assert.equal(view.counts(), { '2026-12': 1, '2027-01': 1 });
  await written(changeCalendarEvent(world.dependencies, world.context(), draft, { status: 'publish' }));
  await catchUp(world.store, view);
  assert.equal(view.counts(), { '2026-12': 2, '2027-01': 1 });
});

months('a batch that comes a second time counts nothing twice', async ({ world, view }) => {
  await someHistory(world);
  await catchUp(world.store, view);
  const before = view.counts();
  const again = view.apply({ after: '', upTo: view.checkpoint(), states: new Map() });
  assert.equal([again, view.counts()], ['stale', before]);
});

months('following hears of what happens', async ({ world, view }) => {
  const ending = new AbortController();
  const following = follow(world.store, view, ending.signal);
  await someHistory(world);
  for (let looks = 0; looks < 1_000 && view.counts()['2027-01'] !== 1; looks += 1) await sleep(10);
  ending.abort();
  await following;
  assert.equal(view.counts(), { '2026-12': 1, '2027-01': 1 });
});

months('it counts what the read model of the service shows', async ({ world, view }) => {
  await someHistory(world);
  await catchUp(world.store, view);

  const settings = { siteZone: NEW_YORK, signBefore: '$', signAfter: '', freeLabel: 'Free' } as const;
  const readModel = openSqliteReadModel({ file: ':memory:', fingerprint: 'test' });
  const runner = startRunner({
    store: world.store,
    readModel,
    projections: allProjections(settings),
    log: { warn: () => {}, error: () => {} },
  });
  assert.ok(await runner.reached(view.checkpoint(), 30_000));
  await runner.stop();

  const keys = [1, 2, 3, 4].map((id) => ({ kind: 'event', id }) as const);
  const shown: { [month: string]: number } = {};
  for (const document of await readModel.fetch(keys)) {
    if (document?.kind !== 'event' || document.status !== 'publish' || document.hidden) continue;
    const month = new Date(document.startsAt * 1000).toISOString().slice(0, 7);
    shown[month] = (shown[month] ?? 0) + 1;
  }
  assert.equal(view.counts(), shown);
  await readModel.close();
});

months.run();
