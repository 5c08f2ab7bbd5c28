// How fast views are filled from a long log, and how much memory that takes.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { openSqliteEventStore } from '../../src/event-store/sqlite/store.ts';
import { startRedisServer } from '../support/redis-server.ts';
import { writeHistory } from './long-history.ts';
import { temporaryFolder } from './processes.ts';
import { type Row, rate, row } from './table.ts';

const LARGE_LOG = 1_000_000;
const MAX_MEMORY = 600;

interface Replayed {
  readonly seconds: number;
  /** Of all processors, the start of the process included. */
  readonly processor: number;
  readonly events: number;
  /** MiB. */
  readonly peak: number;
}

/** The built code fills views from a log, in a process of its own. */
const replayed = (log: string, views: string): Replayed =>
  JSON.parse(execFileSync(process.execPath, ['test/perf/replay-once.mjs', log, views]).toString());

function rowsOf(engine: string, { seconds, processor, events, peak }: Replayed, aim: number): Row[] {
  const perSecond = events / seconds;
  const what = `views of ${events.toLocaleString('en')} domain events, ${engine}`;
  return [
    row(what, rate(perSecond), `>= ${aim.toLocaleString('en')}/s`, perSecond >= aim),
    row(`processor time of it, ${engine}`, `${processor.toFixed(1)} s`),
    row(`peak of resident memory, ${engine}`, `${Math.round(peak)} MiB`, `< ${MAX_MEMORY} MiB`, peak < MAX_MEMORY),
  ];
}

export async function replaying(): Promise<Row[]> {
  const folder = temporaryFolder();
  const log = path.join(folder, 'log.db');
  const store = openSqliteEventStore({ file: log });
  await writeHistory(store, LARGE_LOG);
  await store.close();
  const embedded = rowsOf('SQLite', replayed(log, path.join(folder, 'views.db')), 60_000);
  const redis = await startRedisServer();
  try {
    return [...embedded, ...rowsOf('Redis', replayed(log, redis.url), 20_000)];
  } finally {
    await redis.stop();
  }
}
