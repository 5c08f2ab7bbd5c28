// Who is asked in a cluster, and when: a real cluster says who has what, nodes are made up.
import slotOf from 'cluster-key-slot';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ClusterNodes, openClusterNodes } from '../../src/read-model/redis/cluster-nodes.ts';
import { readModelFailure } from '../../src/read-model/redis/failures.ts';
import { type RedisCluster, startRedisCluster } from '../support/redis-cluster.ts';
import { complaint } from './redis-models.ts';

interface Node {
  readonly url: string;
  close(): void;
}

interface Context {
  cluster: RedisCluster;
  owner: string;
  nodes: ClusterNodes<Node>;
  log: string[];
}

const KEY = '{a}:b';
const ELSEWHERE = 'redis://10.0.0.9:7000';

const test = suite<Context>('nodes of a cluster');
test.before(async (context) => {
  context.cluster = await startRedisCluster(1);
  context.owner = (await context.cluster.ownerOf(KEY)).url;
});
test.after(({ cluster }) => cluster.stop());
test.before.each(async (context) => {
  const log: string[] = [];
  context.log = log;
  context.nodes = await openClusterNodes<Node>({
    url: context.cluster.url,
    deadlineMs: 1_000,
    async open(url) {
      log.push(`open ${url}`);
      return { url, close: () => log.push(`close ${url}`) };
    },
    onMove: () => log.push('move'),
  });
});
test.after.each(({ nodes }) => nodes.close());

/** Answers as the nodes would, one after the other: with an error of this text, or, where there is none, with its URL. */
function answering(log: string[], ...replies: readonly string[]) {
  const left = [...replies];
  return async ({ url }: Node): Promise<string> => {
    log.push(`ask ${url}`);
    const reply = left.shift();
    if (reply !== undefined) throw readModelFailure(url, new Error(reply));
    return url;
  };
}

const moved = (to: string) => `MOVED ${slotOf(KEY)} ${to}`;

test('a moved slot is asked for at its new node, after its cached values have been dropped', async (context) => {
  const { nodes, owner, log } = context;
  assert.is(await nodes.at(KEY, answering(log, moved('10.0.0.9:7000'))), ELSEWHERE);
  assert.equal(log, ['move', `open ${owner}`, `ask ${owner}`, 'move', `open ${ELSEWHERE}`, `ask ${ELSEWHERE}`]);
});

test('once connected, a node is asked before anything else happens', async ({ nodes, log }) => {
  await nodes.at(KEY, answering(log));
  log.length = 0;
  const asked = nodes.at(KEY, answering(log));
  assert.is(log.length, 1);
  await asked;
});

test('a slot that is being moved is not followed, and failed commands are not repeated', async ({
  nodes,
  log,
  owner,
}) => {
  for (const reply of [`ASK ${slotOf(KEY)} 10.0.0.9:7000`, 'TRYAGAIN Multiple keys', 'CLUSTERDOWN', 'ECONNRESET']) {
    log.length = 0;
    assert.match(await complaint(nodes.at(KEY, answering(log, reply))), /^ReadModelUnavailable: /);
    assert.equal(
      log.filter((line) => line.startsWith('ask')),
      [`ask ${owner}`],
    );
  }
});

test('after a failure the cluster is asked for its owners', async ({ nodes, log, owner }) => {
  await nodes.at(KEY, answering(log, moved('10.0.0.9:7000')));
  await complaint(nodes.at(KEY, answering(log, 'ECONNRESET')));
  // It is not asked again at once.
  let found = ELSEWHERE;
  for (let attempt = 0; found === ELSEWHERE && attempt < 500; attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    found = await nodes.at(KEY, answering(log));
  }
  assert.is(found, owner);
});

test('a node that does not know the names of others has the cluster asked', async ({ nodes, log, owner }) => {
  await nodes.at(KEY, answering(log, moved('10.0.0.9:7000')));
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.is(await nodes.at(KEY, answering(log, moved(':7001'))), owner);
});

test('nodes that redirect to each other endlessly are reported', async ({ nodes, log, owner }) => {
  const home = owner.slice('redis://'.length);
  const round = Array.from({ length: 20 }, (_, at) => moved(at % 2 === 0 ? '10.0.0.9:7000' : home));
  assert.match(
    await complaint(nodes.at(KEY, answering(log, ...round))),
    /^ReadModelUnavailable: .*do not agree who has slot/,
  );
  assert.ok(log.length < 20);
});

test('a fault of ours stays what it is', async ({ nodes }) => {
  const fault = new TypeError('no such thing');
  const told = await nodes
    .at(KEY, async () => {
      throw fault;
    })
    .catch((error: unknown) => error);
  assert.is(told, fault);
});

test.run();
