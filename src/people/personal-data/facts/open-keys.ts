// Opens the keys at an address.
import { openSqliteKeys } from './sqlite-keys.ts';
import type { SubjectKeys } from './subject-keys.ts';

/** Where the keys of personal data are stored. */
type KeysAddress =
  /** Path of the file, or `:memory:`. */
  | { readonly engine: 'sqlite'; readonly file: string }
  /** The URL may contain a password: never show it. */
  | { readonly engine: 'redis'; readonly url: string };

/** Rejects with `EventStoreUnavailable`, saying what to do. */
export async function openKeys(address: KeysAddress): Promise<SubjectKeys> {
  if (address.engine === 'sqlite') return openSqliteKeys({ file: address.file });
  const { openRedisKeys } = await import('./redis-keys.ts');
  return openRedisKeys({ url: address.url });
}
