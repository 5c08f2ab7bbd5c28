import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AnyProjection } from '../../../projections/projection.ts';
import { termsProjection } from '../../../projections/terms.ts';
import { UsageError } from '../../../src/cli/errors.ts';
import { duration, rateBar, rateLines } from '../../../src/cli/rate-progress.ts';
import { type RebuildDependencies, rebuildCommand } from '../../../src/cli/rebuild.ts';
import type { EventStore } from '../../../src/log/event-store.ts';
import { countSqliteEvents } from '../../../src/log/sqlite/maintenance.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import { openSqliteGenerations } from '../../../src/read-model/sqlite/generations.ts';
import { openSqliteReadModel } from '../../../src/read-model/sqlite/open.ts';
import { endOf } from '../../support/ends.ts';
import { newEvent, temporaryDirectory } from '../../support/events.ts';
import { perform } from '../../support/perform.ts';

interface Context {
  directory: string;
  file: string;
  store: EventStore;
  lines: string[];
  dependencies: RebuildDependencies;
  remove(): Promise<void>;
}

const PROJECTIONS: readonly AnyProjection[] = [termsProjection('tag')];

const test = suite<Context>('daybook rebuild');

test.before.each(async (context) => {
  const { directory, remove } = await temporaryDirectory();
  const file = join(directory, 'views.db');
  const log = join(directory, 'log.db');
  const store = openSqliteEventStore({ file: log });
  const lines: string[] = [];
  const out = (line: string): void => void lines.push(line);
  const dependencies: RebuildDependencies = {
    store,
    generations: openSqliteGenerations({ file, fingerprint: 'test' }),
    projections: PROJECTIONS,
    countEvents: async () => countSqliteEvents(log, ['tag-']),
    elapsed: () => 0,
    out,
    progress: rateLines(out, () => 0),
    signal: new AbortController().signal,
  };
  Object.assign(context, { directory, file, store, lines, dependencies, remove });
  const created = newEvent('TagCreated', { id: 1, name: 'Loud', slug: 'loud', description: '', parent: 0 });
  await store.append([
    { stream: 'tag-1', expected: 'no_stream', events: [created, newEvent('TagRenamed', { name: 'Late' })] },
    { stream: 'slug-tag-loud', expected: 'no_stream', events: [newEvent()] },
  ]);
});
test.after.each(async ({ store, remove }) => {
  await store.close();
  await remove();
});

async function tagName({ file }: Context): Promise<string | null> {
  const model = openSqliteReadModel({ file, fingerprint: 'test' });
  const [tag] = await model.fetch([{ kind: 'tag', id: 1 }]);
  await model.close();
  return tag?.kind === 'tag' ? tag.name : null;
}

