// Searches that users keep under a name, for the list of events at the desk.
import { accepted, type Decision, type Fact, rejected } from '../../../domain/decider.ts';

export interface SavedSearch {
  readonly name: string;
  /** The filters of the list, as they are in its address, without `?`. */
  readonly query: string;
}

/** Absent until there is such a fact. */
export interface Searcher {
  /** In the order in which they were saved; beyond the limit the oldest are left out. */
  readonly searches?: readonly SavedSearch[];
}

export type SearchFact = Fact<'UserSearchSaved', SavedSearch> | Fact<'UserSearchRemoved', Pick<SavedSearch, 'name'>>;

type Person = Searcher & { readonly erased?: true };

export const MAX_SEARCHES = 50;
export const MAX_SEARCH_NAME = 100;
export const MAX_QUERY = 2_000;

const removal = (name: string): SearchFact => ({ type: 'UserSearchRemoved', data: { name } });

/** Saves a search in place of one of the same name, and of the one called `former`. */
export function saveSearch(
  { searches = [], erased }: Person,
  { name, query }: SavedSearch,
  former: string = name,
): Decision<SearchFact> {
  if (erased) return rejected('user_not_found');
  const isRenamed = former !== name && searches.some((one) => one.name === former);
  const isKept = searches.some((one) => one.name === name && one.query === query);
  return accepted([
    ...(isRenamed ? [removal(former)] : []),
    ...(isKept ? [] : [{ type: 'UserSearchSaved', data: { name, query } } as const]),
  ]);
}

/** Removes one; where there is none of that name, nothing changes. */
export const removeSearch = ({ searches = [] }: Person, name: string): Decision<SearchFact> =>
  accepted(searches.some((one) => one.name === name) ? [removal(name)] : []);

/** A user after such a fact. */
export function evolveSearches<U extends Searcher>(user: U, fact: SearchFact): U {
  const others = (user.searches ?? []).filter(({ name }) => name !== fact.data.name);
  if (fact.type === 'UserSearchRemoved') return { ...user, searches: others };
  const { name, query } = fact.data;
  return { ...user, searches: [...others, { name, query }].slice(-MAX_SEARCHES) };
}
