import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Command, parsed } from '../../../src/cli/command.ts';
import { COMMANDS, openDaybook } from '../../../src/cli/commands.ts';
import { UsageError } from '../../../src/cli/errors.ts';
import { SETTINGS } from '../../../src/cli/settings.ts';
import { VERSION } from '../../../src/version.ts';
import { daybook } from '../../support/process.ts';
import { temporaryFolder } from '../../support/service.ts';

const source = (file: string): string => readFileSync(new URL(`../../../src/${file}`, import.meta.url), 'utf8');

const ENTRIES = Object.values(COMMANDS).flatMap((section) => Object.entries(section));
const LOADED = new Map(await Promise.all(ENTRIES.map(async ([name, [, load]]) => [name, await load()] as const)));
const PROGRAM = await openDaybook(
  () => true,
  () => {},
);

/** Every command and subcommand, with the words that call it. */
const all = [...LOADED].flatMap(([name, target]): (readonly [words: readonly string[], command: Command])[] =>
  'subcommands' in target ? target.subcommands.map((one) => [one.name.split(' '), one] as const) : [[[name], target]],
);

/** What `--help` shows after these words, with the examples behind it. */
function helpOf(words: readonly string[]): string {
  const shown: string[] = [];
  const program = words.reduce((outer, word) => outer.commands.find((one) => one.name() === word) ?? fail(), PROGRAM);
  program.configureOutput({ writeOut: (text) => void shown.push(text) });
  program.outputHelp();
  return shown.join('');
}

function failureOf(...words: readonly string[]): string {
  const [name = '', ...args] = words;
  const target = LOADED.get(name) ?? fail();
  try {
    parsed(target, args);
  } catch (error) {
    if (error instanceof UsageError && error.exitCode === 2) return error.message;
    throw error;
  }
  throw new Error(`${words.join(' ')} was understood`);
}

/** The commands that a file makes. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/\bcommand\(\n\s*\{\n\s*name: '([a-z -]+)',/g)].map(([, name = '']) => name);

test('each command is in one section of the help, under the name of its file, and no file of a command is left out', () => {
  const written = globSync('{cli,*/*/cli}/**/*.ts', { cwd: new URL('../../../src/', import.meta.url) }).flatMap(
    (file) => namesIn(source(file)),
  );
  assert.equal([...written].sort(), all.map(([, { name }]) => name).sort());
  assert.is(ENTRIES.length, LOADED.size);
  for (const [name, target] of LOADED) assert.is(target.name, name);
  for (const [words, { name }] of all) assert.is(name, words.join(' '));
});

test('every setting that the configuration reads is named', () => {
  const read = [...source('config.ts').matchAll(/value\('([A-Z_]+)'\)/g)].map(([, name]) => name);
  assert.equal([...SETTINGS].sort(), [...new Set(read)].sort());
  for (const setting of SETTINGS) assert.match(helpOf([]), new RegExp(`\\s${setting}(?:\\s|$)`));
});

test('every setting but those of clients and a secret is an option of serve, and comes before the environment', async () => {
  const { command, input } = parsed(LOADED.get('serve') ?? fail(), ['--port', 'http']);
  const before = process.env.PORT;
  process.env.PORT = '0';
  try {
    assert.match(String(await command.run(input).catch(String)), 'PORT must be');
  } finally {
    if (before === undefined) delete process.env.PORT;
    else process.env.PORT = before;
  }
  const shown = helpOf(['serve']);
  const flags = SETTINGS.map((name) => `--${name.replace('DAYBOOK_', '').toLowerCase().replaceAll('_', '-')}`);
  const missing = flags.filter((flag) => !shown.includes(`  ${flag} <`));
  assert.equal(missing, ['--url', '--token', '--sign-on-secret']);
});

test('the help of each command has usage, all options with their meaning, and examples, in 100 columns', () => {
  for (const [words, command] of all) {
    const shown = helpOf(words);
    assert.match(shown, new RegExp(`^Usage: daybook ${words.join(' ')} \\[options\\]`));
    for (const [key, { value }] of Object.entries(command.options ?? {})) {
      const flag = key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      assert.match(shown, new RegExp(`^  --${flag}${value === undefined ? '' : ' <.*>'} *(?: {2}\\S|\\n {10})`, 'm'));
    }
    assert.match(shown, /^ {2}-h, --help +show this help$/m);
    assert.ok(command.examples.length > 0, `${command.name} has no example`);
    for (const [line] of command.examples) assert.ok(line.includes(`daybook ${command.name}`), line);
    for (const line of `${shown}\n${helpOf([])}`.split('\n'))
      if (!/^ {2}\S*\s?\S*\s?daybook/.test(line)) assert.ok(line.length <= 100, line);
  }
});

