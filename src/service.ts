// From ports to a running process: its parts, by its role, and the order of startup and shutdown.

import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { allProjections } from '../projections/catalogue.ts';
import type { Api, ApiOptions, Clock } from './app.ts';
import { rulesOfLog } from './calendar/zone-rules/commands/zone-rules.ts';
import { startZoneRulesFollower } from './calendar/zone-rules/reactions/zone-rules-follower.ts';
import { type Config, unnamedSite } from './config.ts';
import { publishDue } from './editorial/schedule/commands/publish-due.ts';
import { type Publisher, startPublisher } from './editorial/schedule/reactions/publisher.ts';
import { startSubmissionKeeper } from './exchange/submissions/reactions/submission-keeper.ts';
import type { PressureOptions } from './http/limits/pressure.ts';
import { addOperations } from './http/operations/operations.ts';
import { buildOperationsApp } from './http/operations/operations-app.ts';
import type { Views } from './http/routes/writing.ts';
import { elapsed, systemNow } from './kernel/time/system.ts';
import type { ZoneRules } from './kernel/time/zone.ts';
import { newEventId } from './log/event-ids.ts';
import type { AccessLog } from './observability/access-log.ts';
import { collectGarbage } from './observability/garbage.ts';
import { createHealth, type Health } from './observability/health.ts';
import { legibleHead } from './observability/legible-log.ts';
import type { Log } from './observability/log.ts';
import { createMetrics, type Metrics, type MetricsOfWorkers } from './observability/metrics.ts';
import { watchSets } from './observability/set-watch.ts';
import type { Tracing } from './observability/tracing.ts';
import { watchWebhooks } from './observability/webhook-watch.ts';
import { type WritingWatch, watchWriting } from './observability/writing-watch.ts';
import { readEverythingPersonal } from './people/personal-data/facts/key-ring.ts';
import { startCompleters } from './reactions/completers.ts';
import { type Reaction, repeat } from './reactions/repeat.ts';
import { parkedIn } from './read-model/projector/parking.ts';
import { type Projector, startProjector } from './read-model/projector/projector.ts';
import { type Sampler, startSampler } from './read-model/projector/sampler.ts';
import { openViews } from './read-model/projector/views.ts';
import type { ReadModel } from './read-model/read-model.ts';
import { type TrustWatch, watchTrust } from './read-model/trust.ts';
import type { Stores } from './stores.ts';
import { VERSION } from './version.ts';

/** What a process does: answer requests, fill the read model, or both. */
export const SERVICE_ROLES = ['all', 'api', 'projector'] as const;
export type ServiceRole = (typeof SERVICE_ROLES)[number];

/** Between two comparisons of the clock with when each source is due. */
const POLL_AFTER_MS = 1_000;

/** How much later, at most, the settings of the site count that another process sets. */
const SITE_AFTER_MS = 2_000;

const SYSTEM_CLOCK: Clock = { now: systemNow };

export interface Service {
  readonly app: FastifyInstance;
  readonly views: Views;
  /** Stops accepting requests, finishes those in progress, then closes the stores. */
  close(): Promise<void>;
}

interface ServiceOptions {
  readonly role?: ServiceRole;
  readonly clock?: Clock;
  /** Detects overload; absent: there is none. */
  readonly pressure?: PressureOptions;
  /** Absent: answers are not logged. */
  readonly accessLog?: Pick<AccessLog, 'write'>;
  /** Absent: this process listens alone. */
  readonly workers?: MetricsOfWorkers | undefined;
  /** Called with the number of events of each batch that is applied before the service is ready. */
  readonly onBatch?: (events: number) => void;
  /** Aborted if the service is to be closed as soon as it has started: nothing is waited for then. */
  readonly signal?: AbortSignal;
  /** The zone rules of this process; without them it does not check those of the log. */
  readonly zoneRules?: ZoneRules | null;
}

/**
 * A service that is ready to listen. One that does everything has filled its read model from the log, unless another
 * process leads; an API serves what others have filled; a projector can report its lag from the beginning.
 */
