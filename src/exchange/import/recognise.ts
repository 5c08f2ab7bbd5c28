// Recognises a JSON value by its members. File names and addresses are not reliable.
import { COLLECTIONS } from '../../calendar/resource/domain/collections.ts';
import { type ForeignRecord, isObject, isWallClock } from './fields.ts';
import { isOfPublication } from './formats/table/headings.ts';
import { eventsIn, isLinkedData } from './formats/table/linked-data.ts';
import { begins, plainRecords } from './formats/table/plain-records.ts';
import { LOOKED_AT, othersIn } from './persons-and-places.ts';

type RecordKind = 'event' | 'venue' | 'organizer' | 'category' | 'tag' | 'unknown';

/** The records of one file or page, and the address of the next page. */
export interface Contents {
  readonly records: readonly unknown[];
  /** Whether the value is a single record, not a list. */
  readonly isSingle: boolean;
  readonly next: string | null;
  /** It says that there is more, and not where. */
  readonly isPart: boolean;
  /** What its records seem to be instead of events, such as `members`; null if they may be events. */
  readonly others: string | null;
}

/** What is said of a list that is told in one page. */
export const WHOLE = { isSingle: false, next: null, isPart: false, others: null } as const;

/** Unwraps a list, with its envelope or without; any other value is a single record. */
export function contentsOf(value: unknown): Contents {
  const events = isLinkedData(value) ? eventsIn(value) : [];
  if (events.length > 0)
    return { ...WHOLE, records: events, next: isObject(value) ? nextIn(value, events.length) : null };
  if (Array.isArray(value)) return { ...WHOLE, ...recordsOf([{ name: '', list: value }]) };
  const lists = isObject(value) && kindOfRecord(value) === 'unknown' ? listsIn(value) : [];
  if (!isObject(value) || lists.length === 0)
    return { ...WHOLE, records: [value], isSingle: true, others: othersIn([value]) };
  const contents = recordsOf(lists);
  const next = nextIn(value, contents.records.length);
  return { ...contents, isSingle: false, next, isPart: next === null && saysMore(value, contents.records.length) };
}

interface NamedList {
  readonly name: string;
  readonly list: readonly unknown[];
}

/** Beside a list of events those of persons and places are not read. */
function recordsOf(lists: readonly NamedList[]): Pick<Contents, 'records' | 'others'> {
  const all = lists.map(({ name, list }) => ({ records: recordsIn(list), name }));
  const candidates = all.map(({ records, name }) => ({ records, others: othersIn(records, name) }));
  const events = candidates.filter(({ others }) => others === null);
  const [first] = events.length > 0 ? events : candidates;
  return {
    records: (events.length > 0 ? events : candidates).flatMap(({ records }) => records),
    others: first?.others ?? null,
  };
}

/** What other providers call their lists, and what leads to them. */
const LISTS = Object.values<string>(COLLECTIONS).concat(
  'data items value entries edges results records features documents rows orderedItems @graph itemListElement'.split(
    ' ',
  ),
);
const [DEEPEST, ENVELOPES] = [4, /^(?:_?embedded|data|response|results?|resultsPage|hits|payload|.*events?|group.*)$/i];

/** The lists that have such names, or else those whose records begin at some time, as near to the root as there are any. */
function listsIn(value: ForeignRecord): readonly NamedList[] {
  const named = listsNamed(value, 0);
  if (named.some(isOfEvents) || begins(value)) return named;
  let others = named.some(({ list }) => isDated(list)) ? named : [];
  for (let level: readonly ForeignRecord[] = [value], depth = 0; depth < DEEPEST + 2; depth += 1) {
    const members = level.flatMap((one) => Object.entries(one));
    const lists = members.flatMap(([name, list]) => (Array.isArray(list) && isDated(list) ? [{ name, list }] : []));
    if (lists.some(isOfEvents)) return lists;
    if (others.length === 0) others = lists;
    level = members.flatMap(([, one]) => (isObject(one) ? [one] : []));
  }
  return others.length > 0 ? others : named;
}

const isDated = (list: readonly unknown[]): boolean =>
  list.slice(0, LOOKED_AT).some((one) => isObject(one) && plainRecords(one, '').some(begins));

const isOfEvents = ({ name, list }: NamedList): boolean => isDated(list) && othersIn(list, name) === null;

