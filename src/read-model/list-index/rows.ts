// The row of a document: everything that a list filters, sorts or counts by, packed into some dozens of bytes, and the words
// that are searched for. The tables below describe the rows once: packing, unpacking and the columns of the index follow
// from them.
import { crc32 } from 'node:zlib';
import { EVENT_STATUSES, type EventStatus } from '../../domain/event-status.ts';
import { POST_STATUSES, type PostStatus } from '../../domain/post.ts';
import { ReadModelDamaged } from '../damage.ts';
import {
  type Document,
  type DocumentKey,
  type DocumentKind,
  type DocumentLink,
  type EventDocument,
  endOf,
  type LinkedPostDocument,
  type SeriesDocument,
  searchedText,
  type TermDocument,
} from '../documents.ts';
import { searchText } from '../search-text.ts';

interface RowBase<Kind extends DocumentKind> {
  readonly kind: Kind;
  readonly id: number;
  readonly revision: number;
}

type EventMembers = Pick<
  EventDocument,
  'startsAt' | 'date' | 'status' | 'author' | 'parent' | 'hidden' | 'protected' | 'featured' | 'ticketed'
> &
  Pick<EventDocument, 'categories' | 'tags' | 'venues' | 'organizers'>;

export interface EventRow extends RowBase<'event'>, EventMembers {
  /** Not before the start. */
  readonly endsAt: number;
  readonly eventStatus: EventStatus;
  readonly isVirtual: boolean;
  readonly isFree: boolean;
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
}

/** That there is such a series. */
export type SeriesRow = RowBase<'series'>;

export type Row = EventRow | LinkedPostRow | TermRow | SeriesRow;

// Packing.

const FIRST_BYTES = 4_096;
/** Bytes of UTF-8 for one unit of a string, at most. */
const UTF8_UNIT = 3;
/** Of a number below 2^53, seven bits a byte. */
const NUMBER_BYTES = 8;

let bytes = Buffer.allocUnsafe(FIRST_BYTES);
let end = 0;

function reserve(size: number): void {
  if (end + size > bytes.length) bytes = Buffer.concat([bytes], 2 * (end + size));
}

/** Where unpacking is. */
interface Cursor {
  readonly bytes: Buffer;
  at: number;
}

interface Codec<Value> {
  write(value: Value): void;
  read(from: Cursor): Value;
}

/** Whole numbers from 0, small ones in few bytes. */
const natural: Codec<number> = {
  write(value) {
    reserve(NUMBER_BYTES);
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes[end++] = (rest % 0x80) | 0x80;
    bytes[end++] = rest;
  },
  read(from) {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = from.bytes[from.at++] ?? 0;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  },
};

/** Any number. */
const number: Codec<number> = {
  write(value) {
    reserve(NUMBER_BYTES);
    end = bytes.writeDoubleLE(value, end);
  },
  read(from) {
    from.at += NUMBER_BYTES;
    return from.bytes.readDoubleLE(from.at - NUMBER_BYTES);
  },
};

const flag: Codec<boolean> = {
  write: (value) => natural.write(Number(value)),
  read: (from) => natural.read(from) === 1,
};

const nullable = <Value>(codec: Codec<Value>): Codec<Value | null> => ({
  write(value) {
    flag.write(value !== null);
    if (value !== null) codec.write(value);
  },
  read: (from) => (flag.read(from) ? codec.read(from) : null),
});

const optional = <Value>(codec: Codec<Value>): Codec<Value | undefined> => ({
  write: (value) => nullable(codec).write(value ?? null),
  read: (from) => nullable(codec).read(from) ?? undefined,
});

const list = <Value>(codec: Codec<Value>): Codec<readonly Value[]> => ({
  write(values) {
    natural.write(values.length);
    for (const value of values) codec.write(value);
  },
  read: (from) => Array.from({ length: natural.read(from) }, () => codec.read(from)),
});

const oneOf = <Value extends string>(values: readonly Value[]): Codec<Value> => ({
  write: (value) => natural.write(values.indexOf(value)),
  read(from) {
    const value = values[natural.read(from)];
    if (value === undefined) throw new RangeError('a row has an unknown value');
    return value;
  },
});

/** Without halves of surrogate pairs, as a `searchText` is. */
const text: Codec<string> = {
  write(value) {
    reserve(NUMBER_BYTES + value.length * UTF8_UNIT);
    const length = Buffer.byteLength(value);
    natural.write(length);
    end += bytes.write(value, end);
  },
  read(from) {
    const length = natural.read(from);
    from.at += length;
    return from.bytes.toString('utf8', from.at - length, from.at);
  },
};

/** Any text, to the unit. */
const exactText: Codec<string> = {
  write: (value) => text.write(JSON.stringify(value)),
  read: (from) => String(JSON.parse(text.read(from))),
};

const link: Codec<DocumentLink> = {
  write({ id, life }) {
    natural.write(id);
    natural.write(life);
  },
  read: (from) => ({ id: natural.read(from), life: natural.read(from) }),
};

