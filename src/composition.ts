// The composition root: configuration to adapters. The only file that knows all adapters. Clients of servers are loaded
// only if a server is named: they are half of the startup time.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { allProjections, fingerprintOf } from '../projections/catalogue.ts';
import { bringAlong, type ViewsAfterwards } from '../projections/engine/bring-along.ts';
import { catchUp } from '../projections/engine/catch-up.ts';
import { type FoldingInThreads, foldingInThreads } from '../projections/engine/fold-threads.ts';
import { assertLogIsThere, type Config, ConfigError, hasKeys, hasLog, IN_MEMORY, isThere } from './config.ts';
import { withPersonalData } from './event-store/encryption/encrypting-store.ts';
import { type KeyRing, openKeyRing, openUnreadable } from './event-store/encryption/key-ring.ts';
import { openKeys } from './event-store/encryption/open-keys.ts';
import { identityOf } from './event-store/encryption/subject-keys.ts';
import { assertKeysAreThere, assertKeysOf } from './event-store/encryption/verify-keys.ts';
import { LOG_START } from './event-store/envelope.ts';
import { type EventStore, type EventStoreAdapter, EventStoreUnavailable } from './event-store/event-store.ts';
import { BadConnectionString } from './event-store/eventstoredb/address.ts';
import { withHashChain } from './event-store/hash-chain/hash-chain.ts';
import type { LogAddress } from './event-store/log-address.ts';
import { withLongStreams } from './event-store/long-streams.ts';
import { withOccurrences } from './event-store/occurrences.ts';
import {
  beginSqliteFilling,
  copySqliteLog,
  countSqliteEvents,
  isSqliteLogEmpty,
  lastSqliteStream,
  openSqlitePlaces,
} from './event-store/sqlite/maintenance.ts';
import { openSqliteEventStore } from './event-store/sqlite/store.ts';
import { upcasters, withUpcasting } from './event-store/upcasting/upcast.ts';
import { openFileTarget, openServerTarget, type RestoreTarget } from './export/restore-target.ts';
import { makePrivateFolder } from './files/private-files.ts';
import {
  type Build,
  fileMark,
  type Mark,
  type MarkPlace,
  NewerStore,
  setMark,
  UNMARKED,
  usableMark,
} from './files/store-marks.ts';
import { configuredLanguage } from './locales/languages.ts';
import type { Mailer } from './mail/mailer.ts';
import { openMediaFolder } from './media/folder.ts';
import { openPictureMaker } from './media/renditions.ts';
import type { Log } from './observability/log.ts';
import { replayInThread } from './queries/as-of/replay-thread.ts';
import { openSite } from './queries/site.ts';
import { distrustedWhenDamaged } from './read-model/damage.ts';
import type { Generations } from './read-model/generations.ts';
import { createGate, type FillableModel, type ReadModel, ReadModelUnavailable } from './read-model/read-model.ts';
import { recordingChanges } from './read-model/recent-changes.ts';
import { openSqliteGenerations } from './read-model/sqlite/generations.ts';
import { fileLease } from './read-model/sqlite/lease.ts';
import { openSqliteReadModel } from './read-model/sqlite/open.ts';
import { type RenderingSettings, renderingSettings } from './rendering/post-fragment.ts';
import type { LogStores, Stores } from './service.ts';
import type { EventStoreAddress, ReadModelAddress, SqliteAddress } from './settings/addresses.ts';
import { elapsed } from './time/system.ts';
import { STORE_FORMAT, VERSION } from './version.ts';

/** What this build writes into stores. */
const BUILD: Build = { format: STORE_FORMAT, daybook: VERSION };

/** After a crash of the leading projector, another one takes over within this time and the interval of its checks. */
const LEASE_EXPIRES_MS = 5_000;

const SHARED_ID_BLOCK = 16;

/** The path of a store in a file; null for a server, and for a store in memory. */
const fileOf = (address: SqliteAddress | { readonly engine: 'eventstoredb' | 'redis' }): string | null =>
  address.engine === 'sqlite' && address.file !== ':memory:' ? address.file : null;

/** Creates the folder of a store's file; a `ConfigError` names its setting. */
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

type OpenedReadModel = Pick<
  Stores,
  keyof ReturnType<typeof watched> | 'gate' | 'documentCounts' | 'lease' | 'senderLease'
