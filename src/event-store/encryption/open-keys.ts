// Opens the keys at an address, for the command line and the thread that replays the log.
import type { KeysAddress } from '../log-address.ts';
import { openSqliteKeys } from './sqlite-keys.ts';
import type { SubjectKeys } from './subject-keys.ts';

/** Rejects with `EventStoreUnavailable`, saying what to do. */
export async function openKeys(address: KeysAddress): Promise<SubjectKeys> {
  if (address.engine === 'sqlite') return openSqliteKeys({ file: address.file });
  const { openRedisKeys } = await import('./redis-keys.ts');
  return openRedisKeys({ url: address.url });
}
