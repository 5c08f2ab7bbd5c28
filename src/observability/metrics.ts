// Metrics for Prometheus. Most are measured when it scrapes; only appends and requests are counted as they happen.
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client';
import type { AppendObserver } from '../log/event-store.ts';
import type { Findings, Health, ProjectorFinding } from './health.ts';
import { LAG_LIMIT } from './lag.ts';
import { type PollsWatched, pollMetrics } from './poll-metrics.ts';
import { createRequestTally, DURATION_BOUNDS, type RequestTally } from './request-tally.ts';
import { sourcedGauge } from './sourced-gauge.ts';
import type { WebhookFinding } from './webhook-watch.ts';

type CacheName = 'lists' | 'reads' | 'documents';

export interface Metrics {
  /** Call it for every append. */
  readonly observeAppend: AppendObserver;
  /** Call it for every answer. */
  readonly requests: RequestTally;
  /** Shows the counts of a cache from now on. */
  watchCache(cache: CacheName, counts: () => CacheCounts): void;
  /** Shows for how many seconds scheduled posts have been overdue. */
  watchSchedule(overdue: () => number): void;
  /** Shows for how many seconds the application of a set has been under way. */
  watchSets(underWay: () => number): void;
  /** Shows what webhooks have outstanding. */
  watchWebhooks(found: () => readonly WebhookFinding[]): void;
  /** Shows the polls of sources from now on. */
  watchPolls(polls: PollsWatched): void;
  readonly contentType: string;
  /** All metrics as text, within the deadline of `health`; of all workers if there are several. */
  text(): Promise<string>;
}

/** The metrics of one process, to be sent to another one. */
export type Measured = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Other workers that listen at the same port. Prometheus reaches any of them, and has to see all. */
export interface MetricsOfWorkers {
  /** The number of this one, which is the label `worker` of everything that it measures. */
  readonly worker: number;
  /** Answers with these whenever another worker asks. */
  answer(own: () => Promise<Measured>): void;
  /** Those of every worker that answers in time, this one among them, as text. */
  ofAll(): Promise<string>;
}

interface MetricsOptions {
  /** Of this Daybook. */
  readonly version: string;
  readonly health: Health;
  /** Absent for a process that listens alone. */
  readonly workers?: MetricsOfWorkers | undefined;
}

const STATES: readonly ProjectorFinding['kind'][] = [
  'leading',
  'filling',
  'standing by',
  'waiting to try again',
  'elsewhere',
];

/** From an append to a file on a fast disk to one that a distant cluster has to acknowledge. */
const APPEND_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export function createMetrics({ version, health, workers }: MetricsOptions): Metrics {
  const own = new Registry();
  const registers = [own];
  const showHealth = healthGauges(registers);
  const observeAppend = appendMetrics(registers);
  const watched = new Map<CacheName, () => CacheCounts>();
  const requests = createRequestTally();
  const watchSchedule = sourcedGauge(registers, {
    name: 'daybook_schedule_overdue_seconds',
    help: 'For how long the earliest scheduled post that should be public by now has been overdue; 0 when none is, and in processes that publish nothing.',
  });
  const watchSets = sourcedGauge(registers, {
    name: 'daybook_set_under_way_seconds',
    help: 'For how long the application of a set has been under way, as seen by this process: nothing written behind its beginning is shown before its end. 0 for none.',
  });
  const watchWebhooks = webhookGauges(registers);
  const watchPolls = pollMetrics(registers);
  requestMetrics(own, requests);
  cacheMetrics(registers, watched);
  new Gauge({
    name: 'daybook_build_info',
    help: 'Always 1; the label says the version.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);
  // Has the metrics registered so far.
  const all = Registry.merge([own, processMetrics()]);
  const examined = async (): Promise<Registry> => {
    showHealth(await health.examine());
    return all;
  };
  if (workers) all.setDefaultLabels({ worker: String(workers.worker) });
  workers?.answer(async () => (await examined()).getMetricsAsJSON());
  return {
    observeAppend,
    requests,
    watchCache: (cache, counts) => void watched.set(cache, counts),
    watchSchedule,
    watchSets,
    watchWebhooks,
    watchPolls,
    contentType: own.contentType,
    text: () => (workers ? workers.ofAll() : examined().then((found) => found.metrics())),
  };
}

/** Of all webhooks that this process sends; their ids are no labels, because they come and go. */
function webhookGauges(registers: Registry[]): Metrics['watchWebhooks'] {
  const sums = {
    waiting: sourcedGauge(registers, {
      name: 'daybook_webhook_deliveries_waiting',
      help: 'Deliveries of webhooks that are to be made, or tried again, by this process.',
    }),
    parked: sourcedGauge(registers, {
      name: 'daybook_webhook_deliveries_parked',
      help: 'Deliveries of webhooks that were given up after 72 hours; an administrator can send them again. Only in the process that sends.',
    }),
    seconds: sourcedGauge(registers, {
      name: 'daybook_webhook_waiting_seconds',
      help: 'For how long the oldest waiting delivery of a webhook has waited; 0 for none.',
    }),
  };
  return (found) => {
    sums.waiting(() => found().reduce((sum, { waiting }) => sum + waiting, 0));
    sums.parked(() => found().reduce((sum, { parked }) => sum + parked, 0));
    sums.seconds(() => Math.max(0, ...found().map(({ seconds }) => seconds)));
  };
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

function appendMetrics(registers: Registry[]): AppendObserver {
  const duration = new Histogram({
    name: 'daybook_append_duration_seconds',
    help: 'Time that appends to the event store took, by what came of them.',
    labelNames: ['outcome'],
    buckets: APPEND_BOUNDS,
    registers,
  });
  const events = new Counter({
    name: 'daybook_appended_events_total',
    help: 'Events written to the event store by this process.',
    registers,
  });
  return (append) => {
    duration.observe({ outcome: append.outcome }, append.seconds);
    if (append.events > 0) events.inc(append.events);
  };
}

function cacheMetrics(registers: Registry[], watched: ReadonlyMap<CacheName, () => CacheCounts>): void {
  const counter = (which: keyof CacheCounts, help: string) =>
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
  readonly labels: { readonly [label: string]: string | number };
  readonly value: number;
}

function requestMetrics(registry: Registry, tally: RequestTally): void {
  register(
    registry,
    'counter',
    'daybook_http_requests_total',
    'Requests to the API that this process answered.',
    (metricName) => tally.requests().map(({ count, ...labels }) => ({ metricName, labels, value: count })),
  );
  const help = 'Time from the arrival of a request to the API until it is answered.';
  register(registry, 'histogram', 'daybook_http_request_duration_seconds', help, (name) =>
    tally.durations().flatMap(({ route, method, statusClass, buckets, count, sum }) => {
      const labels = { route, method, status: statusClass };
      let upTo = 0;
      const cumulated = buckets.map((inBucket, index): Sample => {
        upTo += inBucket;
        return { metricName: `${name}_bucket`, labels: { le: DURATION_BOUNDS[index] ?? 0, ...labels }, value: upTo };
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

// The counts of a cache.

/** Cache hits and misses since the start. */
export interface CacheCounts {
  readonly hits: number;
  readonly misses: number;
}

export interface CountedCache {
  counts(): CacheCounts;
}
