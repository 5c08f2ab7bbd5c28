// The query side in a cluster. Each node has a connection of its own; what is in memory is common to all of them, as a key
// is at one node only. Whenever a connection is lost or a slot goes elsewhere, all of it is dropped: from there on nothing
// that is in memory is older than what the new owner answers.
import { openClusterNodes } from './cluster-nodes.ts';
import type { Reader, ReaderOptions } from './reader.ts';
import { openCheckedReader } from './server-check.ts';

/** Finds the cluster and comes back; nodes are connected to as they are needed. */
export async function openClusterReader({ url, deadlineMs, cache }: ReaderOptions): Promise<Reader> {
  const nodes = await openClusterNodes({
    url,
    deadlineMs,
    open: (node) => openCheckedReader({ url: node, deadlineMs, cache }),
    onMove: () => cache.clear(),
  });
  return {
    cache,
    send: (...command) => nodes.at(command[1] ?? '', (node) => node.send(...command)),
    run: (script, base, ...values) => nodes.at(base, (node) => node.run(script, base, ...values)),
    values: (keys) => nodes.at(keys[0] ?? '', (node) => node.values(keys)),
    close: () => nodes.close(),
  };
}
