import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LOG_START, type Position } from '../../../src/log/envelope.ts';
import { type EventStore, EventStoreUnavailable, markOf } from '../../../src/log/event-store.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import { createGate, type Gate, type Progress, ReadModelUnavailable } from '../../../src/read-model/read-model.ts';
import { openSqliteReadModel } from '../../../src/read-model/sqlite/open.ts';
import { type TrustWatch, watchTrust } from '../../../src/read-model/trust.ts';
import { event, saved } from '../../support/documents.ts';
import { endOf } from '../../support/ends.ts';
import { newEvent } from '../../support/events.ts';

const PAUSE_MS = 100;

/** A log, and a read model of which nothing but the progress is told. */
interface Context {
  log: EventStore;
  /** What the watch sees of the log. */
  store: EventStore;
  /** What the read model says of itself; null: it cannot be reached. */
  progress: Progress | null;
  elapsed: number;
  gate: Gate;
  trust: TrustWatch;
}

const test = suite<Context>('trust in a read model');

test.before.each((context) => {
  const log = openSqliteEventStore({ file: ':memory:' });
  const gate = createGate();
  Object.assign(context, { log, store: log, gate, elapsed: 0 });
  context.progress = { checkpoint: LOG_START, mark: '', life: 'one' };
  context.trust = watchTrust({
    gate,
    readModel: {
      progress: async () => {
        if (context.progress === null) throw new ReadModelUnavailable('away');
        return context.progress;
      },
    },
    store: {
      head: () => context.store.head(),
      readAll: (options) => context.store.readAll(options),
      readStream: (...options) => context.store.readStream(...options),
    },
    prefixes: ['event-'],
    elapsed: () => context.elapsed,
    pauseMs: PAUSE_MS,
  });
});
test.after.each(({ log }) => log.close());

/** Records something of an event, and answers where. */
async function recorded({ log }: Context, stream = 'event-1'): Promise<Position> {
  await log.append([{ stream, expected: await endOf(log, stream), events: [newEvent()] }]);
  return log.head();
}

/** The read model has applied the whole log. */
async function applied(context: Context, life = context.progress?.life ?? 'one'): Promise<void> {
  const last = (await context.log.readAll({ after: LOG_START, limit: 100 })).at(-1);
  context.progress = { checkpoint: last?.position ?? LOG_START, mark: last ? markOf(last) : '', life };
}

const look = async ({ trust }: Context): Promise<string> => (await trust.look()).kind;

const away = async (): Promise<never> => {
  throw new EventStoreUnavailable('away');
};
const NO_LOG = { head: away, readAll: away, readStream: away } as unknown as EventStore; // All that the watch asks of it.

test('a read model that has all of the log is usable', async (context) => {
  await recorded(context);
  await applied(context);
  assert.is(await look(context), 'usable');
  assert.is(context.gate.admits('one'), true);
});

test('one that is met behind the log is filling until it has what was there then', async (context) => {
  await recorded(context);
  assert.is(await look(context), 'filling');
  assert.is(await context.gate.admits('one'), false);
  await applied(context);
  await recorded(context);
  assert.is(await look(context), 'usable', 'what has come since is not waited for');
});

test('events that no projection listens to are not waited for', async (context) => {
  await recorded(context, 'slug-event-gala');
  assert.is(await look(context), 'usable');
});

test('another life has to be compared anew', async (context) => {
  await recorded(context);
  await applied(context);
  await look(context);
  context.progress = { checkpoint: LOG_START, mark: '', life: 'two' };
  assert.is(await look(context), 'filling');
  assert.is(await context.gate.admits('one'), false);
});

test('one of another log is refused', async (context) => {
  await recorded(context);
  await applied(context);
  context.progress = { checkpoint: await context.log.head(), mark: 'event-1 0 another', life: 'one' };
  assert.is(await look(context), 'another log');
  assert.is(await context.gate.admits('one'), false);
});

test('a read model that cannot be reached is unknown, and usable again afterwards', async (context) => {
  await recorded(context);
  await applied(context);
  const { progress } = context;
  context.progress = null;
  assert.is(await look(context), 'unknown');
  context.progress = progress;
  assert.is(await context.gate.admits('one'), true, 'a read has it judged again');
});

