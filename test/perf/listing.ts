// How fast a large calendar is read: single events, lists that repeat, lists asked for the first time.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openIdSequence } from '../../src/commands/reservations/ids.ts';
import { openSqliteEventStore } from '../../src/event-store/sqlite/store.ts';
import { systemActor, systemMetadata } from '../../src/event-store/writing.ts';
import { filteredPaths, firstTimeLists } from './first-time.ts';
import { fronting } from './fronting.ts';
import { load } from './load.ts';
import { besidePostgres } from './peer.ts';
import { administrator, type Running, startBareFastify, startDaybook, temporaryFolder } from './processes.ts';
import { type CalendarSize, fillStore, firstEventId, LARGE } from './sample-calendar.ts';
import { milliseconds, type Row, rate, row } from './table.ts';

const SECONDS = 8;
const CONNECTIONS = 32;
const ROOT = '/calendar/events/v1';

/** A service over a calendar of this size, and credentials that may write to it. */
async function serviceOf(size: CalendarSize): Promise<{ readonly service: Running; readonly authorization: string }> {
  const { dataDir, authorization } = await calendarOf(size);
  return { service: await startDaybook(dataDir), authorization };
}

/** The data folder of such a calendar, and credentials that may write to it. */
export async function calendarOf(
  size: CalendarSize,
): Promise<{ readonly dataDir: string; readonly authorization: string }> {
  const dataDir = temporaryFolder();
  const store = openSqliteEventStore({ file: path.join(dataDir, 'daybook.db') });
  const now = Math.floor(Date.now() / 1000);
  await fillStore(store, size, now);
  // The ids of the calendar are taken: what is written later has others.
  const postIds = { stream: 'ids-post', first: 1, blockSize: firstEventId(size) + size.events } as const;
  const metadata = systemMetadata({ actor: systemActor('bench'), now, correlationId: 'bench' });
  await openIdSequence(store, { ...postIds, newEventId: randomUUID }).next(metadata);
  await store.close();
  return { dataDir, authorization: administrator(dataDir) };
}

const textOf = async (url: string): Promise<string> => (await fetch(url)).text();

export async function reading(): Promise<Row[]> {
  const { service, authorization } = await serviceOf(LARGE);
  const rows = [
    ...(await singleRead(service)),
    ...(await repeatedList(service)),
    ...(await firstTimeLists(service, authorization)),
    row('resident memory of the process', `${Math.round(service.memory())} MiB`),
  ];
  await service.stop();
  return rows;
}

/** First-time lists alone. */
export async function readingFirst(): Promise<Row[]> {
  const { service, authorization } = await serviceOf(LARGE);
  const rows = await firstTimeLists(service, authorization);
  await service.stop();
  return rows;
}

/** First-time lists of one process against those of two over the same files, in turns. */
export async function readingByWorkers(): Promise<Row[]> {
  const { dataDir } = await calendarOf(LARGE);
  const perSecond = { 1: 0, 2: 0 };
  for (let turn = 0; turn < 3; turn++)
    for (const workers of [1, 2] as const) {
      const service = await startDaybook(dataDir, {}, ['--workers', String(workers)]);
      await allListen(service, workers);
      const measure = { url: service.address, nextPath: filteredPaths(), connections: CONNECTIONS };
      await load({ ...measure, seconds: 1 });
      perSecond[workers] += (await load({ ...measure, seconds: SECONDS / 2 })).perSecond / 3;
      await service.stop();
    }
  const ratio = perSecond[2] / perSecond[1];
  const measured = `${rate(perSecond[2])} : ${rate(perSecond[1])} = ${ratio.toFixed(2)}`;
  return [row('first-time lists, two processes : one', measured, '>= 1.7 on two free cores', ratio >= 1.7)];
}

/** Lists of ours and of Fastify with PostgreSQL; the tables of the peer are made in the database at `url`. */
export async function readingBesidePostgres(url: string): Promise<Row[]> {
  const { service } = await serviceOf(LARGE);
  const rows = await besidePostgres(service, url);
  await service.stop();
  return rows;
}

