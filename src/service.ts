// Ports to a running process: which parts it has, by its role, and the order in which they start and end.

import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { allProjections } from '../projections/catalogue.ts';
import { isStopped } from '../projections/engine/projection-status.ts';
import { type Projector, startProjector } from '../projections/engine/projector.ts';
import { publishDue } from './commands/publish-due.ts';
import { rulesOfLog } from './commands/zone-rules.ts';
import type { Config } from './config.ts';
import type { KeyRing } from './event-store/encryption/key-ring.ts';
import type { Unreadable } from './event-store/encryption/unreadable-subjects.ts';
import { readEverythingPersonal } from './event-store/encryption/unreadable-subjects.ts';
import type { EventStore, TryWriting } from './event-store/event-store.ts';
import type { PressureOptions } from './http/limits/pressure.ts';
import { defaultGateway, watchForProxy } from './http/limits/proxy-watch.ts';
import { addOperations } from './http/operations.ts';
import { buildOperationsApp } from './http/operations-app.ts';
import { type ApiOptions, buildApi, type Clock } from './http/routes/all-routes.ts';
import type { Views } from './http/routes/writing.ts';
import { configuredLanguage } from './locales/languages.ts';
import { createHealth, type Health } from './observability/health.ts';
import type { Log } from './observability/log.ts';
import type { CacheCounts } from './observability/metrics.ts';
import { createMetrics, type Metrics } from './observability/metrics.ts';
import { measureAppends, type WritingWatch, watchWriting } from './observability/writing.ts';
import type { AsOfOptions, ReplayedDocuments } from './queries/as-of/replay-as-of.ts';
import { type Publisher, startPublisher } from './reactions/publisher.ts';
import { startZoneRulesFollower, type ZoneRulesFollower } from './reactions/zone-rules-follower.ts';
import { watchCheckpoint } from './read-model/checkpoint-watch.ts';
import type { Gate } from './read-model/guard.ts';
import type { Lease } from './read-model/lease.ts';
import type { ReadModel } from './read-model/read-model.ts';
import { type TrustWatch, watchTrust } from './read-model/trust.ts';
import type { RenderingSettings } from './rendering/settings.ts';
import { type EpochSeconds, resolveZone, type ZoneRules } from './time/zone.ts';
import { VERSION } from './version.ts';

/** `missing`: none were made yet by this code with these settings. `unavailable`: they could not be brought up to date. */
export type ViewsAfterwards = 'current' | 'missing' | 'unavailable';

/** The log, opened, and what is known of its views without opening them. */
export interface LogStores {
  readonly store: EventStore;
  /** The same log as it is stored: events in the shapes in which they were written, personal data encrypted. */
  readonly rawLog: EventStore;
  /** Absent where the engine of the log cannot tell without an append. */
  readonly tryWriting?: TryWriting | undefined;
  /** Of personal data in the log. */
  readonly keys: Pick<KeyRing, 'destroy' | 'look' | 'assertInPlace' | 'copy'>;
  /** Whose personal data could not be read so far. */
  readonly unreadable: Unreadable;
  /** How many ids are reserved at once: one where a single process writes, so that ids leave no gaps. */
  readonly idBlock: number;
  readonly rendering: RenderingSettings;
  /** Applies everything that is in the log to the views, and says what became of them. */
  project(onBatch?: (events: number) => void): Promise<ViewsAfterwards>;
  close(): Promise<void>;
}

/** Both stores, opened. */
export interface Stores extends LogStores {
  /** Its reads are answered where `gate` admits them. */
  readonly readModel: ReadModel;
  /** The same read model for the projector: without the gate. */
  readonly projectorModel: ReadModel;
  readonly gate: Gate;
  /** An empty read model of its own, in memory, for lists as of an instant. */
  readonly openAsOfModel: () => ReadModel;
  /** Makes the documents of such a look in a thread of its own; absent where there is none. */
  readonly replayAsOf?: (options: AsOfOptions) => ReplayedDocuments;
  /** Which of several projectors works; null where one process has the views to itself. */
  readonly lease: Lease | null;
  /** How often documents were found in the memory of the process; absent where none are kept. */
  readonly documentCounts?: () => CacheCounts;
}

