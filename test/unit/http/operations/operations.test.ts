import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventList } from '../../../../src/calendar/event/http/event-schema.ts';
import { addOperations } from '../../../../src/http/operations/operations.ts';
import { EventStoreUnavailable } from '../../../../src/log/event-store.ts';
import { createMetrics } from '../../../../src/observability/metrics.ts';
import { ReadModelUnavailable } from '../../../../src/read-model/read-model.ts';
import { startTestService } from '../../../support/service.ts';
import {
  eventAt,
  failing,
  hanging,
  openSurroundings,
  parkedVenue,
  positionOf,
  type Surroundings,
} from '../../observability/fake-ports.ts';
import { echo, shellOf } from '../shell.ts';

const test = suite('operations');

const storeAway = failing(new EventStoreUnavailable('The event store is away.'));
const modelAway = failing(new ReadModelUnavailable('The read model is away.'));

/** The application with one route of the API, and what it stands on. */
function openApp(options: Parameters<typeof openSurroundings>[0] = {}) {
  const surroundings = openSurroundings(options);
  const { health } = surroundings;
  const { app } = shellOf([
    {
      path: '/events',
      endpoints: [{ methods: ['GET'], parameters: eventList({ perPage: 12 }), handle: echo }],
      allow: () => ['GET'],
    },
  ]);
  addOperations(app, { health, metrics: createMetrics({ version: '0.0.0', health }) });
  return { app, surroundings };
}

type App = ReturnType<typeof openApp>['app'];

async function ask(app: App, url: string) {
  const { statusCode, headers, payload } = await app.inject({ url });
  return { status: statusCode, headers, body: JSON.parse(payload) };
}

/** What the three ways to ask for readiness answer: everything, reads, writes. */
const threeWays = async (app: App): Promise<number[]> => {
  const answers = [];
  for (const url of ['/readyz', '/readyz?for=reads', '/readyz?for=writes']) answers.push((await ask(app, url)).status);
  return answers;
};

test('a process that turns its event loop is alive, whatever its stores do', async () => {
  const { app, surroundings } = openApp();
  surroundings.ports.storeCourse = hanging;
  surroundings.ports.modelCourse = hanging;
  const answer = await ask(app, '/healthz');
  assert.is(answer.status, 200);
  assert.equal(answer.body, { status: 'ok' });
});

test('it is not ready to read before texts can be searched, and says so as long as it lasts', async () => {
  let isSearchable = false;
  const { app, surroundings } = openApp({ isSearchable: () => isSearchable });
  assert.equal(await threeWays(app), [503, 503, 200]);
  const { body } = await ask(app, '/readyz');
  assert.equal([body.status, body.search], ['degraded', { status: 'being indexed' }]);
  surroundings.trust = 'filling';
  assert.is((await ask(app, '/readyz')).body.search, undefined, 'something else comes first');
  surroundings.trust = 'usable';
  isSearchable = true;
  assert.equal(await threeWays(app), [200, 200, 200]);
  assert.is((await ask(app, '/readyz')).body.search, undefined);
});

test('it is ready when all is well', async () => {
  const { app, surroundings } = openApp();
  surroundings.ports.log.push(eventAt(1), eventAt(2));
  surroundings.ports.checkpoint = positionOf(2);
  const answer = await ask(app, '/readyz');
  assert.is(answer.status, 200);
  assert.is(answer.headers['retry-after'], undefined);
  assert.is(answer.headers['content-type'], 'application/json; charset=UTF-8');
  assert.is(answer.headers['cache-control'], 'no-store');
  assert.equal(answer.body, {
    status: 'ready',
    event_store: { status: 'up' },
    read_model: { status: 'up' },
    projector: { status: 'leading' },
    views: {
      status: 'current',
      lag_events: 0,
      lag_events_counted: 'exactly',
      lag_seconds: 0,
      checkpoint: positionOf(2),
    },
  });
  assert.equal(await threeWays(app), [200, 200, 200]);
});

test('readiness for reads tests no writes', async () => {
  const { app, surroundings } = openApp();
  const writes = () => surroundings.ports.asked.filter((what) => what === 'writing').length;
  await ask(app, '/readyz?for=reads');
  assert.is(writes(), 0);
  await ask(app, '/readyz?for=writes');
  assert.is(writes(), 1);
});

