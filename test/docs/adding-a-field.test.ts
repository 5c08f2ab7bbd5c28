import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
const page = readFileSync(path.join(docs, 'adding-a-field.md'), 'utf8');

interface Step {
  readonly links: readonly { readonly label: string; readonly file: string }[];
  readonly files: readonly string[];
  readonly names: readonly string[];
}

/** The rows of its tables: links in the first column, names in the second. */
const steps = page
  .split('\n')
  .filter((line) => line.startsWith('| ['))
  .map((line): Step => {
    const [files = '', names = ''] = line.split(' | ');
    return {
      links: [...files.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, label = '', file = '']) => ({ label, file })),
      files: [...files.matchAll(/\]\(([^)]+)\)/g)].map(([, file = '']) => path.join(docs, file)),
      names: [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    };
  });

test('every file that the way of a field names is there', () => {
  assert.ok(steps.length > 25, `${steps.length} steps`);
  assert.equal(
    steps.flatMap(({ files }) => files).filter((file) => !existsSync(file)),
    [],
  );
});

test('a link is called as the file to which it leads', () => {
  const misnamed = steps.flatMap(({ links }) => links).filter(({ label, file }) => !file.endsWith(`/${label}`));
  assert.equal(misnamed, []);
});

test('every name stands in one of the files of its row', () => {
  const missing = steps.flatMap(({ files, names }) => {
    const texts = files.map((file) => readFileSync(file, 'utf8')).join('\n');
    assert.ok(names.length > 0, files.join(' '));
    return names
      .filter((name) => !new RegExp(`\\b${name}\\b`).test(texts))
      .map((name) => `${name}: ${files.join(' ')}`);
  });
  assert.equal(missing, []);
});

test.run();
