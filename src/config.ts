// The environment, read once and validated: nothing else reads process.env.

import { statSync } from 'node:fs';
import path from 'node:path';
import { MAX_SITE_NAME } from './calendar/site/domain/site-settings.ts';
import type { FixedBy } from './calendar/site/queries/site.ts';
import type { Network } from './exchange/import/fetch-text.ts';
import { type CalendarSettings, calendarFrom } from './exchange/mcp/calendar-settings.ts';
import type { PrivateHosts } from './kernel/outbound/fetch-outside.ts';
import {
  type EventStoreAddress,
  eventStoreAddress,
  type KeysAddress,
  keysAddress,
  type MailAddress,
  mailAddress,
  mailFrom,
  type ReadModelAddress,
  readModelAddress,
  type SqliteAddress,
} from './kernel/settings/addresses.ts';
import {
  ConfigError,
  hosts,
  oneOf,
  prefixes,
  refuse,
  secretIn,
  siteUrl,
  wholeNumber,
  yesOrNo,
  zone,
} from './kernel/settings/values.ts';
import type { Zone } from './kernel/time/zone.ts';
import { ENGLISH, LANGUAGE_CODES } from './locales/languages.ts';
import { OWN_THEME, readTheme, type Theme, ThemeError } from './pages/theme.ts';
import type { ImportersAdmitted } from './people/auth/policy.ts';
import { signOnFrom } from './people/auth/sign-on-settings.ts';
import type { SignOnSettings } from './people/auth/single-sign-on.ts';

export { ConfigError };

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly eventStore: EventStoreAddress;
  readonly readModel: ReadModelAddress;
  /** The keys of personal data. */
  readonly keys: KeysAddress;
  /** The folder of uploaded pictures. */
  readonly mediaDir: string;
  /** The largest uploaded file, in bytes. */
  readonly maxUpload: number;
  readonly siteZone: Zone;
  readonly perPage: number;
  /** Null: links use the host of the request. */
  readonly siteUrl: string | null;
  /** The title of calendars and feeds. Null: their host. */
  readonly siteName: string | null;
  /** The theme of the pages for visitors. */
  readonly theme: Theme;
  /** The code of an available language. */
  readonly language: string;
  /** What of the site the environment says: settings of the log do not count there. */
  readonly fixedBy: FixedBy;
  readonly prefixAliases: readonly string[];
  /** Whether headers of a proxy are trusted. */
  readonly trustForwarded: boolean;
  /** Per address; 0: no limit. */
  readonly requestsPerMinute: number;
  /** For how long shared caches may keep public answers, in seconds; 0: not at all. */
  readonly cacheSeconds: number;
  readonly logLevel: string;
  /** Path of the access log, `-` for standard output; null: there is none. */
  readonly accessLog: string | null;
  /** Whether requests are traced by OpenTelemetry. */
  readonly isTraced: boolean;
  /** Who may import over the API and at the desk. */
  readonly importers: ImportersAdmitted;
  /** Which addresses they may import from. */
  readonly importNetwork: Network;
  /** Where administrators' HTML may have frames from; null: it is cleaned like that of all others. */
  readonly rawHtml: { readonly frameHosts: ReadonlySet<string> } | null;
  /** What requests to other servers may reach beyond public networks. */
  readonly privateHosts: PrivateHosts;
  /** Whether visitors may propose events at `/submit`. */
  readonly submissions: 'off' | 'on';
  readonly mail: MailAddress;
  /** The sender of mail: `Daybook <calendar@example.org>`, or an address alone. */
  readonly mailFrom: string;
  /** Null: only application tokens. */
  readonly signOn: SignOnSettings | null;
  /** The one that assistants ask. */
  readonly calendar: CalendarSettings;
}

const MEGABYTE = 1_048_576;
const DEFAULT_PORT = 8080;
const MAX_PORT = 65_535;
const DEFAULT_PER_PAGE = 12;
const MAX_PER_PAGE = 50;
const DEFAULT_RATE_LIMIT = 6_000;
const MAX_RATE_LIMIT = 10_000_000;
const IMPORTERS = ['editors', 'administrators'] as const;
const SUBMISSIONS = ['off', 'on'] as const;
const TRACING = ['off', 'on'] as const;
/** A week. */
const MAX_CACHE_SECONDS = 604_800;
const NETWORKS = ['public', 'any'] as const;
const RAW_HTML = ['none', 'administrators'] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

type Environment = { readonly [name: string]: string | undefined };

