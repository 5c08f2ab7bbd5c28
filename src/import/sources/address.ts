// Which addresses sources may have.
import { isDestination } from '../../outbound/destinations.ts';
import type { PrivateHosts } from '../../outbound/fetch-outside.ts';
import { fetchedFrom } from '../read-source.ts';

/** Whether it can be fetched at all: an http, https or webcal address without credentials, of a host that may be reached. */
export function isSourceAddress(address: string, privateHosts: PrivateHosts | 'any'): boolean {
  const fetched = fetchedFrom(address);
  const host = URL.parse(fetched)?.hostname;
  const allowed = privateHosts === 'any' ? new Set(host === undefined ? [] : [host]) : privateHosts;
  return isDestination(fetched, allowed);
}
