import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { termsProjection } from '../../../projections/terms.ts';
import { UsageError } from '../../../src/cli/errors.ts';
import { rateLines } from '../../../src/cli/rate-progress.ts';
import { type VerifyDependencies, verifyCommand } from '../../../src/cli/verify.ts';
import { checkedGeneration } from '../../../src/cli/verify-views.ts';
import type { EventStore } from '../../../src/log/event-store.ts';
import { openSqlitePlaces, type SqlitePlaces } from '../../../src/log/sqlite/maintenance.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import { catchUp } from '../../../src/read-model/projector/catch-up.ts';
import { openSqliteGenerations } from '../../../src/read-model/sqlite/generations.ts';
import { openSqliteReadModel } from '../../../src/read-model/sqlite/open.ts';
import { newEvent, newEvents, temporaryDirectory } from '../../support/events.ts';
import { perform } from '../../support/perform.ts';
import { withHashChain } from '../../support/pipelines.ts';

interface Context {
  log: string;
  /** The file of the views. */
  file: string;
  store: EventStore;
  places: SqlitePlaces;
  /** `daybook verify ...`: its exit code, what it answered, what it told meanwhile. */
  run(...args: string[]): Promise<{ code: 0 | 1; lines: string[]; told: string[] }>;
  /** Brings the views up to the end of the log. */
  project(): Promise<void>;
  cleanup(): Promise<void>;
}

const PROJECTIONS = [termsProjection('tag')];

const test = suite<Context>('daybook verify');

test.before.each(async (context) => {
  const { directory, remove } = await temporaryDirectory();
  const file = join(directory, 'views.db');
  const log = join(directory, 'log.db');
  const store = withHashChain(openSqliteEventStore({ file: log }));
  const places = openSqlitePlaces(log);
  const generations = openSqliteGenerations({ file, fingerprint: 'test' });
  const project = async () => {
    const model = openSqliteReadModel({ file, fingerprint: 'test' });
    await catchUp(store, model, PROJECTIONS);
    await model.close();
  };
  const run = async (...args: string[]) => {
    const live = await generations.live();
    const lines: string[] = [];
    const told: string[] = [];
    const dependencies: VerifyDependencies = {
      log: store,
      store,
      newestVersion: () => 1,
      unreadable: async () => [],
      places,
      views: live ? [checkedGeneration(live)] : [],
      projections: PROJECTIONS,
      out: (line) => void lines.push(line),
      progress: rateLines(
        (line) => void told.push(line),
        () => 0,
      ),
    };
    try {
      return { code: await perform(verifyCommand, args, dependencies), lines, told };
    } finally {
      await live?.close();
    }
  };
  const cleanup = async () => {
    places.close();
    await generations.close();
    await store.close();
    await remove();
  };
  Object.assign(context, { log, file, store, places, project, run, cleanup });
  for (const id of [1, 2, 3]) {
    const created = newEvent('TagCreated', { id, name: `Tag ${id}`, slug: `tag-${id}`, description: '', parent: 0 });
    await store.append([
      { stream: `slug-tag-${id}`, expected: 'no_stream', events: newEvents(1) },
      { stream: `tag-${id}`, expected: 'no_stream', events: [created, newEvent('TagRenamed', { name: 'Late' })] },
    ]);
  }
  await project();
});
test.after.each(({ cleanup }) => cleanup());

function tamper(file: string, statement: string): void {
  const db = new Sqlite(file);
  db.exec(statement);
  db.close();
}

const misfitsIn = (lines: readonly string[]) => lines.filter((line) => line.includes('PROBLEM:'));

test('a log and read model without problems are reported in numbers, with exit code 0', async ({ run }) => {
  const { code, lines, told } = await run();
  assert.is(code, 0, lines.join('\n'));
  assert.is(lines[0], 'log: 9 events in 6 streams up to position 0000000000000009; 9 with a hash');
  assert.match(lines[1] ?? '', /^last hash: sha256:[0-9a-f]{64}$/);
  assert.match(lines[2] ?? '', /^views .*: checkpoint 0{15}9, 0 events behind; 3 documents checked$/);
  assert.match(lines[3] ?? '', /^No problems found\./);
  assert.is(lines.length, 4);
  assert.ok(told.some((line) => line.startsWith('Reading the log: 9 events')));
});

