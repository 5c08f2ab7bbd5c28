// A set whose application is interrupted between its appends, on the event store that has no transactions across
// streams: readers see none of it, and then all of it.
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type EventStore, EventStoreUnavailable } from '../../src/event-store/event-store.ts';
import { type EventStoreDbServer, startEventStoreDb } from '../support/eventstoredb-server.ts';
import { type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

interface Context {
  server: EventStoreDbServer;
  /** How many appends of a set are written before its process is gone; null: all. */
  interrupted: { after: number | null };
}

const test = suite<Context>('interrupted sets on EventStoreDB');

test.before.each(async (context) => {
  context.server = await startEventStoreDb();
  context.interrupted = { after: null };
});
test.after.each(({ server }) => server.stop());

const interruptible = (store: EventStore, interrupted: Context['interrupted']): EventStore => ({
  ...store,
  async append(appends) {
    const { after } = interrupted;
    const isSet = appends[0]?.events.some(({ type }) => type === 'ChangeSetBegun');
    if (after === null || !isSet) return store.append(appends);
    await store.append(appends.slice(0, after));
    throw new EventStoreUnavailable('interrupted');
  },
});

const started = ({ server, interrupted }: Context): Promise<TestService> =>
  startTestService({
    environment: { DAYBOOK_EVENT_STORE: server.connectionString },
    wrap: (stores) => ({ ...stores, store: interruptible(stores.store, interrupted) }),
  });

const TITLES = ['First', 'Second'] as const;
/** `change-sets`, two events and their proposals, `set-1`, `change-sets`. */
const APPENDS = 7;

for (let after = 1; after < APPENDS; after++)
  test(`after ${after} of its appends nothing is shown, and in the end all of it, once`, async (context) => {
    const daybook = await started(context);
    const events: number[] = [];
    const proposals: number[] = [];
    for (const title of TITLES) {
      const { id } = await daybook.created('editor', 'events', someEvent({ title: 'Before' }));
      events.push(id);
      const { body } = await daybook.request('contributor', 'POST', `/events/${id}/proposals`, { title });
      proposals.push(body.id);
    }
    await daybook.request('editor', 'POST', '/sets', { name: 'Both', proposals });
    context.interrupted.after = after;
    assert.is((await daybook.request('editor', 'POST', '/sets/1/apply', {})).status, 503);
    context.interrupted.after = null;
    const titles = async (): Promise<unknown> => {
      const { body } = await daybook.get('/events?start_date=2000-01-01');
      return body.events.map(({ title }: Body) => title).sort();
    };
    assert.equal(await titles(), ['Before', 'Before']);
    daybook.clock.at += 60;
    const begun = performance.now();
    const seen = new Set<string>();
    while (!seen.has(String(TITLES))) {
      seen.add(String(await titles()));
      assert.ok(performance.now() - begun < 30_000, `it was not completed: ${[...seen].join(' | ')}`);
      await sleep(20);
    }
    assert.equal([...seen], ['Before,Before', String(TITLES)].slice(-seen.size));
    assert.is((await daybook.get('/sets/1', 'editor')).body.state, 'applied');
    for (const id of events) {
      const { history } = (await daybook.get(`/events/${id}/history`, 'editor')).body;
      assert.is(history.filter(({ type }: Body) => type === 'EventRetitled').length, 1);
    }
    await daybook.close();
  });

test.run();