/** Lists through caches in front, which may keep them for an hour. */
export async function readingThroughCaches(): Promise<Row[]> {
  const { dataDir, authorization } = await calendarOf(LARGE);
  const service = await startDaybook(dataDir, { DAYBOOK_CACHE_SECONDS: '3600' });
  const [, token = ''] = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':');
  const rows = await fronting({ service, authorization, token, event: firstEventId(LARGE) });
  await service.stop();
  return rows;
}

async function allListen({ address }: Running, workers: number): Promise<void> {
  if (workers === 1) return;
  while (!(await textOf(`${address}/metrics`)).includes(`worker="${workers}"`)) await sleep(50);
}

/** The same address against a bare route with the same bytes, in turns, so that both see the same machine. */
async function againstBare(
  url: string,
  headers: { readonly [name: string]: string } = {},
  expected = 200,
): Promise<{ readonly ours: number; readonly bare: number }> {
  const bare = await startBareFastify(await textOf(url));
  const measure = { seconds: SECONDS / 2, connections: CONNECTIONS };
  const results = { ours: 0, bare: 0 };
  for (let turn = 0; turn < 3; turn++) {
    const ours = await load({ url, headers, expected, ...measure });
    const theirs = await load({ url: `${bare.address}/x`, ...measure });
    // The first turn warms up.
    if (turn > 0)
      Object.assign(results, { ours: results.ours + ours.perSecond, bare: results.bare + theirs.perSecond });
  }
  await bare.stop();
  return { ours: results.ours / 2, bare: results.bare / 2 };
}

const ratioRow = (what: string, { ours, bare }: { ours: number; bare: number }, aim: number): Row =>
  row(what, `${rate(ours)} : ${rate(bare)} = ${(ours / bare).toFixed(2)}`, `>= ${aim} x bare`, ours / bare >= aim);

async function singleRead({ address }: Running): Promise<Row[]> {
  const url = `${address}${ROOT}/events/${firstEventId(LARGE) + 5}`;
  return [ratioRow('GET /events/{id} : bare Fastify, same bytes', await againstBare(url), 0.5)];
}

export async function repeatedList({ address }: Running): Promise<Row[]> {
  const url = `${address}${ROOT}/events`;
  const etag = (await fetch(url)).headers.get('etag') ?? '';
  return [
    ratioRow('repeated default list : bare Fastify, same bytes', await againstBare(url), 0.8),
    ratioRow('304 of it : bare Fastify', await againstBare(url, { 'if-none-match': etag }, 304), 1.2),
  ];
}

/** How the cost of a page with a month's window grows with the calendar. */
export async function growing(sizes: readonly [number, number]): Promise<Row[]> {
  const costs: number[] = [];
  for (const events of sizes) {
    const { service } = await serviceOf({ ...LARGE, events });
    let index = 0;
    const nextPath = (): string => monthPath(index++);
    const { perSecond } = await load({ url: service.address, nextPath, seconds: SECONDS, connections: 1 });
    costs.push(1000 / perSecond);
    await service.stop();
  }
  const [small = 0, large = 0] = costs;
  const growth = large / small;
  const measured = `${milliseconds(small)} -> ${milliseconds(large)} = ${growth.toFixed(2)} x`;
  const what = `page of a month, ${sizes.map((size) => size.toLocaleString('en')).join(' -> ')} events`;
  return [row(what, measured, '< 3 x', growth < 3)];
}

function monthPath(index: number): string {
  const from = new Date(Date.now() + ((index % 900) - 450) * 86_400_000);
  const until = new Date(from.getTime() + 30 * 86_400_000);
  const [start, end] = [from, until].map((date) => date.toISOString().slice(0, 10));
  return `${ROOT}/events?start_date=${start}&end_date=${end}&per_page=${1 + (index % 50)}`;
}
