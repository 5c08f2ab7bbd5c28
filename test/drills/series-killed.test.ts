// `kill -9` while the dates of series are taken further ahead, at random instants and at every append: in the end each date
// exists once, under the id that it had from the beginning, and the read model is that of a rebuild.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../projections/catalogue.ts';
import { openStores } from '../../src/composition.ts';
import { readConfig } from '../../src/config.ts';
import { formatCivil, parseCivil } from '../../src/kernel/time/civil-time.ts';
import type { EpochSeconds } from '../../src/kernel/time/zone.ts';
import { catchUp } from '../../src/read-model/projector/catch-up.ts';
import { openSqliteReadModel } from '../../src/read-model/sqlite/open.ts';
import { startService } from '../../src/service.ts';
import { type AppendFault, type EventStoreDbServer, startEventStoreDb } from '../support/eventstoredb-server.ts';
import { killedAt, until } from '../support/killed-appends.ts';
import { serving } from '../support/process.ts';
import { type Body, NOON, PREFIX, someEvent, startTestService, temporaryFolder } from '../support/service.ts';
import { viewsDump } from '../support/views-dump.ts';

type Settings = { readonly [name: string]: string };

const ROUNDS = Number(process.env.DAYBOOK_DRILL_ROUNDS ?? 1);
const DAY = 86_400;
const HOUR = 3_600;
const HORIZON = 731 * DAY;
/** What a series may be short of at most. */
const SHORT = 30 * DAY;
/** Between two rounds: more than that, so that each series takes a step in each. */
const ROUND = SHORT + DAY;
/** The first dates of all series are on this day, and their horizon is counted from it. */
const START = '2026-11-21 19:00:00';
const END = '2026-11-21 21:00:00';

interface Rule {
  readonly rrule: string;
  /** From one date to the next. */
  readonly days: number;
}

const RULES: readonly Rule[] = [
  { rrule: 'FREQ=WEEKLY', days: 7 },
  { rrule: 'FREQ=DAILY;INTERVAL=3', days: 3 },
  { rrule: 'FREQ=WEEKLY;INTERVAL=2', days: 14 },
];
const SERIES: readonly Rule[] = Array.from({ length: 8 }, () => RULES).flat();
/** A step is written, and a kill comes, within so many milliseconds. */
const KILL_WITHIN_MS = 12;

/** A process whose clock is at an instant when it starts; each `SIGWINCH` puts it on by so many seconds. */
function atInstant(settings: Settings, at: EpochSeconds, jump: number): Settings {
  const script =
    `{const now=Date.now;let shift=${at * 1000}-now();Date.now=()=>now()+shift;` +
    `process.on('SIGWINCH',()=>{shift+=${jump * 1000}})}`;
  return { ...settings, NODE_OPTIONS: `--import "data:text/javascript,${script}"` };
}

/** Ids by the wall clocks at which they begin. */
type Dates = ReadonlyMap<string, number>;
type Get = (target: string) => Promise<Body>;

async function datesOf(get: Get, series: number): Promise<Dates> {
  const found = new Map<string, number>();
  for (let page = 1; ; page += 1) {
    const query = `series=${series}&start_date=2000-01-01&end_date=2100-01-01&per_page=100&page=${page}`;
    const { events, total_pages: pages } = await get(`/events?${query}`);
    for (const { id, start_date: date } of events) {
      assert.not(found.has(date), `${date} of ${series} is there twice`);
      found.set(date, id);
    }
    if (page >= pages) return found;
  }
}

/** Published series with these rules; their dates by their ids. */
async function opened(settings: Settings, rules: readonly Rule[]): Promise<ReadonlyMap<number, Dates>> {
  const daybook = await startTestService({ environment: settings });
  const get: Get = async (target) => (await daybook.get(target)).body;
  const known = new Map<number, Dates>();
  for (const { rrule } of rules) {
    const event = someEvent({ start_date: START, end_date: END, timezone: 'Europe/Berlin' });
    const { series } = await daybook.created('editor', 'events', { ...event, recurrence: { rrule } });
    known.set(series.id, await datesOf(get, series.id));
  }
  await daybook.close();
  return known;
}

/** By plain addition. */
function expected({ days }: Rule, horizon: EpochSeconds): string[] {
  const dates: string[] = [];
  for (let at = parseCivil(START); at <= horizon; at += days * DAY) dates.push(formatCivil(at));
  return dates;
}

/**
 * Starts once more at an instant, over the stores that remain, and waits until every series has its dates. They are
 * those of the rules, those that were known have the ids that they had, and the read model is one made anew.
 */
