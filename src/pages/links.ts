// The addresses of pages, as the answers of the API name them.

import { queryText } from '../kernel/text/query-text.ts';
import type { TermView } from '../queries/published.ts';
import type { Day, Month } from './dates.ts';

/** The parameters of an address, in order; empty ones are left out. */
export type Query = readonly (readonly [name: string, value: string])[];

export const address = (path: string, query: Query = []): string =>
  path + queryText(query.filter(([, value]) => value !== ''));

export const without = (query: Query, ...names: readonly string[]): Query =>
  query.filter(([name]) => !names.includes(name));

export const eventPath = (slug: string): string => `/event/${encodeURIComponent(slug)}/`;
export const venuePath = (slug: string): string => `/venue/${encodeURIComponent(slug)}/`;
export const organizerPath = (slug: string): string => `/organizer/${encodeURIComponent(slug)}/`;

/** A category is below those that contain it. */
export const termPath = ({ kind, ancestorSlugs, slug }: TermView): string =>
  kind === 'tag' ? `/tag/${slug}/` : `/events/category/${[...ancestorSlugs, slug].join('/')}/`;

export const dayPath = (day: Day): string => `/events/day/${day}/`;
export const monthPath = (month: Month): string => `/events/month/${month}/`;

/** The path of an absolute address of this site; undefined for one of another. */
export const pathWithin = (site: string, url: string): string | undefined =>
  url.startsWith(`${site}/`) ? url.slice(site.length) : undefined;
