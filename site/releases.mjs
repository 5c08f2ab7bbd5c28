// The releases that have a documentation, the newest first, such as `0.2.0`: those that git knows as tags (`v0.2.0`).
import { execFileSync } from 'node:child_process';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '..');

export const git = (...words) =>
  execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

function tags() {
  try {
    return git('tag', '--list', 'v*', '--sort=-v:refname').split('\n').filter(Boolean);
  } catch {
    // The sources without their history.
    return [];
  }
}

/** The tag of a release. */
export const tagOf = (release) => `v${release}`;

export const releases = tags()
  .filter((tag) => git('ls-tree', tag, 'site/package.json') !== '')
  .map((tag) => tag.slice(1));
