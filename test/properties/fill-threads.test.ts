// A read model that several threads have filled is, to the byte, the one that a single thread fills: with series, merges,
// renamed terms, deletions, personal data, events that cannot be folded, and after a fill that was cut short.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../projections/catalogue.ts';
import { catchUp } from '../../projections/engine/catch-up.ts';
import { readControl } from '../../projections/engine/control.ts';
import { foldingInThreads } from '../../projections/engine/fold-threads.ts';
import { replay } from '../../projections/engine/replay.ts';
import { ProjectionError, withSkips } from '../../projections/projection.ts';
import { openLog } from '../../src/composition.ts';
import { IN_MEMORY, readConfig } from '../../src/config.ts';
import { LOG_START } from '../../src/event-store/envelope.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import type { LogAddress } from '../../src/event-store/log-address.ts';
import { lastSqliteStream } from '../../src/event-store/sqlite/maintenance.ts';
import { openSqliteEventStore } from '../../src/event-store/sqlite/store.ts';
import type { ReadModel } from '../../src/read-model/read-model.ts';
import { openSqliteReadModel } from '../../src/read-model/sqlite/open.ts';
import type { RenderingSettings } from '../../src/rendering/post-fragment.ts';
import { writeHistory } from '../perf/long-history.ts';
import { newEvent, temporaryDirectory } from '../support/events.ts';
import { NEW_YORK } from '../support/given.ts';
import { type As, type Body, someEvent, startTestService, type TestService } from '../support/service.ts';
import { viewsDump } from '../support/views-dump.ts';

interface Context {
  directory: string;
  remove(): Promise<void>;
}

const RENDERING: RenderingSettings = {
  siteZone: NEW_YORK,
  signBefore: '$',
  signAfter: '',
  freeLabel: 'Free',
};
/** Small, so that all threads have many. */
const BLOCK = 5;

const test = suite<Context>('threads that fill');
test.before.each(async (context) => {
  Object.assign(context, await temporaryDirectory());
});
test.after.each(({ remove }) => remove());

/** Everything that the views hold, and which event they hold last. */
function rowsOf(file: string): readonly string[] {
  const db = new Database(file, { readonly: true });
  const mark = db.prepare('SELECT mark FROM meta').pluck().get();
  db.close();
  return [
    ...Object.entries(viewsDump(file)).flatMap(([query, rows]) =>
      rows.map((row) => `${query}: ${JSON.stringify(row)}`),
    ),
    `mark: ${mark}`,
  ];
}

const documentsIn = (rows: readonly string[]): number => rows.filter((row) => row.includes('FROM document ')).length;

function assertSame(found: readonly string[], expected: readonly string[], what: string): void {
  const at = expected.findIndex((row, index) => row !== found[index]);
  if (at >= 0) assert.is(found[at], expected[at], `${what}, row ${at}`);
  assert.is(found.length, expected.length, what);
}

interface Log extends LogAddress {
  readonly store: EventStore;
  readonly rendering: RenderingSettings;
}

const threadsOf = ({ file, keys, rendering }: Log, threads: number) =>
  foldingInThreads({
    ...{ log: { file, keys }, rendering, threads, block: BLOCK },
    lastStream: () => lastSqliteStream(file),
  });

/** Fills a new read model, and answers with its rows, and with what ended it. `threads` 0: this thread alone. */
async function filled({ directory }: Context, log: Log, threads: number, around = (model: ReadModel) => model) {
  const views = join(directory, `views-${threads}-${Math.random()}.db`);
  const model = openSqliteReadModel({ file: views, fingerprint: 'test' });
  const { skips } = await readControl(log.store);
  const projections = withSkips(allProjections(log.rendering), skips);
  const upTo = await log.store.head();
  let events = 0;
  const options = {
    upTo,
    onProgress: (more: number) => {
      events += more;
    },
    ...(threads > 0 && { folding: threadsOf(log, threads)(skips) }),
  };
  const outcome = await replay(log.store, around(model), projections, options).catch((error: unknown) =>
    error instanceof ProjectionError ? `${error.position} ${error.message}` : String(error),
  );
  await model.close();
  return { outcome, events, rows: rowsOf(views) };
}

async function assertThreadsAgree(context: Context, log: Log): Promise<Awaited<ReturnType<typeof filled>>> {
  const alone = await filled(context, log, 0);
  for (const threads of [2, 3]) {
    const together = await filled(context, log, threads);
    assert.equal([together.outcome, together.events], [alone.outcome, alone.events]);
    assertSame(together.rows, alone.rows, `${threads} threads`);
  }
  return alone;
}

const ACTS = [
  ...['event', 'event', 'event', 'venue', 'venue', 'organizer', 'category', 'tag', 'series', 'series'],
  ...['edit', 'rename', 'trash', 'merge venues', 'merge tags', 'one date', 'following', 'skip date', 'erase date'],
] as const;
const anyStep = fc.record({ act: fc.constantFrom(...ACTS), one: fc.nat(50), other: fc.nat(50) });
type Step = typeof anyStep extends fc.Arbitrary<infer Taken> ? Taken : never;

