// Log, keys and read model that do not belong together: of a log that is gone, of another calendar, of a newer Daybook, and
// files that are exchanged under a running service.
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { Redis } from 'ioredis';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileMark } from '../../src/kernel/files/store-marks.ts';
import { openEventStoreDb } from '../../src/log/eventstoredb/store.ts';
import { TRIED_AGAIN_AFTER_MS } from '../../src/observability/writing-watch.ts';
import { STORE_FORMAT } from '../../src/version.ts';
import { startDeployment } from '../support/deployment.ts';
import { daybook, type Serving, serving } from '../support/process.ts';
import { someEvent, temporaryFolder } from '../support/service.ts';

interface Context {
  folder: string;
  settings: { readonly DAYBOOK_DATA_DIR: string };
  remove: () => void;
  running?: Serving | undefined;
}

const test = suite<Context>('stores that belong together');

test.before.each((context) => {
  Object.assign(context, temporaryFolder());
  context.settings = { DAYBOOK_DATA_DIR: context.folder };
});
test.after.each(async (context) => {
  const { running, remove } = context;
  if (running?.child.exitCode === null && running.child.signalCode === null) await running.kill();
  context.running = undefined;
  remove();
});

const write = (api: string, token: string): Promise<Response> =>
  fetch(`${api}/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(someEvent()),
  });

/** A calendar with an event, whose service has ended. */
async function filled(settings: Context['settings']): Promise<void> {
  const first = await serving(settings);
  assert.is((await write(first.api, first.token ?? '')).status, 201);
  assert.is(await first.stop(), 0);
}

async function refusal(words: readonly string[], settings: { readonly [name: string]: string }): Promise<string> {
  const started = daybook(words, { PORT: '0', ...settings });
  assert.is(await started.ended, 1, started.out());
  assert.match(started.errors(), /^daybook: [^\n]+\n$/);
  return started.errors();
}

const bytesOf = (folder: string) =>
  new Map(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name)).toString('base64')]));

const LOG_GONE =
  /daybook\.db is missing or empty, but .*Check DAYBOOK_EVENT_STORE; .*`daybook restore`.*Nothing was changed\.$/m;

test('a log that is gone beside keys and views is no new calendar: nothing starts, and nothing changes', async (c) => {
  await filled(c.settings);
  const log = path.join(c.folder, 'daybook.db');
  renameSync(log, `${log}.away`);
  for (const left of [['keys.db', 'views.db'], ['views.db']]) {
    if (!left.includes('keys.db')) renameSync(path.join(c.folder, 'keys.db'), path.join(c.folder, 'keys.away'));
    for (const state of ['missing', 'empty']) {
      if (state === 'empty') writeFileSync(log, '');
      const before = bytesOf(c.folder);
      for (const words of [['serve'], ['serve', '--role', 'projector'], ['users', 'add', 'ann', '--role', 'editor']]) {
        const said = await refusal(words, c.settings);
        assert.match(said, LOG_GONE);
        for (const name of left) assert.match(said, name);
      }
      assert.equal(bytesOf(c.folder), before);
      rmSync(log, { force: true });
    }
  }
  // As the message says: everything moved away begins a new calendar, and put back it is the old one.
  renameSync(path.join(c.folder, 'keys.away'), path.join(c.folder, 'keys.db'));
  renameSync(`${log}.away`, log);
  c.running = await serving(c.settings);
  assert.is(c.running.token, null);
  assert.is((await fetch(`${c.running.api}/events?start_date=2020-01-01`)).headers.get('x-tec-total'), '1');
});

test('keys without a log, with the views gone as well, begin no calendar', async ({ folder, settings }) => {
  await filled(settings);
  for (const name of readdirSync(folder)) if (/^(daybook|views)\.db/.test(name)) rmSync(path.join(folder, name));
  assert.match(await refusal(['serve'], settings), LOG_GONE);
});

test('a first start that was interrupted before the first event begins again', async (c) => {
  const added = daybook(['users', 'add', 'ann', '--role', 'editor'], c.settings);
  assert.is(await added.ended, 0, added.errors());
  // The keys were stored, the events were not.
  const db = new Sqlite(path.join(c.folder, 'daybook.db'));
  db.exec('DELETE FROM events; DELETE FROM streams');
  db.close();
  for (const name of readdirSync(c.folder)) if (name.startsWith('views.db')) rmSync(path.join(c.folder, name));
  c.running = await serving(c.settings);
  assert.is.not(c.running.token, null);
});

test('keys of another calendar are refused, whomever they are of', async (c) => {
  const other = temporaryFolder();
  try {
    await filled(c.settings);
    await filled({ DAYBOOK_DATA_DIR: other.folder });
    // It opens nothing of this log, and closes nothing: that the log names its keys is all that can tell.
    new Sqlite(path.join(other.folder, 'keys.db')).exec('UPDATE subjects SET key = NULL').close();
    const keys = path.join(c.folder, 'keys.db');
    renameSync(keys, `${keys}.away`);
    copyFileSync(path.join(other.folder, 'keys.db'), keys);
    for (const words of [['serve'], ['users', 'list'], ['verify']]) {
      const said = await refusal(words, c.settings);
      assert.match(
        said,
        /keys\.db are those of another calendar\. Put back the backup of the keys .* check DAYBOOK_KEYS/,
      );
    }
    rmSync(keys);
    assert.match(await refusal(['serve'], c.settings), /keys of personal data are gone/);
    assert.not.ok(existsSync(keys));
    renameSync(`${keys}.away`, keys);
    c.running = await serving(c.settings);
  } finally {
    other.remove();
  }
});

test('a log that was deleted or replaced under a running service takes no write, and says that it is not ready', async (c) => {
  await filled(c.settings);
  const log = path.join(c.folder, 'daybook.db');
  const backup = path.join(c.folder, 'backup.db');
  new Sqlite(log).exec(`VACUUM INTO '${backup}'`).close();
  const token = daybook(['users', 'token', 'admin'], c.settings);
  assert.is(await token.ended, 0, token.errors());
  const [secret = ''] = /\d+-\d+-[\w-]{20,}/.exec(token.out()) ?? [];
  c.running = await serving(c.settings);
  const { api, address } = c.running;
  const open = path.join(c.folder, 'open.db');
  for (const exchange of [() => {}, () => copyFileSync(backup, log)]) {
    renameSync(log, open);
    exchange();
    const refused = await write(api, secret);
    assert.is(refused.status, 503);
    assert.is.not(refused.headers.get('retry-after'), null);
    const ready = await fetch(`${address}/readyz?for=writes`);
    assert.is(ready.status, 503);
    assert.match(await ready.text(), /has been deleted or replaced under the running service/);
    assert.is((await fetch(`${address}/readyz`)).status, 503);
    assert.is((await fetch(`${api}/events?start_date=2020-01-01`)).headers.get('x-tec-total'), '1');
    // The file that is open comes back: nothing was lost.
    renameSync(open, log);
    await pause(TRIED_AGAIN_AFTER_MS);
    assert.is((await fetch(`${address}/readyz?for=writes`)).status, 200);
  }
  assert.is((await write(api, secret)).status, 201);
});

const NEWER = JSON.stringify({ format: STORE_FORMAT + 1, daybook: '9.1.0' });

test('each store of a newer Daybook is refused by name, and left as it is', async ({ folder, settings }) => {
  await filled(settings);
  for (const [name, setting] of [
    ['daybook.db', 'DAYBOOK_EVENT_STORE'],
    ['keys.db', 'DAYBOOK_KEYS'],
    ['views.db', 'DAYBOOK_READ_MODEL'],
  ] as const) {
    const file = path.join(folder, name);
    const mark = fileMark(file);
    const own = (await mark.read()) ?? '';
    assert.is(JSON.parse(own).format, STORE_FORMAT);
    await mark.write(NEWER);
    const said = await refusal(['serve'], settings);
    assert.match(said, setting);
    assert.match(said, name);
    assert.match(said, `needs Daybook 9.1.0 or newer (store format ${STORE_FORMAT + 1}); this is Daybook`);
    assert.is(await mark.read(), NEWER);
    await mark.write(own);
  }
  await fileMark(path.join(folder, 'daybook.db')).write(NEWER);
  for (const words of [['users', 'list'], ['verify'], ['import', '--dry-run', 'x.ics'], ['backup', 'there']])
    assert.match(await refusal(words, settings), 'needs Daybook 9.1.0');
});

test('stores of before, without a mark, are opened and get one', async (c) => {
  await filled(c.settings);
  const names = ['daybook.db', 'keys.db', 'views.db'];
  for (const name of names) new Sqlite(path.join(c.folder, name)).exec('DROP TABLE mark').close();
  c.running = await serving(c.settings);
  for (const name of names) assert.is.not(await fileMark(path.join(c.folder, name)).read(), null, name);
});

test('on servers each store has such a mark as well', async () => {
  const deployment = await startDeployment();
  const { events, redis, settings } = deployment;
  const withKeys = { ...settings, DAYBOOK_KEYS: redis.url };
  const log = await openEventStoreDb({ connectionString: events.connectionString });
  const client = new Redis(redis.url);
  const inRedis = (key: string) => ({
    read: () => client.get(key),
    write: async (text: string) => void (await client.set(key, text)),
  });
  try {
    await (await serving(withKeys)).stop();
    for (const [mark, setting] of [
      [log.mark, 'DAYBOOK_EVENT_STORE'],
      [inRedis('daybook:mark'), 'DAYBOOK_READ_MODEL'],
      [inRedis('daybook:{keys}:mark'), 'DAYBOOK_KEYS'],
    ] as const) {
      const own = (await mark.read()) ?? '';
      assert.is(JSON.parse(own).format, STORE_FORMAT);
      await mark.write(NEWER);
      const said = await refusal(['serve'], withKeys);
      assert.match(said, setting);
      assert.match(said, 'needs Daybook 9.1.0');
      await mark.write(own);
    }
    await client.del('daybook:{keys}:subjects', 'daybook:{keys}:store');
    assert.match(await refusal(['serve'], withKeys), /keys of personal data are gone/);
  } finally {
    client.disconnect();
    await log.close();
    await deployment.close();
  }
});

test.run();
