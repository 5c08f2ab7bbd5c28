// The composition root: configuration to adapters. With `opening/`, the only place that knows all adapters. Clients of servers are loaded
// only if a server is named: they are half of the startup time.

import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { allProjections, fingerprintOf } from '../projections/catalogue.ts';
import { openMediaFolder } from './calendar/picture/media/folder.ts';
import { openPictureMaker } from './calendar/picture/media/renditions.ts';
import { type Config, ConfigError, isThere } from './config.ts';
import { openFileTarget, openServerTarget, type RestoreTarget } from './exchange/export/restore-target.ts';
import type { Mailer } from './exchange/mail/mailer.ts';
import { auditKeysFile, openAuditKeys } from './kernel/files/audit-keys.ts';
import { lastBackup } from './kernel/files/backup-mark.ts';
import { closing } from './kernel/files/closing.ts';
import { setMark, usableMark } from './kernel/files/store-marks.ts';
import { memoryLimit, roomForEvents, roomForPast } from './kernel/memory/limit.ts';
import type { EventStoreAddress } from './kernel/settings/addresses.ts';
import { LOG_START } from './log/envelope.ts';
import type { EventStore, EventStoreAdapter } from './log/event-store.ts';
import { hashChain } from './log/hash-chain/hash-chain.ts';
import { pipeline } from './log/pipeline.ts';
import {
  beginSqliteFilling,
  copySqliteLog,
  countSqliteEvents,
  isSqliteLogEmpty,
  openSqlitePlaces,
} from './log/sqlite/maintenance.ts';
import type { Log } from './observability/log.ts';
import {
  BUILD,
  fileOf,
  markPlace,
  nameOfStore,
  namingSetting,
  type Opening,
  openEventStore,
  openLogStore,
  prepareFolder,
} from './opening/log.ts';
import { readingOnly } from './opening/read-only.ts';
import { openUnsavedFolder } from './people/unsaved-forms/folder.ts';
import { distrustedWhenDamaged } from './read-model/damage.ts';
import type { Generations } from './read-model/generations.ts';
import type { IndexedModel } from './read-model/indexed-model.ts';
import { bringAlong, type ViewsAfterwards } from './read-model/projector/bring-along.ts';
import { catchUp } from './read-model/projector/catch-up.ts';
import { createGate } from './read-model/read-model.ts';
import { openSqliteGenerations } from './read-model/sqlite/generations.ts';
import { fileLease } from './read-model/sqlite/lease.ts';
import { openSqliteReadModel } from './read-model/sqlite/open.ts';
import { type RenderingSettings, renderingSettings } from './rendering/post-fragment.ts';
import type { LogStores, Stores } from './stores.ts';

/** After a crash of the leading projector, another one takes over within this time and the interval of its checks. */
const LEASE_EXPIRES_MS = 5_000;

const SHARED_ID_BLOCK = 16;

type OpenedReadModel = Pick<
  Stores,
  keyof ReturnType<typeof watched> | 'gate' | 'documentCounts' | 'lease' | 'senderLease'
>;

const READ_MODEL_MARK = 'daybook:mark';

/** Positions belong to one log: a read model of another kind of log does not match. */
const fingerprintIn = ({ eventStore }: Config): string => `${fingerprintOf()} ${eventStore.engine}`;

