// What becomes of personal data when the disk fills up, or the process is killed, between a key and its event.
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runHere } from '../support/here.ts';
import { onFullDisk, type Serving, serving } from '../support/process.ts';
import { someEvent, startTestService, temporaryFolder } from '../support/service.ts';

const test = suite<{ folder: string; remove: () => void; running?: Serving }>('keys on bad days');

test.before.each((context) => {
  Object.assign(context, temporaryFolder());
});
test.after.each(async ({ running, remove }) => {
  if (running?.child.exitCode === null && running.child.signalCode === null) await running.kill();
  remove();
});

/** 2 MiB a file. */
const BLOCKS = 4_096;
const MAX_WRITES = 2_000;
const NAMES_PER_PAGE = 50;

const add = (api: string, token: string, organizer: string): Promise<Response> =>
  fetch(`${api}/organizers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ organizer, email: `${organizer}@cal.example` }),
  });

/** E-mail addresses of all organizers, by name. */
async function told(api: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let page = 1; ; page++) {
    const answer = await fetch(`${api}/organizers?per_page=${NAMES_PER_PAGE}&page=${page}`);
    const { organizers, total_pages: pages } = (await answer.json()) as {
      readonly organizers: readonly { readonly organizer: string; readonly email: string }[];
      readonly total_pages: number;
    };
    for (const { organizer, email } of organizers) found.set(organizer, email);
    if (page >= pages) return found;
  }
}

async function allThere(api: string, names: readonly string[]): Promise<void> {
  const there = await told(api);
  assert.equal(
    names.filter((name) => there.get(name) !== `${name}@cal.example`),
    [],
  );
}

test('a full disk refuses new personal data, and acknowledged data stays readable', async (context) => {
  const settings = { DAYBOOK_DATA_DIR: context.folder };
  context.running = await serving(settings, onFullDisk(BLOCKS));
  const token = context.running.token ?? '';
  const acknowledged: string[] = [];
  let refused: Response | undefined;
  for (let n = 1; !refused && n <= MAX_WRITES; n++) {
    const answer = await add(context.running.api, token, `name-${n}`);
    if (answer.status === 201) acknowledged.push(`name-${n}`);
    else refused = answer;
    await (refused ? undefined : answer.arrayBuffer());
  }
  assert.is(refused?.status, 503);
  assert.is.not(refused?.headers.get('retry-after'), null);
  assert.not.match((await refused?.text()) ?? '', /sqlite|keys\.db|daybook\.db/i);
  assert.ok(acknowledged.length > 10, `${acknowledged.length} acknowledged`);
  await context.running.kill();
  context.running = await serving(settings);
  await allThere(context.running.api, acknowledged);
  assert.is((await add(context.running.api, token, 'afterwards')).status, 201);
});

test('data acknowledged before a kill stays readable: no event is stored before its key', async (context) => {
  const settings = { DAYBOOK_DATA_DIR: context.folder };
  context.running = await serving(settings);
  const token = context.running.token ?? '';
  const acknowledged: string[] = [];
  const { api } = context.running;
  const writing = Array.from({ length: 8 }, async (_, lane) => {
    for (let n = 1; n <= MAX_WRITES; n++) {
      const name = `lane-${lane}-${n}`;
      const answer = await add(api, token, name).catch(() => null);
      if (answer === null) return;
      if (answer.status === 201) acknowledged.push(name);
      await answer.arrayBuffer().catch(() => null);
    }
  });
  while (acknowledged.length < 100) await new Promise((resolve) => setTimeout(resolve, 5));
  await context.running.kill();
  await Promise.all(writing);
  context.running = await serving(settings);
  await allThere(context.running.api, acknowledged);
  // Nor is there one that cannot be decrypted.
  for (const [name, email] of await told(context.running.api)) assert.is(email, `${name}@cal.example`);
});

test('keys that break under a running service refuse new personal data in words, and nothing else', async ({
  folder,
}) => {
  const daybook = await startTestService({
    environment: { DAYBOOK_DATA_DIR: folder, DAYBOOK_EVENT_STORE: `sqlite:${path.join(folder, 'daybook.db')}` },
  });
  const breaker = new Sqlite(path.join(folder, 'keys.db'));
  breaker.exec('ALTER TABLE subjects RENAME TO elsewhere');
  const refused = await daybook.request('editor', 'POST', '/organizers', {
    organizer: 'Choir',
    email: 'a@cal.example',
  });
  assert.equal([refused.status, refused.body.code], [503, 'rest_unavailable']);
  assert.ok(refused.headers['retry-after']);
  assert.not.match(refused.text, /sqlite|keys|subjects/i);
  assert.is((await daybook.get('/organizers')).body.total, 0);
  await daybook.created('editor', 'venues', { venue: 'Hall' });
  assert.is((await daybook.get('/venues')).body.total, 1);
  breaker.exec('ALTER TABLE elsewhere RENAME TO subjects');
  breaker.close();
  await daybook.created('editor', 'organizers', { organizer: 'Band', email: 'b@cal.example' });
  await daybook.close();
});

test('keys that are deleted under a running service: no write is acknowledged until they are back', async (context) => {
  const settings = { DAYBOOK_DATA_DIR: context.folder };
  context.running = await serving(settings);
  const { api, address, token } = context.running;
  assert.is((await add(api, token ?? '', 'before')).status, 201);
  const file = path.join(context.folder, 'keys.db');
  // As a copy at one moment has it.
  new Sqlite(file).exec(`VACUUM INTO '${file}.copy'`).close();
  for (const end of ['', '-wal', '-shm']) rmSync(file + end);
  const event = () =>
    fetch(`${api}/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(someEvent()),
    });
  for (const answer of [await event(), await add(api, token ?? '', 'lost')]) {
    assert.is(answer.status, 503);
    assert.ok(answer.headers.get('retry-after'));
  }
  const ready = await fetch(`${address}/readyz?for=writes`);
  assert.is(ready.status, 503);
  assert.match(await ready.text(), /keys .*deleted under the running service/);
  assert.is((await fetch(`${api}/organizers`)).status, 200);
  assert.not.ok(existsSync(file));
  renameSync(`${file}.copy`, file);
  assert.is((await event()).status, 201);
  assert.is((await add(api, token ?? '', 'after')).status, 201);
  await context.running.stop();
  context.running = await serving(settings);
  await allThere(context.running.api, ['before', 'after']);
});

