// The address of a cluster: `redis+cluster://` or, encrypted, `rediss+cluster://`; user and password; some of its nodes,
// separated by commas. A cluster has no numbered databases.
import { ReadModelUnavailable } from '../read-model.ts';

const FORM = /^(rediss?)\+cluster:\/\/(?:([^@/]*)@)?([^@/?#]*)\/?$/;
const DEFAULT_PORT = '6379';

export interface ClusterAddress {
  /** Nodes that are asked for the others, each as `host:port`. */
  readonly seeds: readonly string[];
  /** The URL of a single node, given as `host:port`, with the same user, password and encryption. */
  urlOf(node: string): string;
}

export const isClusterAddress = (url: string): boolean => /^rediss?\+cluster:\/\//.test(url);

/** Without user and password; null if it is invalid. */
export function shownClusterAddress(url: string): string | null {
  const [, scheme, , nodes] = FORM.exec(url) ?? [];
  return nodes ? `${scheme}+cluster://${nodes}` : null;
}

/** `host:port` of a host as servers report it; IPv6 addresses come without brackets. */
export const nodeName = (host: string, port: string | number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

/** Throws `ReadModelUnavailable` for an invalid address. */
export function clusterAddress(url: string): ClusterAddress {
  const [, scheme, credentials, nodes = ''] = FORM.exec(url) ?? [];
  const seeds = nodes.split(',').map((node) => {
    if (node === '' || !URL.canParse(`redis://${node}`)) throw unreadable();
    const { hostname, port } = new URL(`redis://${node}`);
    return `${hostname}:${port || DEFAULT_PORT}`;
  });
  const prefix = `${scheme}://${credentials === undefined ? '' : `${credentials}@`}`;
  return { seeds, urlOf: (node) => prefix + node };
}

const unreadable = () =>
  new ReadModelUnavailable(
    'The read model is unavailable: its address cannot be read. A cluster is redis+cluster://user:password@host:port,host:port, without the number of a database.',
  );
