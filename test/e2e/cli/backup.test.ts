// `daybook backup` and what `daybook restore` makes of it.
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { logCopier } from '../../../src/composition.ts';
import { type BackupDependencies, backupCommand } from '../../../src/exchange/export/cli/backup.ts';
import { auditKeysFile, openAuditKeys } from '../../../src/kernel/files/audit-keys.ts';
import { lastBackup, noteBackup } from '../../../src/kernel/files/backup-mark.ts';
import { perform } from '../../support/perform.ts';
import { formWith, png } from '../../support/pictures.ts';
import { daybook, type Serving, serving } from '../../support/process.ts';
import { someEvent } from '../../support/service.ts';
import { openRoom, type Room, type Site } from '../../unit/export/log-room.ts';
import { append, drafted } from '../../unit/personal-data/given-log.ts';

interface Context {
  room: Room;
  site: Site;
  running?: Serving;
}

const test = suite<Context>('daybook backup');

test.before.each((context) => {
  context.room = openRoom();
  context.site = context.room.site('source');
});
test.after.each(async ({ room, running }) => {
  if (running?.child.exitCode === null && running.child.signalCode === null) await running.kill();
  await room.close();
});

const organizer = (id: number, name: string) => drafted({ id, name, slug: name.toLowerCase() });

const addTo = (site: Site, id: number, name: string): Promise<unknown> =>
  site.with(({ store }) => append(store, `organizer-${id}`, 'no_stream', organizer(id, name)));

async function backUp({ config }: Site, folder: string, changed: Partial<BackupDependencies> = {}) {
  const lines: string[] = [];
  const code = await perform(backupCommand, [folder], {
    config,
    copyLog: logCopier(config),
    note: noteBackup,
    out: (line) => void lines.push(line),
    progress: { begin() {}, reach() {}, end() {} },
    signal: new AbortController().signal,
    elapsed: () => performance.now(),
    now: () => Date.UTC(2030) / 1000,
    newId: () => 'id',
    ...changed,
  });
  return { code, lines };
}

/** Names of all organizers, as the log tells them. */
const names = (site: Site): Promise<string[]> =>
  site.with(async ({ store }) => {
    const events = await store.readAll({ after: '', prefixes: ['organizer-'], limit: 100 });
    return events.map(({ data }) => (data as { name: string }).name);
  });

for (const kind of ['a file', 'lines'] as const)
  test(`a log that is copied as ${kind} comes back with its keys, and is checked`, async ({ room, site }) => {
    await addTo(site, 7, 'Ann');
    const folder = path.join(room.folder, 'backup');
    const { code, lines } = await backUp(site, folder, kind === 'lines' ? { copyLog: null } : {});
    assert.is(code, 0, lines.join('\n'));
    assert.is(await lastBackup(site.config.dataDir), Date.UTC(2030) / 1000, 'it is noted');
    assert.match(lines.join('\n'), /Backed up and checked: 1 domain event in 1 stream, and 1 key\./);
    assert.equal(readdirSync(folder).sort(), [kind === 'lines' ? 'daybook-log.jsonl.gz' : 'daybook.db', 'keys.db']);
    const target = room.site('target');
    const restored = await target.restore([folder]);
    assert.is(restored.code, 0, restored.lines.join('\n'));
    assert.match(restored.lines.join('\n'), /Checked afterwards/);
    assert.equal(await target.log(), await site.log());
    assert.equal(await names(target), ['Ann']);
    for (const place of [folder, target.folder])
      for (const name of ['.', ...readdirSync(place)]) {
        const entry = statSync(path.join(place, name));
        assert.is((entry.mode & 0o777).toString(8), entry.isDirectory() ? '700' : '600', path.join(place, name));
      }
    const again = await target.restore([folder]);
    assert.is(again.code, 1);
    assert.match(again.lines[0] ?? '', /not empty/);
  });

