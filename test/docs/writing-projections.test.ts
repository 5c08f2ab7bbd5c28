import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { examplesIn, filesIn, isAsSaid } from '../support/guide.ts';
import { temporaryFolder } from '../support/service.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(path.join(root, 'docs/writing-projections.md'), 'utf8');

const guide = suite('docs/writing-projections.md');

/** A clone with the files of the page in it. */
const { folder, remove } = temporaryFolder();
guide.before(() => {
  for (const name of ['src', 'projections', 'test', 'node_modules', 'package.json'])
    symlinkSync(path.join(root, name), path.join(folder, name));
  for (const { file, text } of filesIn(page)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
});
guide.after(remove);

/** Far longer than anything here takes; what hangs is ended. */
const LONG_MS = 60_000;

function run(program: string, words: readonly string[]): { readonly code: number | null; readonly said: string } {
  const env = { PATH: process.env.PATH, NO_COLOR: '1', DAYBOOK_DATA_DIR: path.join(folder, 'data') };
  const { status, stdout, stderr } = spawnSync(program, words, {
    cwd: folder,
    env,
    encoding: 'utf8',
    timeout: LONG_MS,
  });
  return { code: status, said: `${stdout}${stderr}`.trim() };
}

guide('its files are sound TypeScript by the settings of this project', () => {
  const compilerOptions = { noEmit: true, typeRoots: [path.join(root, 'node_modules/@types')] };
  const settings = { extends: path.join(root, 'tsconfig.json'), compilerOptions, include: ['own'] };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(settings));
  assert.equal(run(path.join(root, 'node_modules/.bin/tsc'), ['-p', folder]), { code: 0, said: '' });
});

guide('its commands print what it shows: the read model of a sample calendar, and its test', () => {
  const examples = examplesIn(page);
  assert.is(examples.length, 3);
  for (const { command, expected, line } of examples) {
    const words = command
      .replace(/^bin\/daybook/, `node ${root}bin/daybook.mjs`)
      .split(' ')
      .slice(1);
    const { code, said } = run(process.execPath, words);
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
