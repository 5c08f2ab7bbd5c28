// The row of a document: everything that a list filters, sorts or counts by, and the words that are searched for. A row is stored
// as the JSON of its members in the order of the tables below, behind a checksum: 357 bytes an event, of the 5,000 that a document
// has. A binary form of our own took a third less, and a third longer to read.
// decision 9
import { crc32 } from 'node:zlib';
import { EVENT_STATUSES } from '../../calendar/event/domain/event-status.ts';
import { POST_STATUSES } from '../../calendar/resource/domain/post.ts';
import { askedOnce } from '../../kernel/event-loop/shared-work.ts';
import type { EpochSeconds } from '../../kernel/time/zone.ts';
import type { Position } from '../../log/envelope.ts';
import { checksumOf, parseStored, withChecksum, withoutChecksum } from '../damage.ts';
import {
  type Document,
  type DocumentKey,
  type DocumentKind,
  type EventDocument,
  endOf,
  type LinkedPostDocument,
  type SeriesDocument,
  searchedText,
  type TermDocument,
} from '../documents.ts';
import type { DocumentChange } from '../read-model.ts';
import { searchText } from '../search-text.ts';
import { FLAGS, traitsOf } from './traits.ts';

interface RowBase<Kind extends DocumentKind> {
  readonly kind: Kind;
  readonly id: number;
  readonly revision: number;
  /** When the latest of its domain events was recorded; `UNKNOWN` is later than any instant. */
  readonly recordedAt: EpochSeconds;
}

export const UNKNOWN = Number.MAX_SAFE_INTEGER;

type EventMembers = Pick<EventDocument, 'startsAt' | 'date' | 'author' | 'parent'> &
  Pick<EventDocument, 'categories' | 'tags' | 'labels' | 'venues' | 'organizers'>;

export interface EventRow extends RowBase<'event'>, EventMembers {
  /** Not before the start. */
  readonly endsAt: number;
  /** Its statuses and flags (see traits.ts). */
  readonly traits: number;
  /** The distinct words of its texts (see `searchText`), with blanks between them. */
  readonly words: string;
  /** The checksum of these words. */
  readonly textDigest: number;
}

type LinkedPostMembers = Pick<LinkedPostDocument, 'status' | 'author' | 'date' | 'life' | 'coordinates'>;

export interface LinkedPostRow extends RowBase<'venue' | 'organizer'>, LinkedPostMembers {
  /** The searchable fields as a `searchText`. */
  readonly text: string;
}

type TermMembers = Pick<TermDocument, 'name' | 'slug' | 'description' | 'parent' | 'deleted'>;

export interface TermRow extends RowBase<'category' | 'tag'>, TermMembers {
  /** Only of a merged one, deleted: the one that stays. */
  readonly mergedInto?: number;
  /** As in its document: lists of terms are made from rows alone. */
  readonly parkedAt?: Position;
}

/** That there is such a series. */
export type SeriesRow = RowBase<'series'>;

export type Row = EventRow | LinkedPostRow | TermRow | SeriesRow;

/** What each member is used by, in the order in which they are packed. */
type Table<Described extends Row> = Readonly<Record<Exclude<keyof Described, 'kind' | 'id'>, string>>;

const EVENT: Table<EventRow> = {
  revision: 'agreement with the document',
  recordedAt: 'lists of other instants',
  startsAt: 'bounds, order',
  endsAt: 'bounds, next edge',
  date: 'order, newest, scheduled',
  traits: 'rights, newest, scheduled, counts of terms, filters',
  author: 'rights',
  parent: 'parent, series, collapse',
  categories: 'filter',
  tags: 'filter',
  labels: 'filter',
  venues: 'venue, geolocated, nearby; upcoming and hasEvents of venues',
  organizers: 'organizer; upcoming and hasEvents of organizers',
  words: 'search',
  textDigest: 'whether the words have changed',
};

const LINKED_POST: Table<LinkedPostRow> = {
  revision: 'agreement with the document',
  recordedAt: 'lists of other instants',
  status: 'rights, scheduled',
  author: 'rights',
  date: 'order, scheduled',
  life: 'links of an earlier life are void',
  coordinates: 'geolocated, nearby',
  text: 'search',
};

const TERM: Table<TermRow> = {
  revision: 'views of terms',
  recordedAt: 'lists of other instants',
  name: 'views of terms',
  slug: 'views of terms',
  description: 'views of terms',
  parent: 'views of terms',
  deleted: 'views of terms',
  mergedInto: 'views of terms',
  parkedAt: 'views of terms',
};

const TABLES: Readonly<Partial<Record<DocumentKind, object>>> = {
  event: EVENT,
  venue: LINKED_POST,
  organizer: LINKED_POST,
  category: TERM,
  tag: TERM,
  series: { revision: 'that there is such a series', recordedAt: 'lists of other instants' } satisfies Table<SeriesRow>,
};

