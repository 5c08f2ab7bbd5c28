// The conditions of a list of events, each as a list of its own that holds one event or none. The read model that filters
// the list gives every verdict, so no filter is written twice.
// decision 9
import { POST_STATUSES } from '../../../calendar/resource/domain/post.ts';
import { type EventQuery, looksBehindMasks, type TimeBounds, type Visibility } from '../../../read-model/queries.ts';

/** Filters with a single condition; the others are handled below. */
type PlainFilter = Exclude<
  keyof EventQuery,
  'visibility' | 'unmasked' | 'linked' | 'page' | 'order' | 'bounds' | 'search' | 'include' | 'collapse'
>;

/** `listable`: not hidden from all lists. `word` and `excluded word`: one of a search. */
export type ConditionName =
  | 'listable'
  | 'status'
  | 'password'
  | keyof TimeBounds
  | 'word'
  | 'excluded word'
  | 'include'
  | 'collapse'
  | PlainFilter;

export interface Condition {
  readonly name: ConditionName;
  /** The word of a search. */
  readonly word?: string;
  /** Matches the event if it fulfils this condition, and nothing else. */
  readonly query: EventQuery;
}

const ANY: Visibility = { statuses: POST_STATUSES, own: null };
/** A page of nothing: only the total counts. */
const NO_PAGE = { offset: 0, limit: 0 };
/** A search that looks into texts for no word. */
const NO_WORDS = { words: [], without: [] };

/** Everything that an event must fulfil to be in a list, in the order of the answer. */
export function conditionsOf(query: EventQuery, id: number): Condition[] {
  const {
    visibility,
    unmasked,
    linked,
    page: _,
    order,
    bounds,
    search,
    include,
    collapse: _collapse,
    ...filters
  } = query;
  const open = {
    visibility: ANY,
    unmasked: ANY,
    linked,
    page: NO_PAGE,
    bounds: {},
    order: 'start',
    include: [id],
  } as const;
  const alone = (name: ConditionName, part: Partial<EventQuery>): Condition => ({ name, query: { ...open, ...part } });
  return [
    alone('listable', {}),
    alone('status', { visibility }),
    ...(looksBehindMasks(query) ? [alone('password', { unmasked, search: NO_WORDS })] : []),
    ...entriesOf(bounds).map(([name, at]) => alone(name, { bounds: { [name]: at } })),
    ...(search?.words ?? []).map((word) => ({ ...alone('word', { search: { words: [word], without: [] } }), word })),
    ...(search?.without ?? []).map((word) => ({
      ...alone('excluded word', { search: { words: [], without: [word] } }),
      word,
    })),
    ...(include ? [alone('include', { include: include.filter((one) => one === id) })] : []),
    ...entriesOf(filters).map(([name, value]) => alone(name, { [name]: value })),
  ];
}

/** The members that are there. */
const entriesOf = <Members extends object>(members: Members): [keyof Members & string, unknown][] =>
  // Objects of these types have no other members.
  Object.entries(members).filter(([, value]) => value !== undefined) as [keyof Members & string, unknown][];

/** Conditions about content that a password hides: then they are left out. */
export const isBehindMask = ({ name, query }: Condition): boolean => name !== 'password' && looksBehindMasks(query);