async function refusal(context: Context, ...args: string[]): Promise<UsageError> {
  try {
    await perform(rebuildCommand, args, context.dependencies);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('it was carried out');
}

const generations = ({ directory }: Context): number =>
  readdirSync(directory).filter((name) => /\.g[0-9a-f]{12}$/.test(name)).length;

test('views that were never filled are built, and only events that concern them are counted', async (context) => {
  assert.is(await perform(rebuildCommand, [], context.dependencies), 0);
  assert.is(await tagName(context), 'Late');
  assert.ok(context.lines.includes('Building: 2 of 2 events, 0 events/s'), context.lines.join('\n'));
  assert.match(context.lines.at(-1) ?? '', /^Generation views\.db\.g[0-9a-f]{12} is in use/);
});

test('without a read model nothing is compared, and it says so', async (context) => {
  const { dependencies, directory, lines } = context;
  assert.is(await perform(rebuildCommand, ['--check'], dependencies), 0);
  assert.equal(lines.splice(0), ['Nothing was compared: there are no views of this version with these settings yet.']);
  assert.equal(
    readdirSync(directory).filter((name) => name.startsWith('views')),
    [],
  );
  await perform(rebuildCommand, [], dependencies);
  assert.ok(
    lines.some((line) => line.startsWith('Nothing was compared')),
    lines.join('\n'),
  );
  assert.not.ok(lines.includes('No difference.'));
});

test('--check tells where lists in use are made from something else than documents', async (context) => {
  const { dependencies, lines } = context;
  const { generations } = dependencies;
  await perform(rebuildCommand, [], dependencies);
  lines.splice(0);
  assert.is(await perform(rebuildCommand, ['--check'], dependencies), 0);
  assert.ok(lines.includes('No difference.'), lines.join('\n'));
  lines.splice(0);
  /** A row without a document. */
  const row = { key: { kind: 'event', id: 9 }, row: new Uint8Array(3) } as const;
  const live = async () => {
    const found = await generations.live();
    if (!found) throw new Error('there are no views');
    const rows: typeof found.storage.rows = async (from) => {
      const { value, ...rest } = await found.storage.rows(from);
      return { ...rest, value: { ...value, rows: [...value.rows, row] } };
    };
    return { ...found, storage: { ...found.storage, rows } };
  };
  assert.is(await perform(rebuildCommand, ['--check'], { ...dependencies, generations: { ...generations, live } }), 1);
  assert.ok(
    lines.includes('DIFFERENT: lists: the row of event 9 in use is not what its document gives'),
    lines.join('\n'),
  );
});

test('one view alone cannot be rebuilt: --view is unknown, and nothing is built', async (context) => {
  const error = await refusal(context, '--view', 'events');
  assert.match(error.message, /^rebuild: unknown option '--view'\. Try /);
  assert.is(error.exitCode, 2);
  assert.is(generations(context), 0);
});

test('an unknown flag is named with those that are allowed', async (context) => {
  const { message } = await refusal(context, '--dri-run');
  assert.match(message, '--dri-run');
  assert.match(message, 'unknown option ');
});

test('--dry-run and --check exclude each other', async (context) => {
  assert.match((await refusal(context, '--dry-run', '--check')).message, 'use one of them');
});

test('--dry-run lists what would be done and creates no file', async (context) => {
  assert.is(await perform(rebuildCommand, ['--dry-run'], context.dependencies), 0);
  assert.is(context.lines[0], 'would read: 2 events');
  assert.match(context.lines[1] ?? '', 'first generation of this version');
  assert.equal(
    readdirSync(context.directory).filter((name) => name.startsWith('views')),
    [],
  );
});

test('--check leaves no generation behind', async (context) => {
  assert.is(await perform(rebuildCommand, [], context.dependencies), 0);
  assert.is(await perform(rebuildCommand, ['--check'], context.dependencies), 0);
  assert.is(context.lines.at(-1), 'Checked only: the views in use are unchanged.');
  assert.is(generations(context), 1);
});

test('without a number from the log, the views in use give the total', async (context) => {
  await perform(rebuildCommand, [], context.dependencies);
  context.lines.length = 0;
  await perform(rebuildCommand, [], { ...context.dependencies, countEvents: async () => null });
  assert.ok(context.lines.includes('Building: 2 of 2 events, 0 events/s'), context.lines.join('\n'));
});

test('an interruption before the switch is answered with 130, and nothing is left', async (context) => {
  const stopping = new AbortController();
  const progress = { ...context.dependencies.progress, reach: () => stopping.abort() };
  const code = await perform(rebuildCommand, [], { ...context.dependencies, progress, signal: stopping.signal });
  assert.is(code, 130);
  assert.is(generations(context), 0);
  assert.is(await tagName(context), null);
  assert.is(await perform(rebuildCommand, [], context.dependencies), 0);
});

test('an event that cannot be folded parks its resource, and everything else is built', async (context) => {
  await perform(rebuildCommand, [], context.dependencies);
  await context.store.append([
    { stream: 'tag-2', expected: await endOf(context.store, 'tag-2'), events: [newEvent('TagRenamed', { name: 'x' })] },
  ]);
  assert.is(await perform(rebuildCommand, [], context.dependencies), 0);
  assert.ok(context.lines.includes('not compared: 1, as the views in use had not got to them yet'));
  assert.is(await tagName(context), 'Late');
});

test('progress lines have number, speed and remaining time, once a second and at the end', () => {
  const lines: string[] = [];
  let now = 0;
  const progress = rateLines(
    (line) => void lines.push(line),
    () => now,
  );
  progress.begin('Building', 'events', 3_000);
  for (let done = 500; done <= 3_000; done += 500) {
    now += 500;
    progress.reach(done);
  }
  progress.end();
  assert.equal(lines, [
    'Building: 1000 of 3000 events, 1000 events/s, 2 s left',
    'Building: 2000 of 3000 events, 1000 events/s, 1 s left',
    'Building: 3000 of 3000 events, 1000 events/s, 0 s left',
    'Building: 3000 of 3000 events, 1000 events/s, 0 s left',
  ]);
});

test('the time left does not jump when the speed does', () => {
  const lines: string[] = [];
  let now = 0;
  const progress = rateLines(
    (line) => void lines.push(line),
    () => now,
  );
  progress.begin('Building', 'events', 40_000);
  // 200 in one second, 1,800 in the next.
  for (let done = 0; done < 40_000; ) {
    done += now % 2_000 === 0 ? 200 : 1_800;
    now += 1_000;
    progress.reach(done);
  }
  const left = lines.slice(9).map((line) => Number(/(\d+) s left$/.exec(line)?.[1]));
  assert.is(left.length, 31);
  const steps = left.slice(1).map((seconds, index) => Math.abs((left[index] ?? 0) - seconds));
  assert.ok(Math.max(...steps) <= 5, `seconds left: ${left.join(', ')}`);
});

test('a bar has the same figures', () => {
  const screen = Object.assign(new PassThrough(), { isTTY: true, columns: 120 });
  let now = 0;
  const bar = rateBar(screen, () => now);
  bar.begin('Building', 'events', 4_000);
  now = 2_000;
  bar.reach(1_000);
  bar.end();
  assert.match(screen.setEncoding('utf8').read(screen.readableLength), '1000/4000 events, 500 events/s, 6 s left');
});

test('durations are in minutes and seconds', () => {
  assert.equal([0, 0.2, 59.5, 61, 3_600].map(duration), ['0 s', '1 s', '1 min 0 s', '1 min 1 s', '60 min 0 s']);
});

test.run();
