import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openSqliteGenerations } from '../../src/read-model/sqlite/generations.ts';
import { openSqliteReadModel } from '../../src/read-model/sqlite/open.ts';
import { event, put, saved } from '../support/documents.ts';
import { type GenerationsPlace, generationsContract } from './generations.contract.ts';

interface SqlitePlace extends GenerationsPlace {
  readonly folder: string;
  readonly file: string;
}

async function place(): Promise<SqlitePlace> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-generations-'));
  const file = join(folder, 'views.db');
  const opened: { close(): Promise<void> }[] = [];
  const remember = <Handle extends { close(): Promise<void> }>(handle: Handle): Handle => {
    opened.push(handle);
    return handle;
  };
  return {
    folder,
    file,
    open: async (fingerprint = 'test') => remember(openSqliteReadModel({ file, fingerprint })),
    generations: async (fingerprint = 'test') => remember(openSqliteGenerations({ file, fingerprint })),
    count: async () => readdirSync(folder).filter((name) => /^views\.db(\.g[0-9a-f]+)?$/.test(name)).length,
    async cleanup() {
      for (const handle of opened) await handle.close();
      rmSync(folder, { recursive: true });
    },
  };
}

generationsContract('SQLite', place);

const generationFiles = ({ folder }: SqlitePlace): string[] =>
  readdirSync(folder).filter((name) => /\.g[0-9a-f]{12}$/.test(name));

async function rebuild(at: SqlitePlace, title: string): Promise<void> {
  const claim = await (await at.generations()).claim();
  const build = await claim.begin();
  await build.model.apply({ after: '', upTo: '000001', changes: [saved(event(1, { title }))] });
  assert.is(await build.promote(), 'live');
  await build.close();
  await claim.cleanUp();
  await claim.release();
}

const titleIn = async (at: SqlitePlace): Promise<string | null> => {
  const [found] = await (await at.open()).fetch([{ kind: 'event', id: 1 }]);
  return found?.kind === 'event' ? found.title : null;
};

async function inPlace(run: (at: SqlitePlace) => Promise<void>): Promise<void> {
  const at = await place();
  try {
    await run(at);
  } finally {
    await at.cleanup();
  }
}

test('a read model in memory cannot be rebuilt, and the error says so', () => {
  assert.throws(
    () => openSqliteGenerations({ file: ':memory:', fingerprint: 'test' }),
    /^Views in memory cannot be rebuilt: .*\.$/,
  );
});

test('the configured file shrinks to a signpost that leads straight to the one in use', () =>
  inPlace(async (at) => {
    await put(await at.open(), ...Array.from({ length: 300 }, (_, id) => saved(event(id + 1))));
    await rebuild(at, 'the first');
    await rebuild(at, 'the second');
    const [only, another] = generationFiles(at);
    assert.is(another, undefined);
    const root = new Database(at.file);
    assert.equal(root.prepare('SELECT file FROM successor').pluck().all(), [only]);
    assert.is(root.prepare('SELECT count(*) FROM document').pluck().get(), 0);
    root.close();
    assert.ok(statSync(at.file).size < 200_000);
  }));

test('a generation whose file is lost is filled again from the configured file on', () =>
  inPlace(async (at) => {
    await put(await at.open(), saved(event(1)));
    await rebuild(at, 'lost');
    for (const name of generationFiles(at)) rmSync(join(at.folder, name));
    const model = await at.open();
    assert.is(await model.checkpoint(), '');
    await put(model, saved(event(1, { title: 'back' })));
    assert.is(await titleIn(at), 'back');
  }));

test('a generation that is damaged is set aside and filled again', () =>
  inPlace(async (at) => {
    await put(await at.open(), saved(event(1)));
    await rebuild(at, 'damaged');
    const [name = ''] = generationFiles(at);
    for (const companion of ['-wal', '-shm']) rmSync(join(at.folder, name + companion), { force: true });
    writeFileSync(join(at.folder, name), 'this is no database, though it is long enough'.repeat(200));
    assert.is(await (await at.open()).checkpoint(), '');
    assert.ok(existsSync(join(at.folder, `${name}.damaged`)));
  }));

test('a switch that was interrupted before the pointer moved is completed by the next cleanup', () =>
  inPlace(async (at) => {
    await put(await at.open(), saved(event(1)));
    await rebuild(at, 'the first');
    const [first = ''] = generationFiles(at);
    const claim = await (await at.generations()).claim();
    const build = await claim.begin();
    await build.model.apply({ after: '', upTo: '000001', changes: [saved(event(1, { title: 'the second' }))] });
    await build.promote();
    await build.close();
    const root = new Database(at.file);
    root.prepare('UPDATE successor SET file = ?').run(first);
    assert.is(await titleIn(at), 'the second');
    assert.is(await claim.cleanUp(), 1);
    await claim.release();
    assert.equal(root.prepare('SELECT file FROM successor').pluck().all(), [build.name]);
    root.close();
    assert.equal(generationFiles(at), [build.name]);
    assert.is(await titleIn(at), 'the second');
  }));

test('a file of something else is left as it is', () =>
  inPlace(async (at) => {
    const raw = new Database(at.file);
    raw.exec('CREATE TABLE precious (id)');
    raw.close();
    const generations = await at.generations();
    const told = await generations.claim().then(
      () => 'taken',
      (error: Error) => error.message,
    );
    assert.match(told, 'belongs to something else');
    const again = new Database(at.file);
    assert.equal(again.prepare('SELECT name FROM sqlite_schema').pluck().all(), ['precious']);
    again.close();
  }));

test.run();
