// Units of several writers that go through the pipeline together, on the engine that writes them with one commit.
import { join } from 'node:path';
import { setImmediate as endOfRound } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nextTurn } from '../../../src/kernel/event-loop/turns.ts';
import { LOG_START, type RecordedEvent } from '../../../src/log/envelope.ts';
import {
  type AppendObserver,
  AppendOutcomeUnknown,
  type EventStore,
  EventStoreUnavailable,
  type ExpectedRevision,
} from '../../../src/log/event-store.ts';
import { hashChain } from '../../../src/log/hash-chain/hash-chain.ts';
import { createLogChecker } from '../../../src/log/hash-chain/verify.ts';
import { pipeline, type StageMaker } from '../../../src/log/pipeline.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import { newEvent, newEvents, temporaryDirectory } from '../../support/events.ts';

interface Context {
  file: string;
  engine: EventStore;
  log: EventStore;
  /** How many units each batch had. */
  batches: number[];
  remove(): Promise<void>;
}

const test = suite<Context>('pipeline');

test.before.each(async (context) => {
  const { directory, remove } = await temporaryDirectory();
  const file = join(directory, 'log.db');
  const engine = openSqliteEventStore({ file });
  const batches: number[] = [];
  const counting: StageMaker = () => ({
    async prepare(batch) {
      batches.push(batch.length);
      return () => (append) => append;
    },
  });
  Object.assign(context, { file, engine, batches, remove, log: pipeline(engine, [hashChain, counting]) });
});
test.after.each(async ({ engine, remove }) => {
  await engine.close();
  await remove();
});

const everything = (log: EventStore): Promise<readonly RecordedEvent[]> =>
  log.readAll({ after: LOG_START, limit: 1_000 });

const append = (log: EventStore, stream: string, expected: ExpectedRevision = 'no_stream') =>
  log.append([{ stream, expected, events: newEvents(1) }]);

async function isWhole(log: EventStore): Promise<void> {
  const checker = createLogChecker({ newestVersion: () => 1 });
  for (const event of await everything(log)) checker.check(event);
  assert.equal(checker.report().findings, []);
}

test('of a batch in which one writer expects a wrong revision all others are written, in order', async (context) => {
  const { log, batches } = context;
  await append(log, 'event-1');
  const outcomes = await Promise.all([
    append(log, 'event-2'),
    append(log, 'event-1', 5),
    log.append([
      { stream: 'slug-event-a', expected: 'no_stream', events: newEvents(1) },
      { stream: 'event-1', expected: 'no_stream', events: newEvents(1) },
    ]),
    append(log, 'event-1', 0),
    append(log, 'event-3'),
  ]);
  assert.equal(
    outcomes.map(({ kind }) => kind),
    ['appended', 'conflict', 'conflict', 'appended', 'appended'],
  );
  assert.equal(batches, [1, 5]);
  assert.equal(
    (await everything(log)).map(({ stream, revision }) => `${stream} ${revision}`),
    ['event-1 0', 'event-2 0', 'event-1 1', 'event-3 0'],
  );
  await isWhole(log);
});

test('units that arrive in rounds of the event loop that follow one another go in together', async ({
  log,
  batches,
}) => {
  const outcomes: ReturnType<typeof append>[] = [];
  for (let round = 0; round < 4; round += 1) {
    // The first two make a group, which waits for others; who waits for a turn comes two rounds later.
    if (round === 0) outcomes.push(append(log, 'event-first'));
    outcomes.push(append(log, `event-${round}`));
    await nextTurn();
  }
  await Promise.all(outcomes);
  assert.equal(batches, [5]);
});

test('a unit waits for no others that come after its round, and a group not without end', async ({ log, batches }) => {
  const alone = append(log, 'event-alone');
  await endOfRound();
  const later = [1, 2, 3].map((index) => append(log, `event-later-${index}`));
  await Promise.all([alone, ...later]);
  assert.equal(batches, [1, 3]);
  let isOver = false;
  const first = Promise.all([append(log, 'event-a'), append(log, 'event-b')]).then(() => {
    isOver = true;
  });
  const more: ReturnType<typeof append>[] = [];
  for (let count = 0; count < 200 && !isOver; count += 1) {
    more.push(append(log, `event-more-${count}`));
    await endOfRound();
  }
  await Promise.all([first, ...more]);
  assert.ok((batches[2] ?? 0) < 40, `all ${batches[2]} went in together`);
});

