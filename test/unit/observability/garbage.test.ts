import { execFileSync } from 'node:child_process';
import { getHeapSpaceStatistics } from 'node:v8';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { collectGarbage, NO_IDLE_COLLECTION } from '../../../src/observability/garbage.ts';

const MIB = 1_048_576;
const sizeOf = (space: string): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === space)?.space_size ?? 0;

test('what nothing refers to any more is collected, and the young generation returned to the system', () => {
  let held: object[] = Array.from({ length: 300_000 }, (_, at) => ({ at, text: [at] }));
  assert.ok(held.length > 0 && sizeOf('new_space') > 8 * MIB);
  held = [];
  collectGarbage();
  assert.ok(sizeOf('new_space') < 8 * MIB, `${sizeOf('new_space')} bytes`);
  assert.type(globalThis.gc, 'undefined');
});

test('this version of Node still knows the number of collections while idle by that name', () => {
  const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  const [name = ''] = NO_IDLE_COLLECTION.split('=');
  assert.ok(options.includes(`\n  ${name} (`), name);
});

test.run();
