// A merge that is interrupted between its appends, on the event store that has no transactions across streams.
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type EventStore, EventStoreUnavailable } from '../../src/log/event-store.ts';
import { type EventStoreDbServer, startEventStoreDb } from '../support/eventstoredb-server.ts';
import { type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

interface Context {
  server: EventStoreDbServer;
  /** How many streams of a merge are written before its process is gone; null: all. */
  interrupted: { after: number | null };
}

const test = suite<Context>('interrupted merges on EventStoreDB');

test.before.each(async (context) => {
  context.server = await startEventStoreDb();
  context.interrupted = { after: null };
});
test.after.each(({ server }) => server.stop());

const interruptible = (store: EventStore, interrupted: Context['interrupted']): EventStore => ({
  ...store,
  async append(appends) {
    const { after } = interrupted;
    const isMerge = appends.some(({ events }) => events.some(({ type }) => type === 'VenueMerged'));
    if (after === null || !isMerge) return store.append(appends);
    await store.append(appends.slice(0, after));
    throw new EventStoreUnavailable('interrupted');
  },
});

const started = ({ server, interrupted }: Context): Promise<TestService> =>
  startTestService({
    environment: { DAYBOOK_EVENT_STORE: server.connectionString },
    wrap: (stores) => ({ ...stores, store: interruptible(stores.store, interrupted) }),
  });

const PATIENCE_MS = 30_000;

async function newestOf(daybook: TestService, id: number): Promise<string> {
  return (await daybook.get(`/venues/${id}/history`, 'editor')).body.history[0].type;
}

for (const after of [1, 2, 3])
  test(`what is interrupted after ${after} of its streams is completed by itself, once`, async (context) => {
    const daybook = await started(context);
    const stays = await daybook.created('editor', 'venues', { venue: 'Stays' });
    const goes = await daybook.created('editor', 'venues', { venue: 'Goes' });
    const events: Body[] = [];
    for (const title of ['First', 'Second'])
      events.push(await daybook.created('editor', 'events', someEvent({ title, venue: goes.id })));
    context.interrupted.after = after;
    const merged = await daybook.request('editor', 'POST', `/venues/${goes.id}/merge`, { into: stays.id });
    assert.is(merged.status, 503, merged.text);
    context.interrupted.after = null;
    const begun = performance.now();
    // Its answer did not wait for the views.
    while ((await daybook.get(`/venues/${goes.id}`)).status !== 308) {
      assert.ok(performance.now() - begun < PATIENCE_MS, 'the beginning of the merge is not seen');
      await sleep(20);
    }
    daybook.clock.at += 60;
    while ((await newestOf(daybook, stays.id)) !== 'VenueAbsorbed') {
      assert.ok(performance.now() - begun < PATIENCE_MS, 'the merge was not completed');
      await sleep(50);
    }
    for (const { id } of events) {
      assert.is((await daybook.get(`/events/${id}`)).body.venue.id, stays.id);
      const { body } = await daybook.get(`/events/${id}/history`, 'editor');
      assert.is(body.history.filter(({ type }: Body) => type === 'EventMoved').length, 1);
    }
    await daybook.close();
  });

test.run();
