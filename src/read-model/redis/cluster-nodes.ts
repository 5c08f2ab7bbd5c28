// One connection to each node of a cluster that is needed, and which of them has a key at present.
//
// All keys of a generation are in one slot, so one node has all of them, and its connection guarantees what a
// connection to a single server does. In a cluster the slot may also move:
//
// - MOVED: the command was not executed, and the reply names the new owner of the slot. It is sent there.
// - ASK, TRYAGAIN: the slot is being moved, some keys are here and some there. Nothing is done with it meanwhile: a
//   script might find half of a generation at either node and take the other half for missing.
// - Any other failure may mean that another node has been promoted: the cluster is asked before anything else. Failed
//   commands are not sent again, because their outcome is unknown.
import slotOf from 'cluster-key-slot';
import { connectRedis } from '../../kernel/redis/connect.ts';
import { ReadModelUnavailable } from '../read-model.ts';
import { type ClusterAddress, clusterAddress, nodeName } from './cluster-address.ts';
import { movedTo, readModelFailure, shownAddress } from './failures.ts';

export interface ClusterNodes<Node> {
  /** Runs a task on the node that has a key; at once, if it is connected. All keys must be in one slot. */
  at<Answer>(key: string, work: (node: Node) => Promise<Answer>): Promise<Answer>;
  close(): void;
}

interface ClusterOptions<Node> {
  /** See cluster-address.ts. */
  readonly url: string;
  /** Time-out of a node's answer, in milliseconds. */
  readonly deadlineMs: number;
  /** Connects to a single node. */
  open(url: string): Promise<Node>;
  /** Some slot has another owner from now on; called before the new owner is used. */
  onMove?(): void;
}

/** How often a slot may move during one task. */
const MAX_MOVES = 5;
/** The shortest interval of asking the cluster. */
const REST_MS = 100;
/** Time-out, in milliseconds, of asking one node for the owners. */
const ASK_MS = 2_000;

interface Connection<Node> {
  readonly opening: Promise<Node>;
  opened: Node | null;
}

