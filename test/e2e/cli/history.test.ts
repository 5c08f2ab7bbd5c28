import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UsageError } from '../../../src/cli/errors.ts';
import { historyCommand } from '../../../src/editorial/history/cli/history.ts';
import { perform } from '../../support/perform.ts';
import { eventDrafted, type GivenLog, givenLog, venueDrafted } from '../../unit/queries/history/given-log.ts';

const test = suite('daybook history');

async function run(log: GivenLog, ...args: string[]): Promise<string[]> {
  const lines: string[] = [];
  await perform(historyCommand, args, { ...log.dependencies, out: (line) => void lines.push(line) });
  return lines;
}

async function fails(log: GivenLog, ...args: string[]): Promise<UsageError> {
  try {
    await run(log, ...args);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error(`history ${args.join(' ')} was carried out`);
}

function someLog(): GivenLog {
  const log = givenLog();
  log.add('venue-4', 'VenueDrafted', venueDrafted({ author: 77 }));
  log.add('event-12', 'EventDrafted', eventDrafted({ venues: [{ id: 4, life: 0 }] }), 0, {
    actor: { id: null, name: 'daybook import' },
  });
  log.add('event-12', 'EventRetitled', { title: 'Two\u001b[2J' }, 60, { reason: 'a slip' });
  log.add('event-12', 'EventPasswordSet', { hash: 'scrypt$1' }, 120);
  return log;
}

test('it lists changes, newest first, with author, reason and differences', async () => {
  const lines = await run(someLog(), 'events/12');
  assert.equal(lines.slice(0, 6), [
    '2  2026-03-01T10:02:00.000Z  ann (user 2)  Password set.',
    '     password: false → true',
    '1  2026-03-01T10:01:00.000Z  ann (user 2)  Renamed from “Open rehearsal” to “Two [2J”.',
    '     reason: a slip',
    '     title: "Open rehearsal" → "Two\\u001b[2J"',
    '0  2026-03-01T10:00:00.000Z  daybook import  Created as “Open rehearsal”.',
  ]);
  assert.ok(
    lines.includes('     venue: null → [{"id":4,"venue":"Town Hall"}]'),
    'all of it, also a venue that is not public',
  );
  assert.not.match(lines.join('\n'), 'scrypt');
});

test('--limit leaves the older ones out and says how many', async () => {
  const lines = await run(someLog(), 'events/12', '--limit', '1');
  assert.is(lines[0]?.[0], '2');
  assert.is(lines.at(-1), '(2 more before that)');
  assert.not.match(lines.join('\n'), 'Renamed');
});

test('--json is one line with the entries of the API', async () => {
  const lines = await run(someLog(), 'events/12', '--json', '--limit', '2');
  assert.is(lines.length, 1);
  const entries = JSON.parse(lines[0] ?? '');
  assert.equal(
    entries.map(({ revision, type, reason }: { [key: string]: unknown }) => [revision, type, reason]),
    [
      [2, 'EventPasswordSet', null],
      [1, 'EventRetitled', 'a slip'],
    ],
  );
});

test('a history that does not exist is refused in a sentence', async () => {
  const log = someLog();
  const said = async (...args: string[]) => {
    const { message, exitCode } = await fails(log, ...args);
    return `${exitCode} ${message}`;
  };
  assert.match(await said(), "2 history: missing required argument 'RESOURCE'. It must be one of events/ID");
  assert.match(await said('events/12', 'events/13'), 'Expected 1 argument but got 2: events/12, events/13.');
  for (const path of ['event-12', 'events/', 'events/0', 'events/x', 'users/1', 'toString/1', 'events/12/history'])
    assert.match(await said(path), "argument 'RESOURCE'. It must be one of events/ID, venues/ID", path);
  assert.is(await said('events/13'), '1 history: no event 13 was ever recorded.');
  for (const limit of ['0', '-1', 'x', '1.5'])
    assert.match(
      await said('events/12', `--limit=${limit}`),
      `argument '${limit}' is invalid. It must be a positive integer`,
    );
  assert.match(await said('events/12', '--all'), "unknown option '--all'.");
});

test.run();
