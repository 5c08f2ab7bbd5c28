// How fast views are filled from a long log, and how much memory that takes.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { openSqliteEventStore } from '../../src/log/sqlite/store.ts';
import { startRedisServer } from '../support/redis-server.ts';
import { writeHistory } from './long-history.ts';
import { temporaryFolder } from './processes.ts';
import { type Row, rate, row } from './table.ts';

const LARGE_LOG = 1_000_000;
const MAX_MEMORY = 600;

interface Replayed {
  readonly seconds: number;
  /** Milliseconds of all processors. */
  readonly work: number;
  readonly events: number;
  /** MiB. */
  readonly peak: number;
}

/** A process of its own fills an empty read model, through all stages of the log. */
const replayed = (log: string, readModel: string): Replayed => {
  const settings = {
    DAYBOOK_DATA_DIR: temporaryFolder(),
    DAYBOOK_EVENT_STORE: `sqlite:${log}`,
    DAYBOOK_READ_MODEL: readModel,
  };
  const env = { ...process.env, ...settings };
  return JSON.parse(execFileSync(process.execPath, ['test/perf/read-once.ts', 'rebuild'], { env }).toString());
};

function rowsOf(engine: string, { seconds, work, events, peak }: Replayed, aim: number): Row[] {
  const perSecond = events / seconds;
  const what = `views of ${events.toLocaleString('en')} domain events, ${engine}`;
  return [
    row(what, rate(perSecond), `>= ${aim.toLocaleString('en')}/s`, perSecond >= aim),
    row(`processor time of it, ${engine}`, `${(work / 1_000).toFixed(1)} s`),
    row(`peak of resident memory, ${engine}`, `${Math.round(peak)} MiB`, `< ${MAX_MEMORY} MiB`, peak < MAX_MEMORY),
  ];
}

export async function replaying(): Promise<Row[]> {
  const folder = temporaryFolder();
  const log = path.join(folder, 'log.db');
  const store = openSqliteEventStore({ file: log });
  await writeHistory(store, LARGE_LOG);
  await store.close();
  const embedded = rowsOf('SQLite', replayed(log, `sqlite:${path.join(folder, 'views.db')}`), 90_000);
  const redis = await startRedisServer();
  try {
    return [...embedded, ...rowsOf('Redis', replayed(log, redis.url), 35_000)];
  } finally {
    await redis.stop();
  }
}
