import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../../projections/catalogue.ts';
import type { AnyProjection } from '../../../projections/projection.ts';
import type { ExitCode } from '../../../src/cli/command.ts';
import { UsageError } from '../../../src/cli/errors.ts';
import { type ProjectionsDependencies, projectionsGroup } from '../../../src/cli/projections.ts';
import type { NewEvent, Position } from '../../../src/log/envelope.ts';
import type { EventStore } from '../../../src/log/event-store.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import { upcasters } from '../../../src/log/upcasting/upcast.ts';
import { CONTROL_STREAM, readControl } from '../../../src/read-model/projector/control.ts';
import { parkedIn } from '../../../src/read-model/projector/parking.ts';
import { type Runner, startRunner } from '../../../src/read-model/projector/runner.ts';
import type { ReadModel } from '../../../src/read-model/read-model.ts';
import { openSqliteReadModel } from '../../../src/read-model/sqlite/open.ts';
import { endOf } from '../../support/ends.ts';
import { newEvent } from '../../support/events.ts';
import { waitFor, within } from '../../support/eventstoredb-given.ts';
import { NEW_YORK } from '../../support/given.ts';
import { perform } from '../../support/perform.ts';
import { withUpcasting } from '../../support/pipelines.ts';

interface Context {
  store: EventStore;
  model: ReadModel;
  runners: Runner[];
  dependencies: ProjectionsDependencies;
  /** What was written out since it was looked at last. */
  said: () => string[];
}

const PROJECTIONS = allProjections({
  siteZone: NEW_YORK,
  signBefore: '$',
  signAfter: '',
  freeLabel: 'Free',
});
/** A minute after what tests record. */
const NOW = Date.UTC(2026, 2, 1, 10, 1) / 1000;

const test = suite<Context>('daybook projections');
test.before.each((context) => {
  let lines: string[] = [];
  context.store = withUpcasting(openSqliteEventStore({ file: ':memory:' }), upcasters);
  context.model = openSqliteReadModel({ file: ':memory:', fingerprint: 'test' });
  context.runners = [];
  context.said = () => lines.splice(0);
  lines = [];
  context.dependencies = {
    store: context.store,
    readModel: context.model,
    projections: PROJECTIONS,
    generation: async () => 'g7',
    now: () => NOW,
    newId: randomUUID,
    out: (line) => void lines.push(line),
  };
});
test.after.each(async ({ runners, model, store }) => {
  await Promise.all(runners.map((runner) => runner.stop()));
  await model.close();
  await store.close();
});

const run = ({ dependencies }: Context, ...args: string[]): Promise<ExitCode> =>
  perform(projectionsGroup, args, dependencies);

