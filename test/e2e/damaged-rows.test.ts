// A document of the read model that is no longer what was written, under a running service or before it starts: it is in no
// answer, the views are filled again by themselves, and those who check the views say so.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runHere } from '../support/here.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { type Body, someEvent, startTestService, type TestService, temporaryFolder } from '../support/service.ts';

type Settings = { readonly [name: string]: string };

interface Context {
  settings: Settings;
  daybook: TestService;
  redis: RedisServer | null;
  remove(): void;
}

const PATIENCE_MS = 30_000;
const TITLES = ['First', 'Last', 'Spoiled'];
const LIST = '/events?start_date=2020-01-01';

/** What is stored of the event "Spoiled" is cut short: JSON no more. */
async function inSqlite({ DAYBOOK_DATA_DIR = '' }: Settings): Promise<void> {
  const raw = new Database(path.join(DAYBOOK_DATA_DIR, 'views.db'));
  const { changes } = raw
    .prepare(`UPDATE document SET shown = substr(shown, 1, 400) WHERE shown LIKE '%"slug":"spoiled"%'`)
    .run();
  raw.close();
  assert.is(changes, 1);
}

const inRedis = (redis: RedisServer): Promise<void> =>
  redis.with(async (client) => {
    for (const key of await client.keys('*:b:e*')) {
      const text = (await client.get(key)) ?? '';
      if (text.includes('"slug":"spoiled"')) await client.set(key, text.slice(0, -30));
    }
  });

/** The rows of all events, which lists filter by, lose their last byte. */
async function spoilRows({ settings: { DAYBOOK_DATA_DIR = '' }, redis }: Context): Promise<void> {
  if (redis === null) {
    const raw = new Database(path.join(DAYBOOK_DATA_DIR, 'views.db'));
    raw.exec('UPDATE list_row SET packed = substr(packed, 1, length(packed) - 1)');
    raw.close();
    return;
  }
  await redis.with(async (client) => {
    for (const key of await client.keys('*:rows'))
      for (const [field, packed] of Object.entries(await client.hgetallBuffer(key)))
        await client.hset(key, field, packed.subarray(0, -1));
  });
}

/** A service with the clock of the commands, which are processes; over the log of `copiedFrom` if there is one. */
async function started(settings: Settings, copiedFrom?: TestService): Promise<TestService> {
  const now = Math.floor(Date.now() / 1000);
  const daybook = await startTestService({
    environment: settings,
    usersSince: now,
    ...(copiedFrom && { copiedFrom }),
  });
  daybook.clock.at = now;
  return daybook;
}

/** Asks for the list until it is there; until then it may only be refused, with the time to come back. Answers how often it was. */
async function untilWhole(daybook: TestService, target: string): Promise<number> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let refused = 0; ; refused++) {
    const answer = await daybook.get(target);
    if (answer.status === 200) {
      assert.equal(answer.body.events.map(({ title }: Body) => title).sort(), TITLES);
      return refused;
    }
    assert.is(answer.status, 503);
    assert.ok(answer.headers['retry-after']);
    assert.is(answer.body.code, 'rest_unavailable');
    assert.ok(performance.now() < deadline, 'is filled again');
    await sleep(30);
  }
}

for (const [engine, start] of [
  ['SQLite', null],
  ['Redis', startRedisServer],
] as const) {
  const test = suite<Context>(`damage in views in ${engine}`);

  test.before.each(async (context) => {
    const { folder, remove } = temporaryFolder();
    const redis = (await start?.()) ?? null;
    const settings = {
      DAYBOOK_DATA_DIR: folder,
      DAYBOOK_EVENT_STORE: `sqlite:${path.join(folder, 'daybook.db')}`,
      DAYBOOK_READ_MODEL: redis?.url ?? `sqlite:${path.join(folder, 'views.db')}`,
      DAYBOOK_LOG_LEVEL: 'silent',
    };
    const daybook = await started(settings);
    for (const title of TITLES)
      await daybook.created('editor', 'events', someEvent({ title, status: 'publish', categories: ['Music'] }));
    assert.is(await untilWhole(daybook, LIST), 0);
    Object.assign(context, { settings, redis, daybook, remove });
  });
  test.after.each(async ({ daybook, redis, remove }) => {
    await daybook.close();
    await redis?.stop();
    remove();
  });

  const spoil = ({ settings, redis }: Context): Promise<void> => (redis ? inRedis(redis) : inSqlite(settings));

  test('under a running service is refused, and mended by itself', async (context) => {
    const { settings } = context;
    await context.daybook.close();
    // What a process has written itself it keeps whole; this one has to read it.
    const daybook = await started(settings, context.daybook);
    context.daybook = daybook;
    await untilWhole(daybook, LIST);
    await spoil(context);
    const answer = await daybook.get('/events/by-slug/spoiled');
    assert.ok([200, 503].includes(answer.status), answer.text);
    if (answer.status === 200) assert.is(answer.body.title, 'Spoiled');
    const deadline = performance.now() + PATIENCE_MS;
    while ((await runHere(['verify'], settings)).code !== 0) assert.ok(performance.now() < deadline, 'is filled again');
    // What is filled is looked at before it is trusted.
    await untilWhole(daybook, LIST);
    assert.is(await untilWhole(daybook, LIST), 0);
  });

  test('it is reported by doctor and verify, and fixed by a rebuild that reports how much it was', async (context) => {
    const { daybook, settings } = context;
    await daybook.close();
    await spoil(context);
    const doctor = await runHere(['doctor'], settings);
    assert.is(doctor.code, 1);
    assert.match(doctor.out, /PROBLEM views .* not shown: the document of event \d+/);
    const verify = await runHere(['verify'], settings);
    assert.is(verify.code, 1);
    assert.match(verify.out, /event-\d+: expected a document as it was written, found a damaged one/);
    const rebuilt = await runHere(['rebuild'], settings);
    assert.is(rebuilt.code, 0);
    assert.match(rebuilt.out, /DAMAGED: 1 document in use could not be read/);
    assert.is((await runHere(['doctor'], settings)).code, 0);
    context.daybook = await started(settings, daybook);
    assert.is(await untilWhole(context.daybook, LIST), 0);
  });

  test('of rows is reported by doctor and verify, and mended by the next start before any list is made', async (context) => {
    const { daybook, settings } = context;
    await daybook.close();
    await spoilRows(context);
    const doctor = await runHere(['doctor'], settings);
    assert.is(doctor.code, 1);
    assert.match(doctor.out, /PROBLEM views .* not shown: the row of \w+ \d+/);
    const verify = await runHere(['verify'], settings);
    assert.is(verify.code, 1);
    assert.match(verify.out, /event-\d+: expected the row that its document gives/);
    context.daybook = await started(settings, daybook);
    await untilWhole(context.daybook, LIST);
    assert.is((await runHere(['verify'], settings)).code, 0);
  });

  test('from before the start is refused, and mended by itself', async (context) => {
    await context.daybook.close();
    await spoil(context);
    context.daybook = await started(context.settings, context.daybook);
    assert.ok((await untilWhole(context.daybook, LIST)) > 0);
  });

  test.run();
}
