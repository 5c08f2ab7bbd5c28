// A drill for EventStoreDB: commands write, two connections read, nothing is lost, doubled or out of order. It runs
// against the server in test/support, or against each of those that DAYBOOK_TEST_ESDB names; see CONTRIBUTING.md.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { changeCalendarEvent, createCalendarEvent } from '../../src/calendar/event/commands/events.ts';
import type { CommandDependencies } from '../../src/commands/context.ts';
import { LOG_START } from '../../src/log/envelope.ts';
import type { EventStore } from '../../src/log/event-store.ts';
import { openEventStoreDb } from '../../src/log/eventstoredb/store.ts';
import { createLogChecker, replayLog } from '../../src/log/hash-chain/verify.ts';
import { commandsOver, editorsContext } from '../support/commands-over.ts';
import { collect, within } from '../support/eventstoredb-given.ts';
import { startEventStoreDb } from '../support/eventstoredb-server.ts';
import { written } from '../support/given.ts';
import { withOwnStreams } from '../support/own-streams.ts';
import { withHashChain } from '../support/pipelines.ts';
import { nameOf, realEventStoreDbs } from '../support/real-eventstoredb.ts';

interface Context {
  /** Two connections, as of two processes; streams of their own in a log that others may share. */
  stores: [EventStore, EventStore];
  stop: () => Promise<void>;
}

const TIMES = { start: '2026-05-01 10:00:00', end: '2026-05-01 11:00:00' } as const;
const WRITERS = 8;
const CREATORS = 20;
const READS = 1_500;

function drill(name: string, connect: () => Promise<{ connectionString: string; stop: () => Promise<void> }>): void {
  const test = suite<Context>(`drill: ${name}`);

  test.before.each(async (given) => {
    const { connectionString, stop } = await connect();
    const open = () => openEventStoreDb({ connectionString });
    const [one, other] = [await open(), await open()];
    const own = await withOwnStreams(one);
    given.stores = [withHashChain(own.around(one)), withHashChain(own.around(other))];
    given.stop = async () => {
      await Promise.all([one.close(), other.close()]);
      await stop();
    };
  });
  test.after.each(({ stop }) => stop());

  test('what many writers of two connections write at once is there, once and in order', async ({ stores }) => {
    const [first, second] = stores;
    const both = [commandsOver(first), commandsOver(second)] as const;
    const of = (index: number): CommandDependencies => both[index % 2] ?? both[0];
    const follower = collect(second, ['event-']);
    const make = (index: number) =>
      written(createCalendarEvent(of(index), editorsContext(), { title: 'Same title', times: TIMES }));
    const { id } = await make(0);
    const changes = Array.from({ length: WRITERS }, (_, index) =>
      written(changeCalendarEvent(of(index), editorsContext(), id, { description: `By writer ${index}` })),
    );
    const created = await within(Promise.all(Array.from({ length: CREATORS }, (_, index) => make(index))));
    const revisions = (await within(Promise.all(changes))).map(({ revision }) => revision);
    assert.is(new Set(revisions).size, WRITERS);
    assert.is(new Set(created.map(({ state }) => state.slug)).size, CREATORS);
    assert.is(new Set([id, ...created.map((one) => one.id)]).size, CREATORS + 1);

    const log = await first.readAll({ after: LOG_START, prefixes: ['event-'], limit: 10_000 });
    await follower.until(log.length);
    await follower.end();
    assert.equal(
      follower.events.map(({ id: event }) => event),
      log.map(({ id: event }) => event),
    );
    assert.is((await second.readStream(`event-${id}`)).length, 2 + WRITERS);
    const checker = createLogChecker({ newestVersion: () => 9 });
    assert.is(await replayLog({ log: first, checker, observe: () => {}, onProgress: () => {} }), 'complete');
    assert.equal(checker.report().findings, []);
  });

  test(`${READS} reads at once are all answered`, async ({ stores }) => {
    const [store] = stores;
    const { id } = await written(
      createCalendarEvent(commandsOver(store), editorsContext(), { title: 'One', times: TIMES }),
    );
    const reads = Array.from({ length: READS }, () => store.readStream(`event-${id}`));
    assert.ok((await within(Promise.all(reads))).every(({ length }) => length === 2));
  });

  test.run();
}

const real = realEventStoreDbs();
if (real.length === 0) {
  drill('EventStoreDB', async () => {
    const { connectionString, stop } = await startEventStoreDb();
    return { connectionString, stop };
  });
}
for (const connectionString of real)
  drill(`EventStoreDB at ${nameOf(connectionString)}`, async () => ({ connectionString, stop: async () => {} }));
