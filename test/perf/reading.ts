// How a calendar of 100,000 events is read, beside bare Fastify that answers the same bytes, in turns within one run: `npm run bench -- reading`.
import { setTimeout as sleep } from 'node:timers/promises';
import { seeded } from '../support/seeded.ts';
import { calendarOf } from './listing.ts';
import { type Running, startBareFastify, startDaybook } from './processes.ts';
import { firstEventId, LARGE } from './sample-calendar.ts';
import { milliseconds, type Row, rate, row } from './table.ts';
import { type WrkResult, wrk } from './wrk.ts';

const ROOT = '/calendar/events/v1';
const CONNECTIONS = 32;
/** Requests a second of a busy site; at full speed connections wait for one another, whatever each answer costs. */
const PACE = 500;
/** The first one warms up. */
const TURNS = 4;
const SECONDS = 3;
/** Answers that bare Fastify sends in turn. */
const SAMPLE = 200;
const WRITE_EVERY_MS = 1_000;
const DAY_MS = 86_400_000;

const dayAfter = (offset: number): string => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);

/** Windows of time. */
function windows(seed: number): (most: number) => string {
  const random = seeded(seed);
  return (most) => {
    const from = Math.floor(random() * 600) - 300;
    return `start_date=${dayAfter(from)}&end_date=${dayAfter(from + 1 + Math.floor(random() * most))}`;
  };
}

/**
 * Category, venue and dates: different in every request, so that no answer can be a repeated one. A venue has one event of a
 * category, so nine in ten of these lists are empty.
 */
export function filteredPaths(): () => string {
  const random = seeded(3);
  const window = windows(4);
  const pick = (most: number): number => 1 + Math.floor(random() * most);
  return () => `${ROOT}/events?categories=${pick(LARGE.categories)}&venue=${pick(LARGE.venues)}&${window(330)}`;
}

/** Category and dates: twelve events, fewer only in short windows. */
function categoryPaths(): () => string {
  const random = seeded(6);
  const window = windows(7);
  const pick = (most: number): number => 1 + Math.floor(random() * most);
  return () => `${ROOT}/events?categories=${pick(LARGE.categories)}&per_page=12&${window(330)}`;
}

/** Dates alone. */
function windowPaths(): () => string {
  const window = windows(5);
  let index = 0;
  return () => `${ROOT}/events?${window(330)}&per_page=${1 + (index++ % 20)}`;
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

/** 500 tags, another page each time. */
function tagPaths(): () => string {
  const tags = Array.from({ length: LARGE.tags }, (_, at) => LARGE.categories + 1 + at).join();
  let page = 0;
  return () => `${ROOT}/events?tags=${tags}&page=${1 + (page++ % 2_000)}`;
}

const many = (next: () => string, count = 40_000): string[] => Array.from({ length: count }, next);

interface Asked {
  readonly what: string;
  readonly paths: readonly string[];
  readonly headers?: { readonly [name: string]: string };
  /** At least so much of what bare Fastify answers. */
  readonly aim: number;
}

const least = (turns: readonly WrkResult[], of: (turn: WrkResult) => number): number => Math.min(...turns.map(of));
const most = (turns: readonly WrkResult[]): number => Math.max(...turns.map(({ perSecond }) => perSecond));

/** Some of the answers, short and long ones: bare Fastify is to send the same bytes. */
async function someAnswers(service: Running, paths: readonly string[]): Promise<string[]> {
  const answers: string[] = [];
  for (const path of paths.slice(-SAMPLE)) answers.push(await (await fetch(service.address + path)).text());
  return answers;
}

/** The best of some turns, in rates and in processor time, which other work on the machine hardly changes. */
async function besideBare(service: Running, { what, paths, headers = {}, aim }: Asked): Promise<Row[]> {
  const bodies = await someAnswers(service, paths);
  const bytes = Math.round(bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0) / bodies.length);
  const bare = await startBareFastify(bodies);
  const [ours, theirs]: [WrkResult[], WrkResult[]] = [[], []];
  const shared = { headers, seconds: SECONDS, connections: CONNECTIONS };
  for (let turn = 0; turn < TURNS; turn++) {
    ours.push(await wrk({ server: service, paths: part(paths, turn), ...shared }));
    theirs.push(await wrk({ server: bare, paths: ['/x'], ...shared }));
  }
  await bare.stop();
  const [own, others] = [most(ours.slice(1)), most(theirs.slice(1))];
  const [work, otherWork] = [ours, theirs].map((turns) => least(turns.slice(1), (turn) => turn.work)) as [
    number,
    number,
  ];
  const ratio = own / others;
  return [
    row(
      `${what}, ${bytes} bytes on average : bare Fastify`,
      `${rate(own)} : ${rate(others)} = ${ratio.toFixed(2)}`,
      `>= ${aim} x bare`,
      ratio >= aim,
    ),
    row(
      '  the same, processor time',
      `${work.toFixed(0)} : ${otherWork.toFixed(0)} µs = ${(otherWork / work).toFixed(2)}`,
    ),
  ];
}

/** Of many paths those of one turn: none is asked for in two of them, nor for the sample. */
function part(paths: readonly string[], turn: number): readonly string[] {
  if (paths.length < TURNS) return paths;
  const size = Math.floor((paths.length - SAMPLE) / TURNS);
  return paths.slice(turn * size, (turn + 1) * size);
}

