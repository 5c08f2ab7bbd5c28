// Several processes at one port: what one has acknowledged all show, one that is killed is replaced, and they end together.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { daybook, type Serving, serving } from '../support/process.ts';
import { someEvent, temporaryFolder } from '../support/service.ts';

interface Context {
  folder: string;
  remove(): void;
  process: Serving;
}

const test = suite<Context>('serve --workers');

test.before(async (context) => {
  const { folder, remove } = temporaryFolder();
  Object.assign(context, { folder, remove });
  context.process = await serving({ DAYBOOK_DATA_DIR: folder }, [], 'all', ['--workers', '2']);
});
test.after(async ({ process, remove }) => {
  await process?.kill();
  remove?.();
});

/** Over a connection of its own, so that the workers take turns. */
const asked = (address: string, init: RequestInit = {}): Promise<Response> =>
  fetch(address, { ...init, headers: { connection: 'close', ...init.headers } });

async function workersIn({ address }: Serving): Promise<string[]> {
  const metrics = await (await asked(`${address}/metrics`)).text();
  return [...metrics.matchAll(/^daybook_build_info\{.*worker="(\d+)".*\} 1$/gm)]
    .map(([, worker = '']) => worker)
    .sort();
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo().catch(() => false))) await sleep(50);
}

const workersOf = ({ child: { pid } }: Serving): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);

function hasEnded(pid: number): boolean {
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
}

async function write({ api, token }: Serving, title: string): Promise<void> {
  const answer = await asked(`${api}/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(someEvent({ title })),
  });
  assert.is(answer.status, 201);
}

async function titles({ api }: Serving): Promise<string[]> {
  const { events } = (await (await asked(`${api}/events?start_date=2020-01-01&per_page=50`)).json()) as {
    events: { title: string }[];
  };
  return events.map(({ title }) => title);
}

test('all of them are in the metrics, whichever is asked', async ({ process }) => {
  // A worker that starts, or is slow to answer, is left out.
  const both = async (): Promise<boolean> => (await workersIn(process)).join() === '1,2';
  for (let turn = 0; turn < 4; turn++) await until(both);
});

test('what one has acknowledged, each shows from then on', async ({ process }) => {
  for (let round = 0; round < 6; round++) {
    await write(process, `Round ${round}`);
    for (let turn = 0; turn < 2; turn++)
      assert.ok((await titles(process)).includes(`Round ${round}`), `round ${round}`);
  }
  const metrics = await (await asked(`${process.address}/metrics`)).text();
  const answering = [...metrics.matchAll(/^daybook_http_requests_total\{.*worker="(\d)".*\}/gm)].map(([, one]) => one);
  assert.equal([...new Set(answering)].sort(), ['1', '2'], 'both have answered');
});

for (const place of ['first', 'last'] as const)
  test(`the ${place} is killed: another one takes its place, and nothing is lost`, async ({ process: serve }) => {
    const before = await titles(serve);
    const killed = workersOf(serve).at(place === 'first' ? 0 : -1) ?? 0;
    process.kill(killed, 'SIGKILL');
    await until(async () => !workersOf(serve).includes(killed) && (await workersIn(serve)).length === 2);
    await write(serve, `After the ${place}`);
    for (let turn = 0; turn < 2; turn++) assert.equal((await titles(serve)).length, before.length + 1);
  });

test('they end together', async ({ process: serve }) => {
  const workers = workersOf(serve);
  assert.is(workers.length, 2);
  assert.is(await serve.stop(), 0);
  for (const pid of workers) assert.throws(() => process.kill(pid, 0), /ESRCH/);
});

test('a port that is taken is said once, and workers do not outlive what started them', async ({ folder }) => {
  const other = await serving({ DAYBOOK_DATA_DIR: folder }, [], 'all', ['--workers', '2']);
  const second = daybook(['serve', '--workers', '2'], { DAYBOOK_DATA_DIR: folder, PORT: new URL(other.address).port });
  try {
    assert.is(await second.ended, 1);
    assert.equal(second.errors().match(/The port is taken/g), ['The port is taken']);
  } finally {
    second.child.kill('SIGKILL');
    const workers = workersOf(other);
    await other.kill();
    await until(async () => workers.every(hasEnded));
  }
});

test('what only one process can be, or see, is refused', async ({ folder }) => {
  const projector = daybook(['serve', '--workers', '2', '--role', 'projector'], { DAYBOOK_DATA_DIR: folder });
  assert.is(await projector.ended, 2);
  assert.match(projector.errors(), /a projector is one process/);
  const memory = daybook(['serve', '--workers', '2'], {
    ...{ DAYBOOK_DATA_DIR: folder, DAYBOOK_READ_MODEL: 'sqlite::memory:' },
  });
  assert.is(await memory.ended, 2);
  assert.match(memory.errors(), /cannot share a store in memory/);
});

test.run();
