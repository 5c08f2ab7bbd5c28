// What Prometheus scrapes: loaded with prom-client after the start, or by an earlier scrape (metrics.ts).
import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import { byClass, type Durations, type RequestTally, type Tally } from './durations.ts';
import type { Findings, ProjectorFinding } from './health.ts';
import { LAG_LIMIT } from './lag.ts';
import type { WebhookFinding } from './webhook-watch.ts';

/** The sources of the metrics, read whenever Prometheus scrapes. */
export interface Sources {
  readonly requests: Pick<RequestTally, 'bounds' | 'read'>;
  readonly appends: Tally;
  readonly appended: () => number;
  readonly caches: ReadonlyMap<string, () => Readonly<Record<CacheCount, number>>>;
  /** Seconds. */
  readonly overdue: () => number;
  /** Seconds. */
  readonly underWay: () => number;
  readonly webhooks: () => readonly WebhookFinding[];
  readonly polls: PollsWatched | null;
}

export interface PollsWatched {
  failing(): readonly FailingSource[];
  /** Polls that this process has carried out, by what became of them. */
  outcomes(): ReadonlyMap<string, number>;
}

/** A source that has failed its last poll, and is not paused. */
export interface FailingSource {
  readonly source: number;
  readonly problem: string;
  /** In a row. */
  readonly failures: number;
  /** Since the first of them. */
  readonly seconds: number;
}

type CacheCount = 'hits' | 'misses';

export type MetricsRegistry = ReturnType<typeof openRegistry>;

const STATES: readonly ProjectorFinding['kind'][] = [
  'leading',
  'filling',
  'standing by',
  'waiting to try again',
  'elsewhere',
];

