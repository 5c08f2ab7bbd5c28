// `npm run bench:lists`: lists of Daybook and of a plain Fastify with PostgreSQL, over the same events, in turns, loaded by wrk on this
// machine. Writes one table (bench/results/README.md) and the raw results beside it. `--events N` takes a smaller calendar than
// 100,000, `--seconds N` shorter turns, 0 none: to try it
// out, for such results are written to no file.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { calendarOf } from '../test/perf/listing.ts';
import { type Running, startDaybook, startServer } from '../test/perf/processes.ts';
import { LARGE } from '../test/perf/sample-calendar.ts';
import { type WrkResult, wrk } from '../test/perf/wrk.ts';
import { startPostgres } from './postgres.ts';
import { ROOT, type Shape, shapesOf } from './shapes.ts';
import { copyEvents } from './tables.ts';

const RESULTS = path.join(import.meta.dirname, 'results');
const CONNECTIONS = 32;
/** The first one warms up. */
const TURNS = 4;
/** Answers that are compared before any is timed: a peer that finds other events would be no yardstick. */
const COMPARED = 25;

const { values } = parseArgs({
  options: { events: { type: 'string' }, seconds: { type: 'string', default: '5' } },
});
const size = { ...LARGE, ...(values.events !== undefined && { events: Number(values.events) }) };
const seconds = Number(values.seconds);
const isTrial = values.events !== undefined || seconds < 5;

type Server = Pick<Running, 'address' | 'worked'>;
type Turn = Pick<WrkResult, 'perSecond' | 'p50' | 'p99' | 'work'>;

interface Measured {
  readonly what: string;
  /** How many answers of a sample show no event. */
  readonly empty: number;
  readonly daybook: readonly Turn[];
  readonly peer: readonly Turn[];
}

interface Answer {
  readonly id?: number;
  readonly total?: number;
  readonly events?: readonly { readonly id: number }[];
}

/** Ids and total of each of the first answers; a page behind the last one has none. */
async function shownBy(address: string, paths: readonly string[]): Promise<string[]> {
  const shown: string[] = [];
  for (const one of paths) {
    const { id, total, events = [] } = (await (await fetch(address + one)).json()) as Answer;
    shown.push(JSON.stringify([id, total, events.map((event) => event.id)]));
  }
  return shown;
}

/** The part of the paths that a turn asks for. */
const part = (paths: readonly string[], turn: number): readonly string[] =>
  paths.length === 1 ? paths : paths.slice((turn * paths.length) / TURNS, ((turn + 1) * paths.length) / TURNS);

async function measure({ what, paths }: Shape, daybook: Server, peer: Server): Promise<Measured> {
  const sample = paths.slice(-COMPARED);
  const shown = await shownBy(`${daybook.address}${ROOT}`, sample);
  const others = await shownBy(peer.address, sample);
  for (const [at, one] of shown.entries())
    if (one !== others[at]) throw new Error(`${sample[at]}: ${one} here, ${others[at]} there`);
  const [own, theirs]: [Turn[], Turn[]] = [[], []];
  for (let turn = 0; seconds > 0 && turn < TURNS; turn++) {
    const asked = part(paths, turn);
    const load = { seconds, connections: CONNECTIONS };
    own.push(await wrk({ server: daybook, paths: asked.map((one) => ROOT + one), ...load }));
    theirs.push(await wrk({ server: peer, paths: asked, ...load }));
  }
  const empty = shown.filter((one) => /^\[null,.*,\[\]\]$/.test(one)).length;
  return { what, empty, daybook: own.slice(1), peer: theirs.slice(1) };
}

const versionOf = (name: string): string =>
  (JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')) as { readonly version: string }).version;

function saidBy(program: string, words: readonly string[]): string {
  try {
    return execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  } catch (error) {
    // wrk ends with 1 after it has said its version.
    return error instanceof Error && 'stdout' in error ? String(error.stdout).trim() : '';
  }
}

const median = (turns: readonly Turn[], of: (turn: Turn) => number): number =>
  turns.map(of).sort((one, other) => one - other)[Math.floor(turns.length / 2)] ?? 0;

const said = (value: number, digits = 0): string =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

function lineOf({ what, empty, daybook, peer }: Measured): string {
  const both = [daybook, peer] as const;
  const rates = both.map((turns) => median(turns, ({ perSecond }) => perSecond));
  const [own = 0, theirs = 1] = rates;
  return [
    `${what} (${empty} of ${COMPARED} empty)`,
    ...rates.map((rate) => said(rate)),
    (own / theirs).toFixed(2),
    ...both.map(
      (turns) =>
        `${said(
          median(turns, ({ p50 }) => p50),
          1,
        )}, ${said(
          median(turns, ({ p99 }) => p99),
          1,
        )}`,
    ),
    ...both.map((turns) => said(median(turns, ({ work }) => work))),
  ].join(' | ');
}

interface Report {
  readonly measured: string;
  readonly commit: string;
  readonly events: number;
  readonly machine: { readonly [member: string]: string | number };
  readonly versions: { readonly [name: string]: string };
  readonly shapes: readonly Measured[];
}

const tableOf = ({ measured, commit, events, machine, versions, shapes }: Report): string => `# Lists of calendars

Written by \`npm run bench:lists\` (${measured}, commit ${commit}): ${said(events)} events, ${CONNECTIONS} connections of wrk on the same machine, the
median of ${TURNS - 1} turns of ${seconds} s after one that warms up, Daybook and peer in turns. Raw results: [lists.json](lists.json).

${Object.entries({ ...machine, ...versions })
  .map(([name, value]) => `${name} ${value}`)
  .join('; ')}.

| list | Daybook, requests/s | Fastify and PostgreSQL, requests/s | ratio | Daybook p50, p99 ms | peer p50, p99 ms | Daybook, µs of processor a request | peer and its database, µs |
|---|---|---|---|---|---|---|---|
${shapes.map((shape) => `| ${lineOf(shape)} |\n`).join('')}`;

const { dataDir } = await calendarOf(size);
const service = await startDaybook(dataDir);
const database = await startPostgres();
await copyEvents(service.address, database.url);
const program = await startServer(path.join(import.meta.dirname, 'peer.mjs'), { PG_URL: database.url });
const peer = { address: program.address, worked: () => program.worked() + database.worked() };
const loadBefore = os.loadavg()[0]?.toFixed(1) ?? '';
const shapes: Measured[] = [];
try {
  for (const shape of shapesOf(size, Date.now())) shapes.push(await measure(shape, service, peer));
} finally {
  await Promise.all([service.stop(), program.stop()]);
  await database.stop();
}

const report: Report = {
  measured: new Date().toISOString().slice(0, 10),
  commit: saidBy('git', ['rev-parse', '--short=8', 'HEAD']),
  events: size.events,
  machine: {
    processor: os.cpus()[0]?.model ?? '',
    cores: os.cpus().length,
    'memory GiB': Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release()}`,
    load: `${loadBefore} before`,
  },
  versions: {
    Node: process.versions.node,
    Fastify: versionOf('fastify'),
    pg: versionOf('pg'),
    'better-sqlite3': versionOf('better-sqlite3'),
    PostgreSQL: database.version,
    wrk: /\d+\.\d+\S*/.exec(saidBy('wrk', ['-v']))?.[0] ?? '',
  },
  shapes,
};
const table = tableOf(report);
process.stdout.write(table);
if (!isTrial) {
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(path.join(RESULTS, 'lists.json'), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(path.join(RESULTS, 'README.md'), table);
}
