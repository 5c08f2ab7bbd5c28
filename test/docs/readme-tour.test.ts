import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { examplesIn, isAsSaid, runInShell } from '../support/guide.ts';
import { daybook, serving } from '../support/process.ts';
import { temporaryFolder } from '../support/service.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** One tour: the second page goes on where the first one ends. */
const PAGES = ['README.md', 'docs/tour.md'];

/** A clone to run commands in. Their progress is left out. */
function linkClone(folder: string): void {
  symlinkSync(path.join(root, 'examples'), path.join(folder, 'examples'));
  mkdirSync(path.join(folder, 'bin'));
  const launcher = `#!/bin/sh\nexec '${root}bin/daybook' "$@" 2>/dev/null\n`;
  writeFileSync(path.join(folder, 'bin/daybook'), launcher, { mode: 0o755 });
}

test('the tour of the README, and the page on which it goes on, answer what they show', async () => {
  const { folder, remove } = temporaryFolder();
  linkClone(folder);
  const settings = { DAYBOOK_DATA_DIR: path.join(folder, 'data') };
  const filled = daybook(['demo', '--fill-only'], settings);
  assert.is(await filled.ended, 0, filled.errors());
  const service = await serving(settings);
  try {
    const examples = PAGES.flatMap((page) =>
      examplesIn(readFileSync(path.join(root, page), 'utf8')).map((example) => ({ ...example, page })),
    );
    assert.ok(examples.length > 15, `${examples.length} examples`);
    const [, ...answers] = await runInShell([`cd '${folder}'`, ...examples.map(({ command }) => command)], {
      ...settings,
      API: service.api,
      TOKEN: service.token ?? '',
    });
    const wrong = examples.flatMap(({ page, line, command, expected }, index) => {
      const answer = answers[index] ?? '';
      return isAsSaid(answer, expected) ? [] : [`${page}:${line}: ${command}\n  answers ${answer.slice(0, 1_500)}`];
    });
    assert.equal(wrong, []);
  } finally {
    await service.stop();
    remove();
  }
});

test.run();
