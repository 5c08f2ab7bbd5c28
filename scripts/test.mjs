// Runs test files with uvu, three batches at a time, and ends with one line that says how many passed.
//   node scripts/test.mjs [PATTERN …]    the files below test/ whose path matches one of these regular expressions;
//   without any, all. Slow files are taken from one end of the list and quick ones from the other, so that all
//   processes end at about the same time. Each file has its own day (see CLOCKS); DAYBOOK_TEST_CLOCK=NAME runs all files
//   under one of these clocks. DAYBOOK_PROPERTY_SEED=N draws other random cases; DAYBOOK_TEST_TIMEOUT_MS=N
//   is the time-out of a test, DAYBOOK_TEST_LANES=N how many batches run at a time, DAYBOOK_TEST_SLOWEST=N how many files
//   are named that took longest, and that cost most processor time (with that of the processes that they start).
import { fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { crc32 } from 'node:zlib';

const TESTS = path.resolve(import.meta.dirname, '../test');
/** How many seconds a file takes, about, on a machine that does nothing else. */
const ROOMS = new Map([
  ['kurrentdb', 35],
  ['fuzz', 30],
  ['browser', 27],
  ['drills', 13],
  ['properties', 4],
  ['docs', 3],
  ['contract', 3],
  ['e2e', 2.5],
  ['unit', 1],
]);
/** Those that take longest, as a run says in its line "Slowest": they come first, so that none is left alone at the end. */
const SLOWEST = new Map([
  ['kurrentdb/misbehaving-server.test.ts', 90],
  ['browser/editor.test.ts', 80],
  ['browser/visitor.test.ts', 65],
  ['contract/rebuild.test.ts', 65],
  ['e2e/full-disk.test.ts', 60],
  ['contract/eventstoredb.test.ts', 55],
  ['browser/desk-calendar.test.ts', 50],
  ['e2e/erasure.test.ts', 50],
  ['e2e/scheduling-several-processes.test.ts', 50],
  ['kurrentdb/contract.test.ts', 45],
  ['e2e/cli/ending.test.ts', 40],
  ['e2e/cli/launcher.test.ts', 40],
  ['e2e/cli/memory.test.ts', 40],
  ['e2e/cli/serve.test.ts', 40],
  ['e2e/feeds-streaming.test.ts', 40],
  ['e2e/read-model-lost.test.ts', 40],
  ['e2e/sources-on-servers.test.ts', 40],
]);
/** How much longer one takes that starts services, servers or commands as processes. */
const WITH_PROCESSES_S = 9;
/**
 * Slow tests mostly wait, so there is one process more than two cores could run. With two more, the two would hardly ever
 * rest, but answers would come late for tests that wait for them.
 */
const LANE_COUNT = Number(process.env.DAYBOOK_TEST_LANES) || (availableParallelism() < 2 ? 1 : 3);
/** The end from which each process takes files. */
const LANES = Array.from({ length: LANE_COUNT }, (_, lane) => (lane % 2 === 0 ? 'front' : 'back'));
/**
 * How long a process works at most and, of a run that is long enough, at least, about. Each loads the service anew and compiles
 * what it uses most, which takes two seconds of processor time: a run has 20 of them.
 */
const BATCH_S = { most: 250, least: 100 };
/** Not for less than so many files. */
const SMALLEST_BATCH = 4;
const SHOWN_SLOWEST = Number(process.env.DAYBOOK_TEST_SLOWEST ?? 5);
/** A process that is silent for so long is blocked: its tests have time-outs of their own, the longest ten minutes. */
const MAX_SILENCE_MS = 11 * 60_000;
/** How long a process may take to end after its last line; whatever keeps it alive then has not been closed. */
const ENDS_WITHIN_MS = 20_000;
/** Hundreds of processes load the same files. Coverage needs them compiled anew. */
const COMPILED_ONCE = process.env.NODE_V8_COVERAGE
  ? {}
  : { NODE_COMPILE_CACHE: path.join(tmpdir(), 'daybook-compiled-tests') };
/**
 * Tests start hundreds of services, which outlive a young generation of the usual size: with a larger one some
 * 6 % less processor time is needed.
 */
const ROOMY = ['--max-semi-space-size=64'];
/**
 * Tests of the newer client of the event store. Its messages and those of the other one do not live in one process: under this
 * condition the server of the tests has those of the newer one, see `imports` in package.json.
 */
const NEWER_CLIENT = 'kurrentdb';
const hasNewerClient = (file) =>
  file.startsWith(`${NEWER_CLIENT}/`) || process.env.DAYBOOK_TEST_CLIENT === NEWER_CLIENT;
/** What a test is told for itself; settings of a service of who runs the tests are none of theirs. */
const FOR_TESTS = /^DAYBOOK_(TEST|PROPERTY|FUZZ|DRILL)_/;
const SETTING = /^(DAYBOOK_.*|HOST|PORT)$/;
const ENVIRONMENT = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => FOR_TESTS.test(name) || !SETTING.test(name)),
);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/**
 * How far ahead of the machine's clock tests run. A file always has the same one, so that a run is like the one before; all
 * of them together take six times as long (`npm run test:clocks`).
 */
