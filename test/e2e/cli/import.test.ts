import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UsageError } from '../../../src/cli/errors.ts';
import { rateLines } from '../../../src/cli/rate-progress.ts';
import { type Desk, fixture, openDesk } from '../../unit/import/desk.ts';

const test = suite<{ desk: Desk }>('daybook import');

test.before.each(async (context) => {
  context.desk = await openDesk();
});
test.after.each(({ desk }) => desk.close());

async function refusal(desk: Desk, ...args: string[]): Promise<UsageError> {
  try {
    await desk.say(...args);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('it was carried out');
}

test('without a source it says what is missing', async ({ desk }) => {
  const error = await refusal(desk, '--dry-run');
  assert.is(error.exitCode, 2);
  assert.match(error.message, "missing required argument 'FILE-OR-URL'");
});

test('an unknown option is named with the one that was meant', async ({ desk }) => {
  const error = await refusal(desk, 'events.json', '--dri-run');
  assert.is(error.exitCode, 2);
  assert.match(error.message, '--dri-run');
  assert.match(error.message, 'Did you mean --dry-run');
});

test('a day or a number of seconds that makes no sense is named', async ({ desk }) => {
  for (const [flag, value] of [
    ['--until', '2030-02-30'],
    ['--until', 'soon'],
    ['--timeout', '0'],
    ['--timeout', '1e9'],
  ] as const) {
    const error = await refusal(desk, fixture('events.json'), flag, value);
    assert.is(error.exitCode, 2);
    assert.match(error.message, value);
  }
  assert.equal(await desk.log(), []);
});

test('it ends with a summary and the correlation id of the run', async ({ desk }) => {
  const { code, lines } = await desk.say(fixture('events.json'));
  assert.is(code, 0);
  assert.ok(lines.includes('  events        2 created, 0 changed, 0 unchanged, 0 refused'));
  assert.ok(lines.includes('  categories    2 created, 0 changed, 0 unchanged, 0 refused'));
  assert.is(lines.at(-1), 'correlation id: run-1');
});

test('a refused record is reported in a line with file, index, name and reason', async ({ desk }) => {
  const file = desk.file('bad.json', [{ name: 'A\u001b[31m B', startDate: '2030-13-01' }]);
  const { code, lines } = await desk.say(file);
  assert.is(code, 1);
  assert.ok(lines.includes(`refused: event "A[31m B" in ${file}[0]: start "2030-13-01" is not a date`));
});

test('a name that would fill the terminal is cut short', async ({ desk }) => {
  const { lines } = await desk.say(desk.file('long.json', [{ name: 'x'.repeat(500), startDate: 'soon' }]));
  assert.match(lines[0] ?? '', /^refused: event "x{80}" in /);
});

test('progress without a terminal is a line per second at most', () => {
  const lines: string[] = [];
  let now = 0;
  const progress = rateLines(
    (line) => void lines.push(line),
    () => now,
  );
  progress.begin('Writing', 'records', 3000);
  for (let done = 1; done <= 3000; done++) {
    now += 1;
    progress.reach(done);
  }
  assert.equal(lines, [
    'Writing: 1000 of 3000 records, 1000 records/s, 2 s left',
    'Writing: 2000 of 3000 records, 1000 records/s, 1 s left',
    'Writing: 3000 of 3000 records, 1000 records/s, 0 s left',
  ]);
});

test.run();
