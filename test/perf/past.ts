// What looks into the past and ahead cost: lists as of an instant, other readers meanwhile, and a long history.
import path from 'node:path';
import { openSqliteEventStore } from '../../src/log/sqlite/store.ts';
import { percentile } from './load.ts';
import { writeHistory } from './long-history.ts';
import { administrator, type Running, startDaybook, temporaryFolder } from './processes.ts';
import { milliseconds, type Row, row } from './table.ts';

const EVENTS = 100_000;
const REVISIONS = 1_000;
const HISTORY_READS = 300;
const WARM_UP = 20;
const API = '/calendar/events/v1';
/** Seconds of the log of `writeHistory`: each domain event has one of its own. The first look also starts everything. */
const INSTANTS = [100_000, 99_000, 95_000, 90_000, 80_000].map((told) => 1_700_000_000 + told);

type Headers = { readonly [name: string]: string };

async function timed(url: string, headers: Headers = {}): Promise<number> {
  const started = performance.now();
  const answer = await fetch(url, { headers });
  await answer.text();
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
  return performance.now() - started;
}

/** Milliseconds that an answer took, and of processor time that the service spent meanwhile. */
interface Cost {
  readonly took: number;
  readonly worked: number;
}

/** The same questions about each instant, once its calendar is there. */
async function nextOnes({ worked }: Running, list: string, headers: Headers = {}): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const url of [`${list}&page=2`, list, `${list}&featured=1&starts_after=now`]) {
    const before = worked();
    const took = await timed(url, headers);
    costs.push({ took, worked: worked() - before });
  }
  return costs;
}

/** Pages that were not asked for before. */
const NEW_PAGES = 40;

/** Median processor time of a new page of each list, in turns. */
async function newPages({ worked }: Running, lists: readonly string[], headers: Headers): Promise<number[]> {
  const costs = lists.map((): number[] => []);
  for (let page = 3; page < 3 + NEW_PAGES; page++)
    for (const [at, list] of lists.entries()) {
      const before = worked();
      await timed(`${list}&page=${page}`, headers);
      costs[at]?.push(worked() - before);
    }
  return costs.map((all) => percentile(all, 0.5));
}

/** Of a machine that others use as well, processor time says more than the time that passes. */
function nextRow(what: string, costs: readonly Cost[]): Row {
  const slowest = Math.max(...costs.map(({ took }) => took));
  const most = Math.max(...costs.map(({ worked }) => worked));
  return row(what, `${milliseconds(slowest)}, ${most.toFixed(1)} of work`, '< 10 ms', slowest < 10);
}

/** How long another reader waits, at most, until `work` is done. */
async function whileReading<Result>(url: string, work: Promise<Result>): Promise<readonly [Result, number]> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  let longest = 0;
  while (!isDone) {
    longest = Math.max(longest, await timed(url));
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return [await done, longest];
}

const inSeconds = (durations: readonly number[]): string => `${(percentile([...durations], 0.5) / 1000).toFixed(2)} s`;

/** What was measured of lists of one direction. */
interface Measured {
  readonly firsts: number[];
  readonly nexts: Cost[];
  readonly others: number[];
  /** Back: those that search. Ahead: those with a set that has not been applied. */
  readonly further: number[];
}

const nothing = (): Measured => ({ firsts: [], nexts: [], others: [], further: [] });

async function lookBack(service: Running, at: number, back: Measured): Promise<void> {
  const { address } = service;
  const list = `${address}${API}/events?as_of=${at}`;
  const [first, longest] = await whileReading(`${address}${API}/venues?per_page=1`, timed(list));
  back.firsts.push(first);
  back.others.push(longest);
  back.nexts.push(...(await nextOnes(service, list)));
  back.further.push(await timed(`${list}&search=concert`));
}

const DAY = 86_400;
const DAYS_AHEAD = [1, 30, 90, 180, 365];
/** Proposals of events that a list ahead counts as carried out. */
const PROPOSED = 20;