const CLOCKS = new Map([
  ['now', 0],
  ['hour', HOUR_MS],
  ['day', DAY_MS],
  ['month', 31 * DAY_MS],
  ['year', 366 * DAY_MS],
  ['leap-day', nextLeapDay(new Date()) - Date.now()],
]);
/** A process has one clock, and a browser if one of its files needs one: with two clocks a run starts four browsers instead of eight. */
const CLOCKS_OF_BROWSERS = ['now', 'month'];
const MOVED_CLOCK = pathToFileURL(path.join(TESTS, 'support/moved-clock.mjs')).href;

/** Files with failed tests, beyond which the machine is not to blame. */
const MAX_UNSTEADY = 3;
const COLOURS = /\u001b\[\d+m/g;
const SUITE_RESULT = /\((\d+) \/ (\d+)\)/g;

const patterns = process.argv.slice(2).map((pattern) => new RegExp(pattern, 'i'));
const say = (text) => process.stdout.write(text);

/** Noon of the next 29 February. */
function nextLeapDay(today) {
  for (let year = today.getUTCFullYear(); ; year += 1) {
    const day = new Date(Date.UTC(year, 1, 29, 12));
    if (day.getUTCDate() === 29 && day > today) return day.getTime();
  }
}

/** The name of the clock of a file. */
function clockOf(file) {
  const names = roomOf(file) === 'browser' ? CLOCKS_OF_BROWSERS : [...CLOCKS.keys()];
  return process.env.DAYBOOK_TEST_CLOCK ?? names[crc32(file) % names.length];
}

function clockSettings(name) {
  const aheadMs = CLOCKS.get(name);
  if (aheadMs === undefined) throw new Error(`DAYBOOK_TEST_CLOCK must be one of ${[...CLOCKS.keys()].join(', ')}`);
  if (aheadMs === 0) return {};
  return { TEST_CLOCK_AHEAD_MS: String(aheadMs), NODE_OPTIONS: `--import ${MOVED_CLOCK}` };
}

const roomOf = (file) => file.slice(0, file.indexOf('/'));

function testFiles() {
  const names = readdirSync(TESTS, { recursive: true }).map((name) => name.split(path.sep).join('/'));
  const files = names.filter((name) => name.endsWith('.test.ts')).sort();
  const strays = files.filter((file) => !ROOMS.has(roomOf(file)));
  if (strays.length > 0) throw new Error(`in no room that is run: ${strays.join(', ')}`);
  const gone = [...SLOWEST.keys()].filter((file) => !files.includes(file));
  if (gone.length > 0) throw new Error(`named as slow, and not there: ${gone.join(', ')}`);
  return patterns.length === 0 ? files : files.filter((file) => patterns.some((one) => one.test(file)));
}

const startsProcesses = (file) =>
  /support\/(process|deployment|redis-server|rebuilding)\.ts'/.test(readFileSync(path.join(TESTS, file), 'utf8'));

const secondsOf = (file) =>
  SLOWEST.get(file) ?? (ROOMS.get(roomOf(file)) ?? 0) + (startsProcesses(file) ? WITH_PROCESSES_S : 0);

/** Half of what each lane does of files with their seconds. */
const halfShareOf = (files) => files.reduce((sum, [, seconds]) => sum + seconds, 0) / (2 * LANES.length);

/**
 * Takes the next files that can share a process from one of the ends: fewer towards the end, so that no process ends alone.
 * `left` has files with their seconds, the slowest first.
 */
function take(left, end) {
  const inOrder = end === 'front' ? [...left] : [...left].reverse();
  const [[first]] = inOrder;
  const isAlike = ([file]) => clockOf(file) === clockOf(first) && hasNewerClient(file) === hasNewerClient(first);
  let room = Math.min(BATCH_S.most, Math.max(leastS, halfShareOf(inOrder)));
  const batch = [];
  for (const [file, seconds] of inOrder.filter(isAlike)) {
    if (batch.length >= SMALLEST_BATCH && room < seconds) break;
    room -= seconds;
    batch.push(file);
    left.delete(file);
  }
  return batch;
}

const result = { passed: 0, failed: [], times: new Map(), usedMs: 0, usedByFile: new Map() };

const addTo = (map, key, ms) => map.set(key, (map.get(key) ?? 0) + ms);

/** The largest first, in seconds. */
const largest = (map) =>
  [...map]
    .sort(([, one], [, other]) => other - one)
    .slice(0, SHOWN_SLOWEST)
    .map(([file, ms]) => `${file} ${(ms / 1000).toFixed(1)} s`)
    .join(', ');

/** Runs files in a process of their own. Returns those that it did not get to. */
async function runBatch(files, isAlone) {
  const child = fork(path.join(TESTS, 'support/run-files.mjs'), files, {
    execArgv: [
      ...[...ROOMY, '--import', './test/support/setup.mjs'],
      ...(hasNewerClient(files[0]) ? ['--conditions', NEWER_CLIENT] : []),
    ],
    env: {
      ...{ ...COMPILED_ONCE, ...ENVIRONMENT, ...clockSettings(clockOf(files[0])) },
      ...(hasNewerClient(files[0]) && { DAYBOOK_TEST_CLIENT: NEWER_CLIENT }),
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  let output = '';
  let running = null;
  let watchdog;
  const allow = (ms) => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => child.kill('SIGKILL'), ms);
  };
  allow(MAX_SILENCE_MS);
  const failed = [];
  child.on('message', ({ kind, file, title, ms, usedMs }) => {
    allow(MAX_SILENCE_MS);
    if (kind === 'begun') running = { file, title };
    if (kind === 'failed') failed.push(`${file}: ${title}`);
    if (kind === 'used') result.usedMs += usedMs;
    if (kind !== 'ended') return;
    addTo(result.times, file, ms);
    addTo(result.usedByFile, file, usedMs);
  });
  let isDone = false;
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    if (isAlone) say(text);
    if (isDone || !/Duration:/.test(output)) return;
    isDone = true;
    allow(ENDS_WITHIN_MS);
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearTimeout(watchdog);
  if (!isAlone) say(output);
  let total = 0;
  let passed = 0;
  for (const [, ran, all] of output.replace(COLOURS, '').matchAll(SUITE_RESULT)) {
    passed += Number(ran);
    total += Number(all);
  }
  result.passed += passed;
  result.failed.push(...failed);
  // A failed hook takes tests with it that were never started.
  for (let more = total - passed - failed.length; more > 0; more--) result.failed.push(`${files.join(', ')}: a test`);
  if (isDone) {
    if (code !== 0 && total === passed) result.failed.push(`${files.join(', ')}: ended with ${code}`);
    return [];
  }
  const at = running ? files.indexOf(running.file) : files.length - 1;
  const where = running ? `${running.file}: ${running.title}` : files.join(', ');
  result.failed.push(`${where} (the process ended here: ${code ?? 'it was blocked'})`);
  return files.slice(at + 1);
}

async function runLane(left, end, isAlone) {
  while (left.size > 0) for (const file of await runBatch(take(left, end), isAlone)) left.set(file, secondsOf(file));
}

/**
 * Of a whole run: the files of a few failed tests run once more, each by itself, which tells what is wrong from what was
 * only late on a busy machine. Returns the tests that passed then; they are told, to be mended, and count as passed.
 */
async function runAgain() {
  const { failed } = result;
  const fileOf = (failure) => all.find((file) => failure.startsWith(`${file}: `) && !failure.endsWith(')'));
  const suspects = [...new Set(failed.map(fileOf))];
  if (suspects.length > MAX_UNSTEADY || suspects.includes(undefined)) return [];
  const unsteady = [];
  for (const file of suspects) {
    const { passed } = result;
    result.failed = [];
    await runBatch([file], false);
    result.passed = passed;
    if (result.failed.length === 0) unsteady.push(...failed.filter((failure) => fileOf(failure) === file));
  }
  result.passed += unsteady.length;
  result.failed = failed.filter((failure) => !unsteady.includes(failure));
  return unsteady;
}

const all = testFiles();
const slowestFirst = all.map((file) => [file, secondsOf(file)]).sort(([, one], [, other]) => other - one);
const leastS = Math.min(BATCH_S.least, halfShareOf(slowestFirst));
if (all.length === 0) {
  say(`No test file matches ${process.argv.slice(2).join(' ')}; a pattern is looked for in paths below test/.\n`);
  process.exitCode = 1;
} else {
  const lanes = all.length === 1 ? ['front'] : LANES;
  const isAlone = lanes.length === 1;
  const left = new Map(slowestFirst);
  await Promise.all(lanes.map((end) => runLane(left, end, isAlone)));
  const unsteady = patterns.length === 0 ? await runAgain() : [];
  const used = (result.usedMs / 1000).toFixed(0);
  const inTests = ([...result.usedByFile.values()].reduce((sum, ms) => sum + ms, 0) / 1000).toFixed(0);
  if (!isAlone) say(`\nSlowest: ${largest(result.times)}\n`);
  say(`\nProcessor time: ${used} s, ${inTests} s of it in tests: ${largest(result.usedByFile)}\n`);
  for (const failure of unsteady) say(`UNSTEADY ${failure} (failed among others, passed by itself)\n`);
  for (const failure of result.failed) say(`FAILED ${failure} (clock: ${clockOf(failure.split(': ')[0])})\n`);
  say(`\n${result.passed} passed, ${result.failed.length} failed\n`);
  process.exitCode = result.failed.length > 0 ? 1 : 0;
}
