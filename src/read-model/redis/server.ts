// What both connections share about a server: whether it can hold the read model, and when to reconnect.
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

const FIRST_MS = 50;
/** Lost data is refilled within a second of the server being back. */
const MAX_MS = 500;

/** Delay before reconnecting, in milliseconds: doubling, with jitter, so that processes do not all come at once. */
export const reconnectDelay = (attempt: number): number =>
  Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(attempt, 10)) * (0.5 + Math.random() / 2);
