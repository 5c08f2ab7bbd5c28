// A read model that is emptied, crashes, comes back as it was some time ago, or is not there yet, while clients ask all the
// time: until it has again what it had, answers are refused, and what is known of single resources is told from the log.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openStores } from '../../src/composition.ts';
import { readConfig } from '../../src/config.ts';
import { readModelFailure } from '../../src/read-model/redis/failures.ts';
import { startService } from '../../src/service.ts';
import {
  counted,
  eventually,
  isReady,
  LISTS,
  POLL_MS,
  postEvent,
  type Resource,
  undergo,
  watch,
  writeEvent,
} from '../support/polled-views.ts';
import { type Serving, serving } from '../support/process.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { PREFIX, temporaryFolder } from '../support/service.ts';

interface Context {
  redis: RedisServer;
  /** Of the database that `redis` saves itself to. */
  saved: string;
  settings: { readonly [name: string]: string };
  daybook: Serving;
  token: string;
  remove(): void;
}

const test = suite<Context>('a read model that is lost');

test.before(async (context) => {
  const { folder, remove } = temporaryFolder();
  const saves = mkdtempSync(path.join(tmpdir(), 'daybook-redis-'));
  context.saved = path.join(saves, 'dump.rdb');
  context.redis = await startRedisServer('--dir', saves);
  context.settings = {
    DAYBOOK_DATA_DIR: folder,
    DAYBOOK_READ_MODEL: context.redis.url,
    DAYBOOK_LOG_LEVEL: 'silent',
    DAYBOOK_REQUESTS_PER_MINUTE: '0',
  };
  context.remove = () => {
    remove();
    rmSync(saves, { recursive: true, force: true });
  };
  context.daybook = await serving(context.settings);
  context.token = context.daybook.token ?? '';
});
test.after(async ({ daybook, redis, remove }) => {
  await daybook.kill();
  await redis.stop();
  remove();
});

const write = ({ daybook, token }: Context, title: string): Promise<Resource> => writeEvent(daybook, token, title);

async function writeMany(context: Context, count: number): Promise<Resource> {
  for (let at = 0; at < count; at += 50)
    await Promise.all(Array.from({ length: Math.min(50, count - at) }, (_, by) => write(context, `One of ${at + by}`)));
  return write(context, 'The last one');
}

test('one that is emptied shows nothing until it is full again', async (context) => {
  const last = await writeMany(context, 24);
  const { redis, daybook } = context;
  await undergo(daybook, last, async (watching) => {
    // A fast machine may have filled it again before a list is asked for.
    do {
      await redis.with((connection) => connection.flushall());
      await sleep(POLL_MS);
    } while (!watching.isRefused());
  });
});

test('one whose server begins to throw keys away is refused, and filled again once that is over', async (context) => {
  const last = await write(context, 'The last one');
  const { redis, daybook } = context;
  const evicted = (connection: Redis) =>
    connection.info('stats').then((info) => Number(/^evicted_keys:(\d+)/m.exec(info)?.[1]));
  await undergo(daybook, last, async (watching) => {
    await redis.with((connection) => connection.config('SET', 'maxmemory-policy', 'allkeys-lru'));
    await eventually(async () => watching.isRefused());
    assert.match(
      await (await fetch(`${daybook.address}/readyz`)).text(),
      /maxmemory-policy allkeys-lru.*to noeviction/,
    );
    await redis.with(async (connection) => {
      const before = await evicted(connection);
      await connection.config('SET', 'maxmemory', '1');
      // Keys are thrown away when a command wants memory.
      await eventually(async () => {
        await connection.set('another', 'application').catch(() => {});
        return (await evicted(connection)) > before;
      });
      await connection.config('SET', 'maxmemory', '0');
      await connection.config('SET', 'maxmemory-policy', 'noeviction');
    });
  });
});

/** Lists of a process show everything, or are refused. */
async function wholeOrRefused({ api }: Pick<Serving, 'api'>, whole: readonly number[], lost: string): Promise<void> {
  for (const [at, [target, count]] of LISTS.entries()) {
    const answer = await fetch(api + target);
    if (answer.status === 503) await answer.arrayBuffer();
    else assert.equal([answer.status, await count(answer)], [200, whole[at]], `${target} without ${lost}`);
  }
}

/** An API that knows nothing yet, in the process of the test: one of its own costs as much as all else that is done with it. */
async function startApi(settings: Context['settings']): Promise<Pick<Serving, 'api'> & { close(): Promise<void> }> {
  const config = readConfig(settings);
  const { app, close } = await startService(config, await openStores(config), pino({ level: 'silent' }), {
    role: 'api',
  });
  return { api: `${await app.listen({ host: '127.0.0.1', port: 0 })}${PREFIX}`, close };
}

/** One of each kind: ids and the names of generations differ. */
const kindOf = (key: string): string => key.replaceAll(/[0-9a-f]{12,}/g, 'H').replaceAll(/\d+/g, 'N');

test('no key that is lost is served as an answer, by the process that knew it or by another', async (context) => {
  const { redis, settings, daybook } = context;
  await writeMany(context, 12);
  const whole = await counted(daybook);
  const kinds = new Set((await redis.with((connection) => connection.keys('*daybook*'))).map(kindOf));
  assert.ok(kinds.size > 8, [...kinds].join(' '));
  for (const kind of kinds) {
    await redis.with(async (connection) => {
      const lost = (await connection.keys('*daybook*')).filter((key) => kindOf(key) === kind);
      if (lost.length > 0) await connection.del(...lost);
    });
    await wholeOrRefused(daybook, whole, kind);
    if (/:[bz]:eN$|:names$|:rows$/.test(kind)) {
      const other = await startApi(settings);
      await wholeOrRefused(other, whole, kind).finally(other.close);
    }
    // As an operator would, who has lost a part of it.
    await redis.with((connection) => connection.flushall());
    await eventually(async () => (await isReady(daybook, '')) && (await isReady(daybook, '?for=reads')));
    assert.equal(await counted(daybook), whole, kind);
  }
});

