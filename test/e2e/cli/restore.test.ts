import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import * as assert from 'uvu/assert';
import { allProjections } from '../../../projections/catalogue.ts';
import type { RestoreTarget } from '../../../src/exchange/export/restore-target.ts';
import { openEventStoreDb } from '../../../src/log/eventstoredb/store.ts';
import { createLogChecker } from '../../../src/log/hash-chain/verify.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import { currentSchemaVersion } from '../../../src/log/upcasting/upcast.ts';
import { controlAppend, readControl } from '../../../src/read-model/projector/control.ts';
import { viewsDump } from '../../support/views-dump.ts';
import { linesOf, type Site, sealedLines, withoutPositions } from '../../unit/export/log-room.ts';
import { fixture } from '../../unit/import/desk.ts';
import { onServer, restoreSuite } from './restore-suite.ts';

const test = restoreSuite('daybook restore');

const isWhole = async (site: Site): Promise<boolean> => {
  const checker = createLogChecker({ newestVersion: currentSchemaVersion });
  for (const event of await site.log()) checker.check(event);
  return checker.report().misfits === 0;
};

test('from SQLite to EventStoreDB and back every event, hash and view is the same', async (context) => {
  const { room, source } = context;
  await source.with((stores) => stores.project());
  const server = onServer(context);
  server.takeKeys(source);
  const there = await server.restore(['--from', `sqlite:${path.join(source.folder, 'daybook.db')}`]);
  assert.is(there.code, 0, there.lines.join('\n'));
  assert.is(await isWhole(server), true);
  const back = room.site('back');
  back.takeKeys(source);
  const again = await back.restore(['--from', context.server.connectionString]);
  assert.is(again.code, 0, again.lines.join('\n'));
  assert.equal(withoutPositions(await server.log()), withoutPositions(await source.log()));
  assert.equal(await back.log(), await source.log());
  await back.with((stores) => stores.project());
  assert.equal(viewsDump(path.join(back.folder, 'views.db')), viewsDump(path.join(source.folder, 'views.db')));
  await server.with((stores) => stores.project());
  const documents = (site: Site) =>
    site.with(async ({ readModel, rendering }) => {
      const keys = allProjections(rendering).map(({ kind }) => kind);
      const found = await Promise.all(
        keys.map((kind) => readModel.fetch(Array.from({ length: 9_000 }, (_, id) => ({ kind, id: id + 1 })))),
      );
      return found
        .flat()
        .map((one) => one && { ...one, position: null })
        .filter((one) => one !== null);
    });
  assert.ok((await documents(source)).length > 5);
  assert.equal(await documents(server), await documents(source));
});

test('a file that is compressed by its name is restored, also from standard input', async ({ room, source, file }) => {
  const compressed = `${file}.gz`;
  assert.is((await source.export('--log', '--out', compressed)).code, 0);
  assert.ok(statSync(compressed).size < statSync(file).size);
  assert.equal(linesOf(compressed), linesOf(file));
  const one = room.site('one');
  assert.is((await one.restore([compressed])).code, 0);
  const other = room.site('other');
  assert.is((await other.restore(['-'], { stdin: `${linesOf(file).join('\n')}\n` })).code, 0);
  assert.equal(await one.log(), await source.log());
  assert.equal(await other.log(), await source.log());
});

test('its last line is about the keys, the one before has the counts', async ({ room, file }) => {
  const { lines } = await room.site('one').restore([file]);
  assert.match(lines.at(-1) ?? '', /DAYBOOK_KEYS, keys\.db/);
  assert.match(lines.at(-2) ?? '', /^Restored \d+ domain events? in \d+ streams? from /);
});

test('a store that is not empty is refused in one line and stays as it was', async (context) => {
  const { room, file } = context;
  for (const site of [room.site('one'), onServer(context)]) {
    await site.import(fixture('events.json'));
    const before = await site.log();
    const { code, lines } = await site.restore([file]);
    assert.is(code, 1);
    assert.equal(lines, [
      'restore: the event store is not empty: a log is restored into an empty one only. Nothing was written.',
    ]);
    assert.equal(await site.log(), before);
    assert.match((await site.restore([file, '--resume'])).lines[0] ?? '', 'not empty');
    assert.equal(await site.log(), before);
  }
});

