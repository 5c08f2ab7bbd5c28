// Runs every test file with uvu in two processes, since most of the time a test waits for something, then says in one plain
// line how it went. `npm test -- PATTERN` runs only the files whose path matches, in one process;
// DAYBOOK_PROPERTY_SEED=N draws other random cases.
import { spawn } from 'node:child_process';

const [wanted] = process.argv.slice(2);
/** Each file stands in exactly one of them; they take about as long as each other. */
const SHARES = ['^e2e/(?!cli/).*\\.test\\.ts$', '^(?!e2e/(?!cli/)).*\\.test\\.ts$'];
const LOADED_BEFORE = ['--import', './test/support/seeded-properties.mjs'];
const TOTALS = /^\s*(Total|Passed|Skipped):\s+(\d+)/;
const COLOURS = /\u001b\[\d+m/g;

/** After its last line a run has so long to end; what keeps it alive then has not been closed. */
const ENDS_WITHIN_MS = 20_000;
/** No run takes as long, unless a test waits for something that never happens. */
const MAX_RUN_MS = 25 * 60_000;

/** Ends a run that does not end by itself; `ended` is when it has. */
function endAfter(runner, ms, ended) {
  const timer = setTimeout(() => runner.kill('SIGKILL'), ms);
  ended.then(() => clearTimeout(timer));
}

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
      if (found?.[1] === 'Skipped') endAfter(runner, ENDS_WITHIN_MS, share.ended);
    }
  });
  share.ended = new Promise((resolve) => runner.on('close', resolve));
  endAfter(runner, MAX_RUN_MS, share.ended);
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
let isEmpty = false;
// One after the other, so that what they say does not mix.
for (const share of shares) {
  say(share.said);
  share.say = say;
  const code = await share.ended;
  passed += share.totals.Passed;
  failed += failedOf(share.totals, code);
  isEmpty = code === 0 && share.totals.Total === 0;
}
if (wanted !== undefined && isEmpty)
  say(`\nNo test file matches ${JSON.stringify(wanted)}; a pattern is looked for in paths below test/.\n`);
else say(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;
