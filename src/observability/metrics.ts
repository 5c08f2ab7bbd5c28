// Metrics for Prometheus. Appends and requests are counted as they happen; all else is measured when it scrapes, by what is
// loaded after the start: with prom-client that takes 55 ms.
import type { Registry } from 'prom-client';
import type { AppendObserver } from '../log/event-store.ts';
import { tallyAppends, tallyRequests } from './durations.ts';
import type { Health } from './health.ts';
import type { MetricsRegistry, Sources } from './registry.ts';

type Watched = Pick<Sources, 'overdue' | 'underWay' | 'webhooks' | 'polls'>;

type CacheName = 'lists' | 'reads' | 'documents';

export type Metrics = ReturnType<typeof createMetrics>;

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
  /** The version of this Daybook. */
  readonly version: string;
  readonly health: Health;
  /** Absent for a process that listens alone. */
  readonly workers?: MetricsOfWorkers | undefined;
}

export function createMetrics({ version, health, workers }: MetricsOptions) {
  const appends = tallyAppends();
  let written = 0;
  const requests = tallyRequests();
  const caches = new Map<CacheName, () => CacheCounts>();
  const sources: Sources = {
    requests,
    appends,
    appended: () => written,
    caches,
    overdue: () => 0,
    underWay: () => 0,
    webhooks: () => [],
    polls: null,
  };
  let opened: Promise<MetricsRegistry> | undefined;
  const examined = async (): Promise<Registry> => {
    opened ??= import('./registry.ts').then(({ openRegistry }) => openRegistry(version, sources, workers?.worker));
    const { registry, showHealth } = await opened;
    showHealth(await health.examine());
    return registry;
  };
  const text = async (): Promise<string> => (await examined()).metrics();
  workers?.answer(async () => (await examined()).getMetricsAsJSON());
  const observeAppend: AppendObserver = ({ outcome, seconds, events }) => {
    appends.add(outcome, { outcome }, seconds);
    written += events;
  };
  return {
    /** Call it for every append. */
    observeAppend,
    /** Call it for every answer. */
    observeAnswer: requests.add,
    /** Shows the counts of a cache from now on. */
    watchCache: (cache: CacheName, counts: () => CacheCounts) => void caches.set(cache, counts),
    /** Shows what these say from now on. */
    watch: (watched: Partial<Watched>) => void Object.assign(sources, watched),
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
    /** All metrics as text, within the deadline of `health`; of all workers if there are several. */
    text: () => (workers ? workers.ofAll() : text()),
    // First the larger half of what prom-client loads.
    /** The steps of what the first scrape would load. */
    loading: [() => import('@opentelemetry/api'), () => import('./registry.ts'), text],
  };
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
