// `node test/drills/memory.ts [--megabytes N] [--minutes N] [--store FOLDER]`: a service over 100,000 events that may use so
// much memory (512, 10 minutes), read by those who mean no good: months, cold lists, calendars, instants of the past, pages of
// others, bodies. Ordinary readers of small things and an editor ask beside them. It fails when the service dies, when readers
// of anything are still refused ten seconds after the rush, or when fewer of the ordinary ones than `--answered` (95 %) get an
// answer within a second.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { roomForPast } from '../../src/kernel/memory/limit.ts';
import { openSqliteEventStore } from '../../src/log/sqlite/store.ts';
import { startDaybook, temporaryFolder } from '../perf/processes.ts';
import { fillStore, firstEventId, LARGE } from '../perf/sample-calendar.ts';
import { makeMemoryGroup } from '../support/memory-group.ts';
import { seeded } from '../support/seeded.ts';

const { values } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '512' },
    minutes: { type: 'string', default: '10' },
    store: { type: 'string' },
    answered: { type: 'string', default: '95' },
  },
});
const ROOT = '/calendar/events/v1';
const HOSTILE_READERS = 12;
const ORDINARY_EVERY_MS = 100;
const EDITOR_EVERY_MS = 2_000;
const HEALED_MS = 10_000;
const AFTERWARDS_EVERY_MS = 250;
const SOON_MS = 1_000;

const random = seeded(3);
const below = (most: number): number => Math.floor(random() * most);
const instant = (): string => new Date(Date.UTC(2026, 0, 1) + below(320) * 86_400_000).toISOString().slice(0, 10);
const month = (): string => `${2025 + below(4)}-${String(1 + below(12)).padStart(2, '0')}`;
const words = ['concert', 'garden', 'history', 'er', 'music film', '"garden history"'];
const word = (): string => words[below(words.length)] ?? '';

/** What they ask for, each time another address. */
const HOSTILE: readonly (() => string)[] = [
  () => `${ROOT}/events?as_of=${instant()}&per_page=50&page=${1 + below(100)}`,
  () => `${ROOT}/events?as_of=${instant()}&search=${encodeURIComponent(word())}`,
  () => `${ROOT}/events?start_date=1990-01-01&end_date=22${10 + below(89)}-01-01&per_page=50&page=${1 + below(1_900)}`,
  () => `${ROOT}/events?start_date=1990-01-01&search=${encodeURIComponent(word())}&per_page=50&page=${1 + below(90)}`,
  () => `${ROOT}/events.ics?start_date=1990-01-01&end_date=22${10 + below(89)}-0${1 + below(9)}-01`,
  () => `/events/month/${month()}/?search=${below(1_000)}`,
  () => `/events/month/${month()}/`,
  () => `/events/list/?page=${1 + below(500)}&search=${encodeURIComponent(word())}`,
  () => `${ROOT}/doc?_locale=${['fr', 'de', 'es', 'it', 'nl'][below(5)]}`,
  () => `${ROOT}/events/${firstEventId(LARGE) + below(LARGE.events)}?as_of=${instant()}`,
  () => `${ROOT}/events.rss?search=${below(1_000)}`,
];

const inOneCategory = (): string => `${ROOT}/events?categories=${1 + below(LARGE.categories)}`;

/** Ordinary requests: one event, a small uncached list, and a cached one. */
const ORDINARY: { readonly [kind: string]: () => string } = {
  one: () => `${ROOT}/events/${firstEventId(LARGE) + below(LARGE.events)}`,
  first: () => `${inOneCategory()}&venue=${1 + below(LARGE.venues)}&start_date=${instant()}`,
  repeated: () => `${inOneCategory()}&per_page=10`,
};

/** What must be answered again once the rush is over. */
const AFTERWARDS = [
  ['one', () => `${ROOT}/events/${firstEventId(LARGE) + below(LARGE.events)}`],
  ['search', () => `${ROOT}/events?search=${encodeURIComponent(word())}`],
  ['list', () => `${ROOT}/events?start_date=1990-01-01&per_page=50&page=${1 + below(1_900)}`],
  ['page', () => `/events/month/${month()}/`],
  ['past', () => `${ROOT}/events?as_of=${instant()}`],
] as const;
/** Lists of the past are refused where memory has no room for them, as the service says at its start. */
const isRoomForPast = (bytes: number): boolean => (roomForPast(bytes) ?? Number.POSITIVE_INFINITY) >= LARGE.events;