const chosen = (ids: readonly number[], at: number): number => ids[at % Math.max(1, ids.length)] ?? 0;

/** Tells a story over HTTP; refusals are part of it. */
async function tell(daybook: TestService, steps: readonly Step[]): Promise<void> {
  const ids: Record<string, number[]> = {};
  const of = (collection: string): number[] => (ids[collection] ??= []);
  async function send(method: string, path: string, body?: object, as: As = 'editor'): Promise<Body> {
    const answer = await daybook.request(as, method, path, body);
    assert.ok(answer.status < 500, `${method} ${path}: ${answer.text}`);
    return answer.status < 300 ? answer.body : null;
  }
  const make = async (collection: string, body: object): Promise<void> => {
    const made = await send('POST', `/${collection}`, body);
    if (made) of(collection).push(made.id);
  };
  const date = async (at: number): Promise<number> => {
    const { events } = await send('GET', '/events?start_date=2026-12-01&end_date=2027-12-01&per_page=50');
    const dates = events.filter(({ series }: Body) => series);
    return dates[at % Math.max(1, dates.length)]?.id ?? 0;
  };
  for (const [at, { act, one, other }] of steps.entries()) {
    const links = {
      ...{ venue: chosen(of('venues'), one), organizer: chosen(of('organizers'), other) },
      ...{ categories: [chosen(of('categories'), one)], tags: [`tag ${other % 4}`] },
    };
    const event = chosen(of('events'), one);
    if (act === 'event') await make('events', someEvent({ title: `Event ${at}`, ...links }));
    if (act === 'venue') await make('venues', { venue: `Venue ${at}` });
    if (act === 'organizer') await make('organizers', { organizer: `Ada ${at}`, email: `ada${at}@example.org` });
    if (act === 'category') await make('categories', { name: `Category ${at}` });
    if (act === 'tag') await make('tags', { name: `tag ${at}` });
    if (act === 'series')
      await make('events', {
        ...someEvent({ title: `Choir ${at}`, ...links }),
        ...{ start_date: '2026-12-01 19:00:00', end_date: '2026-12-01 21:00:00' },
        recurrence: { rrule: `FREQ=WEEKLY;COUNT=${3 + (one % 9)}` },
      });
    if (act === 'edit') await send('PATCH', `/events/${event}`, { title: `Edited ${at}`, ...links });
    if (act === 'rename')
      await send('PATCH', `/categories/${chosen(of('categories'), one)}`, { name: `Renamed ${at}` });
    if (act === 'trash') await send('DELETE', one % 2 ? `/events/${event}` : `/venues/${chosen(of('venues'), other)}`);
    if (act === 'merge venues')
      await send('POST', `/venues/${chosen(of('venues'), one)}/merge`, { into: chosen(of('venues'), other) });
    if (act === 'merge tags')
      await send('POST', `/tags/${chosen(of('tags'), one)}/merge`, { into: chosen(of('tags'), other) });
    if (act === 'one date') await send('PATCH', `/events/${await date(one)}`, { title: `Apart ${at}` });
    if (act === 'following')
      await send('PATCH', `/events/${await date(one)}`, { scope: 'following', title: `From now on ${at}` });
    if (act === 'skip date') await send('DELETE', `/events/${await date(one)}`);
    if (act === 'erase date') await send('DELETE', `/events/${await date(one)}?scope=following`);
  }
}

test('a story with series, merges and erased organizers, also where keys are missing', async (context) => {
  const seed = Number(process.env.DAYBOOK_PROPERTY_SEED ?? 20);
  const [steps = []] = fc.sample(fc.array(anyStep, { minLength: 160, maxLength: 160 }), { numRuns: 1, seed });
  const { directory } = context;
  const environment = {
    DAYBOOK_DATA_DIR: directory,
    DAYBOOK_EVENT_STORE: `sqlite:${join(directory, 'daybook.db')}`,
    DAYBOOK_KEYS: `sqlite:${join(directory, 'keys.db')}`,
    DAYBOOK_LOG_LEVEL: 'silent',
  };
  const daybook = await startTestService({ environment });
  await tell(daybook, steps);
  await daybook.close();
  const config = readConfig(environment);
  const stores = await openLog(config, 'existing');
  const file = join(directory, 'daybook.db');
  const log: Log = { store: stores.store, rendering: stores.rendering, file, keys: config.keys };
  const whole = await assertThreadsAgree(context, log);
  const documents = whole.rows.join('\n');
  for (const text of ['Ada ', 'Choir', 'Apart', 'From now on', 'Renamed', 'mergedInto'])
    assert.ok(documents.includes(text), `the story has ${text}`);
  const keys = new Database(join(directory, 'keys.db'));
  const subjects = keys
    .prepare("SELECT subject FROM subjects WHERE subject LIKE 'organizer-%' ORDER BY subject")
    .pluck()
    .all();
  assert.ok(subjects.length >= 2);
  await stores.keys.destroy(String(subjects[0]));
  keys.prepare('DELETE FROM subjects WHERE subject = ?').run(subjects[1]);
  keys.close();
  await stores.close();
  const again = await openLog(config, 'existing');
  const masked = await assertThreadsAgree(context, { ...log, store: again.store });
  for (const mask of ['[erased]', '[unreadable]']) assert.ok(masked.rows.join('\n').includes(mask), mask);
  await again.close();
});

