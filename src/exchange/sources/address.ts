// Which addresses sources may have.
import { isDestination } from '../../kernel/outbound/destinations.ts';
import type { PrivateHosts } from '../../kernel/outbound/fetch-outside.ts';
import { fetchedFrom } from '../import/read-source.ts';

/** Whether it leads to this calendar itself, whose address is `site`: its events would be new to it with every poll. */
export const isOwnAddress = (address: string, site: string): boolean =>
  URL.parse(fetchedFrom(address))?.host === URL.parse(site)?.host;

/** Whether it can be fetched at all: an http, https or webcal address without credentials, of a host that may be reached. */
export function isSourceAddress(address: string, privateHosts: PrivateHosts | 'any'): boolean {
  const fetched = fetchedFrom(address);
  const host = URL.parse(fetched)?.hostname;
  const allowed = privateHosts === 'any' ? new Set(host === undefined ? [] : [host]) : privateHosts;
  return isDestination(fetched, allowed);
}
