// Recognises a JSON value by its members. File names and addresses are not reliable.
import { COLLECTIONS } from '../../calendar/resource/domain/collections.ts';
import { type Given, isObject } from './fields.ts';
import { eventsIn, isLinkedData } from './formats/table/linked-data.ts';

type RecordKind = 'event' | 'venue' | 'organizer' | 'category' | 'tag' | 'unknown';

/** The records of one file or page, and the address of the next page. */
export interface Contents {
  readonly records: readonly unknown[];
  /** Whether the value is a single record, not a list. */
  readonly isSingle: boolean;
  readonly next: string | null;
  /** It says that there is more, and not where. */
  readonly isPart: boolean;
}

/** Of a list that is told in one page. */
export const WHOLE = { isSingle: false, next: null, isPart: false } as const;

/** Unwraps a list, with its envelope or without; any other value is a single record. */
export function contentsOf(value: unknown): Contents {
  const events = isLinkedData(value) ? eventsIn(value) : [];
  if (events.length > 0) return { ...WHOLE, records: events, next: isObject(value) ? nextIn(value) : null };
  if (Array.isArray(value)) return { ...WHOLE, records: recordsIn(value) };
  const lists = isObject(value) && kindOfRecord(value) === 'unknown' ? listsIn(value) : [];
  if (!isObject(value) || lists.length === 0) return { ...WHOLE, records: [value], isSingle: true };
  const next = nextIn(value);
  return { records: recordsIn(lists.flat()), isSingle: false, next, isPart: next === null && saysMore(value) };
}

/** What other providers call their lists, and what leads to them. */
const LISTS = [...Object.values(COLLECTIONS), 'items', 'value', 'entries', 'edges', '@graph', 'itemListElement'];
const [DEEPEST, ENVELOPES] = [4, /^(?:data|.*events?|group.*)$/i];

function listsIn(value: Given, depth = 0): unknown[][] {
  const lists = LISTS.flatMap((name) => (Array.isArray(value[name]) ? [value[name]] : []));
  if (lists.length > 0 || depth === DEEPEST) return lists;
  return Object.entries(value).flatMap(([name, inner]) =>
    ENVELOPES.test(name) && isObject(inner) ? listsIn(inner, depth + 1) : [],
  );
}

/** Without the wrapping of each, and without what schema.org calls something else than an event. */
const recordsIn = (list: readonly unknown[]): readonly unknown[] =>
  list
    .map((one) => (isObject(one) && ['event', 'node', 'item'].map((name) => one[name]).find(isObject)) || one)
    .filter((one) => !isObject(one) || !('@type' in one) || 'startDate' in one || 'start' in one);

/** Cursors of GraphQL, and of others. */
const MORE: ReadonlySet<string> = new Set(['hasNextPage', 'has_more_items', 'has_more', 'hasMore']);

function saysMore(value: Given, depth = 0): boolean {
  return Object.entries(value).some(
    ([name, inner]) =>
      (inner === true && MORE.has(name)) || (depth < DEEPEST + 2 && isObject(inner) && saysMore(inner, depth + 1)),
  );
}

/** An address, or what is to be asked for besides; null for the last page. */
function nextIn(value: Given): string | null {
  const { pagination, page, 'hydra:view': view } = value;
  const tokens = {
    pageToken: value.nextPageToken,
    pagination_cursor: value.next_cursor,
    continuation: isObject(pagination) ? pagination.continuation : null,
    page: isObject(page) && Number(page.current) < Number(page.total) ? String(Number(page.current) + 1) : null,
  };
  const asked = Object.entries(tokens).find(([, token]) => typeof token === 'string' && token !== '');
  const next =
    value.next_rest_url ??
    value['@odata.nextLink'] ??
    (isObject(view) ? view['hydra:next'] : undefined) ??
    (asked && `?${new URLSearchParams([asked.map(String)])}`);
  return typeof next === 'string' && next !== '' ? next : null;
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
  if ('start_date' in record || ('id' in record && 'title' in record && 'all_day' in record)) return 'event';
  if (typeof record.organizer === 'string') return 'organizer';
  if (typeof record.venue === 'string' || isNamelessVenue(record)) return 'venue';
  return 'unknown';
}

const isNamelessVenue = (record: Given): boolean =>
  'id' in record && 'show_map' in record && ('city' in record || 'address' in record);