async function paced(server: Running, what: string): Promise<Row> {
  const next = filteredPaths();
  const turns: WrkResult[] = [];
  for (let turn = 0; turn < 2; turn++)
    turns.push(await wrk({ server, paths: many(next, 5_000), seconds: 5, connections: CONNECTIONS, rate: PACE }));
  const [p50, p99] = [least(turns, (turn) => turn.p50), least(turns, (turn) => turn.p99)];
  return row(`${what}, ${PACE}/s, p50, p99`, `${milliseconds(p50)}, ${milliseconds(p99)}`, 'p99 < 10 ms', p99 < 10);
}

async function alone(server: Running, what: string, next: () => string, aimMs: number): Promise<Row> {
  await wrk({ server, paths: many(next, 3_000), seconds: 1, connections: 1 });
  const { p50, p99, work } = await wrk({ server, paths: many(next, 20_000), seconds: 4, connections: 1 });
  const measured = `${milliseconds(p50)}, ${milliseconds(p99)}; ${work.toFixed(0)} µs`;
  return row(`${what}, one by one, p50, p99; processor time`, measured, `p50 < ${aimMs} ms`, p50 < aimMs);
}

/** Milliseconds until a process that starts answers, and until it is ready. */
async function starting(dataDir: string): Promise<{ readonly service: Running; readonly rows: Row[] }> {
  const began = performance.now();
  const service = await startDaybook(dataDir);
  await (await fetch(`${service.address}${ROOT}/events`)).text();
  const answered = performance.now() - began;
  while (!(await fetch(`${service.address}/readyz`)).ok) await sleep(20);
  const ready = performance.now() - began;
  return {
    service,
    rows: [
      row('start until the first list is answered', milliseconds(answered), '< 2 s', answered < 2_000),
      row('start until ready', milliseconds(ready), '< 5 s', ready < 5_000),
    ],
  };
}

const memoryRow = (what: string, { memory }: Running, aim: number): Row => {
  const used = memory();
  return row(`resident memory ${what}`, `${Math.round(used)} MiB`, `<= ${aim} MiB`, used <= aim);
};

/** First-time lists of one process against those of two over the same files, in turns. */
async function byWorkers(dataDir: string): Promise<Row> {
  const perSecond = { 1: 0, 2: 0 };
  const next = filteredPaths();
  for (const workers of [1, 2] as const) {
    const service = await startDaybook(dataDir, {}, ['--workers', String(workers)]);
    while (workers === 2 && !(await (await fetch(`${service.address}/metrics`)).text()).includes('worker="2"'))
      await sleep(50);
    const ask = (seconds: number) =>
      wrk({ server: service, paths: many(next, 10_000), seconds, connections: CONNECTIONS });
    await ask(2);
    perSecond[workers] = Math.max((await ask(SECONDS)).perSecond, (await ask(SECONDS)).perSecond);
    await service.stop();
  }
  const ratio = perSecond[2] / perSecond[1];
  const measured = `${rate(perSecond[2])} : ${rate(perSecond[1])} = ${ratio.toFixed(2)}`;
  return row('first-time lists, two processes : one', measured, '>= 1.7 with cores for the load', ratio >= 1.7);
}

/** The default list again and again, and what of it a client has already. */
export async function repeatedList(service: Running): Promise<Row[]> {
  const paths = [`${ROOT}/events`];
  const etag = (await fetch(service.address + paths[0])).headers.get('etag') ?? '';
  return [
    ...(await besideBare(service, { what: 'repeated list', paths, aim: 0.75 })),
    ...(await besideBare(service, { what: '304', paths, headers: { 'if-none-match': etag }, aim: 1 })),
  ];
}

export async function reading(): Promise<Row[]> {
  const { dataDir, authorization } = await calendarOf(LARGE);
  const filling = await startDaybook(dataDir);
  while (!(await fetch(`${filling.address}/readyz`)).ok) await sleep(50);
  const filled = memoryRow('after the fill', filling, 300);
  await filling.stop();
  const { service, rows } = await starting(dataDir);
  const event = [`${ROOT}/events/${firstEventId(LARGE) + 5}`];
  rows.push(
    filled,
    ...(await besideBare(service, {
      what: 'first-time list: category, venue, dates',
      paths: many(filteredPaths(), 80_000),
      aim: 0.3,
    })),
    ...(await besideBare(service, {
      what: 'first-time list of twelve: category, dates',
      paths: many(categoryPaths(), 80_000),
      aim: 0.3,
    })),
    await paced(service, 'first-time list'),
    await whileWriting(`${service.address}${ROOT}/events`, authorization, () =>
      paced(service, 'first-time list while one POST a second is written'),
    ),
    ...(await besideBare(service, {
      what: 'first-time list: dates alone',
      paths: many(windowPaths(), 80_000),
      aim: 0.1,
    })),
    await alone(service, 'first-time list: dates alone', windowPaths(), 1),
    await alone(service, 'first-time list: 500 tags', tagPaths(), 3),
    await alone(service, 'first-time list: a common word', searchPaths(), 2),
    ...(await repeatedList(service)),
    ...(await besideBare(service, { what: 'one event', paths: event, aim: 0.65 })),
    memoryRow('after all of this', service, 450),
  );
  await service.stop();
  return [...rows, await byWorkers(dataDir)];
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
