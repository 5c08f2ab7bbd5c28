import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nextTurn } from '../../src/kernel/event-loop/turns.ts';
import { LOG_START } from '../../src/log/envelope.ts';
import { openSqliteGenerations } from '../../src/read-model/sqlite/generations.ts';
import { openSqliteReadModel } from '../../src/read-model/sqlite/open.ts';
import { documentRow, kindCode } from '../../src/read-model/sqlite/schema.ts';
import { event, positionAfter, put, saved } from '../support/documents.ts';
import { readModelContract } from './read-model.contract.ts';
import type { OpenedReadModel } from './read-model-check.ts';

/** Runs with a folder of its own, and removes it. */
async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-read-model-'));
  try {
    await run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The row that is there, as an operator with the SQLite shell would. */
function damageIn(file: string): NonNullable<OpenedReadModel['damage']> {
  return async (part, key, edit) => {
    const raw = new Database(file);
    raw.function('edited', (text) => (text === null ? null : edit(String(text))));
    raw.function('editedBytes', (bytes) => Buffer.from(edit((bytes as Buffer).toString('latin1')), 'latin1'));
    if (part === 'row')
      raw.prepare('UPDATE list_row SET packed = editedBytes(packed) WHERE row = ?').run(documentRow(key));
    if (part === 'name')
      raw.prepare('UPDATE name SET name = edited(name) WHERE kind = ? AND id = ?').run(kindCode(key.kind), key.id);
    if (part !== 'row' && part !== 'name') {
      const column = part === 'shown' ? 'shown' : 'state';
      raw.prepare(`UPDATE document SET ${column} = edited(${column}) WHERE row = ?`).run(documentRow(key));
    }
    raw.close();
  };
}

readModelContract('SQLite file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-read-model-'));
  const open = (fingerprint = 'test') => openSqliteReadModel({ file: join(folder, 'deep', 'views.db'), fingerprint });
  const model = open();
  return {
    model,
    another: async (fingerprint) => open(fingerprint),
    damage: damageIn(join(folder, 'deep', 'views.db')),
    async cleanup() {
      await model.close();
      rmSync(folder, { recursive: true });
    },
  };
});

readModelContract('SQLite in memory', async () => {
  const model = openSqliteReadModel({ file: ':memory:', fingerprint: 'test' });
  return { model, another: null, damage: null, cleanup: () => model.close() };
});

test('a document whose names cannot be read is replaced with all of its names', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'views.db');
    const model = openSqliteReadModel({ file, fingerprint: 'test' });
    await put(model, saved(event(1)));
    await damageIn(file)('shown', { kind: 'event', id: 1 }, (text) => text.replace('event-1', 'event-2'));
    await put(model, saved(event(1, { slug: 'later' })));
    assert.equal([await model.named('event', 'event-1'), await model.named('event', 'later')], [[], [1]]);
    await model.close();
  }));

/** What opening a file says; null when it opens. */
function complaint(file: string): string | null {
  try {
    openSqliteReadModel({ file, fingerprint: 'test' }).close();
    return null;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

const MANY = 2_000;
const manyEvents = Array.from({ length: MANY }, (_, index) => saved(event(index + 1, { title: 'Choir' })));

test('a long batch is applied in turns, in which others read what was before and open the file', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'views.db');
    const model = openSqliteReadModel({ file, fingerprint: 'test' });
    await put(model, saved(event(1, { title: 'Jazz' })));
    const both = [1, MANY].map((id) => ({ kind: 'event' as const, id }));
    const seen = async () => {
      const [first, last] = await model.fetch(both);
      return `${first && 'title' in first && first.title}, ${last?.id}`;
    };
    let isApplied = false;
    const applying = put(model, ...manyEvents).then(() => {
      isApplied = true;
    });
    const states: string[] = [];
    while (!isApplied) {
      await nextTurn();
      states.push(await seen());
      if (states.length === 1) assert.is(complaint(file), null);
    }
    await applying;
    assert.ok(states.filter((state) => state === 'Jazz, undefined').length >= 3, 'others have their turn');
    assert.equal(new Set([...states, await seen()]), new Set(['Jazz, undefined', `Choir, ${MANY}`]));
    await model.close();
  }));

test('a file that is written once has no write-ahead log, also when it catches up with thousands of documents', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'views.db');
    const model = openSqliteReadModel({ file, fingerprint: 'test', written: 'once' });
    await put(model, ...manyEvents);
    assert.is(existsSync(`${file}-wal`), false);
    assert.is((await model.fetch([{ kind: 'event', id: MANY }]))[0]?.id, MANY);
    await model.close();
  }));

for (const changes of [[saved(event(1))], manyEvents])
  test(`behind a stale batch of ${changes.length} changes it is known at once how far another process has come`, () =>
    inFolder(async (folder) => {
      const file = join(folder, 'views.db');
      const model = openSqliteReadModel({ file, fingerprint: 'test' });
      await put(model, saved(event(1)));
      await nextTurn();
      assert.is((await model.progress()).checkpoint, positionAfter(1));
      const other = new Database(file);
      other.prepare('UPDATE meta SET checkpoint = ?, batch = batch + 1').run(positionAfter(5));
      other.close();
      // Without a look of its own a command that catches up would try the same batch for ever.
      assert.is(await model.apply({ after: positionAfter(1), upTo: positionAfter(2), changes }), 'stale');
      assert.is((await model.progress()).checkpoint, positionAfter(5));
      await model.close();
    }));

