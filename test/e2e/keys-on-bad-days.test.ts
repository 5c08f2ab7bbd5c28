// What becomes of personal data when the disk fills up, or the process is killed, between a key and its event.
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { onFullDisk, type Serving, serving } from '../support/process.ts';
import { startTestService, temporaryFolder } from '../support/service.ts';

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
const MOST_WRITES = 2_000;
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

test('a disk that is full refuses new personal data, and what was acknowledged can be read afterwards', async (context) => {
  const settings = { DAYBOOK_DATA_DIR: context.folder };
  context.running = await serving(settings, onFullDisk(BLOCKS));
  const token = context.running.token ?? '';
  const acknowledged: string[] = [];
  let refused: Response | undefined;
  for (let n = 1; !refused && n <= MOST_WRITES; n++) {
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

test('what was acknowledged before a kill can be read afterwards: no event comes into the log before its key', async (context) => {
  const settings = { DAYBOOK_DATA_DIR: context.folder };
  context.running = await serving(settings);
  const token = context.running.token ?? '';
  const acknowledged: string[] = [];
  const { api } = context.running;
  const writing = Array.from({ length: 8 }, async (_, lane) => {
    for (let n = 1; n <= MOST_WRITES; n++) {
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
  // Nor is there one that nobody can read.
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
    organizer: 'Nobody',
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
  await daybook.created('editor', 'organizers', { organizer: 'Somebody', email: 'b@cal.example' });
  await daybook.close();
});

test.run();