test('a backup is one, also where the data folder cannot note it', async ({ room, site }) => {
  await addTo(site, 7, 'Ann');
  const folder = path.join(room.folder, 'backup');
  const { code, lines } = await backUp(site, folder, {
    note: () => Promise.reject(new Error('ENOSPC: no space left')),
  });
  assert.is(code, 0);
  assert.match(lines.at(-1) ?? '', 'The backup is complete, but the data folder does not note it: ENOSPC');
  assert.is((await room.site('target').restore([folder])).code, 0);
});

test('the keys that sign audit trails come along, for their owner alone, and replace no others', async ({
  room,
  site,
}) => {
  await addTo(site, 7, 'Ann');
  const keys = auditKeysFile(site.config.dataDir);
  const { id } = openAuditKeys(keys, '2030-01-01T00:00:00.000Z').present;
  const folder = path.join(room.folder, 'backup');
  const { lines } = await backUp(site, folder);
  assert.match(lines.at(-1) ?? '', 'the key that signs audit trails');
  assert.is(statSync(path.join(folder, 'audit-keys.json')).mode & 0o777, 0o600);
  const [empty, other] = [room.site('target'), room.site('other')];
  assert.match((await empty.restore([folder])).lines.join('\n'), 'signs audit trails is there again');
  assert.is(openAuditKeys(auditKeysFile(empty.config.dataDir), '').present.id, id);
  assert.is(statSync(auditKeysFile(empty.config.dataDir)).mode & 0o777, 0o600);
  const own = openAuditKeys(auditKeysFile(other.config.dataDir), '2030-02-01T00:00:00.000Z').present.id;
  assert.match((await other.restore([folder])).lines.join('\n'), 'the key that was there already');
  assert.is(openAuditKeys(auditKeysFile(other.config.dataDir), '').present.id, own);
});

test('keys are copied after the log, so adding a user meanwhile does no harm', async ({ room, site }) => {
  await addTo(site, 7, 'Ann');
  const folder = path.join(room.folder, 'backup');
  const copy = logCopier(site.config);
  const { code } = await backUp(site, folder, {
    async copyLog(to) {
      await addTo(site, 8, 'Bea');
      await copy?.(to);
      await addTo(site, 9, 'Cleo');
    },
  });
  assert.is(code, 0);
  const target = room.site('target');
  assert.is((await target.restore([folder])).code, 0);
  assert.equal(await names(target), ['Ann', 'Bea']);
});

test('missing keys are reported by the backup, which is complete all the same', async ({ room, site }) => {
  await addTo(site, 7, 'Ann');
  await addTo(site, 8, 'Bea');
  new Sqlite(path.join(site.folder, 'keys.db')).exec("DELETE FROM subjects WHERE subject = 'organizer-8'").close();
  const { code, lines } = await backUp(site, path.join(room.folder, 'backup'));
  assert.is(code, 1);
  assert.match(lines.at(-1) ?? '', /PROBLEM: .*organizer-8/);
  assert.is(await lastBackup(site.config.dataDir), null, 'no backup that is as it should be');
});

test('existing keys are kept, later erasures stay, and keys of another log are refused', async (c) => {
  const { room, site } = c;
  await addTo(site, 7, 'Ann');
  await addTo(site, 8, 'Bea');
  await site.with(({ keys, store }) => append(store, 'slug-user-x', 'no_stream', organizer(1, 'x')).then(() => keys));
  const folder = path.join(room.folder, 'backup');
  await backUp(site, folder);
  await site.with(({ keys }) => keys.destroy('organizer-7'));
  for (const name of readdirSync(site.folder).filter((one) => !one.startsWith('keys')))
    rmSync(path.join(site.folder, name), { recursive: true });
  assert.is((await site.restore([folder])).code, 0);
  assert.equal(await names(site), ['[erased]', 'Bea']);
  const other = room.site('other');
  await other.with(({ store }) => append(store, 'slug-user-y', 'no_stream', organizer(1, 'y')));
  for (const name of readdirSync(other.folder).filter((one) => !one.startsWith('keys')))
    rmSync(path.join(other.folder, name), { recursive: true });
  const refused = await other.restore([folder]);
  assert.is(refused.code, 1);
  assert.match(refused.lines[0] ?? '', /those of another log\. Nothing was written/);
  assert.equal(await other.log(), []);
});

