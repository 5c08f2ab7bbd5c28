// What a release consists of says the same everywhere, and what builds it is pinned.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { stamped } from '../../scripts/stamp.mjs';
import { VERSION } from '../../src/version.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Versions that have a section, the newest first. */
const releasesIn = (changelog: string): string[] =>
  [...changelog.matchAll(/^## (\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$/gm)].map(([, version = '']) => version);

const release = suite('release');

release('package, lock, sources and changelog name one version', () => {
  const { version } = JSON.parse(read('package.json')) as { readonly version: string };
  const lock = JSON.parse(read('package-lock.json')) as {
    readonly version: string;
    readonly packages: { readonly [place: string]: { readonly version: string } };
  };
  const [newest] = releasesIn(read('CHANGELOG.md'));
  assert.equal([VERSION, lock.version, lock.packages['']?.version, newest], [version, version, version, version]);
});

release('the changelog has one section for each version, the newest first, after what is unreleased', () => {
  const headings = [...read('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
  assert.is(headings[0], 'Unreleased');
  const versions = releasesIn(read('CHANGELOG.md'));
  assert.is(versions.length, headings.length - 1);
  const inOrder = versions.toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }));
  assert.equal(versions, inOrder);
});

release('notes on upgrading are about versions that were released', () => {
  const from = [...read('docs/operations/upgrade.md').matchAll(/\*\*From (\d\S+?):\*\*/g)].map(
    ([, version]) => version,
  );
  assert.ok(from.length > 0);
  const released = releasesIn(read('CHANGELOG.md'));
  for (const version of from) assert.ok(released.includes(version ?? ''), version);
});

release('a new version is written into the sources, and heads what was unreleased', () => {
  const files = { source: read('src/version.ts'), changelog: read('CHANGELOG.md') };
  const { source, changelog } = stamped(files, '9.8.7', '2031-02-03');
  assert.match(source, "VERSION = '9.8.7'");
  assert.equal(releasesIn(changelog), ['9.8.7', ...releasesIn(files.changelog)]);
  assert.match(changelog, '## Unreleased\n\n## 9.8.7 (2031-02-03)\n\n');
});

interface Step {
  readonly uses?: string;
  readonly run?: string;
}
interface Workflow {
  readonly permissions: object;
  readonly jobs: {
    readonly [name: string]: { readonly 'timeout-minutes': number; readonly steps: readonly Step[] };
  };
}

release('workflows end, may read alone unless a job says otherwise, and use actions by their commits', () => {
  const files = globSync('.github/workflows/*.yml', { cwd: root });
  assert.ok(files.length > 1);
  for (const file of files) {
    const { permissions, jobs } = parse(read(file)) as Workflow;
    assert.equal(permissions, { contents: 'read' }, file);
    for (const { 'timeout-minutes': minutes, steps } of Object.values(jobs)) {
      assert.ok(minutes <= 60, file);
      for (const { uses, run } of steps) {
        if (uses !== undefined) assert.match(uses, /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
        // Names of branches and tags are written by others: a shell is given them as variables.
        if (run !== undefined) assert.not.match(run, /\$\{\{/);
      }
    }
    const pins = [...read(file).matchAll(/uses: .+@[0-9a-f]{40}(.*)$/gm)].map(([, rest = '']) => rest);
    for (const rest of pins) assert.match(rest, /^ # v\d+\.\d+\.\d+$/);
  }
});

release.run();
