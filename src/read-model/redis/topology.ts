// Which node of a cluster has which slots, according to one of its nodes.
import { Redis } from 'ioredis';
import { type ClusterAddress, nodeName } from './cluster-address.ts';
import { readModelFailure, shownAddress } from './failures.ts';

/** The number of slots of every cluster. */
const SLOTS = 16_384;

/** By slot, its owner as `host:port`; absent if it is unassigned. */
export type Owners = (string | undefined)[];

/** First and last slot, then the owner; replicas follow. A node may not know its own host. */
type Range = readonly [from: number, to: number, owner: readonly [host: string | null, port: number]];

/** The host reported by a node that does not know its name. */
const UNKNOWN = new Set(['', '?']);

export interface AskOptions {
  readonly address: ClusterAddress;
  /** Time-outs of connecting to the node and of its answer, in milliseconds each. */
  readonly deadlineMs: number;
}

/** Asks one node. Rejects with `ReadModelUnavailable`. */
export async function askForOwners(node: string, { address, deadlineMs }: AskOptions): Promise<Owners> {
  const url = address.urlOf(node);
  let lastError: unknown;
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: deadlineMs,
    commandTimeout: deadlineMs,
    retryStrategy: () => null,
  });
  redis.on('error', (error: unknown) => {
    lastError = error;
  });
  try {
    await redis.connect();
    // The server guarantees the form of the reply.
    return ownersIn((await redis.cluster('SLOTS')) as unknown as readonly Range[], node);
  } catch (error) {
    throw readModelFailure(shownAddress(url), lastError ?? error);
  } finally {
    redis.disconnect();
  }
}

function ownersIn(ranges: readonly Range[], asked: string): Owners {
  const owners: Owners = new Array(SLOTS).fill(undefined);
  const askedHost = asked.slice(0, asked.lastIndexOf(':'));
  for (const [from, to, [host, port]] of ranges)
    owners.fill(host === null || UNKNOWN.has(host) ? `${askedHost}:${port}` : nodeName(host, port), from, to + 1);
  return owners;
}
