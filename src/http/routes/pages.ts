// Pages of lists that are not cached: histories and users.
import type { FastifyReply } from 'fastify';
import type { HistoryEntry } from '../../editorial/history/queries/history.ts';
import type { Language } from '../../locales/language.ts';
import { type Arguments, listLinks, type Paging, pageCount, pagingOf, windowOf } from '../../queries/arguments.ts';
import { digestOf } from '../../queries/digest.ts';
import type { HeaderSet } from '../answers/headers.ts';
import { ApiError } from '../errors.ts';

interface Page {
  readonly paging: Paging;
  readonly total: number;
}

/** Links and totals. `address` is that of the list, with a slash at its end; `names` are the arguments that count. */
export function pageMembers<Name extends string>(
  address: string,
  asked: { readonly [Asked in Name]?: unknown },
  names: readonly Name[],
  { paging, total }: Page,
) {
  const shown = (name: Name): string => {
    if (name === 'page') return String(paging.page);
    return name === 'per_page' ? String(paging.perPage) : String(asked[name]);
  };
  const args: Arguments = names.flatMap((name) => (asked[name] === undefined ? [] : [[name, shown(name)] as const]));
  const pages = pageCount(total, paging);
  const { rest, next, previous } = listLinks(address, args, paging, pages);
  return {
    rest_url: rest,
    ...(next !== null && { next_rest_url: next }),
    ...(previous !== null && { previous_rest_url: previous }),
    total,
    total_pages: pages,
  };
}

export const totalsOf = (total: number, paging: Paging): HeaderSet => ({
  'X-TEC-Total': String(total),
  'X-TEC-TotalPages': String(pageCount(total, paging)),
});

interface HistoryAsked {
  readonly query: { readonly page?: number; readonly per_page?: number };
  readonly perPage: number;
  /** With a slash at its end. */
  readonly address: string;
  readonly language: Language;
}

const PAGE = ['page', 'per_page'] as const;

/** A page of the history of something that there is once. Throws `rest_history_page_not_found`. */
export function sendHistory(
  reply: FastifyReply,
  entries: readonly HistoryEntry[],
  { query, perPage, address, language }: HistoryAsked,
) {
  const paging = pagingOf(query, perPage);
  const total = entries.length;
  if (paging.page > Math.max(1, pageCount(total, paging))) throw new ApiError('rest_history_page_not_found');
  const { offset, limit } = windowOf(paging);
  const body = JSON.stringify({
    history: entries.slice(offset, offset + limit),
    ...pageMembers(address, query, PAGE, { paging, total }),
  });
  return reply.headers(totalsOf(total, paging)).conditional(body, `"${digestOf(body)}"`, language);
}
