// A real Redis cluster for tests: masters on free ports of the loopback, gone afterwards.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { freePort, type RedisServer, startRedisServer } from './redis-server.ts';

export interface RedisCluster {
  readonly url: string;
  /** Its masters, as they were at the start. */
  readonly nodes: readonly RedisServer[];
  /** Who has the slot of a key, as all of them agree. */
  ownerOf(key: string): Promise<RedisServer>;
  /** Begins to move the slot of a key, with the first `count` of its keys, to another master; what comes back moves the rest. */
  beginMove(key: string, count: number): Promise<() => Promise<void>>;
  /** Moves the slot of a key, with all of its keys, to another master. */
  move(key: string): Promise<void>;
  /** Starts a replica of a master, and waits until it has all of it. */
  replicate(master: RedisServer): Promise<RedisServer>;
  /** Ends a node for good. */
  kill(node: RedisServer): Promise<void>;
  flush(): Promise<void>;
  stop(): Promise<void>;
}

const SLOTS = 16_384;
const FAILURE_MS = 500;
const PATIENCE_MS = 25;
const ATTEMPTS = 1_200;

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await isSo()) return;
    await pause(PATIENCE_MS);
  }
  throw new Error('The cluster does not come to rest.');
}

const idOf = (node: RedisServer): Promise<string> => node.with(async (redis) => String(await redis.cluster('MYID')));

interface Member {
  readonly server: RedisServer;
  readonly busPort: number;
}

/** Starts so many masters, with further options as on their command line. */
export async function startRedisCluster(masters: number, ...options: readonly string[]): Promise<RedisCluster> {
  const folder = await mkdtemp(path.join(tmpdir(), 'daybook-cluster-'));
  const members: Member[] = [];
  const dead = new Set<RedisServer>();

  async function launch(): Promise<Member> {
    const busPort = await freePort();
    const file = path.join(folder, `${busPort}.conf`);
    const ownOptions = ['--cluster-enabled', 'yes', '--cluster-port', `${busPort}`, '--cluster-config-file', file];
    const times = ['--cluster-node-timeout', `${FAILURE_MS}`, '--repl-diskless-sync-delay', '0', '--dir', folder];
    const member = { server: await startRedisServer(...ownOptions, ...times, ...options), busPort };
    members.push(member);
    return member;
  }

  const alive = () => members.map(({ server }) => server).filter((server) => !dead.has(server));
  const onAll = <Answer>(work: (redis: Redis) => Promise<Answer>) =>
    Promise.all(alive().map((server) => server.with(work)));

  async function settled(): Promise<void> {
    await until(async () => {
      const told = await onAll(async (redis) => String(await redis.cluster('INFO')));
      const all = new RegExp(`cluster_known_nodes:${members.length}\\r`);
      return told.every((info) => info.includes('cluster_state:ok') && all.test(info));
    });
  }

  for (let at = 0; at < masters; at++) {
    const { server } = await launch();
    const edge = (share: number) => Math.floor((SLOTS * share) / masters);
    await server.with(async (redis) => {
      await redis.cluster('ADDSLOTSRANGE', edge(at), edge(at + 1) - 1);
      await redis.cluster('SET-CONFIG-EPOCH', at + 1);
    });
  }
  const [first, ...others] = members;
  if (!first) throw new Error('A cluster has one master or more.');
  const meet = ({ server, busPort }: Member) =>
    first.server.with((redis) => redis.call('CLUSTER', 'MEET', '127.0.0.1', server.port, busPort));
  for (const other of others) await meet(other);
  await settled();

  const slotOf = (key: string) => first.server.with(async (redis) => Number(await redis.cluster('KEYSLOT', key)));

  async function portsFor(slot: number): Promise<number[]> {
    return onAll(async (redis) => {
      const ranges = (await redis.cluster('SLOTS')) as unknown as [number, number, [string, number]][];
      return ranges.find(([from, to]) => from <= slot && slot <= to)?.[2][1] ?? 0;
    });
  }

  async function ownerOf(key: string): Promise<RedisServer> {
    const slot = await slotOf(key);
    let agreed: RedisServer | undefined;
    await until(async () => {
      const [port, ...rest] = await portsFor(slot);
      agreed = rest.every((other) => other === port) ? alive().find((server) => server.port === port) : undefined;
      return agreed !== undefined;
    });
    if (!agreed) throw new Error('No node serves the slot.');
    return agreed;
  }

  async function beginMove(key: string, count: number): Promise<() => Promise<void>> {
    const slot = await slotOf(key);
    const source = await ownerOf(key);
    const target = members.slice(0, masters).find(({ server }) => server !== source && !dead.has(server))?.server;
    if (!target) throw new Error('There is no other master.');
    const [sourceId, targetId] = await Promise.all([idOf(source), idOf(target)]);
    const keysAtMost = (most: number) => source.with((redis) => redis.cluster('GETKEYSINSLOT', slot, most));
    const send = async (keys: readonly unknown[]) => {
      if (keys.length === 0) return;
      const where = ['127.0.0.1', target.port, '', 0, 5_000, 'KEYS'];
      await source.with((redis) => redis.call('MIGRATE', ...where.map(String), ...keys.map(String)));
    };
    await target.with((redis) => redis.cluster('SETSLOT', slot, 'IMPORTING', sourceId));
    await source.with((redis) => redis.cluster('SETSLOT', slot, 'MIGRATING', targetId));
    await send(await keysAtMost(count));
    return async () => {
      await send(await keysAtMost(1_000_000));
      for (const server of [target, source])
        await server.with((redis) => redis.cluster('SETSLOT', slot, 'NODE', targetId));
      await until(async () => (await portsFor(slot)).every((port) => port === target.port));
    };
  }

  return {
    url: `redis+cluster://${members.map(({ server }) => `127.0.0.1:${server.port}`).join(',')}`,
    nodes: members.map(({ server }) => server),
    ownerOf,
    beginMove,
    move: async (key) => (await beginMove(key, 0))(),
    async replicate(master) {
      const replica = await launch();
      await meet(replica);
      await settled();
      const id = await idOf(master);
      await until(() =>
        replica.server.with((redis) =>
          redis.cluster('REPLICATE', id).then(
            () => true,
            () => false,
          ),
        ),
      );
      await until(() =>
        replica.server.with(async (redis) => (await redis.info('replication')).includes('master_link_status:up')),
      );
      // Nodes do not vote for a replica that they do not list as one.
      const known = new RegExp(`^${await idOf(replica.server)} .*slave ${id} .* connected`, 'm');
      await until(async () =>
        (await onAll(async (redis) => String(await redis.cluster('NODES')))).every((told) => known.test(told)),
      );
      return replica.server;
    },
    async kill(node) {
      dead.add(node);
      await node.stop();
    },
    async flush() {
      await onAll(async (redis) => {
        const isMaster = (await redis.info('replication')).includes('role:master');
        if (isMaster) await redis.flushall();
      });
    },
    async stop() {
      for (const { server } of members) await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
