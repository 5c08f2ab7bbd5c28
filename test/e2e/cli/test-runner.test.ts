// `node scripts/test.mjs PATTERN …`, as contributors call it.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('the runner of the tests');
const ROOT = path.resolve(import.meta.dirname, '../../..');

test('patterns that match no file are named, and no test is said to have failed', () => {
  const ran = spawnSync(process.execPath, ['scripts/test.mjs', 'no-such-file', '^nor-this'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  assert.equal(
    [ran.status, ran.stdout, ran.stderr],
    [1, 'No test file matches no-such-file ^nor-this; a pattern is looked for in paths below test/.\n', ''],
  );
});

test.run();
