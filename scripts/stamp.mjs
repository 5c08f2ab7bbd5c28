// `npm version 0.2.0` runs this before it commits and tags: the sources say the new version, and what the changelog calls
// unreleased becomes its section.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
const FILES = ['src/version.ts', 'CHANGELOG.md'];

/**
 * The two files with a new version.
 * @param {{ readonly source: string, readonly changelog: string }} files
 * @param {string} version
 * @param {string} day `2026-11-26`
 */
export const stamped = ({ source, changelog }, version, day) => ({
  source: source.replace(/(VERSION = ')[^']+/, `$1${version}`),
  changelog: changelog.replace(/^## Unreleased$/m, `## Unreleased\n\n## ${version} (${day})`),
});

if (process.argv[1] === import.meta.filename) {
  const [source, changelog] = FILES.map((file) => readFileSync(path.join(ROOT, file), 'utf8'));
  const { npm_package_version: version } = process.env;
  if (version === undefined) throw new Error('run `npm version`');
  const after = stamped({ source, changelog }, version, new Date().toISOString().slice(0, 10));
  for (const [index, text] of [after.source, after.changelog].entries())
    writeFileSync(path.join(ROOT, FILES[index]), text);
  execFileSync('git', ['add', ...FILES], { cwd: ROOT });
}
