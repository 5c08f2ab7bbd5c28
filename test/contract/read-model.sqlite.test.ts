import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { LOG_START } from '../../src/event-store/envelope.ts';
import { ReadModelDamaged } from '../../src/read-model/damage.ts';
import type { EventQuery, LinkedPostQuery } from '../../src/read-model/queries.ts';
import { ReadModelUnavailable } from '../../src/read-model/read-model.ts';
import { findEvents, UNLIMITED } from '../../src/read-model/sqlite/event-queries.ts';
import { openInUse } from '../../src/read-model/sqlite/in-use.ts';
import { openSqliteReadModel, type SlowReads } from '../../src/read-model/sqlite/open.ts';
import { openReadingThread } from '../../src/read-model/sqlite/reading-thread.ts';
import { documentRow } from '../../src/read-model/sqlite/schema.ts';
import { textOf } from '../../src/text/pieces.ts';
import { event, eventQuery, linkedPostQuery, put, saved, venue } from '../support/documents.ts';
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

const thread = openReadingThread();

/** Each column of the row that is there, one after the other, as an operator with the SQLite shell would. */
function damageIn(file: string): NonNullable<OpenedReadModel['damage']> {
  return async (part, key, edit) => {
    const raw = new Database(file);
    raw.function('edited', (text) => (text === null ? null : edit(String(text))));
    const columns = part === 'shown' ? ['body', 'full', 'json_ld'] : ['texts', 'state'];
    for (const column of columns)
      raw.prepare(`UPDATE document SET ${column} = edited(${column}) WHERE row = ?`).run(documentRow(key));
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

readModelContract('SQLite in another thread', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-read-model-'));
  const open = (fingerprint = 'test') => thread.open({ file: join(folder, 'views.db'), fingerprint });
  const model = open();
  return {
    model,
    another: async (fingerprint) => open(fingerprint),
    damage: damageIn(join(folder, 'views.db')),
    async cleanup() {
      await model.close();
      rmSync(folder, { recursive: true });
    },
  };
});

test('questions that take long are asked of the other thread, and all others are not', () =>
  inFolder(async (folder) => {
    const options = { file: join(folder, 'views.db'), fingerprint: 'test' };
    const asked: unknown[] = [];
    const elsewhere = openSqliteReadModel(options);
    const slow: SlowReads = {
      fetch: (keys) => elsewhere.fetch(keys).finally(() => asked.push('fetch')),
      findBySlug: (kind, slug) => elsewhere.findBySlug(kind, slug).finally(() => asked.push('findBySlug')),
      findEvents: (query) => elsewhere.findEvents(query).finally(() => asked.push('findEvents')),
      listEvents: (query) => elsewhere.listEvents(query).finally(() => asked.push('listEvents')),
      listLinkedPosts: (query) => elsewhere.listLinkedPosts(query).finally(() => asked.push('listLinkedPosts')),
      close: () => elsewhere.close(),
    };
    const model = openSqliteReadModel(options, slow);
    await put(model, ...Array.from({ length: 2_500 }, (_, index) => saved(event(index + 1, { startsAt: index }))));
    const totals: number[] = [];
    const ask = async (query: Partial<EventQuery>): Promise<void> => {
      totals.push((await model.listEvents(eventQuery({ page: { offset: 0, limit: 5 }, ...query }))).total);
    };
    await ask({});
    await ask({ bounds: { startsFrom: 2_000 }, featured: false });
    await ask({ include: [1, 2, 3], featured: false });
    assert.equal([totals, asked], [[2_500, 500, 3], []]);
    await ask({ featured: false });
    await ask({ search: { words: ['none'], without: [] } });
    await ask({ page: { offset: 2_400, limit: 5 } });
    assert.equal(
      [totals.slice(3), asked],
      [
        [2_500, 0, 2_500],
        ['listEvents', 'listEvents', 'listEvents'],
      ],
    );
    const long = `{"x":"${'long '.repeat(100_000)}"}`;
    const fragments = { full: long, masked: null, jsonLd: '{}' };
    await put(model, ...[1, 2, 3, 4, 5].map((id) => saved(event(id, { fragments }))));
    await ask({ include: [1, 2, 3, 4, 5] });
    assert.is(asked.length, 4, 'for the length of its documents');
    const longer = { ...fragments, full: `{"x":"${'long '.repeat(110_000)}"}` };
    await put(model, saved(event(6, { fragments: longer })));
    const [found, other] = await model.fetch([6, 7].map((id) => ({ kind: 'event', id })));
    assert.equal([found?.id, other?.id, asked.slice(4)], [6, 7, ['fetch']]);
    assert.is((await model.findBySlug('event', found && 'slug' in found ? found.slug : ''))?.id, 6);
    assert.equal(asked.slice(5), ['findBySlug']);
    await model.fetch([{ kind: 'event', id: 7 }]);
    assert.is(await model.findBySlug('event', 'none'), null);
    assert.is(asked.length, 6);
    await model.close();
  }));

test('a page of venues that takes long is asked of the other thread: by their number, their events, their texts', () =>
  inFolder(async (folder) => {
    const options = { file: join(folder, 'views.db'), fingerprint: 'test' };
    const elsewhere = openSqliteReadModel(options);
    let asked = 0;
    const model = openSqliteReadModel(options, {
      ...elsewhere,
      listLinkedPosts: (query) => elsewhere.listLinkedPosts(query).finally(() => (asked += 1)),
    });
    await put(model, ...Array.from({ length: 250 }, (_, index) => saved(venue(index + 1))));
    const ask = async (query: Partial<LinkedPostQuery>) =>
      (await model.listLinkedPosts(linkedPostQuery({ kind: 'venue', page: { offset: 0, limit: 5 }, ...query }))).total;
    assert.equal([await ask({}), await ask({ search: ['none'] }), asked], [250, 0, 0]);
    assert.equal([await ask({ hasEvents: false }), asked], [250, 1]);
    const fragments = { full: `{"x":"${'long '.repeat(110_000)}"}`, masked: null, jsonLd: '{}' };
    await put(model, saved(venue(250, { fragments })));
    assert.equal([await ask({}), asked], [250, 2]);
    await model.close();
  }));

test('a filter with hundreds of targets names its events once, and finds the same ones', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'views.db');
    const model = openSqliteReadModel({ file, fingerprint: 'test' });
    const tagOf = (id: number): number => 1 + (id % 500);
    const all = Array.from({ length: 2_500 }, (_, index) => index + 1);
    await put(model, ...all.map((id) => saved(event(id, { startsAt: id, tags: [tagOf(id)], featured: id % 2 === 0 }))));
    const connection = openInUse(file, 'test');
    const statements: string[] = [];
    const watched = {
      ...connection,
      column(text: string) {
        statements.push(text);
        return connection.column(text);
      },
    };
    const found = (tags: number, members: Partial<EventQuery> = {}) => {
      statements.length = 0;
      const page = { offset: 0, limit: 10_000 };
      const query = eventQuery({ tags: Array.from({ length: tags }, (_, index) => index + 1), page, ...members });
      const { items, total } = findEvents(watched, query, UNLIMITED) ?? { items: [], total: -1 };
      assert.is(total, items.length);
      return { items, isSet: statements.some((text) => text.includes('e.id IN (SELECT id FROM')) };
    };
    const tagged = (tags: number) => all.filter((id) => tagOf(id) <= tags);
    // With `featured: false` no filter names fewer events than there are.
    assert.equal(found(500, { featured: false }), { items: all.filter((id) => id % 2 === 1), isSet: true });
    assert.equal(found(100, { featured: false }), { items: tagged(100).filter((id) => id % 2 === 1), isSet: false });
    assert.equal(found(500, { bounds: { startsFrom: 2_400 } }), { items: all.slice(2_399), isSet: false });
    connection.db.close();
    await model.close();
  }));

