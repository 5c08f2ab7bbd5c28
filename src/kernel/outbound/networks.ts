// Public and private networks: what an address leads into.
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

const NETWORKS = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
  // Not to be met in public.
  ...['192.0.0.0/24', '198.18.0.0/15', '224.0.0.0/3'],
  ...['fc00::/7', 'fe80::/10'],
  // Not to be met in public, or another way to write any of those above.
  ...['::/96', '::ffff:0:0:0/96', '64:ff9b::/32', '2001::/32', '2002::/16', 'fec0::/10', 'ff00::/8'],
];

// Each of IPv4 is met in notation of IPv6 (`::ffff:10.0.0.1`) as well.
const PRIVATE = new BlockList();
for (const network of NETWORKS) {
  const [address = '', bits] = network.split('/');
  PRIVATE.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/** All addresses of a host. */
type Resolve = (host: string) => Promise<readonly string[]>;

const resolveByDns: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * Whether a host is, by one of its addresses, in a private network or this machine. One that cannot be resolved is not.
 */
async function isPrivateHost(host: string, resolve: Resolve): Promise<boolean> {
  const bare = bareHost(host);
  const addresses = isIP(bare) > 0 ? [bare] : await resolve(bare).catch(() => []);
  return addresses.some(isPrivate);
}

/** Whether an address in numbers is in a private network. */
export const isPrivate = (address: string): boolean => PRIVATE.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Without the brackets of IPv6. */
export const bareHost = (host: string): string => host.replace(/^\[|\]$/g, '');

/** Why a redirect is not followed; null if it is. A private address may redirect to another one. */
export async function redirectProblem(from: URL, to: URL, resolve: Resolve = resolveByDns): Promise<string | null> {
  if (!/^https?:$/.test(to.protocol)) return `it redirects to ${to.protocol}, which is not followed`;
  if (from.hostname === to.hostname) return null;
  if (await isPrivateHost(from.hostname, resolve)) return null;
  if (!(await isPrivateHost(to.hostname, resolve))) return null;
  return `it redirects to the private address ${to.host}, which is not followed`;
}
