// What generators of clients make of the document, where one is installed: `dotnet tool install --global Microsoft.OpenApi.Kiota`.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startTestService, temporaryFolder } from '../support/service.ts';

const test = suite('generators of clients');
/** Generating takes a minute where others use the machine. */
const LONG_MS = 100_000;

const isInstalled = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

function run(program: string, words: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8', timeout: LONG_MS });
  assert.is(status, 0, `${program} ${words.join(' ')}: ${stdout}${stderr}`);
  return `${stdout}${stderr}`;
}

if (isInstalled('kiota') && isInstalled('python3'))
  test('Kiota makes a client in Python of the document, which Python can read', async () => {
    const { folder, remove } = temporaryFolder();
    const service = await startTestService();
    try {
      writeFileSync(path.join(folder, 'openapi.json'), (await service.get('/doc')).text);
      const words = ['-l', 'python', '-d', 'openapi.json', '-o', 'client', '-c', 'Daybook', '-n', 'daybook'];
      const said = run('kiota', ['generate', ...words, '--log-level', 'error'], folder);
      assert.not.match(said, /\b(?:crit|fail|error):/i);
      assert.ok(existsSync(path.join(folder, 'client/daybook.py')));
      assert.ok(globSync('client/**/*.py', { cwd: folder }).length > 100);
      run('python3', ['-m', 'compileall', '-q', 'client'], folder);
    } finally {
      await service.close();
      remove();
    }
  });

test.run();
