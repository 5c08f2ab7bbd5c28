// `npm run soak -- [--minutes N] [--share N]`: a site that is read all day, and written to every second, at a share of
// what it can do (30 minutes, 0.7), over 100,000 events. Prints a line a minute, and fails when memory grows, the read
// model falls further and further behind, or more than a few requests are told to come back later.
import { parseArgs } from 'node:util';
import { seeded } from '../support/seeded.ts';
import { calendarOf } from './listing.ts';
import { load, type PacedResult, pacedLoad } from './load.ts';
import { type Running, startDaybook } from './processes.ts';
import { filteredPaths, whileWriting } from './reading.ts';
import { firstEventId, LARGE } from './sample-calendar.ts';

const ROOT = '/calendar/events/v1';
const CONNECTIONS = 32;
/** Nothing is compiled yet in the first seconds, and nothing cached. */
const WARM_UP_SECONDS = 20;
const CAPACITY_SECONDS = 20;
/** Of a hundred requests: repeated lists, single events, and lists that were not asked for before. */
const REPEATED = 65;
const SINGLE = 25;
/** Lists that visitors ask for again and again. */
const POPULAR = 200;
/** The least by which memory differs from one third of the time to the next without growing: garbage comes and goes. */
const STEADY = 1.1;
/** As many seconds as `/readyz` calls the read model current. */
const CURRENT_SECONDS = 2;
/** The share of requests that may be told to come back: something else on the machine can hold it up for a moment. */
const REFUSED_SHARE = 0.001;

interface Minute {
  readonly answered: PacedResult;
  readonly memory: number;
  readonly lagSeconds: number;
}

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, share: { type: 'string', default: '0.7' } },
});

/** What visitors of a site ask for. */
function visits(): () => string {
  const random = seeded(11);
  const below = (most: number): number => Math.floor(random() * most);
  const unasked = filteredPaths();
  const popular = Array.from({ length: POPULAR }, unasked);
  const first = firstEventId(LARGE);
  return () => {
    const kind = below(100);
    if (kind < REPEATED) return popular[below(POPULAR)] ?? `${ROOT}/events`;
    if (kind < REPEATED + SINGLE) return `${ROOT}/events/${first + below(LARGE.events)}`;
    return unasked();
  };
}

async function lagOf({ address }: Running): Promise<number> {
  const answer = await fetch(`${address}/readyz`);
  const { views } = (await answer.json()) as { views: { lag_seconds: number } };
  return views.lag_seconds;
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

async function soak(service: Running, authorization: string): Promise<string[]> {
  const shared = { connections: CONNECTIONS, nextPath: visits() };
  const minutes = Number(values.minutes);
  const url = `${service.address}${ROOT}/events`;
  return whileWriting(url, authorization, async () => {
    await load({ url: service.address, seconds: WARM_UP_SECONDS, ...shared });
    const capacity = await load({ url: service.address, seconds: CAPACITY_SECONDS, ...shared });
    const rate = Math.round(capacity.perSecond * Number(values.share));
    console.log(`${Math.round(capacity.perSecond)} requests/s are possible; ${rate}/s for ${minutes} minutes`);
    const past: Minute[] = [];
    for (let minute = 1; minute <= minutes; minute++) {
      const answered = await pacedLoad({ address: service.address, rate, seconds: 60, refusals: 'counted', ...shared });
      const now = { answered, memory: service.memory(), lagSeconds: await lagOf(service) };
      past.push(now);
      const times = `p50 ${answered.p50.toFixed(1)} ms, p99 ${answered.p99.toFixed(1)} ms`;
      console.log(
        `minute ${minute}: ${Math.round(answered.perSecond)}/s, ${times}, ${Math.round(now.memory)} MiB, ${now.lagSeconds} s behind, ${answered.refused} refused`,
      );
    }
    return faultsOf(past);
  });
}

/** The first third warms up; the last one is held against the second. */
function faultsOf(past: readonly Minute[]): string[] {
  const third = Math.floor(past.length / 3);
  const [middle, last] = [past.slice(third, 2 * third), past.slice(-third)];
  const [before, after] = [middle, last].map((minutes) => median(minutes.map(({ memory }) => memory)));
  const faults: string[] = [];
  if (third === 0) return ['too short to say anything: three minutes are the least'];
  if ((after ?? 0) > (before ?? 0) * STEADY)
    faults.push(`memory grew from ${Math.round(before ?? 0)} to ${Math.round(after ?? 0)} MiB`);
  const lag = median(last.map(({ lagSeconds }) => lagSeconds));
  if (lag > CURRENT_SECONDS) faults.push(`the read model is ${lag} s behind`);
  const refused = past.reduce((sum, { answered }) => sum + answered.refused, 0);
  const answers = past.reduce((sum, { answered }) => sum + 60 * answered.perSecond, 0);
  if (refused > REFUSED_SHARE * answers) faults.push(`${refused} of ${refused + Math.round(answers)} were refused`);
  return faults;
}

const { dataDir, authorization } = await calendarOf(LARGE);
const service = await startDaybook(dataDir, { DAYBOOK_RATE_LIMIT: '0' });
const faults = await soak(service, authorization);
await service.stop();
console.log(faults.length === 0 ? 'Memory is flat, and nothing lags.' : faults.join('\n'));
process.exitCode = faults.length === 0 ? 0 : 1;
