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
import { runHere } from '../support/here.ts';
import { daybook } from '../support/process.ts';
import { someEvent, startTestService, type TestService, temporaryFolder } from '../support/service.ts';

interface Context {
  folder: string;
  settings: { readonly [name: string]: string };
  remove: () => void;
}

const test = suite<Context>('stores that belong together');

const settingsIn = (folder: string): Context['settings'] => ({
  DAYBOOK_DATA_DIR: folder,
  DAYBOOK_EVENT_STORE: `sqlite:${path.join(folder, 'daybook.db')}`,
  DAYBOOK_READ_MODEL: `sqlite:${path.join(folder, 'views.db')}`,
});

test.before.each((context) => {
  Object.assign(context, temporaryFolder());
  context.settings = settingsIn(context.folder);
});
test.after.each(({ remove }) => remove());

const write = (service: TestService) => service.request('editor', 'POST', '/events', someEvent());

/** A calendar with an event, whose service has ended. Returns that service: its users are those of the log. */
async function filled(settings: Context['settings']): Promise<TestService> {
  const service = await startTestService({ environment: settings });
  assert.is((await write(service)).status, 201);
  await service.close();
  return service;
}

/** It opens what it finds, with the event of before. */
async function opens(settings: Context['settings'], copiedFrom: TestService): Promise<void> {
  const service = await startTestService({ environment: settings, copiedFrom });
  assert.is((await service.get('/events?start_date=2020-01-01')).headers['x-tec-total'], '1');
  await service.close();
}

async function refusal(words: readonly string[], settings: Context['settings']): Promise<string> {
  const { code, out, errors } = await runHere(words, settings);
  assert.is(code, 1, out);
  assert.match(errors, /^daybook: [^\n]+\n$/);
  return errors;
}

const bytesOf = (folder: string) =>
  new Map(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name)).toString('base64')]));

const LOG_GONE =
  /daybook\.db is missing or empty, but .*Check DAYBOOK_EVENT_STORE; .*`daybook restore`.*Nothing was changed\.$/m;

test('a log that is gone beside keys and views is no new calendar: nothing starts, and nothing changes', async (c) => {
  const before = await filled(c.settings);
  const log = path.join(c.folder, 'daybook.db');
  renameSync(log, `${log}.away`);
  const process = daybook(['serve'], { PORT: '0', DAYBOOK_DATA_DIR: c.folder });
  assert.is(await process.ended, 1, process.out());
  assert.match(process.errors(), /^daybook: [^\n]+\n$/);
  assert.match(process.errors(), LOG_GONE);
  for (const left of [['keys.db', 'views.db'], ['views.db']]) {
    if (!left.includes('keys.db')) renameSync(path.join(c.folder, 'keys.db'), path.join(c.folder, 'keys.away'));
    for (const state of ['missing', 'empty']) {
      if (state === 'empty') writeFileSync(log, '');
      const bytes = bytesOf(c.folder);
      for (const words of [['serve'], ['users', 'add', 'ann', '--role', 'editor']]) {
        const said = await refusal(words, c.settings);
        assert.match(said, LOG_GONE);
        for (const name of left) assert.match(said, name);
      }
      assert.equal(bytesOf(c.folder), bytes);
      rmSync(log, { force: true });
    }
  }
  // As the message says: everything moved away begins a new calendar, and put back it is the old one.
  renameSync(path.join(c.folder, 'keys.away'), path.join(c.folder, 'keys.db'));
  renameSync(`${log}.away`, log);
  await opens(c.settings, before);
});

test('keys without a log, with the views gone as well, begin no calendar', async ({ folder, settings }) => {
  await filled(settings);
  for (const name of readdirSync(folder)) if (/^(daybook|views)\.db/.test(name)) rmSync(path.join(folder, name));
  assert.match(await refusal(['serve'], settings), LOG_GONE);
});

test('a first start that was interrupted before the first event begins again', async ({ folder, settings }) => {
  await filled(settings);
  // The keys were stored, the events were not.
  new Sqlite(path.join(folder, 'daybook.db')).exec('DELETE FROM events; DELETE FROM streams').close();
  for (const name of readdirSync(folder)) if (name.startsWith('views.db')) rmSync(path.join(folder, name));
  await filled(settings);
});

test('keys of another calendar are refused, of any subject', async (c) => {
  const other = temporaryFolder();
  try {
    const before = await filled(c.settings);
    await filled(settingsIn(other.folder));
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
    await opens(c.settings, before);
  } finally {
    other.remove();
  }
});

test('a log that was deleted or replaced under a running service takes no write, and says that it is not ready', async (c) => {
  const copiedFrom = await filled(c.settings);
  const log = path.join(c.folder, 'daybook.db');
  const backup = path.join(c.folder, 'backup.db');
  new Sqlite(log).exec(`VACUUM INTO '${backup}'`).close();
  const service = await startTestService({ environment: c.settings, copiedFrom });
  const open = path.join(c.folder, 'open.db');
  for (const exchange of [() => {}, () => copyFileSync(backup, log)]) {
    renameSync(log, open);
    exchange();
    const refused = await write(service);
    assert.is(refused.status, 503);
    assert.is.not(refused.headers['retry-after'], undefined);
    const ready = await service.get('//readyz?for=writes');
    assert.is(ready.status, 503);
    assert.match(ready.text, /has been deleted or replaced under the running service/);
    assert.is((await service.get('//readyz')).status, 503);
    assert.is((await service.get('/events?start_date=2020-01-01')).headers['x-tec-total'], '1');
    // The file that is open comes back: nothing was lost.
    renameSync(open, log);
    await pause(TRIED_AGAIN_AFTER_MS);
    assert.is((await service.get('//readyz?for=writes')).status, 200);
  }
  assert.is((await write(service)).status, 201);
  await service.close();
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
  const before = await filled(c.settings);
  const names = ['daybook.db', 'keys.db', 'views.db'];
  for (const name of names) new Sqlite(path.join(c.folder, name)).exec('DROP TABLE mark').close();
  await opens(c.settings, before);
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
    await filled(withKeys);
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
