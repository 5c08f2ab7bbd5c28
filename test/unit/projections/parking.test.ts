import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../../projections/catalogue.ts';
import { mayHide } from '../../../projections/changes.ts';
import { type AnyProjection, withSkips } from '../../../projections/projection.ts';
import { LOG_START, type NewEvent, type Position, type RecordedEvent } from '../../../src/log/envelope.ts';
import type { EventStore } from '../../../src/log/event-store.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import { upcasters } from '../../../src/log/upcasting/upcast.ts';
import { catchUp } from '../../../src/read-model/projector/catch-up.ts';
import {
  CONTROL_STREAM,
  type ControlFact,
  controlAppend,
  readControl,
} from '../../../src/read-model/projector/control.ts';
import { parkedIn } from '../../../src/read-model/projector/parking.ts';
import { type Projector, type ProjectorOptions, startProjector } from '../../../src/read-model/projector/projector.ts';
import { replay } from '../../../src/read-model/projector/replay.ts';
import { startRunner } from '../../../src/read-model/projector/runner.ts';
import type { ReadModel } from '../../../src/read-model/read-model.ts';
import { openSqliteReadModel } from '../../../src/read-model/sqlite/open.ts';
import { writeHistory } from '../../perf/long-history.ts';
import { newEvent, someMetadata, temporaryDirectory } from '../../support/events.ts';
import { waitFor, within } from '../../support/eventstoredb-given.ts';
import { NEW_YORK } from '../../support/given.ts';
import { withUpcasting } from '../../support/pipelines.ts';
import { seeded } from '../../support/seeded.ts';
import { viewsDump } from '../../support/views-dump.ts';

interface Context {
  directory: string;
  remove(): Promise<void>;
  /** The log as the projector has it, and as an operator in another process has it. */
  store: EventStore;
  operator: EventStore;
  model: ReadModel;
  projectors: Projector[];
}

const PROJECTIONS: readonly AnyProjection[] = allProjections({
  siteZone: NEW_YORK,
  signBefore: '$',
  signAfter: '',
  freeLabel: 'Free',
});
const SILENT = { warn: () => {}, error: () => {} };
const LONG_MS = 20_000;

const test = suite<Context>('events that cannot be folded');
test.before.each(async (context) => {
  Object.assign(context, await temporaryDirectory());
  const open = () => withUpcasting(openSqliteEventStore({ file: join(context.directory, 'log.db') }), upcasters);
  context.store = open();
  context.operator = open();
  context.model = modelIn(context, 'views');
  context.projectors = [];
});
test.after.each(async ({ projectors, model, store, operator, remove }) => {
  await Promise.all(projectors.map((projector) => projector.stop()));
  await model.close();
  await Promise.all([store.close(), operator.close()]);
  await remove();
});

const fileIn = ({ directory }: Context, name: string): string => join(directory, `${name}.db`);
const modelIn = (context: Context, name: string): ReadModel =>
  openSqliteReadModel({ file: fileIn(context, name), fingerprint: 'test' });

function start(context: Context, options: Partial<ProjectorOptions> = {}): Projector {
  const { store, model: readModel } = context;
  const given = { store, readModel, projections: PROJECTIONS, lease: null, log: SILENT };
  const projector = startProjector({ ...given, ...options });
  context.projectors.push(projector);
  return projector;
}

const tag = (name: string): NewEvent =>
  newEvent('TagCreated', { id: 1, name, slug: name.toLowerCase(), description: '', parent: 0 });
const renamed = (name: string): NewEvent => newEvent('TagRenamed', { name });

async function put(store: EventStore, stream: string, ...events: readonly NewEvent[]): Promise<Position> {
  // A read of the stream would end at what this version does not know.
  const log = await store.readAll({ after: LOG_START, prefixes: [stream], limit: 100 });
  const expected = log.findLast((event) => event.stream === stream)?.revision ?? 'no_stream';
  const outcome = await store.append([{ stream, expected, events }]);
  return outcome.kind === 'appended' ? (outcome.written.at(-1)?.position ?? '') : '';
}

async function tell(store: EventStore, fact: ControlFact): Promise<void> {
  const append = controlAppend(await readControl(store), fact, { id: newEvent().id, metadata: someMetadata });
  assert.is((await store.append([append])).kind, 'appended');
}

async function skip(store: EventStore, position: Position): Promise<void> {
  const log = await store.readAll({ after: LOG_START, limit: 100_000 });
  const event = log.find((one) => one.position === position);
  if (!event) throw new Error(`nothing lies at ${position}`);
  const { stream, revision, type } = event;
  await tell(store, { type: 'EventSkipped', data: { position, stream, revision, type, reason: 'drill' } });
}

async function tagOne({ model }: Context): Promise<readonly unknown[]> {
  const [found] = await model.fetch([{ kind: 'tag', id: 1 }]);
  return found?.kind === 'tag' ? [found.name, found.revision, found.parkedAt] : [];
}