test('keys copied before a user was added cost only that user’s fields, and that is reported', async (context) => {
  const { folder } = context;
  const settings = { DAYBOOK_DATA_DIR: folder };
  context.running = await serving(settings);
  const { token } = context.running;
  assert.is((await add(context.running.api, token ?? '', 'early')).status, 201);
  const keys = path.join(folder, 'keys.db');
  new Sqlite(keys).exec(`VACUUM INTO '${keys}.copy'`).close();
  assert.is((await add(context.running.api, token ?? '', 'late')).status, 201);
  await context.running.stop();
  for (const name of readdirSync(folder).filter((one) => one.startsWith('views.db'))) rmSync(path.join(folder, name));
  renameSync(`${keys}.copy`, keys);
  context.running = await serving(settings);
  const there = await told(context.running.api);
  assert.is(there.get('early'), 'early@cal.example');
  assert.is(there.get('[unreadable]'), '[unreadable]');
  assert.is((await add(context.running.api, token ?? '', 'afterwards')).status, 201);
  const ready = await fetch(`${context.running.address}/readyz`);
  const body = (await ready.json()) as { personal_data?: object };
  assert.equal([ready.status, body.personal_data], [200, { status: 'unreadable', subjects: 1, first: 'organizer-2' }]);
  assert.match(context.running.errors(), /organizer-2.*personal data unreadable/);
  const verified = await runHere(['verify'], settings);
  const doctor = await runHere(['doctor', '--json'], settings);
  assert.equal([verified.code, doctor.code], [1, 1]);
  assert.match(verified.out, /PROBLEM: keys: .*organizer-2/);
  assert.match(doctor.out, /"keys","state":"problem","said":"The personal data of organizer-2 cannot be read/);
});

test.run();
