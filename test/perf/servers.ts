// The log in EventStoreDB and the read model in Redis: what is written and read, as ratios to what the client of
// EventStoreDB does by itself with the same server, in turns. The server is that of the tests, in a process of its own, in
// memory and in JavaScript; `--esdb URL` names a real one, whose log may be thrown away. With `kurrentdb://`, or with
// DAYBOOK_TEST_CLIENT=kurrentdb for the server of the tests, the service has the newer client; the yardstick is the older one.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import autocannon from 'autocannon';
import { openEventStoreDb } from '../../src/log/eventstoredb/store.ts';
import { openSqliteEventStore } from '../../src/log/sqlite/store.ts';
import { SCHEME } from '../support/eventstoredb-server.ts';
import { withHashChain } from '../support/pipelines.ts';
import { nameOf } from '../support/real-eventstoredb.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { type BareRun, bareAppends, bareReadAll } from './bare-client.ts';
import { percentile } from './load.ts';
import { administrator, type Running, startDaybook, startEventStoreDbAlone, temporaryFolder } from './processes.ts';
import { type CalendarSize, fillStore, sampleStreams } from './sample-calendar.ts';
import { milliseconds, type Row, rate, row } from './table.ts';
import { bodyOf, conferences } from './writing.ts';

const CLIENTS = 32;
const TURNS = 4;
const SECONDS = 4;
const POSTS_IN_A_ROW = 150;
const SMALL: CalendarSize = { events: 10_000, venues: 200, organizers: 50, categories: 20, tags: 50 };
const LARGER: CalendarSize = { events: 50_000, venues: 1_000, organizers: 200, categories: 50, tags: 200 };
const eventsIn = ({ events, venues, organizers, categories, tags }: CalendarSize): number =>
  2 * (events + venues + organizers) + categories + tags;
const WORKS = 'the same, processor time of the command, of the event store, for each';
const WORKS_OF_READING = 'the same, processor time for each event';
const MIDDLE = 1_798_761_600;

type EventStoreDb = Pick<Running, 'address' | 'worked' | 'stop'>;

interface Servers {
  readonly esdb: EventStoreDb;
  /** Without subscriptions, for the yardstick; a real server is both. */
  readonly other: EventStoreDb;
  readonly redis: RedisServer;
  readonly dataDir: string;
  readonly settings: { readonly [name: string]: string };
}

const PARTS = { posting, importing, restoring, reading: readingLog };

/** For the title of a table: which client, and which server. */
export function ranAgainst(real: string): string {
  const scheme = real === '' ? SCHEME : real.replace(/:.*/, '');
  return `${scheme}://, ${real === '' ? 'the small server of the tests' : nameOf(real)}`;
}

/** The same server, for the older client: a process has one of them. */
const forOlder = (address: string): string => address.replace(/^(?:kurrentdb|kdb)\b/, 'esdb');

/** `real`: the connection string of a server; `''`: that of the tests. `only`: the parts whose names have it. */
export async function throughServers(real: string, only: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, part] of Object.entries(PARTS))
    if (name.includes(only)) rows.push(...(await withServers(real, part)));
  return rows;
}

