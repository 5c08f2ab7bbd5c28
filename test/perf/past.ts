// What looks into the past cost: lists as of an instant, other readers meanwhile, and a long history.
import path from 'node:path';
import { openSqliteEventStore } from '../../src/event-store/sqlite/store.ts';
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

async function timed(url: string, headers: { readonly [name: string]: string } = {}): Promise<number> {
  const started = performance.now();
  const answer = await fetch(url, { headers });
  await answer.text();
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
  return performance.now() - started;
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

async function lists({ address }: Running): Promise<Row[]> {
  const firsts: number[] = [];
  const nexts: number[] = [];
  const others: number[] = [];
  const searches: number[] = [];
  for (const at of INSTANTS) {
    const list = `${address}${API}/events?as_of=${at}`;
    const [first, longest] = await whileReading(`${address}${API}/venues?per_page=1`, timed(list));
    firsts.push(first);
    others.push(longest);
    nexts.push(await timed(`${list}&page=2`), await timed(list), await timed(`${list}&featured=1&starts_after=now`));
    searches.push(await timed(`${list}&search=concert`));
  }
  const [cold = 0, ...warm] = firsts;
  const median = percentile(warm, 0.5);
  const next = Math.max(...nexts);
  const what = `list as of an instant, ${EVENTS.toLocaleString('en')} domain events`;
  return [
    row(`${what}, first of the process`, `${(cold / 1000).toFixed(2)} s`, '< 2 s', cold < 2_000),
    row(`${what}, first at an instant, median`, `${(median / 1000).toFixed(2)} s`, '< 2 s', median < 2_000),
    row('… the same, first that searches, median', `${(percentile(searches, 0.5) / 1000).toFixed(2)} s`),
    row('… next at the same instant, slowest of all', milliseconds(next), '< 10 ms', next < 10),
    row('… another reader meanwhile, longest wait, median', milliseconds(percentile(others, 0.5))),
  ];
}

const DAY = 86_400;
const DAYS_AHEAD = [1, 30, 90, 180, 365];
/** Proposals of events that a list ahead counts as carried out. */
const PROPOSED = 20;

/** The same lists at instants to come, and with a set of proposals that has not been applied. */
async function listsAhead({ address }: Running, authorization: string): Promise<Row[]> {
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
  const { id: set } = await post('/sets', { name: 'Programme', proposals });
  const now = Math.floor(Date.now() / 1000);
  const firsts: number[] = [];
  const nexts: number[] = [];
  const withSet: number[] = [];
  for (const days of DAYS_AHEAD) {
    const list = `${address}${API}/events?as_of=${now + days * DAY}`;
    firsts.push(await timed(list, headers));
    nexts.push(await timed(`${list}&page=2`, headers), await timed(list, headers));
    withSet.push(await timed(`${list}&with=set:${set}`, headers));
  }
  const seconds = (durations: readonly number[]): string => `${(percentile([...durations], 0.5) / 1000).toFixed(2)} s`;
  const next = Math.max(...nexts);
  return [
    row('list ahead, first at an instant, median', seconds(firsts), '< 2 s', percentile(firsts, 0.5) < 2_000),
    row('… next at the same instant, slowest of all', milliseconds(next), '< 10 ms', next < 10),
    row(`… with a set of ${PROPOSED}, median`, seconds(withSet), '< 2 s', percentile(withSet, 0.5) < 2_000),
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
    const ahead = await listsAhead(service, authorization);
    const rows = [...(await lists(service)), ...ahead, ...(await history(service, authorization))];
    return [...rows, row('resident memory of the process', `${Math.round(service.memory())} MiB`)];
  } finally {
    await service.stop();
  }
}
