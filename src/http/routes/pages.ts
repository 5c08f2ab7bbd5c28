// Answers that are not cached, and pages of such lists.
import type { FastifyReply } from 'fastify';
import type { HistoryEntry } from '../../editorial/history/queries/history.ts';
import type { ErrorCode } from '../../locales/error-catalogue.ts';
import type { Language } from '../../locales/language.ts';
import {
  type Arguments,
  listLinks,
  type Paging,
  type PagingInput,
  pageCount,
  pagingOf,
  windowOf,
} from '../../queries/arguments.ts';
import { digestOf } from '../../queries/digest.ts';
import { entityTag } from '../answers/etag.ts';
import type { HeaderSet } from '../answers/headers.ts';
import { ApiError } from '../errors.ts';

interface Page {
  readonly paging: Paging;
  readonly total: number;
}

/** Links and totals. `address` is that of the list, with a slash at its end; `names` are the arguments that count. */
export function pageMembers<Name extends string>(
  address: string,
  query: { readonly [Argument in Name]?: unknown },
  names: readonly Name[],
  { paging, total }: Page,
) {
  const textOf = (name: Name): string => {
    if (name === 'page') return String(paging.page);
    return name === 'per_page' ? String(paging.perPage) : String(query[name]);
  };
  const args: Arguments = names.flatMap((name) => (query[name] === undefined ? [] : [[name, textOf(name)] as const]));
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

interface Marks {
  /** The revision of the one resource that the answer shows. */
  readonly revision?: number;
  /** The language of the texts in the answer. */
  readonly language?: Language;
}

/** An answer whose tag follows from all that it says. */
export function sendMarked(reply: FastifyReply, content: object, { revision, language }: Marks = {}): FastifyReply {
  const body = JSON.stringify(content);
  const mark = digestOf(body);
  return reply.conditional(body, revision === undefined ? `"${mark}"` : entityTag(revision, mark), language);
}

interface ListedPage extends Page, Marks {
  /** The path of the list below the API's root. */
  readonly path: string;
  /** Arguments as they were sent, if the links do not have them as they were read. */
  readonly query?: object;
  /** Those that count. */
  readonly names?: readonly string[];
  /** The error of a page behind the last one; the first page is always there. Absent: an empty page. */
  readonly pastTheEnd?: ErrorCode;
}

const PAGE = ['page', 'per_page'];

/** A page of a list that is not cached. `members` are what it shows; links and totals come after them. */
export function sendPage(
  reply: FastifyReply,
  members: object,
  { paging, total, path, query = reply.request.query as object, names = PAGE, pastTheEnd, ...marks }: ListedPage,
): FastifyReply {
  if (pastTheEnd && paging.page > Math.max(1, pageCount(total, paging))) throw new ApiError(pastTheEnd);
  const links = pageMembers(`${reply.request.links.root}/${path}/`, { ...query }, names, { paging, total });
  return sendMarked(reply.headers(totalsOf(total, paging)), { ...members, ...links }, marks);
}

/** A page of a list of which all is at hand. `membersOf` are what it shows of those that are on it. */
export async function sendPart<Item>(
  reply: FastifyReply,
  all: readonly Item[],
  membersOf: (some: readonly Item[]) => object | Promise<object>,
  { perPage, ...page }: Omit<ListedPage, 'paging' | 'total'> & { readonly perPage: number },
): Promise<FastifyReply> {
  const paging = pagingOf(reply.request.query as PagingInput, perPage); // As every list of pages takes it.
  const { offset, limit } = windowOf(paging);
  const members = await membersOf(all.slice(offset, offset + limit));
  return sendPage(reply, members, { ...page, paging, total: all.length });
}

/** A page of a history, newest first. Throws `rest_history_page_not_found`. */
export const sendHistory = (
  reply: FastifyReply,
  entries: readonly HistoryEntry[],
  page: Pick<ListedPage, 'path' | keyof Marks> & { readonly perPage: number },
): Promise<FastifyReply> =>
  sendPart(reply, entries, (history) => ({ history }), { ...page, pastTheEnd: 'rest_history_page_not_found' });
