// Which node of a cluster has which slots, as one of its nodes tells it.
import { Redis } from 'ioredis';
import { type ClusterAddress, nodeName } from './cluster-address.ts';
import { readModelFailure, shownAddress } from './failures.ts';

/** Of every cluster. */
const SLOTS = 16_384;

/** By slot, the node that has it, as `host:port`; absent where it is unassigned. */
export type Owners = (string | undefined)[];

/** First and last slot, then who has it; replicas follow. A host may be unknown to the node itself. */
type Range = readonly [from: number, to: number, owner: readonly [host: string | null, port: number]];

/** What a node says when it does not know by which name it is known to others. */
const UNKNOWN = new Set(['', '?']);

export interface AskOptions {
  readonly address: ClusterAddress;
  /** How long it may take to reach the node, and to get its answer, in milliseconds each. */
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
    // The shape of the reply is the server's promise.
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
