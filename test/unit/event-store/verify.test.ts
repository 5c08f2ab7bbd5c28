// Whatever is changed in a log afterwards is found, and the finding names the event.
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EventStore } from '../../../src/log/event-store.ts';
import {
  createLogChecker,
  type LogFinding,
  type LogReport,
  MAX_FINDINGS,
  replayLog,
} from '../../../src/log/hash-chain/verify.ts';
import { openSqlitePlaces } from '../../../src/log/sqlite/maintenance.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import { endOf } from '../../support/ends.ts';
import { newEvent, newEvents, temporaryDirectory } from '../../support/events.ts';
import { withHashChain } from '../../support/pipelines.ts';

interface Context {
  file: string;
  raw: EventStore;
  store: EventStore;
  cleanup(): Promise<void>;
}

const test = suite<Context>('verifying a log');

test.before.each(async (context) => {
  const { directory, remove } = await temporaryDirectory();
  const file = join(directory, 'log.db');
  const raw = openSqliteEventStore({ file });
  const store = withHashChain(raw);
  const cleanup = async () => {
    await raw.close();
    await remove();
  };
  Object.assign(context, { file, raw, store, cleanup });
});
test.after.each(({ cleanup }) => cleanup());

const named = (name: string) => newEvent('VenueRenamed', { name, seats: 12, tags: ['a', 'b'] });

/** Positions 1 to 6: venue-1 has three events, venue-2 two, slug-a one; one of another stream lies between each two. */
async function fill({ store }: Context): Promise<void> {
  await store.append([{ stream: 'venue-1', expected: 'no_stream', events: [named('one')] }]);
  await store.append([{ stream: 'venue-2', expected: 'no_stream', events: [named('two')] }]);
  await store.append([{ stream: 'venue-1', expected: 0, events: [named('three')] }]);
  await store.append([{ stream: 'venue-2', expected: 0, events: [named('four')] }]);
  await store.append([{ stream: 'venue-1', expected: 1, events: [named('five')] }]);
  await store.append([{ stream: 'slug-a', expected: 'no_stream', events: [named('six')] }]);
}

async function verified({ raw, file }: Context, newest = 1): Promise<LogReport & { read: string }> {
  const places = openSqlitePlaces(file);
  try {
    const { positionAfter, placeAfter } = places;
    const checker = createLogChecker({ newestVersion: () => newest, positionAfter });
    const read = await replayLog({ log: raw, checker, observe: () => {}, placeAfter, onProgress: () => {} });
    return { ...checker.report(), read };
  } finally {
    places.close();
  }
}

/** As an attacker with the file and a SQLite shell would. */
function tamper({ file }: Context, ...statements: readonly string[]): void {
  const db = new Sqlite(file);
  for (const statement of statements) db.exec(statement);
  db.close();
}

const where = ({ misfit, stream, revision, position }: LogFinding) => [misfit, stream, revision, Number(position)];

test('an unchanged log has no problems, and is reported in numbers', async (context) => {
  await fill(context);
  const { findings, misfits, events, streams, chained, unchained, position, lastHash, read } = await verified(context);
  assert.equal([findings, misfits, read], [[], 0, 'complete']);
  assert.equal([events, streams, chained, unchained, Number(position)], [6, 3, 6, 0, 6]);
  assert.is(lastHash, (await context.raw.readStream('slug-a'))[0]?.metadata.hash);
});

test('an empty log fits', async (context) => {
  const { misfits, events, lastHash } = await verified(context);
  assert.equal([misfits, events, lastHash], [0, 0, null]);
});

const AT_3 = ['hash', 'venue-1', 1, 3] as const;
const changes: readonly (readonly [what: string, sql: string, first: readonly unknown[], misfits: number])[] = [
  ['a letter of the data', `data = replace(data, 'three', 'thref')`, AT_3, 1],
  ['a digit of the data', `data = replace(data, '12', '13')`, AT_3, 1],
  ['the order in a list', `data = replace(data, '["a","b"]', '["b","a"]')`, AT_3, 1],
  ['a member that is added', `data = json_set(data, '$.x', 1)`, AT_3, 1],
  ['the instant', `metadata = replace(metadata, '10:00:00Z', '10:00:01Z')`, AT_3, 1],
  ['the actor', `metadata = replace(metadata, 'Ada', 'Ida')`, AT_3, 1],
  ['a reason that is added', `metadata = json_set(metadata, '$.reason', 'because')`, AT_3, 1],
  ['the type', `type = 'VenueRenamee'`, AT_3, 1],
  ['the id', `id = 'a' || substr(id, 2) || 'b'`, AT_3, 1],
  ['the hash: what follows it does not fit either', `metadata = replace(metadata, 'sha256:', 'sha257:')`, AT_3, 2],
  ['the hash, taken away', `metadata = json_remove(metadata, '$.hash')`, ['no hash', 'venue-1', 1, 3], 1],
  ['the schema version', 'schema_version = 2', AT_3, 1],
  ['the number', 'revision = 7', ['revision', 'venue-1', 7, 3], 2],
  ['a quote, so that it is no JSON', `data = '{"name":three"}'`, ['unreadable', 'venue-1', 1, 3], 1],
];

