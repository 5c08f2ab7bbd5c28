// The index entries of a document, in the format of the script that applies them. The script works with sets, scores,
// members and counters without their meaning; it stores a description to remove everything later.
import { POST_STATUSES, type PostKind, type PostStatus } from '../../domain/post.ts';
import {
  type Document,
  type DocumentKey,
  type DocumentKind,
  type DocumentLink,
  type EventDocument,
  endOf,
  isPostKind,
  type LinkedPostDocument,
  namesOf,
  searchedText,
  statusCode,
  type TermDocument,
} from '../documents.ts';
import { type EventAccess, isAccessible } from '../queries.ts';
import { searchText } from '../search-text.ts';
import { flagSetsOf, flagsOf } from './event-flags.ts';
import { keyNamed, letterOf } from './keys.ts';

export interface Indexed {
  /** Member of all sets: sorts by what breaks ties and contains everything that a filter needs (docs/redis-keys.md). */
  readonly member: Buffer;
  readonly scores: readonly [number, number];
  /** Sets by the first score, and by the second. */
  readonly first: readonly string[];
  readonly second: readonly string[];
  /** Counters; each name once. */
  readonly counters: readonly string[];
  /** Latitude, and the member there. */
  readonly place: { readonly lat: number; readonly member: string } | null;
  /** Sets by publication date, and the member there. */
  readonly dated: { readonly date: number; readonly member: string; readonly sets: readonly string[] } | null;
  readonly names: readonly string[];
  /** The search text; empty: nothing. */
  readonly text: string;
}

const NOTHING: Indexed = {
  member: Buffer.alloc(0),
  scores: [0, 0],
  first: [],
  second: [],
  counters: [],
  place: null,
  dated: null,
  names: [],
  text: '',
};

/**
 * Lines: first and second score, sets by the first, sets by the second, counters, latitude and place, member and sets
 * by date, names.
 */
export function described({ scores, first, second, counters, place, dated, names }: Indexed): string {
  const where = place ? `${place.lat} ${place.member}` : '';
  const byDate = dated ? [dated.member, ...dated.sets].join(' ') : '';
  return `${scores[0]}\n${scores[1]}\n${first.join(' ')}\n${second.join(' ')}\n${counters.join(' ')}\n${where}\n${byDate}\n${names.join('\n')}`;
}

/** Added to instants, which are stored as six unsigned bytes. */
export const TIME_OFFSET = 2 ** 46;

/** Bounds beyond any instant. */
export const clampedTime = (seconds: number): number => Math.max(-TIME_OFFSET, Math.min(TIME_OFFSET - 1, seconds));

/** Starts are grouped by periods of this many seconds: about twelve days. */
export const PERIOD = 2 ** 20;

/** Lengths below 2^14 seconds (four and a half hours) need no set of their own; see lua/include/event-counts.lua. */
const MIN_POWER = 14;
/** Lengths of more than a thousand years count as this power of two. */
const MAX_POWER = 35;

/** The set of events of about the same length; null: short ones have none. */
function lengthSet(status: number, length: number): string | null {
  const power = Math.floor(Math.log2(Math.max(1, length)));
  return power < MIN_POWER ? null : `m${status}.${Math.min(MAX_POWER, power)}`;
}

/** Bytes of an event's member before its lists. */
const EVENT_FIXED = 46;

function recordWriter(size: number) {
  const buffer = Buffer.allocUnsafe(size);
  let at = 0;
  return {
    buffer,
    number(value: number) {
      at = buffer.writeUIntBE(value, at, 6);
    },
    time(seconds: number) {
      at = buffer.writeUIntBE(clampedTime(seconds) + TIME_OFFSET, at, 6);
    },
    byte(value: number) {
      at = buffer.writeUInt8(value, at);
    },
    count(value: number) {
      at = buffer.writeUInt16BE(value, at);
    },
  };
}

interface Assigned {
  readonly categories: readonly number[];
  readonly tags: readonly number[];
  readonly venues: readonly DocumentLink[];
  readonly organizers: readonly DocumentLink[];
}

const distinctLinks = (links: readonly DocumentLink[]): DocumentLink[] => [
  ...new Map(links.map((link) => [`${link.id}.${link.life}`, link])).values(),
];

