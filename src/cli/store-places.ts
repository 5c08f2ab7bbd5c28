// Where the stores of a configuration lie, and which of them are there: nothing is opened or made.
import { statSync } from 'node:fs';
import path from 'node:path';
import { type Config, ConfigError, type SqliteAddress } from '../config.ts';

export const IN_MEMORY = { engine: 'sqlite', file: ':memory:' } as const;

/** For trying something out: where there is no log yet, an empty one in memory stands in for it, and nothing is made. */
export const rehearsalConfig = (config: Config): Config =>
  hasLog(config) ? config : { ...config, eventStore: IN_MEMORY, keys: IN_MEMORY, readModel: IN_MEMORY };

/** Throws `ConfigError` when there is no log to read. */
export function assertLogIsThere(config: Config): void {
  if (hasLog(config) || config.eventStore.engine !== 'sqlite') return;
  const { file } = config.eventStore;
  const setting = file.startsWith(`${config.dataDir}${path.sep}`) ? 'DAYBOOK_DATA_DIR' : 'DAYBOOK_EVENT_STORE';
  throw new ConfigError(`There is no event store at ${file}: set ${setting} to where the calendar is.`);
}

/** Whether there is a log to be opened; of a server nobody knows before it has been asked. */
export const hasLog = ({ eventStore }: Config): boolean => eventStore.engine !== 'sqlite' || holdsLog(eventStore);

/** The files of those stores that are files. */
export const storeFiles = ({ eventStore, keys, readModel }: Config): string[] =>
  [eventStore, keys, readModel].flatMap((address) =>
    address.engine === 'sqlite' && address.file !== ':memory:' ? [address.file] : [],
  );

/** Whether there are keys of personal data to be opened; of a server nobody knows before it has been asked. */
export const hasKeys = ({ keys }: Config): boolean => keys.engine !== 'sqlite' || isThere(keys);

/** Whether the file of a store is there; one in memory always is. */
export const isThere = ({ file }: SqliteAddress): boolean =>
  file === ':memory:' || (statSync(file, { throwIfNoEntry: false })?.isFile() ?? false);

/** An empty file is no log yet. */
const holdsLog = ({ file }: SqliteAddress): boolean =>
  file === ':memory:' || (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
