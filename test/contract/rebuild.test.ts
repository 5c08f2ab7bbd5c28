// Rebuilding under concurrent reads and writes, also in processes that get killed; over both engines.
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { Redis } from 'ioredis';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../projections/catalogue.ts';
import type { Position } from '../../src/log/envelope.ts';
import type { EventStore } from '../../src/log/event-store.ts';
import { openSqliteEventStore } from '../../src/log/sqlite/store.ts';
import type { TermDocument } from '../../src/read-model/documents.ts';
import { catchUp } from '../../src/read-model/projector/catch-up.ts';
import { startRunner } from '../../src/read-model/projector/runner.ts';
import type { ReadModel } from '../../src/read-model/read-model.ts';
import { openRedisReadModel } from '../../src/read-model/redis/open.ts';
import { openSqliteReadModel } from '../../src/read-model/sqlite/open.ts';
import { fillStore } from '../perf/sample-calendar.ts';
import { eventQuery } from '../support/documents.ts';
import { endOf } from '../support/ends.ts';
import { newEvent, temporaryDirectory } from '../support/events.ts';
import { NOW } from '../support/given.ts';
import { FINGERPRINT, RENDERING, type RebuildOrder } from '../support/rebuild-process.ts';
import { type Rebuilding, rebuilding, rebuildingHere } from '../support/rebuilding.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';

/** Enough to be read stream by stream, which `catchUp` does from 3,000 events of the log on. */
const SIZE = { events: 1_500, venues: 20, organizers: 10, categories: 5, tags: 10 };
/** Enough to be compared: a rebuild costs half as much. It is not read stream by stream, so it cannot be held. */
const SMALL_SIZE = { ...SIZE, events: 100 };
const LONG_MS = 30_000;
/** Of readers and writers that hardly rest the rebuild would have little of the processor. */
const PAUSE_MS = 20;
const PROJECTIONS = allProjections(RENDERING);

interface Place {
  readonly store: EventStore;
  /** The views as a process has them, with what its projector writes to; closed with the test. */
  open(): Promise<{ readonly model: ReadModel; readonly forProjector: ReadModel }>;
  /** Within the process of the test, which costs a third of one of its own. */
  rebuild(...args: string[]): Pick<Rebuilding, 'ended' | 'output'>;
  rebuildElsewhere(...args: string[]): Rebuilding;
  /** The same, held after its first batch. */
  heldRebuild(...args: string[]): Rebuilding;
  /** How many generations take up room. */
  generations(): Promise<number>;
  /** Spoils the title of a document behind the back of the read model. */
  spoil(): Promise<void>;
}

interface Engine {
  readonly name: string;
  views(directory: string): string;
  open: Place['open'] extends () => Promise<infer Opened>
    ? (views: string) => Promise<Opened & { close(): Promise<void> }>
    : never;
  generations(views: string): Promise<number>;
  spoil(views: string): Promise<void>;
}

let server: RedisServer;

const sqlite: Engine = {
  name: 'SQLite',
  views: (directory) => join(directory, 'views.db'),
  async open(file) {
    const model = openSqliteReadModel({ file, fingerprint: FINGERPRINT });
    return { model, forProjector: model, close: () => model.close() };
  },
  generations: async (file) =>
    readdirSync(join(file, '..')).filter((name) => /^views\.db(\.g[0-9a-f]+)?$/.test(name)).length,
  async spoil(file) {
    const db = new Database(file);
    const spoilt = db.prepare(
      `UPDATE document SET shown = replace(shown, '"deleted":false', '"deleted":0') WHERE shown LIKE '%tag-8%'`,
    );
    assert.is(spoilt.run().changes, 1);
    db.close();
  },
};

