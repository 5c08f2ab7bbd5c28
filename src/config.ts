// The environment, read once and checked: nothing else looks at process.env.
import path from 'node:path';
import { resolveZone, type Zone } from './domain/zone.ts';

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** `sqlite:<file>` or `sqlite::memory:`. */
  readonly eventStore: StoreAddress;
  readonly readModel: StoreAddress;
  readonly siteZone: Zone;
  readonly perPage: number;
  /** Null: links carry the host that the client used. */
  readonly siteUrl: string | null;
  readonly language: string;
  readonly prefixAliases: readonly string[];
  readonly trustForwarded: boolean;
  readonly logLevel: string;
}

export interface StoreAddress {
  readonly engine: 'sqlite';
  /** Path of the file, or `:memory:`. */
  readonly file: string;
}

/** A setting that cannot be used: which, why, and what is allowed. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const DEFAULT_PORT = 8080;
const HIGHEST_PORT = 65_535;
const DEFAULT_PER_PAGE = 12;
const MOST_PER_PAGE = 50;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
/** Languages come with their texts; English is what there is so far. */
const LANGUAGES = ['en'];

type Environment = { readonly [name: string]: string | undefined };

/** Reads the settings. Empty values count as not set. Throws `ConfigError`. */
export function readConfig(environment: Environment): Config {
  const value = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const dataDir = path.resolve(value('DAYBOOK_DATA_DIR') ?? './data');
  return {
    host: value('HOST') ?? '127.0.0.1',
    port: wholeNumber('PORT', value('PORT'), { fallback: DEFAULT_PORT, from: 0, to: HIGHEST_PORT }),
    dataDir,
    eventStore: storeAddress('DAYBOOK_EVENT_STORE', value('DAYBOOK_EVENT_STORE'), path.join(dataDir, 'daybook.db')),
    readModel: storeAddress('DAYBOOK_READ_MODEL', value('DAYBOOK_READ_MODEL'), path.join(dataDir, 'views.db')),
    siteZone: zone('DAYBOOK_TIMEZONE', value('DAYBOOK_TIMEZONE') ?? 'UTC'),
    perPage: wholeNumber('DAYBOOK_PER_PAGE', value('DAYBOOK_PER_PAGE'), {
      fallback: DEFAULT_PER_PAGE,
      from: 1,
      to: MOST_PER_PAGE,
    }),
    siteUrl: siteUrl('DAYBOOK_SITE_URL', value('DAYBOOK_SITE_URL')),
    language: oneOf('DAYBOOK_LANGUAGE', value('DAYBOOK_LANGUAGE') ?? 'en', LANGUAGES),
    prefixAliases: prefixes('DAYBOOK_PREFIX_ALIASES', value('DAYBOOK_PREFIX_ALIASES')),
    trustForwarded: yesOrNo('DAYBOOK_TRUST_PROXY', value('DAYBOOK_TRUST_PROXY')),
    logLevel: oneOf('DAYBOOK_LOG_LEVEL', value('DAYBOOK_LOG_LEVEL') ?? 'info', LOG_LEVELS),
  };
}

const refuse = (name: string, value: string, allowed: string): never => {
  throw new ConfigError(`${name}=${JSON.stringify(value)} cannot be used. Allowed: ${allowed}.`);
};

function wholeNumber(
  name: string,
  value: string | undefined,
  { fallback, from, to }: { readonly fallback: number; readonly from: number; readonly to: number },
): number {
  if (value === undefined) return fallback;
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  return number >= from && number <= to ? number : refuse(name, value, `a whole number from ${from} to ${to}`);
}

function zone(name: string, value: string): Zone {
  return (
    resolveZone(value) ?? refuse(name, value, 'an IANA time zone such as Europe/Berlin, or an offset such as +02:00')
  );
}

function oneOf(name: string, value: string, allowed: readonly string[]): string {
  return allowed.includes(value) ? value : refuse(name, value, allowed.join(', '));
}

function yesOrNo(name: string, value: string | undefined): boolean {
  if (value === undefined || ['0', 'false', 'no', 'off'].includes(value)) return false;
  return ['1', 'true', 'yes', 'on'].includes(value) || refuse(name, value, '1, true, yes, on, 0, false, no, off');
}

const SQLITE = /^sqlite:(.+)$/;

function storeAddress(name: string, value: string | undefined, fallback: string): StoreAddress {
  if (value === undefined) return { engine: 'sqlite', file: fallback };
  const file = SQLITE.exec(value)?.[1];
  if (file === undefined) return refuse(name, value, 'sqlite:<path of a file> or sqlite::memory:');
  return { engine: 'sqlite', file: file === ':memory:' ? file : path.resolve(file) };
}

function siteUrl(name: string, value: string | undefined): string | null {
  if (value === undefined) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  const usable = url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  return usable ? value.replace(/\/+$/, '') : refuse(name, value, 'an absolute http or https address without a query');
}

const PREFIX = /^[a-z0-9._~-]+(?:\/[a-z0-9._~-]+)*$/i;

function prefixes(name: string, value: string | undefined): string[] {
  const members = (value ?? '').split(',').map((member) => member.trim().replace(/^\/+|\/+$/g, ''));
  const given = members.filter((member) => member !== '');
  const wrong = given.find((member) => !PREFIX.test(member));
  return wrong === undefined ? given : refuse(name, wrong, 'paths such as wp-json/tribe/events/v1, joined by commas');
}