test('options are explained with what they may be and what holds without them', () => {
  assert.match(
    helpOf(['serve']),
    /^ {2}--role <ROLE> +what this process does: [\s\S]*one of all, api, projector\s+\(default: all\)$/m,
  );
  assert.match(
    helpOf(['users', 'add']),
    /^ {2}--role <ROLE> .*one of administrator, [\s\S]*subscriber\s+\(required\)$/m,
  );
});

function fail(): never {
  throw new Error('there is no such command');
}

test('a mistake is reported in one sentence with the rule and where to read on', () => {
  const roles =
    'It must be one of administrator, editor, author, contributor, subscriber. Try `daybook users add --help`.';
  assert.is(
    failureOf('users', 'add', 'ann', '--role', 'king'),
    `users add: option '--role <ROLE>' argument 'king' is invalid. ${roles}`,
  );
  assert.is(failureOf('users', 'add', 'ann'), `users add: required option '--role <ROLE>' not specified. ${roles}`);
  assert.match(failureOf('users', 'add', '--role', 'author'), /^users add: missing required argument 'NAME'\. Try /);
  assert.match(
    failureOf('users', 'add', 'a', 'b', '--role', 'editor'),
    /^users add: too many arguments.*\. Expected 1 argument but got 2: a, b\. Try /,
  );
  assert.match(
    failureOf('users'),
    /^users: the command is missing\. Try one of add, list, .*`daybook users --help`\.$/,
  );
  assert.match(failureOf('users', 'lst'), /^users: unknown command 'lst' \(Did you mean list\?\)\. Try one of add, /);
  assert.match(
    failureOf('import', 'x', '--dryrun'),
    /^import: unknown option '--dryrun' \(Did you mean --dry-run\?\)\. Try /,
  );
  assert.match(failureOf('import', 'x', '-q'), /^import: unknown option '-q'\. Try /);
  assert.match(
    failureOf('history', 'events/1', '--limit', '0'),
    /'0' is invalid\. It must be a positive integer\. Try /,
  );
  assert.match(failureOf('history', 'events/1', '--limit'), /argument missing\. It must be a positive integer\. Try /);
  assert.match(failureOf('history', 'x'), /argument 'RESOURCE'\. It must be one of events\/ID, /);
  assert.match(failureOf('revert', '--correlation', '--json'), /Its value is missing\. It must be a text that/);
  assert.match(failureOf('rebuild', '--check=yes'), /^rebuild: /);
  assert.match(failureOf('rebuild', '--check', '--dry-run'), /^rebuild: --dry-run builds nothing and /);
});

test('the command line answers help, version and mistakes with 0, 0 and 2', async () => {
  const calls = ['--help', 'help', 'rebuild --help', 'help users add', 'users --help', '--version', 'rebiuld', ''];
  const runs = calls.map((call) => daybook(call === '' ? [] : call.split(' '), {}));
  assert.equal(await Promise.all(runs.map(({ ended }) => ended)), [0, 0, 0, 0, 0, 0, 2, 2]);
  const [help, word, rebuild, add, users, version, unknown, nothing] = runs.map((run) => `${run.out()}${run.errors()}`);
  assert.is(help, helpOf([]));
  assert.is(word, help);
  for (const name of LOADED.keys()) assert.match(help ?? '', new RegExp(`^  ${name} `, 'm'));
  assert.match(rebuild ?? '', /^Usage: daybook rebuild \[options\]\n/);
  assert.match(add ?? '', /^Usage: daybook users add \[options\] <NAME>\n/);
  assert.match(users ?? '', /^Usage: daybook users \[options\] \[command\]\n/);
  assert.is(version, `${VERSION}\n`);
  assert.is(unknown, "daybook: unknown command 'rebiuld' (Did you mean rebuild?). Try `daybook --help`.\n");
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
