// The base of links: the address under which the client reached us, unless the operator has set one.

import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import { askedOnce } from '../kernel/event-loop/shared-work.ts';
import { commonHeaders, type HeaderSet } from './answers/headers.ts';
import { ApiError } from './errors.ts';
import { forwardedSite } from './forwarded.ts';
import type { Links } from './route.ts';
import type { ShellSettings } from './settings.ts';

/** A public address of this service and everything derived from it. */
export interface Site {
  readonly url: string;
  /** On every answer of the API. */
  readonly headers: HeaderSet;
  /** `prefix` without slashes around it. */
  readonly links: (prefix: string) => Links;
}

export type Sites = ReturnType<typeof createSites>;

/** Clients choose their Host header, so the cache is bounded. */
const MAX_SITES = 256;
const HOST = /^(?:[a-z0-9_](?:[a-z0-9_.-]{0,252}[a-z0-9_.])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

export function createSites({ siteUrl, trustForwarded }: Pick<ShellSettings, 'siteUrl' | 'trustForwarded'>) {
  if (siteUrl !== null) {
    const fixed = makeSite(siteUrl.replace(/\/+$/, ''));
    return { of: () => fixed, unknown: fixed };
  }
  const siteAt = askedOnce(makeSite, new LRUCache<string, Site>({ max: MAX_SITES }));
  return {
    /** Used if a request has no host. */
    unknown: makeSite('http://localhost'),
    /** Throws `rest_invalid_host`. */
    of: (headers: IncomingHttpHeaders) =>
      siteAt(trustForwarded ? forwardedUrl(headers) : `http://${validHost(headers.host)}`),
  };
}

/** HTTP/1.0 allows requests without a host. */
function validHost(host: string | undefined): string {
  if (host === undefined || host === '') return 'localhost';
  if (!HOST.test(host)) throw new ApiError('rest_invalid_host');
  return host.toLowerCase();
}

function forwardedUrl(headers: IncomingHttpHeaders): string {
  const { scheme, host } = forwardedSite(headers);
  return `${scheme}://${validHost(host)}`;
}

function makeSite(url: string): Site {
  const host = url.replace(/^https?:\/\//i, '').replace(/^(\[[^\]]*\]|[^/:]*):\d+/, '$1');
  return {
    url,
    headers: commonHeaders(url),
    links: askedOnce((prefix: string): Links => ({ site: url, root: `${url}/${prefix}`, host })),
  };
}

/** The path that a site is under, which a proxy in front takes away; `''` for none. */
export const pathOfSite = (site: string): string => new URL(site).pathname.replace(/\/+$/, '');

/** Whether browsers reach a site over TLS alone. */
export const isEncrypted = (site: string): boolean => site.startsWith('https:');
