// The composition root: configuration to adapters to a running service. The only file that knows which adapters there are.
import { randomUUID } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { allProjections, fingerprintOf } from '../projections/catalogue.ts';
import { catchUp } from '../projections/catch-up.ts';
import { eventDocument } from '../projections/events.ts';
import { organizerDocument } from '../projections/organizers.ts';
import { type Runner, startRunner, Unfoldable } from '../projections/runner.ts';
import { venueDocument } from '../projections/venues.ts';
import { openAuthenticator } from './auth/credentials.ts';
import { hashPassword, verifyPassword } from './auth/passwords.ts';
import type { CommandDependencies, Written } from './commands/context.ts';
import { type IdSequence, openIdSequence } from './commands/ids.ts';
import { type Config, ConfigError, type StoreAddress } from './config.ts';
import type { EpochSeconds } from './domain/zone.ts';
import type { EventStore } from './event-store/event-store.ts';
import { openSqliteEventStore } from './event-store/sqlite.ts';
import { withUpcasting } from './event-store/upcast.ts';
import { upcasters } from './event-store/upcasters.ts';
import { buildApp } from './http/app.ts';
import { createKeptReads } from './http/kept-reads.ts';
import { logLookups, viewLookups } from './http/lookups.ts';
import { createResponseCache } from './http/response-cache.ts';
import { eventRoutes } from './http/routes/event-routes.ts';
import { organizerRoutes, venueRoutes } from './http/routes/linked-post-routes.ts';
import { categoryRoutes, tagRoutes } from './http/routes/term-routes.ts';
import type { DocumentMakers, RouteDependencies, Views } from './http/routes/writing.ts';
import { DEFAULT_SETTINGS } from './http/settings.ts';
import type { Log } from './observability/log.ts';
import type { ReadModel } from './read-model/read-model.ts';
import { openSqliteReadModel } from './read-model/sqlite/open.ts';
import type { RenderingSettings } from './rendering/settings.ts';

/** The system clock, asked anew each time. */
export const systemNow = (): EpochSeconds => Math.floor(Date.now() / 1000);

/** How long a verified credential is believed without verifying it again. */
const CREDENTIAL_CACHE_MS = 60_000;

/** Both stores, opened, and what they are filled by. */
export interface Stores {
  readonly store: EventStore;
  readonly readModel: ReadModel;
  readonly rendering: RenderingSettings;
  /** Applies everything that is in the log. */
  project(onBatch?: (events: number) => void): Promise<void>;
  close(): Promise<void>;
}

const renderingSettings = ({ siteZone }: Config): RenderingSettings => ({
  siteZone,
  defaultSymbol: '$',
  defaultPosition: 'prefix',
  freeLabel: 'Free',
});

/** Makes the folder of a store's file; a `ConfigError` names the setting that it comes from. */
function prepareFolder({ file }: StoreAddress, { dataDir }: Config, ownSetting: string): void {
  if (file === ':memory:') return;
  const folder = path.dirname(file);
  try {
    makeFolder(folder);
  } catch (error) {
    const setting = folder === dataDir ? 'DAYBOOK_DATA_DIR' : ownSetting;
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`${setting}: the folder ${JSON.stringify(folder)} cannot be made or used (${why}).`);
  }
}

const isFolder = (folder: string): boolean => statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Level by level: Node's own recursion never ends where the system denies that a folder which is there exists. */
function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  makeFolder(path.dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process that starts at the same time may have made it.
    if (!isFolder(folder)) throw error;
  }
}

/** Opens the event store and the read model that the configuration names. */
export function openStores(config: Config): Stores {
  prepareFolder(config.eventStore, config, 'DAYBOOK_EVENT_STORE');
  prepareFolder(config.readModel, config, 'DAYBOOK_READ_MODEL');
  const rendering = renderingSettings(config);
  const store = withUpcasting(openSqliteEventStore({ file: config.eventStore.file }), upcasters);
  const readModel = openSqliteReadModel({ file: config.readModel.file, fingerprint: fingerprintOf(rendering) });
  return {
    store,
    readModel,
    rendering,
    project: (onBatch) => catchUp(store, readModel, allProjections(rendering), onBatch),
    async close() {
      await readModel.close();
      await store.close();
    },
  };
}