/** A state that came after all had been well, and what it makes of readiness for everything, reads and writes. */
interface State {
  readonly name: string;
  become(surroundings: Surroundings): void;
  readonly codes: readonly number[];
  readonly status: string;
  readonly found: object;
}

const states: readonly State[] = [
  {
    name: 'the event store is down: reads go on',
    become: ({ ports }) => {
      ports.storeCourse = storeAway;
    },
    codes: [503, 200, 503],
    status: 'degraded',
    found: {
      event_store: { status: 'down', why: 'The event store is away.' },
      views: { status: 'unknown', why: 'the event store is down' },
    },
  },
  {
    name: 'the event store hangs: the answer comes all the same',
    become: ({ ports }) => {
      ports.storeCourse = hanging;
    },
    codes: [503, 200, 503],
    status: 'degraded',
    found: { event_store: { status: 'down', why: 'there was no answer within 30 ms' } },
  },
  {
    name: 'the log can be read, and refuses what is written: reads go on',
    become: ({ ports }) => {
      ports.writeCourse = failing(new EventStoreUnavailable('The event store daybook.db cannot grow.'));
    },
    codes: [503, 200, 503],
    status: 'degraded',
    found: {
      event_store: { status: 'up' },
      writes: { status: 'refused', why: 'The event store daybook.db cannot grow.' },
    },
  },
  {
    name: 'the read model is down: writes go on',
    become: ({ ports }) => {
      ports.modelCourse = modelAway;
    },
    codes: [503, 503, 200],
    status: 'unavailable',
    found: { read_model: { status: 'down', why: 'The read model is away.' }, event_store: { status: 'up' } },
  },
  {
    name: 'a resource is parked at an event: all is ready, and the event is told',
    become: (surroundings) => {
      surroundings.parked = [parkedVenue(7)];
    },
    codes: [200, 200, 200],
    status: 'ready',
    found: {
      parked: {
        resources: 1,
        first: { stream: 'venue-7', position: positionOf(7), type: 'VenueMoved', why: 'VenueMoved has no day' },
      },
    },
  },
  {
    name: 'the projector waits to try again: both go on',
    become: (surroundings) => {
      surroundings.projector = { kind: 'waiting to try again' };
    },
    codes: [503, 200, 200],
    status: 'degraded',
    found: { projector: { status: 'waiting to try again' } },
  },
  {
    name: 'views lag: both go on',
    become: ({ ports }) => {
      ports.log.push(eventAt(1, 'event-1', 61));
    },
    codes: [503, 200, 200],
    status: 'degraded',
    found: {
      views: { status: 'lagging', lag_events: 1, lag_events_counted: 'exactly', lag_seconds: 61, checkpoint: '' },
    },
  },
  {
    name: 'the projector stands by: all is well',
    become: (surroundings) => {
      surroundings.projector = { kind: 'standing by' };
    },
    codes: [200, 200, 200],
    status: 'ready',
    found: { projector: { status: 'standing by' } },
  },
];

for (const { name, become, codes, status, found } of states) {
  test(name, async () => {
    const { app, surroundings } = openApp();
    await ask(app, '/readyz');
    become(surroundings);
    const { body, headers, status: code } = await ask(app, '/readyz');
    assert.is(body.status, status);
    for (const [member, value] of Object.entries(found)) assert.equal(body[member], value, member);
    assert.is(headers['retry-after'], code === 503 ? '5' : undefined);
    assert.equal(await threeWays(app), codes);
  });
}

for (const trust of ['filling', 'another log', 'unknown'] as const)
  test(`views that are refused (${trust}) are not fit to be read`, async () => {
    const { app, surroundings } = openApp();
    surroundings.trust = trust;
    assert.equal(await threeWays(app), [503, 503, 200]);
    assert.is((await ask(app, '/readyz')).body.status, 'unavailable');
  });

test('a process without a projector is ready when the views of others are current', async () => {
  const { app } = openApp({ projector: null });
  const { status, body } = await ask(app, '/readyz');
  assert.is(status, 200);
  assert.equal(body.projector, { status: 'elsewhere' });
});

