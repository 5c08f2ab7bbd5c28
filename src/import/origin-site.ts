// The site that a record comes from, according to the record.
import { filledTextIn, type Given, isObject } from './fields.ts';

/** The host in lower case; undefined if the record does not say. */
export function siteOf(record: Given): string | undefined {
  const [site = ''] = (filledTextIn(record, 'global_id') ?? '').split(/[/?]/);
  if (site !== '') return site.toLowerCase();
  const links = isObject(record.urls) ? record.urls : {};
  return hostOf(filledTextIn(record, 'rest_url') ?? filledTextIn(links, 'self') ?? filledTextIn(record, 'url'));
}

/** Of an absolute address. */
export const hostOf = (address: string | undefined): string | undefined =>
  address !== undefined && URL.canParse(address) ? new URL(address).host || undefined : undefined;
