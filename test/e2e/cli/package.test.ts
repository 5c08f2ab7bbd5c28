// The package as `npm pack` makes it: what is in it, and that it runs under node_modules, where Node strips no types.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { temporaryFolder } from '../../support/service.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const MEBIBYTE = 1_048_576;

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly mode: number }[];
}

const test = suite<{ folder: string; remove: () => void; packed: Packed; place: string }>('package');

/** A folder that has the package and its dependencies, as npm would have put them there. */
function install(folder: string, { filename }: Packed): string {
  const modules = path.join(folder, 'node_modules');
  const place = path.join(modules, 'daybook');
  mkdirSync(place, { recursive: true });
  execFileSync('tar', ['-xzf', path.join(folder, filename), '-C', place, '--strip-components=1']);
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(path.join(place, 'package.json'), 'utf8')) as {
    readonly dependencies: object;
    readonly optionalDependencies: object;
  };
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    mkdirSync(path.dirname(path.join(modules, name)), { recursive: true });
    symlinkSync(path.join(ROOT, 'node_modules', name), path.join(modules, name));
  }
  return place;
}

test.before((context) => {
  Object.assign(context, temporaryFolder());
  const { folder } = context;
  const words = ['pack', '--json', '--pack-destination', folder];
  const said = execFileSync('npm', words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const [packed] = JSON.parse(said.slice(said.indexOf('[\n'))) as readonly Packed[];
  assert.ok(packed);
  Object.assign(context, { packed, place: install(folder, packed) });
});
test.after(({ remove }) => remove());

test('it has neither tests nor data nor sources with types, and is small', ({ packed }) => {
  const rooms = new Set(packed.files.map((file) => file.path.split('/')[0]));
  const known = ['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'docs', 'lib', 'package.json', 'scripts'];
  assert.equal([...rooms].sort(), known);
  assert.equal(
    packed.files.filter(({ path: name }) => name.endsWith('.ts')),
    [],
  );
  assert.ok(packed.size < 2 * MEBIBYTE, `${packed.size} bytes`);
  assert.ok(packed.unpackedSize < 8 * MEBIBYTE, `${packed.unpackedSize} bytes`);
});

test('nothing has to be done after it was installed', ({ place }) => {
  const { scripts } = JSON.parse(readFileSync(path.join(place, 'package.json'), 'utf8')) as {
    readonly scripts: object;
  };
  for (const script of ['preinstall', 'install', 'postinstall']) assert.not(script in scripts, script);
  assert.not(existsSync(path.join(place, 'binding.gyp')));
});

test('every file that its code names is there', ({ place }) => {
  const named = globSync('lib/**/*.js', { cwd: place }).flatMap((file) =>
    [...readFileSync(path.join(place, file), 'utf8').matchAll(/['"](\.{1,2}\/[^'"\n]+\.(?:ts|js|json))['"]/g)].map(
      ([, name = '']) => path.join(path.dirname(file), name),
    ),
  );
  assert.ok(named.length > 1_000);
  const missing = [...new Set(named)].filter((file) => !existsSync(path.join(place, file)));
  assert.equal(missing, []);
});

test('in a fresh folder `daybook demo` shows the pages of the sample', async ({ folder, place }) => {
  const { PATH } = process.env;
  const demo = spawn(process.execPath, [path.join(place, 'bin/daybook.mjs'), 'demo', '--port', '0', '--weeks', '2'], {
    cwd: folder,
    env: { PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  demo.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const early = once(demo, 'exit').then(() => assert.unreachable(`it has ended: ${said}`));
  try {
    while (!said.includes('Documentation:')) await Promise.race([once(demo.stdout, 'data'), early]);
    const address = /listens at (\S+)/.exec(said)?.[1] ?? '';
    const page = await fetch(`${address}/`);
    assert.is(page.status, 200);
    assert.match(await page.text(), 'Lantern Bay');
    assert.ok(existsSync(path.join(folder, 'data/demo/daybook.db')));
    // In a thread of its own, from a file that is named by `new URL`.
    const [, token = ''] = /token: (\S+)/.exec(said) ?? [];
    const series = await fetch(`${address}/calendar/events/v1/events`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        title: 'Choir',
        start_date: '2031-01-06 19:00:00',
        end_date: '2031-01-06 20:00:00',
        recurrence: { rrule: 'FREQ=MONTHLY;BYMONTHDAY=6;COUNT=3' },
      }),
    });
    assert.is(series.status, 201, await series.text());
  } finally {
    demo.kill('SIGTERM');
    await early.catch(() => {});
  }
});

test.run();
