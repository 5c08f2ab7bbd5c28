import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { examplesIn, filesIn, isAsSaid } from '../support/guide.ts';
import { temporaryFolder } from '../support/service.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(path.join(root, 'docs/writing-projections.md'), 'utf8');

const guide = suite('docs/writing-projections.md');

const { folder, remove } = temporaryFolder();
guide.after(remove);

/** Far longer than anything here takes; what hangs is ended. */
const LONG_MS = 60_000;

function run(words: readonly string[]): { readonly code: number | null; readonly said: string } {
  const env = { PATH: process.env.PATH, NO_COLOR: '1', DAYBOOK_DATA_DIR: path.join(folder, 'data') };
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: root,
    env,
    encoding: 'utf8',
    timeout: LONG_MS,
  });
  return { code: status, said: `${stdout}${stderr}`.trim() };
}

guide('the code that it shows is that of its example', () => {
  const shown = filesIn(page);
  assert.is(shown.length, 2);
  for (const { file, text } of shown) assert.ok(readFileSync(path.join(root, file), 'utf8').includes(text), file);
});

guide('its commands print what it shows: the read model of a sample calendar, and its test', () => {
  const examples = examplesIn(page);
  assert.is(examples.length, 3);
  for (const { command, expected, line } of examples) {
    const words = command
      .replace(/^bin\/daybook/, 'node bin/daybook.mjs')
      .split(' ')
      .slice(1);
    const { code, said } = run(words);
    assert.is(code, 0, said);
    assert.ok(isAsSaid(said, expected), `docs/writing-projections.md:${line}: ${command}\n${said}`);
  }
});

guide('the files that it lists declare the names that it gives', () => {
  const declared = (file: string, word: string): void =>
    assert.ok(new RegExp(`\\b${word}\\b`).test(readFileSync(path.join(root, file), 'utf8')), `${word} in ${file}`);
  declared('src/read-model/documents.ts', 'DocumentKind');
  declared('projections/catalogue.ts', 'allProjections');
  declared('projections/catalogue.ts', 'VERSION');
  declared('src/read-model/documents.ts', 'DOCUMENT_KINDS');
  for (const member of ['kind', 'prefix', 'fold', 'document']) declared('projections/venues.ts', member);
});

guide.run();
