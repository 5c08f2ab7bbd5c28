import { readFile } from 'node:fs/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nextTurn } from '../../../src/queries/time-slices.ts';

test('a turn that is given back on arrival of something leaves room for what arrived meanwhile', async () => {
  // Reading a file arrives as requests do: the end of that round of the loop comes before anything else.
  await readFile(import.meta.filename);
  let isServed = false;
  const due = performance.now() + 2;
  setTimeout(() => {
    isServed = true;
  }, 1);
  while (performance.now() < due);
  await nextTurn();
  assert.ok(isServed);
});

test.run();
