// How fast writes are: an import through the command path, and POSTs of one client in a row.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import autocannon from 'autocannon';
import Database from 'better-sqlite3';
import { type Contended, changesOfOne, creationsOfOneTitle } from '../support/contention.ts';
import { seeded } from '../support/seeded.ts';
import { percentile } from './load.ts';
import { administrator, startDaybook, temporaryFolder } from './processes.ts';
import { milliseconds, type Row, rate, row } from './table.ts';

const CONFERENCES = 6_831;
const POSTS = 500;
const WARM_UP = 50;
const CLIENTS = 32;
const TURNS = 4;
const SECONDS = 4;
/** At once on one event, and for one slug. */
const WRITERS = 64;
const CREATORS = 200;

/** As many conferences as the public list has, in its shape: a tenth stands in several files there, here too. */
export function conferences(): object[] {
  const random = seeded(7);
  const pick = (count: number): number => Math.floor(random() * count);
  return Array.from({ length: CONFERENCES }, (_, index) => {
    const day = new Date(Date.UTC(2024, 0, 1 + pick(1_000)));
    const name = `Conference ${random() < 0.1 ? Math.max(0, index - pick(50)) : index}`;
    return {
      name,
      url: `https://conference.example/${index}`,
      startDate: day.toISOString().slice(0, 10),
      endDate: new Date(day.getTime() + pick(4) * 86_400_000).toISOString().slice(0, 10),
      city: `City ${pick(580)}`,
      country: `Country ${pick(90)}`,
      online: random() < 0.3,
      locales: 'EN',
    };
  });
}

export async function importing(): Promise<Row[]> {
  const folder = temporaryFolder();
  const file = path.join(folder, 'javascript.json');
  writeFileSync(file, JSON.stringify(conferences()));
  const env = { ...process.env, DAYBOOK_DATA_DIR: path.join(folder, 'data') };
  const started = performance.now();
  execFileSync(process.execPath, ['bin/daybook.mjs', 'import', file, '--map', 'examples/conferences.json'], {
    env,
    stdio: 'ignore',
  });
  const perSecond = CONFERENCES / ((performance.now() - started) / 1000);
  return [
    row(`import of ${CONFERENCES} conferences, whole command`, rate(perSecond), '>= 1,500/s', perSecond >= 1_500),
  ];
}

export const bodyOf = (title: string): string =>
  JSON.stringify({
    ...{ title, start_date: '2027-03-01 20:00:00', end_date: '2027-03-01 22:00:00' },
    ...{ description: 'First set at eight.', categories: 'Music' },
  });

/** Commits a second that each wait for the disk, one after the other: what one writer without groups could do. */
function durableCommits(file: string): number {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec('CREATE TABLE IF NOT EXISTS note (text TEXT)');
  const insert = db.prepare('INSERT INTO note VALUES (?)');
  const text = 'x'.repeat(500);
  const began = performance.now();
  let commits = 0;
  for (; performance.now() - began < 1_000; commits++) insert.run(text);
  const seconds = (performance.now() - began) / 1_000;
  db.close();
  return commits / seconds;
}

/** Many clients at once, in turns with bare commits to a file beside the log. The first turn warms up. */
export async function postingAtOnce(): Promise<Row[]> {
  const dataDir = temporaryFolder();
  const authorization = administrator(dataDir);
  const server = await startDaybook(dataDir);
  const bare: number[] = [];
  const posted: number[] = [];
  const latencies: number[] = [];
  let count = 0;
  for (let turn = 0; turn < TURNS; turn++) {
    const commits = durableCommits(path.join(temporaryFolder(), 'bare.db'));
    const result = await autocannon({
      url: `${server.address}/calendar/events/v1/events`,
      ...{ method: 'POST', connections: CLIENTS, duration: SECONDS },
      headers: { authorization, 'content-type': 'application/json' },
      requests: [{ setupRequest: (request) => ({ ...request, body: bodyOf(`Event ${count++}`) }) }],
    });
    if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} answers, ${result.errors} errors`);
    if (turn === 0) continue;
    bare.push(commits);
    posted.push(result.requests.average);
    latencies.push(result.latency.p99);
  }
  await server.stop();
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const ratio = mean(posted) / mean(bare);
  const measured = `${rate(mean(posted))} : ${rate(mean(bare))} = ${ratio.toFixed(2)}`;
  const p99 = mean(latencies);
  return [
    row(`POST /events, ${CLIENTS} clients : bare durable commits one by one`, measured, '>= 0.35', ratio >= 0.35),
    row(`POST /events, ${CLIENTS} clients, p99`, milliseconds(p99), '< 35 ms', p99 < 35),
  ];
}

/** Many who want the same at once: none is refused, and the slowest wait their turn. The first round warms up. */
export async function contending(): Promise<Row[]> {
  const dataDir = temporaryFolder();
  const authorization = administrator(dataDir);
  const server = await startDaybook(dataDir);
  const api = `${server.address}/calendar/events/v1`;
  const created = await fetch(`${api}/events`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: bodyOf('Wanted by many'),
  });
  const { id } = (await created.json()) as { id: number };
  const all = { apis: [api], authorization };
  const p99Of = ({ statuses, p99 }: Contended, status: number, count: number): number => {
    if (statuses[status] !== count) throw new Error(`not all answers were ${status}: ${JSON.stringify(statuses)}`);
    return p99;
  };
  const [changes, creations]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < TURNS; turn++) {
    changes.push(p99Of(await changesOfOne(all, id, WRITERS), 200, WRITERS));
    creations.push(p99Of(await creationsOfOneTitle(all, CREATORS), 201, CREATORS));
  }
  await server.stop();
  const worst = (values: readonly number[]): number => Math.max(...values.slice(1));
  const rowOf = (what: string, p99: number): Row => row(`${what}, p99`, milliseconds(p99), '< 2 s', p99 < 2_000);
  return [
    rowOf(`PATCH of one event by ${WRITERS} writers at once`, worst(changes)),
    rowOf(`POST of one title by ${CREATORS} creators at once`, worst(creations)),
  ];
}

export async function posting(): Promise<Row[]> {
  const dataDir = temporaryFolder();
  const authorization = administrator(dataDir);
  const server = await startDaybook(dataDir);
  const durations: number[] = [];
  for (let index = 0; index < POSTS + WARM_UP; index++) {
    const body = bodyOf(`Event ${index}`);
    const started = performance.now();
    const answer = await fetch(`${server.address}/calendar/events/v1/events`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body,
    });
    await answer.text();
    if (answer.status !== 201) throw new Error(`POST answered ${answer.status}`);
    if (index >= WARM_UP) durations.push(performance.now() - started);
  }
  await server.stop();
  const p50 = percentile(durations, 0.5);
  return [
    row('POST /events, one client in a row, p50', milliseconds(p50), '< 3 ms', p50 < 3),
    row('POST /events, one client in a row, p99', milliseconds(percentile(durations, 0.99))),
  ];
}
