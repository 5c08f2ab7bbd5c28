// Opens the configured log with its keys: it answers, belongs to this build, and both belong together. Clients of servers are
// loaded only if a server is named: they are half of the startup time.

import path from 'node:path';
import { openSite } from '../calendar/site/queries/site.ts';
import { assertLogIsThere, type Config, ConfigError, hasKeys, hasLog, IN_MEMORY } from '../config.ts';
import { withOccurrences } from '../editorial/series/facts/occurrences.ts';
import { closing } from '../kernel/files/closing.ts';
import { makePrivateFolder } from '../kernel/files/private-files.ts';
import {
  type Build,
  fileMark,
  type Mark,
  type MarkPlace,
  NewerStore,
  setMark,
  UNMARKED,
  usableMark,
} from '../kernel/files/store-marks.ts';
import type { ReadModelAddress, SqliteAddress } from '../kernel/settings/addresses.ts';
import { errorText } from '../kernel/text/error-text.ts';
import { elapsed } from '../kernel/time/system.ts';
import { LOG_START } from '../log/envelope.ts';
import {
  type AppendObserver,
  type EventStore,
  type EventStoreAdapter,
  EventStoreAway,
  EventStoreUnavailable,
} from '../log/event-store.ts';
import { BadConnectionString } from '../log/eventstoredb/address.ts';
import { hashChain } from '../log/hash-chain/hash-chain.ts';
import { pipeline } from '../log/pipeline.ts';
import { openSqliteEventStore } from '../log/sqlite/store.ts';
import { listedStreams, STREAM_PREFIXES } from '../log/stream-prefixes.ts';
import type { Log } from '../observability/log.ts';
import { legible } from '../people/personal-data/facts/encrypting-store.ts';
import { type KeyRing, openKeyRing, openUnreadable } from '../people/personal-data/facts/key-ring.ts';
import { openKeys } from '../people/personal-data/facts/open-keys.ts';
import { identityOf } from '../people/personal-data/facts/subject-keys.ts';
import { assertKeysAreThere, assertKeysOf } from '../people/personal-data/facts/verify-keys.ts';
import { ReadModelUnavailable } from '../read-model/read-model.ts';
import type { LogStores } from '../stores.ts';
import { STORE_FORMAT, VERSION } from '../version.ts';

/** What this build writes into stores. */
export const BUILD: Build = { format: STORE_FORMAT, daybook: VERSION };

/** The path of a store in a file; null for a server, and for a store in memory. */
export const fileOf = (address: SqliteAddress | { readonly engine: 'eventstoredb' | 'redis' }): string | null =>
  address.engine === 'sqlite' && address.file !== ':memory:' ? address.file : null;

/** Creates the folder of a store's file; a `ConfigError` names its setting. */
export function prepareFolder(address: SqliteAddress, { dataDir }: Config, ownSetting: string): void {
  const file = fileOf(address);
  if (file === null) return;
  const folder = path.dirname(file);
  try {
    makePrivateFolder(folder);
  } catch (error) {
    const setting = folder === dataDir ? 'DAYBOOK_DATA_DIR' : ownSetting;
    const why = errorText(error);
    throw new ConfigError(`${setting}: the folder ${JSON.stringify(folder)} cannot be made or used (${why}).`);
  }
}

