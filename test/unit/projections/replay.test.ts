import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../../projections/catalogue.ts';
import { changesOf } from '../../../projections/changes.ts';
import { LOG_START, type Position, type RecordedEvent } from '../../../src/log/envelope.ts';
import type { EventStore } from '../../../src/log/event-store.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import { catchUp } from '../../../src/read-model/projector/catch-up.ts';
import { parkedIn } from '../../../src/read-model/projector/parking.ts';
import { replay } from '../../../src/read-model/projector/replay.ts';
import type { Batch, ReadModel } from '../../../src/read-model/read-model.ts';
import { openSqliteReadModel } from '../../../src/read-model/sqlite/open.ts';
import { writeHistory } from '../../perf/long-history.ts';
import { endOf } from '../../support/ends.ts';
import { newEvent, temporaryDirectory } from '../../support/events.ts';
import { NEW_YORK } from '../../support/given.ts';
import { type ViewsDump, viewsDump } from '../../support/views-dump.ts';

interface Context {
  directory: string;
  store: EventStore;
  model: ReadModel;
  remove(): Promise<void>;
}

/** From 3,000 events on `catchUp` fills stream by stream; a replay of so many has some portions. */
const LONG = 3_500;
/** Some 200 resources: enough to compare what a replay that a test starts itself leaves. */
const SHORT = 1_200;
const PROJECTIONS = allProjections({
  siteZone: NEW_YORK,
  signBefore: '$',
  signAfter: '',
  freeLabel: 'Free',
});
const PREFIXES = PROJECTIONS.map(({ prefix }) => prefix);

/** A long log that no test appends to, and what following it to its end leaves: each is made once. */
const long = openSqliteEventStore({ file: ':memory:' });
let longFollowed: Promise<ViewsDump> | null = null;

const test = suite<Context>('replay');
test.before(() => writeHistory(long, LONG));
test.after(() => long.close());
test.before.each(async (context) => {
  Object.assign(context, await temporaryDirectory());
  context.store = openSqliteEventStore({ file: ':memory:' });
  context.model = modelIn(context, 'replayed');
});
test.after.each(async ({ store, model, remove }) => {
  await model.close();
  await store.close();
  await remove();
});

const fileIn = ({ directory }: Pick<Context, 'directory'>, name: string): string => join(directory, `${name}.db`);
const modelIn = (context: Pick<Context, 'directory'>, name: string): ReadModel =>
  openSqliteReadModel({ file: fileIn(context, name), fingerprint: 'test' });

/** What following the log event by event, batch by batch, leaves when it ends at a position. */
async function followed(
  context: Pick<Context, 'directory' | 'store'>,
  upTo: Position,
  batchSize = 700,
): Promise<ViewsDump> {
  const model = modelIn(context, 'followed');
  await model.clear();
  for (;;) {
    const after = await model.checkpoint();
    const page = await context.store.readAll({ after, prefixes: PREFIXES, limit: batchSize });
    const events = page.filter(({ position }) => position <= upTo);
    const last = events.at(-1);
    if (!last) break;
    const changes = await changesOf(events, PROJECTIONS, model, context.store);
    await model.apply({ after, upTo: last.position, changes });
  }
  await model.apply({ after: await model.checkpoint(), upTo, changes: [] });
  await model.close();
  return viewsDump(fileIn(context, 'followed'));
}

async function followedToItsEnd({ directory }: Context): Promise<ViewsDump> {
  longFollowed ??= followed({ directory, store: long }, await long.head());
  return longFollowed;
}

function assertSame(found: ViewsDump, expected: ViewsDump): void {
  assert.equal(Object.keys(found), Object.keys(expected));
  for (const [query, wanted] of Object.entries(expected)) {
    const left = found[query] ?? [];
    // Only the first difference is shown: a diff of thousands of rows takes minutes.
    const at = wanted.findIndex((row, index) => JSON.stringify(row) !== JSON.stringify(left[index]));
    if (at >= 0) assert.equal(left[at], wanted[at], `${query}, row ${at}`);
    assert.is(left.length, wanted.length, query);
  }
}

const relevant = (store: EventStore): Promise<readonly RecordedEvent[]> =>
  store.readAll({ after: LOG_START, prefixes: PREFIXES, limit: 100_000 });

const documentsOf = (rows: ViewsDump): number => rows['SELECT * FROM document ORDER BY row']?.length ?? 0;

/** A read model whose applies pass through `around`. */
const guarded = (model: ReadModel, around: (batch: Batch) => Promise<'applied' | 'stale'>): ReadModel => ({
  ...model,
  apply: around,
});

for (const seed of [1, 2, 3])
  test(`a replayed read model holds to the byte what following the log leaves (history ${seed})`, async (context) => {
    const { store, model } = context;
    await writeHistory(store, SHORT, seed);
    const upTo = await store.head();
    let told = 0;
    const options = { upTo, onProgress: (events: number) => (told += events) };
    assert.is(await replay(store, model, PROJECTIONS, options), 'replayed');
    const dump = viewsDump(fileIn(context, 'replayed'));
    assertSame(dump, await followed(context, upTo));
    assert.ok(documentsOf(dump) > 150);
    assert.is(told, (await relevant(store)).length);
  });

test('a replay up to a position knows nothing of what came after it', async (context) => {
  const { store, model } = context;
  await writeHistory(store, SHORT);
  const log = await relevant(store);
  for (const share of [0.001, 0.5, 0.9]) {
    const upTo = log[Math.floor(log.length * share)]?.position ?? '';
    assert.is(await replay(store, model, PROJECTIONS, { upTo }), 'replayed');
    assert.is(await model.checkpoint(), upTo);
    assertSame(viewsDump(fileIn(context, 'replayed')), await followed(context, upTo));
  }
});

