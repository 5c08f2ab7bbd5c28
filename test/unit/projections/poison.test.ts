import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../../projections/catalogue.ts';
import { catchUp } from '../../../projections/engine/catch-up.ts';
import { CONTROL_STREAM, type ControlFact, controlAppend, readControl } from '../../../projections/engine/control.ts';
import { type Projector, type ProjectorOptions, startProjector } from '../../../projections/engine/projector.ts';
import { type AnyProjection, withSkips } from '../../../projections/projection.ts';
import { LOG_START, type NewEvent, type Position, type RecordedEvent } from '../../../src/event-store/envelope.ts';
import type { EventStore } from '../../../src/event-store/event-store.ts';
import { openSqliteEventStore } from '../../../src/event-store/sqlite/store.ts';
import { upcasters } from '../../../src/event-store/upcasting/upcast.ts';
import type { ReadModel } from '../../../src/read-model/read-model.ts';
import { openSqliteReadModel } from '../../../src/read-model/sqlite/open.ts';
import { writeHistory } from '../../perf/long-history.ts';
import { newEvent, someMetadata, temporaryDirectory } from '../../support/events.ts';
import { waitFor, within } from '../../support/eventstoredb-given.ts';
import { NEW_YORK } from '../../support/given.ts';
import { withUpcasting } from '../../support/pipelines.ts';
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

const PROJECTIONS = allProjections({
  siteZone: NEW_YORK,
  signBefore: '$',
  signAfter: '',
  freeLabel: 'Free',
});
const SILENT = { warn: () => {}, error: () => {} };
const LONG_MS = 20_000;
/** A wait of this length is never awaited to its end. */
const FOREVER_MS = 600_000;

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
  const given = { store, readModel, projections: PROJECTIONS, lease: null, log: SILENT, lookAgainMs: 5 };
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

const stopAt = (projector: Projector): Position | null => {
  const status = projector.status();
  return status.kind === 'stopped' ? status.at : null;
};

const stopsAt = (projector: Projector, position: Position): Promise<void> =>
  within(waitFor(() => stopAt(projector) === position));

async function tagOne({ model }: Context): Promise<readonly unknown[]> {
  const [found] = await model.fetch([{ kind: 'tag', id: 1 }]);
  return found?.kind === 'tag' ? [found.name, found.revision] : [];
}

/** What a rebuild from nothing makes of the same log. */
async function rebuilt(context: Context): Promise<Record<string, unknown>> {
  const model = modelIn(context, 'rebuilt');
  const { skips } = await readControl(context.operator);
  await catchUp(context.operator, model, withSkips(PROJECTIONS, skips));
  await model.close();
  return viewsDump(fileIn(context, 'rebuilt'));
}

const assertAsRebuilt = async (context: Context): Promise<void> => {
  const [found, expected] = [viewsDump(fileIn(context, 'views')), await rebuilt(context)];
  // A checkpoint may lie on either of two places between which nothing concerns the views.
  const { 'SELECT checkpoint FROM meta': _, ...views } = expected;
  for (const [query, rows] of Object.entries(views))
    if (JSON.stringify(found[query]) !== JSON.stringify(rows)) assert.equal(found[query], rows, query);
};

test('a skip in another process makes a stopped projector go on, with the views of a rebuild', async (context) => {
  const { store, operator } = context;
  await put(store, 'tag-1', tag('Loud'));
  const projector = start(context);
  await projector.ready;
  const at = await put(store, 'tag-1', newEvent('TagExploded'));
  const last = await put(store, 'tag-1', renamed('Late'));
  await stopsAt(projector, at);
  assert.equal(await tagOne(context), ['Loud', 0]);
  assert.not(await within(projector.reached(last, FOREVER_MS)), 'a wait for what does not come ends at once');
  await skip(operator, at);
  await within(waitFor(() => projector.status().kind === 'leading'));
  assert.ok(await projector.reached(last, LONG_MS));
  assert.equal(await tagOne(context), ['Late', 2]);
  await assertAsRebuilt(context);
});

test('a document counts a skipped event as folded: its revision is that of the log', async (context) => {
  const { store } = context;
  await put(store, 'tag-1', tag('Loud'));
  const at = await put(store, 'tag-1', newEvent('TagExploded'));
  await skip(store, at);
  const batches: number[] = [];
  const projector = start(context, { onBatch: (events) => batches.push(events) });
  await projector.ready;
  assert.equal(batches, [2], 'it is filled with what stands after a skip, too');
  assert.ok(await projector.reached(at, LONG_MS));
  assert.equal(await tagOne(context), ['Loud', 1]);
});