/** Reads the settings. Empty values count as unset. Throws `ConfigError`. */
export function readConfig(environment: Environment): Config {
  const value = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const dataDir = path.resolve(value('DAYBOOK_DATA_DIR') ?? './data');
  const theme = themeIn('DAYBOOK_THEME', value('DAYBOOK_THEME'));
  const privateHosts = hosts('DAYBOOK_PRIVATE_HOSTS', value('DAYBOOK_PRIVATE_HOSTS'));
  const frameHosts = hosts('DAYBOOK_FRAME_HOSTS', value('DAYBOOK_FRAME_HOSTS'));
  const address = siteUrl('DAYBOOK_SITE_URL', value('DAYBOOK_SITE_URL'));
  const eventStore = eventStoreAddress(value('DAYBOOK_EVENT_STORE'), path.join(dataDir, 'daybook.db'));
  const port = wholeNumber('PORT', value('PORT'), { fallback: DEFAULT_PORT, from: 0, to: MAX_PORT });
  const refuseAll = (why: string): never => {
    throw new ConfigError(why);
  };
  return {
    host: value('HOST') ?? '127.0.0.1',
    port,
    dataDir,
    eventStore,
    readModel: readModelAddress(value('DAYBOOK_READ_MODEL'), path.join(dataDir, 'views.db')),
    keys: keysAddress(value('DAYBOOK_KEYS'), dataDir, eventStore),
    mediaDir: path.resolve(value('DAYBOOK_MEDIA') ?? path.join(dataDir, 'media')),
    maxUpload:
      MEGABYTE * wholeNumber('DAYBOOK_MAX_UPLOAD', value('DAYBOOK_MAX_UPLOAD'), { fallback: 10, from: 1, to: 100 }),
    siteZone: zone('DAYBOOK_TIMEZONE', value('DAYBOOK_TIMEZONE') ?? 'UTC'),
    perPage: wholeNumber('DAYBOOK_PER_PAGE', value('DAYBOOK_PER_PAGE'), {
      fallback: DEFAULT_PER_PAGE,
      from: 1,
      to: MAX_PER_PAGE,
    }),
    siteUrl: address,
    siteName: siteName('DAYBOOK_SITE_NAME', value('DAYBOOK_SITE_NAME')),
    theme,
    language: oneOf('DAYBOOK_LANGUAGE', value('DAYBOOK_LANGUAGE') ?? ENGLISH.code, LANGUAGE_CODES),
    fixedBy: {
      ...(value('DAYBOOK_SITE_NAME') !== undefined && { site_name: 'DAYBOOK_SITE_NAME' }),
      ...(value('DAYBOOK_TIMEZONE') !== undefined && { timezone: 'DAYBOOK_TIMEZONE' }),
      ...(value('DAYBOOK_LANGUAGE') !== undefined && { language: 'DAYBOOK_LANGUAGE' }),
      ...(theme.logo !== null && { logo: 'DAYBOOK_THEME' }),
      ...(theme.style !== '' && { accent: 'DAYBOOK_THEME' }),
      ...(theme.imprint !== null && { imprint: 'DAYBOOK_THEME' }),
      ...(theme.links.length > 0 && { links: 'DAYBOOK_THEME' }),
    },
    prefixAliases: prefixes('DAYBOOK_PREFIX_ALIASES', value('DAYBOOK_PREFIX_ALIASES')),
    trustForwarded: yesOrNo('DAYBOOK_TRUST_PROXY', value('DAYBOOK_TRUST_PROXY')),
    requestsPerMinute: wholeNumber('DAYBOOK_RATE_LIMIT', value('DAYBOOK_RATE_LIMIT'), {
      fallback: DEFAULT_RATE_LIMIT,
      from: 0,
      to: MAX_RATE_LIMIT,
    }),
    cacheSeconds: wholeNumber('DAYBOOK_CACHE_SECONDS', value('DAYBOOK_CACHE_SECONDS'), {
      fallback: 0,
      from: 0,
      to: MAX_CACHE_SECONDS,
    }),
    logLevel: oneOf('DAYBOOK_LOG_LEVEL', value('DAYBOOK_LOG_LEVEL') ?? 'info', LOG_LEVELS),
    accessLog: accessLogIn(value('DAYBOOK_ACCESS_LOG')),
    isTraced: oneOf('DAYBOOK_TRACING', value('DAYBOOK_TRACING') ?? 'off', TRACING) === 'on',
    importers: oneOf('DAYBOOK_IMPORTERS', value('DAYBOOK_IMPORTERS') ?? 'editors', IMPORTERS),
    importNetwork:
      oneOf('DAYBOOK_IMPORT_NETWORK', value('DAYBOOK_IMPORT_NETWORK') ?? 'public', NETWORKS) === 'any'
        ? 'any'
        : { privateHosts },
    privateHosts,
    rawHtml:
      oneOf('DAYBOOK_RAW_HTML', value('DAYBOOK_RAW_HTML') ?? 'none', RAW_HTML) === 'none' ? null : { frameHosts },
    submissions: oneOf('DAYBOOK_SUBMISSIONS', value('DAYBOOK_SUBMISSIONS') ?? 'off', SUBMISSIONS),
    mail: mailAddress(value('DAYBOOK_MAIL'), dataDir),
    mailFrom: mailFrom('DAYBOOK_MAIL_FROM', value('DAYBOOK_MAIL_FROM'), address),
    signOn: signOnFrom(
      {
        issuer: value('DAYBOOK_JWT_ISSUER'),
        audience: value('DAYBOOK_JWT_AUDIENCE'),
        jwksUrl: value('DAYBOOK_JWKS_URL'),
        roleClaim: value('DAYBOOK_JWT_ROLE_CLAIM'),
        roles: value('DAYBOOK_JWT_ROLES'),
        page: value('DAYBOOK_SIGN_ON_URL'),
        client: value('DAYBOOK_SIGN_ON_CLIENT'),
        secret: secretIn('DAYBOOK_SIGN_ON_SECRET', {
          said: value('DAYBOOK_SIGN_ON_SECRET'),
          file: value('DAYBOOK_SIGN_ON_SECRET_FILE'),
        }),
        name: value('DAYBOOK_SIGN_ON_NAME'),
      },
      refuseAll,
    ),
    calendar: calendarFrom(
      { url: value('DAYBOOK_URL'), token: value('DAYBOOK_TOKEN') },
      `http://127.0.0.1:${port}`,
      refuseAll,
    ),
  };
}