test('a folder that is not empty is left alone, and one without keys or log is no backup', async ({ room, site }) => {
  await addTo(site, 7, 'Ann');
  const folder = path.join(room.folder, 'backup');
  await backUp(site, folder);
  const failure = await backUp(site, folder).catch((error: unknown) => error);
  assert.match(String(failure), /is not empty: name a new folder/);
  const target = room.site('target');
  for (const name of ['keys.db', 'daybook.db']) {
    rmSync(path.join(folder, name));
    const refused = await target.restore([folder]);
    assert.is(refused.code, 1);
    assert.match(refused.lines[0] ?? '', /is a folder without a backup/);
    writeFileSync(path.join(folder, 'keys.db'), '');
  }
});

/** The names of all organizers, page by page: a fast machine writes more than one page of them. */
async function organizersAt(api: string): Promise<Set<string>> {
  const names = new Set<string>();
  for (let page = 1, pages = 1; page <= pages; page++) {
    const list = await fetch(`${api}/organizers?per_page=50&page=${page}`);
    const body = (await list.json()) as { organizers: { organizer: string }[]; total_pages: number };
    for (const { organizer } of body.organizers) names.add(organizer);
    pages = body.total_pages;
  }
  return names;
}

test('a backup of a running service, taken while it is written to, comes back whole', async (context) => {
  const { room } = context;
  const settings = { DAYBOOK_DATA_DIR: path.join(room.folder, 'live') };
  context.running = await serving(settings);
  const { api, token } = context.running;
  const form = await formWith(await png(400, 300));
  const sent = { method: 'POST', body: form.body, headers: { ...form.headers, authorization: `Bearer ${token}` } };
  const picture = (await (await fetch(`${api}/media`, sent)).json()) as { url: string };
  const acknowledged: string[] = [];
  let isOver = false;
  const writing = (async () => {
    for (let n = 1; !isOver; n++) {
      const answer = await fetch(`${api}/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...someEvent({ title: `Event ${n}` }), organizer: { organizer: `Name ${n}` } }),
      });
      assert.is(answer.status, 201);
      acknowledged.push(`Name ${n}`);
      await answer.arrayBuffer();
    }
  })();
  while (acknowledged.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  const before = [...acknowledged];
  const folder = path.join(room.folder, 'backup');
  const backup = daybook(['backup', folder], settings);
  assert.is(await backup.ended, 0, backup.errors());
  isOver = true;
  await writing;
  await context.running.stop();
  const restored = { DAYBOOK_DATA_DIR: path.join(room.folder, 'restored') };
  const restoring = daybook(['restore', folder], restored);
  assert.is(await restoring.ended, 0, restoring.errors());
  context.running = await serving(restored);
  const there = await organizersAt(context.running.api);
  assert.equal(
    before.filter((name) => !there.has(name)),
    [],
  );
  assert.not.ok(there.has('[unreadable]'));
  assert.match(restoring.out(), /Pictures are there again: 3 files\./);
  const { pathname } = new URL(picture.url);
  assert.is((await fetch(new URL(pathname, context.running.api))).status, 200);
  const doctor = async () => {
    const asked = daybook(['doctor'], restored);
    await asked.ended;
    return asked.out();
  };
  const media = path.join(restored.DAYBOOK_DATA_DIR, 'media');
  writeFileSync(path.join(media, 'left.png'), '');
  assert.match(await doctor(), /All files of 1 picture are there\. 1 file there may be deleted/);
  rmSync(path.join(media, path.basename(pathname)));
  assert.match(await doctor(), /Files of 1 picture are missing/);
});

test.run();
