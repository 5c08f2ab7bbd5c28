// Runs every test file in one process with uvu, then says in one plain line how it went.
// `npm test -- PATTERN` runs only the files whose path matches; DAYBOOK_PROPERTY_SEED=N draws other random cases.
import { spawn } from 'node:child_process';

const [pattern = '\\.test\\.ts$'] = process.argv.slice(2);
const TOTALS = /^\s*(Total|Passed|Skipped):\s+(\d+)/;
const COLOURS = /\u001b\[\d+m/g;

const LOADED_BEFORE = ['--import', 'tsx', '--import', './test/support/seeded-properties.mjs'];
const runner = spawn(process.execPath, [...LOADED_BEFORE, 'node_modules/uvu/bin.js', 'test', pattern], {
  stdio: ['ignore', 'pipe', 'inherit'],
});

const totals = { Total: 0, Passed: 0, Skipped: 0 };
let rest = '';
runner.stdout.setEncoding('utf8');
runner.stdout.on('data', (text) => {
  process.stdout.write(text);
  const lines = (rest + text).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) {
    const found = TOTALS.exec(line.replace(COLOURS, ''));
    if (found) totals[found[1]] = Number(found[2]);
  }
});

runner.on('close', (code) => {
  // A run that broke off, or ran nothing, has not passed whatever it counted.
  const failed = totals.Total - totals.Passed - totals.Skipped;
  const brokeOff = code !== 0 && failed === 0;
  const shown = brokeOff || totals.Total === 0 ? failed + 1 : failed;
  process.stdout.write(`\n${totals.Passed} passed, ${shown} failed\n`);
  process.exitCode = shown > 0 ? 1 : 0;
});
