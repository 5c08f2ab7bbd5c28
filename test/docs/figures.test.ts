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

test('the figures of the README are rows of that page, with its days', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const [, table = ''] = readme.split('| what | measured | when |\n|---|---|---|\n');
  const rows = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| (.+) \| (.+) \| (.+) \|$/gm)];
  assert.ok(rows.length > 0);
  const sections = figures().split(/^(?=\| \*\*)/m);
  for (const [row, what, measured, day = ''] of rows)
    assert.ok(
      sections.some((section) => section.includes(`*: ${day}, `) && section.includes(`| ${what} | ${measured} |`)),
      row,
    );
});

test.run();
