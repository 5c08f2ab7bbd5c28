// Addresses that users give for requests to other servers, before any is made.
// decision 25
import { isIP } from 'node:net';
import type { PrivateHosts } from './fetch-outside.ts';
import { bareHost, isPrivate } from './networks.ts';

export const MAX_DESTINATION_LENGTH = 2_000;

/**
 * Whether requests can be sent there at all: an http or https address without credentials. What its own text shows to be in
 * a private network is refused here already; what its name leads to is checked when it is connected to.
 */
export function isDestination(text: string, privateHosts: PrivateHosts): boolean {
  const url = URL.parse(text);
  if (url === null || text.length > MAX_DESTINATION_LENGTH || !/^https?:$/.test(url.protocol)) return false;
  if (url.username !== '' || url.password !== '') return false;
  if (privateHosts.has(url.hostname) || privateHosts.has(url.host)) return true;
  const host = bareHost(url.hostname);
  return isIP(host) > 0 ? !isPrivate(host) : !/(?:^|\.)localhost\.?$/.test(host);
}
