// The looks of `daybook doctor` at real stores.

import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openMediaFolder } from '../../../src/calendar/picture/media/folder.ts';
import { recordMark } from '../../../src/calendar/zone-rules/commands/zone-rules.ts';
import { doctorCommand, openExamination } from '../../../src/cli/doctor/doctor.ts';
import { type EventStore, EventStoreUnavailable } from '../../../src/log/event-store.ts';
import { openEventStoreDb } from '../../../src/log/eventstoredb/store.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import type { Finding } from '../../../src/observability/check-up.ts';
import type { Stores } from '../../../src/stores.ts';
import { newEvents } from '../../support/events.ts';
import { startEventStoreDb } from '../../support/eventstoredb-server.ts';
import { perform } from '../../support/perform.ts';
import { formWith, photo } from '../../support/pictures.ts';
import { freePort } from '../../support/redis-server.ts';
import { NOON, startTestService, temporaryFolder } from '../../support/service.ts';

const test = suite<{ folder: string; remove: () => void }>('what the doctor looks at');

test.before.each((context) => {
  Object.assign(context, temporaryFolder());
});
test.after.each(({ remove }) => remove());

type Report = { readonly problems: number; readonly findings: readonly Finding[] };

async function examined(
  environment: { readonly [name: string]: string },
  now = NOON,
  zoneRules = '2025b',
): Promise<Report> {
  const lines: string[] = [];
  const settings = { PORT: String(await freePort()), ...environment };
  const { looks, close } = openExamination({
    ...{ environment: settings, node: '20.0.0', now: () => now, zoneRules },
  });
  try {
    await perform(doctorCommand, ['--json'], {
      looks,
      explained: (error) => (error instanceof Error ? error.message : null),
      out: (line) => void lines.push(line),
    });
  } finally {
    await close();
  }
  return JSON.parse(lines[0] ?? '') as Report;
}

const of = ({ findings }: Report, about: string) => findings.find((finding) => finding.about === about);

async function filled(folder: string, webhook?: object): Promise<void> {
  const daybook = await startTestService({
    environment: {
      DAYBOOK_DATA_DIR: folder,
      DAYBOOK_EVENT_STORE: `sqlite:${path.join(folder, 'daybook.db')}`,
      DAYBOOK_READ_MODEL: `sqlite:${path.join(folder, 'views.db')}`,
    },
  });
  await daybook.created('editor', 'venues', { venue: 'Hall' });
  if (webhook) await daybook.created('administrator', 'webhooks', webhook);
  await daybook.close();
}

test('where nothing is yet, nothing is wrong, and nothing is made', async ({ folder }) => {
  const report = await examined({ DAYBOOK_DATA_DIR: folder });
  assert.is(report.problems, 0);
  assert.match(of(report, 'log')?.said ?? '', 'none yet');
  assert.equal(readdirSync(folder), []);
});

test('before a new, empty server no keys are missed', async ({ folder }) => {
  const server = await startEventStoreDb();
  const environment = { DAYBOOK_DATA_DIR: folder, DAYBOOK_EVENT_STORE: server.connectionString };
  const isNew = await examined(environment);
  assert.equal([of(isNew, 'log')?.state, isNew.problems], ['well', 0]);
  assert.match(of(isNew, 'log')?.said ?? '', 'and empty');
  assert.equal(readdirSync(folder), []);
  const store = await openEventStoreDb({ connectionString: server.connectionString });
  await store.append([{ stream: 'event-1', expected: 'no_stream', events: newEvents(1) }]);
  await store.close();
  assert.is(of(await examined(environment), 'log')?.state, 'warning');
  await server.stop();
});

test('a healthy calendar is reported as such', async ({ folder }) => {
  await filled(folder);
  const report = await examined({ DAYBOOK_DATA_DIR: folder });
  assert.equal(
    report.findings.filter(({ state }) => state !== 'well'),
    [],
  );
  assert.match(of(report, 'views')?.said ?? '', 'up to date with the log');
  assert.match(of(report, 'users')?.said ?? '', /can sign in: 1/);
});

test('a webhook without a public address in its links is a warning', async ({ folder }) => {
  await filled(folder, { url: 'https://hooks.example/in' });
  const environment = { DAYBOOK_DATA_DIR: folder };
  const found = of(await examined(environment), 'webhooks');
  assert.equal([found?.state, found?.said.includes('http://localhost:')], ['warning', true]);
  const named = await examined({
    ...environment,
    DAYBOOK_SITE_URL: 'https://calendar.example',
    DAYBOOK_TRUST_PROXY: '1',
  });
  assert.is(of(named, 'webhooks'), undefined);
});

test('submissions without a public address for the links in their mails are a warning', async ({ folder }) => {
  const environment = { DAYBOOK_DATA_DIR: folder, DAYBOOK_SUBMISSIONS: 'on' };
  const found = of(await examined(environment), 'mail');
  assert.is(found?.state, 'warning');
  assert.match(found?.said ?? '', 'DAYBOOK_SITE_URL is not set: links in mails of submissions');
  assert.is(of(await examined({ ...environment, DAYBOOK_SITE_URL: 'https://calendar.example' }), 'mail'), undefined);
});

