// `daybook audit`: a signed trail of a calendar, checked on another machine.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runHere } from '../../support/here.ts';
import { daybook } from '../../support/process.ts';
import { someEvent, startTestService, type TestService, temporaryFolder } from '../../support/service.ts';

interface Context {
  service: TestService;
  folder: string;
  /** `daybook audit …` on the log of the service; its exit code and output. */
  audit(...args: string[]): Promise<{ code: number | null; out: string; errors: string }>;
  remove(): void;
}

const test = suite<Context>('daybook audit');

test.before.each(async (context) => {
  const { folder, remove } = temporaryFolder();
  const service = await startTestService({
    environment: {
      DAYBOOK_EVENT_STORE: `sqlite:${path.join(folder, 'daybook.db')}`,
      DAYBOOK_KEYS: `sqlite:${path.join(folder, 'keys.db')}`,
    },
  });
  const audit: Context['audit'] = (...args) => runHere(['audit', ...args], { DAYBOOK_DATA_DIR: folder });
  Object.assign(context, { service, folder, audit, remove });
});
test.after.each(async ({ service, remove }) => {
  await service.close();
  remove();
});

const rowsIn = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

test('a trail has who did what as which role, of a range, and verifies without the store', async (context) => {
  const { service, audit, folder } = context;
  const { id } = await service.created('author', 'events', someEvent({ title: '=1+1' }));
  await service.request('editor', 'PATCH', `/events/${id}`, { title: 'Concert' }, { 'x-change-reason': 'a slip' });
  await service.request('administrator', 'PUT', '/policy', { events: { author: 'review' } });
  await service.request('editor', 'POST', '/sets', { name: 'Spring' });
  const file = path.join(folder, 'a.jsonl');
  assert.is((await audit('export', '--out', file)).code, 0);
  const [header, ...rest] = rowsIn(readFileSync(file, 'utf8'));
  assert.equal([header.format, header.layout, header.from], ['daybook-audit', 'jsonl', null]);
  const retitled = rest.find(({ type }) => type === 'EventRetitled');
  const { actor, role, reason, fields, kind, hash, changes } = retitled;
  assert.equal(
    { actor, role, reason, fields, kind },
    { actor: 'editor', role: 'editor', reason: 'a slip', fields: ['title'], kind: 'event' },
  );
  assert.equal(changes, [{ field: 'title', before: '=1+1', after: 'Concert' }]);
  const [stored] = (await service.stores.rawLog.readStream(`event-${id}`)).slice(-1);
  assert.is(hash, stored?.metadata.hash);
  const rules = rest.find(({ type }) => type === 'ReviewPolicySet');
  assert.equal([rules.kind, rules.actor, rules.fields], ['policy', 'administrator', ['event.author']]);
  assert.equal(rules.changes, [{ field: 'event.author', before: 'direct', after: 'review' }]);
  assert.ok(rest.some(({ kind: one, summary }) => one === 'set' && summary === 'Set “Spring” opened.'));
  assert.ok(rest.some(({ kind: one, type }) => one === 'user' && type === 'UserAdded'));
  assert.not.match(readFileSync(file, 'utf8'), /scrypt|\$argon/);
  const keys = JSON.parse((await audit('keys', '--json')).out);
  const pem = path.join(folder, 'public.pem');
  writeFileSync(pem, keys[0].public_key);
  const elsewhere = daybook(['audit', 'verify', file, '--key', pem], {
    DAYBOOK_DATA_DIR: path.join(folder, 'nothing'),
  });
  assert.is(await elsewhere.ended, 0);
  assert.match(elsewhere.out(), `No problems found. Signed with ${keys[0].id}.`);
  const none = await audit('export', '--from', '2001-01-01', '--to', '2001-12-31');
  assert.equal(
    rowsIn(none.out).map(({ format, end }) => format ?? end),
    ['daybook-audit', 'daybook-audit'],
  );
});

test('a table has its signature beside it, and no formula', async ({ service, audit, folder }) => {
  await service.created('author', 'events', someEvent({ title: '=1+1' }));
  const file = path.join(folder, 'a.csv');
  assert.is((await audit('export', '--format', 'csv', '--out', file)).code, 0);
  assert.is(statSync(`${file}.sig`).mode & 0o777, 0o600);
  assert.is((await audit('verify', file)).code, 0);
  const text = readFileSync(file, 'utf8');
  assert.not.match(text, /(^|,)"?=/m);
  writeFileSync(file, text.replace('author', 'editor'));
  const altered = await audit('verify', file);
  assert.is(altered.code, 1);
  assert.match(altered.out, /PROBLEM: row \d+ was altered \(line \d+\)/);
});

test('after a rotation trails of the former key still verify, and not with the new one', async ({ audit, folder }) => {
  const file = path.join(folder, 'a.jsonl');
  assert.is((await audit('export', '--out', file)).code, 0);
  const [former] = JSON.parse((await audit('keys', '--json')).out);
  const [present, retired] = JSON.parse((await audit('keys', '--new', '--json')).out);
  assert.is(retired.id, former.id);
  assert.is(statSync(path.join(folder, 'audit-keys.json')).mode & 0o777, 0o600);
  assert.is((await audit('verify', file, '--key', former.id)).code, 0);
  const other = await audit('verify', file, '--key', present.id);
  assert.is(other.code, 1);
  assert.match(other.out, `it was signed with another key: ${former.id}, not ${present.id}`);
});

test('what was erased is not in a trail', async ({ service, audit, folder }) => {
  const { id } = await service.created('editor', 'organizers', { organizer: 'Jane Roe', email: 'jane@example.org' });
  assert.match((await audit('export')).out, 'Jane Roe');
  const erased = daybook(['erase', 'organizer', String(id), '--reason', 'asked'], {
    DAYBOOK_DATA_DIR: folder,
  });
  assert.is(await erased.ended, 0, erased.errors());
  const { out } = await audit('export');
  assert.not.match(out, /Jane|jane/);
  assert.match(out, 'OrganizerErased');
});

const MISTAKES: readonly (readonly [string[], number, RegExp])[] = [
  [['export', '--format', 'csv'], 2, /--format csv needs --out FILE/],
  [['export', '--from', 'whenever'], 2, /--from must be a day/],
  [['export', '--from', '2030-01-02', '--to', '2030-01-01'], 2, /--from must not be after --to/],
  [['verify'], 2, /missing required argument 'FILE'/],
  [['verify', 'package.json'], 1, /was not written by `daybook audit export`/],
  [['verify', 'nowhere'], 1, /there is no such file/],
  [['verify', 'package.json', '--key', 'nowhere'], 2, /there is no such file, and key names begin with ed25519:/],
];

for (const [args, code, message] of MISTAKES)
  test(`\`audit ${args.join(' ')}\` is refused in a sentence`, async ({ audit }) => {
    const refused = await audit(...args);
    assert.is(refused.code, code, refused.errors);
    assert.match(refused.errors, message);
  });

test.run();
