import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../../../projections/catalogue.ts';
import { ProjectionError } from '../../../../projections/projection.ts';
import { IN_MEMORY } from '../../../../src/config.ts';
import type { EventStore } from '../../../../src/event-store/event-store.ts';
import { openSqliteEventStore } from '../../../../src/event-store/sqlite/store.ts';
import {
  type AsOfOptions,
  fillAsOf,
  type ReplayedDocuments,
  type ReplaySummary,
  replayAsOf,
} from '../../../../src/queries/as-of/replay-as-of.ts';
import { replayInThread } from '../../../../src/queries/as-of/replay-thread.ts';
import { openSqliteReadModel } from '../../../../src/read-model/sqlite/open.ts';
import { writeHistory } from '../../../perf/long-history.ts';
import { NEW_YORK } from '../../../support/given.ts';
import { temporaryFolder } from '../../../support/service.ts';

const test = suite('documents of the past');

const rendering = { siteZone: NEW_YORK, signBefore: '$', signAfter: '', freeLabel: 'Free' } as const;

/** Nothing in these logs is encrypted. */
const inThread = (file: string, options: AsOfOptions): ReplayedDocuments =>
  replayInThread({ file, keys: IN_MEMORY }).replayAsOf(options);

/** When `writeHistory` begins, and a moment on its way. */
const FIRST = 1_700_000_001;
const MIDWAY = FIRST + 1_500;

async function withLog(work: (store: EventStore, file: string) => Promise<void>): Promise<void> {
  const { folder, remove } = temporaryFolder();
  const file = path.join(folder, 'log.db');
  const store = openSqliteEventStore({ file });
  try {
    await writeHistory(store, 3_000);
    await work(store, file);
  } finally {
    await store.close();
    remove();
  }
}

async function all<Portion>(documents: AsyncGenerator<readonly Portion[], ReplaySummary>) {
  const found: Portion[] = [];
  for (;;) {
    const next = await documents.next();
    if (next.done) return { found, gathered: next.value };
    found.push(...next.value);
  }
}

async function drained(documents: ReplayedDocuments): Promise<void> {
  while (!(await documents.next()).done);
}

const optionsAt = async (store: EventStore, at: number): Promise<AsOfOptions> => ({
  at,
  upTo: await store.head(),
  texts: 'searchable',
  rendering,
});

test('a thread makes the same documents', () =>
  withLog(async (store, file) => {
    const options = await optionsAt(store, MIDWAY);
    const { found, gathered } = await all(replayAsOf(store, allProjections(rendering), options));
    assert.ok(found.length > 128, 'more than one portion');
    assert.ok(gathered.closedCounts.size > 0 || gathered.terms.length > 0);
    const filledFrom = async (documents: ReplayedDocuments) => {
      const readModel = openSqliteReadModel({ file: ':memory:', fingerprint: 'past' });
      const filled = await fillAsOf(readModel, documents, options.upTo);
      const stored = await readModel.fetch(found);
      await readModel.close();
      return { ...filled, stored };
    };
    const here = await filledFrom(replayAsOf(store, allProjections(rendering), options));
    assert.ok(here.stored.every((document) => document !== null));
    assert.is(here.revisions.event.size, found.filter(({ kind }) => kind === 'event').length);
    assert.equal(await filledFrom(inThread(file, options)), here);
  }));

test('a thread reports an event that cannot be folded as it is reported here', () =>
  withLog(async (store, file) => {
    const metadata = {
      actor: { id: null, name: 'test' },
      instant: new Date(FIRST * 1000).toISOString(),
      correlationId: 'c',
      causationId: 'c',
    };
    const odd = {
      id: '00000000-0000-4000-8000-999999999999',
      type: 'EventSetToMusic',
      schemaVersion: 1,
      data: {},
      metadata,
    };
    await store.append([{ stream: 'event-999999', expected: 'no_stream', events: [odd] }]);
    const options = await optionsAt(store, MIDWAY);
    const sources = [() => replayAsOf(store, allProjections(rendering), options), () => inThread(file, options)];
    for (const source of sources)
      await drained(source()).then(
        () => assert.unreachable(),
        (error: unknown) => {
          assert.instance(error, ProjectionError);
          assert.is((error as ProjectionError).position, options.upTo);
        },
      );
    const before = await optionsAt(store, FIRST - 1);
    assert.equal((await all(replayAsOf(store, allProjections(rendering), before))).found, []);
  }));

test('an aborted request is not waited for', () =>
  withLog(async (store, file) => {
    const documents = inThread(file, await optionsAt(store, MIDWAY));
    await documents.next();
    await documents.return(undefined as never);
    assert.is((await documents.next()).done, true);
  }));

test('a thread that finds no log says so', async () => {
  const options: AsOfOptions = { at: FIRST, upTo: '0000000000000001', texts: 'left out', rendering };
  await drained(inThread('/nowhere/at/all/log.db', options)).then(
    () => assert.unreachable(),
    (error: unknown) => assert.is((error as Error).name, 'EventStoreUnavailable'),
  );
});

test('it gives the interval in which the calendar is the same', () =>
  withLog(async (store) => {
    const spanAt = async (at: number) => {
      const readModel = openSqliteReadModel({ file: ':memory:', fingerprint: 'past' });
      const options = await optionsAt(store, at);
      const { summary } = await fillAsOf(
        readModel,
        replayAsOf(store, allProjections(rendering), options),
        options.upTo,
      );
      assert.is(await readModel.checkpoint(), options.upTo);
      await readModel.close();
      return [summary.from, summary.until];
    };
    const [from = 0, until = 0] = await spanAt(MIDWAY);
    assert.ok(from <= MIDWAY && MIDWAY < until);
    assert.equal(await spanAt(until - 1), [from, until]);
    assert.is((await spanAt(until))[0], until);
    assert.equal((await spanAt(FIRST - 60))[0], Number.NEGATIVE_INFINITY);
    assert.equal((await spanAt(FIRST * 2))[1], Number.POSITIVE_INFINITY);
  }));

test.run();
