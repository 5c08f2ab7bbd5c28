// For how long one request holds the event loop, and so all other requests: the worst requests of each route, one by one.

import http from 'node:http';
import path from 'node:path';
import { openSqliteEventStore } from '../../src/log/sqlite/store.ts';
import { startRedisServer } from '../support/redis-server.ts';
import { addWorst } from './holding-calendar.ts';
import { OTHER_QUESTIONS } from './holding-pages.ts';
import { QUESTIONS, type Question } from './holding-requests.ts';
import { administrator, type Hold, type Probed, startProbedDaybook, temporaryFolder } from './processes.ts';
import { fillStore, LARGE } from './sample-calendar.ts';
import { type Row, row } from './table.ts';

const ROOT = '/calendar/events/v1';
/** So that other interfaces and the form for visitors are asked as well. */
const EVERYTHING_ON = {
  DAYBOOK_PREFIX_ALIASES: 'wp-json/tribe/events/v1',
  DAYBOOK_SUBMISSIONS: 'on',
  DAYBOOK_RATE_LIMIT: '0',
};

const AIM_MS = 20;
const TRIES = 3;
const PATIENCE = 10;

/** `only`: a part of what is asked, by route and name. `settings`: for another read model. */
export async function holding(only = '', settings: { readonly [name: string]: string } = {}): Promise<Row[]> {
  const dataDir = temporaryFolder();
  const now = Math.floor(Date.now() / 1000);
  const store = openSqliteEventStore({ file: path.join(dataDir, 'daybook.db') });
  await fillStore(store, LARGE, now);
  await addWorst(store, now);
  await store.close();
  const authorization = administrator(dataDir, settings);
  const service = await startProbedDaybook(dataDir, { ...EVERYTHING_ON, ...settings });
  const rows: Row[] = [];
  try {
    for (const question of [...QUESTIONS, ...OTHER_QUESTIONS])
      if (`${question.route} ${question.what}`.includes(only)) rows.push(await held(service, question, authorization));
  } finally {
    await service.stop();
  }
  return rows;
}

/** The same with a Redis of its own for the read model. */
export async function holdingOnRedis(only: string): Promise<Row[]> {
  const redis = await startRedisServer();
  try {
    return await holding(only, { DAYBOOK_READ_MODEL: redis.url });
  } finally {
    await redis.stop();
  }
}

async function held(service: Probed, question: Question, authorization: string): Promise<Row> {
  const tries: Hold[] = [];
  let last = { status: 0, bytes: 0, took: 0 };
  for (let turn = 0; turn < (question.once ? 1 : TRIES); turn++) {
    for (let again = 0; again < PATIENCE; again++) {
      await service.begin();
      last = await ask(service.address, question, turn, authorization);
      tries.push(await service.end());
      if (last.status !== 503) break;
      // After a long hold the service refuses for a moment.
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
  const { expected = 200 } = question;
  const { status, bytes, took } = last;
  const size = bytes < 100_000 ? '' : `, ${(bytes / 1_000_000).toFixed(1)} MB`;
  const unexpected = status === expected ? '' : ` instead of ${expected}`;
  if (unexpected) process.exitCode = 1;
  return row(
    `${question.method ?? 'GET'} ${question.route}: ${question.what}`,
    `${told(tries)} (${status}${unexpected} in ${Math.round(took)} ms${size})`,
    `< ${AIM_MS} ms`,
    !unexpected && tries.every(({ late }) => late < AIM_MS),
  );
}

/** The first try, before anything was cached or compiled, the worst and the least; of each the most processor time of a hold. */
function told(tries: readonly Hold[]): string {
  const byLength = tries.toSorted((one, other) => one.busy - other.busy);
  const shown = (hold: Hold | undefined): string =>
    hold ? `${hold.late.toFixed(1)} (processor ${hold.busy.toFixed(1)}${ofGarbage(hold)})` : '';
  return `first ${shown(tries[0])}, worst ${shown(byLength.at(-1))}, least ${shown(byLength[0])} ms`;
}

const ofGarbage = ({ collected }: Hold): string => (collected < 1 ? '' : `, garbage ${collected.toFixed(1)}`);

function ask(
  address: string,
  {
    route,
    path: target = route,
    query,
    method = 'GET',
    body,
    contentType = 'application/json',
    headers: own,
    signedIn,
    origin,
    below,
  }: Question,
  turn: number,
  authorization: string,
): Promise<{ readonly status: number; readonly bytes: number; readonly took: number }> {
  const parameters = query ? `?${new URLSearchParams(query(turn))}` : '';
  const sent = body?.(turn);
  const headers = {
    ...own,
    ...(signedIn && { authorization }),
    ...(origin && { origin: address }),
    ...(sent !== undefined && { 'content-type': contentType, 'content-length': String(Buffer.byteLength(sent)) }),
  };
  const asked = performance.now();
  return new Promise((resolve, reject) => {
    const request = http.request(
      `${address}${below === 'site' ? '' : ROOT}${target}${parameters}`,
      { method, headers },
      (response) => {
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, bytes, took: performance.now() - asked }));
      },
    );
    request.on('error', reject);
    request.end(sent);
  });
}