test('an event that was changed is named, with what to do, and the exit code is 1', async (context) => {
  tamper(context.log, `UPDATE events SET data = replace(data, 'Tag 2', 'Tag 9') WHERE position = 5`);
  const { code, lines } = await context.run();
  assert.is(code, 1);
  const [first, ...more] = misfitsIn(lines);
  const named = 'FIRST PROBLEM: tag-2 revision 0 (TagCreated, position 0000000000000005): hash: expected sha256:';
  assert.ok(first?.startsWith(named), first);
  assert.equal(more, []);
  assert.ok(lines.some((line) => line.startsWith('What to do: keep this log as evidence')));
  assert.is(lines.at(-1), 'PROBLEMS FOUND.');
});

test('an index of the file that is damaged is a problem, though every event is whole', async (context) => {
  const db = new Sqlite(context.log);
  db.pragma('wal_checkpoint(TRUNCATE)');
  const root = Number(db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'events_by_kind'").pluck().get());
  const end = root * Number(db.pragma('page_size', { simple: true }));
  db.close();
  // The last byte of a page of an index is that of its first entry.
  const file = openSync(context.log, 'r+');
  writeSync(file, Buffer.from([99]), 0, 1, end - 1);
  closeSync(file);
  const { code, lines } = await context.run();
  assert.is(code, 1);
  assert.ok(
    misfitsIn(lines).some((line) => line.startsWith('PROBLEM: the file of the log: ')),
    lines.join('\n'),
  );
  assert.ok(lines.some((line) => line.startsWith('What to do: all events are readable')));
  const [json = ''] = (await context.run('--json')).lines;
  assert.ok(JSON.parse(json).log.damage.length > 0);
});

test('with --json everything is one line', async (context) => {
  tamper(context.log, `UPDATE events SET type = 'Else' WHERE position = 5`);
  const { code, lines } = await context.run('--json');
  assert.is(lines.length, 1);
  const { fits, log, views } = JSON.parse(lines[0] ?? '');
  assert.equal([code, fits, log.events, log.misfits, log.read, views.length], [1, false, 9, 1, 'complete', 1]);
  const { misfit, stream, revision, position } = log.findings[0];
  assert.equal([misfit, stream, revision, position], ['hash', 'tag-2', 0, '0000000000000005']);
});

test('a lagging read model is no problem, and its lag is reported', async ({ run, store }) => {
  await store.append([{ stream: 'tag-1', expected: 1, events: [newEvent('TagRenamed', { name: 'New' })] }]);
  const { code, lines } = await run();
  assert.is(code, 0);
  assert.match(lines[2] ?? '', /, 1 event behind; 3 documents/);
});

test('views that move on while the log is read fit', async ({ places, store, project }) => {
  const model = openSqliteReadModel({ file: ':memory:', fingerprint: 'test' });
  await catchUp(store, model, PROJECTIONS);
  await store.append([{ stream: 'tag-1', expected: 1, events: [newEvent('TagRenamed', { name: 'New' })] }]);
  const lines: string[] = [];
  const code = await perform(verifyCommand, [], {
    log: {
      head: () => store.head(),
      async readAll(options) {
        await catchUp(store, model, PROJECTIONS);
        return store.readAll(options);
      },
    },
    store,
    newestVersion: () => 1,
    unreadable: async () => [],
    places,
    views: [{ name: 'moving', model }],
    projections: PROJECTIONS,
    out: (line) => void lines.push(line),
    progress: rateLines(
      () => {},
      () => 0,
    ),
  });
  assert.is(code, 0, lines.join('\n'));
  await model.close();
  await project();
});

test('an end of a stream that was cut off is seen by the views', async (context) => {
  tamper(context.log, 'DELETE FROM events WHERE position IN (8, 9)');
  const { code, lines } = await context.run();
  assert.is(code, 1);
  const [checkpoint, ...documents] = misfitsIn(lines);
  assert.match(checkpoint ?? '', /expected an event at the checkpoint 0{15}9, found the log ends at 0{15}7$/);
  assert.equal(documents.length, 1);
  assert.match(documents[0] ?? '', / tag-3: expected the events of a document that the view has, found none$/);
  assert.ok(lines.some((line) => line.includes('DAYBOOK_EVENT_STORE')));
});

test('an end of a stream that was replaced, hashes and all, is seen by the views', async (context) => {
  tamper(context.log, 'DELETE FROM events WHERE position = 9');
  await withHashChain(context.store).append([
    { stream: 'slug-tag-9', expected: 'no_stream', events: newEvents(1) },
    { stream: 'tag-3', expected: 0, events: [newEvent('TagRenamed', { name: 'Forged' })] },
  ]);
  const { code, lines } = await context.run();
  assert.is(code, 1);
  assert.match(
    misfitsIn(lines)[0] ?? '',
    / tag-3: expected revision 1 at position 0{15}9, as the view has it, found another/,
  );
});

test('a document that the views lost is named, and a rebuild advised', async ({ run, store }) => {
  const lines: string[] = [];
  const emptied = openSqliteReadModel({ file: ':memory:', fingerprint: 'test' });
  await emptied.apply({ after: '', upTo: await store.head(), changes: [] });
  const code = await perform(verifyCommand, [], {
    log: store,
    store,
    newestVersion: () => 1,
    unreadable: async () => [],
    views: [{ name: 'emptied', model: emptied }],
    projections: PROJECTIONS,
    out: (line) => void lines.push(line),
    progress: rateLines(
      () => {},
      () => 0,
    ),
  });
  await emptied.close();
  assert.is(code, 1);
  assert.equal(misfitsIn(lines).length, 3);
  assert.match(misfitsIn(lines)[0] ?? '', /views emptied: tag-1: expected a document at revision 1, found none/);
  assert.ok(lines.some((line) => line.startsWith('What to do: run `daybook rebuild`')));
  assert.is((await run()).code, 0);
});

for (const [what, statement, finding] of [
  [
    'document',
    `UPDATE document SET shown = replace(shown, 'Late', 'Lata')`,
    'document as it was written, found a damaged one',
  ],
  [
    'row',
    `UPDATE list_row SET packed = CAST(replace(CAST(packed AS TEXT), 'Late', 'Lata') AS BLOB)`,
    'the row that its document gives',
  ],
  ['name', `UPDATE name SET name = 'tag-9' WHERE name = 'tag-2'`, 'the name that its document gives'],
] as const)
  test(`a ${what} of the views that was changed is named, and a rebuild advised`, async (context) => {
    tamper(context.file, `${statement}${what === 'name' ? '' : ' WHERE row = (SELECT max(row) - 1 FROM document)'}`);
    const { code, lines } = await context.run();
    assert.is(code, 1);
    const [first, ...more] = misfitsIn(lines);
    assert.match(first ?? '', /^PROBLEM: views .*: tag-2: expected /);
    assert.ok(first?.includes(finding), first);
    assert.equal(more, []);
    assert.ok(lines.some((line) => line.startsWith('What to do: run `daybook rebuild`')));
  });

test('without views the log alone is checked', async ({ store, places }) => {
  const lines: string[] = [];
  const code = await perform(verifyCommand, [], {
    log: store,
    store,
    newestVersion: () => 1,
    unreadable: async () => [],
    places,
    views: [],
    projections: PROJECTIONS,
    out: (line) => void lines.push(line),
    progress: rateLines(
      () => {},
      () => 0,
    ),
  });
  assert.is(code, 0);
  assert.is(lines.length, 3);
});

for (const args of [['--all'], ['event-1']]) {
  test(`${args[0]} is an unknown option`, async ({ run }) => {
    try {
      await run(...args);
      assert.unreachable();
    } catch (error) {
      assert.instance(error, UsageError);
      assert.match(String(error), /verify: (?:unknown option |too many arguments\.)/);
    }
  });
}

test.run();