for (const changes of [[saved(event(1))], manyEvents])
  test(`what is read beside ${changes.length} changes follows to another generation, for which they are stale`, () =>
    inFolder(async (folder) => {
      const options = { file: join(folder, 'views.db'), fingerprint: 'test' };
      const model = openSqliteReadModel(options);
      await put(model, saved(event(1)));
      const claim = await openSqliteGenerations(options).claim();
      const build = await claim.begin();
      await put(build.model, saved(event(1, { title: 'Built' })));
      assert.is(await build.promote(), 'live');
      const outcomes = await Promise.all([
        model.apply({ after: positionAfter(1), upTo: positionAfter(2), changes }),
        model.fetch([{ kind: 'event', id: 1 }]).then(([document]) => document && 'title' in document && document.title),
      ]);
      assert.equal(outcomes, ['stale', 'Built']);
      await build.close();
      await claim.release();
      await model.close();
    }));

test('beside other work the turns of a long batch grow, so that others do not wait long for its lock', () =>
  inFolder(async (folder) => {
    const model = openSqliteReadModel({ file: join(folder, 'views.db'), fingerprint: 'test' });
    let rounds = 0;
    let isApplied = false;
    const applying = put(model, ...manyEvents).then(() => {
      isApplied = true;
    });
    while (!isApplied) {
      await nextTurn();
      rounds += 1;
      const until = performance.now() + 40;
      while (performance.now() < until);
    }
    await applying;
    assert.ok(rounds > 2 && rounds <= 20, `${rounds} rounds`);
    await model.close();
  }));

test('a write-ahead log that a long batch has made long is brought into the file by a thread', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'views.db');
    const model = openSqliteReadModel({ file, fingerprint: 'test' });
    let threads = 0;
    const count = () => {
      threads += 1;
    };
    process.on('worker', count);
    const log = (): unknown => {
      const raw = new Database(file, { readonly: true });
      const [state] = raw.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[]; // As SQLite documents it.
      raw.close();
      return state && { isLong: state.log >= 8192, isInFile: state.checkpointed === state.log };
    };
    await put(model, ...manyEvents);
    assert.equal([threads, log()], [0, { isLong: false, isInFile: false }]);
    const title = 'Choir '.repeat(4_000);
    await put(model, ...manyEvents.map(({ key }) => saved(event(key.id, { title }))));
    assert.equal([threads, log()], [1, { isLong: true, isInFile: true }]);
    process.off('worker', count);
    await model.close();
  }));

test('a long batch is applied as a whole or not at all', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'views.db');
    const model = openSqliteReadModel({ file, fingerprint: 'test' });
    await put(model, saved(event(1)));
    const batch = { after: positionAfter(1), upTo: positionAfter(2) };
    const unfit = saved({ ...event(MANY + 1), state: 1n as unknown as null });
    try {
      await model.apply({ ...batch, changes: [...manyEvents, unfit] });
      assert.unreachable();
    } catch (error) {
      assert.match(String(error), /BigInt/);
    }
    assert.is(await model.apply({ ...batch, after: positionAfter(7), changes: manyEvents }), 'stale');
    assert.equal(await model.fetch([{ kind: 'event', id: 2 }]), [null]);
    assert.is(await model.checkpoint(), positionAfter(1));
    assert.is(await model.apply({ ...batch, changes: manyEvents }), 'applied');
    await model.close();
  }));

test('a damaged file is set aside, and the model starts empty', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'views.db');
    writeFileSync(file, 'this is no database, though it is long enough to be looked at closely'.repeat(100));
    const model = openSqliteReadModel({ file, fingerprint: 'test' });
    assert.is(await model.checkpoint(), LOG_START);
    await put(model, saved(event(1)));
    await model.close();
    assert.ok(existsSync(`${file}.damaged`));
  }));

test('a file of another schema version is emptied', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'views.db');
    const before = openSqliteReadModel({ file, fingerprint: 'test' });
    await put(before, saved(event(1)));
    await before.close();
    const raw = new Database(file);
    raw.pragma('user_version = 999');
    raw.close();
    const after = openSqliteReadModel({ file, fingerprint: 'test' });
    assert.is(await after.checkpoint(), LOG_START);
    assert.equal(await after.fetch([{ kind: 'event', id: 1 }]), [null]);
    await after.close();
  }));

test('a database of something else is refused and left as it is', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'other.db');
    const raw = new Database(file);
    raw.exec('CREATE TABLE precious (id); INSERT INTO precious VALUES (1)');
    assert.match(complaint(file) ?? '', /^ReadModelUnavailable: .*belongs to something else/);
    assert.is(raw.prepare('SELECT count(*) FROM precious').pluck().get(), 1);
    raw.close();
  }));

test('an error for a path that cannot be opened says what to do', () =>
  inFolder(async (folder) => {
    assert.match(complaint(folder) ?? '', /^ReadModelUnavailable: .*check that the folder exists/);
  }));

test.run();