>;

/** Opens the configured log. Throws `ConfigError` if it cannot be used. */
async function openEventStore(config: Config, log?: Log): Promise<EventStoreAdapter> {
  const address = config.eventStore;
  if (address.engine === 'sqlite') {
    prepareFolder(address, config, 'DAYBOOK_EVENT_STORE');
    await usableMark(fileMark(address.file), `The event store ${address.file}`, BUILD);
    return openSqliteEventStore({ file: address.file });
  }
  const { openEventStoreDb } = await import('./event-store/eventstoredb/store.ts');
  const store = openEventStoreDb({
    connectionString: address.connectionString,
    setting: 'DAYBOOK_EVENT_STORE',
    ...(log && { log }),
  });
  try {
    await store.probe();
    await usableMark(store.mark, 'The event store', BUILD);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Where keys or a read model keep their mark. A store in memory has none. */
async function markPlace(address: ReadModelAddress, name: string): Promise<MarkPlace> {
  if (address.engine === 'sqlite') return address.file === ':memory:' ? UNMARKED : fileMark(address.file);
  const { redisMark } = await import('./read-model/redis/mark.ts');
  return redisMark(address.url, name);
}

const READ_MODEL_MARK = 'daybook:mark';
const KEYS_MARK = 'daybook:{keys}:mark';

/** Positions belong to one log: a read model of another kind of log does not match. */
const fingerprintIn = ({ eventStore }: Config, rendering: RenderingSettings): string =>
  `${fingerprintOf(rendering)} ${eventStore.engine}`;

/** Opens the configured read model. */
async function openReadModel(config: Config, rendering: RenderingSettings): Promise<OpenedReadModel> {
  const address = config.readModel;
  const fingerprint = fingerprintIn(config, rendering);
  const gate = createGate();
  if (address.engine === 'sqlite') {
    prepareFolder(address, config, 'DAYBOOK_READ_MODEL');
    const { file } = address;
    return {
      ...watched(openSqliteReadModel({ file, fingerprint, guard: gate })),
      gate,
      lease: null,
      senderLease: file === ':memory:' ? null : fileLease(file, 'webhooks'),
    };
  }
  const { openRedisReadModel } = await import('./read-model/redis/open.ts');
  const readModel = await openRedisReadModel({ url: address.url, fingerprint, guard: gate });
  return {
    ...{ ...watched(readModel), gate },
    documentCounts: () => readModel.cacheCounts(),
    lease: readModel.lease(randomUUID(), LEASE_EXPIRES_MS),
    senderLease: readModel.lease(randomUUID(), LEASE_EXPIRES_MS, 'webhooks'),
  };
}

async function openMarkedReadModel(config: Config, rendering: RenderingSettings): Promise<OpenedReadModel> {
  const place = await markPlace(config.readModel, READ_MODEL_MARK);
  const mark = await usableMark(place, `The read model ${shownStore(config.readModel)}`, BUILD);
  const opened = await openReadModel(config, rendering);
  await setMark(place, mark, { ...BUILD, keys: null });
  return opened;
}

/** In messages; the address of a server may contain a password. */
const shownStore = (address: ReadModelAddress): string => (address.engine === 'sqlite' ? address.file : 'in Redis');

/** The read model for reading and for filling; if either finds it damaged, it is refused and refilled. */
function watched(readModel: ReadModel & { readonly forProjector: ReadModel }) {
  const { model, recent } = recordingChanges(distrustedWhenDamaged(readModel.forProjector));
  return { readModel: distrustedWhenDamaged(readModel), projectorModel: model, recentChanges: recent };
}

/** An error at startup, with its setting. */
function withSetting(setting: string, error: unknown): unknown {
  if (error instanceof BadConnectionString) return new ConfigError(error.message);
  const isExpected =
    error instanceof EventStoreUnavailable || error instanceof ReadModelUnavailable || error instanceof NewerStore;
  if (!isExpected || error.message.includes(setting)) return error;
  return new ConfigError(`${setting}: ${error.message}`);
}

/** What was opened; if it could not be, what was opened before is closed, and the error names the setting. */
const namingSetting = <Opened>(
  setting: string,
  opening: Promise<Opened>,
  before?: Pick<EventStore, 'close'>,
): Promise<Opened> =>
  opening.catch(async (error: unknown) => {
    await before?.close();
    throw withSetting(setting, error);
  });

/**
 * What to do about a missing store. `create`: create it. `existing`: refuse a missing log, for commands that change it.
 * `read`: refuse a missing log, and create nothing.
 */
export type Opening = 'create' | 'existing' | 'read';

const NO_KEYS = { isEmpty: async () => true, look: async () => () => undefined };

/** The keys of personal data, after a quick check that they belong to this log. */
async function openKeyRingFor(
  config: Config,
  rawLog: EventStore,
  logMark: Mark | null,
  opening: Opening,
): Promise<KeyRing> {
  const address = config.keys;
  const keysAt = address.engine === 'sqlite' ? address.file : 'Redis';
  const place = await markPlace(address, KEYS_MARK);
  const mark = await usableMark(place, `The store of keys ${shownStore(address)}`, BUILD);
  // Before the file is created: an empty one in its place would look like the keys of a new calendar.
  if (!hasKeys(config)) {
    await assertKeysAreThere(rawLog, NO_KEYS, keysAt);
    assertKeysOf(logMark, null, keysAt);
  }
  if (address.engine === 'sqlite' && opening !== 'read') prepareFolder(address, config, 'DAYBOOK_KEYS');
  const isNeeded = hasKeys(config) || opening !== 'read';
  const keys = openKeyRing(await openKeys(isNeeded ? address : IN_MEMORY), { elapsed });
  try {
    await assertKeysAreThere(rawLog, keys, keysAt);
    assertKeysOf(logMark, await keys.identity(), keysAt);
    if (opening !== 'read') await setMark(place, mark, { ...BUILD, keys: null });
    return keys;
  } catch (error) {
    await keys.close();
    throw error;
  }
}

/**
 * An empty log beside keys or a read model that are full: theirs is missing, and a new one in its place would take over
 * the keys and clear the read model, which may be the last copy. A log that has a mark has met these keys.
 */
async function assertNothingIsLeft(config: Config, mark: Mark | null): Promise<void> {
  const { eventStore, keys, readModel } = config;
  const left = [
    ...(mark === null && (await hasSubjects(config)) ? [`the keys of personal data (${shownStore(keys)})`] : []),
    ...((await isFilled(config)) ? [`the read model (${shownStore(readModel)})`] : []),
  ];
  if (left.length === 0) return;
  const where = eventStore.engine === 'sqlite' ? ` ${eventStore.file}` : '';
  throw new EventStoreUnavailable(
    `The event store${where} is missing or empty, but ${left.join(' and ')} of a calendar ` +
      `${left.length === 1 ? 'is' : 'are'} there. Check DAYBOOK_EVENT_STORE; or put the log back: \`daybook restore\` brings ` +
      'a backup, once the read model has been moved away. To begin a new calendar, move all of them away. Nothing was changed.',
  );
}

async function hasSubjects(config: Config): Promise<boolean> {
  if (!hasKeys(config)) return false;
  const keys = await openKeys(config.keys);
  try {
    return (await keys.copy()).subjects.size > 0;
  } finally {
    await keys.close();
  }
}

/** Which generation is in use does not depend on what the log says of the site. */
async function isFilled(config: Config): Promise<boolean> {
  if (config.readModel.engine === 'sqlite' && fileOf(config.readModel) === null) return false;
  const rendering = renderingSettings({ zone: config.siteZone, language: configuredLanguage(config) });
  const generations = await generationsOf(config, rendering);
  try {
    const live = await generations.live();
    const checkpoint = await live?.model.checkpoint().finally(() => live.close());
    return (checkpoint ?? LOG_START) !== LOG_START;
  } finally {
    await generations.close();
  }
}

/** The log with its hashes: as stored, and decrypted and upcast. */
async function openLogStore(
  config: Config,
  opening: Opening,
  log?: Log,
): Promise<Pick<LogStores, 'rawLog' | 'store' | 'tryWriting' | 'keys' | 'unreadable' | 'site'>> {
  if (opening !== 'create') assertLogIsThere(config);
  // Before the file is created.
  if (!hasLog(config)) await namingSetting('DAYBOOK_EVENT_STORE', assertNothingIsLeft(config, null));
  const adapter = await namingSetting('DAYBOOK_EVENT_STORE', openEventStore(config, log));
  const rawLog = withHashChain(withLongStreams(adapter));
  const file = fileOf(config.eventStore);
  const place = file === null ? (adapter.mark ?? UNMARKED) : fileMark(file);
  const mark = await namingSetting('DAYBOOK_EVENT_STORE', markOfLog(config, rawLog, place), rawLog);
  const keys = await namingSetting('DAYBOOK_KEYS', openKeyRingFor(config, rawLog, mark, opening), rawLog);
  if (opening !== 'read') await setMark(place, mark, { ...BUILD, keys: identityOf(await keys.pepper()) });
  const unreadable = openUnreadable((subject, why) =>
    log?.warn({ subject, why }, 'personal data unreadable: its key is missing; restore a newer backup of the keys'),
  );
  const store = withOccurrences(withUpcasting(withPersonalData(rawLog, keys, unreadable), upcasters));
  const site = await namingSetting('DAYBOOK_EVENT_STORE', openSite(store, config), store);
  return { rawLog, store, tryWriting: adapter.tryWriting, keys, unreadable, site };
}

/** The mark of a log that is not missing. */
async function markOfLog(config: Config, rawLog: EventStore, place: MarkPlace): Promise<Mark | null> {
  const mark = await usableMark(place, 'The event store', BUILD);
  const isInMemory = config.eventStore.engine === 'sqlite' && fileOf(config.eventStore) === null;
  if (!isInMemory && (await rawLog.head()) === LOG_START) await assertNothingIsLeft(config, mark);
  return mark;
}

/** How many processes answer requests from the same stores. Those of servers may always be several. */
export type Processes = 'one' | 'several';

/** Opens the configured event store and read model. Rejects with an error of one line. */
export async function openStores(config: Config, log?: Log, processes: Processes = 'one'): Promise<Stores> {
  const logStore = await openLogStore(config, 'create', log);
  const { store, site } = logStore;
  const rendering = renderingSettings(site);
  const opened = await namingSetting('DAYBOOK_READ_MODEL', openMarkedReadModel(config, rendering), store);
  const { readModel, projectorModel } = opened;
  const address = logAddress(config);
  return {
    ...opened,
    ...logStore,
    idBlock: idBlockOf(config),
    isShared: processes === 'several' || config.eventStore.engine !== 'sqlite',
    rendering,
    media: openMediaFolder(config.mediaDir),
    pictures: openPictureMaker(),
    ...(config.submissions === 'on' && { mailer: await openMailer(config) }),
    ...(address && replayInThread(address)),
    openAsOfModel: () => openSqliteReadModel({ file: ':memory:', fingerprint: 'past' }),
    async project(onBatch, threads) {
      await catchUp(store, projectorModel, allProjections(rendering), onBatch, threads);
      return 'current';
    },
    async close() {
      await readModel.close();
      await store.close();
    },
  };
}

/** Only submissions send mail: without them its library is not loaded. */
async function openMailer({ mail, mailFrom: from }: Config): Promise<Mailer> {
  if (mail.transport === 'folder') return (await import('./mail/folder.ts')).openMailFolder({ ...mail, from });
  return (await import('./mail/smtp.ts')).openSmtp({ ...mail, from });
}

/** A read model for one command, to be filled from the log and thrown away. */
export const openModelInMemory = (): FillableModel => openSqliteReadModel({ file: ':memory:', fingerprint: 'command' });

/**
 * What a thread opens. Null without a file: a log in memory is visible to one thread only, and a server is no faster from
 * another thread.
 */
function logAddress(config: Config): LogAddress | null {
  const file = fileOf(config.eventStore);
  return file === null ? null : { file, keys: hasKeys(config) ? config.keys : IN_MEMORY };
}

/**
 * Opens the log for a command. The read model belongs to the services: it is only brought up to date, and only if this
 * code with these settings made it. Rejects with an error of one line, with `ConfigError` for a missing log unless it
 * may be created.
 */
export async function openLog(config: Config, opening: Opening = 'create'): Promise<LogStores> {
  const logStore = await openLogStore(config, opening);
  const { store, site } = logStore;
  const rendering = renderingSettings(site);
  return {
    ...logStore,
    idBlock: idBlockOf(config),
    rendering,
    project: (onBatch) => bringReadModelAlong(config, store, rendering, onBatch),
    close: () => store.close(),
  };
}

const idBlockOf = ({ eventStore }: Config): number => (eventStore.engine === 'sqlite' ? 1 : SHARED_ID_BLOCK);

async function bringReadModelAlong(
  config: Config,
  store: EventStore,
  rendering: RenderingSettings,
  onBatch?: (events: number) => void,
): Promise<ViewsAfterwards> {
  if (config.readModel.engine === 'sqlite' && fileOf(config.readModel) === null) return 'missing';
  return bringAlong(store, () => generationsOf(config, rendering), allProjections(rendering), onBatch);
}

/** How this many threads fold the log; null unless it and the read model are files: each thread opens the log itself. */
export function openFolding(config: Config, rendering: RenderingSettings, threads: number): FoldingInThreads | null {
  const log = logAddress(config);
  if (log === null || config.readModel.engine !== 'sqlite') return null;
  return foldingInThreads({ log, rendering, threads, lastStream: () => lastSqliteStream(log.file) });
}

/** Opens the generations of the configured read model; the one in use is unchanged. */
export function openGenerations(config: Config, rendering: RenderingSettings): Promise<Generations> {
  if (config.readModel.engine === 'sqlite') prepareFolder(config.readModel, config, 'DAYBOOK_READ_MODEL');
  return namingSetting('DAYBOOK_READ_MODEL', generationsOf(config, rendering));
}

/** The same, creating nothing. */
export async function generationsOf(config: Config, rendering: RenderingSettings): Promise<Generations> {
  const address = config.readModel;
  const fingerprint = fingerprintIn(config, rendering);
  if (address.engine === 'redis') {
    const { openRedisGenerations } = await import('./read-model/redis/generations.ts');
    return openRedisGenerations({ url: address.url, fingerprint });
  }
  return openSqliteGenerations({ file: address.file, fingerprint });
}

/** The log as stored, for commands that neither read nor write personal data: no key is needed. */
export async function openRawLog(config: Config): Promise<EventStore> {
  return withHashChain(await opened(config, 'DAYBOOK_EVENT_STORE'));
}

/** Copies the file of a log as of one moment; null for a log on a server. */
export function logCopier({ eventStore }: Config): ((to: string) => Promise<void>) | null {
  const file = fileOf(eventStore);
  return file === null ? null : (to) => copySqliteLog(file, to);
}

/** The target of a restore: its events are written unchanged, below what would hash or encrypt them again. */
export async function openRestoreTarget(config: Config): Promise<RestoreTarget> {
  const { eventStore: address } = config;
  if (address.engine !== 'sqlite') return openServerTarget(await opened(config, 'DAYBOOK_EVENT_STORE'));
  if (address.file === ':memory:')
    throw new ConfigError('DAYBOOK_EVENT_STORE: a log in memory ends with the restore. Name a file or a server.');
  const { file } = address;
  return openFileTarget({ isEmpty: () => isSqliteLogEmpty(file), begin: () => beginSqliteFilling(file) });
}

/** An existing log to read from, as stored. Rejects with `ConfigError`. */
export async function openLogAt(address: EventStoreAddress, config: Config, option: string): Promise<EventStore> {
  if (address.engine === 'sqlite' && !isThere(address))
    throw new ConfigError(`${option}: there is no file ${JSON.stringify(address.file)}.`);
  return opened({ ...config, eventStore: address }, option);
}

const opened = (config: Config, setting: string): Promise<EventStoreAdapter> =>
  namingSetting(setting, openEventStore(config));

/** What the file of a log knows of positions; absent for engines that only know their order. */
export function openPlaces({ eventStore }: Config): ReturnType<typeof openSqlitePlaces> | undefined {
  const file = fileOf(eventStore);
  return file === null ? undefined : openSqlitePlaces(file);
}

/** How many events of some streams the log has; null if its engine cannot tell without reading them. */
export async function countEvents(
  { eventStore }: Config,
  projections: readonly { readonly prefix: string }[],
): Promise<number | null> {
  const file = fileOf(eventStore);
  const prefixes = projections.map(({ prefix }) => prefix);
  return file === null ? null : countSqliteEvents(file, prefixes);
}