/** Opens the configured read model. */
async function openReadModel(config: Config): Promise<OpenedReadModel> {
  const address = config.readModel;
  const fingerprint = fingerprintIn(config);
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

async function openMarkedReadModel(config: Config): Promise<OpenedReadModel> {
  const place = await markPlace(config.readModel, READ_MODEL_MARK);
  const mark = await usableMark(place, `The read model ${nameOfStore(config.readModel)}`, BUILD);
  const opened = await openReadModel(config);
  await setMark(place, mark, { ...BUILD, keys: null });
  return opened;
}

/** The read model for reading and for filling; if either finds it damaged, it is refused and refilled. */
const watched = (readModel: IndexedModel) => ({
  readModel: distrustedWhenDamaged(readModel),
  projectorModel: distrustedWhenDamaged(readModel.forProjector),
  recentChanges: readModel,
});

async function isFilled(config: Config): Promise<boolean> {
  if (isInMemory(config.readModel)) return false;
  return closing(await generationsOf(config), async (generations) =>
    closing(await generations.live(), async (live) => ((await live?.model.checkpoint()) ?? LOG_START) !== LOG_START),
  );
}

const VIEWS = { isFilled: (config: Config) => namingSetting('DAYBOOK_READ_MODEL', isFilled(config)) };

/** How many processes answer requests from the same stores. Those of servers may always be several. */
export type Processes = 'one' | 'several';

/**
 * Opens the configured event store and read model; on a disk that is full or read-only, for reading alone. Rejects with an error
 * of one line. `look` finds out about the disk.
 */
export async function openStores(
  config: Config,
  log?: Log,
  processes: Processes = 'one',
  look: typeof readingOnly = readingOnly,
): Promise<Stores> {
  const reading = look(config);
  if (reading === null) return openFilledStores(config, log, processes);
  log?.warn({}, reading.why);
  try {
    const stores = await openFilledStores(reading.config, log, processes, reading.why);
    return { ...stores, close: () => stores.close().finally(reading.remove) };
  } catch (error) {
    reading.remove();
    throw error;
  }
}

async function openFilledStores(
  config: Config,
  log: Log | undefined,
  processes: Processes,
  refusal?: string,
): Promise<Stores> {
  const logStore = await openLogStore(config, 'create', VIEWS, { log, refusal });
  const { store, site } = logStore;
  const rendering = renderingSettings(site);
  const opened = await namingSetting('DAYBOOK_READ_MODEL', openMarkedReadModel(config), store);
  const { readModel, projectorModel } = opened;
  if (log) opened.gate.hearCounts(warnsOfMany(log));
  return {
    ...opened,
    ...logStore,
    idBlock: idBlockOf(config),
    ...(!isInMemory(config.readModel) && { generations: () => generationsOf(config) }),
    besides: {
      signer: (instant) => openAuditKeys(auditKeysFile(config.dataDir), instant).present,
      lastBackup: () => lastBackup(config.dataDir),
    },
    isShared: processes === 'several' || config.eventStore.engine !== 'sqlite',
    rendering,
    media: openMediaFolder(config.mediaDir),
    pictures: openPictureMaker(),
    // Beside the pictures: in the folder that all processes of a calendar share.
    unsaved: openUnsavedFolder(path.join(config.mediaDir, 'unsaved'), logStore.keys),
    ...(config.submissions === 'on' && { mailer: await openMailer(config) }),
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

/** Says once each, before there are more events than the memory has room for, how many that is. */
export function warnsOfMany(log: Pick<Log, 'warn'>, limit = memoryLimit()): (events: number) => void {
  const rooms: [number | null, string][] = [
    [
      roomForPast(limit),
      'lists of other instants (as_of) may be told to come back: this memory has room for them beside fewer events',
    ],
    [roomForEvents(limit), 'this memory has room for fewer events than there are; give the container more'],
  ];
  return (events) => {
    for (const [room, warning] of [...rooms]) {
      if (events <= (room ?? Number.POSITIVE_INFINITY)) continue;
      rooms.shift();
      log.warn({ roomForEvents: room }, warning);
    }
  };
}

/** Only submissions send mail: without them its library is not loaded. */
async function openMailer({ mail, mailFrom: from }: Config): Promise<Mailer> {
  if (mail.transport === 'folder') return (await import('./exchange/mail/folder.ts')).openMailFolder({ ...mail, from });
  return (await import('./exchange/mail/smtp.ts')).openSmtp({ ...mail, from });
}

/**
 * Opens the log for a command. The read model belongs to the services: it is only brought up to date, and only if this
 * code with these settings made it. Rejects with an error of one line, with `ConfigError` for a missing log unless it
 * may be created.
 */
export async function openLog(config: Config, opening: Opening = 'create'): Promise<LogStores> {
  const logStore = await openLogStore(config, opening, VIEWS);
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

const isInMemory = (address: Config['readModel']): boolean => address.engine === 'sqlite' && fileOf(address) === null;

const idBlockOf = ({ eventStore }: Config): number => (eventStore.engine === 'sqlite' ? 1 : SHARED_ID_BLOCK);

async function bringReadModelAlong(
  config: Config,
  store: EventStore,
  rendering: RenderingSettings,
  onBatch?: (events: number) => void,
): Promise<ViewsAfterwards> {
  if (config.readModel.engine === 'sqlite' && fileOf(config.readModel) === null) return 'missing';
  return bringAlong(store, () => generationsOf(config), allProjections(rendering), onBatch);
}

/** Opens the generations of the configured read model; the one in use is unchanged. */
export function openGenerations(config: Config): Promise<Generations> {
  if (config.readModel.engine === 'sqlite') prepareFolder(config.readModel, config, 'DAYBOOK_READ_MODEL');
  return namingSetting('DAYBOOK_READ_MODEL', generationsOf(config));
}

/** Opens them without creating anything. */
export async function generationsOf(config: Config): Promise<Generations> {
  const address = config.readModel;
  const fingerprint = fingerprintIn(config);
  if (address.engine === 'redis') {
    const { openRedisGenerations } = await import('./read-model/redis/generations.ts');
    return openRedisGenerations({ url: address.url, fingerprint });
  }
  return openSqliteGenerations({ file: address.file, fingerprint });
}

/** The log as stored, for commands that neither read nor write personal data: no key is needed. */
export async function openRawLog(config: Config): Promise<EventStore> {
  return pipeline(await opened(config, 'DAYBOOK_EVENT_STORE'), [hashChain]);
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
