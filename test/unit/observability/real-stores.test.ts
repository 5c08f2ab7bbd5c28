// Health over the stores of a service that runs, where the other tests stand in for them.
import fastify from 'fastify';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../../projections/catalogue.ts';
import { addOperations } from '../../../src/http/operations/operations.ts';
import type { EventStore } from '../../../src/log/event-store.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import { createHealth } from '../../../src/observability/health.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import type { Trust } from '../../../src/read-model/trust.ts';
import { endOf } from '../../support/ends.ts';
import { metadataAt, newEvent } from '../../support/events.ts';
import { type Body, NOON, someEvent, startTestService, type TestService } from '../../support/service.ts';

interface Context {
  daybook: TestService;
}

const USABLE: Trust = { kind: 'usable', progress: { checkpoint: '', mark: '', life: '' } };

const test = suite<Context>('health of real stores');

test.before(async (context) => {
  context.daybook = await startTestService();
});
test.after(({ daybook }) => daybook.close());

/** What is answered over the views of a service, and over its log unless another one is given. */
function operationsOf({ stores, clock }: TestService, store: EventStore = stores.store) {
  const health = createHealth({
    store,
    readModel: stores.readModel,
    trust: { now: () => USABLE, look: async () => USABLE },
    projector: null,
    parked: async () => [],
    prefixes: allProjections(stores.rendering).map(({ prefix }) => prefix),
    now: clock.now,
    elapsed: () => 0,
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
  const app = fastify();
  addOperations(app, { health, metrics: createMetrics({ version: '0.0.0', health }) });
  return {
    readiness: async (): Promise<Body> => JSON.parse((await app.inject({ url: '/readyz' })).payload),
    /** The value of a metric, as text; undefined when it is absent. */
    async sample(name: string): Promise<string | undefined> {
      const { payload } = await app.inject({ url: '/metrics' });
      const line = payload.split('\n').find((candidate) => candidate.startsWith(`${name} `));
      return line?.slice(name.length + 1);
    },
  };
}

test('after a write that the views have applied there is no lag, though other streams lie behind it', async ({
  daybook,
}) => {
  await daybook.created('editor', 'events', someEvent());
  await daybook.store.append([
    {
      stream: 'slug-event-later',
      expected: await endOf(daybook.store, 'slug-event-later'),
      events: [newEvent('SlugReserved')],
    },
  ]);
  const { status, views } = await operationsOf(daybook).readiness();
  assert.is(status, 'ready');
  assert.equal([views.status, views.lag_events, views.lag_seconds], ['current', 0, 0]);
  assert.is(views.checkpoint, await daybook.readModel.checkpoint());
});

test('an event that no projection can fold is no lag: its resource is parked', async ({ daybook }) => {
  const event = { ...newEvent('Unheard', null), metadata: metadataAt(new Date(NOON * 1000).toISOString()) };
  await daybook.store.append([{ stream: 'event-999', expected: 'no_stream', events: [event] }]);
  daybook.clock.at = NOON + 90;
  const { readiness } = operationsOf(daybook);
  await daybook.service.views.reached(await daybook.store.head(), 10_000);
  const { views, status } = await readiness();
  assert.equal([views.status, views.lag_events, status], ['current', 0, 'ready']);
});

test('a store that has been closed is down', async ({ daybook }) => {
  const closed = openSqliteEventStore({ file: ':memory:' });
  await closed.close();
  const { readiness, sample } = operationsOf(daybook, closed);
  const { event_store, read_model, views } = await readiness();
  assert.is(event_store.status, 'down');
  assert.equal(read_model, { status: 'up' });
  assert.equal(views, { status: 'unknown', why: 'the event store is down' });
  assert.is(await sample('daybook_event_store_up'), '0');
  assert.is(await sample('daybook_projection_lag_events'), undefined);
});

test.run();
