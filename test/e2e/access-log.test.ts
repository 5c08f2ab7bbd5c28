import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Access } from '../../src/observability/access-log.ts';
import { onFullDisk, serving } from '../support/process.ts';
import { temporaryFolder } from '../support/service.ts';

const test = suite('access log');
const { folder, remove } = temporaryFolder();
const file = path.join(folder, 'access.log');
const ROOT = path.resolve(import.meta.dirname, '../..');

/** A service of its own process: signals and files are meant. */
const service = spawn(process.execPath, ['bin/daybook.mjs', 'serve'], {
  cwd: ROOT,
  env: { PATH: process.env.PATH, PORT: '0', DAYBOOK_DATA_DIR: folder, DAYBOOK_ACCESS_LOG: file },
  stdio: ['ignore', 'pipe', 'inherit'],
});
let announced = '';
await new Promise<void>((resolve) => {
  service.stdout.setEncoding('utf8').on('data', (text: string) => {
    announced += text;
    if (/^ {2}token: \S+\n/m.test(announced)) resolve();
  });
});
const said = (pattern: RegExp): string => pattern.exec(announced)?.[1] ?? '';
const address = said(/^Daybook listens at (\S+)$/m);
const credentials = `Basic ${btoa(`${said(/^ {2}user: {2}(\S+)$/m)}:${said(/^ {2}token: (\S+)$/m)}`)}`;

const linesOf = (name: string): Access[] =>
  existsSync(name)
    ? readFileSync(name, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];

/** Lines are written behind the answer. */
async function lines(name: string, count: number): Promise<Access[]> {
  while (linesOf(name).length < count) await sleep(5);
  return linesOf(name);
}

test('each answer is a line, whatever answers it, without queries and secrets', async () => {
  await fetch(`${address}/calendar/events/v1/events?search=private`, { headers: { 'user-agent': 'a "reader"\u00e9' } });
  await fetch(`${address}/calendar/events/v1/events?search=private`);
  await fetch(`${address}/calendar/events/v1/events`, { method: 'POST', headers: { authorization: 'Bearer secret' } });
  await fetch(`${address}/calendar/events/v1/events/41`);
  await fetch(`${address}/desk/start?word=secret`);
  await fetch(`${address}/readyz`);
  await fetch(`${address}/`);
  const found = await lines(file, 7);
  assert.equal(
    found.map(({ method, path: at, route, status, user }) => [method, at, route, status, user]),
    [
      ['GET', '/calendar/events/v1/events', '/calendar/events/v1/events', 200, null],
      ['GET', '/calendar/events/v1/events', '/calendar/events/v1/events', 200, null],
      ['POST', '/calendar/events/v1/events', '/calendar/events/v1/events', 401, null],
      ['GET', '/calendar/events/v1/events/41', '/calendar/events/v1/events/:id', 404, null],
      ['GET', null, '/desk/start', found[4]?.status, null],
      ['GET', '/readyz', '/readyz', 200, null],
      ['GET', '/', '/', 200, null],
    ],
  );
  assert.is(found[0]?.agent, 'a "reader"\u00e9');
  assert.match(found[0]?.time ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
  for (const { bytes, ms, id, address: client } of found) {
    assert.ok(bytes > 100 && ms >= 0 && id !== '');
    assert.is(client, '127.0.0.1');
  }
  assert.not.match(readFileSync(file, 'utf8'), /secret|private/);
  assert.is(statSync(file).mode & 0o777, 0o600);
});

test('who was signed in is named by id, and the credentials are not there', async () => {
  const { status } = await fetch(`${address}/calendar/events/v1/users/me`, { headers: { authorization: credentials } });
  const found = (await lines(file, 8))[7];
  assert.equal([status, found?.status, found?.user], [200, 200, 1]);
  assert.not.match(readFileSync(file, 'utf8'), said(/^ {2}token: (\S+)$/m));
});

test('after a rotation the file is opened again', async () => {
  renameSync(file, `${file}.1`);
  service.kill('SIGHUP');
  while (!existsSync(file)) await sleep(5);
  await fetch(`${address}/healthz`);
  const [found] = await lines(file, 1);
  assert.is(found?.route, '/healthz');
  assert.is(linesOf(`${file}.1`).length, 8);
});

test('nothing is missing after the end', async () => {
  await Promise.all(Array.from({ length: 20 }, () => fetch(`${address}/healthz`)));
  const ended = new Promise((resolve) => service.once('exit', resolve));
  service.kill('SIGTERM');
  assert.is(await ended, 0);
  assert.is(linesOf(file).length, 21);
});

test('with - lines go to standard output, behind what it says at the start', async () => {
  const running = await serving({ DAYBOOK_DATA_DIR: path.join(folder, 'other'), DAYBOOK_ACCESS_LOG: '-' });
  await fetch(`${running.address}/healthz`);
  await running.wrote('"route":"/healthz"');
  const [line = ''] = running
    .out()
    .split('\n')
    .filter((text) => text.includes('/healthz'));
  const { method, status, user }: Access = JSON.parse(line);
  assert.equal([method, status, user], ['GET', 200, null]);
  assert.is(await running.stop(), 0);
});

/** Writes lines of 200 bytes until that fails, and then 80 MB more. */
const WRITER = `
  import { openAccessLog } from './src/observability/access-log.ts';
  let isFull = false;
  const log = openAccessLog(process.argv[1], ({ code }) => {
    isFull = true;
    console.log('failed: ' + code);
  });
  const write = (size) => {
    log.write({ path: 'x'.repeat(size) });
    return new Promise((resolve) => setImmediate(resolve));
  };
  while (!isFull) await write(200);
  const used = () => (gc(), process.memoryUsage().heapUsed / 1e6);
  const before = used();
  for (let line = 0; line < 400; line += 1) await write(200_000);
  const more = used() - before;
  console.log(more < 40 ? 'in bounds' : more + ' MB more');
  log.close();
  console.log('ended');
`;

test('on a full disk the failure is told once, and the process goes on, without growing, and ends', () => {
  const full = path.join(folder, 'full.log');
  const [program = '', ...words] = onFullDisk(8);
  const writer = [process.execPath, '--expose-gc', '--input-type=module', '--eval', WRITER, full];
  const options = { cwd: ROOT, encoding: 'utf8', timeout: 60_000, killSignal: 'SIGKILL' } as const;
  const { stdout, stderr, status } = spawnSync(program, [...words, ...writer], options);
  assert.equal([stdout, status], ['failed: EFBIG\nin bounds\nended\n', 0], stderr);
  assert.is(statSync(full).size, 8 * 512);
});

test('a file that cannot be opened is named at the start', async () => {
  const failing = spawn(process.execPath, ['bin/daybook.mjs', 'serve'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, PORT: '0', DAYBOOK_DATA_DIR: folder, DAYBOOK_ACCESS_LOG: '/proc/none/access.log' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: string[] = [];
  failing.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text));
  const code = await new Promise((resolve) => failing.once('close', resolve));
  assert.is(code, 1);
  assert.match(said.join(''), /^daybook: DAYBOOK_ACCESS_LOG: /);
});

test.after(() => {
  service.kill('SIGKILL');
  remove();
});

test.run();