for (const [what, sql, first, misfits] of changes) {
  test(`changed afterwards and found: ${what}`, async (context) => {
    await fill(context);
    tamper(context, `UPDATE events SET ${sql} WHERE position = 3`);
    const report = await verified(context);
    assert.equal(report.findings[0] && where(report.findings[0]), first);
    assert.is(report.misfits, misfits, JSON.stringify(report.findings));
    assert.is(report.read, 'complete');
  });
}

test('one flipped byte anywhere in a stored event is found there', async (context) => {
  await fill(context);
  const db = new Sqlite(context.file);
  const row = db.prepare('SELECT data, metadata FROM events WHERE position = 3').get();
  const { data, metadata } = row as { readonly data: string; readonly metadata: string };
  for (const [column, text] of Object.entries({ data, metadata })) {
    const put = db.prepare(`UPDATE events SET ${column} = CAST(? AS TEXT) WHERE position = 3`);
    for (let at = 0; at < text.length; at += 1) {
      const bytes = Buffer.from(text);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      put.run(bytes);
      const first = (await verified(context)).findings[0];
      assert.equal(first && [first.stream, first.revision], ['venue-1', 1], `${column} ${at}: ${bytes}`);
    }
    put.run(Buffer.from(text));
  }
  db.close();
  assert.is((await verified(context)).misfits, 0, 'put back, it fits again');
});

test('two events of a stream that change places are found at the first of them', async (context) => {
  await fill(context);
  tamper(
    context,
    'UPDATE events SET position = 99 WHERE position = 3',
    'UPDATE events SET position = 3 WHERE position = 5',
    'UPDATE events SET position = 5 WHERE position = 99',
  );
  const { findings } = await verified(context);
  assert.equal(findings[0] && where(findings[0]), ['revision', 'venue-1', 2, 3]);
});

test('contents of two events that are exchanged are found at the first of them', async (context) => {
  await fill(context);
  tamper(
    context,
    'CREATE TEMP TABLE was AS SELECT position, data FROM events',
    `UPDATE events SET data = (SELECT data FROM was WHERE was.position = 4 - events.position) WHERE position IN (1, 3)`,
  );
  const { findings, misfits } = await verified(context);
  assert.equal([findings.map(where), misfits], [[['hash', 'venue-1', 0, 1], AT_3], 2]);
});

test('an event missing from the middle is detected at the next one of the log and of its stream', async (context) => {
  await fill(context);
  tamper(context, 'DELETE FROM events WHERE position = 3');
  const { findings } = await verified(context);
  assert.equal(findings.map(where), [
    ['gap', 'venue-2', 1, 4],
    ['revision', 'venue-1', 2, 5],
  ]);
  assert.match(findings[0]?.expected ?? '', /0{15}3$/);
});

test('a missing event is detected without any knowledge of positions', async (context) => {
  await fill(context);
  tamper(context, 'DELETE FROM events WHERE position = 3');
  const checker = createLogChecker({ newestVersion: () => 1 });
  await replayLog({ log: context.raw, checker, observe: () => {}, onProgress: () => {} });
  assert.equal(checker.report().findings.map(where), [['revision', 'venue-1', 2, 5]]);
});

test('the first event of the log that is gone is found, and a whole stream', async (context) => {
  await fill(context);
  tamper(context, `DELETE FROM events WHERE stream_id = (SELECT id FROM streams WHERE name = 'venue-2')`);
  const { findings } = await verified(context);
  assert.equal(findings.map(where), [
    ['gap', 'venue-1', 1, 3],
    ['gap', 'venue-1', 2, 5],
  ]);
});

test('an event that cannot be read ends the check where the store cannot say what comes after it', async (context) => {
  await fill(context);
  tamper(context, `UPDATE events SET data = '{' WHERE position = 3`);
  const checker = createLogChecker({ newestVersion: () => 1 });
  const read = await replayLog({ log: context.raw, checker, observe: () => {}, onProgress: () => {} });
  const { findings, events } = checker.report();
  assert.is(read, 'cut short');
  assert.equal(findings.map(where), [['unreadable', null, null, 2]]);
  assert.is(events, 3);
});

