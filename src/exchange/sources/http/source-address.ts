// Which addresses sources may have.
import { refusedParameter } from '../../../http/errors.ts';
import { isDestination, MAX_DESTINATION_LENGTH } from '../../../kernel/outbound/destinations.ts';
import type { PrivateHosts } from '../../../kernel/outbound/fetch-outside.ts';
import { phrase } from '../../../locales/phrases.ts';
import { fetchedFrom } from '../../import/read-source.ts';

interface Reach {
  readonly privateHosts: PrivateHosts | 'any';
  /** Where this calendar is: its own events would be new to it with every poll. */
  readonly site: string;
}

/** The address that was sent. Throws 400 for one that cannot be fetched, or leads to this calendar itself. */
export function addressIn(text: string, { privateHosts, site }: Reach): string {
  const address = text.trim();
  if (!isSourceAddress(address, privateHosts))
    throw refusedParameter('address', phrase('allowed_source_address', { most: MAX_DESTINATION_LENGTH }));
  if (URL.parse(fetchedFrom(address))?.host === URL.parse(site)?.host)
    throw refusedParameter('address', phrase('allowed_source_elsewhere'));
  return address;
}

/** Whether it can be fetched at all: an http, https or webcal address without credentials, of a host that may be reached. */
function isSourceAddress(address: string, privateHosts: Reach['privateHosts']): boolean {
  const fetched = fetchedFrom(address);
  const host = URL.parse(fetched)?.hostname;
  const allowed = privateHosts === 'any' ? new Set(host === undefined ? [] : [host]) : privateHosts;
  return isDestination(fetched, allowed);
}