async function assertAhead(
  settings: Settings,
  views: string,
  rules: readonly Rule[],
  known: ReadonlyMap<number, Dates>,
  at: EpochSeconds,
): Promise<void> {
  const config = readConfig({ ...settings, DAYBOOK_LOG_LEVEL: 'silent' });
  const stores = await openStores(config);
  const { store, rendering } = stores;
  const service = await startService(config, stores, pino({ level: 'silent' }), { clock: { now: () => at } });
  const get: Get = async (target) => (await service.app.inject(PREFIX + target)).json();
  const ids: number[] = [];
  for (const [index, [id, before]] of [...known].entries()) {
    const rule = rules[index] ?? { rrule: '', days: 1 };
    let horizon = 0;
    const isAhead = async (): Promise<boolean> => {
      horizon = Date.parse((await get(`/series/${id}`)).dates_until) / 1000;
      return horizon >= at + HORIZON - SHORT;
    };
    await until(isAhead, `series ${id} was left behind`);
    const after = await datesOf(get, id);
    assert.equal([...after.keys()], expected(rule, horizon), `dates of ${id}`);
    for (const [date, was] of before) assert.is(after.get(date), was, `${date} of ${id} has another id`);
    ids.push(...after.values());
  }
  assert.is(new Set(ids).size, ids.length, 'an id is there twice');
  const file = `${views}.anew`;
  const anew = openSqliteReadModel({ file, fingerprint: 'any' });
  await catchUp(store, anew, allProjections(rendering));
  await anew.close();
  await service.close();
  const found = viewsDump(views);
  for (const [query, rows] of Object.entries(viewsDump(file))) assert.equal(found[query], rows, query);
}

/** How many steps the log has. */
function countSteps(folder: string): number {
  const db = new Database(path.join(folder, 'daybook.db'), { readonly: true });
  try {
    const row = db.prepare(`SELECT count(*) AS steps FROM events WHERE type = 'HorizonMoved'`).get();
    return (row as { steps: number }).steps;
  } finally {
    db.close();
  }
}

interface Killed {
  readonly settings: Settings;
  readonly known: ReadonlyMap<number, Dates>;
  at: EpochSeconds;
  /** Kills before the last series had its dates. */
  amid: number;
}

const onSqlite = suite<Killed>('series under kill -9 on SQLite');
const { folder, remove } = temporaryFolder();

onSqlite.before(async (context) => {
  const DAYBOOK_EVENT_STORE = `sqlite:${folder}/daybook.db`;
  const DAYBOOK_READ_MODEL = `sqlite:${folder}/views.db`;
  const settings = { DAYBOOK_DATA_DIR: folder, DAYBOOK_EVENT_STORE, DAYBOOK_READ_MODEL };
  Object.assign(context, { settings, known: await opened(settings, SERIES), at: NOON + 2 * DAY, amid: 0 });
});
onSqlite.after(remove);

for (let round = 1; round <= ROUNDS; round += 1)
  onSqlite(`killed at a random instant, ${round} of ${ROUNDS}`, async (context) => {
    context.at += ROUND;
    const before = countSteps(folder);
    const after = before + Math.floor(Math.random() * SERIES.length);
    const running = await serving(atInstant(context.settings, context.at, 0));
    await until(() => countSteps(folder) >= after, 'no dates were added');
    await sleep(Math.random() * KILL_WITHIN_MS);
    await running.kill();
    if (countSteps(folder) < before + SERIES.length) context.amid += 1;
  });

onSqlite('each date is there once, under its id, and a rebuild has the same', async ({ settings, known, at, amid }) => {
  await assertAhead(settings, path.join(folder, 'views.db'), SERIES, known, at + HOUR);
  console.log(`${ROUNDS} kills, ${amid} of them before the last series had its dates`);
});

const DAILY: readonly Rule[] = [{ rrule: 'FREQ=DAILY', days: 1 }];
/** More dates than the ids that are left over: ids are drawn, their owner is named, and the horizon moves. */
const JUMP = 64 * DAY;
const APPENDS = [1, 2, 3];
/** One that was not written leaves what the one before has left; so only the first is also lost. */
const KILLS: readonly (readonly [at: number, fault: AppendFault])[] = [
  [1, 'never answer before writing'],
  ...APPENDS.map((at) => [at, 'never answer after writing'] as const),
];
const CHOSEN = process.env.DAYBOOK_DRILL_ROUNDS === undefined ? KILLS.slice(2, 3) : KILLS;

interface KilledAtAppends extends Pick<Killed, 'settings' | 'known' | 'at'> {
  server: EventStoreDbServer;
}

const onServer = suite<KilledAtAppends>('series under kill -9 on EventStoreDB');
const other = temporaryFolder();

onServer.before(async (context) => {
  const server = await startEventStoreDb();
  const settings = {
    DAYBOOK_DATA_DIR: other.folder,
    DAYBOOK_EVENT_STORE: server.connectionString,
    DAYBOOK_READ_MODEL: `sqlite:${other.folder}/views.db`,
    DAYBOOK_KEYS: `sqlite:${other.folder}/keys.db`,
  };
  Object.assign(context, { server, settings, known: await opened(settings, DAILY), at: NOON + DAY });
});
onServer.after(async ({ server }) => {
  await server.stop();
  other.remove();
});

for (const [append, fault] of CHOSEN)
  onServer(`killed at append ${append} of a step (${fault})`, async (context) => {
    const { server, settings } = context;
    const running = await serving(atInstant(settings, context.at, JUMP));
    const jump = async (): Promise<boolean> => running.child.kill('SIGWINCH');
    await killedAt(server, running, { at: append, fault }, jump);
    context.at += JUMP;
  });

onServer('each date is there once, under its id, and a rebuild has the same', async ({ settings, known, at }) => {
  await assertAhead(settings, path.join(other.folder, 'views.db'), DAILY, known, at + HOUR);
});

onSqlite.run();
onServer.run();
