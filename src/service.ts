// Ports to a running service: which parts a process has, by its role, and the order in which they start and end.
import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { allProjections } from '../projections/catalogue.ts';
import { eventDocument } from '../projections/events.ts';
import { organizerDocument } from '../projections/organizers.ts';
import { type Projector, startProjector } from '../projections/projector.ts';
import { venueDocument } from '../projections/venues.ts';
import { openAuthenticator } from './auth/credentials.ts';
import { hashPassword, verifyPassword } from './auth/passwords.ts';
import type { CommandDependencies, Written } from './commands/context.ts';
import { type IdSequence, openIdSequence } from './commands/ids.ts';
import type { Config } from './config.ts';
import type { EpochSeconds } from './domain/zone.ts';
import type { EventStore } from './event-store/event-store.ts';
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
import { watchCheckpoint } from './read-model/checkpoint-watch.ts';
import type { RenderingSettings } from './rendering/settings.ts';
import type { Stores } from './stores.ts';

/** What a process does: answer requests, fill the views, or both. */
export const SERVICE_ROLES = ['all', 'api', 'projector'] as const;
export type ServiceRole = (typeof SERVICE_ROLES)[number];

/** The system clock, asked anew each time. */
export const systemNow = (): EpochSeconds => Math.floor(Date.now() / 1000);

/** How long a verified credential is believed without verifying it again. */
const CREDENTIAL_CACHE_MS = 60_000;

/** How often views that somebody else fills are looked at while an answer waits for them. */
const LOOK_AT_VIEWS_MS = 5;

interface IdSequences {
  readonly postIds: IdSequence;
  readonly termIds: IdSequence;
}

/** The sequences of ids. Blocks of one leave no gaps while one process hands them out. */
function idSequences(store: EventStore, blockSize: number): IdSequences {
  const options = { first: 1, blockSize, newEventId: randomUUID };
  return {
    postIds: openIdSequence(store, { stream: 'ids-post', ...options }),
    termIds: openIdSequence(store, { stream: 'ids-term', ...options }),
  };
}

/** What commands work with. */
export const commandDependencies = (
  { store, idBlock }: Stores,
  { siteZone }: Config,
): CommandDependencies & IdSequences => ({
  store,
  ...idSequences(store, idBlock),
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
  readonly views: Views;
  /** Stops taking requests, finishes those under way, then lets go of the stores. */
  close(): Promise<void>;
}

export interface ServiceOptions {
  readonly role?: ServiceRole;
  readonly clock?: Clock;
}

/**
 * A service that is ready to listen. One that projects has filled its views with what is in the log, unless another
 * process leads; one that does not, answers from what others have filled.
 */
export async function startService(
  config: Config,
  stores: Stores,
  log: Log,
  { role = 'all', clock = SYSTEM_CLOCK }: ServiceOptions = {},
): Promise<Service> {
  const projector = role === 'api' ? null : openProjector(stores, log);
  const views = viewsOf(stores, projector);
  const app = buildService(config, stores, views, log, clock);
  await Promise.all([projector?.ready, app.ready()]);
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

/** Without a lease nobody else fills these views, so whoever fills them here knows best where they are. */
function viewsOf({ lease, readModel }: Stores, projector: Projector | null): Views {
  return projector && lease === null ? projector : watchCheckpoint({ readModel, pauseMs: LOOK_AT_VIEWS_MS });
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
