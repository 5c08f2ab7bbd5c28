// What commands do where there is no store, each in a process of its own.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { chosenBy } from '../../../src/cli/commands.ts';
import { UsageError } from '../../../src/cli/errors.ts';
import { ConfigError } from '../../../src/config.ts';
import { daybook } from '../../support/process.ts';
import { temporaryFolder } from '../../support/service.ts';

const test = suite<{ folder: string; data: string; remove: () => void }>('stores that are missing');

test.before.each((context) => {
  Object.assign(context, temporaryFolder());
  context.data = path.join(context.folder, 'data');
});
test.after.each(({ remove }) => remove());

async function run(words: readonly string[], settings: { readonly [name: string]: string }) {
  const started = daybook(words, settings);
  return { code: await started.ended, out: started.out(), errors: started.errors() };
}

function fail(words: readonly string[]): never {
  throw new Error(`${words.join(' ')} chose no command`);
}

/** Within this process, for commands that are to fail before they do anything. */
async function failureOf(words: readonly string[], dataDir: string): Promise<unknown> {
  const before = process.env.DAYBOOK_DATA_DIR;
  process.env.DAYBOOK_DATA_DIR = dataDir;
  try {
    const chosen = (await chosenBy(words)) ?? fail(words);
    return await chosen.command.run(chosen.input);
  } catch (error) {
    return error;
  } finally {
    if (before === undefined) delete process.env.DAYBOOK_DATA_DIR;
    else process.env.DAYBOOK_DATA_DIR = before;
  }
}

test('a command that needs a log refuses one that is not there in one line, and makes nothing', async (context) => {
  const { folder, data } = context;
  const commands = [
    ['export', '--out', path.join(folder, 'out.jsonl')],
    ['export', '--log', '--out', path.join(folder, 'out.jsonl')],
    ['verify'],
    ['rebuild', '--dry-run'],
    ['rebuild', '--check'],
    ['rebuild'],
    ['history', 'events/1'],
    ['tail', '--after', 'start', '--limit', '1'],
    ['projections', 'status'],
    ['users', 'list'],
    ['users', 'token', 'admin'],
    ['revert', '--correlation', 'x'],
    ['erase', 'organizer', '1', '--reason', 'asked for'],
    ['backup', path.join(folder, 'backup')],
    ['why', '1', 'categories=music'],
    ['policy', 'show'],
    ['policy', 'set', 'events', 'author=direct'],
    ['policy', 'history'],
    ['zones'],
    ['zones', '--apply'],
    ['audit', 'export', '--from', '2030-01-01', '--to', '2030-03-31', '--out', path.join(folder, 'audit.jsonl')],
    ['sources', 'list'],
    ['sources', 'pause', '1'],
    ['webhooks', 'list'],
    ['webhooks', 'pause', '1'],
  ];
  for (const words of commands) {
    const failure = await failureOf(words, data);
    assert.instance(failure, ConfigError, words.join(' '));
    assert.match(
      (failure as ConfigError).message,
      /^There is no event store at .*daybook\.db: set DAYBOOK_DATA_DIR to .*\.$/,
    );
  }
  const { code, errors } = await run(['verify'], { DAYBOOK_DATA_DIR: data });
  assert.is(code, 1);
  assert.match(errors, /^daybook: There is no event store at [^\n]*\n$/);
  assert.equal(readdirSync(folder), []);
});

test('a dry run of an import or a restore makes nothing', async ({ folder, data }) => {
  const calendar = path.join(folder, 'a.ics');
  const lines = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:1', 'DTSTART:20290101T100000Z', 'SUMMARY:A', 'END:VEVENT'];
  writeFileSync(calendar, [...lines, 'END:VCALENDAR', ''].join('\r\n'));
  const imported = await run(['import', '--dry-run', calendar], { DAYBOOK_DATA_DIR: data });
  assert.is(imported.code, 0, imported.errors);
  writeFileSync(path.join(folder, 'log'), 'no log\n');
  assert.instance(await failureOf(['restore', '--dry-run', path.join(folder, 'log')], data), UsageError);
  assert.equal(readdirSync(folder).sort(), ['a.ics', 'log']);
});

test('an export of nothing leaves a full file as it is', async ({ folder, data }) => {
  const full = path.join(folder, 'full.jsonl');
  writeFileSync(full, 'what was exported before\n');
  const added = await run(['users', 'add', 'ann', '--role', 'editor'], { DAYBOOK_DATA_DIR: data });
  assert.is(added.code, 0, added.errors);
  const failure = await failureOf(['export', '--out', full], data);
  assert.match(String(failure), /there is nothing to export, so .*full\.jsonl is left as it is/);
  assert.is(readFileSync(full, 'utf8'), 'what was exported before\n');
  assert.equal(readdirSync(folder).sort(), ['data', 'full.jsonl']);
});

test('stores are created for their owner alone, and commands for pasting work from anywhere', async (c) => {
  const { folder, data } = c;
  const settings = { DAYBOOK_DATA_DIR: path.join(data, 'in', "o'clock") };
  const filled = await run(['demo', '--fill-only', '--weeks', '1'], settings);
  assert.is(filled.code, 0, filled.errors);
  const rebuilt = await run(['rebuild'], settings);
  assert.is(rebuilt.code, 0, rebuilt.errors);
  const names = readdirSync(data, { recursive: true, encoding: 'utf8' });
  assert.ok(
    names.some((name) => /views\.db\.g[0-9a-f]{12}$/.test(name)),
    names.join(),
  );
  for (const name of ['', ...names]) {
    const entry = statSync(path.join(data, name));
    assert.is((entry.mode & 0o777).toString(8), entry.isDirectory() ? '700' : '600', name);
  }
  const [, undo = ''] = /^To undo it: (.*)$/m.exec(filled.out) ?? [];
  const undone = execFileSync('sh', ['-c', undo], { cwd: folder, env: { PATH: process.env.PATH }, encoding: 'utf8' });
  assert.match(undone, /\d+ (things |)taken back|trashed|reverted/i);
});

test.run();
