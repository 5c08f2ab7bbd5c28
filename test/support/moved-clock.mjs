// Moves the clock of the process that loads it, and of every Node that it starts, by TEST_CLOCK_AHEAD_MS milliseconds:
// today's date must not decide whether a test passes. Only the time of day moves; timers and monotonic clocks run on.
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

const NAME = 'TEST_CLOCK_AHEAD_MS';
const aheadMs = Number(process.env[NAME]);
if (!Number.isFinite(aheadMs)) throw new Error(`${NAME} must be a number of milliseconds`);

const now = Date.now;
Date.now = () => now() + aheadMs;
globalThis.Date = new Proxy(Date, {
  construct: (target, words, as) => Reflect.construct(target, words.length === 0 ? [target.now()] : words, as),
  apply: (target) => new target(target.now()).toString(),
});

// A process that is given an environment of its own would otherwise live on another day than its test.
const passedOn = { [NAME]: process.env[NAME], NODE_OPTIONS: process.env.NODE_OPTIONS };
const withClock = (options) =>
  options?.env === undefined || options.env[NAME] !== undefined
    ? options
    : { ...options, env: { ...options.env, ...passedOn, NODE_OPTIONS: optionsOf(options.env) } };
const optionsOf = ({ NODE_OPTIONS = '' }) =>
  NODE_OPTIONS.includes(passedOn.NODE_OPTIONS) ? NODE_OPTIONS : `${passedOn.NODE_OPTIONS} ${NODE_OPTIONS}`.trim();

const isOptions = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

for (const name of ['spawn', 'spawnSync', 'fork', 'execFile', 'execFileSync'])
  childProcess[name] = new Proxy(childProcess[name], {
    apply: (start, self, words) =>
      Reflect.apply(
        start,
        self,
        words.map((word) => (isOptions(word) ? withClock(word) : word)),
      ),
  });
syncBuiltinESMExports();
