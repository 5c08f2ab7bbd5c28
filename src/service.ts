// Ports to a running process: which parts it has, by its role, and the order in which they start and end.
import type { FastifyInstance } from 'fastify';
import { allProjections } from '../projections/catalogue.ts';
import { type Projector, startProjector } from '../projections/projector.ts';
import { type ApiOptions, buildApi, type Clock } from './api.ts';
import type { Config } from './config.ts';
import type { EpochSeconds } from './domain/zone.ts';
import { addOperations } from './http/operations.ts';
import { buildOperationsApp } from './http/operations-app.ts';
import type { Views } from './http/routes/writing.ts';
import { createHealth, type Health } from './observability/health.ts';
import type { Log } from './observability/log.ts';
import { measureAppends } from './observability/measured-store.ts';
import { createMetrics, type Metrics } from './observability/metrics.ts';
import { watchCheckpoint } from './read-model/checkpoint-watch.ts';
import type { Stores } from './stores.ts';
import { VERSION } from './version.ts';

/** What a process does: answer requests, fill the views, or both. */
export const SERVICE_ROLES = ['all', 'api', 'projector'] as const;
export type ServiceRole = (typeof SERVICE_ROLES)[number];

/** The system clock, asked anew each time. */
export const systemNow = (): EpochSeconds => Math.floor(Date.now() / 1000);

/** Milliseconds since the process began, never going back; only differences count. */
const elapsed = (): number => performance.now();

/** How often views that somebody else fills are looked at while an answer waits for them. */
const LOOK_AT_VIEWS_MS = 5;

const SYSTEM_CLOCK: Clock = { now: systemNow };

export interface Service {
  readonly app: FastifyInstance;
  readonly views: Views;
  /** Stops taking requests, finishes those under way, then lets go of the stores. */
  close(): Promise<void>;
}

export interface ServiceOptions {
  readonly role?: ServiceRole;
  readonly clock?: Clock;
}

/**
 * A service that is ready to listen. One that does everything has filled its views with what is in the log, unless
 * another process leads; one that only answers, does so from what others have filled; one that only projects can be
 * asked how far it is from the beginning.
 */
export async function startService(
  config: Config,
  stores: Stores,
  log: Log,
  { role = 'all', clock = SYSTEM_CLOCK }: ServiceOptions = {},
): Promise<Service> {
  const projector = role === 'api' ? null : openProjector(stores, log);
  const views = viewsOf(stores, projector);
  const health = openHealth(stores, projector, clock, log);
  const metrics = createMetrics({ version: VERSION, health });
  const app = role === 'projector' ? buildOperationsApp() : measuredApi({ config, stores, views, log, clock }, metrics);
  addOperations(app, { health, metrics });
  await Promise.all([role === 'projector' ? null : projector?.ready, app.ready()]);
  return {
    app,
    views,
    async close() {
      await app.close();
      await projector?.stop();
      await stores.close();
    },
  };
}

function openProjector(
  { store, readModel, projectorModel = readModel, lease, rendering }: Stores,
  log: Log,
): Projector {
  return startProjector({ store, readModel: projectorModel, projections: allProjections(rendering), lease, log });
}

/**
 * Without a lease nobody else fills these views, so whoever fills them here knows best where they are. Otherwise they are
 * looked at; for a projector that stands at an event that it cannot fold nobody waits.
 */
function viewsOf({ lease, readModel }: Stores, projector: Projector | null): Views {
  if (projector && lease === null) return projector;
  const watch = watchCheckpoint({ readModel, pauseMs: LOOK_AT_VIEWS_MS });
  const isStopped = (): boolean => projector?.status().kind === 'stopped';
  return { reached: (position, deadlineMs) => watch.reached(position, isStopped() ? LOOK_AT_VIEWS_MS : deadlineMs) };
}

function openHealth(
  { store, readModel, rendering }: Stores,
  projector: Projector | null,
  clock: Clock,
  log: Log,
): Health {
  const prefixes = allProjections(rendering).map(({ prefix }) => prefix);
  const state = projector && (() => projector.status());
  return createHealth({ store, readModel, projector: state, prefixes, now: () => clock.now(), elapsed, log });
}

/** The API, with what it does under the eyes of `metrics`. */
function measuredApi(options: ApiOptions, metrics: Metrics): FastifyInstance {
  const { stores } = options;
  const store = measureAppends(stores.store, metrics.observeAppend, elapsed);
  const observer = { elapsed, answered: metrics.requests.add };
  const { app, lists, reads } = buildApi({ ...options, stores: { ...stores, store }, observer });
  metrics.watchCache('lists', () => lists.counts());
  metrics.watchCache('reads', () => reads.counts());
  if (stores.documentCounts) metrics.watchCache('documents', stores.documentCounts);
  return app;
}
