// Pages of lists that are not cached: histories and users.
import { type Arguments, listLinks, type Paging, pageCount } from '../../queries/arguments.ts';
import type { HeaderSet } from '../headers.ts';

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
