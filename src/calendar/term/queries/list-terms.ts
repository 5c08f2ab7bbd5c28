// The lists of categories and tags.

import { slugFrom } from '../../../kernel/text/slug.ts';
import { listOf } from '../../../kernel/text/wire-words.ts';
import { accessibleTo } from '../../../people/auth/policy.ts';
import {
  type Arguments,
  type ListPlan,
  listLinks,
  type Paging,
  type PagingInput,
  pageCount,
  pagingOf,
  windowOf,
} from '../../../queries/arguments.ts';
import { embeddedTermObject, termObject } from '../../../queries/assemble.ts';
import type { QueryDependencies, Reader } from '../../../queries/reader.ts';
import { searchedText } from '../../../queries/text-search.ts';
import type { TermOrder, TermQuery } from '../../../read-model/queries.ts';
import { pairsOf } from '../../event/queries/list-events.ts';
import type { TermKind } from '../domain/term.ts';

/** The parameters of `GET /categories` and `GET /tags`. */
export interface TermListInput extends PagingInput {
  readonly search?: string;
  readonly exclude?: unknown;
  readonly include?: unknown;
  readonly order?: string;
  readonly orderby?: string;
  readonly hide_empty?: boolean;
  readonly parent?: number;
  readonly post?: number;
  readonly event?: number;
  readonly slug?: string;
  readonly as_of?: string;
  readonly with?: string;
  readonly context?: string;
}

const ORDERS: { readonly [name: string]: TermOrder } = {
  name: 'name',
  id: 'id',
  term_id: 'id',
  term_order: 'id',
  slug: 'slug',
  count: 'count',
  description: 'description',
  parent: 'parent',
  include: 'include',
  none: 'none',
};

/** Answers with a page of categories or tags; a page past the end is empty. */
export function planTermList(
  dependencies: QueryDependencies,
  kind: TermKind,
  input: TermListInput,
  { caller, links }: Pick<Reader, 'caller' | 'links'>,
): ListPlan {
  const paging = pagingOf(input, dependencies.perPage);
  const event = input.event ?? input.post;
  const query: TermQuery = {
    kind,
    events: accessibleTo(caller),
    page: windowOf(paging),
    hideEmpty: input.hide_empty !== false && event === undefined,
    orderBy: orderOf(input),
    direction: input.order === undefined || input.order.toLowerCase() === 'asc' ? 'ascending' : 'descending',
    ...(input.search === undefined ? {} : { search: searchedText(input.search) }),
    ...(input.slug === undefined ? {} : { slug: slugFrom(input.slug) }),
    ...(event === undefined ? {} : { event }),
    ...(kind === 'category' && input.parent !== undefined ? { parent: input.parent } : {}),
    ...idFilters(input),
  };
  const args = argumentsOf(input, kind, paging);
  const shape = input.context === 'embed' ? 'embedded' : 'whole';
  return {
    key: JSON.stringify([query, args, shape]),
    async read() {
      const { items, total } = await dependencies.readModel.listTerms(query);
      const pages = pageCount(total, paging);
      const collection = kind === 'category' ? 'categories' : 'tags';
      const { rest, next, previous } = listLinks(`${links.root}/${collection}/`, args, paging, pages);
      const objectOf = shape === 'embedded' ? embeddedTermObject : termObject;
      const body = JSON.stringify({
        rest_url: rest,
        total,
        total_pages: pages,
        [collection]: items.map((term) => objectOf(term, links)),
        ...(next === null ? {} : { next_rest_url: next }),
        ...(previous === null ? {} : { previous_rest_url: previous }),
      });
      return { body: [body], total, pages };
    },
  };
}

/** Without a list there is no order of the list. */
function orderOf({ orderby, include }: TermListInput): TermOrder {
  const order = ORDERS[(orderby ?? 'name').toLowerCase()] ?? 'name';
  return order === 'include' && include === undefined ? 'name' : order;
}

/** Only ids select; a slug is a valid value that selects nothing. `include` overrides `exclude`. */
function idFilters({ include, exclude }: TermListInput): Partial<TermQuery> {
  const ids = (value: unknown): number[] => listOf(value).map(Number).filter(Number.isSafeInteger);
  if (include !== undefined) return { include: ids(include) };
  return exclude === undefined ? {} : { exclude: ids(exclude) };
}

/** Every filter that has an effect. `rest_url` is that of the whole list; only links to other pages have `page`. */
function argumentsOf(input: TermListInput, kind: TermKind, { perPage }: Paging): Arguments {
  const names: (keyof TermListInput)[] = [
    'search',
    input.include === undefined ? 'exclude' : 'include',
    'order',
    'orderby',
    'hide_empty',
  ];
  if (kind === 'category') names.push('parent');
  names.push(input.event === undefined ? 'post' : 'event', 'slug', 'as_of', 'with');
  return [['per_page', String(perPage)], ...pairsOf(input, names)];
}
