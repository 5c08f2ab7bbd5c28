// The effective arguments of a list, and the links that carry them to other pages.

import type { PostKind } from '../calendar/resource/domain/post.ts';
import { listOf } from '../kernel/text/wire-words.ts';
import { visibilityFor } from '../people/auth/policy.ts';
import type { PageWindow, Visibility } from '../read-model/queries.ts';
import type { Assembled } from './bodies.ts';
import type { MadeFrom } from './made-from.ts';
import type { LinkTargets, Reader } from './reader.ts';

/** Name and value of each argument that has an effect, defaults included, in the order of links. */
export type Arguments = readonly (readonly [name: string, value: string])[];

export interface Paging {
  readonly page: number;
  readonly perPage: number;
}

const MAX_PER_PAGE = 50;

/** Parameters of every list, validated and coerced by the schemas of src/http/schemas. */
export interface PagingInput {
  readonly page?: number;
  readonly per_page?: number;
}

/** Page and size as requested, or as configured; sizes are clamped to the maximum. */
export function pagingOf({ page = 1, per_page: perPage }: PagingInput, defaultPerPage: number): Paging {
  return { page, perPage: Math.min(perPage ?? defaultPerPage, MAX_PER_PAGE) };
}

export const windowOf = ({ page, perPage }: Paging): PageWindow => ({ offset: (page - 1) * perPage, limit: perPage });

export const pageCount = (total: number, { perPage }: Paging): number => Math.ceil(total / perPage);

const PLAIN = /^[\w.-]*$/;

/** Encodes an argument like forms: `+` for a blank. */
const encoded = (text: string): string =>
  PLAIN.test(text)
    ? text
    : encodeURIComponent(text.toWellFormed())
        .replaceAll('%20', '+')
        .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

const pair = ([name, value]: Arguments[number]): string => `${encoded(name)}=${encoded(value)}`;

export const queryString = (args: Arguments): string => args.map(pair).join('&');

/** `collection` is the list's address with a trailing slash. A page that does not exist has no link. */
export function listLinks(
  collection: string,
  args: Arguments,
  { page }: Paging,
  pages: number,
): { readonly rest: string; readonly next: string | null; readonly previous: string | null } {
  const pairs = args.map(pair);
  const others = pairs.filter((_, index) => args[index]?.[0] !== 'page');
  const address = (all: readonly string[]): string =>
    all.length === 0 ? collection : `${collection}?${all.join('&')}`;
  const at = (number: number): string => address(number === 1 ? others : [...others, `page=${number}`]);
  return {
    rest: address(pairs),
    next: page < pages ? at(page + 1) : null,
    previous: page > 1 ? at(page - 1) : null,
  };
}

// The `status` filter of lists of posts: what the reader requested, and what the links show of it.

interface StatusFilter {
  readonly visibility: Visibility;
  readonly args: Arguments;
}

/** The filter of a request, or `refused` if the reader may not use it. */
export function statusFilter(value: unknown, kind: PostKind, { caller }: Reader): StatusFilter | 'refused' {
  const requested = value === undefined ? undefined : listOf(value);
  const visibility = visibilityFor(caller, kind, requested);
  if (visibility === 'refused') return 'refused';
  if (requested === undefined) return { visibility, args: [['status', defaultShown(visibility)]] };
  // An empty value means what the reader sees by default; links must keep it.
  const statuses = requested.length === 0 ? visibility.statuses : requested;
  return { visibility, args: [['status', statuses.join(',')]] };
}

/** A reader who by default sees more than what is published requested `any`. */
const defaultShown = ({ statuses, own }: Visibility): string =>
  own === null && statuses.every((status) => status === 'publish') ? 'publish' : 'any';

// Shared by lists of events, venues and organizers: the envelope, and the parsing of list parameters.

/** A filter that the reader may not use, or that is invalid; the parameter's name. */
export interface QueryRefusal {
  readonly refused: string;
}

export interface ListAnswer {
  /** The JSON body in pieces, because a page may have many megabytes; null if the page is past the end. */
  readonly body: readonly string[] | null;
  readonly total: number;
  readonly pages: number;
  /** What the list was made from, if it may outlast changes that cannot touch it. */
  readonly madeFrom?: MadeFrom;
}

/** A parsed list request, before anything is looked up. */
export interface ListPlan {
  /**
   * Everything that the answer depends on besides the read model, the reader's rights and the base of links; as text.
   * "Now" is resolved in it: equal keys mean equal answers.
   */
  readonly key: string;
  readonly read: () => Promise<ListAnswer>;
}

/** The body of a list, assembled from bodies that are JSON text already. */
export function postList(
  collection: 'events' | 'venues' | 'organizers',
  bodies: readonly Pick<Assembled, 'text'>[],
  total: number,
  paging: Paging,
  args: Arguments,
  links: LinkTargets,
  pages: number,
): ListAnswer {
  if (paging.page > Math.max(pages, 1)) return { body: null, total, pages };
  const { rest, next, previous } = listLinks(`${links.root}/${collection}/`, args, paging, pages);
  const items = bodies.flatMap(({ text }, index) => (index === 0 ? [text] : [',', text]));
  const end =
    `],"rest_url":${JSON.stringify(rest)},` +
    `${next === null ? '' : `"next_rest_url":${JSON.stringify(next)},`}` +
    `${previous === null ? '' : `"previous_rest_url":${JSON.stringify(previous)},`}` +
    `"total":${total},"total_pages":${pages}}`;
  return { body: [`{"${collection}":[`, ...items, end], total, pages };
}
