// The row of a document: everything that a list filters, sorts or counts by, packed into some dozens of bytes, and the words
// that are searched for. The tables below describe the rows once: packing, unpacking and the columns of the index follow
// from them.
// decision 9
import { crc32 } from 'node:zlib';
import type { EventLabel } from '../../calendar/event/domain/event-labels.ts';
import { EVENT_STATUSES, type EventStatus } from '../../calendar/event/domain/event-status.ts';
import { LISTED_FLAGS, type ListedFlag } from '../../calendar/event/domain/event-traits.ts';
import { POST_STATUSES, type PostStatus } from '../../calendar/resource/domain/post.ts';
import { askedOnce } from '../../kernel/event-loop/shared-work.ts';
import type { Position } from '../../log/envelope.ts';
import { ReadModelDamaged } from '../damage.ts';
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
import {
  type Codec,
  coordinates,
  exactText,
  flag,
  link,
  list,
  natural,
  nullable,
  number,
  oneOf,
  optional,
  packed,
  text,
  unpacking,
} from './codecs.ts';

interface RowBase<Kind extends DocumentKind> {
  readonly kind: Kind;
  readonly id: number;
  readonly revision: number;
}

type EventMembers = Pick<EventDocument, 'startsAt' | 'date' | 'status' | 'author' | 'parent' | 'hidden' | 'protected'> &
  Pick<EventDocument, 'categories' | 'tags' | 'labels' | 'venues' | 'organizers'>;

export type EventFlag = 'hidden' | 'protected' | ListedFlag;

export interface EventRow extends RowBase<'event'>, EventMembers, Readonly<Record<ListedFlag, boolean>> {
  /** Not before the start. */
  readonly endsAt: number;
  readonly eventStatus: EventStatus;
  /** The distinct words of its texts (see `searchText`), with blanks between them. */
  readonly words: string;
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
type SeriesRow = RowBase<'series'>;

export type Row = EventRow | LinkedPostRow | TermRow | SeriesRow;

/** How each member is packed, in this order. */
type Table<Described extends Row> = {
  readonly [Member in Exclude<keyof Described, 'kind' | 'id'>]-?: Codec<Described[Member]>;
};

const status = oneOf<PostStatus>(POST_STATUSES);

/** Also columns of the index, in the order of their bits. A query may filter by each that has its name. */
export const FLAGS: readonly EventFlag[] = ['hidden', 'protected', ...LISTED_FLAGS.map(({ member }) => member)];

const EVENT: Table<EventRow> = {
  revision: natural,
  startsAt: number, // bounds, order
  endsAt: number, // bounds, next edge
  date: number, // order, newest, scheduled
  status, // rights, newest, scheduled, counts of terms
  author: natural, // rights
  parent: nullable(natural), // parent, series, collapse
  // `hidden`: every list. `protected`: rights, counts of terms. The others: filters of their names.
  ...(Object.fromEntries(FLAGS.map((member) => [member, flag])) as Record<EventFlag, Codec<boolean>>), // A codec for each.
  eventStatus: oneOf<EventStatus>(EVENT_STATUSES),
  categories: list(natural),
  tags: list(natural),
  labels: list(text as Codec<EventLabel>), // Only such are written.
  venues: list(link), // venue, geolocated, nearby; upcoming and hasEvents of venues
  organizers: list(link),
  words: text, // search
};

const LINKED_POST: Table<LinkedPostRow> = {
  revision: natural,
  status, // rights, scheduled
  author: natural, // rights
  date: number, // order, scheduled
  life: natural, // links of an earlier life are void
  coordinates: nullable(coordinates), // geolocated, nearby
  text, // search
};

const TERM: Table<TermRow> = {
  revision: natural,
  name: exactText,
  slug: exactText,
  description: exactText,
  parent: natural,
  deleted: flag,
  mergedInto: optional(natural),
  parkedAt: optional(exactText),
};

const SERIES: Table<SeriesRow> = { revision: natural };

const TABLES = {
  event: EVENT,
  venue: LINKED_POST,
  organizer: LINKED_POST,
  category: TERM,
  tag: TERM,
  series: SERIES,
} as const;

const membersOf = Object.fromEntries(
  // Which member a codec belongs to is checked where the tables are written.
  Object.entries(TABLES).map(([kind, table]) => [kind, Object.entries(table as Record<string, Codec<unknown>>)]),
);

/** Another one whenever a member comes or goes. */
export const ROW_SHAPE = crc32(JSON.stringify(Object.values(TABLES).map((table) => Object.keys(table))));

/** The bytes of a row; they end with a checksum. */
export const packRow = (row: Row): Buffer =>
  packed(() => {
    for (const [member, codec] of membersOf[row.kind] ?? []) codec.write(row[member as keyof Row]);
  });

/** The row of such bytes. Throws `ReadModelDamaged`. */
export function unpackRow({ kind, id }: DocumentKey, bytes: Uint8Array): Row {
  const from = unpacking(bytes);
  const members = membersOf[kind];
  if (from === null || members === undefined) throw new ReadModelDamaged(`the row of ${kind} ${id}`);
  const row: Record<string, unknown> = { kind, id };
  for (const [member, codec] of members) {
    const value = codec.read(from);
    if (value !== undefined) row[member] = value;
  }
  return row as unknown as Row; // As the table of its kind describes it.
}

// From documents.

const WORDS = /[^\s\u0001]+/gu;

/** The words of a `searchText`: what is between blanks. A text without blanks occurs in another if it occurs in one of its words. */
export const wordsOf = (searchText: string): string[] => searchText.match(WORDS) ?? [];

const flagsOf = (event: EventDocument): Record<EventFlag, boolean> =>
  // Each of them.
  Object.fromEntries(FLAGS.map((flag) => [flag, event[flag] ?? false])) as Record<EventFlag, boolean>;

function eventRow(event: EventDocument): EventRow {
  const { kind, id, revision, startsAt, date, status: published, author, parent } = event;
  const { categories, tags, labels, venues, organizers } = event;
  return {
    kind,
    id,
    revision,
    startsAt,
    date,
    author,
    parent,
    categories,
    tags,
    labels,
    venues,
    organizers,
    ...flagsOf(event),
    status: published,
    endsAt: endOf(event),
    eventStatus: event.eventStatus ?? 'scheduled',
    words: [...new Set(wordsOf(searchedText(event)))].join(' '),
  };
}

function linkedPostRow(post: LinkedPostDocument): LinkedPostRow {
  const { kind, id, revision, author, date, life } = post;
  const place = post.kind === 'venue' ? post.coordinates : null;
  return {
    kind,
    id,
    revision,
    author,
    date,
    life,
    status: post.status,
    coordinates: place,
    text: searchText(post.searchable),
  };
}

function termRow(term: TermDocument): TermRow {
  const { kind, id, revision, name, slug, description, parent, deleted, mergedInto, parkedAt } = term;
  return {
    kind,
    id,
    revision,
    name,
    slug,
    description,
    parent,
    deleted,
    ...(mergedInto !== undefined && { mergedInto }),
    ...(parkedAt !== undefined && { parkedAt }),
  };
}

const seriesRow = ({ kind, id, revision }: SeriesDocument): SeriesRow => ({ kind, id, revision });

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