const parkedTags = async ({ model }: Context): Promise<readonly unknown[]> =>
  (await parkedIn(model)).map(({ at, resource, withheld }) => [resource.id, at.position, withheld]);

/** What a rebuild from nothing makes of the same log. */
async function rebuilt(context: Context, projections: readonly AnyProjection[]): Promise<Record<string, unknown>> {
  const model = modelIn(context, 'rebuilt');
  await replay(context.operator, model, withSkips(projections, (await readControl(context.operator)).skips), {
    upTo: await context.operator.head(),
  });
  await model.close();
  return viewsDump(fileIn(context, 'rebuilt'));
}

const assertAsRebuilt = async (context: Context, projections = PROJECTIONS): Promise<void> => {
  const [found, expected] = [viewsDump(fileIn(context, 'views')), await rebuilt(context, projections)];
  // A checkpoint may lie on either of two places between which nothing concerns the views.
  const { 'SELECT checkpoint FROM meta': _, ...views } = expected;
  for (const [query, rows] of Object.entries(views))
    if (JSON.stringify(found[query]) !== JSON.stringify(rows)) assert.equal(found[query], rows, query);
};

test('an event that cannot be folded parks its resource alone, and all else goes on', async (context) => {
  const { store } = context;
  await put(store, 'tag-1', tag('Loud'));
  const failures: object[] = [];
  const projector = start(context, { log: { ...SILENT, error: (details) => failures.push(details) } });
  await projector.ready;
  const at = await put(store, 'tag-1', renamed('Before'), newEvent('TagExploded'), renamed('Late'));
  const last = await put(store, 'tag-2', { ...tag('Quiet'), data: { ...(tag('Quiet').data as object), id: 2 } });
  assert.ok(await projector.reached(last, LONG_MS));
  const poison = (await store.readAll({ after: LOG_START, limit: 100 })).find(({ type }) => type === 'TagExploded');
  assert.equal(await tagOne(context), ['Before', 1, poison?.position]);
  assert.equal(await parkedTags(context), [[1, poison?.position, false]]);
  assert.is((await context.model.fetch([{ kind: 'tag', id: 2 }]))[0]?.revision, 0);
  assert.is(failures.length, 1);
  assert.ok(at > (poison?.position ?? ''));
  assert.equal(projector.status(), { kind: 'leading' });
  await assertAsRebuilt(context);
});

test('a resource of which nothing can be folded is parked without a document', async (context) => {
  const { store } = context;
  const at = await put(store, 'tag-1', newEvent('TagExploded'));
  const projector = start(context);
  await projector.ready;
  assert.ok(await projector.reached(await put(store, 'tag-1', tag('Loud')), LONG_MS));
  assert.equal(await tagOne(context), []);
  assert.equal(await parkedTags(context), [[1, at, true]]);
  await assertAsRebuilt(context);
});

test('a skip in another process replays the resource alone, with the views of a rebuild', async (context) => {
  const { store, operator } = context;
  await put(store, 'tag-1', tag('Loud'));
  const projector = start(context);
  await projector.ready;
  const first = await put(store, 'tag-1', newEvent('TagExploded'));
  const second = await put(store, 'tag-1', newEvent('TagExploded'));
  const last = await put(store, 'tag-1', renamed('Late'));
  assert.ok(await projector.reached(last, LONG_MS));
  assert.equal(await parkedTags(context), [[1, first, false]]);
  await skip(operator, first);
  await within(waitFor(async () => JSON.stringify(await parkedTags(context)) === JSON.stringify([[1, second, false]])));
  await skip(operator, second);
  await within(waitFor(async () => (await parkedTags(context)).length === 0));
  assert.equal(await tagOne(context), ['Late', 3, undefined]);
  await assertAsRebuilt(context);
});

test('a document counts a skipped event as folded: its revision is that of the log', async (context) => {
  const { store } = context;
  await put(store, 'tag-1', tag('Loud'));
  const at = await put(store, 'tag-1', newEvent('TagExploded'));
  await skip(store, at);
  const projector = start(context);
  await projector.ready;
  assert.ok(await projector.reached(at, LONG_MS));
  assert.equal(await tagOne(context), ['Loud', 1, undefined]);
});

/** Projections that cannot fold events of a kind while it says so. */
const failingWhile = (
  isBroken: () => boolean,
  fails: (event: RecordedEvent) => boolean = () => true,
): AnyProjection[] =>
  PROJECTIONS.map((projection) => ({
    ...projection,
    fold(state, event) {
      if (isBroken() && fails(event)) throw new Error('out of ink');
      return projection.fold(state, event);
    },
  }));

