// Shared by lists of events, venues and organizers: the envelope, and the parsing of list parameters.
import { listOf } from '../text/wire-words.ts';
import { type Arguments, listLinks, type Paging } from './arguments.ts';
import type { Assembled } from './assemble.ts';
import type { LinkTargets } from './reader.ts';

/** A filter that the reader may not use, or that is invalid; the parameter's name. */
export interface QueryRefusal {
  readonly refused: string;
}

export interface ListAnswer {
  /** The JSON body in pieces, because a page may have many megabytes; null if the page is past the end. */
  readonly body: readonly string[] | null;
  readonly total: number;
  readonly pages: number;
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

/** Ids of a validated list parameter. */
export const idsOf = (value: unknown): number[] => listOf(value).map(Number);

/** The body of a list, assembled from bodies that are JSON text already. */
export function postList(
  collection: 'events' | 'venues' | 'organizers',
  bodies: readonly Assembled[],
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
