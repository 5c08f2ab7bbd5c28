// Settings of the HTTP side.

export interface ShellSettings {
  /** Path of the API below the site, without slashes around it: `calendar/events/v1`. Also its namespace. */
  readonly prefix: string;
  /** Further prefixes of the same routes. */
  readonly prefixAliases: readonly string[];
  /** The site's public address, e.g. `https://cal.example`; null: the host of the request. */
  readonly siteUrl: string | null;
  /** Bytes of a request body. */
  readonly bodyLimit: number;
  /**
   * Whether to trust a proxy's `X-Forwarded-Proto`, `X-Forwarded-Host` and `X-Forwarded-For` for the client's scheme,
   * host and address.
   */
  readonly trustForwarded: boolean;
  /** Requests of one address in a minute; 0: no limit. */
  readonly requestsPerMinute: number;
  /** For how long shared caches may keep public answers, in seconds; 0: not at all. */
  readonly cacheSeconds: number;
  readonly times: ConnectionTimes;
}

/** Time-outs of a connection, in milliseconds. */
export interface ConnectionTimes {
  /** From the first byte of a request, or from the beginning of the connection, to the end of the headers. */
  readonly headersMs: number;
  /** From the first byte of a request to the last of its body. */
  readonly requestMs: number;
  /** How often those two are checked. */
  readonly checkMs: number;
  /** Without a byte in either direction. */
  readonly silenceMs: number;
  /** Between an answer and the next request. */
  readonly idleMs: number;
  /** For a client that does not read its answer. */
  readonly stallMs: number;
  /** For requests in progress at shutdown; then connections are closed. */
  readonly endingMs: number;
}

/** A MiB of body arrives in time at 10 kB a second. Long polling takes a minute at most, streams send heartbeats. */
const CONNECTION_TIMES: ConnectionTimes = {
  headersMs: 20_000,
  requestMs: 120_000,
  checkMs: 5_000,
  silenceMs: 120_000,
  idleMs: 72_000,
  stallMs: 30_000,
  endingMs: 8_000,
};

export const DEFAULT_SETTINGS: ShellSettings = {
  prefix: 'calendar/events/v1',
  prefixAliases: [],
  siteUrl: null,
  bodyLimit: 1_048_576,
  trustForwarded: false,
  requestsPerMinute: 6_000,
  cacheSeconds: 0,
  times: CONNECTION_TIMES,
};

/** Bytes of a URL in the request line. */
export const URL_LIMIT = 16_384;
/** Bytes of all headers with the request line. */
export const HEADER_LIMIT = 40_960;

/** The log of failures; pino's loggers have this form. */
export interface ShellLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/**
 * The document describes answers; they are serialised elsewhere, and not by their schemas. Parameters are validated by the
 * compiler of the API (plugins/parameters.ts). Fastify loads its own two compilers, a hundred modules, if none are named.
 */
export const COMPILERS = {
  buildValidator: () => (): never => {
    throw new Error('Only routes of the API have parameters.');
  },
  buildSerializer: () => () => JSON.stringify,
};