export async function startService(
  config: Config,
  stores: Stores,
  log: Log,
  {
    role = 'all',
    clock = SYSTEM_CLOCK,
    pressure,
    accessLog,
    workers,
    onBatch,
    signal,
    zoneRules = null,
  }: ServiceOptions = {},
): Promise<Service> {
  const tracing = config.isTraced ? (await import('./observability/tracing.ts')).openTracing(VERSION) : null;
  const projector = role === 'api' ? null : openProjector(stores, log, onBatch, tracing);
  const sampler = projector && openSampler(stores, projector, log);
  const trust = openTrust(stores);
  // Whatever is read from here on, first by the publisher, is normally complete.
  const filled = role === 'projector' ? null : projector?.ready;
  await (signal ? Promise.race([filled, aborted(signal)]) : filled);
  await trust.look();
  trust.start();
  const views = openViews({ ...stores, projector, projections: allProjections(stores.rendering), elapsed });
  const writing = watchWriting({ tryWriting: stores.tryWriting, elapsed });
  const health = openHealth(stores, role, writing, trust, { projector, sampler }, clock, log, zoneRules);
  const metrics = createMetrics({ version: VERSION, health, workers });
  stores.observeAppends((append) => {
    metrics.observeAppend(append);
    writing.observeAppend(append);
    tracing?.appended(append);
  });
  const language = () => stores.site.language;
  const publisher = role === 'projector' ? null : openPublisher(stores, views, metrics, clock, log);
  const api = publisher
    ? await measuredApi(
        {
          config,
          stores,
          trust,
          health,
          views: noticed(views, publisher),
          log,
          clock,
          schedule: publisher,
          ...(pressure && { pressure }),
          ...(accessLog && { accessLog }),
          ...(tracing && { tracing }),
        },
        metrics,
      )
    : null;
  const app = api?.app ?? buildOperationsApp(language);
  const setWatch = watchSets(clock);
  const webhookWatch = watchWebhooks({ clock, log, doubt: unnamedSite(config) });
  metrics.watch({
    underWay: () => setWatch.current()?.seconds ?? 0,
    webhooks: webhookWatch.findings,
    polls: api?.polls ?? null,
  });
  addOperations(app, {
    health,
    metrics,
    language,
    setWatch,
    webhookWatch,
    ...(api && { polls: api.polls }),
    ...(pressure?.memory && { memory: pressure.memory }),
  });
  await app.ready();
  if (publisher) isSearchable(stores.readModel);
  const ending = new AbortController();
  // Unreadable data is reported by health and log without a request.
  void readEverythingPersonal(stores.store, ending.signal).catch((error: unknown) =>
    log.warn({ err: error }, 'scan of personal data failed'),
  );
  const { readModel } = stores;
  const completers =
    api &&
    startCompleters({
      commands: api.proposals,
      readModel,
      clock,
      log,
      newId: randomUUID,
      watch: setWatch,
      sending: { ...api.webhooks, lease: stores.senderLease, watch: webhookWatch },
    });
  // Sources that are due: the log accepts the beginning of a poll once. decision 25
  const poller =
    api &&
    repeat({
      pauseMs: POLL_AFTER_MS,
      look: api.polls.pollDue,
      failed: (error) => log.error({ err: error }, 'polling sources failed; retrying'),
    });
  const site =
    api &&
    repeat({
      pauseMs: SITE_AFTER_MS,
      look: stores.site.look,
      failed: (error) => log.error({ err: error }, 'reading the site settings failed; retrying'),
    });
  const submissions =
    api?.submissions && stores.mailer
      ? startSubmissionKeeper({
          ...api.submissions,
          commands: api.proposals,
          keys: stores.keys,
          mailer: stores.mailer,
          clock,
          log,
          elapsed,
          newId: randomUUID,
        })
      : null;
  const follower = zoneRules && openFollower(stores, zoneRules, role, clock, log);
  return {
    app,
    views,
    async close() {
      ending.abort();
      const deliveries = completers?.stop();
      // They ask the application.
      await deliveries?.quiet;
      await Promise.all([deliveries?.ended, app.close()]);
      await poller?.stop();
      await publisher?.stop();
      await submissions?.stop();
      stores.mailer?.close();
      await site?.stop();
      await follower?.stop();
      await trust.stop();
      await sampler?.stop();
      await projector?.stop();
      await stores.close();
    },
  };
}

