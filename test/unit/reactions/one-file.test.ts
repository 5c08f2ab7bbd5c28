// Several services over the same SQLite files, all of which see the same second at once.
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openStores } from '../../../src/composition.ts';
import { LOG_START } from '../../../src/log/envelope.ts';
import { startService } from '../../../src/service.ts';
import { NOON, someEvent, startTestService, temporaryFolder } from '../../support/service.ts';

const test = suite('scheduled posts and several services on one file');

const PATIENCE_MS = 20_000;

test('each post is published once, whichever service is asked, and whichever is not', async () => {
  const { folder, remove } = temporaryFolder();
  const daybook = await startTestService({
    environment: {
      DAYBOOK_DATA_DIR: folder,
      DAYBOOK_EVENT_STORE: `sqlite:${folder}/log.db`,
      DAYBOOK_READ_MODEL: `sqlite:${folder}/views.db`,
    },
  });
  const { clock, config, store } = daybook;
  const silent = pino({ level: 'silent' });
  const others = await Promise.all(
    [1, 2].map(async () => startService(config, await openStores(config), silent, { clock })),
  );
  const date_utc = new Date((NOON + 60) * 1000).toISOString().slice(0, 19).replace('T', ' ');
  const streams: string[] = [];
  for (let at = 0; at < 20; at++)
    streams.push(`event-${(await daybook.created('editor', 'events', someEvent({ title: `E ${at}`, date_utc }))).id}`);
  clock.at = NOON + 60;
  const published = async () =>
    (await store.readAll({ after: LOG_START, limit: 10_000 })).filter(({ type }) => type === 'EventPublished');
  const begun = performance.now();
  while ((await published()).length < streams.length) {
    assert.ok(performance.now() - begun < PATIENCE_MS, 'not all are published');
    await sleep(10);
  }
  // Each answers once it has nothing more to publish.
  for (const { app } of [daybook.service, ...others]) {
    const { payload } = await app.inject({ url: '/calendar/events/v1/events' });
    assert.is((JSON.parse(payload) as { total: number }).total, 20);
  }
  assert.equal((await published()).map(({ stream }) => stream).sort(), streams.sort());
  for (const other of others) await other.close();
  await daybook.close();
  remove();
});

test.run();