test('to resume is to fold parked resources anew: what fails no more is up to date', async (context) => {
  const { store, operator } = context;
  const at = await put(store, 'tag-1', tag('Loud'));
  let isBroken = true;
  const projector = start(context, { projections: failingWhile(() => isBroken) });
  await projector.ready;
  const next = await put(operator, 'tag-2', { ...tag('Quiet'), data: { ...(tag('Quiet').data as object), id: 2 } });
  await within(waitFor(() => projector.reached(next, 5)));
  isBroken = false;
  await within(projector.reached(await put(operator, 'tag-2', renamed('Silent')), LONG_MS));
  assert.equal((await parkedTags(context))[0], [1, at, true], 'it is not tried without having been told');
  await tell(operator, { type: 'ProjectionResumed', data: { position: at, reason: 'refilled' } });
  await within(waitFor(async () => (await parkedTags(context)).length === 0));
  assert.equal(await tagOne(context), ['Loud', 0, undefined]);
  await assertAsRebuilt(context);
});

test('a version that can fold the event replays the resource when it begins to lead', async (context) => {
  const { store } = context;
  await put(store, 'tag-1', tag('Loud'));
  await put(store, 'tag-1', newEvent('TagExploded'), renamed('Late'));
  const older = start(context);
  await older.ready;
  await older.stop();
  assert.is((await parkedTags(context)).length, 1);
  const knowing: AnyProjection[] = PROJECTIONS.map((projection) => ({
    ...projection,
    fold: (state, event) => (event.type === 'TagExploded' ? state : projection.fold(state, event)),
  }));
  start(context, { projections: knowing });
  await within(waitFor(async () => (await parkedTags(context)).length === 0));
  assert.equal(await tagOne(context), ['Late', 2, undefined]);
});

test('what may have been hidden is not shown as it was, whatever came first', async (context) => {
  const { store, model } = context;
  for (const [id, types] of [
    [1, ['TagExploded', 'TagDeleted']],
    [2, ['TagMerged']],
    [3, ['TagExploded', 'TagRenamed']],
  ] as const) {
    await put(store, `tag-${id}`, { ...tag('Loud'), data: { ...(tag('Loud').data as object), id } });
    await put(store, `tag-${id}`, ...types.map((type) => ({ ...newEvent(type, { name: 'Late' }), schemaVersion: 9 })));
  }
  const projector = start(context);
  await projector.ready;
  await within(waitFor(async () => (await parkedIn(model)).length === 3));
  const shown = await model.fetch([1, 2, 3].map((id) => ({ kind: 'tag', id })));
  assert.equal(
    shown.map((one) => one?.id),
    [undefined, undefined, 3],
  );
  await assertAsRebuilt(context);
});

test('every fact that takes something from readers is known by its name', () => {
  const posts = [
    'Trashed',
    'ReturnedToDraft',
    'SubmittedForReview',
    'MadePrivate',
    'PublicationScheduled',
    'PasswordSet',
  ];
  for (const noun of ['Event', 'Venue', 'Organizer'] as const)
    for (const type of [...posts, 'Reassigned']) assert.ok(mayHide('event', noun + type), noun + type);
  for (const type of ['TagDeleted', 'CategoryDeleted', 'TagMerged', 'VenueMerged', 'OrganizerErased', 'PictureRemoved'])
    assert.ok(mayHide('tag', type), type);
  for (const type of ['EventHiddenFromListings', 'SeriesTrashed', 'DateSkipped', 'SeriesContentChanged', 'SeriesEnded'])
    assert.ok(mayHide('event', type), type);
  assert.ok(mayHide('user', 'UserRenamed'), 'users have rights');
  for (const type of ['EventPublished', 'EventRescheduled', 'TagRenamed', 'EventExploded'])
    assert.not(mayHide('event', type), type);
});

test('a skip applies to the named event, not to another one at its position', () => {
  const [projection] = withSkips(PROJECTIONS, new Map([['7', { stream: 'tag-1', revision: 1 }]]));
  const event = { ...newEvent('TagExploded'), stream: 'tag-1', revision: 1, position: '7' };
  assert.is(projection?.fold('as it was', event), 'as it was');
  for (const other of [{ position: '8' }, { stream: 'tag-2' }, { revision: 2 }])
    assert.throws(() => projection?.fold('as it was', { ...event, ...other }));
});

test('an event of a newer version parks its resource, says what to run, and can be skipped', async (context) => {
  const { store, operator, model } = context;
  // Only a build that knows the newer version reads the end of the stream.
  const newer = openSqliteEventStore({ file: join(context.directory, 'log.db') });
  await put(store, 'tag-1', tag('Loud'));
  for (const start_ of ['while it runs', 'at its start']) {
    const projector = start(context);
    if (start_ === 'while it runs') await projector.ready;
    const at = await put(store, 'tag-1', { ...renamed('Future'), schemaVersion: 9 });
    await put(newer, 'tag-1', renamed('Late'));
    await within(waitFor(async () => JSON.stringify(await parkedTags(context)) === JSON.stringify([[1, at, false]])));
    const [parked] = await parkedIn(model);
    assert.match(parked?.why ?? '', /TagRenamed in version 9 .*or a newer one\./);
    await skip(operator, at);
    await within(waitFor(async () => (await parkedTags(context)).length === 0));
    await projector.stop();
  }
  await newer.close();
  assert.equal(await tagOne(context), ['Late', 4, undefined]);
  await assertAsRebuilt(context);
});