function siteName(name: string, value: string | undefined): string | null {
  if (value === undefined) return null;
  const isUsable = [...value].length <= MAX_SITE_NAME && !/\p{Cc}/u.test(value);
  return isUsable ? value : refuse(name, value, `one line of at most ${MAX_SITE_NAME} characters`);
}

function themeIn(name: string, file: string | undefined): Theme {
  if (file === undefined) return OWN_THEME;
  try {
    return readTheme(path.resolve(file));
  } catch (error) {
    if (error instanceof ThemeError) throw new ConfigError(`${name}: ${error.message}`);
    throw error;
  }
}

/** A path counts from the working directory. */
function accessLogIn(value: string | undefined): string | null {
  if (value === undefined || value === 'off') return null;
  return value === '-' ? value : path.resolve(value);
}

/**
 * What is wrong with links in what is sent without a request, as to webhooks: those of requests use their host. Null: nothing.
 */
export const unnamedSite = (config: Pick<Config, 'siteUrl' | 'port'>): string | null =>
  config.siteUrl === null
    ? `DAYBOOK_SITE_URL is not set: links in what webhooks receive begin with ${siteAddress(config)}. Set it to the public address.`
    : null;

/**
 * What is wrong with links in mails of submissions: they lead to the host that the request named, which its sender chooses.
 * Null: nothing.
 */
export const unnamedMailSite = ({ siteUrl, submissions }: Pick<Config, 'siteUrl' | 'submissions'>): string | null =>
  siteUrl === null && submissions === 'on'
    ? 'DAYBOOK_SITE_URL is not set: links in mails of submissions lead to the host that the request named. Set it to the public address.'
    : null;

/** Where commands say that the site is found. */
export const siteAddress = ({ siteUrl, port }: Pick<Config, 'siteUrl' | 'port'>): string =>
  siteUrl ?? `http://localhost:${port}`;

export const IN_MEMORY = { engine: 'sqlite', file: ':memory:' } as const;

/** For dry runs: without a log, an empty one in memory takes its place, and nothing is created. */
export const dryRunConfig = (config: Config): Config =>
  hasLog(config) ? config : { ...config, eventStore: IN_MEMORY, keys: IN_MEMORY, readModel: IN_MEMORY };

/** Throws `ConfigError` if there is no log to read. */
export function assertLogIsThere(config: Config): void {
  if (hasLog(config) || config.eventStore.engine !== 'sqlite') return;
  const { file } = config.eventStore;
  const setting = file.startsWith(`${config.dataDir}${path.sep}`) ? 'DAYBOOK_DATA_DIR' : 'DAYBOOK_EVENT_STORE';
  throw new ConfigError(`There is no event store at ${file}: set ${setting} to where the calendar is.`);
}

/** Whether there is a log to open; a server cannot be known before it is contacted. */
export const hasLog = ({ eventStore }: Config): boolean => eventStore.engine !== 'sqlite' || holdsLog(eventStore);

/** The files of stores that are files. */
export const storeFiles = ({ eventStore, keys, readModel }: Config): string[] =>
  [eventStore, keys, readModel].flatMap((address) =>
    address.engine === 'sqlite' && address.file !== ':memory:' ? [address.file] : [],
  );

/** Whether there are keys to open; a server cannot be known before it is contacted. */
export const hasKeys = ({ keys }: Config): boolean => keys.engine !== 'sqlite' || isThere(keys);

/** Whether the file of a store exists; true for one in memory. */
export const isThere = ({ file }: SqliteAddress): boolean =>
  file === ':memory:' || (statSync(file, { throwIfNoEntry: false })?.isFile() ?? false);

/** An empty file is no log yet. */
const holdsLog = ({ file }: SqliteAddress): boolean =>
  file === ':memory:' || (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
