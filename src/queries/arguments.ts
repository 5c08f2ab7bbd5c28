// The effective arguments of a list, and the links that carry them to other pages.
import type { PageWindow } from '../read-model/queries.ts';

/** Name and value of each argument that has an effect, defaults included, in the order of links. */
export type Arguments = readonly (readonly [name: string, value: string])[];

export interface Paging {
  readonly page: number;
  readonly perPage: number;
}

export const MOST_PER_PAGE = 50;

/** Parameters of every list, validated and coerced by the schemas of src/http/schemas. */
export interface PagingInput {
  readonly page?: number;
  readonly per_page?: number;
}

/**
 * Additional parameters of lists of events, venues and organizers. Lists are in the notation in which they were sent.
 */
export interface PostListInput extends PagingInput {
  readonly search?: string;
  readonly status?: unknown;
  readonly as_of?: string;
}

/** Page and size as requested, or as configured; sizes are clamped to the maximum. */
export function pagingOf({ page = 1, per_page: perPage }: PagingInput, defaultPerPage: number): Paging {
  return { page, perPage: Math.min(perPage ?? defaultPerPage, MOST_PER_PAGE) };
}

export const windowOf = ({ page, perPage }: Paging): PageWindow => ({ offset: (page - 1) * perPage, limit: perPage });

export const pageCount = (total: number, { perPage }: Paging): number => Math.ceil(total / perPage);

/** Encodes an argument like forms: `+` for a blank. */
const encoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replaceAll('%20', '+')
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

export const queryString = (args: Arguments): string =>
  args.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');

const address = (collection: string, args: Arguments): string =>
  args.length === 0 ? collection : `${collection}?${queryString(args)}`;

/** `collection` is the list's address with a trailing slash. A page that does not exist has no link. */
export function listLinks(
  collection: string,
  args: Arguments,
  { page }: Paging,
  pages: number,
): { readonly rest: string; readonly next: string | null; readonly previous: string | null } {
  const others = args.filter(([name]) => name !== 'page');
  const at = (number: number): string =>
    address(collection, number === 1 ? others : [...others, ['page', String(number)] as const]);
  return {
    rest: address(collection, args),
    next: page < pages ? at(page + 1) : null,
    previous: page > 1 ? at(page - 1) : null,
  };
}
