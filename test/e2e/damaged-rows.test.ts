// A document of the read model that is no longer what was written, under a running service or before it starts: it is in no
// answer, the views are filled again by themselves, and those who check the views say so.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { daybook, type Serving, serving } from '../support/process.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { someEvent, temporaryFolder } from '../support/service.ts';

type Settings = { readonly [name: string]: string };

interface Context {
  settings: Settings;
  daybook: Serving | null;
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
    .prepare(`UPDATE document SET full = substr(full, 1, 30) WHERE body LIKE '%"slug":"spoiled"%'`)
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

async function write({ api }: Serving, token: string, title: string): Promise<void> {
  const answer = await fetch(`${api}/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(someEvent({ title, status: 'publish', categories: ['Music'] })),
  });
  assert.is(answer.status, 201);
}

interface Page {
  readonly events: readonly { readonly title: string }[];
}

/** Asks for the list until it is there; until then it may only be refused, with the time to come back. Answers how often it was. */
async function untilWhole({ api }: Serving, target: string): Promise<number> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let refused = 0; ; refused++) {
    const answer = await fetch(api + target);
    if (answer.status === 200) {
      const { events } = (await answer.json()) as Page;
      assert.equal(events.map(({ title }) => title).sort(), TITLES);
      return refused;
    }
    assert.is(answer.status, 503);
    assert.ok(answer.headers.get('retry-after'));
    assert.is(((await answer.json()) as { code: string }).code, 'rest_unavailable');
    assert.ok(performance.now() < deadline, 'is filled again');
    await sleep(30);
  }
}

/** A command, its exit code and what it said. */
async function told(settings: Settings, ...args: string[]) {
  const command = daybook(args, settings);
  const code = await command.ended;
  return { code, said: command.out() };
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
      DAYBOOK_LOG_LEVEL: 'silent',
      ...(redis && { DAYBOOK_READ_MODEL: redis.url }),
    };
    const first = await serving(settings);
    for (const title of TITLES) await write(first, first.token ?? '', title);
    assert.is(await untilWhole(first, LIST), 0);
    Object.assign(context, { settings, redis, daybook: first, remove });
  });
  test.after.each(async ({ daybook: running, redis, remove }) => {
    await running?.kill();
    await redis?.stop();
    remove();
  });

  const spoil = ({ settings, redis }: Context): Promise<void> => (redis ? inRedis(redis) : inSqlite(settings));

  test('under a running service is refused, and mended by itself', async (context) => {
    const { daybook: running } = context;
    if (!running) return;
    await spoil(context);
    // Another question than before: nothing of the answer is known.
    assert.ok((await untilWhole(running, `${LIST}&per_page=7`)) > 0);
    assert.is(await untilWhole(running, LIST), 0);
  });

  test('it is reported by doctor and verify, and fixed by a rebuild that reports how much it was', async (context) => {
    const { daybook: running, settings } = context;
    await running?.stop();
    context.daybook = null;
    await spoil(context);
    const doctor = await told(settings, 'doctor');
    assert.is(doctor.code, 1);
    assert.match(doctor.said, /PROBLEM views .* not shown: event \d+/);
    const verify = await told(settings, 'verify');
    assert.is(verify.code, 1);
    assert.match(verify.said, /event-\d+: expected a document as it was written, found a damaged one/);
    const rebuilt = await told(settings, 'rebuild');
    assert.is(rebuilt.code, 0);
    assert.match(rebuilt.said, /DAMAGED: 1 document in use could not be read/);
    assert.is((await told(settings, 'doctor')).code, 0);
    context.daybook = await serving(settings);
    assert.is(await untilWhole(context.daybook, LIST), 0);
  });

  test('from before the start is refused, and mended by itself', async (context) => {
    await context.daybook?.stop();
    await spoil(context);
    context.daybook = await serving(context.settings);
    assert.ok((await untilWhole(context.daybook, LIST)) > 0);
  });

  test.run();
}