/** Fails, or does something, before the nth portion. */
const before =
  (nth: number, act: () => void | Promise<void>) =>
  (target: RestoreTarget): RestoreTarget => {
    let portions = 0;
    return {
      ...target,
      append: async (events) => {
        for (const event of events) {
          portions += 1;
          if (portions === nth) await act();
          await target.append([event]);
        }
      },
    };
  };

test('Ctrl-C leaves nothing in SQLite', async ({ room, file }) => {
  const stopping = new AbortController();
  const site = room.site('one');
  const crash = () => {
    stopping.abort();
    throw new Error('stopped');
  };
  let failure = '';
  await site.restore([file], { around: before(5, crash) }).catch((error: Error) => {
    failure = error.message;
  });
  assert.is(failure, 'stopped');
  assert.equal(await site.log(), []);
  stopping.abort();
  const { code, lines } = await site.restore([file], { signal: stopping.signal });
  assert.is(code, 130);
  assert.equal(lines, ['Interrupted. Nothing was written.']);
  assert.is((await site.restore([file])).code, 0);
});

test('Ctrl-C ends the wait for standard input, too', async ({ room }) => {
  const stopping = new AbortController();
  const waiting = room.site('one').restore(['-'], { signal: stopping.signal, input: new PassThrough() });
  stopping.abort();
  assert.is((await waiting).code, 130);
});

test('an interrupted restore into EventStoreDB says how to continue, and continues', async (context) => {
  const { file, source } = context;
  const site = onServer(context);
  const crash = () => {
    throw new Error('crashed');
  };
  await site.restore([file], { around: before(6, crash) }).catch(() => {});
  assert.is((await site.log()).length, 5);
  const { code, lines } = await site.restore([file]);
  assert.is(code, 1);
  assert.match(lines[0] ?? '', /holds the first 5 events of this log.*--resume continues after them/);
  const resumed = await site.restore([file, '--resume']);
  assert.is(resumed.code, 0, resumed.lines.join('\n'));
  assert.is(resumed.lines[0], '5 events already there.');
  assert.equal(withoutPositions(await site.log()), withoutPositions(await source.log()));
  assert.is((await site.restore([file, '--resume'])).code, 0);
});

test('a concurrent writer is detected', async (context) => {
  const { file, server } = context;
  const metadata = {
    actor: { id: null, name: 'x' },
    instant: '2030-01-01T00:00:00Z',
    correlationId: 'c',
    causationId: 'c',
  };
  const other = await openEventStoreDb({ connectionString: server.connectionString });
  const intrude = async () => {
    const events = [{ id: randomUUID(), type: 'Other', schemaVersion: 1, data: {}, metadata }];
    await other.append([{ stream: 'other-1', expected: 'no_stream', events }]);
  };
  const { code, lines } = await onServer(context).restore([file], { around: before(4, intrude) });
  await other.close();
  assert.is(code, 1);
  assert.match(lines[0] ?? '', /another process is writing/);
});

test('a SQLite log cannot be written to while it is filled', async ({ room, file }) => {
  const site = room.site('one');
  let refused = '';
  const intrude = async () => {
    const other = openSqliteEventStore({ file: path.join(site.folder, 'daybook.db') });
    refused = (await other.head()) === '' ? 'empty until the end' : 'seen';
    await other.close();
  };
  assert.is((await site.restore([file], { around: before(4, intrude) })).code, 0);
  assert.is(refused, 'empty until the end');
});