/** Finds the owners of all slots; rejects with `ReadModelUnavailable` if no node answers. */
export async function openClusterNodes<Node extends { close(): void }>(
  options: ClusterOptions<Node>,
): Promise<ClusterNodes<Node>> {
  const { url, deadlineMs } = options;
  const address = clusterAddress(url);
  const maskedAddress = shownAddress(url);
  const connections = new Map<string, Connection<Node>>();
  let owners: Owners = [];
  let closed = false;
  /** A node has failed: the owners may have changed. */
  let doubtful = false;
  let resting = false;
  let asking: Promise<void> | null = null;
  /** Which node is asked first. A different one every time: a node that is cut off would repeat what it knew. */
  let turn = 0;

  function assign(next: Owners): void {
    const isSame = owners.length === next.length && owners.every((owner, slot) => owner === next[slot]);
    owners = next;
    if (isSame) return;
    options.onMove?.();
    const used = new Set(owners);
    for (const node of connections.keys()) if (!used.has(node)) setTimeout(leave, deadlineMs, node).unref();
  }

  /** Called once pending requests from before the move have their answers. */
  function leave(node: string): void {
    if (owners.includes(node)) return;
    connections.get(node)?.opened?.close();
    connections.delete(node);
  }

  async function askAround(): Promise<void> {
    const nodes = [...new Set([...address.seeds, ...owners.filter((owner) => owner !== undefined)])];
    const first = turn++ % nodes.length;
    let failure: unknown;
    for (const node of [...nodes.slice(first), ...nodes.slice(0, first)]) {
      try {
        assign(await askForOwners(node, { address, deadlineMs: Math.min(deadlineMs, ASK_MS) }));
        return;
      } catch (error) {
        failure ??= error;
      }
    }
    throw failure;
  }

  function lookAgain(): Promise<void> {
    asking ??= askAround()
      .then(() => {
        doubtful = false;
      })
      .finally(() => {
        asking = null;
        resting = true;
        setTimeout(() => {
          resting = false;
        }, REST_MS).unref();
      });
    return asking;
  }

  /** Several nodes may be unreachable: a caller has no time for all of them. */
  function inTime(looking: Promise<void>): Promise<void> {
    const late = new ReadModelUnavailable(
      `The read model ${maskedAddress} has not said in ${deadlineMs} ms which node has the views.`,
    );
    return new Promise((resolve, reject) => {
      const timer = setTimeout(reject, deadlineMs, late);
      looking.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  function connect(node: string): Promise<Node> {
    const begun = connections.get(node);
    if (begun) return begun.opening;
    const connection: Connection<Node> = { opening: options.open(address.urlOf(node)), opened: null };
    connections.set(node, connection);
    connection.opening.then(
      (opened) => {
        if (connections.get(node) === connection) connection.opened = opened;
        else opened.close();
      },
      () => {
        if (connections.get(node) === connection) connections.delete(node);
      },
    );
    return connection.opening;
  }

  async function reach(slot: number): Promise<Node> {
    if (closed)
      throw new ReadModelUnavailable(`The read model ${maskedAddress} is closed: the service is shutting down.`);
    if (doubtful && !resting) await inTime(lookAgain());
    const owner = owners[slot];
    if (owner !== undefined) return connect(owner);
    throw new ReadModelUnavailable(
      `The read model ${maskedAddress} is unavailable: no node of the cluster has slot ${slot}. Look at CLUSTER NODES.`,
    );
  }

  function connectedOwner(slot: number): Node | null {
    const owner = closed || (doubtful && !resting) ? undefined : owners[slot];
    return owner === undefined ? null : (connections.get(owner)?.opened ?? null);
  }

  /** Handles a failure; throws it unless the slot has moved. */
  function follow(error: unknown): void {
    const moved = movedTo(error);
    if (!moved) {
      doubtful ||= error instanceof ReadModelUnavailable;
      throw error;
    }
    // A node that does not know names leaves the host out.
    if (moved.node === null) doubtful = true;
    else assign(owners.with(moved.slot, moved.node));
  }

  async function followed<Answer>(
    slot: number,
    answer: Promise<Answer>,
    work: (node: Node) => Promise<Answer>,
  ): Promise<Answer> {
    let underWay = answer;
    for (let moves = 0; moves < MAX_MOVES; moves++) {
      try {
        return await underWay;
      } catch (error) {
        follow(error);
        underWay = reach(slot).then(work);
      }
    }
    underWay.catch(() => {});
    doubtful = true;
    throw new ReadModelUnavailable(
      `The read model ${maskedAddress} is unavailable: the nodes of the cluster do not agree who has slot ${slot}. Look at CLUSTER NODES.`,
    );
  }

  try {
    await lookAgain();
  } catch (error) {
    closed = true;
    throw error;
  }

  return {
    at(key, work) {
      const slot = slotOf(key);
      const node = connectedOwner(slot);
      return followed(slot, node ? work(node) : reach(slot).then(work), work);
    },
    close() {
      closed = true;
      for (const { opened } of connections.values()) opened?.close();
      connections.clear();
    },
  };
}

// Which node of a cluster has which slots, according to one of its nodes.

/** The number of slots of every cluster. */
const SLOTS = 16_384;

/** By slot, its owner as `host:port`; absent if it is unassigned. */
type Owners = (string | undefined)[];

/** First and last slot, then the owner; replicas follow. A node may not know its own host. */
type Range = readonly [from: number, to: number, owner: readonly [host: string | null, port: number]];

/** The host reported by a node that does not know its name. */
const UNKNOWN = new Set(['', '?']);

interface AskOptions {
  readonly address: ClusterAddress;
  /** Time-outs of connecting to the node and of its answer, in milliseconds each. */
  readonly deadlineMs: number;
}

/** Asks one node. Rejects with `ReadModelUnavailable`. */
async function askForOwners(node: string, { address, deadlineMs }: AskOptions): Promise<Owners> {
  const url = address.urlOf(node);
  try {
    const redis = await connectRedis({ url, deadlineMs, connectWithinMs: deadlineMs });
    try {
      // The server guarantees the form of the reply.
      return ownersIn((await redis.cluster('SLOTS')) as unknown as readonly Range[], node);
    } finally {
      redis.disconnect();
    }
  } catch (error) {
    throw readModelFailure(shownAddress(url), error);
  }
}

function ownersIn(ranges: readonly Range[], server: string): Owners {
  const owners: Owners = new Array(SLOTS).fill(undefined);
  const serverHost = server.slice(0, server.lastIndexOf(':'));
  for (const [from, to, [host, port]] of ranges)
    owners.fill(host === null || UNKNOWN.has(host) ? `${serverHost}:${port}` : nodeName(host, port), from, to + 1);
  return owners;
}