const assignedOf = ({ categories, tags, venues, organizers }: EventDocument): Assigned => ({
  categories: [...new Set(categories)],
  tags: [...new Set(tags)],
  venues: distinctLinks(venues),
  organizers: distinctLinks(organizers),
});

function eventMember(event: EventDocument, endsAt: number, assigned: Assigned): Buffer {
  const { categories, tags, venues, organizers } = assigned;
  const numbers = categories.length + tags.length + 2 * (venues.length + organizers.length);
  const record = recordWriter(EVENT_FIXED + 6 * numbers);
  record.time(event.startsAt);
  record.time(event.date);
  record.number(event.id);
  record.time(endsAt);
  record.byte(statusCode(event.status));
  record.byte(flagsOf(event));
  record.number(event.author);
  record.number(event.parent ?? 0);
  for (const list of [categories, tags, venues, organizers]) record.count(list.length);
  for (const id of [...categories, ...tags]) record.number(id);
  for (const { id, life } of [...venues, ...organizers]) {
    record.number(id);
    record.number(life);
  }
  return record.buffer;
}

const lived = (letter: string, links: readonly DocumentLink[]): string[] =>
  links.map(({ id, life }) => `${letter}${id}.${life}`);

function eventSets(event: EventDocument, length: string | null, links: readonly string[]): string[] {
  const status = statusCode(event.status);
  return [
    `s${status}`,
    ...(length === null ? [] : [length]),
    // A reader's own published events are found among all published ones, except in unusual queries: those may take
    // longer.
    ...(event.status === 'publish' ? [] : [`a${event.author}.${status}`]),
    ...links,
    ...flagSetsOf(event),
    ...(event.parent === null ? [] : [`p${event.parent}`]),
  ];
}

type Publicity = Pick<EventDocument, 'status' | 'author' | 'protected'>;

/** Whether the public may read all of it. */
const isOpen = (event: Publicity): boolean => event.status === 'publish' && !event.protected;

/** Statuses in which an event counts for its venues and organizers. */
const SETTLED: readonly PostStatus[] = POST_STATUSES.filter((status) => status !== 'draft' && status !== 'pending');

const statusSuffix = (event: Publicity): string => `/${statusCode(event.status)}${event.protected ? 'p' : ''}`;

/** Suffixes of a link's counters: one for all open events, the rest by status and by author. */
function attendanceCounters(event: Publicity): string[] {
  if (!SETTLED.includes(event.status)) return [];
  return isOpen(event) ? [''] : [statusSuffix(event), `${statusSuffix(event)}.${event.author}`];
}

/** Those counters that tell a reader whether a post has events. */
export function attendanceCountersFor(access: EventAccess): string[] {
  const authors = [access.visible.own?.author, access.unmasked.own?.author].filter((author) => author !== undefined);
  const closed = SETTLED.flatMap((status) => [
    ...(status === 'publish' ? [] : [{ status, author: NO_AUTHOR, protected: false }]),
    { status, author: NO_AUTHOR, protected: true },
  ]);
  const visible = closed.flatMap((event) =>
    isAccessible(event, access)
      ? [statusSuffix(event)]
      : [...new Set(authors)]
          .filter((author) => isAccessible({ ...event, author }, access))
          .map((author) => `${statusSuffix(event)}.${author}`),
  );
  return ['', ...visible];
}

/** No user has this id. */
const NO_AUTHOR = 0;

function indexedEvent(event: EventDocument): Indexed {
  const endsAt = endOf(event);
  const status = statusCode(event.status);
  const assigned = assignedOf(event);
  const terms = [...assigned.categories.map((id) => `c${id}`), ...assigned.tags.map((id) => `t${id}`)];
  const posts = [...lived('v', assigned.venues), ...lived('o', assigned.organizers)];
  const length = lengthSet(status, endsAt - event.startsAt);
  const counters = [
    ...(event.hidden || length === null ? [] : [length]),
    ...(isOpen(event) ? terms : []),
    ...posts.flatMap((link) => attendanceCounters(event).map((suffix) => link + suffix)),
  ];
  return {
    ...NOTHING,
    member: eventMember(event, endsAt, assigned),
    scores: [clampedTime(event.startsAt), clampedTime(endsAt)],
    first: event.hidden ? ['h'] : eventSets(event, length, [...terms, ...posts]),
    second: [event.hidden ? 'hn' : `n${status}`],
    counters,
    dated: datedPost(event, event.status === 'publish' && !event.hidden ? [NEWEST] : []),
    names: nameEntries(event),
    text: searchedText(event),
  };
}