async function main(): Promise<void> {
  const bytes = Number(values.megabytes) * 1_048_576;
  const dataDir = values.store ?? temporaryFolder();
  if (values.store === undefined) {
    const store = openSqliteEventStore({ file: path.join(dataDir, 'daybook.db') });
    await fillStore(store, LARGE, Math.floor(Date.now() / 1000));
    await store.close();
  }
  const added = ['users', 'add', `editor-${Date.now()}`, '--role', 'editor'];
  const env = { ...process.env, DAYBOOK_DATA_DIR: dataDir };
  const token = /\d+-\d+-\S+/.exec(
    execFileSync(process.execPath, ['bin/daybook.mjs', ...added], { env }).toString(),
  )?.[0];
  const group = makeMemoryGroup(bytes);
  const settings = { DAYBOOK_RATE_LIMIT: '0', DAYBOOK_SUBMISSIONS: 'on', DAYBOOK_LOG_LEVEL: 'warn' };
  const service = await startDaybook(dataDir, settings, [], group.processes);
  const counts = new Map<string, number>();
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  let isRush = true;
  let worst = 0;
  const waits: number[] = [];

  async function ask(who: string, target: string, headers = {}): Promise<number> {
    const asked = performance.now();
    try {
      const answer = await fetch(service.address + target, { headers, signal: AbortSignal.timeout(60_000) });
      await answer.arrayBuffer();
      count(`${who} ${answer.status}`);
      if (who in ORDINARY) waits.push(answer.status === 200 ? performance.now() - asked : Number.POSITIVE_INFINITY);
      return answer.status;
    } catch (error) {
      count(`${who} ${error instanceof Error ? error.name : 'error'}`);
      if (who in ORDINARY) waits.push(Number.POSITIVE_INFINITY);
      await pause(500);
      return 0;
    }
  }

  const hostile = Array.from({ length: HOSTILE_READERS }, async () => {
    while (isRush) await ask('hostile', HOSTILE[below(HOSTILE.length)]?.() ?? '/');
  });
  const ordinary = Object.entries(ORDINARY).map(async ([kind, target]) => {
    while (isRush) {
      await ask(kind, target());
      await pause(ORDINARY_EVERY_MS);
    }
  });
  const editor = (async () => {
    while (isRush) {
      await ask('editor', `${ROOT}/events?as_of=${instant()}&per_page=50`, { authorization: `Bearer ${token}` });
      await pause(EDITOR_EVERY_MS);
    }
  })();
  const end = Date.now() + Number(values.minutes) * 60_000;
  for (let told = 0; Date.now() < end; told++) {
    await pause(500);
    worst = Math.max(worst, group.used());
    if (told % 20 === 0)
      console.log(
        `${Math.round((end - Date.now()) / 1000)} s left, ${Math.round(group.used() / 1e6)} MB in use, ${group.kills()} kills, ${JSON.stringify(Object.fromEntries(counts))}`,
      );
  }
  isRush = false;
  await Promise.all([...hostile, ...ordinary, editor]);
  const ended = performance.now();
  const sinceEnd = (): number => Math.round(performance.now() - ended);
  /** When each of them was answered for the first time, and what was refused after that or for too long; milliseconds. */
  const healed = new Map<string, number>();
  const late: string[] = [];
  const promised = AFTERWARDS.filter(([kind]) => kind !== 'past' || isRoomForPast(bytes));
  for (let at = 0; sinceEnd() < 3 * HEALED_MS; at++) {
    const [kind, target] = promised[at % promised.length] ?? AFTERWARDS[0];
    const status = await ask(`afterwards ${kind}`, target());
    if (status === 200 && !healed.has(kind)) healed.set(kind, sinceEnd());
    if (status !== 200 && (healed.has(kind) || sinceEnd() > HEALED_MS))
      late.push(`${kind} ${status} at ${sinceEnd()} ms`);
    await pause(AFTERWARDS_EVERY_MS);
  }
  const health = await ask('health', '/healthz');
  waits.sort((a, b) => a - b);
  const within = (part: number): number => Math.round(waits[Math.floor(part * waits.length)] ?? 0);
  const answered = (100 * waits.filter((wait) => wait <= SOON_MS).length) / waits.length;
  console.log(
    `at most ${Math.round(worst / 1e6)} MB of ${values.megabytes}; now ${Math.round(group.used() / 1e6)}; kills ${group.kills()}; ${answered.toFixed(1)} % of ${waits.length} ordinary readers answered within ${SOON_MS} ms (p50 ${within(0.5)} ms, p95 ${within(0.95)} ms); ${JSON.stringify(Object.fromEntries(counts))}`,
  );
  console.log(
    `answered again, in ms: ${JSON.stringify(Object.fromEntries(healed))}; refused afterwards: ${JSON.stringify(late)}`,
  );
  const isHealthy = health === 200 && healed.size === promised.length && late.length === 0;
  if (group.kills() > 0 || !isHealthy || answered < Number(values.answered)) process.exitCode = 1;
  await service.stop();
  group.remove();
}

await main();
