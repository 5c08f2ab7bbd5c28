// The feed of changes over the other kind of log.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tailCommand } from '../../src/editorial/audit/cli/tail.ts';
import { EventStoreUnavailable } from '../../src/log/event-store.ts';
import { openEventStoreDb } from '../../src/log/eventstoredb/store.ts';
import { type EventStoreDbServer, startEventStoreDb } from '../support/eventstoredb-server.ts';
import { perform } from '../support/perform.ts';
import {
  type ChangesLog,
  EDITOR,
  fillSome,
  openChangesLog,
  reader,
  readOn,
  select,
} from '../unit/queries/changes-log.ts';

interface Context {
  server: EventStoreDbServer;
  log: ChangesLog;
}

const test = suite<Context>('the feed of changes over EventStoreDB');

test.before.each(async (context) => {
  context.server = await startEventStoreDb();
  const store = await openEventStoreDb({ connectionString: context.server.connectionString, deadlineMs: 500 });
  context.log = openChangesLog((same) => same, store);
  await fillSome(context.log);
});
test.after.each(async ({ server, log }) => {
  await log.store.close();
  await server.stop();
});

test('it returns the same changes in the same order, from every position on', async ({ log }) => {
  const told = await readOn(log.changes, EDITOR);
  assert.equal(
    told.map(({ kind, id, revision }) => `${kind}-${id} ${revision}`),
    (await log.all())
      .filter(({ stream }) => /^(venue|tag|event)-/.test(stream))
      .map((one) => `${one.stream} ${one.revision}`),
  );
  for (const { position } of await log.all())
    assert.equal(
      await readOn(log.changes, EDITOR, { after: position, limit: 2 }),
      told.filter((change) => change.position > position),
    );
  assert.is((await readOn(log.changes, reader('author', 3), { selection: select('event') })).length, 3);
  const beyond = 'ffffffffffffff00-ffffffffffffff00';
  assert.is((await log.changes.page({ after: beyond, selection: select(), reader: EDITOR, limit: 1 })).next, beyond);
});

test('a follower sees new changes, on the terminal too', async ({ log }) => {
  const lines: string[] = [];
  const ending = new AbortController();
  const tail = perform(tailCommand, ['--after', await log.store.head(), '--limit', '2'], {
    ...log.dependencies,
    out: (line) => void lines.push(line),
    signal: ending.signal,
  });
  const question = { after: await log.store.head(), selection: select(), limit: 9, heartbeatMs: 60_000 };
  const pages = log.changes.follow({ ...question, reader: async () => EDITOR }, []);
  await pages.next();
  for (const type of ['EventFeatured', 'EventMadeSticky']) {
    const next = pages.next();
    await log.add('event-1', type);
    assert.equal(
      ((await next).value || undefined)?.changes.map((change) => change.type),
      [type],
    );
  }
  await pages.return();
  await tail;
  assert.is(lines.length, 2);
});

test('an unavailable log is reported at the next heartbeat', async ({ server, log }) => {
  const question = { after: await log.store.head(), selection: select(), limit: 9, heartbeatMs: 50 };
  const pages = log.changes.follow({ ...question, reader: async () => EDITOR }, []);
  for (let beats = 0; beats < 3; beats += 1) await pages.next();
  await server.stop();
  const failure = await (async () => {
    for (;;) await pages.next();
  })().catch((error: unknown) => error);
  assert.instance(failure, EventStoreUnavailable);
});

test.run();
