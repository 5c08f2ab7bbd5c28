// The same calendar with its views in Redis: lists, the projector's pace, and how far views lag behind writes.
import path from 'node:path';
import { openStores } from '../../src/composition.ts';
import { readConfig } from '../../src/config.ts';
import { LOG_START } from '../../src/log/envelope.ts';
import { openSqliteEventStore } from '../../src/log/sqlite/store.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { load, percentile } from './load.ts';
import { administrator, type Running, startDaybook, temporaryFolder } from './processes.ts';
import { filteredPaths, repeatedList, searchPaths } from './reading.ts';
import { fillStore, LARGE } from './sample-calendar.ts';
import { milliseconds, type Row, rate, row } from './table.ts';

const SECONDS = 8;
const CONNECTIONS = 32;
const WRITES_PER_SECOND = 200;
const ROOT = '/calendar/events/v1';

interface Setting {
  readonly dataDir: string;
  readonly redis: RedisServer;
  readonly settings: { readonly [name: string]: string };
}

export async function engines(): Promise<Row[]> {
  const redis = await startRedisServer();
  const dataDir = temporaryFolder();
  const setting: Setting = { dataDir, redis, settings: { DAYBOOK_READ_MODEL: redis.url } };
  try {
    return [...(await filling(setting)), ...(await lists(setting)), ...(await lagging(setting))];
  } finally {
    await redis.stop();
  }
}

/** Fills empty views from the log. */
async function filling({ dataDir, settings }: Setting): Promise<Row[]> {
  const log = openSqliteEventStore({ file: path.join(dataDir, 'daybook.db') });
  await fillStore(log, LARGE, Math.floor(Date.now() / 1000));
  const events = (await log.readAll({ after: LOG_START, limit: 10_000_000 })).length;
  await log.close();
  const stores = await openStores(readConfig({ DAYBOOK_DATA_DIR: dataDir, ...settings }));
  const begun = performance.now();
  await stores.project();
  const seconds = (performance.now() - begun) / 1000;
  await stores.close();
  const perSecond = events / seconds;
  return [row(`views filled from ${events} domain events`, rate(perSecond), '>= 20,000/s', perSecond >= 20_000)];
}

async function lists({ dataDir, settings }: Setting): Promise<Row[]> {
  const service = await startDaybook(dataDir, settings);
  const terms = { url: service.address, seconds: SECONDS, connections: CONNECTIONS };
  await load({ ...terms, nextPath: filteredPaths(), seconds: 3 });
  const filtered = await load({ ...terms, nextPath: filteredPaths() });
  const searched = await load({ ...terms, nextPath: searchPaths(), connections: 1 });
  const rows = [
    row('first-time list, 32 connections', rate(filtered.perSecond), '>= 4,000/s', filtered.perSecond >= 4_000),
    row('first-time list, 32 connections, p99', milliseconds(filtered.p99), '< 25 ms', filtered.p99 < 25),
    ...(await repeatedList(service)),
    row('first-time search of a common word, p50', milliseconds(searched.p50)),
    row('first-time search of a common word, p99', milliseconds(searched.p99)),
    row('resident memory of the process', `${Math.round(service.memory())} MiB`),
  ];
  await service.stop();
  return rows;
}

/** A write answers once the views show it, so its duration is never shorter than the lag. */
async function lagging({ dataDir, settings }: Setting): Promise<Row[]> {
  const authorization = administrator(dataDir, settings);
  const projector = await startDaybook(dataDir, settings, ['--role', 'projector']);
  const api = await startDaybook(dataDir, settings, ['--role', 'api']);
  await pacedWrites(api, authorization, 2);
  const durations = await pacedWrites(api, authorization, SECONDS);
  await api.stop();
  await projector.stop();
  const p99 = percentile(durations, 0.99);
  const perSecond = durations.length / SECONDS;
  return [
    row(`POST at ${rate(perSecond)} until views show it, p50`, milliseconds(percentile(durations, 0.5))),
    row(`POST at ${rate(perSecond)} until views show it, p99`, milliseconds(p99), '< 100 ms', p99 < 100),
  ];
}

async function pacedWrites({ address }: Running, authorization: string, seconds: number): Promise<number[]> {
  const durations: number[] = [];
  const begun = performance.now();
  const writes: Promise<void>[] = [];
  for (let number = 0; number < seconds * WRITES_PER_SECOND; number++) {
    const due = begun + (number * 1000) / WRITES_PER_SECOND;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    writes.push(writeOne(address, authorization, number).then((duration) => void durations.push(duration)));
  }
  await Promise.all(writes);
  return durations;
}

async function writeOne(address: string, authorization: string, number: number): Promise<number> {
  const sent = performance.now();
  const answer = await fetch(`${address}${ROOT}/events`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({
      title: `Paced ${number}`,
      start_date: '2027-05-01 10:00:00',
      end_date: '2027-05-01 12:00:00',
    }),
  });
  const views = answer.headers.get('x-daybook-views');
  if (answer.status !== 201 || views !== null)
    throw new Error(`${answer.status}, views ${views}: ${await answer.text()}`);
  await answer.arrayBuffer();
  return performance.now() - sent;
}
