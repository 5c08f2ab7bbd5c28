// `node scripts/fetch-node.mjs VERSION FOLDER`: unpacks a Node from npm's registry into FOLDER/VERSION and prints its program.
// VERSION is a release (24.9.0) or a release line (26), of which the newest is taken. For tests on other versions of Node.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Unpacks a Node below `folder`, which exists. Returns its program; throws the error of npm or tar if it cannot be had.
 * @param {string} version
 * @param {string} folder
 * @returns {string}
 */
export function fetchNode(version, folder) {
  const name = `node-${process.platform}-${process.arch}`;
  const words = ['pack', `${name}@${version}`, '--pack-destination', folder, '--loglevel', 'error'];
  const printed = execFileSync('npm', words, { cwd: folder, encoding: 'utf8' });
  const place = path.join(folder, version);
  mkdirSync(place);
  execFileSync('tar', ['-xzf', path.join(folder, printed.trim().split('\n').at(-1) ?? ''), '-C', place]);
  return path.join(place, 'package/bin/node');
}

function main() {
  const [version, folder] = process.argv.slice(2);
  if (version === undefined || folder === undefined) throw new Error('usage: fetch-node.mjs VERSION FOLDER');
  process.stdout.write(`${fetchNode(version, path.resolve(folder))}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
