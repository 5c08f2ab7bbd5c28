// Whether a server can hold the read model at all.
import { ReadModelUnavailable } from '../read-model.ts';
import { shownAddress } from './failures.ts';
import { openReader, type Reader, type ReaderOptions } from './reader.ts';

const LEAST_VERSION = 7;

/** Rejects with `ReadModelUnavailable` when the server is too old, or may throw keys away. What it keeps to itself is believed. */
export async function checkServer(reader: Pick<Reader, 'send'>, address: string): Promise<void> {
  const info = String(await reader.send('INFO'));
  const told = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
  const version = told('redis_version');
  if (version !== undefined && Number.parseInt(version, 10) < LEAST_VERSION)
    throw new ReadModelUnavailable(
      `The read model ${address} is unavailable: it is Redis ${version}, and version ${LEAST_VERSION}.0 or later is needed.`,
    );
  const policy = told('maxmemory_policy');
  if (policy?.startsWith('allkeys'))
    throw new ReadModelUnavailable(
      `The read model ${address} is unavailable: it throws keys away when its memory is full (maxmemory-policy ${policy}). Set maxmemory-policy to noeviction.`,
    );
}

/** Opens a connection to a single server that can hold the read model. Rejects with `ReadModelUnavailable`. */
export async function openCheckedReader(options: ReaderOptions): Promise<Reader> {
  const reader = await openReader(options);
  try {
    await checkServer(reader, shownAddress(options.url));
    return reader;
  } catch (error) {
    reader.close();
    throw error;
  }
}