/** What a process does: answer requests, fill the views, or both. */
export const SERVICE_ROLES = ['all', 'api', 'projector'] as const;
export type ServiceRole = (typeof SERVICE_ROLES)[number];

/** The system clock, asked anew each time. */
export const systemNow = (): EpochSeconds => Math.floor(Date.now() / 1000);

/** The zone rules of this runtime; null where it does not say which release they are. */
export const SYSTEM_ZONE_RULES: ZoneRules | null =
  process.versions.tz === undefined ? null : { release: process.versions.tz, zoneNamed: resolveZone };

/** Milliseconds since the process began, never going back; only differences count. */
const elapsed = (): number => performance.now();

/** How often views that another process fills are looked at while an answer waits for them. */
const LOOK_AT_VIEWS_MS = 5;

const NO_SUBJECTS: ReadonlySet<string> = new Set();

/** Streams that each look at the health reads again. */
const LOOKED_AT_AGAIN = 5;

const SYSTEM_CLOCK: Clock = { now: systemNow };

export interface Service {
  readonly app: FastifyInstance;
  readonly views: Views;
  /** Stops taking requests, finishes those under way, then closes the stores. */
  close(): Promise<void>;
}

export interface ServiceOptions {
  readonly role?: ServiceRole;
  readonly clock?: Clock;
  /** When there is too much to do; without it there never is. */
  readonly pressure?: PressureOptions;
  /** Aborted when the service is to be closed as soon as it is there: nothing is waited for then. */
  readonly signal?: AbortSignal;
  /** Of this process; without them it does not look at those of the log. */
  readonly zoneRules?: ZoneRules | null;
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
  { role = 'all', clock = SYSTEM_CLOCK, pressure, signal, zoneRules = null }: ServiceOptions = {},
): Promise<Service> {
  const projector = role === 'api' ? null : openProjector(stores, log);
  const trust = openTrust(stores);
  // What is read from here on, by the publisher first, is whole as a rule.
  const filled = role === 'projector' ? null : projector?.ready;
  await (signal ? Promise.race([filled, aborted(signal)]) : filled);
  await trust.look();
  trust.start();
  const views = viewsOf(stores, projector);
  const writing = watchWriting({ tryWriting: stores.tryWriting, elapsed });
  const health = openHealth(stores, writing, trust, projector, clock, log, zoneRules);
  const metrics = createMetrics({ version: VERSION, health });
  const measured = measuredStores(stores, [metrics, writing]);
  const language = configuredLanguage(config);
  const proxyWatch = watchForProxy({
    gateway: defaultGateway(),
    report: (why) => log.warn({ setting: 'DAYBOOK_TRUST_PROXY' }, why),
  });
  const publisher = role === 'projector' ? null : openPublisher(measured, views, metrics, clock, log);
  const app = publisher
    ? measuredApi(
        {
          ...{ config, stores: measured, trust, views: noticed(views, publisher), log, clock, schedule: publisher },
          ...(pressure && { pressure }),
          proxyWatch,
        },
        metrics,
      )
    : buildOperationsApp(language);
  addOperations(app, { health, metrics, language, proxyWatch });
  await app.ready();
  const ending = new AbortController();
  // What no key opens is reported by health and log without a request.
  void readEverythingPersonal(stores.store, ending.signal).catch((error: unknown) =>
    log.warn({ err: error }, 'scan of personal data failed'),
  );
  const follower = zoneRules && openFollower(stores, zoneRules, role, clock, log);
  return {
    app,
    views,
    async close() {
      ending.abort();
      await app.close();
      await publisher?.stop();
      await follower?.stop();
      await trust.stop();
      await projector?.stop();
      await stores.close();
    },
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

function openTrust({ gate, rawLog, store, projectorModel, rendering }: Stores): TrustWatch {
  const projections = allProjections(rendering);
  return watchTrust({
    ...{ gate, readModel: projectorModel, elapsed },
    // Nothing but places and ids is looked at: for that nothing has to be decrypted.
    store: rawLog,
    prefixes: projections.map(({ prefix }) => prefix),
    isStopped: () => isStopped({ store, readModel: projectorModel, projections }),
  });
}

function openProjector({ store, projectorModel, lease, rendering }: Stores, log: Log): Projector {
  return startProjector({ store, readModel: projectorModel, projections: allProjections(rendering), lease, log });
}

/**
 * Without a lease only this process fills these views, so its projector knows best where they are. Otherwise they are
 * looked at; there is no wait for a projector that is stopped at an event.
 */
function viewsOf({ lease, readModel }: Stores, projector: Projector | null): Views {
  if (projector && lease === null) return projector;
  const watch = watchCheckpoint({ readModel, pauseMs: LOOK_AT_VIEWS_MS });
  const isStopped = (): boolean => projector?.status().kind === 'stopped';
  return { reached: (position, deadlineMs) => watch.reached(position, isStopped() ? LOOK_AT_VIEWS_MS : deadlineMs) };
}

function openHealth(
  { store, keys, unreadable, projectorModel, rendering }: Stores,
  writing: WritingWatch,
  trust: TrustWatch,
  projector: Projector | null,
  clock: Clock,
  log: Log,
  zoneRules: ZoneRules | null,
): Health {
  // Where its end can be told but no name in it read or written, the log is of no use.
  const legible = {
    ...store,
    async head() {
      await keys.assertInPlace();
      await keys.look(NO_SUBJECTS, NO_SUBJECTS);
      // Keys that were put back are noticed by reading again what could not be read.
      for (const stream of unreadable.streams().slice(0, LOOKED_AT_AGAIN)) await store.readStream(stream);
      return store.head();
    },
  };
  const prefixes = allProjections(rendering).map(({ prefix }) => prefix);
  const state = projector && (() => projector.status());
  const rules = zoneRules && {
    release: zoneRules.release,
    ofLog: async () => (await rulesOfLog(store)).release,
  };
  return createHealth({
    ...{ store: legible, readModel: projectorModel, trust, projector: state, prefixes, elapsed, log },
    unreadable: unreadable.subjects,
    tryWriting: writing.look,
    now: () => clock.now(),
    ...(rules && { zoneRules: rules }),
  });
}

/** Those who answer requests adjust what lies ahead; a projector only says when its rules are older than the log's. */
function openFollower(
  { store }: Stores,
  rules: ZoneRules,
  role: ServiceRole,
  clock: Clock,
  log: Log,
): ZoneRulesFollower {
  const duty = role === 'projector' ? 'watch' : 'adjust';
  return startZoneRulesFollower({ store, newEventId: randomUUID, newId: randomUUID, rules, clock, log, duty });
}

function openPublisher(
  { store, readModel }: Stores,
  views: Views,
  metrics: Metrics,
  clock: Clock,
  log: Log,
): Publisher {
  const dependencies = { store, newEventId: randomUUID };
  const publisher = startPublisher({
    readModel,
    publish: (context, post) => publishDue(dependencies, context, post),
    views,
    clock,
    elapsed,
    newId: randomUUID,
    log,
  });
  metrics.watchSchedule(publisher.overdue);
  return publisher;
}

/** Views of which the publisher hears when this process has brought something into them. */
const noticed = (views: Views, publisher: Publisher): Views => ({
  async reached(position, deadlineMs) {
    const reached = await views.reached(position, deadlineMs);
    publisher.lookAgain();
    return reached;
  },
});

/** Stores of whose appends all observers are told. */
const measuredStores = (stores: Stores, observers: readonly Pick<Metrics, 'observeAppend'>[]): Stores => ({
  ...stores,
  store: measureAppends(
    stores.store,
    (append) => {
      for (const { observeAppend } of observers) observeAppend(append);
    },
    elapsed,
  ),
});

/** The API, with what it does under the eyes of `metrics`. */
function measuredApi(options: ApiOptions, metrics: Metrics): FastifyInstance {
  const { stores } = options;
  const observer = { answered: metrics.requests.add };
  const { app, lists, reads } = buildApi({ ...options, observer });
  metrics.watchCache('lists', () => lists.counts());
  metrics.watchCache('reads', () => reads.counts());
  if (stores.documentCounts) metrics.watchCache('documents', stores.documentCounts);
  return app;
}