test('two in a row stop it twice, and each is skipped on its own', async (context) => {
  const { store, operator } = context;
  await put(store, 'tag-1', tag('Loud'));
  const first = await put(store, 'tag-1', newEvent('TagExploded'));
  const second = await put(store, 'tag-1', newEvent('TagExploded'));
  const last = await put(store, 'tag-1', renamed('Late'));
  const projector = start(context);
  await stopsAt(projector, first);
  await skip(operator, first);
  await stopsAt(projector, second);
  await skip(operator, second);
  await within(waitFor(() => projector.status().kind === 'leading'));
  assert.ok(await projector.reached(last, LONG_MS));
  assert.equal(await tagOne(context), ['Late', 3]);
  await assertAsRebuilt(context);
});

test('to resume is to try again: what fails no more is folded, what still fails stops it again', async (context) => {
  const { store, operator } = context;
  const at = await put(store, 'tag-1', tag('Loud'));
  let isBroken = true;
  let stops = 0;
  const mended: AnyProjection[] = PROJECTIONS.map((projection) => ({
    ...projection,
    fold(state, event) {
      if (isBroken) throw new Error('out of ink');
      return projection.fold(state, event);
    },
  }));
  const projector = start(context, { projections: mended, log: { ...SILENT, error: () => (stops += 1) } });
  await stopsAt(projector, at);
  await tell(operator, { type: 'ProjectionResumed', data: { position: at, reason: null } });
  await within(waitFor(() => stops === 2));
  assert.is(stopAt(projector), at);
  isBroken = false;
  await sleep(30);
  assert.is(stops, 2, 'it does not try without having been told');
  assert.is(stopAt(projector), at);
  await tell(operator, { type: 'ProjectionResumed', data: { position: at, reason: 'refilled' } });
  await within(waitFor(() => projector.status().kind === 'leading'));
  assert.equal(await tagOne(context), ['Loud', 0]);
});

test('a stopped projector goes on once another one has applied the event', async (context) => {
  const { store, model } = context;
  await put(store, 'tag-1', tag('Loud'));
  const at = await put(store, 'tag-1', newEvent('TagExploded'));
  const projector = start(context);
  await stopsAt(projector, at);
  const newer = withSkips(PROJECTIONS, new Map([[at, { stream: 'tag-1', revision: 1 }]]));
  await catchUp(store, model, newer);
  await within(waitFor(() => projector.status().kind === 'leading'));
  assert.ok(await projector.reached(await put(store, 'tag-1', renamed('Late')), LONG_MS));
});

test('a skip applies to the named event, not to another one at its position', () => {
  const [projection] = withSkips(PROJECTIONS, new Map([['7', { stream: 'tag-1', revision: 1 }]]));
  const event = { ...newEvent('TagExploded'), stream: 'tag-1', revision: 1, position: '7' };
  assert.is(projection?.fold('as it was', event), 'as it was');
  for (const other of [{ position: '8' }, { stream: 'tag-2' }, { revision: 2 }])
    assert.throws(() => projection?.fold('as it was', { ...event, ...other }));
});

test('an event of a newer version stops the projector there, says what to run, and can be skipped', async (context) => {
  const { store, operator } = context;
  // Only a build that knows the newer version reads the end of the stream.
  const newer = openSqliteEventStore({ file: join(context.directory, 'log.db') });
  await put(store, 'tag-1', tag('Loud'));
  for (const start_ of ['while it runs', 'at its start']) {
    const projector = start(context);
    if (start_ === 'while it runs') await projector.ready;
    const at = await put(store, 'tag-1', { ...renamed('Future'), schemaVersion: 9 });
    const last = await put(newer, 'tag-1', renamed('Late'));
    await stopsAt(projector, at);
    const status = projector.status();
    assert.match(status.kind === 'stopped' ? status.why : '', /TagRenamed in version 9 .*or a newer one\./);
    await skip(operator, at);
    await within(waitFor(() => projector.status().kind === 'leading'));
    assert.ok(await projector.reached(last, LONG_MS));
    await projector.stop();
  }
  await newer.close();
  assert.equal(await tagOne(context), ['Late', 4]);
  await assertAsRebuilt(context);
});

test('a poison event in a long log: views contain what comes before it, and after the skip all the rest', async (context) => {
  const { store, operator, model } = context;
  await writeHistory(store, 3_500);
  const prefixes = PROJECTIONS.map(({ prefix }) => prefix);
  const log = await store.readAll({ after: LOG_START, prefixes, limit: 100_000 });
  const future = middleUpdate(log);
  // As an older version of the software sees it, which does not know what this event says.
  const older: AnyProjection[] = PROJECTIONS.map((projection) => ({
    ...projection,
    fold(state, event) {
      if (event.position === future.position) throw new Error('never heard of it');
      return projection.fold(state, event);
    },
  }));
  const projector = start(context, { projections: older });
  await stopsAt(projector, future.position);
  const before = log[log.indexOf(future) - 1]?.position ?? '';
  assert.is(await model.checkpoint(), before);
  await skip(operator, future.position);
  assert.ok(
    await within(
      waitFor(() => stopAt(projector) === null).then(() => projector.reached(log.at(-1)?.position ?? '', LONG_MS)),
    ),
  );
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
