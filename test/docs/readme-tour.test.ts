import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { examplesIn, isAsSaid, runInShell } from '../support/guide.ts';
import { daybook, serving } from '../support/process.ts';
import { temporaryFolder } from '../support/service.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** `npx daybook` is what was built here, whatever is installed; progress is left out. */
const NPX = 'npx() { shift; bin/daybook "$@" 2>/dev/null; }';

/** A clone as `npm start` leaves it. */
function build(folder: string): void {
  for (const name of ['examples', 'node_modules', 'package.json'])
    symlinkSync(path.join(root, name), path.join(folder, name));
  const to = path.join(folder, 'dist');
  // What has been built in the clone itself, and what is remembered of that, stays as it is.
  const words = ['-p', 'tsconfig.build.json', '--outDir', to, '--tsBuildInfoFile', path.join(to, '.tsbuildinfo')];
  const built = spawnSync(path.join(root, 'node_modules/.bin/tsc'), words, { cwd: root, encoding: 'utf8' });
  assert.is(built.status, 0, built.stdout);
}

test('the tour of the README answers what it shows', async () => {
  const { folder, remove } = temporaryFolder();
  build(folder);
  const settings = { DAYBOOK_DATA_DIR: path.join(folder, 'data') };
  const filled = daybook(['demo'], settings);
  assert.is(await filled.ended, 0, filled.errors());
  const service = await serving(settings);
  try {
    const examples = examplesIn(readFileSync(path.join(root, 'README.md'), 'utf8'));
    assert.ok(examples.length > 20, `${examples.length} examples`);
    const [, ...answers] = await runInShell([`cd '${folder}'; ${NPX}`, ...examples.map(({ command }) => command)], {
      ...settings,
      API: service.api,
      TOKEN: service.token ?? '',
    });
    const wrong = examples.flatMap(({ line, command, expected }, index) => {
      const answer = answers[index] ?? '';
      return isAsSaid(answer, expected) ? [] : [`README.md:${line}: ${command}\n  answers ${answer.slice(0, 1_500)}`];
    });
    assert.equal(wrong, []);
  } finally {
    await service.stop();
    remove();
  }
});

test.run();
