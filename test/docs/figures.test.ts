// The page of figures is what the raw results give, so that each has its day, commit and machine.
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { figures } from '../../scripts/figures.mjs';

test('docs/figures.md is one table of at most 200 lines, made from the raw results', () => {
  const page = readFileSync(new URL('../../docs/figures.md', import.meta.url), 'utf8');
  assert.is(page, figures(), 'write it by `node scripts/figures.mjs`');
  assert.ok(page.split('\n').length <= 200);
});

test.run();
