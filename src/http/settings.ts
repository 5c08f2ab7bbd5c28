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
  /** Whether a proxy in front says the client's scheme and host in `X-Forwarded-Proto` and `X-Forwarded-Host`. */
  readonly trustForwarded: boolean;
}

export const DEFAULT_SETTINGS: ShellSettings = {
  prefix: 'calendar/events/v1',
  prefixAliases: [],
  siteUrl: null,
  bodyLimit: 1_048_576,
  trustForwarded: false,
};

/** Bytes of a URL, as it stands in the request line. */
export const URL_LIMIT = 16_384;
/** Bytes of all headers with the request line. */
export const HEADER_LIMIT = 40_960;