const redis: Engine = {
  name: 'Redis',
  views: () => server.url,
  async open(url) {
    const model = await openRedisReadModel({ url, fingerprint: FINGERPRINT });
    return { model, forProjector: model.forProjector, close: () => model.close() };
  },
  generations: () =>
    server.with(async (connection) => {
      const keys = await connection.keys('{*');
      return new Set(keys.map((key) => key.slice(0, key.indexOf('}')))).size;
    }),
  spoil: () =>
    server.with(async (connection: Redis) => {
      const [key = ''] = await connection.keys('{*:b:t8');
      const body = (await connection.get(key)) ?? '';
      assert.match(body, '"name":"');
      await connection.set(key, body.replace(/"name":"[^"]*"/, '"name":"spoilt"'));
    }),
};

/** Gives a tag a name that the log knows nothing of, as a fault of the code would. */
async function misname(model: ReadModel): Promise<void> {
  const { checkpoint, mark } = await model.progress();
  const key = { kind: 'tag', id: 8 } as const;
  const [tag] = await model.fetch([key]);
  assert.is(tag?.kind, 'tag');
  const document = { ...tag, name: 'spoilt', state: tag?.state ?? null } as TermDocument;
  await model.apply({ after: checkpoint, upTo: checkpoint, mark, changes: [{ key, document }] });
}

/** The calendars of all tests, filled once; each works on a copy. */
let templates: Awaited<ReturnType<typeof temporaryDirectory>>;
const templateOf = ({ events }: typeof SIZE): string => join(templates.directory, `${events}.db`);
/** Those in files are copied as well: filling them takes a second. */
const templateOfViews = (size: typeof SIZE): string => `${templateOf(size)}.views`;

async function fillTemplates(): Promise<void> {
  templates = await temporaryDirectory();
  for (const size of [SIZE, SMALL_SIZE]) {
    const store = openSqliteEventStore({ file: templateOf(size) });
    await fillStore(store, size, NOW);
    const { forProjector, close } = await sqlite.open(templateOfViews(size));
    await catchUp(store, forProjector, PROJECTIONS);
    await close();
    await store.close();
  }
}

async function withPlace(engine: Engine, size: typeof SIZE, run: (place: Place) => Promise<void>): Promise<void> {
  const { directory, remove } = await temporaryDirectory();
  const log = join(directory, 'log.db');
  copyFileSync(templateOf(size), log);
  const store = openSqliteEventStore({ file: log });
  const views = engine.views(directory);
  if (engine === sqlite) copyFileSync(templateOfViews(size), views);
  const opened: { close(): Promise<void> }[] = [];
  const started: Rebuilding[] = [];
  const start = (args: readonly string[], pace: RebuildOrder['pace']): Rebuilding => {
    const process = rebuilding({ log, views, args, pace });
    started.push(process);
    return process;
  };
  try {
    const place: Place = {
      store,
      async open() {
        const handle = await engine.open(views);
        opened.push(handle);
        return handle;
      },
      rebuild: (...args) => rebuildingHere({ log, views, args, pace: 'at once' }),
      rebuildElsewhere: (...args) => start(args, 'at once'),
      heldRebuild: (...args) => start(args, 'held'),
      generations: () => engine.generations(views),
      spoil: () => engine.spoil(views),
    };
    await run(place);
  } finally {
    for (const process of started) process.kill('SIGKILL');
    await Promise.all(started.map(({ ended }) => ended));
    for (const handle of opened) await handle.close();
    await store.close();
    await remove();
  }
}

const TAG = { kind: 'tag', id: 7 } as const;

async function rename(store: EventStore, name: string): Promise<Position> {
  const events = [newEvent('TagRenamed', { name })];
  const outcome = await store.append([{ stream: 'tag-7', expected: await endOf(store, 'tag-7'), events }]);
  return outcome.kind === 'appended' ? (outcome.written[0]?.position ?? '') : '';
}

const nameNow = async (model: ReadModel): Promise<number> => {
  const [tag] = await model.fetch([TAG]);
  return tag?.kind === 'tag' ? Number(tag.name) : Number.NaN;
};

/** What readers get from the read model, by each kind of query. */
async function seen(model: ReadModel): Promise<unknown> {
  const { items, total } = await model.listEvents(eventQuery({ page: { offset: 300, limit: 5 } }));
  const search = { words: ['harbour'], without: ['jazz'] };
  const found = await model.listEvents(eventQuery({ search, page: { offset: 0, limit: 3 } }));
  const documents = await model.fetch([TAG, { kind: 'venue', id: 3 }, { kind: 'event', id: 40 }]);
  const shown = { items, total, found, documents, terms: [...(await model.terms())].sort(([a], [b]) => a - b) };
  return JSON.parse(JSON.stringify(shown));
}

const succeeded = async ({ ended, output }: Pick<Rebuilding, 'ended' | 'output'>): Promise<string> => {
  assert.is(await ended, 0, output());
  return output();
};

function rules(engine: Engine): void {
  const test = suite(`rebuilding ${engine.name}`);
  const check = (rule: string, run: (place: Place) => Promise<void>, size = SIZE) =>
    test(rule, () => withPlace(engine, size, run));
  const checkSmall = (rule: string, run: (place: Place) => Promise<void>) => check(rule, run, SMALL_SIZE);

  test.before.each(async () => {
    if (engine === redis) await server.with((connection) => connection.flushall());
  });

  check('the new generation is what the old one was, and the old one is gone', async (place) => {
    const { model, forProjector } = await place.open();
    await catchUp(place.store, forProjector, PROJECTIONS);
    const before = await seen(model);
    const version = await model.version();
    const count = await place.generations();
    const output = await succeeded(place.rebuild());
    assert.match(output, 'No difference.');
    assert.match(output, /Building: 3075 of 3075 events, \d+ events\/s, 0 s left/);
    assert.match(output, /digest ([0-9a-f]{32})\n.*digest \1\n/);
    assert.equal(await seen(model), before);
    assert.is.not(await model.version(), version);
    await succeeded(place.rebuild());
    assert.equal(await seen(model), before);
    assert.ok((await place.generations()) <= count + 1);
  });

  check('during writes and reads there is no error, and no answer lacks what was written before', async (place) => {
    const [ours, others] = [await place.open(), await place.open()];
    await catchUp(place.store, ours.forProjector, PROJECTIONS);
    const { store } = place;
    const start = (readModel: ReadModel) => startRunner({ store, readModel, projections: PROJECTIONS, log: loud });
    const complaints: unknown[] = [];
    const loud = {
      warn: (details: object) => complaints.push(details),
      error: (details: object) => complaints.push(details),
    };
    const runner = start(ours.forProjector);
    let last = 0;
    let done = false;
    let reads = 0;
    const writing = async () => {
      for (let name = 1; !done; name++) {
        const position = await rename(store, String(name));
        assert.ok(await runner.reached(position, LONG_MS));
        // Acknowledged: from here on every reader must see it.
        last = name;
        await sleep(PAUSE_MS);
      }
    };
    const reading = async ({ model }: { readonly model: ReadModel }) => {
      while (!done) {
        const acknowledged = last;
        await model.version();
        const name = await nameNow(model);
        if (acknowledged > 0) assert.ok(name >= acknowledged, `${name} after ${acknowledged}`);
        assert.is((await model.listEvents(eventQuery())).total, SIZE.events);
        assert.is((await model.terms()).size, SIZE.categories + SIZE.tags);
        reads++;
        await sleep(PAUSE_MS);
      }
    };
    const rebuildingAgain = async () => {
      const versions = new Set<string>();
      for (let round = 0; round < 2; round++) {
        versions.add((await ours.model.version()).split(' ')[0] ?? '');
        await succeeded(place.rebuildElsewhere());
      }
      done = true;
      assert.is(versions.size, 2);
    };
    try {
      await Promise.all([writing(), reading(ours), reading(others), rebuildingAgain()]);
    } finally {
      done = true;
      await runner.stop();
    }
    assert.equal(complaints, []);
    assert.ok(reads > 10 && last > 10, `${reads} reads, ${last} writes`);
    assert.is(await nameNow((await place.open()).model), last);
  });

  check('killed in the middle it leaves everything as it was, and the next run cleans up', async (place) => {
    const { model, forProjector } = await place.open();
    await catchUp(place.store, forProjector, PROJECTIONS);
    const before = await seen(model);
    const version = await model.version();
    const count = await place.generations();
    const killed = place.heldRebuild();
    await killed.said('at ');
    killed.kill('SIGKILL');
    assert.is(await killed.ended, null);
    assert.is(await place.generations(), count + 1);
    assert.equal(await seen(model), before);
    assert.is(await model.version(), version);
    assert.match(await succeeded(place.rebuild()), 'Left behind by earlier runs, and dropped: 1.');
    assert.equal(await seen(model), before);
    assert.ok((await place.generations()) <= count + 1);
  });

  check('an interrupted rebuild says so and leaves nothing behind', async (place) => {
    const { model, forProjector } = await place.open();
    await catchUp(place.store, forProjector, PROJECTIONS);
    const version = await model.version();
    const count = await place.generations();
    const interrupted = place.heldRebuild();
    await interrupted.said('at ');
    interrupted.kill('SIGINT');
    interrupted.goOn();
    assert.is(await interrupted.ended, 130, interrupted.output());
    assert.match(interrupted.output(), 'Interrupted. The views in use are unchanged.');
    assert.is(await place.generations(), count);
    assert.is(await model.version(), version);
  });

  check('a second one at the same time is refused in a line, and does not disturb the first', async (place) => {
    const { forProjector } = await place.open();
    await catchUp(place.store, forProjector, PROJECTIONS);
    const first = place.heldRebuild();
    await first.said('at ');
    const second = place.rebuild();
    assert.is(await second.ended, 1);
    assert.match(second.output(), /^ReadModelUnavailable: .* is being rebuilt by another process: .*\n$/);
    first.goOn();
    await succeeded(first);
  });

  checkSmall(
    'a difference is reported; --check changes nothing, otherwise the read model is replaced',
    async (place) => {
      const { model, forProjector } = await place.open();
      await catchUp(place.store, forProjector, PROJECTIONS);
      await misname(forProjector);
      const count = await place.generations();
      const checked = place.rebuild('--check');
      assert.is(await checked.ended, 1, checked.output());
      assert.match(checked.output(), 'DIFFERENT: 1 document\n  tag, name: 1 document of other content, the first 8\n');
      assert.match(checked.output(), /^ {4}in use: {3}"spoilt"\n {4}built: {4}"/m);
      assert.not.match(checked.output(), 'No difference.');
      assert.is(await place.generations(), count);
      const spoilt = async () => {
        const [tag] = await (await place.open()).model.fetch([{ kind: 'tag', id: 8 }]);
        return tag?.kind === 'tag' && tag.name === 'spoilt';
      };
      assert.ok(await spoilt());
      assert.match(await succeeded(place.rebuild()), 'The differences have been corrected.');
      assert.not(await spoilt());
      assert.match(await succeeded(place.rebuild('--check')), 'No difference.');
      const [tag] = await model.fetch([{ kind: 'tag', id: 8 }]);
      assert.is.not(tag?.kind === 'tag' && tag.name, 'spoilt');
    },
  );

  checkSmall('what cannot be read of the views in use is counted, and replaced', async (place) => {
    const { model, forProjector } = await place.open();
    await catchUp(place.store, forProjector, PROJECTIONS);
    await place.spoil();
    const output = await succeeded(place.rebuild());
    assert.match(output, 'DAMAGED: 1 document in use could not be read');
    assert.match(output, 'DIFFERENT: 1 document\n  tag: 1 document damaged in the one in use, the first 8\n');
    const [tag] = await model.fetch([{ kind: 'tag', id: 8 }]);
    assert.is.not(tag?.kind === 'tag' && tag.name, 'spoilt');
  });

  checkSmall('views that are behind the log are compared as far as they go', async (place) => {
    const { model, forProjector } = await place.open();
    await catchUp(place.store, forProjector, PROJECTIONS);
    await rename(place.store, '5');
    const output = await succeeded(place.rebuild());
    assert.match(output, 'not compared: 1,');
    assert.not.match(output, 'DIFFERENT');
    assert.is(await nameNow(model), 5);
  });

  check('--dry-run builds nothing', async (place) => {
    const { model, forProjector } = await place.open();
    await catchUp(place.store, forProjector, PROJECTIONS);
    const version = await model.version();
    const output = await succeeded(place.rebuild('--dry-run'));
    assert.match(output, 'would read: 3075 events');
    assert.match(output, /in use: generation \S+ with .*event 1500/);
    assert.is(await model.version(), version);
  });

  test.run();
}

const before = suite('a Redis server to rebuild in, and a calendar');
before('starts', async () => {
  [server] = await Promise.all([startRedisServer(), fillTemplates()]);
});
before.run();

rules(sqlite);
rules(redis);

const after = suite('the Redis server to rebuild in');
after('ends', async () => {
  await server.stop();
  await templates.remove();
});
after.run();
