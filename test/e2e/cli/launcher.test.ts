// bin/daybook: from anywhere, through links, with the Node that was brought along, and with no process between.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runHere } from '../../support/here.ts';
import { serving } from '../../support/process.ts';
import { temporaryFolder } from '../../support/service.ts';

const test = suite<{ folder: string; remove: () => void }>('launcher');
const root = fileURLToPath(new URL('../../../', import.meta.url));
const launcher = path.join(root, 'bin/daybook');

test.before.each((context) => {
  Object.assign(context, temporaryFolder());
});
test.after.each(({ remove }) => remove());

/** A clone before `npm ci`, in a folder whose name is not easy on shells. */
function clone(folder: string): string {
  const place = path.join(folder, 'a clone');
  for (const name of ['bin', 'dist', 'projections', 'scripts', 'src', 'package.json'])
    cpSync(path.join(root, name), path.join(place, name), { recursive: true });
  return place;
}

/** Puts a program where `npm ci` links the Node that it brought. */
function bringAlong(place: string, program: string): void {
  mkdirSync(path.join(place, 'node_modules/.bin'), { recursive: true });
  writeFileSync(path.join(place, 'node_modules/.bin/node'), program, { mode: 0o755 });
}

/** A Node that says that it is an old one. */
const OLD_NODE = `#!/bin/sh
exec '${process.execPath}' --import 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.20.2"})' "$@"
`;

test('it works from anywhere, through a link to a link', ({ folder }) => {
  mkdirSync(path.join(folder, 'links'));
  symlinkSync(launcher, path.join(folder, 'first'));
  symlinkSync('../first', path.join(folder, 'links/second'));
  const said = execFileSync('links/second', ['--help'], { cwd: folder, encoding: 'utf8' });
  assert.match(said, /^Usage: daybook /);
});

test('it prefers the Node that was brought along, and hands on all arguments as they are', ({ folder }) => {
  const place = clone(folder);
  bringAlong(place, '#!/bin/sh\nfor word in "$@"; do echo "<$word>"; done\n');
  const said = execFileSync(path.join(place, 'bin/daybook'), ['users', 'a b', '*'], { encoding: 'utf8' });
  assert.equal(said.split('\n').slice(1, 4), ['<users>', '<a b>', '<*>']);
});

test('the process that is started is the service: killing it leaves none behind', async ({ folder }) => {
  const service = await serving({ DAYBOOK_DATA_DIR: folder });
  const program = readFileSync(`/proc/${service.child.pid}/cmdline`, 'utf8');
  assert.match(program, 'daybook.mjs');
  await service.kill();
  assert.is(await fetch(service.address).catch(() => null), null);
});

test('before npm ci it says what is to be done', ({ folder }) => {
  const place = clone(folder);
  const { status, stderr } = spawnSync(path.join(place, 'bin/daybook'), ['doctor'], { encoding: 'utf8' });
  assert.is(status, 1);
  assert.is(stderr, `daybook: a package is not installed. Run \`npm ci\` in ${place}/.\n`);
});

test('without any Node it says which one is needed', ({ folder }) => {
  const tools = path.join(folder, 'tools');
  mkdirSync(tools);
  for (const tool of ['dirname', 'readlink']) symlinkSync(`/usr/bin/${tool}`, path.join(tools, tool));
  const place = clone(folder);
  const { status, stderr } = spawnSync('/bin/sh', [path.join(place, 'bin/daybook')], {
    encoding: 'utf8',
    env: { PATH: tools },
  });
  assert.is(status, 1);
  assert.match(stderr, /^daybook: Node is missing\. Install Node 22\.18 or newer, .+\n$/);
});

for (const entry of ['bin/daybook.mjs', 'dist/src/main.js'])
  test(`${entry} names a Node that is too old in one line`, ({ folder }) => {
    const place = clone(folder);
    bringAlong(place, OLD_NODE);
    const node = path.join(place, 'node_modules/.bin/node');
    const { status, stderr, stdout } = spawnSync(node, [path.join(place, entry), 'serve'], { encoding: 'utf8' });
    assert.equal([status, stdout], [1, '']);
    assert.match(
      stderr,
      /^daybook: Daybook needs Node 22\.18 or newer; this is Node 20\.20\.2\. Run .+bin\/daybook\.\n$/,
    );
  });

test('the path that the service was started by before leads to the same', async () => {
  const child = spawn(process.execPath, [path.join(root, 'dist/src/main.js'), '--help'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const [code] = await once(child, 'close');
  assert.equal([code, said], [0, execFileSync(launcher, ['--help'], { encoding: 'utf8' })]);
});

if (process.platform !== 'win32')
  for (const script of ['start', 'demo'])
    test(`the end of npm run ${script} is the end of the service`, async ({ folder }) => {
      const { npm_lifecycle_event: _, npm_package_name: __, ...environment } = process.env;
      const env = { ...environment, DAYBOOK_DATA_DIR: folder, PORT: '0' };
      const words = script === 'demo' ? ['--', '--weeks', '1'] : [];
      const npm = spawn('npm', ['run', script, ...words], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
      let said = '';
      npm.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
      // Its output ends with the last process that has it.
      const silent = once(npm.stdout, 'end');
      while (!said.includes('Documentation:')) await once(npm.stdout, 'data');
      const address = /listens at (\S+)/.exec(said)?.[1] ?? '';
      assert.is((await fetch(`${address}/healthz`)).status, 200);
      npm.kill('SIGTERM');
      await silent;
      assert.is(await fetch(address).catch(() => null), null);
    });

test('the doctor finds the service of its folder at whatever port, and no service that was killed', async ({
  folder,
}) => {
  const settings = { DAYBOOK_DATA_DIR: folder };
  const service = await serving(settings);
  const other = await serving(settings);
  const looked = async () => {
    const doctor = await runHere(['doctor', '--json'], { ...settings, PORT: '9' });
    const { findings } = JSON.parse(doctor.out) as { findings: { about: string; said: string }[] };
    return findings.filter(({ about }) => about === 'service').map(({ said }) => said);
  };
  assert.equal((await looked()).sort(), [service, other].map(({ address }) => `ready at ${address}`).sort());
  await service.kill();
  assert.equal(await looked(), [`ready at ${other.address}`]);
  assert.is(await other.stop(), 0);
  assert.equal(await looked(), ['not running at http://127.0.0.1:9']);
});

test.run();
