// How fast views are filled from a long log, and how much memory that takes.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { openSqliteEventStore } from '../../src/event-store/sqlite.ts';
import { writeHistory } from './long-history.ts';
import { temporaryFolder } from './processes.ts';
import { type Row, rate, row } from './table.ts';

const LARGE_LOG = 1_000_000;
const PAST_LOG = 100_000;
const MOST_MEMORY = 600;

interface Replayed {
  readonly seconds: number;
  readonly events: number;
  /** MiB. */
  readonly peak: number;
}

/** A log of so many domain events, and the views of it in a file or in memory. */
async function replayed(events: number, views: 'file' | 'memory'): Promise<Replayed> {
  const folder = temporaryFolder();
  const log = path.join(folder, 'log.db');
  const store = openSqliteEventStore({ file: log });
  await writeHistory(store, events);
  await store.close();
  const target = views === 'file' ? path.join(folder, 'views.db') : ':memory:';
  return JSON.parse(execFileSync(process.execPath, ['test/perf/replay-once.mjs', log, target]).toString());
}

export async function replaying(): Promise<Row[]> {
  const rebuild = await replayed(LARGE_LOG, 'file');
  const perSecond = rebuild.events / rebuild.seconds;
  const past = await replayed(PAST_LOG, 'memory');
  const size = (events: number): string => `${events.toLocaleString('en')} domain events`;
  return [
    row(`views of ${size(rebuild.events)}, SQLite`, rate(perSecond), '>= 60,000/s', perSecond >= 60_000),
    row('peak of resident memory', `${Math.round(rebuild.peak)} MiB`, '< 600 MiB', rebuild.peak < MOST_MEMORY),
    row(`the past of ${size(past.events)}, in memory`, `${past.seconds.toFixed(2)} s`, '< 2 s', past.seconds < 2),
  ];
}
