// A log that is put back from a copy under views that are further on: they show what the log knows nothing of, and would pass
// over what is written next. So they are refused, said to be wrong, and made anew.
import { cpSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startEventStoreDb } from '../support/eventstoredb-server.ts';
import { runHere } from '../support/here.ts';
import { type Serving, serving } from '../support/process.ts';
import { startRedisServer } from '../support/redis-server.ts';
import { type Body, someEvent, startTestService, type TestService, temporaryFolder } from '../support/service.ts';

interface Context {
  folder: string;
  remove(): void;
}

const PATIENCE_MS = 30_000;

const test = suite<Context>('an older log under newer views');

test.before.each((context) => {
  Object.assign(context, temporaryFolder());
});
test.after.each(({ remove }) => remove());

type Settings = { readonly [name: string]: string };

const settingsIn = (folder: string, others: Settings = {}): Settings => ({
  DAYBOOK_DATA_DIR: folder,
  DAYBOOK_EVENT_STORE: `sqlite:${path.join(folder, 'daybook.db')}`,
  DAYBOOK_READ_MODEL: `sqlite:${path.join(folder, 'views.db')}`,
  DAYBOOK_LOG_LEVEL: 'silent',
  ...others,
});

/** A service that writes what the others find, with their clock. Over the log of `copiedFrom` if there is one. */
async function started(settings: Settings, copiedFrom?: TestService): Promise<TestService> {
  const now = Math.floor(Date.now() / 1000);
  const daybook = await startTestService({
    environment: settings,
    usersSince: now,
    ...(copiedFrom && { copiedFrom }),
  });
  daybook.clock.at = now;
  return daybook;
}

const published = (title: string): object => someEvent({ title, status: 'publish' });

async function write({ api }: Serving, authorization: string, title: string): Promise<void> {
  const answer = await fetch(`${api}/events`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(published(title)),
  });
  assert.is(answer.status, 201);
}

async function titles({ api }: Serving): Promise<string[] | number> {
  const answer = await fetch(`${api}/events?start_date=2020-01-01`);
  if (!answer.ok) return answer.status;
  return ((await answer.json()) as { events: { title: string }[] }).events.map(({ title }) => title).sort();
}

/** A backup of the log, and of the keys that belong to it. */
function copyLog(from: string, to: string): void {
  for (const name of readdirSync(from))
    if (/^(daybook|keys)\.db/.test(name)) cpSync(path.join(from, name), path.join(to, name));
}

function removeLog(folder: string): void {
  for (const name of readdirSync(folder)) if (/^(daybook|keys)\.db/.test(name)) rmSync(path.join(folder, name));
}

/** What the doctor says of the views, and its exit code. */
async function diagnosis(settings: Settings): Promise<{ readonly state: string; readonly code: number }> {
  const { code, out } = await runHere(['doctor', '--json'], settings);
  const { findings } = JSON.parse(out) as { findings: { about: string; state: string }[] };
  return { state: findings.find(({ about }) => about === 'views')?.state ?? '', code };
}

for (const [what, later] of [
  ['older than the views', []],
  ['older than the views when it was put back, and has grown past them since', ['Three', 'Four', 'Five', 'Six']],
] as const)
  test(`of a file that is ${what}, only its content is shown`, async ({ folder }) => {
    const settings = settingsIn(path.join(folder, 'data'));
    const backup = path.join(folder, 'backup');
    const first = await started(settings);
    await first.created('editor', 'events', published('One'));
    await first.close();
    cpSync(path.join(folder, 'data'), backup, { recursive: true });
    const second = await started(settings, first);
    for (const title of ['Two', 'Gone']) await second.created('editor', 'events', published(title));
    const shown = (await second.get('/events?start_date=2020-01-01')).body.events;
    assert.equal(shown.map(({ title }: Body) => title).sort(), ['Gone', 'One', 'Two']);
    await second.close();
    removeLog(path.join(folder, 'data'));
    copyLog(backup, path.join(folder, 'data'));
    if (later.length > 0) {
      // Elsewhere, with views of its own.
      const elsewhere = await started({ ...settings, DAYBOOK_READ_MODEL: 'sqlite::memory:' }, first);
      for (const title of later) await elsewhere.created('editor', 'events', published(title));
      await elsewhere.close();
    }
    assert.equal(await diagnosis(settings), { state: 'problem', code: 1 });
    const third = await started(settings, first);
    const list = () => third.get('/events?start_date=2020-01-01');
    const listed = async () => (await list()).body.events.map(({ title }: Body) => title).sort();
    try {
      await eventually(async () => (await list()).status !== 503);
      assert.equal(await listed(), ['One', ...later].sort());
      await third.created('editor', 'events', published('New'));
      assert.equal(await listed(), ['New', 'One', ...later].sort());
      assert.is((await third.get('//readyz')).status, 200);
    } finally {
      await third.close();
    }
    assert.is((await diagnosis(settings)).state, 'well');
  });

