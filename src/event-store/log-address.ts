// Where a log in a file is: plain data, so it can be passed to a thread, which opens the log itself.

/** Of the keys of personal data. */
export type KeysAddress =
  /** Path of the file, or `:memory:`. */
  | { readonly engine: 'sqlite'; readonly file: string }
  /** The URL may contain a password: never show it. */
  | { readonly engine: 'redis'; readonly url: string };

/** The file of a log, and the keys of its personal data. */
export interface LogAddress {
  readonly file: string;
  readonly keys: KeysAddress;
}
