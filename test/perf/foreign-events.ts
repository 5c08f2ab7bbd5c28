// A calendar in a log on a server among events of another application: start, POST, rebuild and the processor time of a
// service that rests. The server is the one of the tests, in this process; the service is a process of its own.
// `node test/perf/foreign-events.ts [FOREIGN]`: so many before, between and behind ours; default 1,000,000.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDeployment } from '../support/deployment.ts';
import { daybook, type Serving } from '../support/process.ts';
import { someEvent } from '../support/service.ts';

const FOREIGN = Number(process.argv[2] ?? 1_000_000);
const OWN = 20;
const RESTS_MS = 10_000;
const TICKS_PER_SECOND = 100;

const deployment = await startDeployment();
const { events, settings } = deployment;

const post = ({ api }: Serving, token: string): Promise<Response> =>
  fetch(`${api}/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(someEvent()),
  });

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const { events: sent, lookedAt } = events.counts;
  const begun = performance.now();
  await work();
  const ms = Math.round(performance.now() - begun);
  console.log(
    `${what}: ${ms} ms, ${events.counts.events - sent} events sent of ${events.counts.lookedAt - lookedAt} looked at`,
  );
}

/** Processor time of a process so far, in seconds. */
function processorTime({ child }: Serving): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

async function rest(service: Serving): Promise<void> {
  const [{ events: sent, lookedAt }, before] = [{ ...events.counts }, processorTime(service)];
  await sleep(RESTS_MS);
  const share = ((processorTime(service) - before) * 100_000) / RESTS_MS;
  console.log(
    `at rest: ${share.toFixed(1)} % of a core, ${events.counts.events - sent} events sent of ${events.counts.lookedAt - lookedAt} looked at in 10 s`,
  );
}

events.log.addForeign(FOREIGN);
let service: Serving | undefined;
await timed('first start', async () => {
  service = await deployment.start('all');
});
if (!service) throw new Error('it did not start');
const first = service;
const token = first.token ?? '';
for (let round = 0; round < OWN; round += 1) await post(first, token);
events.log.addForeign(FOREIGN);
await timed('POST behind them', () => post(first, token));
await timed('POST again', () => post(first, token));
events.log.addForeign(FOREIGN);
await timed('POST behind still more', () => post(first, token));
events.log.addForeign(FOREIGN);
await rest(first);
await timed('rebuild', () => daybook(['rebuild'], settings).ended);
await first.stop();
await timed('second start', async () => {
  service = await deployment.start('all');
});
await rest(service);
await deployment.close();