test('an unknown schema version is found, with a hash or without', async (context) => {
  await context.store.append([
    { stream: 'venue-1', expected: 'no_stream', events: [{ ...newEvent(), schemaVersion: 3 }] },
  ]);
  assert.equal((await verified(context, 2)).findings.map(where), [['schema version', 'venue-1', 0, 1]]);
  assert.is((await verified(context, 3)).misfits, 0);
});

test('events from before hashes may precede all others', async (context) => {
  const { raw, store } = context;
  await raw.append([{ stream: 'venue-1', expected: 'no_stream', events: [named('one'), named('two')] }]);
  await raw.append([{ stream: 'venue-2', expected: 'no_stream', events: [named('three')] }]);
  await store.append([{ stream: 'venue-1', expected: 1, events: [named('four'), named('five')] }]);
  const { misfits, chained, unchained } = await verified(context);
  assert.equal([misfits, chained, unchained], [0, 2, 3]);
  tamper(context, `UPDATE events SET data = replace(data, 'one', 'onf') WHERE position = 1`);
  const { findings } = await verified(context);
  assert.equal(findings.map(where), [['hash', 'venue-1', 2, 4]], 'the first hash seals what stood before it');
});

test('an event without a hash behind one that has a hash does not fit, in whichever stream', async (context) => {
  await context.store.append([{ stream: 'venue-1', expected: 'no_stream', events: [named('one')] }]);
  await context.raw.append([{ stream: 'venue-2', expected: 'no_stream', events: [named('two')] }]);
  assert.equal((await verified(context)).findings.map(where), [['no hash', 'venue-2', 0, 2]]);
});

test('of many findings the first are listed, with their total', async (context) => {
  await context.store.append([{ stream: 'venue-1', expected: 'no_stream', events: newEvents(50) }]);
  tamper(context, `UPDATE events SET type = 'Else'`);
  const { findings, misfits } = await verified(context);
  assert.equal([findings.length, misfits, findings[0]?.revision], [MAX_FINDINGS, 50, 0]);
});

test('a log of several pages is read to its end', async (context) => {
  for (let index = 0; index < 25; index += 1)
    await context.store.append([
      {
        stream: `venue-${index % 4}`,
        expected: await endOf(context.store, `venue-${index % 4}`),
        events: newEvents(100),
      },
    ]);
  tamper(context, `UPDATE events SET data = '{' WHERE position IN (1500, 1502)`);
  const { events, findings, read } = await verified(context);
  assert.equal([events, read], [2_500, 'complete']);
  assert.equal(
    findings.map(({ misfit, position }) => [misfit, Number(position)]),
    [
      ['unreadable', 1500],
      ['unreadable', 1502],
    ],
  );
});

const writes = fc.array(
  fc.record({
    stream: fc.constantFrom('venue-1', 'venue-2', 'ids-post'),
    process: fc.constantFrom(0, 1),
    expected: fc.constantFrom('right' as const, 'no_stream' as const, 0, 3),
    data: fc.array(fc.jsonValue(), { minLength: 1, maxLength: 4 }),
    times: fc.constantFrom(1, 1, 1, 2),
  }),
  { maxLength: 25 },
);

test('whatever is appended, by whom, however often: the log fits', async () => {
  await fc.assert(
    fc.asyncProperty(writes, async (history) => {
      const raw = openSqliteEventStore({ file: ':memory:' });
      const stores = [withHashChain(raw), withHashChain(raw)];
      for (const { stream, process, expected, data, times } of history) {
        const store = stores[process];
        const end = (await store?.readStream(stream, { direction: 'backwards', limit: 1 }))?.[0];
        const right = expected === 'right' ? (end?.revision ?? 'no_stream') : expected;
        // Made through JSON, as everything that comes from outside.
        const events = data.map((value) => newEvent('Some', JSON.parse(JSON.stringify(value))));
        for (let time = 0; time < times; time += 1) await store?.append([{ stream, expected: right, events }]);
      }
      const checker = createLogChecker({ newestVersion: () => 1 });
      await replayLog({ log: raw, checker, observe: () => {}, onProgress: () => {} });
      await raw.close();
      assert.equal(checker.report().findings, []);
    }),
    { numRuns: 150, seed: 20_270_314 },
  );
});

test.run();
