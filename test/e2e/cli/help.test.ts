import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { GROUPS, helpText, SETTINGS } from '../../../src/cli/help.ts';
import { daybook } from '../../support/process.ts';

const source = (file: string): string => readFileSync(new URL(`../../../src/${file}`, import.meta.url), 'utf8');
const told = GROUPS.flatMap(([, about]) => Object.keys(about));

/** By the constants that say how a command is written: `SERVE_USAGE` in src/cli/serve.ts. */
const written = readdirSync(new URL('../../../src/cli/', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => [...source(`cli/${file}`).matchAll(/export const ([A-Z]+)_USAGE/g)])
  .map(([, name = '']) => name.toLowerCase());

test('each command has its line in one group, and no line is left over', () => {
  assert.equal([...told].sort(), written.sort());
});

test('every setting that the configuration reads is named', () => {
  const read = [...source('config.ts').matchAll(/value\('([A-Z_]+)'\)/g)].map(([, name]) => name);
  assert.equal([...SETTINGS].sort(), [...new Set(read)].sort());
  const shown = helpText({});
  for (const setting of SETTINGS) assert.match(shown, new RegExp(`\\s${setting}(?:\\s|$)`));
});

test('lines are no wider than a terminal of 110 columns, and only what there is is shown', () => {
  const shown = helpText({ serve: {} });
  for (const line of shown.split('\n')) assert.ok(line.length <= 110, line);
  assert.match(shown, /^ {2}serve {9}answers /m);
  assert.not.match(shown, /^ {2}rebuild /m);
});

test('--help tells of all commands, COMMAND --help its forms, and an unknown command what there is', async () => {
  const [help, one, unknown] = [daybook(['--help'], {}), daybook(['rebuild', '--help'], {}), daybook(['rebiuld'], {})];
  assert.equal(await Promise.all([help.ended, one.ended, unknown.ended]), [0, 0, 2]);
  for (const name of told) assert.match(help.out(), new RegExp(`^  ${name} `, 'm'));
  assert.is(one.out(), 'daybook rebuild [--dry-run | --check]\n');
  assert.match(unknown.errors(), /^daybook: unknown command "rebiuld"\nDaybook: a calendar/);
});

test.run();