/** Its index is filled once: no request has to wait for that. A read model that cannot be read yet tells its requests so. */
function isSearchable(readModel: ReadModel): boolean {
  if (!readModel.isSearchable()) void readModel.terms().catch(() => {});
  return readModel.isSearchable();
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

function openTrust({ gate, rawLog, projectorModel, rendering }: Stores): TrustWatch {
  const projections = allProjections(rendering);
  return watchTrust({
    gate,
    readModel: projectorModel,
    elapsed,
    // Only positions and ids are read: nothing has to be decrypted.
    store: rawLog,
    prefixes: projections.map(({ prefix }) => prefix),
  });
}

function openProjector(
  { store, projectorModel, lease, rendering }: Stores,
  log: Log,
  onBatch: ServiceOptions['onBatch'],
  tracing: Tracing | null,
): Projector {
  const projections = allProjections(rendering);
  return startProjector({
    store,
    readModel: projectorModel,
    projections,
    lease,
    log,
    // Otherwise the first request after a fill waits for it.
    onFilled: collectGarbage,
    ...(onBatch && { onBatch }),
    ...(tracing && { onApplied: tracing.applied }),
  });
}

/** A read model in memory cannot be looked at apart from what reads it. */
function openSampler(
  { store, projectorModel, recentChanges, generations, rendering }: Stores,
  projector: Projector,
  log: Log,
): Sampler | null {
  if (!generations) return null;
  return startSampler({
    store,
    readModel: projectorModel,
    openGenerations: generations,
    projections: allProjections(rendering),
    log,
    indexAt: recentChanges.indexAt,
    isIdle: () => projector.status().kind !== 'leading',
  });
}

function openHealth(
  { store, keys, unreadable, readModel, projectorModel, rendering }: Stores,
  role: ServiceRole,
  writing: WritingWatch,
  trust: TrustWatch,
  { projector, sampler }: { readonly projector: Projector | null; readonly sampler: Sampler | null },
  clock: Clock,
  log: Log,
  zoneRules: ZoneRules | null,
): Health {
  const prefixes = allProjections(rendering).map(({ prefix }) => prefix);
  const state = projector && (() => projector.status());
  const rules = zoneRules && {
    release: zoneRules.release,
    ofLog: async () => (await rulesOfLog(store)).release,
  };
  return createHealth({
    readModel: projectorModel,
    trust,
    projector: state,
    prefixes,
    elapsed,
    log,
    // If its end can be read but no name can be read or written, the log is unusable.
    store: { head: () => legibleHead(store, keys, unreadable), readAll: store.readAll },
    parked: () => parkedIn(projectorModel),
    ...(sampler && { sampled: sampler.sample }),
    unreadable: unreadable.subjects,
    tryWriting: writing.look,
    now: () => clock.now(),
    ...(rules && { zoneRules: rules }),
    ...(role !== 'projector' && { isSearchable: () => isSearchable(readModel) }),
  });
}

/**
 * Processes that answer requests adjust future events; a projector only logs that its rules are older than the log's.
 */
function openFollower({ store }: Stores, rules: ZoneRules, role: ServiceRole, clock: Clock, log: Log): Reaction {
  const duty = role === 'projector' ? 'watch' : 'adjust';
  return startZoneRulesFollower({ store, newEventId, newId: randomUUID, rules, clock, log, duty });
}

function openPublisher(
  { store, readModel }: Stores,
  views: Views,
  metrics: Metrics,
  clock: Clock,
  log: Log,
): Publisher {
  const dependencies = { store, newEventId };
  const publisher = startPublisher({
    readModel,
    publish: (context, post) => publishDue(dependencies, context, post),
    views,
    clock,
    elapsed,
    newId: randomUUID,
    log,
  });
  metrics.watch({ overdue: publisher.overdue });
  return publisher;
}

/** Read models that inform the publisher about changes by this process. */
const noticed = (views: Views, publisher: Publisher): Views => ({
  async reached(position, deadlineMs) {
    const reached = await views.reached(position, deadlineMs);
    publisher.lookAgain();
    return reached;
  },
});

/** The API, observed by `metrics`. A projector does without it, and without loading it: a third of all modules. */
async function measuredApi(options: ApiOptions, metrics: Metrics): Promise<Omit<Api, 'lists' | 'reads'>> {
  const { buildApi } = await import('./app.ts');
  const { stores } = options;
  const observer = { answered: metrics.observeAnswer };
  const { lists, reads, ...api } = buildApi({ ...options, observer });
  metrics.watchCache('lists', lists.counts);
  metrics.watchCache('reads', reads.counts);
  if (stores.documentCounts) metrics.watchCache('documents', stores.documentCounts);
  return api;
}