async function withServers(real: string, work: (servers: Servers) => Promise<Row[]>): Promise<Row[]> {
  const redis = await startRedisServer();
  const open = async (): Promise<EventStoreDb> =>
    real === '' ? startEventStoreDbAlone() : { address: real, worked: () => 0, stop: async () => undefined };
  const [esdb, other] = [await open(), await open()];
  const settings = { DAYBOOK_EVENT_STORE: esdb.address, DAYBOOK_READ_MODEL: redis.url };
  try {
    return await work({ esdb, other, redis, dataDir: temporaryFolder(), settings });
  } finally {
    await esdb.stop();
    await other.stop();
    await redis.stop();
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const each = (work: number): string => `${work.toFixed(2)} ms`;

interface Posted {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Milliseconds of processor time for each, of the service and of the server. */
  readonly work: number;
  readonly served: number;
}

async function posting({ esdb, other, dataDir, settings }: Servers): Promise<Row[]> {
  const authorization = administrator(dataDir, settings);
  const service = await startDaybook(dataDir, settings);
  const target = { url: `${service.address}/calendar/events/v1/events`, authorization };
  const rows: Row[] = [];
  try {
    for (const clients of [1, CLIENTS]) {
      const bare: BareRun[] = [];
      const posted: Posted[] = [];
      for (let turn = 0; turn < TURNS; turn++) {
        const own = await bareAppends(forOlder(other.address), clients, SECONDS / 2);
        const result = await postedBy(clients, target, { service, esdb });
        // The first turn warms up.
        if (turn > 0) bare.push(own);
        if (turn > 0) posted.push(result);
      }
      rows.push(...(clients === 1 ? rowsInARow(bare, posted) : rowsAtOnce(bare, posted)));
      rows.push(...rowsOfWork(clients, bare, posted));
    }
  } finally {
    await service.stop();
  }
  return rows;
}

let titles = 0;

async function postedBy(
  clients: number,
  { url, authorization }: { readonly url: string; readonly authorization: string },
  { service, esdb }: { readonly service: Running; readonly esdb: Servers['esdb'] },
): Promise<Posted> {
  const headers = { authorization, 'content-type': 'application/json' };
  const before = [service.worked(), esdb.worked()] as const;
  const workEach = (count: number) => ({
    work: (service.worked() - before[0]) / count,
    served: (esdb.worked() - before[1]) / count,
  });
  if (clients > 1) {
    const result = await autocannon({
      ...{ url, headers, method: 'POST', connections: clients, duration: SECONDS },
      requests: [{ setupRequest: (request) => ({ ...request, body: bodyOf(`Event ${titles++}`) }) }],
    });
    if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} answers, ${result.errors} errors`);
    const { p50, p99 } = result.latency;
    return { perSecond: result.requests.average, p50, p99, ...workEach(result.requests.total) };
  }
  const durations: number[] = [];
  const began = performance.now();
  for (let index = 0; index < POSTS_IN_A_ROW; index++) {
    const started = performance.now();
    const answer = await fetch(url, { method: 'POST', headers, body: bodyOf(`Event ${titles++}`) });
    await answer.text();
    if (answer.status !== 201) throw new Error(`POST answered ${answer.status}`);
    durations.push(performance.now() - started);
  }
  const perSecond = durations.length / ((performance.now() - began) / 1_000);
  const [p50, p99] = [percentile(durations, 0.5), percentile(durations, 0.99)];
  return { perSecond, p50, p99, ...workEach(durations.length) };
}

function rowsInARow(bare: readonly BareRun[], posted: readonly Posted[]): Row[] {
  const [own, others] = [mean(posted.map(({ p50 }) => p50)), mean(bare.map(({ p50 }) => p50))];
  const measured = `${milliseconds(own)} : ${milliseconds(others)} = ${(own / others).toFixed(1)}`;
  return [
    row('POST /events, one client : a bare append, p50', measured, '< 6 ms', own < 6),
    row('POST /events, one client, p99', milliseconds(mean(posted.map(({ p99 }) => p99)))),
  ];
}

function rowsAtOnce(bare: readonly BareRun[], posted: readonly Posted[]): Row[] {
  const [own, others] = [mean(posted.map(({ perSecond }) => perSecond)), mean(bare.map(({ perSecond }) => perSecond))];
  const measured = `${rate(own)} : ${rate(others)} = ${(own / others).toFixed(2)}`;
  return [
    row(`POST /events, ${CLIENTS} clients : bare appends`, measured, '>= 0.3', own / others >= 0.3),
    row(`POST /events, ${CLIENTS} clients, p99`, milliseconds(mean(posted.map(({ p99 }) => p99)))),
  ];
}

function rowsOfWork(clients: number, bare: readonly BareRun[], posted: readonly Posted[]): Row[] {
  const measured = `${each(mean(posted.map(({ work }) => work)))} : ${each(mean(bare.map(({ work }) => work)))}`;
  return [
    row(`the same (${clients}), processor time of the service : of the bare client, each`, measured),
    row(`the same (${clients}), of the event store for each POST`, each(mean(posted.map(({ served }) => served)))),
  ];
}

interface Ran {
  readonly seconds: number;
  /** Milliseconds of processor time. */
  readonly work: number;
}

/** A command of Daybook, to its end. */
function ran(words: readonly string[], { dataDir, settings }: Pick<Servers, 'dataDir' | 'settings'>): Ran {
  const usage = path.join(temporaryFolder(), 'usage');
  const began = performance.now();
  execFileSync(process.execPath, ['--import', './test/perf/usage-probe.mjs', 'bin/daybook.mjs', ...words], {
    env: { ...process.env, DAYBOOK_DATA_DIR: dataDir, ...settings, USAGE_FILE: usage },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return { seconds: (performance.now() - began) / 1_000, work: Number(readFileSync(usage, 'utf8')) };
}

async function importing(servers: Servers): Promise<Row[]> {
  const { esdb, other } = servers;
  const file = path.join(servers.dataDir, 'conferences.json');
  const records = conferences();
  writeFileSync(file, JSON.stringify(records));
  const bare = await bareAppends(forOlder(other.address), CLIENTS, SECONDS);
  const before = esdb.worked();
  const { seconds, work } = ran(['import', file, '--map', 'examples/conferences.json'], servers);
  const perSecond = records.length / seconds;
  const measured = `${rate(perSecond)} : ${rate(bare.perSecond)} = ${(perSecond / bare.perSecond).toFixed(2)}`;
  return [
    row(
      `import of ${records.length} records, whole command : bare appends`,
      measured,
      '>= 1,500/s',
      perSecond >= 1_500,
    ),
    row(WORKS, worksOf([work, esdb.worked() - before], records.length)),
  ];
}

const worksOf = (works: readonly number[], count: number): string => works.map((work) => each(work / count)).join(', ');

/** A log in a file is moved to the server. */
async function restoring(servers: Servers): Promise<Row[]> {
  const { esdb, other } = servers;
  const folder = temporaryFolder();
  const file = path.join(folder, 'daybook.db');
  const log = openSqliteEventStore({ file });
  await fillStore(withHashChain(log), SMALL, MIDDLE);
  await log.close();
  const count = eventsIn(SMALL);
  const bare = await bareAppends(forOlder(other.address), CLIENTS, SECONDS);
  const before = esdb.worked();
  const { seconds, work } = ran(['restore', '--from', `sqlite:${file}`], {
    ...servers,
    settings: { ...servers.settings, DAYBOOK_KEYS: `sqlite:${path.join(folder, 'keys.db')}` },
  });
  const perSecond = count / seconds;
  const measured = `${rate(perSecond)} : ${rate(bare.perSecond)} = ${(perSecond / bare.perSecond).toFixed(2)}`;
  return [
    row(`restore of ${count} domain events, whole command : bare appends`, measured, '>= 5,000/s', perSecond >= 5_000),
    row(WORKS, worksOf([work, esdb.worked() - before], count)),
  ];
}

interface Read extends Ran {
  readonly events: number;
}

/** The whole log is read, as `verify` and a rebuild read it. */
async function readingLog({ esdb, dataDir, settings }: Servers): Promise<Row[]> {
  await fillAtOnce(forOlder(esdb.address));
  const env = { ...process.env, DAYBOOK_DATA_DIR: dataDir, ...settings };
  const rows: Row[] = [];
  for (const [way, aim] of [
    ['verify', 40_000],
    ['rebuild', 0],
  ] as const) {
    const [bare, own]: [BareRun[], Read[]] = [[], []];
    for (let turn = 0; turn < TURNS; turn++) {
      bare.push(await bareReadAll(forOlder(esdb.address)));
      // Into a read model that is empty.
      const DAYBOOK_DATA_DIR = temporaryFolder();
      const views = way === 'rebuild' ? { DAYBOOK_READ_MODEL: `sqlite:${DAYBOOK_DATA_DIR}/views.db` } : {};
      const printed = execFileSync(process.execPath, ['test/perf/read-once.ts', way], { env: { ...env, ...views } });
      own.push(JSON.parse(printed.toString()));
    }
    const perSecond = mean(own.map(({ events, seconds }) => events / seconds));
    const barePerSecond = mean(bare.map((run) => run.perSecond));
    const measured = `${rate(perSecond)} : ${rate(barePerSecond)} = ${(perSecond / barePerSecond).toFixed(2)}`;
    rows.push(
      aim > 0
        ? row(`${way} : bare readAll`, measured, `>= ${aim.toLocaleString('en')}/s`, perSecond >= aim)
        : row(`${way} : bare readAll`, measured),
      row(
        WORKS_OF_READING,
        micro([mean(own.map(({ events, work }) => work / events)), mean(bare.map(({ work }) => work))]),
      ),
    );
  }
  return rows;
}

const micro = (works: readonly number[]): string => works.map((work) => `${(work * 1_000).toFixed(1)} µs`).join(' : ');

/** Streams side by side: the log is only there to be read. */
async function fillAtOnce(connectionString: string): Promise<void> {
  const adapter = await openEventStoreDb({ connectionString });
  const store = withHashChain(adapter);
  const streams = sampleStreams(LARGER, MIDDLE);
  const fill = async (): Promise<void> => {
    for (const append of streams) await store.append([append]);
  };
  await Promise.all(Array.from({ length: CLIENTS }, fill));
  await store.close();
}