/** The sequences of ids. Blocks of one leave no gaps while one process hands them out. */
export function idSequences(store: EventStore): { readonly postIds: IdSequence; readonly termIds: IdSequence } {
  const options = { first: 1, blockSize: 1, newEventId: randomUUID };
  return {
    postIds: openIdSequence(store, { stream: 'ids-post', ...options }),
    termIds: openIdSequence(store, { stream: 'ids-term', ...options }),
  };
}

/** What commands work with. */
export const commandDependencies = ({ store }: Stores, { siteZone }: Config): CommandDependencies => ({
  store,
  ...idSequences(store),
  newEventId: randomUUID,
  siteZone,
  hashPassword,
  verifyPassword,
});

/** Documents as the views will hold them, for answers to writes. */
const documentMakers = (rendering: RenderingSettings): DocumentMakers => ({
  event: (written) => eventDocument(written.state, rendering, placeOf(written)),
  venue: (written) => venueDocument(written.state, rendering, placeOf(written)),
  organizer: (written) => organizerDocument(written.state, rendering, placeOf(written)),
});

const placeOf = ({ revision, position }: Written<unknown>) => ({ revision, position });

/** Tells the time, in UTC seconds. */
export interface Clock {
  now(): EpochSeconds;
}

const SYSTEM_CLOCK: Clock = { now: systemNow };

export interface Service {
  readonly app: FastifyInstance;
  readonly runner: Runner;
  /** Stops taking requests, finishes those under way, then lets go of the stores. */
  close(): Promise<void>;
}

/** A service that is ready to listen: its views have everything that is in the log. */
export async function startService(
  config: Config,
  stores: Stores,
  log: Log,
  clock: Clock = SYSTEM_CLOCK,
): Promise<Service> {
  const { store, readModel, rendering } = stores;
  await stores.project().catch((error: unknown) => {
    // The runner stops at the same event and says so; what stands before it is served meanwhile.
    if (!(error instanceof Unfoldable)) throw error;
  });
  const runner = startRunner({ store, readModel, projections: allProjections(rendering), log });
  const app = buildService(config, stores, runner, log, clock);
  await app.ready();
  return {
    app,
    runner,
    async close() {
      await app.close();
      await runner.stop();
      await stores.close();
    },
  };
}

function buildService(config: Config, stores: Stores, views: Views, log: Log, clock: Clock): FastifyInstance {
  const { store, readModel, rendering } = stores;
  const { siteZone, perPage, siteUrl, prefixAliases, trustForwarded } = config;
  const cache = createResponseCache({ version: readModel.version });
  const dependencies: RouteDependencies = {
    commands: commandDependencies(stores, config),
    queries: { readModel, siteZone, perPage, verifyPassword },
    views,
    documents: documentMakers(rendering),
    cache,
    reads: createKeptReads(() => readModel.version()),
  };
  const lookups = logLookups(store, readModel);
  return buildApp({
    routes: [
      ...eventRoutes(dependencies),
      ...venueRoutes(dependencies),
      ...organizerRoutes(dependencies),
      ...categoryRoutes(dependencies),
      ...tagRoutes(dependencies),
    ],
    authenticate: openAuthenticator({
      readModel,
      elapsed: () => performance.now(),
      cacheForMs: CREDENTIAL_CACHE_MS,
    }),
    lookups,
    viewLookups: viewLookups(readModel, lookups),
    clock,
    newId: randomUUID,
    siteZone,
    settings: { ...DEFAULT_SETTINGS, siteUrl, prefixAliases, trustForwarded },
    log,
    cache,
  });
}
