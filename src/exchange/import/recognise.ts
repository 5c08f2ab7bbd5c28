// Recognises a JSON value by its members. File names and addresses are not reliable.
import { COLLECTIONS } from '../../calendar/resource/domain/collections.ts';
import { type Given, isObject } from './fields.ts';

type RecordKind = 'event' | 'venue' | 'organizer' | 'category' | 'tag' | 'unknown';

/** The records of one file or page, and the address of the next page. */
export interface Contents {
  readonly records: readonly unknown[];
  /** Whether the value is a single record, not a list. */
  readonly isSingle: boolean;
  readonly next: string | null;
}

/** Unwraps a list, with its envelope or without; any other value is a single record. */
export function contentsOf(value: unknown): Contents {
  if (Array.isArray(value)) return { records: value, isSingle: false, next: null };
  const lists = isObject(value) && kindOfRecord(value) === 'unknown' ? listsIn(value) : [];
  if (!isObject(value) || lists.length === 0) return { records: [value], isSingle: true, next: null };
  const next = value.next_rest_url;
  return { records: lists.flat(), isSingle: false, next: typeof next === 'string' && next !== '' ? next : null };
}

const listsIn = (value: Given): unknown[][] =>
  Object.values(COLLECTIONS).flatMap((name) => (Array.isArray(value[name]) ? [value[name]] : []));

const TAXONOMIES: { readonly [taxonomy: string]: 'category' | 'tag' } = {
  tribe_events_cat: 'category',
  post_tag: 'tag',
};

/** The kind of a record. An event has a start, a term a taxonomy, a venue or organizer its name under that word. */
export function kindOfRecord(record: unknown): RecordKind {
  if (!isObject(record)) return 'unknown';
  const term = typeof record.taxonomy === 'string' ? TAXONOMIES[record.taxonomy] : undefined;
  if (term) return term;
  if ('start_date' in record || ('id' in record && 'title' in record && 'all_day' in record)) return 'event';
  if (typeof record.organizer === 'string') return 'organizer';
  if (typeof record.venue === 'string' || isNamelessVenue(record)) return 'venue';
  return 'unknown';
}

const isNamelessVenue = (record: Given): boolean =>
  'id' in record && 'show_map' in record && ('city' in record || 'address' in record);
