// What the pages of venues, organizers, categories and tags ask the API for.

import type { Members } from '../../../editorial/history/desk/reading.ts';
import type { Answer, PageOf } from '../../../http/schemas/components.ts';
import { lineOfHtml } from '../../../kernel/text/html-text.ts';
import { ApiProblem, type DeskApi, type Problem } from '../../../pages/desk/api.ts';
import { type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { mayListUnpublished } from '../../../people/auth/policy.ts';
import type { DeskKind } from './kinds.ts';
import { type WrittenFields, writtenValues } from './values.ts';

/** One of a list. */
export interface Listed {
  readonly id: number;
  /** Plain text. */
  readonly name: string;
  /** What distinguishes it from others of the same name. */
  readonly place: string;
  /** The status of a post; '' for a term. */
  readonly status: string;
  /** How many events a term has; null of posts. */
  readonly count: number | null;
  /** 0: at the top. */
  readonly parent: number;
  readonly mergedInto?: number;
  /** It is shown as it was before an event that cannot be applied. */
  readonly isParked: boolean;
}

export interface ListedPage {
  readonly items: readonly Listed[];
  readonly total: number;
  readonly pages: number;
  readonly problem: Problem | null;
}

export const STATES = ['publish', 'draft', 'pending', 'private', 'trash'] as const;
const OPEN_STATES = 'publish,draft,pending,private,future';
const PER_PAGE = 25;
/** The most that the API answers at once. */
const MAX_PER_PAGE = 50;
/** Pages of terms that are shown as one tree. */
const MAX_PAGES = 10;

/** The page of a list that the address asks for. */
export function listed(request: DeskRequest, kind: DeskKind): Promise<ListedPage> {
  const { parameters, user } = request;
  return pageOf(request.api, kind, {
    search: textOf(parameters, 'search'),
    as_of: textOf(parameters, 'as_of'),
    page: textOf(parameters, 'page'),
    per_page: PER_PAGE,
    ...(kind.isPost &&
      textOf(parameters, 'as_of') === '' &&
      mayListUnpublished(user) && { status: textOf(parameters, 'state') || OPEN_STATES }),
  });
}

/** The first ones that have these words, of any state but the bin. */
export const search = async ({ api, user }: DeskRequest, kind: DeskKind, words: string): Promise<readonly Listed[]> =>
  (
    await pageOf(api, kind, {
      search: words,
      per_page: MAX_PER_PAGE,
      ...(kind.isPost && mayListUnpublished(user) && { status: OPEN_STATES }),
    })
  ).items;

async function pageOf(
  api: DeskApi,
  kind: DeskKind,
  query: { readonly [name: string]: string | number },
): Promise<ListedPage> {
  const all = { ...query, ...(!kind.isPost && { hide_empty: '0' }) };
  const { body, problem } = await api.ask<ListAnswer>(`/${kind.collection}`, all);
  if (problem) return { items: [], total: 0, pages: 0, problem };
  const items = (body[kind.collection] ?? []).map((one) => listedOf(kind, one));
  return { items, total: body.total, pages: body.total_pages, problem: null };
}

type ListAnswer = Partial<PageOf<DeskKind['collection'], Members>> & PageOf<never, Members>;

function listedOf(kind: DeskKind, one: Members): Listed {
  const text = (name: string): string => (typeof one[name] === 'string' ? lineOfHtml(one[name]) : '');
  const place = kind.kind === 'venue' ? [text('address'), text('city')] : [text('email')];
  return {
    id: Number(one.id),
    name: text(kind.name),
    place: place.filter(Boolean).join(', '),
    status: text('status'),
    count: typeof one.count === 'number' ? one.count : null,
    parent: typeof one.parent === 'number' ? one.parent : 0,
    isParked: one.parked_at !== undefined,
    ...(typeof one.merged_into === 'number' && { mergedInto: one.merged_into }),
  };
}

/** A term in its tree. */
export interface Branch extends Listed {
  readonly below: readonly Branch[];
}

/** All terms of a kind as a tree; null if they are too many for one page. */
export async function treeOf(api: DeskApi, kind: DeskKind): Promise<readonly Branch[] | null> {
  const all: Listed[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { items, pages, problem } = await pageOf(api, kind, { per_page: MAX_PER_PAGE, page });
    if (problem) throw new ApiProblem(problem);
    if (pages > MAX_PAGES) return null;
    all.push(...items);
    if (page >= pages) break;
  }
  return grown(all);
}

function grown(all: readonly Listed[]): readonly Branch[] {
  const ids = new Set(all.map(({ id }) => id));
  const below = (parent: number): readonly Branch[] =>
    all
      .filter((one) => (ids.has(one.parent) ? one.parent : 0) === parent)
      .map((one) => ({ ...one, below: below(one.id) }));
  return below(0);
}

/** Every branch with its depth, in the order of the tree, without that of `id`: what a term cannot be moved below. */
export const flattened = (
  branches: readonly Branch[],
  without: string | undefined,
  depth = 0,
): readonly (Listed & { readonly depth: number })[] =>
  branches.flatMap((one) =>
    String(one.id) === without ? [] : [{ ...one, depth }, ...flattened(one.below, without, depth + 1)],
  );

/** A resource as its form fills it in. */
export async function sourceOf(api: DeskApi, kind: DeskKind, id: string) {
  const { body, problem } = await api.ask<{ readonly fields: WrittenFields; readonly revision: number }>(
    `/${kind.collection}/${id}/fields`,
  );
  // For a term that never was, the API says that its number is wrong.
  if (problem) throw new ApiProblem(problem.status === 400 ? { ...problem, status: 404 } : problem);
  return { values: writtenValues(kind, body.fields), etag: `"${body.revision}"` };
}

/** What became of one that has no form any more: `into`, or null if it was deleted. Null: it is there, if only in the bin. */
export async function goneOf(api: DeskApi, kind: DeskKind, id: string) {
  const { status, body, problem } = await api.ask<{ readonly data?: { readonly merged_into?: number } }>(
    `/${kind.collection}/${id}`,
  );
  if (status === 308) return { into: body.data?.merged_into ?? null };
  return problem !== null && !kind.isPost ? { into: null } : null;
}

export type Named = Awaited<ReturnType<typeof namedOf>>;

/** With its name as plain text; its number, where it cannot be read. */
export async function namedOf(api: DeskApi, kind: DeskKind, id: string) {
  const { body, problem } = await api.ask<Members>(`/${kind.collection}/${id}`);
  return { id, name: (problem === null && lineOfHtml(String(body[kind.name] ?? ''))) || id };
}

export type Merge = Answer<'Merge'>;
export type Duplicate = Answer<'Duplicate'>;

export type AlikePage = PageOf<'duplicates', Duplicate>;

export const alikeOf = (api: DeskApi, kind: DeskKind, page: string): Promise<AlikePage> =>
  api.read(`/${kind.collection}/duplicates`, { page, per_page: PER_PAGE });

interface Entry {
  readonly revision: number;
  readonly type: string;
}

/** How many of the newest changes are searched for the end: little happens after it. */
const SEARCHED = 50;

/** The revision before it was merged or deleted: where the way back leads. */
export async function beforeTheEnd(api: DeskApi, kind: DeskKind, id: string): Promise<number | null> {
  const { history } = await api.read<{ readonly history: readonly Entry[] }>(`/${kind.collection}/${id}/history`, {
    per_page: SEARCHED,
  });
  const end = history.find(({ type }) => /(?:Merged|Deleted)$/.test(type));
  return end === undefined ? null : end.revision - 1;
}
