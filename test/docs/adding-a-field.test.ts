import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

const MAX_FILES = 8;

/** The rows of tables in a part of the page: links in the first column, names in the second. */
const stepsIn = (text: string): Step[] =>
  text
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

const steps = stepsIn(page);
const [plain = ''] = page.split('## A field that is not plain');

/** Code, without the languages, that a plain field of events takes by the page. */
const plainFiles = new Set(
  stepsIn(plain)
    .flatMap(({ files }) => files)
    .filter((file) => !/\/(?:test|locales)\//.test(file)),
);

test('a plain field takes at most eight files of code beside the languages', () => {
  assert.ok(plainFiles.size > 1 && plainFiles.size <= MAX_FILES, [...plainFiles].join('\n'));
});

test('no code beside the files of the page knows a plain field by its name', () => {
  const root = path.join(docs, '..');
  const others = ['src', 'projections']
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        path.join(root, folder, name),
      ),
    )
    .filter((file) => /\.(?:ts|lua)$/.test(file) && !plainFiles.has(file));
  assert.equal(
    others.filter((file) => /ticketed/i.test(readFileSync(file, 'utf8'))),
    [],
  );
});

test('every file that the way of a field names is there', () => {
  assert.ok(steps.length > 5, `${steps.length} steps`);
  assert.equal(
    steps.flatMap(({ files }) => files).filter((file) => !existsSync(file)),
    [],
  );
});

test('a link is called as the file to which it leads', () => {
  const misnamed = steps.flatMap(({ links }) => links).filter(({ label, file }) => !file.endsWith(`/${label}`));
  assert.equal(misnamed, []);
});

test('every name occurs in one of the files of its row', () => {
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
