import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EventStoreUnavailable } from '../../../src/log/event-store.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { ReadModelUnavailable } from '../../../src/read-model/read-model.ts';
import { eventAt, failing, hanging, openSurroundings, parkedVenue, positionOf } from './fake-ports.ts';

const test = suite('metrics');

function openMetrics() {
  const surroundings = openSurroundings();
  const metrics = createMetrics({ version: '1.2.3', health: surroundings.health });
  return { ...surroundings, surroundings, metrics };
}

/** The samples of a text: name and labels, as they stand in it, to value. */
async function samples(metrics: { text(): Promise<string> }): Promise<Map<string, string>> {
  const lines = (await metrics.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)]));
}

const withName = (found: ReadonlyMap<string, string>, name: string): string[] =>
  [...found].filter(([key]) => key.startsWith(name)).map(([key, value]) => `${key.slice(name.length)} ${value}`);

test('the text is one that Prometheus reads', async () => {
  const { metrics } = openMetrics();
  assert.is(metrics.contentType, 'text/plain; version=0.0.4; charset=utf-8');
  const text = await metrics.text();
  assert.ok(text.endsWith('\n'));
  for (const line of text.split('\n'))
    assert.match(line, /^$|^# (HELP|TYPE) |^[a-z_:0-9]+(\{[^{}]*\})? [-+.\deNaIf]+$/i);
});

test('every metric of ours has a help and a type, once', async () => {
  const text = await openMetrics().metrics.text();
  const types = [...text.matchAll(/^# TYPE (daybook_\w+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`);
  assert.equal(types.sort(), [
    'daybook_append_duration_seconds histogram',
    'daybook_appended_events_total counter',
    'daybook_build_info gauge',
    'daybook_cache_hits_total counter',
    'daybook_cache_misses_total counter',
    'daybook_event_store_up gauge',
    'daybook_http_request_duration_seconds histogram',
    'daybook_http_requests_total counter',
    'daybook_parked_resources gauge',
    'daybook_projection_lag_events gauge',
    'daybook_projection_lag_seconds gauge',
    'daybook_projector_state gauge',
    'daybook_read_model_up gauge',
    'daybook_sampled_differences gauge',
    'daybook_sampled_documents gauge',
    'daybook_schedule_overdue_seconds gauge',
    'daybook_set_under_way_seconds gauge',
    'daybook_source_failing_seconds gauge',
    'daybook_source_polls_total counter',
    'daybook_sources_failing gauge',
    'daybook_webhook_deliveries_parked gauge',
    'daybook_webhook_deliveries_waiting gauge',
    'daybook_webhook_waiting_seconds gauge',
  ]);
  for (const type of types) assert.match(text, `# HELP ${type.split(' ')[0]} `);
});

test('daybook_build_info contains the version', async () => {
  const found = await samples(openMetrics().metrics);
  assert.is(found.get('daybook_build_info{version="1.2.3"}'), '1');
});

test('figures of the process are there, for every service that it holds', async () => {
  for (const { metrics } of [openMetrics(), openMetrics()])
    assert.ok(Number((await samples(metrics)).get('process_resident_memory_bytes')) > 0);
});

test('lag is measured in events and in seconds', async () => {
  const { metrics, ports } = openMetrics();
  ports.log.push(eventAt(1), eventAt(2, 'event-1', 75), eventAt(3, 'event-1', 70));
  ports.checkpoint = positionOf(1);
  const found = await samples(metrics);
  assert.is(found.get('daybook_projection_lag_events'), '2');
  assert.is(found.get('daybook_projection_lag_seconds'), '75');
});

test('no lag is 0, not absent', async () => {
  const found = await samples(openMetrics().metrics);
  assert.is(found.get('daybook_projection_lag_events'), '0');
  assert.is(found.get('daybook_projection_lag_seconds'), '0');
});

test('a lag that cannot be measured is absent instead of the one before, and comes back', async () => {
  const { metrics, ports } = openMetrics();
  const { storeCourse } = ports;
  await metrics.text();
  ports.storeCourse = failing(new EventStoreUnavailable('away'));
  const without = await samples(metrics);
  assert.equal(withName(without, 'daybook_projection_lag'), []);
  assert.is(without.get('daybook_event_store_up'), '0');
  assert.is(without.get('daybook_read_model_up'), '1');
  ports.storeCourse = storeCourse;
  const again = await samples(metrics);
  assert.is(again.get('daybook_projection_lag_events'), '0');
  assert.is(again.get('daybook_event_store_up'), '1');
});

test('a read model that is unavailable or hangs is not up', async () => {
  const { metrics, ports } = openMetrics();
  for (const course of [failing(new ReadModelUnavailable('away')), hanging]) {
    ports.modelCourse = course;
    const found = await samples(metrics);
    assert.is(found.get('daybook_read_model_up'), '0');
    assert.is(found.get('daybook_event_store_up'), '1');
  }
});

test('exactly one state of the projector is 1', async () => {
  const { surroundings, metrics } = openMetrics();
  for (const kind of ['leading', 'filling', 'standing by', 'waiting to try again'] as const) {
    surroundings.projector = { kind };
    const states = withName(await samples(metrics), 'daybook_projector_state').filter((state) => state.endsWith(' 1'));
    assert.equal(states, [`{state="${kind}"} 1`]);
  }
});

test('parked resources are counted', async () => {
  const { surroundings, metrics } = openMetrics();
  assert.is((await samples(metrics)).get('daybook_parked_resources'), '0');
  surroundings.parked = [parkedVenue(4)];
  assert.is((await samples(metrics)).get('daybook_parked_resources'), '1');
});

test('appends are counted by outcome, with their events', async () => {
  const { metrics } = openMetrics();
  metrics.observeAppend({ outcome: 'appended', seconds: 0.003, events: 4 });
  metrics.observeAppend({ outcome: 'conflict', seconds: 0.001, events: 0 });
  const found = await samples(metrics);
  assert.is(found.get('daybook_appended_events_total'), '4');
  assert.is(found.get('daybook_append_duration_seconds_count{outcome="appended"}'), '1');
  assert.is(found.get('daybook_append_duration_seconds_bucket{le="0.0025",outcome="appended"}'), '0');
  assert.is(found.get('daybook_append_duration_seconds_bucket{le="0.005",outcome="appended"}'), '1');
  assert.is(found.get('daybook_append_duration_seconds_count{outcome="conflict"}'), '1');
});

test('counts of a cache are those of the moment, not added up from scrape to scrape', async () => {
  const { metrics } = openMetrics();
  let hits = 3;
  metrics.watchCache('lists', () => ({ hits, misses: 1 }));
  await metrics.text();
  hits = 5;
  const found = await samples(metrics);
  assert.is(found.get('daybook_cache_hits_total{cache="lists"}'), '5');
  assert.is(found.get('daybook_cache_misses_total{cache="lists"}'), '1');
});

test('requests are counted, and their durations add up from bucket to bucket', async () => {
  const { metrics } = openMetrics();
  metrics.observeAnswer('/events', 'GET', 200, 0.4);
  metrics.observeAnswer('/events', 'GET', 206, 2);
  metrics.observeAnswer('/events', 'GET', 503, 20_000);
  const found = await samples(metrics);
  assert.is(found.get('daybook_http_requests_total{route="/events",method="GET",status="200"}') ?? '', '1');
  const name = 'daybook_http_request_duration_seconds';
  assert.is(found.get(`${name}_bucket{le="0.001",route="/events",method="GET",status="2xx"}`), '1');
  assert.is(found.get(`${name}_bucket{le="0.0025",route="/events",method="GET",status="2xx"}`), '2');
  assert.is(found.get(`${name}_bucket{le="+Inf",route="/events",method="GET",status="2xx"}`), '2');
  assert.is(found.get(`${name}_count{route="/events",method="GET",status="2xx"}`), '2');
  assert.is(Number(found.get(`${name}_sum{route="/events",method="GET",status="2xx"}`)).toFixed(6), '0.002400');
  assert.is(found.get(`${name}_bucket{le="10",route="/events",method="GET",status="5xx"}`), '0');
  assert.is(found.get(`${name}_bucket{le="+Inf",route="/events",method="GET",status="5xx"}`), '1');
});

test('scrapes at the same time ask the stores once', async () => {
  const { metrics, ports } = openMetrics();
  await Promise.all([metrics.text(), metrics.text(), metrics.text()]);
  assert.equal([...ports.asked].sort(), ['checkpoint', 'head']);
});

test.run();
