// What `npm ci` does where Node is too old. Downloads are those of a small npm of the tests' own.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bringWhereNeeded, PACKAGES } from '../../../scripts/bring-node.mjs';
import { isSupported } from '../../../scripts/node-version.mjs';
import { temporaryFolder } from '../../support/service.ts';

interface Context {
  folder: string;
  modules: string;
  remove: () => void;
}

const test = suite<Context>('a Node of its own');
const { npm_execpath: realNpm } = process.env;

test.before.each((context) => {
  Object.assign(context, temporaryFolder());
  context.modules = path.join(context.folder, 'node_modules');
});
test.after.each(({ remove }) => {
  if (realNpm === undefined) delete process.env.npm_execpath;
  else process.env.npm_execpath = realNpm;
  remove();
});

/** An archive as the registry has them, whose Node says that it is of this version. */
function archive(folder: string, version: string): string {
  const place = path.join(folder, 'published/package/bin');
  mkdirSync(place, { recursive: true });
  writeFileSync(path.join(place, 'node'), `#!/bin/sh\necho v${version}\n`, { mode: 0o755 });
  const file = path.join(folder, 'node.tgz');
  execFileSync('tar', ['-czf', file, '-C', path.join(folder, 'published'), 'package']);
  return file;
}

/** Lets `npm pack` be this program. */
function npmIs(folder: string, program: string): void {
  const file = path.join(folder, 'npm-cli.cjs');
  writeFileSync(file, program);
  process.env.npm_execpath = file;
}

/** `npm pack NAME@VERSION --pack-destination FOLDER` puts a file there and prints its name. */
const packing = (file: string): string => `
  const [, , , , , destination] = process.argv;
  require('node:fs').copyFileSync(${JSON.stringify(file)}, destination + '/packed.tgz');
  console.log('packed.tgz');`;

const digestOf = (file: string): string => createHash('sha512').update(readFileSync(file)).digest('base64');
const listing = (sha512: string) => ({
  'any-any': { name: 'some-node', version: '24.1.0', program: 'bin/node', sha512 },
});
const bring = (modules: string, packages: ReturnType<typeof listing>): string | null =>
  bringWhereNeeded({ version: '20.20.2', system: 'any-any', modules, packages });

/** What it says where nothing is brought, which has to be one line, after which nothing half done may be left. */
function refusal(modules: string, packages: ReturnType<typeof listing>): string {
  let said = '';
  try {
    bring(modules, packages);
  } catch (error) {
    said = error instanceof Error ? error.message : '';
  }
  assert.match(
    said,
    /^daybook: Daybook needs Node 22\.18 or newer; this is Node 20\.20\.2\. .+ then run npm ci again\.$/,
  );
  assert.equal(readdirSync(modules, { recursive: true }), ['.bin']);
  return said;
}

test('where Node is too old, one with the right digest is linked as node_modules/.bin/node', ({ folder, modules }) => {
  const file = archive(folder, '24.1.0');
  npmIs(folder, packing(file));
  const line = bring(modules, listing(digestOf(file)));
  assert.is(line, 'daybook: Node 20.20.2 is too old; Node 24.1.0 is now in node_modules/.bin, for Daybook alone.');
  const node = path.join(modules, '.bin/node');
  assert.is(execFileSync(node, { encoding: 'utf8' }), 'v24.1.0\n');
  assert.not.match(readlinkSync(node), folder);
  assert.equal(readdirSync(modules).sort(), ['.bin', '.node']);
  // Again, as `npm install` does.
  assert.ok(bring(modules, listing(digestOf(file))));
});

test('an archive with another digest is not unpacked', ({ folder, modules }) => {
  npmIs(folder, packing(archive(folder, '24.1.0')));
  assert.match(refusal(modules, listing(digestOf('package.json'))), 'does not have the digest');
});

test('anything but a newer Node is not installed', ({ folder, modules }) => {
  const file = archive(folder, '20.0.0');
  npmIs(folder, packing(file));
  assert.match(refusal(modules, listing(digestOf(file))), 'is not the Node that it should be');
});

test('without a network it reports the reason in one line', ({ folder, modules }) => {
  npmIs(folder, 'console.error("npm error code ENOTFOUND\\nnpm error network no such host"); process.exit(1)');
  assert.match(refusal(modules, listing('')), /some-node@24\.1\.0 cannot be downloaded/);
});

test('for a processor without a published Node it says so', ({ modules }) => {
  mkdirSync(path.join(modules, '.bin'), { recursive: true });
  assert.throws(
    () => bringWhereNeeded({ version: '18.0.0', system: 'linux-mips', modules }),
    (error: Error) => error.message.includes('none can be brought along for linux-mips'),
  );
});

test('where Node is new enough nothing is done', ({ folder, modules }) => {
  npmIs(folder, 'process.exit(1)');
  assert.is(bringWhereNeeded({ version: '22.18.0', system: 'linux-x64', modules }), null);
  assert.equal(readdirSync(folder), ['npm-cli.cjs']);
});

test('the oldest Node is 22.18, and 23.6 of the line between', () => {
  const supported = ['22.18.0', '22.23.3', '23.6.0', '24.0.0', '26.10.0'];
  const unsupported = ['18.20.1', '20.20.2', '22.17.9', '23.5.0'];
  assert.equal(
    supported.filter((version) => !isSupported(version)),
    [],
  );
  assert.equal(unsupported.filter(isSupported), []);
});

test('every Node that can be brought is pinned by version and digest', () => {
  for (const { version, sha512 } of Object.values(PACKAGES)) {
    assert.ok(isSupported(version), version);
    assert.is(Buffer.from(sha512, 'base64').length, 64);
  }
});

test.run();