test('one that crashes and comes back empty is refilled within moments, and shows nothing before that', async (context) => {
  const last = await write(context, 'The last one');
  const { redis, daybook } = context;
  await undergo(daybook, last, async () => {
    await redis.stop();
    await sleep(300);
    await redis.restart();
  });
});

test('one that comes back as it was some time ago is refused until it has what it had', async (context) => {
  const { redis, saved, daybook } = context;
  await redis.with((connection) => connection.save());
  copyFileSync(saved, `${saved}.old`);
  await writeMany(context, 20);
  const last = await write(context, 'The last one');
  await undergo(daybook, last, async () => {
    await redis.stop();
    copyFileSync(`${saved}.old`, saved);
    await redis.restart();
    rmSync(saved);
  });
});

test('an API refuses an unfilled read model, and answers once a projector has filled it', async (context) => {
  const last = await write(context, 'The last one');
  const { redis, settings } = context;
  const whole = await counted(context.daybook);
  await context.daybook.stop();
  await redis.with((connection) => connection.flushall());
  const api = await serving(settings, [], 'api');
  try {
    const watching = watch(api, whole, last);
    await sleep(10 * POLL_MS);
    assert.not(await isReady(api, ''));
    assert.not(await isReady(api, '?for=reads'));
    context.daybook = await serving(settings);
    await eventually(() => isReady(api, '?for=reads'));
    assert.equal(await counted(api), whole);
    const { wrong, refused } = await watching.end();
    assert.equal(wrong, []);
    assert.ok(refused >= 4 * LISTS.length, 'all of it was refused at first');
  } finally {
    await api.kill();
  }
});

/** Why Redis refuses to write, and how that is brought about and ended. */
const REFUSALS: readonly {
  readonly why: string;
  /** What operators are told of it. */
  readonly said: RegExp;
  readonly begin: (context: Context) => Promise<void>;
  readonly end: (context: Context) => Promise<void>;
}[] = [
  {
    why: 'its memory is full',
    said: /its memory is full: raise maxmemory or make room.*\(OOM /,
    begin: ({ redis }) => redis.with(async (connection) => void (await connection.config('SET', 'maxmemory', '1'))),
    end: ({ redis }) => redis.with(async (connection) => void (await connection.config('SET', 'maxmemory', '0'))),
  },
  {
    why: 'it cannot save to disk',
    said: /it cannot save to disk and refuses writes.*\(MISCONF /,
    async begin({ redis, saved }) {
      mkdirSync(saved);
      await redis.with((connection) => connection.config('SET', 'save', '3600 1000000'));
      await saveInBackground(redis, 'err');
    },
    async end({ redis, saved }) {
      rmSync(saved, { recursive: true });
      await saveInBackground(redis, 'ok');
      await redis.with((connection) => connection.config('SET', 'save', ''));
    },
  },
];

/** Returns once the last attempt has ended so. */
async function saveInBackground(redis: RedisServer, status: 'ok' | 'err'): Promise<void> {
  await redis.with(async (connection) => {
    await connection.bgsave();
    await eventually(async () => {
      const info = await connection.info('persistence');
      return info.includes('rdb_bgsave_in_progress:0') && info.includes(`rdb_last_bgsave_status:${status}`);
    });
  });
}

/** Lists and feeds, each of which says how far behind it is. */
const POSITIONED = ['/events?start_date=2020-01-01', '/events.ics', '/events.rss', '/venues', '/categories'];

for (const { why, said, begin, end } of REFUSALS)
  test(`a read model that refuses writes since ${why} lags, says so, and single reads come from the log`, async (context) => {
    const { daybook, redis, token } = context;
    const before = await counted(daybook);
    await begin(context);
    try {
      const refusal = await redis.with((connection) =>
        connection.set('anything', '1').catch((error: unknown) => error),
      );
      assert.match(String(readModelFailure(redis.url, refusal)), said);
      const written = await postEvent(daybook, token, 'Not shown in lists');
      assert.equal([written.status, written.headers.get('x-daybook-views')], [201, 'lagging']);
      const { id, slug } = (await written.json()) as Resource;
      for (const target of [`/events/${id}`, `/events/by-slug/${slug}`, `/events/${id}.ics`])
        assert.match(await (await fetch(daybook.api + target)).text(), 'Not shown in lists');
      for (const target of POSITIONED) {
        const { status, headers } = await fetch(daybook.api + target);
        assert.equal([target, status, headers.get('x-daybook-views')], [target, 200, 'lagging']);
        assert.ok(Number(headers.get('x-daybook-lag')) > 0, target);
        assert.match(headers.get('x-daybook-position') ?? '', /^.+$/);
      }
      assert.equal(await counted(daybook), before);
      const { views } = (await (await fetch(`${daybook.address}/readyz`)).json()) as { views: { status: string } };
      assert.is.not(views.status, 'current');
    } finally {
      await end(context);
    }
    await eventually(async () => (await fetch(`${daybook.api}/events`)).headers.get('x-daybook-lag') === '0');
    assert.is((await counted(daybook))[0], (before[0] ?? 0) + 1);
  });

test.run();
