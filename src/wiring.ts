// The composition root: configuration to adapters. The only file that knows which adapters there are.
import { randomUUID } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { allProjections, fingerprintOf } from '../projections/catalogue.ts';
import { catchUp } from '../projections/catch-up.ts';
import { type Config, ConfigError, type SqliteAddress } from './config.ts';
import { type EventStore, EventStoreUnavailable } from './event-store/event-store.ts';
import { openEventStoreDb } from './event-store/eventstoredb.ts';
import { BadConnectionString } from './event-store/eventstoredb-address.ts';
import { openSqliteEventStore } from './event-store/sqlite.ts';
import { withUpcasting } from './event-store/upcast.ts';
import { upcasters } from './event-store/upcasters.ts';
import type { Log } from './observability/log.ts';
import type { Lease } from './read-model/lease.ts';
import { type ReadModel, ReadModelUnavailable } from './read-model/read-model.ts';
import { openRedisReadModel } from './read-model/redis/open.ts';
import { openSqliteReadModel } from './read-model/sqlite/open.ts';
import type { RenderingSettings } from './rendering/settings.ts';
import type { Stores } from './stores.ts';

const renderingSettings = ({ siteZone }: Config): RenderingSettings => ({
  siteZone,
  defaultSymbol: '$',
  defaultPosition: 'prefix',
  freeLabel: 'Free',
});

/** After a crash of the leading projector, another one takes over within this time and the pause between two looks. */
const LEASE_EXPIRES_MS = 5_000;

const SHARED_ID_BLOCK = 16;

/** Makes the folder of a store's file; a `ConfigError` names the setting that it comes from. */
function prepareFolder({ file }: SqliteAddress, { dataDir }: Config, ownSetting: string): void {
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

interface OpenedReadModel {
  readonly readModel: ReadModel;
  readonly projectorModel?: ReadModel;
  readonly lease: Lease | null;
}

/** Opens the log that the configuration names. Throws `ConfigError` when it cannot be used. */
async function openEventStore(config: Config, log: Log | undefined): Promise<EventStore> {
  const address = config.eventStore;
  if (address.engine === 'sqlite') {
    prepareFolder(address, config, 'DAYBOOK_EVENT_STORE');
    return openSqliteEventStore({ file: address.file });
  }
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

/** Opens the views that the configuration names. Positions are a log's own, so views of another kind of log are not these. */
async function openReadModel(config: Config, rendering: RenderingSettings): Promise<OpenedReadModel> {
  const address = config.readModel;
  const fingerprint = `${fingerprintOf(rendering)} ${config.eventStore.engine}`;
  if (address.engine === 'sqlite') {
    prepareFolder(address, config, 'DAYBOOK_READ_MODEL');
    return { readModel: openSqliteReadModel({ file: address.file, fingerprint }), lease: null };
  }
  const readModel = await openRedisReadModel({ url: address.url, fingerprint });
  return {
    readModel,
    projectorModel: readModel.forProjector,
    lease: readModel.lease(randomUUID(), LEASE_EXPIRES_MS),
  };
}

/** What went wrong at the start, with the setting that it comes from. */
function withSetting(setting: string, error: unknown): unknown {
  if (error instanceof BadConnectionString) return new ConfigError(error.message);
  const isExpected = error instanceof EventStoreUnavailable || error instanceof ReadModelUnavailable;
  if (!isExpected || error.message.includes(setting)) return error;
  return new ConfigError(`${setting}: ${error.message}`);
}

/** Opens the event store and the read model that the configuration names. Rejects with an error of one line. */
export async function openStores(config: Config, log?: Log): Promise<Stores> {
  const rendering = renderingSettings(config);
  const raw = await openEventStore(config, log).catch((error: unknown) => {
    throw withSetting('DAYBOOK_EVENT_STORE', error);
  });
  const store = withUpcasting(raw, upcasters);
  const opened = await openReadModel(config, rendering).catch(async (error: unknown) => {
    await raw.close();
    throw withSetting('DAYBOOK_READ_MODEL', error);
  });
  const { readModel, projectorModel = readModel } = opened;
  return {
    ...opened,
    store,
    idBlock: config.eventStore.engine === 'sqlite' ? 1 : SHARED_ID_BLOCK,
    rendering,
    project: (onBatch) => catchUp(store, projectorModel, allProjections(rendering), onBatch),
    async close() {
      await readModel.close();
      await store.close();
    },
  };
}