const MEMBERS = new Map(Object.entries(TABLES).map(([kind, table]) => [kind, Object.keys(table)]));
/** They are left out where others are null. */
const OPTIONAL: ReadonlySet<string> = new Set(['mergedInto', 'parkedAt'] satisfies (keyof TermRow)[]);

/**
 * With all members that are never left out, so that rows have a shape: V8 makes tables of objects that get more than some twelve members
 * by computed names (to unpack 100,000 rows takes 0.85 s of processor time instead of 1.0).
 */
const EMPTY_ROWS: ReadonlyMap<string, object> = new Map(
  [...MEMBERS].map(([kind, members]) => {
    const names = ['kind', 'id', ...members.filter((member) => !OPTIONAL.has(member))];
    return [kind, JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null]))))];
  }),
);

/** Another one whenever a member comes or goes, or traits are numbered in another way. */
export const ROW_SHAPE = crc32(JSON.stringify([...MEMBERS.values(), FLAGS, EVENT_STATUSES, POST_STATUSES]));

/** The bytes of a row, or their text. */
export type PackedRow = Uint8Array | string;

export const isPacked = (row: Row | PackedRow | null): row is PackedRow =>
  typeof row === 'string' || row instanceof Uint8Array;

/** The bytes of a row. */
export const packRow = (row: Row): Buffer =>
  Buffer.from(withChecksum(JSON.stringify(MEMBERS.get(row.kind)?.map((member) => row[member as keyof Row]))));

/** The row of such bytes. Throws `ReadModelDamaged`. */
export function unpackRow({ kind, id }: DocumentKey, packed: PackedRow): Row {
  const place = `the row of ${kind} ${id}`;
  const stored =
    typeof packed === 'string' ? packed : Buffer.from(packed.buffer, packed.byteOffset, packed.length).toString();
  const values = parseStored<unknown[]>(withoutChecksum(stored, place), place);
  const row: Record<string, unknown> = { ...EMPTY_ROWS.get(kind), kind, id };
  let at = 0;
  for (const member of MEMBERS.get(kind) ?? []) {
    const value = values[at++];
    if (value !== null || !OPTIONAL.has(member)) row[member] = value;
  }
  return row as unknown as Row; // As the table of its kind describes it.
}

// From documents.

const WORDS = /[^\s\u0001]+/gu;

/** The words of a `searchText`: what is between blanks. A text without blanks occurs in another if it occurs in one of its words. */
export const wordsOf = (searchText: string): string[] => searchText.match(WORDS) ?? [];

function eventRow(event: EventDocument): EventRow {
  const { kind, id, revision, recordedAt = UNKNOWN, startsAt, date, author, parent } = event;
  const { categories, tags, labels, venues, organizers } = event;
  const words = [...new Set(wordsOf(searchedText(event)))].join(' ');
  return {
    kind,
    id,
    revision,
    recordedAt,
    startsAt,
    date,
    author,
    parent,
    categories,
    tags,
    labels,
    venues,
    organizers,
    words,
    traits: traitsOf(event),
    endsAt: endOf(event),
    textDigest: checksumOf(words),
  };
}

function linkedPostRow(post: LinkedPostDocument): LinkedPostRow {
  const { kind, id, revision, recordedAt = UNKNOWN, author, date, life } = post;
  const place = post.kind === 'venue' ? post.coordinates : null;
  return {
    kind,
    id,
    revision,
    recordedAt,
    author,
    date,
    life,
    status: post.status,
    coordinates: place,
    text: searchText(post.searchable),
  };
}

function termRow(term: TermDocument): TermRow {
  const { kind, id, revision, recordedAt = UNKNOWN, name, slug, description, parent } = term;
  const { deleted, mergedInto, parkedAt } = term;
  return {
    kind,
    id,
    revision,
    recordedAt,
    name,
    slug,
    description,
    parent,
    deleted,
    ...(mergedInto !== undefined && { mergedInto }),
    ...(parkedAt !== undefined && { parkedAt }),
  };
}

const seriesRow = ({ kind, id, revision, recordedAt = UNKNOWN }: SeriesDocument): SeriesRow => ({
  kind,
  id,
  revision,
  recordedAt,
});

/** Made once for the storage and for the index that follows what is applied. */
export const rowOfChange = askedOnce(({ document }: DocumentChange) => document && rowOf(document), new WeakMap());

/** The row of a document; null: documents of its kind are in no list of the index. */
export function rowOf(document: Document): Row | null {
  switch (document.kind) {
    case 'event':
      return eventRow(document);
    case 'venue':
    case 'organizer':
      return linkedPostRow(document);
    case 'category':
    case 'tag':
      return termRow(document);
    case 'series':
      return seriesRow(document);
    default:
      return null;
  }
}
