// An approval that is interrupted between its appends, on the event store that has no transactions across streams.
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type EventStore, EventStoreUnavailable } from '../../src/log/event-store.ts';
import { type EventStoreDbServer, startEventStoreDb } from '../support/eventstoredb-server.ts';
import { type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

interface Context {
  server: EventStoreDbServer;
  /** How many streams of an approval are written before its process is gone; null: all. */
  interrupted: { after: number | null };
}

const test = suite<Context>('interrupted approvals on EventStoreDB');

test.before.each(async (context) => {
  context.server = await startEventStoreDb();
  context.interrupted = { after: null };
});
test.after.each(({ server }) => server.stop());

const started = ({ server, interrupted }: Context): Promise<TestService> =>
  startTestService({
    environment: { DAYBOOK_EVENT_STORE: server.connectionString },
    wrap: (stores) => ({ ...stores, store: interruptible(stores.store, interrupted) }),
  });

const interruptible = (store: EventStore, interrupted: Context['interrupted']): EventStore => ({
  ...store,
  async append(appends) {
    const { after } = interrupted;
    const isApproval = appends[0]?.events.some(({ type }) => type === 'ProposalApproved');
    if (after === null || !isApproval) return store.append(appends);
    await store.append(appends.slice(0, after));
    throw new EventStoreUnavailable('interrupted');
  },
});

const PATIENCE_MS = 30_000;

async function settled(daybook: TestService, id: number): Promise<Body> {
  const begun = performance.now();
  for (;;) {
    const { body } = await daybook.get(`/proposals/${id}`, 'editor');
    if (body.state !== 'approved') return body;
    assert.ok(performance.now() - begun < PATIENCE_MS, 'the approval was not completed');
    await sleep(50);
  }
}

for (const after of [1, 2]) {
  test(`what is interrupted after ${after} of its streams is completed by itself, once`, async (context) => {
    const daybook = await started(context);
    const event = await daybook.created('editor', 'events', someEvent());
    const opened = await daybook.request('contributor', 'POST', `/events/${event.id}/proposals`, { title: 'Later' });
    const { id } = opened.body;
    context.interrupted.after = after;
    assert.is((await daybook.request('editor', 'POST', `/proposals/${id}/approve`, {})).status, 503);
    context.interrupted.after = null;
    daybook.clock.at += 60;
    assert.is((await settled(daybook, id)).state, 'applied');
    const { history } = (await daybook.get(`/events/${event.id}/history`, 'editor')).body;
    const retitled = history.filter((entry: Body) => entry.type === 'EventRetitled');
    assert.equal(
      retitled.map(({ actor, proposal }: Body) => [actor.name, proposal.id]),
      [['editor', id]],
    );
    assert.is((await daybook.get(`/events/${event.id}`)).body.title, 'Later');
    await daybook.close();
  });
}

test('what has come into conflict meanwhile can be revised', async (context) => {
  const daybook = await started(context);
  const event = await daybook.created('editor', 'events', someEvent());
  const opened = await daybook.request('contributor', 'POST', `/events/${event.id}/proposals`, { title: 'Mine' });
  const { id } = opened.body;
  context.interrupted.after = 1;
  assert.is((await daybook.request('editor', 'POST', `/proposals/${id}/approve`, {})).status, 503);
  context.interrupted.after = null;
  await daybook.request('editor', 'PATCH', `/events/${event.id}`, { title: 'Theirs' });
  daybook.clock.at += 60;
  const read = await settled(daybook, id);
  assert.equal([read.state, read.fits, read.conflicts.length], ['changes_requested', false, 1]);
  const revised = { title: 'Ours', revises: id };
  assert.is((await daybook.request('contributor', 'POST', `/events/${event.id}/proposals`, revised)).status, 200);
  assert.is((await daybook.request('editor', 'POST', `/proposals/${id}/approve`, {})).body.state, 'applied');
  assert.is((await daybook.get(`/events/${event.id}`)).body.title, 'Ours');
  await daybook.close();
});

test.run();
