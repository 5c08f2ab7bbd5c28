// The documentation of the present, and below its number that of each release, by its own site: `npm run build --prefix site`.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { git, ROOT, releases, tagOf } from './releases.mjs';

const SITE = import.meta.dirname;
const OUTPUT = path.join(SITE, '.vitepress/dist');

const run = (folder, ...words) => execFileSync('npx', ['--no-install', ...words], { cwd: folder, stdio: 'inherit' });

run(SITE, 'vitepress', 'build', '.');
for (const release of releases) {
  const folder = mkdtempSync(path.join(tmpdir(), 'daybook-site-'));
  try {
    git('worktree', 'add', '--detach', folder, tagOf(release));
    const site = path.join(folder, path.relative(ROOT, SITE));
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: site, stdio: 'inherit' });
    run(site, 'vitepress', 'build', '.', '--base', `/${release}/`, '--outDir', path.join(OUTPUT, release));
  } catch (error) {
    // Others are not to lack it because an old one cannot be built any more.
    process.stderr.write(`The documentation of ${release} is left out: ${error.message}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    git('worktree', 'prune');
  }
}
