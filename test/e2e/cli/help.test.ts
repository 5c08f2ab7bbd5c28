import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Command } from '../../../src/cli/command.ts';
import { requestedHelp, selected } from '../../../src/cli/command.ts';
import { COMMAND_NAMES, loadSections } from '../../../src/cli/commands.ts';
import { UsageError } from '../../../src/cli/errors.ts';
import { helpOf, overview, SETTINGS } from '../../../src/cli/help.ts';
import { VERSION } from '../../../src/version.ts';
import { daybook } from '../../support/process.ts';
import { temporaryFolder } from '../../support/service.ts';

const source = (file: string): string => readFileSync(new URL(`../../../src/${file}`, import.meta.url), 'utf8');

const SECTIONS = await loadSections();
const COMMANDS = new Map(
  Object.values(SECTIONS)
    .flat()
    .map((one) => [one.name, one] as const),
);

/** Every command and subcommand, with the words that call it. */
const all = [...COMMANDS].flatMap(([name, target]): (readonly [words: readonly string[], command: Command])[] =>
  'subcommands' in target
    ? Object.entries(target.subcommands).map(([word, one]) => [[name, word], one] as const)
    : [[[name], target] as const],
);

function failureOf(...words: readonly string[]): string {
  const [name = '', ...args] = words;
  const target = COMMANDS.get(name);
  if (!target) throw new Error(`there is no command ${name}`);
  try {
    const { command, args: rest } = selected(target, args);
    command.parse(rest);
  } catch (error) {
    if (error instanceof UsageError && error.exitCode === 2) return error.message;
    throw error;
  }
  throw new Error(`${words.join(' ')} was understood`);
}

test('each file of a command is in one section of the help, under the name of its file', () => {
  const written = readdirSync(new URL('../../../src/cli/', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...source(`cli/${file}`).matchAll(/\bname: '([a-z -]+)',\n\s*summary:/g)])
    .map(([, name = '']) => name);
  const known = [...COMMANDS].flatMap(([name, target]) =>
    'subcommands' in target ? [name, ...Object.values(target.subcommands).map((one) => one.name)] : [name],
  );
  assert.equal([...written].sort(), [...known].sort());
  assert.equal([...COMMANDS.keys()], COMMAND_NAMES);
  assert.is(Object.values(SECTIONS).flat().length, COMMANDS.size);
  for (const [words, { name }] of all) assert.is(name, words.join(' '));
});

test('every setting that the configuration reads is named', () => {
  const read = [...source('config.ts').matchAll(/value\('([A-Z_]+)'\)/g)].map(([, name]) => name);
  assert.equal([...SETTINGS].sort(), [...new Set(read)].sort());
  const shown = overview(SECTIONS);
  for (const setting of SETTINGS) assert.match(shown, new RegExp(`\\s${setting}(?:\\s|$)`));
});

test('the help of each command has usage, all options with their meaning, and examples, in 100 columns', () => {
  for (const [words, command] of all) {
    const shown = helpOf(command);
    assert.match(shown, new RegExp(`^Usage: daybook ${words.join(' ')}(?: |\\n)`));
    for (const [name, { value }] of Object.entries(command.options))
      assert.match(shown, new RegExp(`^  --${name}${value === undefined ? '' : ' \\S.*'} *(?: {3}\\S|\\n {10})`, 'm'));
    assert.match(shown, /^ {2}--help +show this help$/m);
    assert.ok(command.examples.length > 0, `${command.name} has no example`);
    for (const [line] of command.examples) assert.ok(line.includes(`daybook ${command.name}`), line);
    for (const line of `${shown}\n${overview(SECTIONS)}`.split('\n'))
      if (!line.startsWith('  daybook')) assert.ok(line.length <= 100, line);
    assert.is(requestedHelp(command, ['--nonsense', '-h']), shown);
  }
});

test('options are explained with what they may be and what holds without them', () => {
  const shown = helpOf(COMMANDS.get('serve') ?? fail());
  assert.match(
    shown,
    /^ {2}--role ROLE {3}what this process does: [\s\S]*one of all, api,\s+projector \(default: all\)$/m,
  );
  assert.match(shown, /^Usage: daybook serve \[--role ROLE\] \[--workers N\]$/m);
});