/** A set of proposals that is not applied; its id. */
async function proposedSet({ address }: Running, authorization: string): Promise<number> {
  const headers = { authorization, 'content-type': 'application/json' };
  const post = async (target: string, body: object): Promise<{ readonly id: number }> => {
    const answer = await fetch(address + API + target, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${target} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { id: number }; // What was opened.
  };
  const page = (await (await fetch(`${address}${API}/events?per_page=${PROPOSED}`)).json()) as {
    readonly events: readonly { readonly id: number }[];
  };
  const proposals: number[] = [];
  for (const { id } of page.events) proposals.push((await post(`/events/${id}/proposals`, { title: 'Ahead' })).id);
  return (await post('/sets', { name: 'Programme', proposals })).id;
}

/**
 * Lists as of instants that were and of instants to come, in turns: neither begins in a process that has not answered yet
 * while the other finds it warm. The first of each direction makes what later ones share, and has a row of its own.
 */
async function lists(service: Running, authorization: string): Promise<Row[]> {
  const set = await proposedSet(service, authorization);
  const headers = { authorization };
  const now = Math.floor(Date.now() / 1000);
  const [back, ahead] = [nothing(), nothing()];
  for (const [turn, at] of INSTANTS.entries()) {
    await lookBack(service, at, back);
    const list = `${service.address}${API}/events?as_of=${now + (DAYS_AHEAD[turn] ?? turn) * DAY}`;
    ahead.firsts.push(await timed(list, headers));
    ahead.nexts.push(...(await nextOnes(service, list, headers)));
    ahead.further.push(await timed(`${list}&with=set:${set}`, headers));
  }
  const both = [INSTANTS.at(-1), now + (DAYS_AHEAD.at(-1) ?? 0) * DAY];
  const pages = both.map((at) => `${service.address}${API}/events?as_of=${at}`);
  const [pageBack = 0, pageAhead = 0] = await newPages(service, pages, headers);
  const [cold = 0, ...warm] = back.firsts;
  const [coldAhead = 0, ...warmAhead] = ahead.firsts;
  const median = percentile(warm, 0.5);
  const what = `list as of an instant, ${EVENTS.toLocaleString('en')} domain events`;
  return [
    row(`${what}, first of the process`, `${(cold / 1000).toFixed(2)} s`, '< 2 s', cold < 2_000),
    row(`${what}, first at an instant, median`, `${(median / 1000).toFixed(2)} s`, '< 2 s', median < 2_000),
    row('… the same, first that searches, median', inSeconds(back.further)),
    nextRow('… next at the same instant, slowest of all', back.nexts),
    row('… another reader meanwhile, longest wait, median', milliseconds(percentile(back.others, 0.5))),
    row('list ahead, first of the process', `${(coldAhead / 1000).toFixed(2)} s`),
    row('… first at an instant, median', inSeconds(warmAhead), '< 2 s', percentile([...warmAhead], 0.5) < 2_000),
    nextRow('… next at the same instant, slowest of all', ahead.nexts),
    row('… a new page ahead : back, processor time, median', `${pageAhead.toFixed(1)} : ${pageBack.toFixed(1)} ms`),
    row(
      `… with a set of ${PROPOSED}, median`,
      inSeconds(ahead.further),
      '< 2 s',
      percentile([...ahead.further], 0.5) < 2_000,
    ),
  ];
}

async function history({ address }: Running, authorization: string): Promise<Row[]> {
  const headers = { authorization, 'content-type': 'application/json' };
  const send = async (method: string, target: string, body: object): Promise<{ id: number }> => {
    const answer = await fetch(address + API + target, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${target} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { id: number };
  };
  const { id } = await send('POST', '/events', {
    title: 'Event',
    start_date: '2027-03-01 20:00:00',
    end_date: '2027-03-01 22:00:00',
  });
  for (let revision = 2; revision < REVISIONS; revision++)
    await send('PUT', `/events/${id}`, { title: `Event, ${revision}` });
  const durations: number[] = [];
  for (let read = 0; read < HISTORY_READS + WARM_UP; read++) {
    const page = 1 + (read % 20);
    const took = await timed(`${address}${API}/events/${id}/history?per_page=50&page=${page}`, { authorization });
    if (read >= WARM_UP) durations.push(took);
  }
  const p99 = percentile(durations, 0.99);
  return [row(`history of ${REVISIONS} revisions, a page of 50, p99`, milliseconds(p99))];
}

export async function past(): Promise<Row[]> {
  const dataDir = temporaryFolder();
  const store = openSqliteEventStore({ file: path.join(dataDir, 'daybook.db') });
  await writeHistory(store, EVENTS);
  await store.close();
  const authorization = administrator(dataDir);
  const service = await startDaybook(dataDir);
  try {
    const rows = [...(await lists(service, authorization)), ...(await history(service, authorization))];
    return [...rows, row('resident memory of the process', `${Math.round(service.memory())} MiB`)];
  } finally {
    await service.stop();
  }
}
