// The connections of both sides, to one server or to a cluster, depending on the address. In a cluster each node has a
// connection of its own, opened when it is needed, and the node that has a key is used like a single server.
// decision 7: why there are two clients.
import { openQueue } from '../../kernel/event-loop/shared-work.ts';
import { isClusterAddress } from './cluster-address.ts';
import { openClusterNodes } from './cluster-nodes.ts';
import { shownAddress } from './failures.ts';
import { openReader, type Reader, type ReaderOptions } from './reader.ts';
import { checkServer } from './server.ts';
import { openWriter, type Writer, type WriterOptions } from './writer.ts';

/** Rejects with `ReadModelUnavailable`, saying what to do, if there is no connection. */
export const connectReader = (options: ReaderOptions): Promise<Reader> =>
  isClusterAddress(options.url) ? openClusterReader(options) : openCheckedReader(options);

/** Rejects with `ReadModelUnavailable`, saying what to do, if there is no connection. */
export const connectWriter = (options: WriterOptions): Promise<Writer> =>
  isClusterAddress(options.url) ? openClusterWriter(options) : openWriter(options);

/** Closes what has been opened if the server cannot hold the read model. */
async function checked<Connection extends { close(): void }>(
  opened: Connection,
  info: () => Promise<unknown>,
  address: string,
): Promise<Connection> {
  try {
    checkServer(String(await info()), address);
    return opened;
  } catch (error) {
    opened.close();
    throw error;
  }
}

async function openCheckedReader(options: ReaderOptions): Promise<Reader> {
  const reader = await openReader(options);
  return checked(reader, () => reader.send('INFO'), shownAddress(options.url));
}

async function openCheckedWriter(options: WriterOptions): Promise<Writer> {
  const writer = await openWriter(options);
  return checked(writer, () => writer.with('', (redis) => redis.info()), shownAddress(options.url));
}

/**
 * The cache is shared by all nodes, because a key is at one node only. Whenever a connection is lost or a slot moves,
 * all of it is dropped: afterwards nothing in the cache is older than an answer of the new owner.
 */
async function openClusterReader({ url, deadlineMs, cache }: ReaderOptions): Promise<Reader> {
  const nodes = await openClusterNodes({
    url,
    deadlineMs,
    open: (node) => openCheckedReader({ url: node, deadlineMs, cache }),
    onMove: () => cache.clear(),
  });
  return {
    cache,
    send: (...command) => nodes.at(command[1] ?? '', (node) => node.send(...command)),
    sendForBytes: (...command) => nodes.at(command[1] ?? '', (node) => node.sendForBytes(...command)),
    values: (keys) => nodes.at(keys[0] ?? '', (node) => node.values(keys)),
    close: () => nodes.close(),
  };
}

async function openClusterWriter({ url, deadlineMs }: WriterOptions): Promise<Writer> {
  const open = (node: string) => openCheckedWriter({ url: node, deadlineMs });
  const nodes = await openClusterNodes({ url, deadlineMs, open });
  return {
    with: (key, work) => nodes.at(key, (node) => node.with(key, work)),
    inTurn: openQueue(),
    applyParts: (base, parts) => nodes.at(base, (node) => node.applyParts(base, parts)),
    close: () => nodes.close(),
  };
}
