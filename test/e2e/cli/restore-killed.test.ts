// `kill -9` in the middle of a restore into EventStoreDB, with many appends under way: another run completes it.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LOG_START } from '../../../src/log/envelope.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import { newEvents } from '../../support/events.ts';
import { type EventStoreDbServer, startEventStoreDb } from '../../support/eventstoredb-server.ts';
import { until } from '../../support/killed-appends.ts';
import { withHashChain } from '../../support/pipelines.ts';
import { daybook } from '../../support/process.ts';

interface Context {
  folder: string;
  server: EventStoreDbServer;
}

const test = suite<Context>('a killed restore');
test.before.each(async (context) => {
  context.folder = mkdtempSync(path.join(tmpdir(), 'daybook-restore-'));
  context.server = await startEventStoreDb();
});
test.after.each(async ({ folder, server }) => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const ROUNDS = 300;
const STREAMS = 5;

/** Streams that are continued in turns, so that every append is of one event. */
async function writeSource(file: string): Promise<readonly string[]> {
  const adapter = openSqliteEventStore({ file });
  const log = withHashChain(adapter);
  for (let round = 0; round < ROUNDS; round += 1) {
    const expected = round === 0 ? ('no_stream' as const) : round - 1;
    await log.append(
      Array.from({ length: STREAMS }, (_, index) => ({ stream: `venue-${index}`, expected, events: newEvents(1) })),
    );
  }
  const events = await log.readAll({ after: LOG_START, limit: ROUNDS * STREAMS + 1 });
  await log.close();
  return events.map(({ id }) => id);
}

const idsOn = ({ log }: EventStoreDbServer): readonly string[] =>
  log.events.filter(({ stream }) => stream.startsWith('venue-')).map(({ id }) => id);

for (const count of [1, 700, 1_400])
  test(`after ${count} appends the log is a beginning of it, and --resume completes it`, async ({ folder, server }) => {
    const file = path.join(folder, 'source.db');
    const wanted = await writeSource(file);
    const settings = {
      DAYBOOK_DATA_DIR: path.join(folder, randomUUID()),
      DAYBOOK_EVENT_STORE: server.connectionString,
    };
    const restoring = daybook(['restore', '--from', `sqlite:${file}`], settings);
    const stop = server.log.onAppend(() => {
      if (idsOn(server).length === count) restoring.child.kill('SIGKILL');
    });
    assert.is(await restoring.ended, null, restoring.errors());
    stop();
    // What had arrived before is still written.
    let before = -1;
    await until(() => {
      const isStill = before === server.log.events.length;
      before = server.log.events.length;
      return isStill;
    }, 'appends go on');
    const there = idsOn(server);
    assert.ok(there.length >= count && there.length < wanted.length, String(there.length));
    assert.equal(there, wanted.slice(0, there.length));
    const resumed = daybook(['restore', '--from', `sqlite:${file}`, '--resume'], settings);
    assert.is(await resumed.ended, 0, resumed.errors());
    assert.match(resumed.out(), `${there.length} event`);
    assert.equal(idsOn(server), wanted);
  });

test.run();
