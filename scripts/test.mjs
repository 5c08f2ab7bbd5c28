// Runs every test file with uvu in two processes, since most of the time a test waits for something, then says in one plain
// line how it went. `npm test -- PATTERN` runs only the files whose path matches, in one process;
// DAYBOOK_PROPERTY_SEED=N draws other random cases.
import { spawn } from 'node:child_process';

const [wanted] = process.argv.slice(2);
/** Each file stands in exactly one of them; they take about as long as each other. */
const SHARES = ['^e2e/.*\\.test\\.ts$', '^(?!e2e/).*\\.test\\.ts$'];
const LOADED_BEFORE = ['--import', './test/support/seeded-properties.mjs'];
const TOTALS = /^\s*(Total|Passed|Skipped):\s+(\d+)/;
const COLOURS = /\u001b\[\d+m/g;

/** Runs the files of a pattern; what they say is kept, and handed to `say` as well while it is there. */
function runShare(pattern) {
  const runner = spawn(process.execPath, [...LOADED_BEFORE, 'node_modules/uvu/bin.js', 'test', pattern], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const share = { totals: { Total: 0, Passed: 0, Skipped: 0 }, said: '', say: null, ended: null };
  let rest = '';
  runner.stdout.setEncoding('utf8');
  runner.stdout.on('data', (text) => {
    if (share.say) share.say(text);
    else share.said += text;
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const found = TOTALS.exec(line.replace(COLOURS, ''));
      if (found) share.totals[found[1]] = Number(found[2]);
    }
  });
  share.ended = new Promise((resolve) => runner.on('close', resolve));
  return share;
}

const say = (text) => process.stdout.write(text);

/** A run that broke off, or ran nothing, has not passed whatever it counted. */
function failedOf({ Total, Passed, Skipped }, code) {
  const failed = Total - Passed - Skipped;
  const brokeOff = code !== 0 && failed === 0;
  return brokeOff || Total === 0 ? failed + 1 : failed;
}

const shares = (wanted === undefined ? SHARES : [wanted]).map(runShare);
let passed = 0;
let failed = 0;
// One after the other, so that what they say does not mix.
for (const share of shares) {
  say(share.said);
  share.say = say;
  const code = await share.ended;
  passed += share.totals.Passed;
  failed += failedOf(share.totals, code);
}
say(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;