async function fails(context: Context, ...args: string[]): Promise<UsageError> {
  try {
    await run(context, ...args);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error(`projections ${args.join(' ')} was carried out`);
}

function follow({ store, model, runners }: Context, projections: readonly AnyProjection[] = PROJECTIONS): Runner {
  const log = { warn: () => {}, error: () => {} };
  const runner = startRunner({ store, readModel: model, projections, log });
  runners.push(runner);
  return runner;
}

const areParked = ({ model }: Context, count: number) =>
  within(waitFor(async () => (await parkedIn(model)).length === count));

const tag = (name: string): NewEvent => newEvent('TagCreated', { id: 1, name, slug: name, description: '', parent: 0 });

async function put(store: EventStore, stream: string, event: NewEvent): Promise<Position> {
  const outcome = await store.append([{ stream, expected: await endOf(store, stream), events: [event] }]);
  return outcome.kind === 'appended' ? (outcome.written[0]?.position ?? '') : '';
}

/** Positions 1 to 3 of the log; the tag is parked at the second. */
async function poisoned({ store }: Context): Promise<Position> {
  await put(store, 'tag-1', tag('Loud'));
  const at = await put(store, 'tag-1', newEvent('TagExploded\u001b[2J'));
  await put(store, 'tag-1', newEvent('TagRenamed', { name: 'Late' }));
  return at;
}

const told = ({ store }: Context) => store.readStream(CONTROL_STREAM);

test('status of views that have everything', async (context) => {
  const position = await put(context.store, 'tag-1', tag('Loud'));
  await follow(context).reached(position, 10_000);
  assert.is(await run(context, 'status'), 0);
  assert.equal(context.said(), [
    'generation:  g7',
    'checkpoint:  0000000000000001',
    'head:        0000000000000001',
    'lag:         0 events, 0 s',
    'parked:      none',
    'skipped:     none',
  ]);
});

test('status of an empty log, and of views that were never filled', async (context) => {
  assert.is(await run(context, 'status'), 0);
  assert.equal(context.said().slice(1, 3), [
    'checkpoint:  none: nothing has been applied',
    'head:        none: the log is empty',
  ]);
  await put(context.store, 'tag-1', tag('Loud'));
  assert.is(await run(context, 'status'), 0);
  assert.equal(context.said().slice(3, 5), ['lag:         1 event, 60 s', 'parked:      none']);
});

test('status of a parked resource: 1, with the event and the reason', async (context) => {
  const at = await poisoned(context);
  follow(context);
  await areParked(context, 1);
  assert.is(await run(context, 'status'), 1);
  assert.equal(context.said(), [
    'generation:  g7',
    'checkpoint:  0000000000000003',
    'head:        0000000000000003',
    'lag:         0 events, 0 s',
    'parked:      1 resource',
    `  TagExploded [2J (position ${at}, tag-1 revision 1), recorded 2026-03-01T10:00:00Z`,
    '    shown as before it, because: cannot apply an event of type TagExploded [2J: the type is unknown, or its stream has no beginning',
    'skipped:     none',
  ]);
});

test('status as JSON has all of it', async (context) => {
  const at = await poisoned(context);
  follow(context);
  await areParked(context, 1);
  assert.is(await run(context, 'status', '--json'), 1);
  const parked = {
    position: at,
    stream: 'tag-1',
    revision: 1,
    type: 'TagExploded\u001b[2J',
    instant: '2026-03-01T10:00:00Z',
    why: 'cannot apply an event of type TagExploded\u001b[2J: the type is unknown, or its stream has no beginning',
    shown: true,
  };
  assert.equal(JSON.parse(context.said()[0] ?? ''), {
    status: 'parked',
    generation: 'g7',
    checkpoint: '0000000000000003',
    head: '0000000000000003',
    lag_events: 0,
    lag_events_counted: 'exactly',
    lag_seconds: 0,
    parked: [parked],
    skips: [],
  });
});

test('a skip replays the resource and is shown by status from then on', async (context) => {
  const at = await poisoned(context);
  follow(context);
  await areParked(context, 1);
  assert.is(await run(context, 'skip', '--position', at, '--reason', ' a slip of ours '), 0);
  const event = `TagExploded [2J (position ${at}, tag-1 revision 1)`;
  assert.equal(context.said(), [`Recorded: views skip ${event} from now on, also when they are rebuilt.`]);
  await areParked(context, 0);
  assert.is(await run(context, 'status'), 0);
  assert.equal(context.said().slice(-2), [
    'skipped:',
    `  ${event}: a slip of ours (daybook projections, 2026-03-01T10:01:00.000Z)`,
  ]);
  const [skip] = await told(context);
  assert.equal([skip?.type, skip?.metadata.actor], ['EventSkipped', { id: null, name: 'daybook projections' }]);
});

test('a skip of any other place is refused, and nothing is recorded', async (context) => {
  await poisoned(context);
  follow(context);
  await areParked(context, 1);
  for (const wrong of ['0000000000000001', '0000000000000003', '2', 'nonsense']) {
    const { message, exitCode } = await fails(context, 'skip', '--position', wrong, '--reason', 'a slip');
    assert.is(exitCode, 1);
    assert.is(message, `projections skip: no resource is parked at ${wrong}; nothing was recorded.`);
  }
  assert.equal(await told(context), []);
});

test('an event is skipped once', async (context) => {
  const at = await poisoned(context);
  follow(context);
  await areParked(context, 1);
  await run(context, 'skip', '--position', at, '--reason', 'a slip');
  await areParked(context, 0);
  const { message, exitCode } = await fails(context, 'skip', '--position', at, '--reason', 'a slip');
  assert.equal(
    [message, exitCode],
    [`projections skip: the event at position ${at} is skipped already; nothing was recorded.`, 1],
  );
  assert.is((await told(context)).length, 1);
});

test('where nothing is parked, resume says so and records nothing', async (context) => {
  await follow(context).reached(await put(context.store, 'tag-1', tag('Loud')), 10_000);
  const resumed = await fails(context, 'resume');
  assert.equal(
    [resumed.message, resumed.exitCode],
    ['projections resume: no resource is parked; nothing was recorded.', 1],
  );
  assert.equal(await told(context), []);
});

test('resume folds what can be folded by now', async (context) => {
  const position = await put(context.store, 'tag-1', tag('Loud'));
  let isBroken = true;
  const mended = PROJECTIONS.map(
    (projection): AnyProjection => ({
      ...projection,
      fold(state, event) {
        if (isBroken) throw new Error('out of ink');
        return projection.fold(state, event);
      },
    }),
  );
  follow(context, mended);
  await areParked(context, 1);
  isBroken = false;
  assert.is(await run(context, 'resume', '--reason', 'refilled'), 0);
  assert.equal(context.said(), ['Recorded: projectors fold 1 parked resource anew.']);
  await areParked(context, 0);
  const [resumed] = await told(context);
  assert.equal([resumed?.type, resumed?.data], ['ProjectionResumed', { position, reason: 'refilled' }]);
});

test('two operators who skip the same event at once record it once', async (context) => {
  const at = await poisoned(context);
  follow(context);
  await areParked(context, 1);
  const both = ['one', 'other'].map((reason) => run(context, 'skip', '--position', at, '--reason', reason));
  const outcomes = await Promise.allSettled(both);
  assert.equal(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  assert.is((await readControl(context.store)).skips.size, 1);
  assert.is((await told(context)).length, 1);
});

const senseless: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [[], /the command is missing\. Try one of status, resume, skip/],
  [['jump'], /unknown command 'jump'\. Try one of status, resume, skip/],
  [['status', '--verbose'], /unknown option '--verbose'\./],
  [['resume', 'now'], /Expected 0 arguments but got 1: now\./],
  [['resume', '--reason', ' '], /'--reason <TEXT>' argument '.?' is invalid\. It must be a text that is not blank/],
  [['skip'], /'--position <P>' not specified/],
  [['skip', '--position', '2'], /'--reason <TEXT>' not specified/],
  [
    ['skip', '--position', '2', '--reason', ''],
    /'--reason <TEXT>' argument '.?' is invalid\. It must be a text that is not blank/,
  ],
];
for (const [args, message] of senseless)
  test(`projections ${args.join(' ')} is refused in one sentence`, async (context) => {
    const failure = await fails(context, ...args);
    assert.match(failure.message, message);
    assert.is(failure.exitCode, 2);
  });

test.run();
