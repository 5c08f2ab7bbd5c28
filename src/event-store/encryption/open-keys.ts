// The keys at an address. The command line and the thread that replays the log open the same ones.
import { openSqliteKeys } from './sqlite-keys.ts';
import type { SubjectKeys } from './subject-keys.ts';

/** Plain data, so that a thread can be told. */
export type KeysAddress =
  /** Path of the file, or `:memory:`. */
  | { readonly engine: 'sqlite'; readonly file: string }
  /** The URL may hold a password: it is shown nowhere. */
  | { readonly engine: 'redis'; readonly url: string };

/** Rejects with `EventStoreUnavailable`, saying what to do. */
export async function openKeys(address: KeysAddress): Promise<SubjectKeys> {
  if (address.engine === 'sqlite') return openSqliteKeys({ file: address.file });
  const { openRedisKeys } = await import('./redis-keys.ts');
  return openRedisKeys({ url: address.url });
}