/** Opens the configured log. Throws `ConfigError` if it cannot be used. */
export async function openEventStore(config: Config, log?: Log): Promise<EventStoreAdapter> {
  const address = config.eventStore;
  if (address.engine === 'sqlite') {
    prepareFolder(address, config, 'DAYBOOK_EVENT_STORE');
    await usableMark(fileMark(address.file), `The event store ${address.file}`, BUILD);
    return openSqliteEventStore({ file: address.file });
  }
  const { openEventStoreDb } = await import('../log/eventstoredb/store.ts');
  const store = await openEventStoreDb({
    connectionString: address.connectionString,
    setting: 'DAYBOOK_EVENT_STORE',
    prefixes: STREAM_PREFIXES,
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

/**
 * Why the configured log is away for now; null once it answers, also with what waiting does not mend: opening it says that.
 * A log in a file is never away.
 */
export async function whyLogIsAway(config: Config): Promise<string | null> {
  if (config.eventStore.engine === 'sqlite') return null;
  try {
    await (await openEventStore(config)).close();
    return null;
  } catch (error) {
    return error instanceof EventStoreAway ? error.message : null;
  }
}

/** Where keys or a read model keep their mark. A store in memory has none. */
export async function markPlace(address: ReadModelAddress, name: string): Promise<MarkPlace> {
  if (address.engine === 'sqlite') return address.file === ':memory:' ? UNMARKED : fileMark(address.file);
  const { redisMark } = await import('../read-model/redis/mark.ts');
  return redisMark(address.url, name);
}

const KEYS_MARK = 'daybook:{keys}:mark';

/** What messages call a store; the address of a server may contain a password. */
export const nameOfStore = (address: ReadModelAddress): string =>
  address.engine === 'sqlite' ? address.file : 'in Redis';

/** An error at startup, with its setting. */
function withSetting(setting: string, error: unknown): unknown {
  if (error instanceof BadConnectionString) return new ConfigError(error.message);
  const isExpected =
    error instanceof EventStoreUnavailable || error instanceof ReadModelUnavailable || error instanceof NewerStore;
  if (!isExpected || error.message.includes(setting)) return error;
  return new ConfigError(`${setting}: ${error.message}`);
}

/** What was opened; if it could not be, what was opened before is closed, and the error names the setting. */
export const namingSetting = <Opened>(
  setting: string,
  opening: Promise<Opened>,
  eventStore?: Pick<EventStore, 'close'>,
): Promise<Opened> =>
  opening.catch(async (error: unknown) => {
    await eventStore?.close();
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
  const mark = await usableMark(place, `The store of keys ${nameOfStore(address)}`, BUILD);
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

/** What is known of the read model before it is opened. */
interface Views {
  isFilled(config: Config): Promise<boolean>;
}

/**
 * An empty log beside keys or a read model that are full: theirs is missing, and a new one in its place would take over
 * the keys and clear the read model, which may be the last copy. A log that has a mark has met these keys.
 */
async function assertNothingIsLeft(config: Config, mark: Mark | null, views: Views): Promise<void> {
  const { eventStore, keys, readModel } = config;
  const left = [
    ...(mark === null && (await hasSubjects(config)) ? [`the keys of personal data (${nameOfStore(keys)})`] : []),
    ...((await views.isFilled(config)) ? [`the read model (${nameOfStore(readModel)})`] : []),
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
  return closing(await openKeys(config.keys), async (keys) => (await keys.copy()).subjects.size > 0);
}

/** The log with its hashes: as stored, and decrypted and upcast. */
export async function openLogStore(
  config: Config,
  opening: Opening,
  views: Views,
  { log, refusal }: { readonly log?: Log | undefined; readonly refusal?: string | undefined } = {},
): Promise<Pick<LogStores, 'rawLog' | 'store' | 'observeAppends' | 'tryWriting' | 'keys' | 'unreadable' | 'site'>> {
  if (opening !== 'create') assertLogIsThere(config);
  // Before the file is created.
  if (!hasLog(config)) await namingSetting('DAYBOOK_EVENT_STORE', assertNothingIsLeft(config, null, views));
  const opened = await namingSetting('DAYBOOK_EVENT_STORE', openEventStore(config, log));
  const adapter = refusal === undefined ? opened : refusingWrites(opened, refusal);
  const stages = [listedStreams, hashChain];
  const rawLog = pipeline(adapter, stages);
  const file = fileOf(config.eventStore);
  const place = file === null ? (adapter.mark ?? UNMARKED) : fileMark(file);
  const mark = await namingSetting('DAYBOOK_EVENT_STORE', markOfLog(config, rawLog, place, views), rawLog);
  const keys = await namingSetting('DAYBOOK_KEYS', openKeyRingFor(config, rawLog, mark, opening), rawLog);
  if (opening !== 'read') await setMark(place, mark, { ...BUILD, keys: identityOf(await keys.pepper()) });
  const unreadable = openUnreadable((subject, why) =>
    log?.warn({ subject, why }, 'personal data unreadable: its key is missing; restore a newer backup of the keys'),
  );
  const observers: AppendObserver[] = [];
  const store = withOccurrences(
    pipeline(adapter, [...stages, ...legible(keys, unreadable)], (append) => {
      for (const observe of observers) observe(append);
    }),
  );
  const site = await namingSetting('DAYBOOK_EVENT_STORE', openSite(store, config), store);
  const observeAppends = (observe: AppendObserver): void => void observers.push(observe);
  return { rawLog, store, observeAppends, tryWriting: adapter.tryWriting, keys, unreadable, site };
}

function refusingWrites(store: EventStoreAdapter, why: string): EventStoreAdapter {
  const refuse = async (): Promise<never> => {
    throw new EventStoreUnavailable(why);
  };
  return { ...store, append: refuse, tryWriting: refuse };
}

/** The mark of a log that is not missing. */
async function markOfLog(config: Config, rawLog: EventStore, place: MarkPlace, views: Views): Promise<Mark | null> {
  const mark = await usableMark(place, 'The event store', BUILD);
  if (place !== UNMARKED && (await rawLog.head()) === LOG_START) await assertNothingIsLeft(config, mark, views);
  return mark;
}