test('files of pictures that are missing are a problem; those that a crash has left over are harmless', async ({
  folder,
}) => {
  const log = path.join(folder, 'daybook.db');
  const daybook = await startTestService({
    environment: { DAYBOOK_DATA_DIR: folder, DAYBOOK_EVENT_STORE: `sqlite:${log}` },
    wrap: (stores) => ({
      ...stores,
      media: openMediaFolder(path.join(folder, 'media')),
      store: { ...stores.store, append: (appends) => append(stores, appends) },
    }),
  });
  let isDown = false;
  const append: (stores: Stores, appends: Parameters<EventStore['append']>[0]) => ReturnType<EventStore['append']> = (
    { store },
    appends,
  ) => (isDown ? Promise.reject(new EventStoreUnavailable('down')) : store.append(appends));
  const form = await formWith(await photo());
  const upload = () => daybook.request('author', 'POST', '/media', form.body, form.headers);
  const { body } = await upload();
  // What a process that ends between files and fact leaves: files that no fact names.
  isDown = true;
  assert.is((await upload()).status, 503);
  isDown = false;
  assert.is((await daybook.get('/media', 'author')).body.total, 1);
  await daybook.close();
  // And one that ends while a file is written.
  writeFileSync(path.join(folder, 'media', 'half.jpg.part'), 'half');
  const whole = of(await examined({ DAYBOOK_DATA_DIR: folder }), 'pictures');
  assert.equal([whole?.state, whole?.said.includes('6 files there may be deleted')], ['well', true]);
  rmSync(path.join(folder, new URL(body.sizes.medium.url).pathname));
  const lacking = of(await examined({ DAYBOOK_DATA_DIR: folder }), 'pictures');
  assert.is(lacking?.state, 'problem');
  assert.match(lacking?.said ?? '', `the first is ${body.id}`);
});

test('a clock before what has been recorded is a problem', async ({ folder }) => {
  await filled(folder);
  const clock = of(await examined({ DAYBOOK_DATA_DIR: folder }, NOON - 3_600), 'clock');
  assert.is(clock?.state, 'problem');
  assert.match(clock?.said ?? '', '3600 s later');
});

test('a log that is no database is a problem, and what needs it is passed over', async ({ folder }) => {
  writeFileSync(path.join(folder, 'daybook.db'), 'this is no database, and long enough to be looked at');
  writeFileSync(path.join(folder, 'keys.db'), '');
  const report = await examined({ DAYBOOK_DATA_DIR: folder });
  assert.is(of(report, 'log')?.state, 'problem');
  assert.ok(of(report, 'log')?.advice);
  assert.is(of(report, 'views'), undefined);
});

test('missing keys are reported, and not created anew', async ({ folder }) => {
  await filled(folder);
  rmSync(path.join(folder, 'keys.db'));
  const report = await examined({ DAYBOOK_DATA_DIR: folder });
  assert.is(of(report, 'log')?.state, 'warning');
  assert.match(of(report, 'log')?.said ?? '', 'DAYBOOK_KEYS');
  assert.not.ok(existsSync(path.join(folder, 'keys.db')));
});

test('files that others may access are reported, with the command that closes them', async ({ folder }) => {
  await filled(folder);
  chmodSync(folder, 0o755);
  chmodSync(path.join(folder, 'keys.db'), 0o640);
  writeFileSync(path.join(folder, 'views.db.g0123456789ab'), '', { mode: 0o644 });
  writeFileSync(path.join(folder, 'notes.txt'), 'not ours', { mode: 0o644 });
  const wide = of(await examined({ DAYBOOK_DATA_DIR: folder }), 'files');
  assert.is(wide?.state, 'warning');
  assert.match(wide?.said ?? '', /keys\.db, and \d more/);
  execFileSync('sh', ['-c', wide?.advice ?? '']);
  assert.is(of(await examined({ DAYBOOK_DATA_DIR: folder }), 'files')?.state, 'well');
  assert.is(statSync(path.join(folder, 'notes.txt')).mode & 0o777, 0o644);
});

test('views that cannot be reached are a problem of their own', async ({ folder }) => {
  await filled(folder);
  const report = await examined({
    DAYBOOK_DATA_DIR: folder,
    DAYBOOK_READ_MODEL: `redis://127.0.0.1:${await freePort()}`,
  });
  assert.is(of(report, 'log')?.state, 'well');
  assert.is(of(report, 'views')?.state, 'problem');
});

test('with an invalid setting only that is reported', async () => {
  const report = await examined({ DAYBOOK_PER_PAGE: 'many' });
  assert.equal(
    report.findings.map(({ about, state }) => [about, state]),
    [
      ['runtime', 'well'],
      ['settings', 'problem'],
    ],
  );
});

test('zone rules older or newer than the log’s are reported, with advice', async ({ folder }) => {
  await filled(folder);
  const environment = { DAYBOOK_DATA_DIR: folder };
  assert.is(of(await examined(environment), 'zones')?.said, '2025b; the log has none recorded yet.');
  const store = openSqliteEventStore({ file: path.join(folder, 'daybook.db') });
  const context = { now: NOON, correlationId: 'test' };
  await recordMark({ store, newEventId: randomUUID }, context, 'ZoneRulesAdopted', '2026a', -1);
  await store.close();
  for (const [release, state, said] of [
    ['2025b', 'warning', '2025b, older than in the log (2026a).'],
    ['2026a', 'well', '2026a, the same as in the log.'],
    ['2026c', 'warning', '2026c, newer than in the log (2026a).'],
  ] as const) {
    const finding = of(await examined(environment, NOON, release), 'zones');
    assert.equal([finding?.state, finding?.said], [state, said]);
  }
});

test.run();
