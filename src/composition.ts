// The composition root: configuration to adapters. The only file that knows which adapters there are. Clients of servers are
// loaded where a server is named: they are half of what it takes to start.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { allProjections, fingerprintOf } from '../projections/catalogue.ts';
import { catchUp } from '../projections/engine/catch-up.ts';
import { ProjectionError } from '../projections/fold.ts';
import {
  assertLogIsThere,
  type Config,
  ConfigError,
  type EventStoreAddress,
  hasKeys,
  IN_MEMORY,
  isThere,
  type SqliteAddress,
} from './config.ts';
import { withPersonalData } from './event-store/encryption/encrypting-store.ts';
import { type KeyRing, openKeyRing } from './event-store/encryption/key-ring.ts';
import { openKeys } from './event-store/encryption/open-keys.ts';
import { openUnreadable } from './event-store/encryption/unreadable-subjects.ts';
import { assertKeysAreThere } from './event-store/encryption/verify-keys.ts';
import { type EventStore, type EventStoreAdapter, EventStoreUnavailable } from './event-store/event-store.ts';
import { BadConnectionString } from './event-store/eventstoredb/address.ts';
import { withHashChain } from './event-store/hash-chain/hash-chain.ts';
import { withLongStreams } from './event-store/long-streams.ts';
import {
  beginSqliteFilling,
  copySqliteLog,
  countSqliteEvents,
  isSqliteLogEmpty,
  openSqlitePlaces,
} from './event-store/sqlite/maintenance.ts';
import { openSqliteEventStore } from './event-store/sqlite/store.ts';
import { withUpcasting } from './event-store/upcasting/upcast.ts';
import { upcasters } from './event-store/upcasting/upcasters.ts';
import { openFileTarget, openServerTarget, type RestoreTarget } from './export/restore-target.ts';
import { makePrivateFolder } from './files/private-files.ts';
import { configuredLanguage } from './locales/languages.ts';
import type { Log } from './observability/log.ts';
import { documentsInThread } from './queries/as-of/replay-thread.ts';
import { distrustedWhenDamaged } from './read-model/damage.ts';
import type { Generations } from './read-model/generations.ts';
import { createGate } from './read-model/guard.ts';
import { originOf } from './read-model/origin.ts';
import { type ReadModel, ReadModelUnavailable } from './read-model/read-model.ts';
import { openSqliteGenerations } from './read-model/sqlite/generations.ts';
import { openSqliteReadModel } from './read-model/sqlite/open.ts';
import { openReadingThread } from './read-model/sqlite/reading-thread.ts';
import type { RenderingSettings } from './rendering/settings.ts';
import type { LogStores, Stores, ViewsAfterwards } from './service.ts';

export const renderingSettings = (config: Config): RenderingSettings => ({
  siteZone: config.siteZone,
  defaultSymbol: '$',
  defaultPosition: 'prefix',
  // Documents are rendered once for all readers: the installation's language decides, not the request's.
  freeLabel: configuredLanguage(config).free,
});

/** After a crash of the leading projector, another one takes over within this time and the pause between two looks. */
const LEASE_EXPIRES_MS = 5_000;

const SHARED_ID_BLOCK = 16;

/** The path of a store that is a file; null for a server, and for one in memory. */
const fileOf = (address: SqliteAddress | { readonly engine: 'eventstoredb' | 'redis' }): string | null =>
  address.engine === 'sqlite' && address.file !== ':memory:' ? address.file : null;

/** Makes the folder of a store's file; a `ConfigError` names the setting that it comes from. */
function prepareFolder(address: SqliteAddress, { dataDir }: Config, ownSetting: string): void {
  const file = fileOf(address);
  if (file === null) return;
  const folder = path.dirname(file);
  try {
    makePrivateFolder(folder);
  } catch (error) {
    const setting = folder === dataDir ? 'DAYBOOK_DATA_DIR' : ownSetting;
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`${setting}: the folder ${JSON.stringify(folder)} cannot be made or used (${why}).`);
  }
}