function listsNamed(value: ForeignRecord, depth: number): readonly NamedList[] {
  const lists = LISTS.flatMap((name) => (Array.isArray(value[name]) ? [{ name, list: value[name] }] : []));
  if (lists.length > 0 || depth === DEEPEST) return lists;
  return Object.entries(value).flatMap(([name, inner]) => {
    if (!ENVELOPES.test(name)) return [];
    return isObject(inner) ? listsNamed(inner, depth + 1) : Array.isArray(inner) ? [{ name, list: inner }] : [];
  });
}

/** Without the wrapping of each, and without what schema.org calls something else than an event. */
const recordsIn = (list: readonly unknown[]): readonly unknown[] =>
  list
    .map((one) => (isObject(one) ? recordWithin(one) : one))
    .filter((one) => !isObject(one) || !('@type' in one) || 'startDate' in one || 'start' in one);

/** What is said of its publication beside a record is said in it. */
function recordWithin(one: ForeignRecord): ForeignRecord {
  const record = ['event', 'node', 'item'].map((name) => one[name]).find(isObject);
  if (!record) return one;
  const beside = Object.entries(one).filter(([name, value]) => value !== record && isOfPublication(name));
  if (beside.length === 0) return record;
  return { ...record, meta: { ...Object.fromEntries(beside), ...(isObject(record.meta) && record.meta) } };
}

/** What says which page it is: a list, or a part of one beside it. */
function pagersIn(value: ForeignRecord, isPager: (name: string) => boolean, depth = 0): readonly ForeignRecord[] {
  const inner = Object.entries(value).flatMap(([name, one]) =>
    isObject(one) && depth < DEEPEST + 2 && isPager(name) ? pagersIn(one, isPager, depth + 1) : [],
  );
  return [value, ...inner];
}

const isPager = (name: string): boolean => PAGERS.test(name) || ENVELOPES.test(name);
const PAGERS = /^(?:paging|pagination|pages?|page_?info|meta|_?links|cursors?|hydra:view|view|search_metadata)$/i;
/** Cursors of GraphQL, and of others. */
const MORE = /^has_?(?:next_?page|more(?:_?items)?|next)$/i;
const NEXT = /^(?:@odata\.nextLink|next_rest_url|hydra:next|next|next_?(?:page_?)?(?:url|link|href|uri)?)$/i;
/** Whole, or as seen from the page; a cursor may have slashes, too. */
const ADDRESS = /^(?:https?:|\.{0,2}[/?]|[\w/.-]+\?[\w[\]-]+=)\S*$/;
/** What is asked for besides, by the member that has its value. */
const TOKENS = new Map(
  Object.entries({ nextPageToken: 'pageToken', next_cursor: 'pagination_cursor', nextCursor: 'cursor' }),
)
  .set('continuation', 'continuation')
  .set('offset', 'offset');
/** Numbers of pages: of this one, of the last, and what is asked for. */
const NUMBERS = 'current total page,current_page last_page page,page pageCount pagination[page],page total_pages page'
  .concat(',page totalPages page,page pages page')
  .split(',')
  .map((names) => names.split(' '));

const COUNTS = ['total_pages', 'totalPages', 'last_page', 'lastPage', 'page_count', 'pageCount', 'pages'];
const CURRENT = ['current_page', 'currentPage', 'page', 'current'];
const SIZES = ['per_page', 'perPage', 'page_size', 'pageSize', 'size', 'limit'];
const TOTALS = ['total', 'total_count', 'totalCount', 'totalItems', 'totalElements', 'total_items', 'count', 'nhits'];
const PREVIOUS = /^prev/i;
const LAST = /^(?:is_?)?last(?:_?page)?$/i;