test('a long answer of the other thread comes in portions, complete and in order, its long texts as bytes', () =>
  inFolder(async (folder) => {
    const model = thread.open({ file: join(folder, 'views.db'), fingerprint: 'test' });
    const full = `{"x":"${'long '.repeat(60_000)}"}`;
    const ids = [1, 2, 3, 4, 5];
    const fragments = { full, masked: null, jsonLd: '{}' };
    await put(model, ...ids.map((id) => saved(event(id, { startsAt: id, fragments }))));
    const [first, second] = await Promise.all([
      model.listEvents(eventQuery()),
      model.fetch([5, 9, 4, 3].map((id) => ({ kind: 'event', id }))),
    ]);
    assert.equal([first.items.map(({ id }) => id), first.total], [ids, 5]);
    assert.equal(
      second.map((document) => document?.id ?? null),
      [5, null, 4, 3],
    );
    for (const document of [...first.items, ...second.filter((one) => one?.kind === 'event')]) {
      assert.instance(document.fragments.full, Uint8Array);
      assert.ok(textOf(document.fragments.full) === full);
    }
    await model.close();
  }));

test('a document is not replaced whose names cannot be read', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'views.db');
    const model = openSqliteReadModel({ file, fingerprint: 'test' });
    await put(model, saved(event(1)));
    await damageIn(file)('shown', { kind: 'event', id: 1 }, (text) => text.replace('event-1', 'event-2'));
    const refused = await put(model, saved(event(1, { title: 'later' }))).catch((error: unknown) => error);
    assert.instance(refused, ReadModelDamaged);
    await model.close();
  }));

test('a thread that ends is started again for a file, and not for what it held in memory', () =>
  inFolder(async (folder) => {
    const own = openReadingThread();
    const file = own.open({ file: join(folder, 'views.db'), fingerprint: 'test' });
    const memory = own.open({ file: ':memory:', fingerprint: 'test' });
    await put(file, saved(event(1)));
    await put(memory, saved(event(1)));
    await own.end();
    assert.is((await file.listEvents(eventQuery())).total, 1);
    const refused = await memory.listEvents(eventQuery()).then(
      () => null,
      (error: unknown) => error,
    );
    assert.instance(refused, ReadModelUnavailable);
    await own.end();
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