/** A log in a file, with resources that are made and changed. */
async function historyIn({ directory }: Context, seed: number, count = 1_200): Promise<Log> {
  const file = join(directory, `log-${seed}.db`);
  const store = openSqliteEventStore({ file });
  await writeHistory(store, count, seed);
  return { store, file, keys: IN_MEMORY, rendering: RENDERING };
}

for (const seed of [1, 2])
  test(`history ${seed}, and what comes after it is not in it`, async (context) => {
    const log = await historyIn(context, seed);
    const { outcome, rows } = await assertThreadsAgree(context, log);
    assert.is(outcome, 'replayed');
    assert.ok(documentsIn(rows) > 150);
    const upTo = await log.store.head();
    await writeLate(log.store);
    const model = openSqliteReadModel({ file: ':memory:', fingerprint: 'test' });
    const folding = threadsOf(log, 2)(new Map());
    await replay(log.store, model, allProjections(RENDERING), { upTo, folding });
    assert.is(await model.findBySlug('tag', 'late'), null);
    await model.close();
    await log.store.close();
  });

const writeLate = (store: EventStore) =>
  store.append([
    {
      stream: 'tag-5000',
      expected: 'no_stream',
      events: [newEvent('TagCreated', { id: 5_000, name: 'Late', slug: 'late', description: '', parent: 0 })],
    },
  ]);

test('of events that cannot be folded the earliest stops it, and skipped ones do not', async (context) => {
  const log = await historyIn(context, 4);
  const began = (await log.store.readAll({ after: LOG_START, prefixes: ['event-'], limit: 10_000 }))
    .filter(({ type }) => type === 'EventDrafted')
    .map(({ stream }) => stream);
  const explode = async (stream: string) => {
    const outcome = await log.store.append([{ stream, expected: 'any', events: [newEvent('EventExploded')] }]);
    return { stream, position: (outcome.kind === 'appended' && outcome.written[0]?.position) || '' };
  };
  const first = await explode(began.at(-1) ?? '');
  await explode(began[0] ?? '');
  const { outcome } = await assertThreadsAgree(context, log);
  assert.ok(outcome.startsWith(`${first.position} `) && outcome.includes('EventExploded'), outcome);
  const [poison] = (await log.store.readStream(first.stream)).slice(-1);
  const skipped = { ...first, revision: poison?.revision ?? 0, type: 'EventExploded', reason: 'a test' };
  await log.store.append([
    { stream: 'projection-control', expected: 'no_stream', events: [newEvent('EventSkipped', skipped)] },
  ]);
  const afterwards = await assertThreadsAgree(context, log);
  assert.ok(afterwards.outcome > outcome && afterwards.outcome.includes('EventExploded'), afterwards.outcome);
  await log.store.close();
});

test('a fill that was cut short is started again', async (context) => {
  const log = await historyIn(context, 5, 3_500);
  const alone = await filled(context, log, 0);
  let applied = 0;
  const dying = (model: ReadModel): ReadModel => ({
    ...model,
    apply(batch) {
      applied += 1;
      return applied > 2 ? Promise.reject(new Error('killed')) : model.apply(batch);
    },
  });
  const cut = await filled(context, log, 2, dying);
  assert.is(cut.outcome, 'Error: killed');
  assert.is(documentsIn(cut.rows), 0);
  const views = join(context.directory, 'views.db');
  const model = openSqliteReadModel({ file: views, fingerprint: 'test' });
  const projections = allProjections(RENDERING);
  const enough = () => {
    throw new Error('enough');
  };
  const ended = await catchUp(log.store, model, projections, enough, threadsOf(log, 3)).catch(String);
  assert.is(ended, 'Error: enough');
  assert.is(await model.checkpoint(), LOG_START);
  await catchUp(log.store, model, projections, () => {}, threadsOf(log, 3));
  await model.close();
  assertSame(rowsOf(views), alone.rows, 'resumed');
  await log.store.close();
});

test('keys that a thread does not find are an error; nothing is filled, and none are created', async (context) => {
  const log = await historyIn(context, 6, 300);
  const file = join(context.directory, 'nowhere.db');
  const { outcome, rows } = await filled(context, { ...log, keys: { engine: 'sqlite', file } }, 2);
  assert.is(outcome, `EventStoreUnavailable: The keys ${file} are missing.`);
  assert.is(documentsIn(rows), 0);
  assert.not.ok(existsSync(file));
  await log.store.close();
});

test.run();
