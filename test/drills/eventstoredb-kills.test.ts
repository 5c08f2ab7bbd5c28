// A drill for EventStoreDB: its nodes are killed at random instants while commands write over two connections, and started
// again; what was acknowledged is there, once. Against the server in test/support as a process of its own, or those that
// DAYBOOK_TEST_ESDB names where there are commands that kill and start their nodes; see CONTRIBUTING.md.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCalendarEvent } from '../../src/calendar/event/commands/events.ts';
import { LOG_START } from '../../src/log/envelope.ts';
import { AppendOutcomeUnknown, type EventStore, EventStoreUnavailable } from '../../src/log/event-store.ts';
import { openEventStoreDb } from '../../src/log/eventstoredb/store.ts';
import { createLogChecker, replayLog } from '../../src/log/hash-chain/verify.ts';
import { commandsOver, editorsContext } from '../support/commands-over.ts';
import { SCHEME } from '../support/eventstoredb-server.ts';
import { written } from '../support/given.ts';
import { type NodeCommands, nodeCommands, runForNode } from '../support/node-commands.ts';
import { withOwnStreams } from '../support/own-streams.ts';
import { withHashChain } from '../support/pipelines.ts';
import { nameOf, realEventStoreDbs } from '../support/real-eventstoredb.ts';
import { freePort } from '../support/redis-server.ts';
import { temporaryFolder } from '../support/service.ts';

const ROUNDS = Number(process.env.DAYBOOK_DRILL_ROUNDS ?? 2);
const WRITERS = 8;
/** Acknowledged after a node was started again before a round ends. */
const MORE = 2 * WRITERS;
const MAX_WAIT_MS = 1_000;
const TIMES = { start: '2026-05-01 10:00:00', end: '2026-05-01 11:00:00' } as const;

interface Given {
  readonly connectionString: string;
  readonly nodes: number;
  readonly commands: NodeCommands;
  readonly remove: () => void;
}

interface Context extends Given {
  stores: readonly [EventStore, EventStore];
  /** Title → id of every write that was ever acknowledged. */
  acknowledged: Map<string, number>;
  close: () => Promise<void>;
}

/** Commands that write until they are ended, each with titles of its own. */
function openWriters({ stores, acknowledged }: Context, round: number) {
  let isEnded = false;
  async function write(writer: number, dependencies: ReturnType<typeof commandsOver>): Promise<void> {
    for (let number = 1; !isEnded; number += 1) {
      const title = `round ${round}, writer ${writer}, number ${number}`;
      try {
        const made = createCalendarEvent(dependencies, editorsContext(), { title, times: TIMES });
        acknowledged.set(title, (await written(made)).id);
      } catch (error) {
        if (!(error instanceof EventStoreUnavailable || error instanceof AppendOutcomeUnknown)) throw error;
        await sleep(20);
      }
    }
  }
  const both = stores.map(commandsOver);
  const work = Promise.all(
    both.flatMap((one, at) => Array.from({ length: WRITERS / 2 }, (_, of) => write(2 * of + at, one))),
  );
  work.catch(() => {});
  return {
    /** Resolves when so many more have been acknowledged; rejects with what a writer failed with. */
    async more(count: number): Promise<void> {
      const enough = acknowledged.size + count;
      while (acknowledged.size < enough) await Promise.race([work, sleep(20)]);
    },
    async end(): Promise<void> {
      isEnded = true;
      await work;
    },
  };
}

/** Every acknowledged write is in the log once, others at most once, and the log is whole. */
async function assertAllThere({ stores, acknowledged }: Context): Promise<void> {
  const [store, other] = stores;
  const drafted = new Map<string, number[]>();
  const events = await store.readAll({ after: LOG_START, prefixes: ['event-'], limit: 1_000_000 });
  for (const { type, data } of events) {
    if (type !== 'EventDrafted') continue;
    const { id, title } = data as { id: number; title: string }; // As an event is drafted.
    drafted.set(title, [...(drafted.get(title) ?? []), id]);
  }
  for (const [title, id] of acknowledged) assert.equal(drafted.get(title), [id], title);
  for (const [title, ids] of drafted) assert.is(ids.length, 1, title);
  const there = await other.readAll({ after: LOG_START, prefixes: ['event-'], limit: 1_000_000 });
  assert.is(there.length, events.length);
  const checker = createLogChecker({ newestVersion: () => 9 });
  assert.is(await replayLog({ log: store, checker, observe: () => {}, onProgress: () => {} }), 'complete');
  assert.equal(checker.report().findings, []);
}

function drill(name: string, given: () => Promise<Given>): void {
  const test = suite<Context>(`kills: ${name}`);
  test.before(async (context) => {
    Object.assign(context, await given());
    const open = () => openEventStoreDb({ connectionString: context.connectionString });
    const [one, other] = [await open(), await open()];
    const own = await withOwnStreams(one);
    context.acknowledged = new Map();
    context.stores = [withHashChain(own.around(one)), withHashChain(own.around(other))];
    context.close = async () => {
      await Promise.all([one.close(), other.close()]);
      context.remove();
    };
  });
  test.after((context) => context.close());

  for (let round = 1; round <= ROUNDS; round += 1)
    test(`what was acknowledged while a node was killed is there, once: ${round}`, async (context) => {
      const { nodes, commands } = context;
      const writers = openWriters(context, round);
      await writers.more(1);
      await sleep(Math.random() * MAX_WAIT_MS);
      const node = 1 + Math.floor(Math.random() * nodes);
      await runForNode(commands.kill, node);
      await sleep(Math.random() * MAX_WAIT_MS);
      await runForNode(commands.start, node);
      await writers.more(MORE);
      await writers.end();
      await assertAllThere(context);
    });
  test.run();
}

/** The server in test/support, by commands as one would give for another. */
async function ownServer(): Promise<Given> {
  const [{ folder, remove }, port] = [temporaryFolder(), await freePort()];
  const script = path.resolve(import.meta.dirname, '../support/eventstoredb-process.ts');
  const [log, pid] = [path.join(folder, 'log-{node}'), path.join(folder, 'pid-{node}')];
  const ready = `until grep -q :// '${log}.out'; do sleep 0.05; done`;
  const start = `: > '${log}.out'; '${process.execPath}' '${script}' ${port} '${log}' >> '${log}.out' 2>&1 & echo $! > '${pid}'; ${ready}`;
  const commands = { kill: `kill -9 "$(cat '${pid}')"`, start };
  await runForNode(commands.start, 1);
  const end = (): void => {
    void runForNode(commands.kill, 1).finally(remove);
  };
  return { connectionString: `${SCHEME}://127.0.0.1:${port}?tls=false`, nodes: 1, commands, remove: end };
}

const [real] = realEventStoreDbs();
const commands = nodeCommands();
if (real !== undefined && commands !== null) {
  const nodes = nameOf(real).split(',').length;
  drill(nameOf(real), async () => ({ connectionString: real, nodes, commands, remove: () => {} }));
} else drill('a process of its own', ownServer);
