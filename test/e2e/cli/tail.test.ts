import { setImmediate as nextTurn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ExitCode } from '../../../src/cli/command.ts';
import { UsageError } from '../../../src/cli/errors.ts';
import { tailCommand } from '../../../src/editorial/audit/cli/tail.ts';
import { EventStoreUnavailable } from '../../../src/log/event-store.ts';
import { perform } from '../../support/perform.ts';
import { type ChangesLog, fillSome, openChangesLog } from '../../unit/queries/changes-log.ts';

const test = suite<{ log: ChangesLog }>('daybook tail');

test.before.each(async (context) => {
  context.log = openChangesLog();
  await fillSome(context.log);
});
test.after.each(({ log }) => log.store.close());

interface Running {
  readonly lines: string[];
  /** Resolves once so many lines are there. */
  wrote(count: number): Promise<void>;
  /** What Ctrl-C does. */
  end(): void;
  readonly ended: Promise<ExitCode>;
}

function start({ dependencies }: ChangesLog, ...args: string[]): Running {
  const lines: string[] = [];
  const ending = new AbortController();
  const ended = perform(tailCommand, args, {
    ...dependencies,
    out: (line) => void lines.push(line),
    signal: ending.signal,
  });
  return {
    lines,
    ended,
    end: () => ending.abort(),
    async wrote(count) {
      while (lines.length < count)
        await Promise.race([nextTurn(), ended.then(() => Promise.reject(new Error('ended')))]);
    },
  };
}

async function told(log: ChangesLog, ...args: string[]): Promise<string[]> {
  const { lines, ended } = start(log, ...args);
  await ended;
  return lines;
}

test('it begins at the end, has one line per change, and ends cleanly', async ({ log }) => {
  const tail = start(log);
  await nextTurn();
  await log.add('event-1', 'EventRetitled', { title: 'Two\u001b[2J' }, { reason: 'a\nslip' });
  await log.add('tag-9', 'TagDeleted', {}, { actor: { id: null, name: 'daybook import' } });
  await tail.wrote(2);
  tail.end();
  await tail.ended;
  assert.equal(tail.lines, [
    '2026-03-01 05:00:00  event 1 r3  ann  Renamed from “Concert” to “Two [2J”. (a slip)',
    '2026-03-01 05:00:00  tag 9 r2  daybook import  Deleted.',
  ]);
});

test('--after begins at the start or a position, and --limit ends it', async ({ log }) => {
  const all = await told(log, '--after', 'start', '--limit', '8');
  assert.is(all.length, 8);
  assert.match(all[0] ?? '', 'venue 4 r0  ann  Created as “Town Hall”.');
  const positions = (await log.all()).map(({ position }) => position);
  assert.equal(await told(log, '--after', positions[7] ?? '', '--limit', '2'), all.slice(5, 7));
  assert.equal(await told(log, '--after', 'start', '--limit', '3'), all.slice(0, 3));
});

test('--limit counts changes, also over several pages', async ({ log }) => {
  for (let count = 0; count < 250; count += 1) void log.add('tag-9', 'TagRenamed', { name: `Name ${count}` });
  await log.add('tag-9', 'TagRenamed', { name: 'The last' });
  const lines = await told(log, '--after', 'start', '--types', 'TagRenamed', '--limit', '252');
  assert.is(lines.length, 252);
  assert.match(lines.at(-1) ?? '', 'The last');
});

test('--types takes kinds and sorts of facts', async ({ log }) => {
  const lines = await told(log, '--after', 'start', '--types', 'tag, EventMoved', '--limit', '3');
  assert.equal(
    lines.map((line) => line.split('  ')[1]),
    ['tag 9 r0', 'tag 9 r1', 'event 1 r2'],
  );
});

test('--json is one object a line, with the position to go on from', async ({ log }) => {
  const lines = await told(log, '--after', 'start', '--json', '--limit', '2');
  const [first, second] = lines.map((line) => JSON.parse(line));
  assert.equal([first.type, first.kind, first.id, first.revision], ['VenueDrafted', 'venue', 4, 0]);
  const rest = await told(log, '--after', first.position, '--json', '--limit', '1');
  assert.equal(JSON.parse(rest[0] ?? ''), second);
});

test('secrets are never printed', async ({ log }) => {
  const lines = await told(log, '--after', 'start', '--json', '--limit', '8');
  assert.match(lines.join('\n'), 'EventPasswordSet');
  assert.not.match(lines.join('\n'), 'scrypt');
});

test('a failing log ends it with that failure', async ({ log }) => {
  const tail = start(log, '--after', 'start');
  const failure = tail.ended.catch((error: unknown) => error);
  await tail.wrote(8);
  await log.store.close();
  assert.instance(await failure, EventStoreUnavailable);
});

test('what makes no sense is refused in a sentence', async ({ log }) => {
  const said = async (...args: string[]): Promise<string> => {
    const error: unknown = await told(log, ...args).catch((thrown: unknown) => thrown);
    if (!(error instanceof UsageError)) throw new Error(`tail ${args.join(' ')} was carried out`);
    return `${error.exitCode} ${error.message}`;
  };
  for (const after of ['', 'end', '5', '0000000000000001-0000000000000001'])
    assert.is(
      await said(`--after=${after}`),
      `2 tail: --after must be "start" or a position of this log, not "${after}".`,
    );
  assert.match(
    await said('--types', 'event,events'),
    "2 tail: option '--types <TYPE,…>' argument 'event,events' is invalid. It must be a list of event, venue",
  );
  for (const limit of ['0', 'x', '1.5'])
    assert.match(await said('--limit', limit), `argument '${limit}' is invalid. It must be a positive integer.`);
  assert.match(await said('--all'), "unknown option '--all'.");
  assert.match(await said('event/1'), '2 tail: ');
});

test.run();