test('until a replay has ended, nothing of it shows', async (context) => {
  const { model } = context;
  const reader = modelIn(context, 'replayed');
  const seen: unknown[] = [];
  const watched = guarded(model, async (batch) => {
    seen.push([await reader.checkpoint(), (await reader.terms()).size, await reader.findBySlug('event', 'event-1')]);
    return model.apply(batch);
  });
  await replay(long, watched, PROJECTIONS, { upTo: await long.head() });
  assert.ok(seen.length > 3);
  for (const one of seen) assert.equal(one, [LOG_START, 0, null]);
  assert.ok((await reader.terms()).size > 0);
  await reader.close();
});

test('an aborted replay starts again from the beginning', async (context) => {
  const { model } = context;
  const upTo = await long.head();
  for (const fatal of [1, 2, 3]) {
    let applied = 0;
    const dying = guarded(model, (batch) => {
      applied += 1;
      return applied > fatal ? Promise.reject(new Error('killed')) : model.apply(batch);
    });
    const ended = await replay(long, dying, PROJECTIONS, { upTo }).catch((error: Error) => error.message);
    assert.is(ended, 'killed');
    assert.is(await model.checkpoint(), LOG_START);
  }
  await model.close();
  context.model = modelIn(context, 'replayed');
  assert.is(await context.model.checkpoint(), LOG_START);
  await catchUp(long, context.model, PROJECTIONS);
  assertSame(viewsDump(fileIn(context, 'replayed')), await followedToItsEnd(context));
});

test('an observer of the progress may abort it', async ({ store, model }) => {
  await writeHistory(store, SHORT);
  const onProgress = () => {
    throw new Error('enough');
  };
  const ended = await replay(store, model, PROJECTIONS, { upTo: await store.head(), onProgress }).catch(String);
  assert.is(ended, 'Error: enough');
  assert.is(await model.checkpoint(), LOG_START);
});

test('a replay that another one has replaced fails, and does no harm', async (context) => {
  const { model } = context;
  const upTo = await long.head();
  const other = modelIn(context, 'replayed');
  let applied = 0;
  const overtaken = guarded(model, async (batch) => {
    applied += 1;
    if (applied === 3) assert.is(await replay(long, other, PROJECTIONS, { upTo }), 'replayed');
    return model.apply(batch);
  });
  assert.is(await replay(long, overtaken, PROJECTIONS, { upTo }), 'stale');
  assertSame(viewsDump(fileIn(context, 'replayed')), await followedToItsEnd(context));
  await other.close();
});

test('of two replays at once the later one fills it, and both catch up', async (context) => {
  const { model } = context;
  const other = modelIn(context, 'replayed');
  await Promise.all([model, other].map((one) => catchUp(long, one, PROJECTIONS)));
  assertSame(viewsDump(fileIn(context, 'replayed')), await followedToItsEnd(context));
  await other.close();
});

/** Appends something that today's code does not know; answers where it lies. */
async function explode(store: EventStore, stream: string): Promise<Position> {
  const event = newEvent('EventExploded');
  const outcome = await store.append([{ stream, expected: await endOf(store, stream), events: [event] }]);
  return (outcome.kind === 'appended' && outcome.written[0]?.position) || '';
}

test('a replay parks what following the log parks', async (context) => {
  const { store, model } = context;
  await writeHistory(store, SHORT);
  const began = (await relevant(store)).filter(({ type }) => type === 'EventDrafted').map(({ stream }) => stream);
  const poisoned = [began.at(-1) ?? '', began[0] ?? '', 'event-1000000'];
  for (const stream of poisoned) await explode(store, stream);
  assert.is(await replay(store, model, PROJECTIONS, { upTo: await store.head() }), 'replayed');
  assert.is((await parkedIn(model)).length, poisoned.length);
  assertSame(viewsDump(fileIn(context, 'replayed')), await followed(context, await store.head()));
});

test('a long log is replayed, a short one followed, and what comes meanwhile follows', async (context) => {
  const { store, model } = context;
  await writeHistory(store, 500, 9);
  const batches: Batch[] = [];
  const watched = guarded(model, (batch) => {
    batches.push(batch);
    return model.apply(batch);
  });
  await catchUp(store, watched, PROJECTIONS);
  assert.equal(
    batches.map(({ fill }) => fill),
    [undefined],
  );
  await model.clear();
  await store.append([{ stream: 'tag-5000', expected: 'no_stream', events: [tagNamed('Loud')] }]);
  const other = openSqliteEventStore({ file: ':memory:' });
  await writeHistory(other, LONG, 9);
  batches.length = 0;
  let late = 0;
  const growing = guarded(watched, async (batch) => {
    if (late++ === 0) await other.append([{ stream: 'tag-5000', expected: 'no_stream', events: [tagNamed('Late')] }]);
    return watched.apply(batch);
  });
  await catchUp(other, growing, PROJECTIONS);
  const [tag] = await model.fetch([{ kind: 'tag', id: 5_000 }]);
  assert.is(tag?.kind === 'tag' && tag.name, 'Late');
  assert.ok(batches.length > 2 && batches.slice(0, -1).every(({ fill }) => fill !== undefined));
  assert.is(batches.at(-1)?.fill, undefined);
  assertSame(
    viewsDump(fileIn(context, 'replayed')),
    await followed({ ...context, store: other }, await model.checkpoint()),
  );
  await other.close();
});

const tagNamed = (name: string) =>
  newEvent('TagCreated', { id: 5_000, name, slug: 'late', description: '', parent: 0 });

test.run();