test('events that were recorded without a hash stay without one', async ({ room, file }) => {
  const plain = linesOf(file).map((line) => line.replace(/,"hash":"sha256:[0-9a-f]+"/, ''));
  writeFileSync(file, `${sealedLines(plain).join('\n')}\n`);
  const site = room.site('one');
  const { code, lines: said } = await site.restore([file]);
  assert.is(code, 0, said.join('\n'));
  assert.is(
    (await site.log()).every(({ metadata }) => metadata.hash === undefined),
    true,
  );
});

test('what views do without is named by its new position', async (context) => {
  const { source, file } = context;
  const [poison] = await source.with(async ({ store }) => {
    const metadata = {
      actor: { id: 1, name: 'x' },
      instant: '2030-01-01T00:00:00Z',
      correlationId: 'c',
      causationId: 'c',
    };
    const events = [{ id: randomUUID(), type: 'EventFrobnicated', schemaVersion: 1, data: {}, metadata }];
    await store.append([{ stream: 'event-9000', expected: 'no_stream', events }]);
    const found = await store.readStream('event-9000');
    const { position = '' } = found[0] ?? {};
    const data = { position, stream: 'event-9000', revision: 0, type: 'EventFrobnicated', reason: 'by mistake' };
    const told = controlAppend(
      await readControl(store),
      { type: 'EventSkipped', data },
      { id: randomUUID(), metadata },
    );
    await store.append([told]);
    return found;
  });
  await source.export('--log', '--out', file);
  const server = onServer(context);
  server.takeKeys(source);
  const { code, lines } = await server.restore([file]);
  assert.is(code, 0, lines.join('\n'));
  assert.match(lines[0] ?? '', /^Recorded anew.*: 1 event that/);
  const { skips, position } = await server.with(async ({ store }) => ({
    ...(await readControl(store)),
    position: (await store.readStream('event-9000'))[0]?.position ?? '',
  }));
  assert.is(skips.get(position)?.reason, 'by mistake');
  assert.is.not(position, poison?.position);
  assert.is(await isWhole(server), true);
  const same = context.room.site('same');
  same.takeKeys(source);
  await same.restore([file]);
  assert.is((await same.with(({ store }) => readControl(store))).skips.size, 1);
});

test('the read model of another log blocks it', async ({ room, file }) => {
  const site = room.site('one');
  await site.import(fixture('events.json'));
  for (const name of readdirSync(site.folder).filter((one) => one.startsWith('daybook.db')))
    writeFileSync(path.join(site.folder, name), '');
  const { code, lines } = await site.restore([file]);
  assert.is(code, 1);
  assert.match(lines[0] ?? '', /the read model in use is at position 0{12}\d{4}: it belongs to another log/);
  assert.equal(await site.log(), []);
});

test('--dry-run checks the file and writes nothing', async ({ room, file }) => {
  const site = room.site('one');
  const { code, lines } = await site.restore([file, '--dry-run']);
  assert.is(code, 0);
  assert.match(lines[0] ?? '', /complete and undamaged/);
  assert.equal(await site.log(), []);
});

test('words that make no sense are refused with 2', async ({ room, file }) => {
  const site = room.site('one');
  const refused: readonly (readonly [args: string[], said: string])[] = [
    [[], 'DIR, FILE or --from ADDRESS is missing'],
    [[file, '--from', 'sqlite:x'], 'a file and --from exclude each other'],
    [[file, file], 'too many arguments'],
    [[file, '--fast'], '--fast'],
    [[file, '--dry-run', '--resume'], 'use one of them'],
  ];
  for (const [args, said] of refused) {
    const { code, lines } = await site.restore(args);
    assert.is(code, 2);
    assert.match(lines[0] ?? '', said);
  }
});

test('a log to restore from must be there; it is not made', async ({ room }) => {
  const where = path.join(room.folder, 'none.db');
  const error = await room
    .site('one')
    .restore(['--from', `sqlite:${where}`])
    .then(
      () => null,
      (reason: Error) => reason,
    );
  assert.is(error?.message, `--from: there is no file ${JSON.stringify(where)}.`);
  assert.is(existsSync(where), false);
});

test.run();