test('readiness for anything else is refused in one sentence', async () => {
  const { app } = openApp();
  for (const url of ['/readyz?for=', '/readyz?for=all', '/readyz?for=reads&for=writes', '/readyz?for=Reads']) {
    const { status, body } = await ask(app, url);
    assert.is(status, 400, url);
    assert.is(body.message, 'for is either reads or writes; leave it out to ask for everything.');
  }
  assert.is((await ask(app, '/readyz?verbose=1')).status, 200);
});

test('metrics are text, and concurrent requests query the stores once', async () => {
  const { app, surroundings } = openApp();
  const answers = await Promise.all([1, 2, 3].map(() => app.inject({ url: '/metrics' })));
  for (const { statusCode, headers, payload } of answers) {
    assert.is(statusCode, 200);
    assert.is(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
    assert.match(payload, /^daybook_event_store_up 1$/m);
  }
  assert.is(surroundings.ports.asked.filter((what) => what === 'head').length, 1);
});

test('concurrent metrics and readiness share one check', async () => {
  const { app, surroundings } = openApp();
  await Promise.all([app.inject({ url: '/metrics' }), app.inject({ url: '/readyz' })]);
  assert.is(surroundings.ports.asked.filter((what) => what === 'head').length, 1);
});

test('metrics are answered while both stores hang', async () => {
  const { app, surroundings } = openApp();
  surroundings.ports.storeCourse = hanging;
  surroundings.ports.modelCourse = hanging;
  const { statusCode, payload } = await app.inject({ url: '/metrics' });
  assert.is(statusCode, 200);
  assert.match(payload, /^daybook_event_store_up 0$/m);
  assert.match(payload, /^daybook_read_model_up 0$/m);
  assert.not.match(payload, /^daybook_projection_lag/m);
});

test('answers of the API are counted with route, method, status and time, without their paths', async () => {
  const daybook = await startTestService();
  const { app } = daybook.service;
  await app.inject({ url: '/calendar/events/v1/events' });
  await app.inject({ url: '/calendar/events/v1/events' });
  await app.inject({ method: 'HEAD', url: '/calendar/events/v1/events' });
  await app.inject({ url: '/calendar/events/v1/events/41' });
  await app.inject({ url: '/calendar/events/v1/no/such/path' });
  const { payload } = await app.inject({ url: '/metrics' });
  await daybook.close();
  const root = '/calendar/events/v1';
  const has = (line: string): void => assert.ok(payload.split('\n').includes(line), `${line} is not in ${payload}`);
  has(`daybook_http_requests_total{route="${root}/events",method="GET",status="200"} 2`);
  has(`daybook_http_requests_total{route="${root}/events",method="HEAD",status="200"} 1`);
  has(`daybook_http_requests_total{route="${root}/events/:id",method="GET",status="404"} 1`);
  has('daybook_http_requests_total{route="none",method="GET",status="404"} 1');
  has('daybook_http_request_duration_seconds_count{route="none",method="GET",status="4xx"} 1');
  assert.not.match(payload, /events\/41/);
  assert.not.match(payload, /such/);
});

test('HEAD answers as GET does, without a body', async () => {
  const { app, surroundings } = openApp();
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  try {
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      const answer = await fetch(address + path, { method: 'HEAD' });
      assert.is(answer.status, 200, path);
      assert.is(await answer.text(), '', path);
    }
    surroundings.ports.storeCourse = storeAway;
    assert.is((await fetch(`${address}/readyz`, { method: 'HEAD' })).status, 503);
  } finally {
    await app.close();
  }
});

test('other methods and paths beside them are left to the API', async () => {
  const { app } = openApp();
  const refused = [
    ['POST', '/healthz'],
    ['DELETE', '/metrics'],
    ['PUT', '/readyz'],
    ['GET', '/healthz/'],
    ['GET', '/readyz/now'],
  ] as const;
  for (const [method, url] of refused) {
    const { statusCode, payload } = await app.inject({ method, url });
    assert.equal([statusCode, JSON.parse(payload).code], [404, 'rest_no_route'], `${method} ${url}`);
  }
});

test.run();
