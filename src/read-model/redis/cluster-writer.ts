// The projector's side in a cluster: what single nodes do (writer.ts), at the node that has the key.
import { openClusterNodes } from './cluster-nodes.ts';
import { shownAddress } from './failures.ts';
import { checkServer } from './server-check.ts';
import { inOrder, openWriter, type Writer, type WriterOptions } from './writer.ts';

async function openNode(options: WriterOptions): Promise<Writer> {
  const writer = await openWriter(options);
  try {
    await checkServer({ send: () => writer.with('', (redis) => redis.info()) }, shownAddress(options.url));
    return writer;
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** Finds the cluster and comes back; nodes are connected to as they are needed. */
export async function openClusterWriter({ url, deadlineMs }: WriterOptions): Promise<Writer> {
  const nodes = await openClusterNodes({ url, deadlineMs, open: (node) => openNode({ url: node, deadlineMs }) });
  return {
    with: (key, work) => nodes.at(key, (node) => node.with(key, work)),
    inTurn: inOrder(),
    applyParts: (base, parts) => nodes.at(base, (node) => node.applyParts(base, parts)),
    close: () => nodes.close(),
  };
}