function indexedLinkedPost(post: LinkedPostDocument): Indexed {
  const record = recordWriter(25);
  record.time(post.date);
  record.number(post.id);
  record.byte(statusCode(post.status));
  record.number(post.author);
  record.number(post.life);
  const { lat, lng } = post.coordinates ?? {};
  const hasPlace = post.kind === 'venue' && lat !== undefined && lng !== undefined;
  return {
    ...NOTHING,
    member: record.buffer,
    scores: [clampedTime(post.date), 0],
    first: [(post.kind === 'venue' ? 'V' : 'O') + statusCode(post.status)],
    place: hasPlace
      ? { lat, member: [post.id, post.life, lat, lng, statusCode(post.status), post.author].join(' ') }
      : null,
    dated: datedPost(post, []),
    names: nameEntries(post),
    text: searchText(post.searchable),
  };
}

const indexedTerm = (term: TermDocument): Indexed => ({
  ...NOTHING,
  member: Buffer.from(letterOf(term.kind) + term.id),
  first: ['T'],
  names: nameEntries(term),
});

export const DIGITS = 16;

/** The set of published events, and that of scheduled posts. */
export const NEWEST = 'D';
export const SCHEDULED = 'F';

/** Members sort by id, which is unique; the last letter is the kind. */
function datedPost(post: EventDocument | LinkedPostDocument, shown: readonly string[]): Indexed['dated'] {
  const sets = post.status === 'future' ? [SCHEDULED, ...shown] : shown;
  if (sets.length === 0) return null;
  const member = String(post.id).padStart(DIGITS, '0') + letterOf(post.kind);
  return { date: clampedTime(post.date), member, sets };
}

/** The post of such a member. */
export function datedKey(member: string): DocumentKey & { readonly kind: PostKind } {
  const kind = keyNamed(member.slice(DIGITS))?.kind;
  if (!isPostKind(kind)) throw new Error(`${JSON.stringify(member)} is no member of a set of posts by date.`);
  return { kind, id: Number(member.slice(0, DIGITS)) };
}

/**
 * The key under which a document's name is looked up: JSON distinguishes any two texts, including halves of surrogate
 * pairs.
 */
export const namePrefix = (kind: Document['kind'], name: string): string =>
  `${letterOf(kind)}${JSON.stringify(name)}\t`;

const nameEntries = (document: Document): string[] =>
  namesOf(document).map((name) => nameEntry(document.kind, name, document.id));

/** Sorts by id among those of the same name. */
export const nameEntry = (kind: DocumentKind, name: string, id: number): string =>
  namePrefix(kind, name) + String(id).padStart(DIGITS, '0');

/** The id at the end of a name entry. */
export const namedId = (entry: string): number => Number(entry.slice(-DIGITS));

/** The index entries of a document. */
export function indexed(document: Document): Indexed {
  switch (document.kind) {
    case 'event':
      return indexedEvent(document);
    case 'venue':
    case 'organizer':
      return indexedLinkedPost(document);
    case 'category':
    case 'tag':
      return indexedTerm(document);
    case 'user':
    case 'proposal':
    case 'picture':
    case 'series':
      return { ...NOTHING, names: nameEntries(document) };
  }
}

/** By letter of the kind, posts at which the public may see a future event: id and life as in its member. */
export function attended(event: EventDocument): readonly (readonly [string, Buffer])[] {
  const { hidden, venues, organizers } = event;
  if (hidden || !isOpen(event)) return [];
  const all = [...venues.map((link) => ['v', link] as const), ...organizers.map((link) => ['o', link] as const)];
  return all.map(([letter, { id, life }]) => {
    const record = recordWriter(12);
    record.number(id);
    record.number(life);
    return [letter, record.buffer];
  });
}