/** Whether there are others behind a page that leads nowhere, by whatever it says of that first. */
function saysMore(value: ForeignRecord, count: number): boolean {
  const isMarked = (one: ForeignRecord): boolean =>
    Object.keys(one).some((name) => one[name] === true && MORE.test(name));
  if (pagersIn(value, () => true).some(isMarked)) return true;
  const pagers = pagersIn(value, isPager);
  const members = pagers.flatMap((pager) => Object.entries(pager));
  const next = members
    .filter(([name, one]) => NEXT.test(name) || (TOKENS.has(name) && typeof one !== 'number'))
    .map(([, one]) => one);
  if (next.some(isFilled)) return true;
  const last = members.find(([name, one]) => LAST.test(name) && typeof one === 'boolean')?.[1];
  if (last !== undefined) return last === false;
  if (next.length > 0 || members.some(([name]) => MORE.test(name))) return false;
  const [pages] = numbersIn(pagers, COUNTS);
  // A page that does not say which it is, and has one before it, would lead to the next one.
  const isLast = members.some(([name, one]) => PREVIOUS.test(name) && isFilled(one));
  const [page = isLast ? (pages ?? 1) : 1] = numbersIn(pagers, CURRENT);
  // Those of Spring are counted from 0.
  const [number = page - 1] = numbersIn(pagers, ['number']);
  if (pages !== undefined) return number + 1 < pages;
  const [total] = numbersIn(pagers, TOTALS);
  const [size = count] = numbersIn(pagers, SIZES);
  const [before = number * size] = numbersIn(pagers, ['offset', 'skip', 'start', 'startIndex']);
  return total !== undefined && total > before + count;
}

/** A page, a cursor, or an address that cannot be followed. */
const isFilled = (one: unknown): boolean =>
  isObject(one) ? Object.values(one).some(isFilled) : one !== null && one !== undefined && one !== '' && one !== false;

const numbersIn = (pagers: readonly ForeignRecord[], names: readonly string[]): readonly number[] =>
  names.flatMap((name) => pagers.map((pager) => pager[name])).flatMap((one) => (isNumber(one) ? [Number(one)] : []));

const isNumber = (one: unknown): boolean => typeof one === 'number' || /^\d+$/.test(String(one));

/** An address, or what is to be asked for besides; null for the last page. */
function nextIn(value: ForeignRecord, count: number): string | null {
  const { after, total } = value;
  if (Array.isArray(after) && Number(total) > count)
    return `?${new URLSearchParams(after.map((one) => ['after[]', String(one)]))}`;
  for (const pager of pagersIn(value, isPager)) {
    for (const [name, one] of Object.entries(pager)) {
      const relation =
        Array.isArray(one) && isPager(name) ? one.find((link) => isObject(link) && link.rel === 'next') : undefined;
      const target = relation ?? (NEXT.test(name) ? one : undefined);
      const link = isObject(target) ? (target.href ?? target.url) : target;
      if (typeof link === 'string' && ADDRESS.test(link)) return link;
      const parameter = TOKENS.get(name);
      if (parameter !== undefined && typeof one === 'string' && one !== '')
        return `?${new URLSearchParams([[parameter, one]])}`;
    }
    for (const [current = '', last = '', asked = ''] of NUMBERS)
      if (Number(pager[current]) < Number(pager[last]))
        return `?${new URLSearchParams([[asked, String(Number(pager[current]) + 1)]])}`;
  }
  return null;
}

const TAXONOMIES: { readonly [taxonomy: string]: 'category' | 'tag' } = {
  tribe_events_cat: 'category',
  post_tag: 'tag',
};

/** The kind of a record. An event has a start, a term a taxonomy, a venue or organizer its name under that word. */
export function kindOfRecord(record: unknown): RecordKind {
  if (!isObject(record) || '@type' in record) return 'unknown';
  const term = typeof record.taxonomy === 'string' ? TAXONOMIES[record.taxonomy] : undefined;
  if (term) return term;
  if (isOfApi(record)) return 'event';
  // A row may name its venue and its organizer.
  if (Object.keys(record).some((name) => /^(?:start|begin)/i.test(name))) return 'unknown';
  if ('id' in record && 'title' in record && 'all_day' in record) return 'event';
  if ('title' in record || 'name' in record) return 'unknown';
  if (typeof record.organizer === 'string') return 'organizer';
  if (typeof record.venue === 'string' || isNamelessVenue(record)) return 'venue';
  return 'unknown';
}

/** Other lists have a `start_date` as well. */
const isOfApi = (record: ForeignRecord): boolean =>
  'start_date' in record &&
  (OF_API.some((name) => name in record) || ('id' in record && isWallClock(String(record.start_date))));
const OF_API = ['all_day', 'utc_start_date', 'start_date_details', 'global_id', 'rest_url'];

const isNamelessVenue = (record: ForeignRecord): boolean =>
  'id' in record && 'show_map' in record && ('city' in record || 'address' in record);
