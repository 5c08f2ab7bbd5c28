// A read model that is emptied, crashes, comes back as it was some time ago, or is not there yet, while clients ask all the
// time: until it has again what it had, answers are refused, and what is known of single resources is told from the log.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Serving, serving } from '../support/process.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { someEvent, temporaryFolder } from '../support/service.ts';

interface Context {
  redis: RedisServer;
  /** Of the database that `redis` saves itself to. */
  saved: string;
  settings: { readonly [name: string]: string };
  daybook: Serving;
  token: string;
  remove(): void;
}

/** About twenty requests a second, as a page that is looked at by some people. */
const POLL_MS = 40;
const PATIENCE_MS = 30_000;

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

interface Resource {
  readonly id: number;
  readonly slug: string;
}

async function write({ daybook, token }: Context, title: string, members: object = {}): Promise<Resource> {
  const answer = await fetch(`${daybook.api}/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(someEvent({ title, status: 'publish', categories: ['Music'], ...members })),
  });
  assert.is(answer.status, 201, await answer.clone().text());
  return (await answer.json()) as Resource;
}

async function writeMany(context: Context, count: number): Promise<Resource> {
  for (let at = 0; at < count; at += 50)
    await Promise.all(Array.from({ length: Math.min(50, count - at) }, (_, by) => write(context, `One of ${at + by}`)));
  return write(context, 'The last one');
}

/** Everything that shows more than one resource, with how many each of them must show. */
const LISTS: readonly (readonly [target: string, count: (answer: Response) => Promise<number>])[] = [
  ['/events?start_date=2020-01-01&per_page=1', total],
  ['/events.ics?start_date=2020-01-01', async (answer) => (await answer.text()).split('BEGIN:VEVENT').length - 1],
  ['/events.rss', async (answer) => (await answer.text()).split('<item>').length - 1],
  ['/categories?slug=music', async (answer) => countIn(await answer.json())],
];

async function total(answer: Response): Promise<number> {
  return ((await answer.json()) as { total: number }).total;
}

const countIn = (body: unknown): number =>
  (body as { categories: readonly { count: number }[] }).categories[0]?.count ?? 0;

const counted = ({ api }: Serving): Promise<number[]> =>
  Promise.all(LISTS.map(async ([target, count]) => count(await fetch(api + target))));

interface Watch {
  /** Stops asking; answers what was told that was not so, and how often answers were refused. */
  end(): Promise<{ readonly wrong: readonly string[]; readonly refused: number }>;
}

/** Asks for everything again and again: lists show what they showed before, or are refused, and nothing is missing. */
function watch(process: Serving, whole: readonly number[], { id, slug }: Resource): Watch {
  const wrong: string[] = [];
  let refused = 0;
  let isOver = false;

  async function askLists(): Promise<void> {
    for (const [at, [target, count]] of LISTS.entries()) {
      const answer = await fetch(process.api + target);
      if (answer.status === 503) {
        refused += 1;
        if (answer.headers.get('retry-after') === null) wrong.push(`${target} does not say when to come back`);
        await answer.arrayBuffer();
      } else if (answer.status !== 200) wrong.push(`${target} answered ${answer.status}`);
      else if ((await count(answer)) !== whole[at]) wrong.push(`${target} shows less than all`);
    }
  }

  async function askOne(): Promise<void> {
    for (const target of [`/events/${id}`, `/events/by-slug/${slug}`, `/events/${id}.ics`]) {
      const answer = await fetch(process.api + target);
      if (!(await answer.text()).includes('The last one')) wrong.push(`${target} answered ${answer.status}`);
    }
  }

  const asking = (async () => {
    while (!isOver) {
      await Promise.all([askLists(), askOne(), sleep(POLL_MS)]);
    }
  })();
  return {
    async end() {
      isOver = true;
      await asking;
      return { wrong: [...new Set(wrong)], refused };
    },
  };
}

async function eventually(isSo: () => Promise<boolean>): Promise<number> {
  const begun = performance.now();
  while (!(await isSo())) {
    assert.ok(performance.now() - begun < PATIENCE_MS, `not so after ${PATIENCE_MS} ms`);
    await sleep(25);
  }
  return performance.now() - begun;
}

const isReady = async ({ address }: Serving, purpose: string): Promise<boolean> =>
  (await fetch(`${address}/readyz${purpose}`)).ok;

/** What a process shows of everything while something is done to its read model, and after it. */
async function undergo(context: Context, process: Serving, last: Resource, ordeal: () => Promise<void>): Promise<void> {
  const whole = await counted(context.daybook);
  const watching = watch(process, whole, last);
  await sleep(2 * POLL_MS);
  await ordeal();
  await eventually(async () => (await isReady(process, '')) && (await isReady(process, '?for=reads')));
  assert.equal(await counted(process), whole);
  const { wrong, refused } = await watching.end();
  assert.equal(wrong, []);
  assert.ok(refused > 0, 'it was noticed');
}

test('one that is emptied shows nothing until it is full again', async (context) => {
  const last = await writeMany(context, 24);
  const { redis, daybook } = context;
  await undergo(context, daybook, last, async () => {
    await redis.with((connection) => connection.flushall());
  });
});

test('one that crashes and comes back empty is refilled within moments, and shows nothing before that', async (context) => {
  const last = await write(context, 'The last one');
  const { redis, daybook } = context;
  await undergo(context, daybook, last, async () => {
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
  await undergo(context, daybook, last, async () => {
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

test('a read model that refuses writes lags, says so, and single reads come from the log', async (context) => {
  const { redis, daybook } = context;
  await redis.with((connection) => connection.config('SET', 'maxmemory', '1'));
  try {
    const { id, slug } = await write(context, 'Not shown in lists');
    for (const target of [`/events/${id}`, `/events/by-slug/${slug}`, `/events/${id}.ics`])
      assert.match(await (await fetch(daybook.api + target)).text(), 'Not shown in lists');
    const list = await fetch(`${daybook.api}/events?start_date=2020-01-01`);
    assert.is(list.headers.get('x-daybook-views'), 'lagging');
    assert.ok(Number(list.headers.get('x-daybook-lag')) > 0);
    assert.match(list.headers.get('x-daybook-position') ?? '', /^.+$/);
    const { views } = (await (await fetch(`${daybook.address}/readyz`)).json()) as { views: { status: string } };
    assert.is.not(views.status, 'current');
  } finally {
    await redis.with((connection) => connection.config('SET', 'maxmemory', '0'));
  }
  await eventually(async () => (await fetch(`${daybook.api}/events`)).headers.get('x-daybook-lag') === '0');
});

test.run();