type OpenedReadModel = Pick<Stores, 'readModel' | 'projectorModel' | 'gate' | 'documentCounts' | 'lease'>;

/** Opens the log that the configuration names. Throws `ConfigError` when it cannot be used. */
async function openEventStore(config: Config, log: Log | undefined): Promise<EventStoreAdapter> {
  const address = config.eventStore;
  if (address.engine === 'sqlite') {
    prepareFolder(address, config, 'DAYBOOK_EVENT_STORE');
    return openSqliteEventStore({ file: address.file });
  }
  const { openEventStoreDb } = await import('./event-store/eventstoredb/store.ts');
  const store = openEventStoreDb({
    connectionString: address.connectionString,
    setting: 'DAYBOOK_EVENT_STORE',
    ...(log && { log }),
  });
  await store.probe().catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  return store;
}

/** Positions are a log's own: views of another kind of log are not these. */
const fingerprintIn = ({ eventStore }: Config, rendering: RenderingSettings): string =>
  `${fingerprintOf(rendering)} ${eventStore.engine}`;

/** Opens the views that the configuration names. */
async function openReadModel(config: Config, rendering: RenderingSettings): Promise<OpenedReadModel> {
  const address = config.readModel;
  const fingerprint = fingerprintIn(config, rendering);
  const gate = createGate();
  if (address.engine === 'sqlite') {
    prepareFolder(address, config, 'DAYBOOK_READ_MODEL');
    const options = { file: address.file, fingerprint };
    const thread = address.file === ':memory:' ? null : openReadingThread().open(options);
    const readModel = openSqliteReadModel({ ...options, guard: gate }, thread);
    return { ...watched(readModel), gate, lease: null };
  }
  const { openRedisReadModel } = await import('./read-model/redis/open.ts');
  const readModel = await openRedisReadModel({ url: address.url, fingerprint, guard: gate });
  return {
    ...watched(readModel),
    gate,
    documentCounts: () => readModel.cacheCounts(),
    lease: readModel.lease(randomUUID(), LEASE_EXPIRES_MS),
  };
}

/** What a service reads and fills; when either finds it damaged, it is refused and filled again. */
const watched = (readModel: ReadModel & { readonly forProjector: ReadModel }) => ({
  readModel: distrustedWhenDamaged(readModel),
  projectorModel: distrustedWhenDamaged(readModel.forProjector),
});

/** What went wrong at the start, with the setting that it comes from. */
function withSetting(setting: string, error: unknown): unknown {
  if (error instanceof BadConnectionString) return new ConfigError(error.message);
  const isExpected = error instanceof EventStoreUnavailable || error instanceof ReadModelUnavailable;
  if (!isExpected || error.message.includes(setting)) return error;
  return new ConfigError(`${setting}: ${error.message}`);
}

/**
 * What becomes of a store that is not there. `create`: it is made. `existing`: a missing log is refused, for commands that
 * change what is in it. `read`: a missing log is refused, and nothing is made.
 */
export type Opening = 'create' | 'existing' | 'read';

const NO_KEYS = { isEmpty: async () => true, look: async () => () => undefined };

/** The keys of personal data, known to be those of this log as far as can be told at once. */
async function openKeyRingFor(config: Config, rawLog: EventStore, opening: Opening): Promise<KeyRing> {
  const address = config.keys;
  const keysAt = address.engine === 'sqlite' ? address.file : 'Redis';
  // Before the file is made: an empty one in its place would look like the keys of a new calendar.
  if (!hasKeys(config)) await assertKeysAreThere(rawLog, NO_KEYS, keysAt);
  if (address.engine === 'sqlite' && opening !== 'read') prepareFolder(address, config, 'DAYBOOK_KEYS');
  const isNeeded = hasKeys(config) || opening !== 'read';
  const keys = openKeyRing(await openKeys(isNeeded ? address : IN_MEMORY), { elapsed: () => performance.now() });
  try {
    await assertKeysAreThere(rawLog, keys, keysAt);
    return keys;
  } catch (error) {
    await keys.close();
    throw error;
  }
}