test('what is no JSON, or has no events, is refused alone', async ({ log }) => {
  const outcomes = await Promise.allSettled([
    append(log, 'event-1'),
    log.append([{ stream: 'event-2', expected: 'no_stream', events: [newEvent('X', { at: Number.NaN })] }]),
    log.append([{ stream: 'event-3', expected: 'no_stream', events: [] }]),
    append(log, 'event-4'),
  ]);
  assert.equal(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
  );
  assert.is((await everything(log)).length, 2);
});

test('a commit that fails is told to all of its batch, and nothing of it is written', async ({ file, log }) => {
  await append(log, 'event-1');
  const other = new Sqlite(file);
  other.exec(`CREATE TRIGGER failing BEFORE INSERT ON events BEGIN SELECT RAISE(ROLLBACK, 'failed'); END`);
  const outcomes = await Promise.allSettled([
    append(log, 'event-2'),
    append(log, 'event-1', 0),
    append(log, 'event-3'),
  ]);
  assert.ok(outcomes.every(({ status }) => status === 'rejected'));
  other.exec('DROP TRIGGER failing');
  other.close();
  assert.is((await everything(log)).length, 1);
  assert.is((await append(log, 'event-1', 0)).kind, 'appended');
  await isWhole(log);
});

test('a stage that cannot prepare a batch refuses all of it, and the next one is written', async ({ engine }) => {
  let isDown = true;
  const keys: StageMaker = () => ({
    async prepare() {
      if (isDown) throw new Error('no keys');
      return () => (one) => one;
    },
  });
  const log = pipeline(engine, [hashChain, keys]);
  const outcomes = await Promise.allSettled([append(log, 'event-1'), append(log, 'event-2')]);
  assert.ok(outcomes.every(({ status }) => status === 'rejected'));
  isDown = false;
  assert.is((await append(log, 'event-1')).kind, 'appended');
});

test('who follows the log gets what this process writes and what others write, in order and once', async (context) => {
  const { file, log } = context;
  const other = openSqliteEventStore({ file });
  const ending = new AbortController();
  const followed: RecordedEvent[] = [];
  const options = { after: LOG_START, prefixes: ['event-'], batchSize: 7, signal: ending.signal };
  const following = (async () => {
    for await (const batch of log.subscribe(options)) followed.push(...batch);
  })();
  for (let round = 0; round < 12; round += 1) {
    const own = Array.from({ length: 10 }, (_, index) => append(log, `event-${round}-${index}`));
    const rest = [append(log, `slug-${round}`), ...(round % 3 === 2 ? [append(other, `event-other-${round}`)] : [])];
    await Promise.all([...own, ...rest]);
  }
  // Nothing of this process follows that would tell of it.
  await append(log, 'event-own');
  await append(other, 'event-last');
  const written = await log.readAll({ after: LOG_START, prefixes: ['event-'], limit: 1_000 });
  while (followed.length < written.length) await new Promise((resolve) => setTimeout(resolve, 5));
  ending.abort();
  await following;
  await other.close();
  assert.equal(followed, written);
  assert.is(followed.length, 126);
});

test('every append is told with its outcome, how long it took and how many events it has written', async ({
  engine,
}) => {
  const told: Parameters<AppendObserver>[0][] = [];
  const observe: AppendObserver = (append) => void told.push(append);
  const log = pipeline(engine, [], observe);
  await log.append([
    { stream: 'event-1', expected: 'no_stream', events: newEvents(2) },
    { stream: 'venue-2', expected: 'no_stream', events: newEvents(1) },
  ]);
  await append(log, 'event-1', 7);
  const failures = [new EventStoreUnavailable('away'), new AppendOutcomeUnknown('silent'), new TypeError('a fault')];
  for (const failure of failures) {
    const failing = pipeline({ ...engine, append: () => Promise.reject(failure) }, [], observe);
    assert.is(await append(failing, 'event-3').catch((error: unknown) => error), failure);
  }
  assert.equal(
    told.map(({ outcome, events }) => [outcome, events]),
    [
      ['appended', 3],
      ['conflict', 0],
      ['unavailable', 0],
      ['unknown', 0],
      ['unknown', 0],
    ],
  );
  assert.ok(told.every(({ seconds }) => seconds > 0));
});

test.run();