const coordinates: Codec<{ readonly lat: number; readonly lng: number }> = {
  write({ lat, lng }) {
    number.write(lat);
    number.write(lng);
  },
  read: (from) => ({ lat: number.read(from), lng: number.read(from) }),
};

/** How each member is packed, in this order. */
type Table<Described extends Row> = {
  readonly [Member in Exclude<keyof Described, 'kind' | 'id'>]-?: Codec<Described[Member]>;
};

const status = oneOf<PostStatus>(POST_STATUSES);

// Raise ROWS_VERSION with every change of a table: rows of another version are not read, and the read model is refilled.
export const ROWS_VERSION = 1;

/** Flags are also columns of the index; a query may filter by each that has its name. */
const EVENT: Table<EventRow> = {
  revision: natural,
  startsAt: number, // bounds, order
  endsAt: number, // bounds, next edge
  date: number, // order, newest, scheduled
  status, // rights, newest, scheduled, counts of terms
  author: natural, // rights
  parent: nullable(natural), // parent, series, collapse
  hidden: flag, // every list
  protected: flag, // rights, counts of terms
  featured: flag,
  ticketed: flag,
  isVirtual: flag,
  isFree: flag,
  eventStatus: oneOf<EventStatus>(EVENT_STATUSES),
  categories: list(natural),
  tags: list(natural),
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
};

const SERIES: Table<SeriesRow> = { revision: natural };

/** The flags of an event, in the order of their bits in the index. */
export const FLAGS = [
  'hidden',
  'protected',
  'featured',
  'ticketed',
  'isVirtual',
  'isFree',
] as const satisfies readonly (keyof EventRow)[];

const TABLES = {
  event: EVENT,
  venue: LINKED_POST,
  organizer: LINKED_POST,
  category: TERM,
  tag: TERM,
  series: SERIES,
} as const;

type RowKind = keyof typeof TABLES;

/** Whether documents of a kind have rows. */
export const hasRow = (kind: DocumentKind): kind is RowKind => kind in TABLES;

const membersOf = Object.fromEntries(
  // Which member a codec belongs to is checked where the tables are written.
  Object.entries(TABLES).map(([kind, table]) => [kind, Object.entries(table as Record<string, Codec<unknown>>)]),
);

const CHECKSUM_BYTES = 4;

/** The bytes of a row; they end with a checksum. */
export function packRow(row: Row): Buffer {
  end = 0;
  for (const [member, codec] of membersOf[row.kind] ?? []) codec.write(row[member as keyof Row]);
  reserve(CHECKSUM_BYTES);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, end)), end);
  return Buffer.from(bytes.subarray(0, end + CHECKSUM_BYTES));
}

/** The row of such bytes. Throws `ReadModelDamaged`. */
export function unpackRow({ kind, id }: DocumentKey, packed: Uint8Array): Row {
  const from = { bytes: Buffer.from(packed.buffer, packed.byteOffset, packed.length), at: 0 };
  const size = from.bytes.length - CHECKSUM_BYTES;
  const members = membersOf[kind];
  if (members === undefined || size < 0 || from.bytes.readUInt32LE(size) !== crc32(from.bytes.subarray(0, size)))
    throw new ReadModelDamaged(`the row of ${kind} ${id}`);
  const row: Record<string, unknown> = { kind, id };
  for (const [member, codec] of members) {
    const value = codec.read(from);
    if (value !== undefined) row[member] = value;
  }
  return row as unknown as Row; // As the table of its kind describes it.
}

// From documents.

const BLANKS = /[\s\u0001]+/u;

/** The words of a `searchText`: what is between blanks. A text without blanks occurs in another if it occurs in one of its words. */
export const wordsOf = (found: string): string[] => found.split(BLANKS).filter((word) => word !== '');

function eventRow(event: EventDocument): EventRow {
  const { kind, id, revision, startsAt, date, status: published, author, parent, hidden, featured, ticketed } = event;
  const { categories, tags, venues, organizers } = event;
  return {
    ...{ kind, id, revision, startsAt, date, author, parent, hidden, featured, ticketed },
    ...{ categories, tags, venues, organizers },
    status: published,
    endsAt: endOf(event),
    protected: event.protected,
    eventStatus: event.eventStatus ?? 'scheduled',
    isVirtual: event.isVirtual ?? false,
    isFree: event.isFree ?? false,
    words: [...new Set(wordsOf(searchedText(event)))].join(' '),
  };
}

function linkedPostRow(post: LinkedPostDocument): LinkedPostRow {
  const { kind, id, revision, author, date, life } = post;
  const place = post.kind === 'venue' ? post.coordinates : null;
  return {
    ...{ kind, id, revision, author, date, life },
    status: post.status,
    coordinates: place,
    text: searchText(post.searchable),
  };
}

function termRow({ kind, id, revision, name, slug, description, parent, deleted, mergedInto }: TermDocument): TermRow {
  return {
    ...{ kind, id, revision, name, slug, description, parent, deleted },
    ...(mergedInto !== undefined && { mergedInto }),
  };
}

const seriesRow = ({ kind, id, revision }: SeriesDocument): SeriesRow => ({ kind, id, revision });

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
