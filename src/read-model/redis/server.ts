// What both connections share about a server: whether it can hold the read model.
import { ReadModelUnavailable } from '../read-model.ts';

const MIN_VERSION = 7;

/**
 * Throws `ReadModelUnavailable` if the server, by its `INFO`, is too old or may evict keys. Missing information is not
 * checked.
 */
export function checkServer(info: string, address: string): void {
  const field = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
  const version = field('redis_version');
  if (version !== undefined && Number.parseInt(version, 10) < MIN_VERSION)
    throw new ReadModelUnavailable(
      `The read model ${address} is unavailable: it is Redis ${version}, and version ${MIN_VERSION}.0 or later is needed.`,
    );
  const policy = field('maxmemory_policy');
  if (policy?.startsWith('allkeys'))
    throw new ReadModelUnavailable(
      `The read model ${address} is unavailable: it throws keys away when its memory is full (maxmemory-policy ${policy}). Set maxmemory-policy to noeviction.`,
    );
}
