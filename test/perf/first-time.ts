// How fast lists are that were not asked for before, alone and while the calendar is written to: each write ends what is
// known of the lists before it.
import { setTimeout as sleep } from 'node:timers/promises';
import { seeded } from '../../src/import/demo/calendar.ts';
import { type LoadResult, load, pacedLoad } from './load.ts';
import { type Running, startBareFastify } from './processes.ts';
import { LARGE } from './sample-calendar.ts';
import { milliseconds, type Row, rate, row } from './table.ts';

const SECONDS = 8;
const CONNECTIONS = 32;
/** Requests a second of a busy site; at full speed 32 connections wait for one another, whatever each answer costs. */
const PACE = 500;
const TURNS = 3;
const WRITE_EVERY_MS = 1_000;
const ROOT = '/calendar/events/v1';

/** Different in every request, so that no answer can be a repeated one. */
export function filteredPaths(): () => string {
  const random = seeded(3);
  const pick = (most: number): number => 1 + Math.floor(random() * most);
  const day = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  return () => {
    const from = pick(600) - 300;
    return (
      `${ROOT}/events?categories=${pick(LARGE.categories)}&venue=${pick(LARGE.venues)}` +
      `&start_date=${day(from)}&end_date=${day(from + 30 + pick(300))}`
    );
  };
}

/** One of the commonest words, another page and size each time. */
export function searchPaths(): () => string {
  const words = ['concert', 'music', 'garden', 'history', 'reading'];
  let index = 0;
  return () => {
    index += 1;
    return `${ROOT}/events?search=${words[index % 5]}&per_page=${1 + (index % 50)}&page=${1 + (index % 900)}`;
  };
}

interface Measured {
  readonly full: LoadResult;
  readonly paced: LoadResult;
}

type Aim = readonly [aim: string, met: boolean];

export async function firstTimeLists({ address }: Running, authorization: string): Promise<Row[]> {
  const bare = await startBareFastify(await (await fetch(`${address}${filteredPaths()()}`)).text());
  const nextPath = filteredPaths();
  const lists = (): Promise<Measured> => measure(address, nextPath);
  const alone: Measured[] = [];
  const written: Measured[] = [];
  const yardstick: Measured[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    alone.push(await lists());
    written.push(await whileWriting(`${address}${ROOT}/events`, authorization, lists));
    yardstick.push(await measure(bare.address, () => '/x'));
  }
  await bare.stop();
  const searched = await load({ url: address, nextPath: searchPaths(), seconds: SECONDS, connections: 1 });
  // The first turn warms up.
  const [ours, busy, theirs] = [mean(alone.slice(1)), mean(written.slice(1)), mean(yardstick.slice(1))];
  const { p50, p99 } = ours.paced;
  return [
    ...against('first-time list', ours, theirs, ['< 10 ms', p99 < 10]),
    row(`first-time list, ${PACE}/s over ${CONNECTIONS} connections, p50`, milliseconds(p50), '< 2 ms', p50 < 2),
    ...against('the same while one POST a second is written', busy, theirs, ['< 10 ms', busy.paced.p99 < 10]),
    row('first-time search of a common word, p50', milliseconds(searched.p50)),
    row('first-time search of a common word, p99', milliseconds(searched.p99), '< 50 ms', searched.p99 < 50),
  ];
}

async function measure(address: string, nextPath: () => string): Promise<Measured> {
  const shared = { nextPath, seconds: SECONDS / 2, connections: CONNECTIONS };
  const paced = await pacedLoad({ address, rate: PACE, ...shared });
  return { paced, full: await load({ url: address, ...shared }) };
}

function against(what: string, ours: Measured, bare: Measured, [aim, met]: Aim): Row[] {
  const ratio = (ours.full.perSecond / bare.full.perSecond).toFixed(3);
  return [
    row(`${what} : bare Fastify, same bytes`, `${rate(ours.full.perSecond)} : ${rate(bare.full.perSecond)} = ${ratio}`),
    row(`${what}, ${PACE}/s, p99 : bare`, [ours, bare].map((one) => milliseconds(one.paced.p99)).join(' : '), aim, met),
  ];
}

/** Writes an event, waits for its answer, and once a second is over writes the next. */
export async function whileWriting<Result>(
  url: string,
  authorization: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController();
  const body = JSON.stringify({
    ...{ title: 'Open rehearsal', start_date: '2027-03-01 20:00:00', end_date: '2027-03-01 22:00:00' },
    status: 'publish',
  });
  const write = async (): Promise<void> => {
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body });
    await answer.text();
    if (answer.status !== 201) throw new Error(`POST answered ${answer.status}`);
  };
  const writing = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await write();
      await sleep(WRITE_EVERY_MS, undefined, { signal: ending.signal }).catch(() => {});
    }
  };
  const written = writing();
  try {
    return await work();
  } finally {
    ending.abort();
    await written;
  }
}

function mean(turns: readonly Measured[]): Measured {
  const of = (read: (turn: Measured) => number): number =>
    turns.reduce((sum, turn) => sum + read(turn), 0) / turns.length;
  const result = (pace: keyof Measured): LoadResult => ({
    perSecond: of((turn) => turn[pace].perSecond),
    p50: of((turn) => turn[pace].p50),
    p99: of((turn) => turn[pace].p99),
  });
  return { full: result('full'), paced: result('paced') };
}