/** `sources` are asked whenever it is read. `worker`: the label of everything in it. */
export function openRegistry(version: string, sources: Sources, worker: number | undefined) {
  const own = new Registry();
  const registers = [own];
  const showHealth = healthGauges(registers);
  appendMetrics(own, sources);
  const gauge = (name: string, help: string, read: () => number): void =>
    void new Gauge({
      name: `daybook_${name}`,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge(
    'schedule_overdue_seconds',
    'For how long the earliest scheduled post that should be public by now has been overdue; 0 when none is, and in processes that publish nothing.',
    () => sources.overdue(),
  );
  gauge(
    'set_under_way_seconds',
    'For how long the application of a set has been under way, as seen by this process: nothing written behind its beginning is shown before its end. 0 for none.',
    () => sources.underWay(),
  );
  // Of all webhooks that this process sends, and of all sources; their ids are no labels, because they come and go.
  gauge(
    'webhook_deliveries_waiting',
    'Deliveries of webhooks that are to be made, or tried again, by this process.',
    () => sources.webhooks().reduce((sum, { waiting }) => sum + waiting, 0),
  );
  gauge(
    'webhook_deliveries_parked',
    'Deliveries of webhooks that were given up after 72 hours; an administrator can send them again. Only in the process that sends.',
    () => sources.webhooks().reduce((sum, { parked }) => sum + parked, 0),
  );
  gauge(
    'webhook_waiting_seconds',
    'For how long the oldest waiting delivery of a webhook has waited; 0 for none.',
    () => Math.max(0, ...sources.webhooks().map(({ seconds }) => seconds)),
  );
  new Counter({
    name: 'daybook_source_polls_total',
    help: 'Polls of sources that this process has carried out, by what became of them.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of sources.polls?.outcomes() ?? []) this.inc({ outcome }, count);
    },
  });
  const failing = () => sources.polls?.failing() ?? [];
  gauge(
    'sources_failing',
    'Sources that have failed their last poll and are not paused, as seen by this process.',
    () => failing().length,
  );
  gauge('source_failing_seconds', 'For how long the source that has failed for longest has done so; 0 for none.', () =>
    Math.max(0, ...failing().map(({ seconds }) => seconds)),
  );
  requestMetrics(own, sources.requests);
  cacheMetrics(registers, sources.caches);
  new Gauge({
    name: 'daybook_build_info',
    help: 'Always 1; the label says the version.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);
  // Has the metrics registered so far.
  const registry = Registry.merge([own, processMetrics()]);
  if (worker !== undefined) registry.setDefaultLabels({ worker: String(worker) });
  return { registry, showHealth };
}

let ofProcess: Registry | null = null;

/** CPU, memory, event loop. They belong to the process, so they are collected once, however many services it runs. */
function processMetrics(): Registry {
  if (ofProcess === null) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

const UNKNOWN =
  'Absent while it cannot be measured because a store is down or slow; daybook_event_store_up and daybook_read_model_up say which.';

/** Creates the gauges of the results of `examine`; the returned function sets them. */
function healthGauges(registers: Registry[]): (findings: Findings) => void {
  const gauge = (name: string, help: string) => new Gauge({ name: `daybook_${name}`, help, registers });
  const lagEvents = gauge(
    'projection_lag_events',
    `Events that the views have not applied, counted up to ${LAG_LIMIT}. ${UNKNOWN}`,
  );
  const lagSeconds = gauge(
    'projection_lag_seconds',
    `Age of the oldest event that the views have not applied; 0 when there is none. ${UNKNOWN}`,
  );
  const storeUp = gauge('event_store_up', '1 when the event store answered this scrape in time, else 0.');
  const modelUp = gauge('read_model_up', '1 when the read model answered this scrape in time, else 0.');
  const parkedResources = gauge(
    'parked_resources',
    'Resources with an event that cannot be folded: they are shown as they were before it, or not at all. See daybook projections status.',
  );
  const compared = gauge(
    'sampled_documents',
    'Documents of the read model that were compared beside the work since the start.',
  );
  const different = gauge(
    'sampled_differences',
    'How many of them were not as they were written, or not as the log says. They were folded anew.',
  );
  const state = new Gauge({
    name: 'daybook_projector_state',
    help: '1 for what the projector of this process does, 0 for everything else. elsewhere: this process has none.',
    labelNames: ['state'],
    registers,
  });
  return ({ eventStore, readModel, projector, views, parked, sampled }) => {
    compared.set(sampled?.compared ?? 0);
    different.set(sampled?.different ?? 0);
    storeUp.set(eventStore.status === 'up' ? 1 : 0);
    modelUp.set(readModel.status === 'up' ? 1 : 0);
    if (parked === null) parkedResources.remove();
    else parkedResources.set(parked.length);
    for (const one of STATES) state.set({ state: one }, projector.kind === one ? 1 : 0);
    if ('why' in views) {
      // The previous value would tell an alarm that all is well.
      lagEvents.remove();
      lagSeconds.remove();
      return;
    }
    lagEvents.set(views.lag.events);
    lagSeconds.set(views.lag.seconds);
  };
}

function appendMetrics(registry: Registry, { appends, appended }: Sources): void {
  registerHistogram(
    registry,
    'daybook_append_duration_seconds',
    'Time that appends to the event store took, by what came of them.',
    appends,
  );
  register(
    registry,
    'counter',
    'daybook_appended_events_total',
    'Events written to the event store by this process.',
    (metricName) => [{ metricName, labels: {}, value: appended() }],
  );
}

function cacheMetrics(registers: Registry[], watched: Sources['caches']): void {
  const counter = (which: CacheCount, help: string) =>
    new Counter({
      name: `daybook_cache_${which}_total`,
      help,
      labelNames: ['cache'],
      registers,
      collect() {
        this.reset();
        for (const [cache, counts] of watched) this.inc({ cache }, counts()[which]);
      },
    });
  counter('hits', 'Answers, or parts of them, that were found in the memory of this process.');
  counter('misses', 'Answers, or parts of them, that were not found there and had to be made.');
}

/** One line of the text: name, labels, value. */
interface Sample {
  readonly metricName: string;
  readonly labels: Durations['labels'];
  readonly value: number;
}

function requestMetrics(registry: Registry, { bounds, read }: Sources['requests']): void {
  register(
    registry,
    'counter',
    'daybook_http_requests_total',
    'Requests to the API that this process answered.',
    (metricName) => read().map(({ labels, count }) => ({ metricName, labels, value: count })),
  );
  registerHistogram(
    registry,
    'daybook_http_request_duration_seconds',
    'Time from the arrival of a request to the API until it is answered.',
    { bounds, read: () => byClass(read()) },
  );
}

function registerHistogram(
  registry: Registry,
  name: string,
  help: string,
  { bounds, read }: Pick<Tally, 'bounds' | 'read'>,
): void {
  register(registry, 'histogram', name, help, () =>
    read().flatMap(({ labels, buckets, count, sum }) => {
      let upTo = 0;
      const cumulated = buckets.map((inBucket, index): Sample => {
        upTo += inBucket;
        return { metricName: `${name}_bucket`, labels: { le: bounds[index] ?? 0, ...labels }, value: upTo };
      });
      return [
        ...cumulated,
        { metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels }, value: count },
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ];
    }),
  );
}

/** Registers a metric whose samples are made on request. */
function register(
  registry: Registry,
  type: 'counter' | 'histogram',
  name: string,
  help: string,
  samples: (name: string) => readonly Sample[],
): void {
  const metric = {
    name,
    help,
    type,
    get: async () => ({ name, help, type, aggregator: 'sum', values: samples(name) }),
  };
  // A registry only uses the name and values of a metric; its types require the classes of the package, which hash
  // labels at every request.
  registry.registerMetric(metric as unknown as Metric);
}
