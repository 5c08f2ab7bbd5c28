import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import Sqlite from 'better-sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rateBar } from '../../../src/cli/rate-progress.ts';
import { fillReport } from '../../../src/cli/serve.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import { openLog } from '../../../src/observability/log.ts';
import { fillStore } from '../../perf/sample-calendar.ts';
import { runHere } from '../../support/here.ts';
import { daybook, type Serving, serving } from '../../support/process.ts';
import { someEvent, temporaryFolder } from '../../support/service.ts';

const test = suite('daybook serve');

const { folder, remove } = temporaryFolder();
const settings = { DAYBOOK_DATA_DIR: folder };
let running: Serving | undefined;

async function end(): Promise<void> {
  if (running?.child.exitCode === null && running.child.signalCode === null) await running.kill();
}

test.after(async () => {
  await end();
  remove();
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const post = (api: string, token: string, body: object) =>
  fetch(`${api}/events`, {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

let token = '';

test('a first start prints its address and the administrator', async () => {
  running = await serving(settings);
  await running.wrote('issues another token');
  assert.match(running.out(), `${running.api}/events`);
  token = /token: (\S+)/.exec(running.out())?.[1] ?? '';
  assert.is(running.out().split(token).length - 1, 2, 'as such, and in the example');
  const [, lost = ''] = /lost: +(.*)/.exec(running.out()) ?? [];
  const issued = execFileSync('sh', ['-c', `cd / && ${lost}`], { env: { PATH: process.env.PATH }, encoding: 'utf8' });
  const another = /once: (\S+)/.exec(issued)?.[1] ?? '';
  assert.is((await post(running.api, another, someEvent({ title: 'By another token' }))).status, 201);
  assert.is((await post(running.api, token, someEvent())).status, 201);
  assert.is(await running.stop(), 0);
});

/** It goes on running for the tests behind this one, up to that of SIGTERM. */
test('a later one prints neither, and when it says that it listens it answers', async () => {
  running = await serving(settings);
  const answer = await fetch(`${running.api}/events?start_date=2020-01-01`);
  assert.is(answer.status, 200);
  assert.is(((await answer.json()) as { total: number }).total, 2, 'with everything that was written before');
  assert.not.match(running.out(), /token|admin/);
  assert.is((await post(running.api, token, someEvent())).status, 201, 'the token of then still serves');
});

test('a user who is added or revoked while it runs counts at once', async () => {
  assert.ok(running);
  const adding = await runHere(['users', 'add', 'ann', '--role', 'author', '--json'], settings);
  assert.is(adding.code, 0, adding.errors);
  const { password } = JSON.parse(adding.out) as { password: string };
  assert.is((await post(running.api, password, someEvent())).status, 201);
  assert.is((await runHere(['users', 'revoke', 'ann'], settings)).code, 0);
  assert.is((await post(running.api, password, someEvent())).status, 401);
});

test('on SIGTERM it finishes the request in progress and exits with 0', async () => {
  assert.ok(running);
  const socket = connect(Number(new URL(running.address).port), '127.0.0.1');
  await once(socket, 'connect');
  const body = JSON.stringify(someEvent({ title: 'Under way' }));
  const head = `POST /calendar/events/v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`;
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`);
  let answer = '';
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text;
  });
  // Another request that is answered afterwards shows that the first one has arrived.
  await (await fetch(`${running.api}/tags`)).text();
  const ending = running.stop();
  socket.write(body.slice(10));
  assert.is(await ending, 0);
  assert.match(answer, /^HTTP\/1\.1 201 /);
  running = await serving(settings);
  const kept = await fetch(`${running.api}/events?search=%22under+way%22&start_date=2020-01-01`);
  assert.is(((await kept.json()) as { total: number }).total, 1);
});

test('files that others may use are warned of at the start', async () => {
  const ofFiles = /other users of this machine have access to the stores.*chmod 600 [^"]*daybook\.db/;
  // It began with files as they are made.
  await running?.stop();
  assert.not.match(running?.errors() ?? '', ofFiles);
  chmodSync(path.join(folder, 'daybook.db'), 0o644);
  running = await serving(settings);
  await running.stop();
  assert.match(running.errors(), ofFiles);
});

test('a failed start prints one line with the problem and what is allowed', async () => {
  for (const [words, environment, message, code] of [
    [['serve', '--prot', '80'], {}, /^daybook: serve: unknown option '--prot' [^\n]*\n$/, 2],
    [['serve'], { PORT: 'eighty' }, /^daybook: PORT must be a whole number from 0 to 65535, not "eighty"\.\n$/, 1],
  ] as const) {
    const failed = daybook(words, { ...settings, ...environment });
    assert.equal([await failed.ended, failed.out()], [code, '']);
    assert.match(failed.errors(), message);
  }
});

test('each word and each setting that is wrong is told with what is allowed', async () => {
  const cases: readonly (readonly [readonly string[], { readonly [name: string]: string }, RegExp, number])[] = [
    [
      ['serve', '--prot', '80'],
      {},
      /serve: unknown option '--prot' \(Did you mean --port\?\)\. Try `daybook serve --help`/,
      2,
    ],
    [
      ['serve', '--role', 'king'],
      {},
      /serve: option '--role <ROLE>' argument 'king' is invalid\. It must be one of all, api, projector\./,
      2,
    ],
    [['sevre'], {}, /^daybook: unknown command 'sevre' \(Did you mean serve\?\)\. Try `daybook --help`\.\n$/, 2],
    [[], {}, /the command is missing\. Try `daybook --help`/, 2],
    [['users', 'add', 'x', '--role', 'author', '--roll', 'author'], {}, /unknown option '--roll'/, 2],
    [
      ['users', 'add', 'x', '--role', 'king'],
      {},
      /argument 'king' is invalid\. It must be one of administrator, editor, author, contributor, subscriber\./,
      2,
    ],
    [
      ['serve', '--port', 'eighty'],
      { PORT: '0' },
      /^daybook: PORT must be a whole number from 0 to 65535, not "eighty"\.\n$/,
      1,
    ],
    [['serve'], { PORT: 'eighty' }, /^daybook: PORT must be a whole number from 0 to 65535, not "eighty"\.\n$/, 1],
    [
      ['serve'],
      { DAYBOOK_TIMEZONE: 'Mars/Base' },
      /^daybook: DAYBOOK_TIMEZONE must be an IANA.*, not "Mars\/Base"\.\n$/,
      1,
    ],
    [['serve'], { DAYBOOK_PER_PAGE: '51' }, /^daybook: DAYBOOK_PER_PAGE must be .*from 1 to 50, not "51"\.\n$/, 1],
    [['serve'], { DAYBOOK_EVENT_STORE: 'mongo:x' }, /^daybook: DAYBOOK_EVENT_STORE .*sqlite.*esdb.*\n$/, 1],
    [['serve'], { DAYBOOK_READ_MODEL: 'mongo:x' }, /^daybook: DAYBOOK_READ_MODEL .*sqlite.*redis.*\n$/, 1],
    [
      ['serve', '--role', 'api'],
      { DAYBOOK_READ_MODEL: 'redis://127.0.0.1:1' },
      /^daybook: DAYBOOK_READ_MODEL: .*nothing listens there.*\n$/,
      1,
    ],
    [
      ['serve'],
      { DAYBOOK_SITE_URL: 'cal.example' },
      /^daybook: DAYBOOK_SITE_URL must be .*http.*, not "cal\.example"\.\n$/,
      1,
    ],
    [['serve'], { DAYBOOK_TRUST_PROXY: 'maybe' }, /^daybook: DAYBOOK_TRUST_PROXY must be .*yes.*, not "maybe"\.\n$/, 1],
    [['serve'], { DAYBOOK_PREFIX_ALIASES: 'a b' }, /^daybook: DAYBOOK_PREFIX_ALIASES must be .*, not "a b"\.\n$/, 1],
    [['serve'], { DAYBOOK_LOG_LEVEL: 'loud' }, /^daybook: DAYBOOK_LOG_LEVEL must be .*silent, not "loud"\.\n$/, 1],
  ];
  for (const [words, environment, message, code] of cases) {
    const refused = await runHere(words, { ...settings, PORT: '0', ...environment });
    assert.equal([refused.code, refused.out], [code, ''], refused.errors);
    assert.match(refused.errors, message);
    assert.match(refused.errors, /^daybook: [^\n]+\n$/);
  }
});

/** Of most there are two events in the log: enough for a line. */
const EVENTS = 1_600;

test('views of another format are filled once, from the log, and that is said in a line', async () => {
  const own = temporaryFolder();
  const inOwn = { DAYBOOK_DATA_DIR: own.folder, DAYBOOK_LOG_LEVEL: 'info' };
  const log = openSqliteEventStore({ file: path.join(own.folder, 'daybook.db') });
  await fillStore(
    log,
    { events: EVENTS, venues: 20, organizers: 5, categories: 5, tags: 10 },
    Math.floor(Date.now() / 1_000),
  );
  await log.close();
  const said = ({ errors }: Serving) => errors().match(/filling the read model from the log, once/g)?.length ?? 0;
  const totalOf = async ({ api }: Serving) => {
    const answer = await fetch(`${api}/events?per_page=1&start_date=2000-01-01&end_date=2100-01-01`);
    return ((await answer.json()) as { total: number }).total;
  };
  try {
    running = await serving(inOwn);
    assert.equal([await totalOf(running), said(running)], [EVENTS, 1], 'from nothing');
    await running.stop();
    running = await serving(inOwn);
    assert.is(said(running), 0);
    await running.stop();
    const views = new Sqlite(path.join(own.folder, 'views.db'));
    views.pragma('user_version = 1');
    views.exec('DROP TABLE list_row; CREATE TABLE event_search (id)');
    views.close();
    running = await serving(inOwn);
    assert.equal([await totalOf(running), said(running)], [EVENTS, 1], 'of another format');
    await running.stop();
  } finally {
    await end();
    own.remove();
  }
});

test('a fill has a bar in a terminal, and a few events have neither bar nor line', async () => {
  const screen = Object.assign(new PassThrough(), { isTTY: true, columns: 120 });
  const lines: string[] = [];
  const log = openLog('info', { write: (line) => void lines.push(line) });
  const few = fillReport(
    log,
    rateBar(screen, () => 0),
    async () => 9_000,
  );
  few.add(2_000);
  await few.end();
  assert.equal([lines, screen.readableLength], [[], 0]);
  const many = fillReport(
    log,
    rateBar(screen, () => 0),
    async () => 9_000,
  );
  for (let batch = 0; batch < 3; batch++) many.add(2_000);
  await many.end();
  assert.is(lines.length, 1);
  assert.match(screen.setEncoding('utf8').read(), /Filling the read model .*6000\/9000 events/);
});

test('a port that is taken is one line, and no administrator is lost by it', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = taken.address();
  const PORT = String(typeof address === 'object' && address ? address.port : 0);
  const fresh = temporaryFolder();
  const failed = daybook(['serve'], { DAYBOOK_DATA_DIR: fresh.folder, PORT });
  assert.is(await failed.ended, 1);
  assert.match(failed.errors(), /^daybook: The port is taken by another process\. [^\n]*\n$/);
  assert.not.match(failed.out(), 'listens');
  taken.close();
  running = await serving({ DAYBOOK_DATA_DIR: fresh.folder });
  await running.wrote('token:');
  assert.is(await running.stop(), 0);
  fresh.remove();
});

test.run();