test('without the log what was usable stays so, and nothing new becomes so', async (context) => {
  await recorded(context);
  await applied(context);
  await look(context);
  context.store = NO_LOG;
  assert.is(await look(context), 'usable');
  await applied(context, 'two');
  assert.is(await look(context), 'unknown');
});

test('a log that was unavailable may come back as an earlier copy: its origin is checked again', async (context) => {
  await recorded(context);
  await applied(context);
  await look(context);
  context.store = NO_LOG;
  await look(context);
  const copy = openSqliteEventStore({ file: ':memory:' });
  await recorded({ ...context, log: copy });
  context.store = copy;
  assert.is(await look(context), 'another log');
  await copy.close();
});

test('an answer lacks what was in the log for longer than it takes to show', async (context) => {
  await recorded(context);
  await applied(context);
  await look(context);
  const shown = await context.log.head();
  const first = await recorded(context);
  await recorded(context);
  context.elapsed += PAUSE_MS;
  await look(context);
  assert.is(context.trust.behind(shown), 0, 'they may be on their way');
  context.elapsed += PAUSE_MS;
  await look(context);
  assert.equal([context.trust.behind(shown), context.trust.behind(first), context.trust.isBehind()], [2, 1, true]);
  await applied(context);
  await look(context);
  assert.equal([context.trust.behind(shown), context.trust.isBehind()], [0, false]);
});

test('events that are missing are read once, however long they are missing', async (context) => {
  const { log, elapsed: _, ...rest } = context;
  const model = openSqliteReadModel({ file: ':memory:', fingerprint: 'test' });
  let read = 0;
  let clock = 0;
  const trust = watchTrust({
    ...{ gate: rest.gate, readModel: model.forProjector, prefixes: ['event-'] },
    store: {
      ...log,
      async readAll(options) {
        const events = await log.readAll(options);
        read += events.length;
        return events;
      },
    },
    elapsed: () => clock,
    pauseMs: PAUSE_MS,
  });
  for (let event = 0; event < 30; event += 1) await recorded(context);
  for (let check = 0; check < 20; check += 1) {
    await trust.look();
    clock += PAUSE_MS;
  }
  assert.is(trust.behind(''), 30);
  assert.is(read, 30);
  await recorded(context);
  for (let check = 0; check < 3; check += 1) {
    await trust.look();
    clock += PAUSE_MS;
  }
  assert.equal([trust.behind(''), read], [31, 31]);
  await model.close();
});

test('requests during a check share the next one', async (context) => {
  await recorded(context);
  const [first, ...others] = [1, 2, 3].map(() => context.trust.look());
  await applied(context);
  const [second, third] = await Promise.all(others);
  assert.is((await first)?.kind, 'filling');
  assert.is(second, third);
  assert.is(second?.kind, 'usable');
});

test('a read model that is distrusted is refused, and counts as of another log', async (context) => {
  const { gate, log } = context;
  const model = openSqliteReadModel({ file: ':memory:', fingerprint: 'test', guard: gate });
  const trust = watchTrust({
    gate,
    readModel: model.forProjector,
    store: log,
    prefixes: ['event-'],
    elapsed: () => 0,
  });
  await recorded(context);
  await applied(context);
  const { checkpoint, mark } = context.progress as Progress;
  const batch = { after: LOG_START, upTo: checkpoint, mark, changes: [saved(event(1))] };
  await model.forProjector.apply(batch);
  assert.is((await trust.look()).kind, 'usable');
  const before = await model.version();
  await model.distrust();
  const refusal = await Promise.resolve(model.version()).catch((error: unknown) => error);
  assert.instance(refusal, ReadModelUnavailable);
  assert.is(trust.now().kind, 'another log');
  await model.forProjector.clear();
  await model.forProjector.apply(batch);
  assert.is((await trust.look()).kind, 'usable');
  assert.is.not(await model.version(), before);
  await model.close();
});

test.run();