/** The log with its hashes: as it is stored, and decrypted and upcast. */
async function openLogStore(
  config: Config,
  opening: Opening,
  log?: Log,
): Promise<Pick<LogStores, 'rawLog' | 'store' | 'tryWriting' | 'keys' | 'unreadable'>> {
  if (opening !== 'create') assertLogIsThere(config);
  const adapter = await openEventStore(config, log).catch((error: unknown) => {
    throw withSetting('DAYBOOK_EVENT_STORE', error);
  });
  const rawLog = withHashChain(withLongStreams(adapter));
  const keys = await openKeyRingFor(config, rawLog, opening).catch(async (error: unknown) => {
    await rawLog.close();
    throw withSetting('DAYBOOK_KEYS', error);
  });
  const unreadable = openUnreadable((subject, why) =>
    log?.warn({ subject, why }, 'personal data unreadable: its key is missing; restore a newer backup of the keys'),
  );
  const store = withUpcasting(withPersonalData(rawLog, keys, unreadable), upcasters);
  return { rawLog, store, tryWriting: adapter.tryWriting, keys, unreadable };
}

/** Opens the event store and the read model that the configuration names. Rejects with an error of one line. */
export async function openStores(config: Config, log?: Log): Promise<Stores> {
  const rendering = renderingSettings(config);
  const logStore = await openLogStore(config, 'create', log);
  const { store } = logStore;
  const opened = await openReadModel(config, rendering).catch(async (error: unknown) => {
    await store.close();
    throw withSetting('DAYBOOK_READ_MODEL', error);
  });
  const { readModel, projectorModel } = opened;
  const pastModels = openReadingThread();
  return {
    ...opened,
    ...logStore,
    idBlock: idBlockOf(config),
    rendering,
    ...pastThread(config),
    openAsOfModel: () => pastModels.open({ file: ':memory:', fingerprint: 'past' }),
    async project(onBatch) {
      await catchUp(store, projectorModel, allProjections(rendering), onBatch);
      return 'current';
    },
    async close() {
      await readModel.close();
      await store.close();
    },
  };
}

/** A read model for one command, to be filled from the log and thrown away. */
export const openModelInMemory = (): ReadModel => openSqliteReadModel({ file: ':memory:', fingerprint: 'command' });

/** A log in memory is open to one thread only, and another engine tells its log no faster to another thread. */
function pastThread({ eventStore, keys }: Config): Pick<Stores, 'replayAsOf'> {
  const file = fileOf(eventStore);
  return file === null ? {} : { replayAsOf: (options) => documentsInThread({ file, keys }, options) };
}

/**
 * Opens the log for a command that comes and goes. The views are left to the services: they are only brought along, and
 * only where they have been made by this code with these settings. Rejects with an error of one line, with `ConfigError`
 * for a log that is not there unless it may be made.
 */
export async function openLog(config: Config, opening: Opening = 'create'): Promise<LogStores> {
  const rendering = renderingSettings(config);
  const logStore = await openLogStore(config, opening);
  const { store } = logStore;
  return {
    ...logStore,
    idBlock: idBlockOf(config),
    rendering,
    project: (onBatch) => bringAlong(config, store, rendering, onBatch),
    close: () => store.close(),
  };
}

const idBlockOf = ({ eventStore }: Config): number => (eventStore.engine === 'sqlite' ? 1 : SHARED_ID_BLOCK);

