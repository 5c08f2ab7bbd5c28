// What a cache in front takes off the service, and how soon a change is seen through it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cache, type Front, installed, NGINX, VARNISH } from '../support/fronts.ts';
import { seeded } from '../support/seeded.ts';
import { load, percentile } from './load.ts';
import { type Running, temporaryFolder } from './processes.ts';
import { milliseconds, type Row, rate, row } from './table.ts';

const ROOT = '/calendar/events/v1';
const SECONDS = 6;
const CONNECTIONS = 32;
/** Lists that readers ask for, each as often as the others. */
const ADDRESSES = 500;
const CHANGES = 20;
const LOOK_AFTER_MS = 5;

interface Fronted {
  readonly service: Running;
  /** Of an administrator; the second is the token alone. */
  readonly authorization: string;
  readonly token: string;
  /** An event that the first list shows. */
  readonly event: number;
}

/** Rows for each cache that is installed. `service` keeps answers for an hour. */
export async function fronting(fronted: Fronted): Promise<Row[]> {
  const rows: Row[] = [];
  const { here, missing } = installed([VARNISH, NGINX]);
  for (const cache of here) {
    const front = await cache.start(Number(new URL(fronted.service.address).port), temporaryFolder());
    rows.push(...(await taken(cache, front, fronted)));
    if (cache === VARNISH) rows.push(...(await seen(front, fronted)));
    await front.stop();
  }
  return [...rows, ...missing.map((program) => row(program, 'not installed'))];
}

function lists(): () => string {
  const random = seeded(5);
  return () => `${ROOT}/events?start_date=2027-01-01&per_page=12&page=${1 + Math.floor(random() * ADDRESSES)}`;
}

async function answered({ address }: Running): Promise<number> {
  const metrics = await (await fetch(`${address}/metrics`)).text();
  const counts = [...metrics.matchAll(/^daybook_http_requests_total\{.*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

async function taken({ name }: Cache, { address }: Front, { service }: Fronted): Promise<Row[]> {
  const measure = { nextPath: lists(), seconds: SECONDS, connections: CONNECTIONS };
  const direct = await load({ url: service.address, ...measure });
  const before = await answered(service);
  const through = await load({ url: address, ...measure });
  const share = ((await answered(service)) - before) / (through.perSecond * SECONDS);
  const ratio = (through.perSecond / direct.perSecond).toFixed(2);
  return [
    row(
      `${name}: ${ADDRESSES} lists : without it`,
      `${rate(through.perSecond)} : ${rate(direct.perSecond)} = ${ratio}`,
    ),
    row(`${name}: share of them that reaches the service`, `${(100 * share).toFixed(2)} %`),
  ];
}

/** From the answer to a change until the list through the cache shows it, with `daybook purge` beside it. */
async function seen({ address }: Front, { service, authorization, token, event }: Fronted): Promise<Row[]> {
  const purging = await startPurging(address, service, token);
  const durations: number[] = [];
  const single = `${address}${ROOT}/events/${event}`;
  for (let turn = 0; turn < CHANGES; turn++) {
    const title = `As of turn ${turn}`;
    await (await fetch(single)).text();
    const headers = { authorization, 'content-type': 'application/json' };
    const body = JSON.stringify({ title });
    const answer = await fetch(`${service.address}${ROOT}/events/${event}`, { method: 'PATCH', headers, body });
    if (answer.status !== 200) throw new Error(`PATCH answered ${answer.status}`);
    const begun = performance.now();
    while (!(await (await fetch(single)).text()).includes(title)) await sleep(LOOK_AFTER_MS);
    durations.push(performance.now() - begun);
  }
  purging.kill('SIGTERM');
  await once(purging, 'exit');
  const slowest = Math.max(...durations);
  return [
    row('Varnish with `daybook purge`: until a change is seen, p50', milliseconds(percentile(durations, 0.5))),
    row('the same, slowest', milliseconds(slowest), '< 2 s', slowest < 2_000),
  ];
}

async function startPurging(address: string, service: Running, token: string): Promise<ChildProcess> {
  const words = ['bin/daybook.mjs', 'purge', address, '--state', `${temporaryFolder()}/position`];
  const env = { ...process.env, DAYBOOK_URL: service.address, DAYBOOK_TOKEN: token };
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  // Its first line: it follows from here on.
  await once(child.stdout, 'data');
  return child;
}
