// How lists of series compare with the same lists of single events: one process each, asked in turns, so that both see the same
// machine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openSqliteEventStore } from '../../src/log/sqlite/store.ts';
import { percentile } from './load.ts';
import { type Probed, startProbedDaybook, temporaryFolder } from './processes.ts';
import { type CalendarSize, fillStore, firstEventId, LARGE } from './sample-calendar.ts';
import { DATES_OF_EACH, fillWithSeries } from './series-calendar.ts';
import { milliseconds, type Row, row } from './table.ts';

const ROOT = '/calendar/events/v1';
const DAY_MS = 86_400_000;
const TURNS = 15;

type Query = (turn: number) => string;

const day = (offset: number): string => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);
const month = (turn: number): string => `start_date=${day(turn * 9 - 60)}&end_date=${day(turn * 9 - 30)}`;

/** Each turn is another list, so that none is a repeated one. */
const BOTH: readonly (readonly [what: string, target: string, query: Query])[] = [
  ['page of a month', '/events', month],
  ['page of the default window', '/events', (turn) => `per_page=${turn + 5}`],
  ['category and venue', '/events', (turn) => `categories=${turn + 1}&venue=${turn * 90 + 1}&${month(turn)}`],
  ['category', '/events', (turn) => `categories=${turn + 1}&per_page=${turn + 5}`],
  ['search of a common word', '/events', (turn) => `search=concert&per_page=${turn + 5}`],
  ['calendar of a category', '/events.ics', (turn) => `categories=${turn + 1}`],
  ['calendar of everything', '/events.ics', (turn) => `start_date=${day(turn - 60)}`],
];

const COLLAPSED: readonly (readonly [what: string, target: string, query: Query])[] = [
  ['next date of each series, a month', '/events', (turn) => `collapse=series&${month(turn)}`],
  ['next date of each series, default window', '/events', (turn) => `collapse=series&per_page=${turn + 5}`],
  ['dates of one series', '/events', (turn) => `series=${firstEventId(LARGE) + turn}&start_date=2000-01-01`],
  ['list of series', '/series', (turn) => `page=${turn + 1}`],
];

interface Filled {
  readonly dataDir: string;
  readonly seconds: number;
  /** MiB. */
  readonly peak: number;
}

/** The two calendars, side by side: `count` series, and ten times as many single events. */
export async function series(count: number): Promise<Row[]> {
  const now = Math.floor(Date.now() / 1000);
  const singles = { ...LARGE, events: count * 10 };
  const size = { ...LARGE, events: count };
  const single = await filled((store) => fillStore(store, singles, now));
  const repeating = await filled((store) => fillWithSeries(store, size, now));
  const rows = [...fillRows(single, repeating, size)];
  const plain = await startProbedDaybook(single.dataDir);
  const ours = await startProbedDaybook(repeating.dataDir);
  try {
    for (const [what, target, query] of BOTH) {
      const asked = (turn: number): string => `${target}?${query(turn)}`;
      const theirs: Measured = { took: [], busy: [], bytes: 0 };
      const those: Measured = { took: [], busy: [], bytes: 0 };
      for (let turn = 0; turn < TURNS; turn++) {
        await measure(plain, asked(turn), theirs);
        await measure(ours, asked(turn), those);
      }
      rows.push(comparedRow(what, those, theirs));
    }
    for (const [what, target, query] of COLLAPSED) {
      const those: Measured = { took: [], busy: [], bytes: 0 };
      for (let turn = 0; turn < TURNS; turn++) await measure(ours, `${target}?${query(turn)}`, those);
      rows.push(row(what, told(those)));
    }
    rows.push(row('resident memory', `${Math.round(ours.memory())} : ${Math.round(plain.memory())} MiB`));
  } finally {
    await plain.stop();
    await ours.stop();
  }
  return rows;
}

type Fill = (store: ReturnType<typeof openSqliteEventStore>) => Promise<void>;

/** A log, and the read model that the service itself makes of it. */
async function filled(fill: Fill): Promise<Filled> {
  const dataDir = temporaryFolder();
  const store = openSqliteEventStore({ file: path.join(dataDir, 'daybook.db') });
  await fill(store);
  await store.close();
  const begun = performance.now();
  const child = spawn(process.execPath, ['bin/daybook.mjs', 'rebuild'], {
    env: { ...process.env, DAYBOOK_DATA_DIR: dataDir, DAYBOOK_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid));
  }, 200);
  const [code] = await once(child, 'exit');
  clearInterval(watch);
  if (code !== 0) throw new Error(`the rebuild ended with ${code}`);
  return { dataDir, seconds: (performance.now() - begun) / 1000, peak };
}

/** 0 for a process that has ended. */
function peakOf(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function fillRows(single: Filled, repeating: Filled, { events }: CalendarSize): Row[] {
  const [dates, ten] = [events * DATES_OF_EACH, events * 10];
  const [ours, theirs] = [(1e6 * repeating.seconds) / dates, (1e6 * single.seconds) / ten];
  const count = (number: number): string => number.toLocaleString('en');
  return [
    row(
      `rebuild of ${count(dates)} dates of ${count(events)} series : of ${count(ten)} events`,
      `${repeating.seconds.toFixed(0)} : ${single.seconds.toFixed(0)} s`,
    ),
    row('the same for each event', `${ours.toFixed(0)} : ${theirs.toFixed(0)} us = ${(ours / theirs).toFixed(2)}`),
    row('peak of resident memory', `${Math.round(repeating.peak)} : ${Math.round(single.peak)} MiB`),
  ];
}

interface Measured {
  readonly took: number[];
  readonly busy: number[];
  bytes: number;
}

async function measure(service: Probed, target: string, into: Measured): Promise<void> {
  await service.begin();
  const begun = performance.now();
  const answer = await fetch(`${service.address}${ROOT}${target}`);
  const { byteLength } = await answer.arrayBuffer();
  into.took.push(performance.now() - begun);
  if (answer.status !== 200) throw new Error(`${target}: ${answer.status}`);
  into.bytes = Math.max(into.bytes, byteLength);
  into.busy.push((await service.end()).busy);
}

const told = ({ took, busy, bytes }: Measured): string =>
  `${milliseconds(percentile(took, 0.5))}, hold ${Math.max(...busy).toFixed(1)} ms, ${Math.round(bytes / 1000)} kB`;

function comparedRow(what: string, ours: Measured, theirs: Measured): Row {
  const [took, other] = [ours, theirs].map((one) => percentile(one.took, 0.5));
  const ratio = (took ?? 0) / (other ?? 1);
  return row(what, `${told(ours)} : ${told(theirs)} = ${ratio.toFixed(2)}`);
}