function fail(): never {
  throw new Error('there is no such command');
}

test('a mistake is reported in one sentence with the rule and where to read on', () => {
  assert.is(
    failureOf('users', 'add', 'ann', '--role', 'king'),
    'users add: --role must be one of administrator, editor, author, contributor, subscriber, not "king". Try `daybook users add --help`.',
  );
  assert.match(failureOf('users', 'add', 'ann'), /^users add: --role is missing; it must be one of administrator, /);
  assert.match(failureOf('users', 'add'), /^users add: NAME is missing\. Try /);
  assert.match(failureOf('users', 'add', 'a', 'b', '--role', 'editor'), /^users add: unexpected argument "b"\. Try /);
  assert.match(failureOf('users'), /^users: the subcommand is missing\. Try one of add, list, /);
  assert.match(failureOf('users', 'lst'), /^users: unknown subcommand "lst" \(did you mean list\?\)\. Try one of /);
  assert.match(
    failureOf('import', 'x', '--dryrun'),
    /^import: unknown option --dryrun \(did you mean --dry-run\?\)\. Try /,
  );
  assert.match(failureOf('import', 'x', '-q'), /^import: unknown option -q\. Try /);
  assert.match(failureOf('history', 'events/1', '--limit', '0'), /--limit must be a positive integer, not "0"\./);
  assert.match(failureOf('history', 'events/1', '--limit'), /--limit needs a value: N\./);
  assert.match(failureOf('revert', '--correlation', '--json'), /--correlation needs a value before --json; write /);
  assert.match(failureOf('rebuild', '--check=yes'), /--check takes no value\./);
  assert.match(failureOf('rebuild', '--check', '--dry-run'), /^rebuild: --dry-run builds nothing and /);
});

test('the command line answers help, version and mistakes with 0, 0 and 2', async () => {
  const calls = ['--help', 'help', 'rebuild --help', 'help users add', 'users --help', '--version', 'rebiuld', ''];
  const runs = calls.map((call) => daybook(call === '' ? [] : call.split(' '), {}));
  assert.equal(await Promise.all(runs.map(({ ended }) => ended)), [0, 0, 0, 0, 0, 0, 2, 2]);
  const [help, word, rebuild, add, users, version, unknown, nothing] = runs.map((run) => `${run.out()}${run.errors()}`);
  assert.is(help, `${overview(SECTIONS)}\n`);
  assert.is(word, help);
  for (const name of COMMANDS.keys()) assert.match(help ?? '', new RegExp(`^  ${name} `, 'm'));
  assert.match(rebuild ?? '', /^Usage: daybook rebuild \[--dry-run\] \[--check\]\n/);
  assert.match(add ?? '', /^Usage: daybook users add NAME --role ROLE \[--id N\]/);
  assert.match(users ?? '', /^Usage: daybook users SUBCOMMAND /);
  assert.is(version, `${VERSION}\n`);
  assert.is(unknown, 'daybook: unknown command "rebiuld" (did you mean rebuild?). Try `daybook --help`.\n');
  assert.is(nothing, 'daybook: the command is missing. Try `daybook --help`.\n');
});

test('a command with wrong arguments makes neither a store nor a data folder', async () => {
  const { folder, remove } = temporaryFolder();
  const data = path.join(folder, 'data');
  try {
    const wrong = all.filter(([words]) => words[0] !== 'serve').map(([words]) => [...words, '--nonsense']);
    const more = [
      ['import'],
      ['demo', '--weeks', '0'],
      ['users', 'add', 'ann'],
      ['users', 'add', 'ann', '--role', 'x'],
    ];
    for (const words of [...wrong, ...more]) assert.ok(failureOf(...words) !== '');
    const started = [['import'], ['demo', '--weeks', '0'], ['users', 'add', 'ann']].map((words) =>
      daybook(words, { DAYBOOK_DATA_DIR: data }),
    );
    assert.equal(await Promise.all(started.map(({ ended }) => ended)), [2, 2, 2]);
    assert.is(existsSync(data), false);
  } finally {
    remove();
  }
});

test.run();
