// Runs before `npm start`: builds when there is no build or when a source is newer than it.
import { execSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const SOURCES = ['src', 'projections', 'tsconfig.json', 'tsconfig.build.json', 'package.json'];
const BUILT = 'dist/src/main.js';

function newest(file) {
  const stats = statSync(file);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(0, ...readdirSync(file).map((name) => newest(path.join(file, name))));
}

const builtAt = statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs ?? 0;
if (Math.max(...SOURCES.map(newest)) > builtAt) execSync('npm run --silent build', { stdio: 'inherit' });