/** As an older version of the software sees a log, which does not know what some of its events say. */
const notKnowing = (positions: ReadonlySet<Position>): AnyProjection[] =>
  failingWhile(
    () => true,
    ({ position }) => positions.has(position),
  );

for (const [seed, batchSize] of [
  [1, 1],
  [2, 7],
  [3, 500],
] as const)
  test(`however events are poisoned (${seed}), the rest is as without the poisoned streams, and a rebuild agrees`, async (context) => {
    const { store, model } = context;
    await writeHistory(store, 600, seed);
    const random = seeded(seed);
    const prefixes = PROJECTIONS.map(({ prefix }) => prefix);
    const log = await store.readAll({ after: LOG_START, prefixes, limit: 100_000 });
    const poisoned = log.filter(() => random() < 0.03);
    const streams = new Set(poisoned.map(({ stream }) => stream));
    const projections = notKnowing(new Set(poisoned.map(({ position }) => position)));
    const runner = startRunner({ store, readModel: model, projections, batchSize, log: SILENT });
    assert.ok(await runner.reached(log.at(-1)?.position ?? '', LONG_MS));
    await runner.stop();
    await assertAsRebuilt(context, projections);
    assert.is((await parkedIn(model)).length, streams.size);

    const healthy = modelIn(context, 'healthy');
    await catchUp(store, healthy, PROJECTIONS);
    for (const projection of PROJECTIONS) {
      const found = log.filter(({ stream }) => stream.startsWith(projection.prefix) && !streams.has(stream));
      const ids = [...new Set(found.map(({ stream }) => Number(stream.slice(projection.prefix.length))))];
      const keys = ids.map((id) => ({ kind: projection.kind, id }));
      assert.equal(await model.fetch(keys), await healthy.fetch(keys));
    }
    await healthy.close();

    // Mended, every one of them is as if nothing had happened.
    const mended = startRunner({ store, readModel: model, projections: PROJECTIONS, log: SILENT });
    await within(waitFor(async () => (await parkedIn(model)).length === 0));
    await mended.stop();
    await assertAsRebuilt(context);
  });

test('a poison event in a long log parks one resource, also where it is filled stream by stream', async (context) => {
  const { store, operator } = context;
  await writeHistory(store, 3_500);
  const prefixes = PROJECTIONS.map(({ prefix }) => prefix);
  const log = await store.readAll({ after: LOG_START, prefixes, limit: 100_000 });
  const future = middleUpdate(log);
  const projector = start(context, { projections: notKnowing(new Set([future.position])) });
  await projector.ready;
  const [parked] = await parkedIn(context.model);
  assert.equal([parked?.at.position, parked?.at.stream], [future.position, future.stream]);
  assert.ok(await projector.reached(log.at(-1)?.position ?? '', LONG_MS));
  await skip(operator, future.position);
  await within(waitFor(async () => (await parkedIn(context.model)).length === 0));
  await assertAsRebuilt(context);
});

/** About the middle of the log, an event that is not the first of its stream. */
function middleUpdate(log: readonly RecordedEvent[]): RecordedEvent {
  const found = log.slice(log.length / 2).find(({ revision }) => revision > 0);
  if (!found) throw new Error('nothing was ever changed');
  return found;
}

test('commands to projectors are recorded in the log with author, instant and reason', async ({ store }) => {
  const at = await put(store, 'tag-1', tag('Loud'));
  await skip(store, at);
  const [told] = await store.readStream(CONTROL_STREAM);
  assert.equal([told?.type, told?.metadata.actor, told?.schemaVersion], ['EventSkipped', someMetadata.actor, 1]);
  const { skips, revision } = await readControl(store);
  const skipped = { position: at, stream: 'tag-1', revision: 0, type: 'TagCreated', reason: 'drill' };
  assert.equal([...skips], [[at, { ...skipped, actor: someMetadata.actor, instant: someMetadata.instant }]]);
  assert.is(revision, 0);
});

test('an instruction that this version does not know is not passed over', async ({ store }) => {
  await put(store, CONTROL_STREAM, newEvent('ProjectionExploded'));
  try {
    await readControl(store);
  } catch (error) {
    assert.match(String(error), 'ProjectionExploded');
    return;
  }
  assert.unreachable();
});

test.run();
