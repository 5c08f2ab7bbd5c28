// Addresses of stores and of mail, as settings say them. Readers take undefined for a setting that is not set, and throw
// `ConfigError`.
import path from 'node:path';
import { refuse, refuseSecretly } from './values.ts';

export type MailAddress =
  | { readonly transport: 'folder'; readonly folder: string }
  /** The URL may contain a password: never show it. */
  | { readonly transport: 'smtp'; readonly url: string };

export interface SqliteAddress {
  readonly engine: 'sqlite';
  /** Path of the file, or `:memory:`. */
  readonly file: string;
}

export type EventStoreAddress =
  | SqliteAddress
  /** The connection string may contain a password: never show it. */
  | { readonly engine: 'eventstoredb'; readonly connectionString: string };

export type ReadModelAddress =
  | SqliteAddress
  /** The URL may contain a password: never show it. */
  | { readonly engine: 'redis'; readonly url: string };

/** Where the keys of personal data are stored. */
export type KeysAddress = ReadModelAddress;

const SQLITE = /^sqlite:(.+)$/;
const EVENT_STORE_DB = /^(?:esdb|kurrentdb|kdb)(?:\+discover)?:\/\//;
const REDIS = /^rediss?:\/\/|^rediss?\+cluster:\/\/[^/?#]+\/?$/;

/**
 * An address of an event store from the command line, like `DAYBOOK_EVENT_STORE`. Throws `ConfigError` naming `where`.
 */
export const readEventStoreAddress = (value: string, where: string): EventStoreAddress =>
  eventStoreAddress(value, '', where);

export function eventStoreAddress(
  value: string | undefined,
  fallback: string,
  name = 'DAYBOOK_EVENT_STORE',
): EventStoreAddress {
  if (value !== undefined && EVENT_STORE_DB.test(value)) return { engine: 'eventstoredb', connectionString: value };
  const allowed =
    'sqlite:<path of a file>, sqlite::memory:, esdb://… or esdb+discover://…, or kurrentdb://… for KurrentDB from 25.1 on (kdb:// means the same)';
  return sqliteAddress(value, fallback) ?? refuseSecretly(name, allowed);
}

export function readModelAddress(value: string | undefined, fallback: string): ReadModelAddress {
  if (value !== undefined && REDIS.test(value)) return { engine: 'redis', url: value };
  const allowed =
    'sqlite:<path of a file>, sqlite::memory:, redis://…, rediss://…, or for a cluster redis+cluster://… or rediss+cluster://… without a database number';
  return sqliteAddress(value, fallback) ?? refuseSecretly('DAYBOOK_READ_MODEL', allowed);
}

const SINGLE_REDIS = /^rediss?:\/\//;

/**
 * Beside the log if that is a file, so that keys of two logs never meet. Keys that end with the process would make
 * everything unreadable that a log on disk has encrypted.
 */
export function keysAddress(value: string | undefined, dataDir: string, log: EventStoreAddress): KeysAddress {
  if (value !== undefined && SINGLE_REDIS.test(value)) return { engine: 'redis', url: value };
  const endsWithProcess = log.engine === 'sqlite' && log.file === ':memory:';
  const file = path.join(log.engine === 'sqlite' ? path.dirname(log.file) : dataDir, 'keys.db');
  const address = sqliteAddress(value, endsWithProcess ? ':memory:' : file);
  const allowed = 'sqlite:<path of a file>, redis://… or rediss://…, or for a log in memory sqlite::memory:';
  if (address === null || (address.file === ':memory:' && !endsWithProcess))
    return refuseSecretly('DAYBOOK_KEYS', allowed);
  return address;
}

function sqliteAddress(value: string | undefined, fallback: string): SqliteAddress | null {
  if (value === undefined) return { engine: 'sqlite', file: fallback };
  const file = SQLITE.exec(value)?.[1];
  if (file === undefined) return null;
  return { engine: 'sqlite', file: file === ':memory:' ? file : path.resolve(file) };
}

const SMTP = /^smtps?:\/\/[^\s]+$/;

export function mailAddress(value: string | undefined, dataDir: string): MailAddress {
  if (value === undefined) return { transport: 'folder', folder: path.join(dataDir, 'mail') };
  const folder = /^folder:(.+)$/.exec(value)?.[1];
  if (folder !== undefined) return { transport: 'folder', folder: path.resolve(folder) };
  if (SMTP.test(value) && URL.canParse(value) && new URL(value).hostname !== '')
    return { transport: 'smtp', url: value };
  return refuseSecretly(
    'DAYBOOK_MAIL',
    'folder:<path>, smtp://… or smtps://…, such as smtp://user:password@mail.example.org:587',
  );
}

const SENDER = /^(?:[^<>\p{Cc}]{1,200} <[^\s<>@,;]{1,64}@[^\s<>@,;]{1,255}>|[^\s<>@,;]{1,64}@[^\s<>@,;]{1,255})$/u;

export function mailFrom(name: string, value: string | undefined, site: string | null): string {
  if (value === undefined) return `daybook@${site === null ? 'localhost' : new URL(site).hostname}`;
  return SENDER.test(value)
    ? value
    : refuse(name, value, 'an address such as calendar@example.org or Calendar <calendar@example.org>');
}
