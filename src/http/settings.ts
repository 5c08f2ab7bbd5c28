// What the operator decides about the HTTP side.

export interface ShellSettings {
  /** Path of the API below the site, without slashes around it: `calendar/events/v1`. Also its namespace. */
  readonly prefix: string;
  /** Further prefixes under which the same routes answer. */
  readonly prefixAliases: readonly string[];
  /** The site's public address, e.g. `https://cal.example`; null: whatever host the client used. */
  readonly siteUrl: string | null;
  /** Bytes of a request body. */
  readonly bodyLimit: number;
  /**
   * Whether a proxy in front says the client's scheme, host and address, in `X-Forwarded-Proto`, `X-Forwarded-Host` and
   * `X-Forwarded-For`.
   */
  readonly trustForwarded: boolean;
  /** Requests of one address in a minute; 0: no limit. */
  readonly requestsPerMinute: number;
  readonly times: ConnectionTimes;
}

/** How long a connection may take for what, in milliseconds. */
export interface ConnectionTimes {
  /** From the first byte of a request, or from the beginning of the connection, to the end of the headers. */
  readonly headersMs: number;
  /** From the first byte of a request to the last of its body. */
  readonly requestMs: number;
  /** How often those two are looked after. */
  readonly checkMs: number;
  /** Without a byte in either direction. */
  readonly silenceMs: number;
  /** Between an answer and the next request. */
  readonly idleMs: number;
  /** For a client that takes nothing of an answer that lies ready. */
  readonly stallMs: number;
  /** For what is under way when the service ends; then connections are cut. */
  readonly endingMs: number;
}

/** A MiB of body arrives in time at 10 kB a second. Waiting for changes takes a minute at most, streams say something. */
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
  times: CONNECTION_TIMES,
};

/** Bytes of a URL, as it stands in the request line. */
export const URL_LIMIT = 16_384;
/** Bytes of all headers with the request line. */
export const HEADER_LIMIT = 40_960;
