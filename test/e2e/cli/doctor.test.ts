import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { doctorCommand, type Look } from '../../../src/cli/doctor/doctor.ts';
import { UsageError } from '../../../src/cli/errors.ts';
import type { Finding } from '../../../src/observability/check-up.ts';
import { perform } from '../../support/perform.ts';

class Mendable extends Error {}

const look = (about: string, found: readonly Finding[] | Error): Look => ({
  about,
  advice: `mend the ${about}`,
  look: async () => {
    if (found instanceof Error) throw found;
    return found;
  },
});

async function examined(looks: readonly Look[], ...args: string[]) {
  const lines: string[] = [];
  const code = await perform(doctorCommand, args, {
    looks,
    explained: (error) => (error instanceof Mendable ? error.message : null),
    out: (line) => void lines.push(line),
  });
  return { code, lines };
}

const WELL: Finding = { about: 'clock', state: 'well', said: 'It is noon.' };
const WARNING: Finding = { about: 'disk', state: 'warning', said: 'It is full.', advice: 'Empty it.' };

test('without problems it says so, and exits with 0', async () => {
  assert.equal(await examined([look('clock', [WELL])]), {
    code: 0,
    lines: ['ok      clock     It is noon.', 'No problems found.'],
  });
});

test('a warning comes with what to do, and is no failure', async () => {
  const { code, lines } = await examined([look('disk', [WARNING])]);
  assert.is(code, 0);
  assert.equal(lines, ['warning disk      It is full.', '                  → Empty it.', '0 problems, 1 warning.']);
});

test('a check that fails is a problem with its advice, and the others are still run', async () => {
  const { code, lines } = await examined([look('log', new Mendable('It is away.')), look('clock', [WELL])]);
  assert.is(code, 1);
  assert.equal(lines, [
    'PROBLEM log       It is away.',
    '                  → mend the log',
    'ok      clock     It is noon.',
    '1 problem, 0 warnings.',
  ]);
});

test('a fault of ours is not taken for a finding', async () => {
  try {
    await examined([look('log', new TypeError('x is undefined'))]);
  } catch (error) {
    assert.instance(error, TypeError);
    return;
  }
  assert.unreachable();
});

test('programs get it in one line', async () => {
  const { lines } = await examined([look('disk', [WARNING])], '--json');
  assert.is(lines.length, 1);
  assert.equal(JSON.parse(lines[0] ?? ''), { problems: 0, warnings: 1, findings: [WARNING] });
});

test('an unknown flag is named with the one that is allowed', async () => {
  try {
    await examined([], '--fast');
  } catch (error) {
    assert.instance(error, UsageError);
    assert.match((error as UsageError).message, /unknown option '--fast'/);
    return;
  }
  assert.unreachable();
});

test.run();