test('of a server that is restored under a running service, only its content is shown', async ({ folder }) => {
  const events = await startEventStoreDb();
  const settings = settingsIn(folder, { DAYBOOK_EVENT_STORE: events.connectionString });
  const process = await serving(settings);
  try {
    const authorization = `Bearer ${process.token}`;
    await write(process, authorization, 'One');
    const then = events.log.events.length;
    for (const title of ['Two', 'Gone']) await write(process, authorization, title);
    assert.equal(await titles(process), ['Gone', 'One', 'Two']);
    await events.stop();
    // It is noticed that it is away; what is there is shown for as long as that lasts.
    await eventually(async () => (await fetch(`${process.address}/readyz`)).status === 503);
    events.log.putBack(then);
    await events.start();
    await eventually(async () => String(await titles(process)) === 'One');
    await write(process, authorization, 'New');
    assert.equal(await titles(process), ['New', 'One']);
    assert.is((await fetch(`${process.address}/readyz`)).status, 200);
  } finally {
    await process.stop();
    await events.stop();
  }
});

for (const views of ['in files', 'in Redis'] as const)
  test(`of a server that is restored while nothing runs, it is reported, and only its content is shown, by views ${views}`, async ({
    folder,
  }) => {
    const events = await startEventStoreDb();
    const redis = views === 'in Redis' ? await startRedisServer() : null;
    const settings = settingsIn(folder, {
      DAYBOOK_EVENT_STORE: events.connectionString,
      ...(redis && { DAYBOOK_READ_MODEL: redis.url }),
    });
    const running: Serving[] = [];
    const start = async (role: 'all' | 'api'): Promise<Serving> => {
      const started = await serving(settings, [], role);
      running.push(started);
      return started;
    };
    try {
      const first = await started(settings);
      await first.created('editor', 'events', published('One'));
      const then = events.log.events.length;
      for (const title of ['Two', 'Gone']) await first.created('editor', 'events', published(title));
      await first.close();
      events.log.putBack(then);
      assert.equal(await diagnosis(settings), { state: 'problem', code: 1 });
      assert.is((await runHere(['verify'], settings)).code, 1);
      // Nothing fills them here.
      const api = await start('api');
      assert.is(await titles(api), 503);
      const readiness = await fetch(`${api.address}/readyz?for=reads`);
      const { views: said } = (await readiness.json()) as { views: { status: string } };
      assert.equal([readiness.status, said.status], [503, 'another log']);

      const second = await start('all');
      assert.equal(await titles(second), ['One']);
      await eventually(async () => String(await titles(api)) === 'One');
      await write(second, first.authorization('editor'), 'New');
      assert.equal(await titles(second), ['New', 'One']);
      for (const { address } of [api, second]) assert.is((await fetch(`${address}/readyz`)).status, 200);
      await Promise.all([api.stop(), second.stop()]);
      assert.is((await diagnosis(settings)).state, 'well');
    } finally {
      for (const one of running) await one.kill();
      await redis?.stop();
      await events.stop();
    }
  });

async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  const begun = performance.now();
  while (!(await isSo())) {
    assert.ok(performance.now() - begun < PATIENCE_MS, `not so after ${PATIENCE_MS} ms`);
    await sleep(50);
  }
}

test.run();