async function bringAlong(
  config: Config,
  store: EventStore,
  rendering: RenderingSettings,
  onBatch?: (events: number) => void,
): Promise<ViewsAfterwards> {
  if (config.readModel.engine === 'sqlite' && fileOf(config.readModel) === null) return 'missing';
  try {
    const generations = await generationsOf(config, rendering);
    const live = await generations.live();
    // Views of another log are left to the services, which refuse and refill them.
    const isOurs = live !== null && (await originOf(store, await live.model.progress())) === 'this log';
    if (isOurs) await catchUp(store, live.model, allProjections(rendering), onBatch);
    await live?.close();
    await generations.close();
    if (live === null) return 'missing';
    return isOurs ? 'current' : 'unavailable';
  } catch (error) {
    // What is in the log is done; a service brings the views along as soon as they are there.
    if (!(error instanceof ReadModelUnavailable || error instanceof ProjectionError)) throw error;
    return 'unavailable';
  }
}

/** Opens the generations of the views that the configuration names; what is in use is not touched. */
export function openGenerations(config: Config, rendering: RenderingSettings): Promise<Generations> {
  if (config.readModel.engine === 'sqlite') prepareFolder(config.readModel, config, 'DAYBOOK_READ_MODEL');
  return generationsOf(config, rendering).catch((error: unknown) => {
    throw withSetting('DAYBOOK_READ_MODEL', error);
  });
}

/** The same, where nothing is made. */
export async function generationsOf(config: Config, rendering: RenderingSettings): Promise<Generations> {
  const address = config.readModel;
  const fingerprint = fingerprintIn(config, rendering);
  if (address.engine === 'redis') {
    const { openRedisGenerations } = await import('./read-model/redis/generations.ts');
    return openRedisGenerations({ url: address.url, fingerprint });
  }
  return openSqliteGenerations({ file: address.file, fingerprint });
}

/** The log as it is stored, for who neither reads nor writes personal data: no key is asked for. */
export async function openRawLog(config: Config): Promise<EventStore> {
  return withHashChain(await opened(config, 'DAYBOOK_EVENT_STORE'));
}

/** What copies the file of a log as it is at one moment; null for a log that is no file. */
export function logCopier({ eventStore }: Config): ((to: string) => Promise<void>) | null {
  const file = fileOf(eventStore);
  return file === null ? null : (to) => copySqliteLog(file, to);
}

/** What a restore fills: its events are written as they are told, below what would seal or encrypt them anew. */
export async function openRestoreTarget(config: Config): Promise<RestoreTarget> {
  const { eventStore: address } = config;
  if (address.engine !== 'sqlite') return openServerTarget(await opened(config, 'DAYBOOK_EVENT_STORE'));
  if (address.file === ':memory:')
    throw new ConfigError('DAYBOOK_EVENT_STORE: a log in memory ends with the restore. Name a file or a server.');
  const { file } = address;
  return openFileTarget({ isEmpty: () => isSqliteLogEmpty(file), begin: () => beginSqliteFilling(file) });
}

/** A log to read from that is there already, as it is stored. Rejects with `ConfigError`. */
export async function openLogAt(address: EventStoreAddress, config: Config, option: string): Promise<EventStore> {
  if (address.engine === 'sqlite' && !isThere(address))
    throw new ConfigError(`${option}: there is no file ${JSON.stringify(address.file)}.`);
  return opened({ ...config, eventStore: address }, option);
}

const opened = (config: Config, setting: string): Promise<EventStore> =>
  openEventStore(config, undefined).catch((error: unknown) => {
    throw withSetting(setting, error);
  });

/** What the file of a log knows of its positions; absent for engines that know no more than their order. */
export function openPlaces({ eventStore }: Config): ReturnType<typeof openSqlitePlaces> | undefined {
  const file = fileOf(eventStore);
  return file === null ? undefined : openSqlitePlaces(file);
}

/** How many events of some streams the log has; null when its engine cannot tell without reading them. */
export async function countEvents(
  { eventStore }: Config,
  projections: readonly { readonly prefix: string }[],
): Promise<number | null> {
  const file = fileOf(eventStore);
  const prefixes = projections.map(({ prefix }) => prefix);
  return file === null ? null : countSqliteEvents(file, prefixes);
}
