// The venues and organizers of the index, and their lists. They are some thousands: every one is looked at.
import { POST_STATUSES } from '../../calendar/resource/domain/post.ts';
import { statusCode } from '../documents.ts';
import { type EventAccess, isVisible, type LinkedPostQuery, type Visibility } from '../queries.ts';
import { searchFields, searchWord } from '../search-text.ts';
import type { EventTable } from './event-table.ts';
import type { LinkedPostRow } from './rows.ts';
import { countWhile } from './slots.ts';
import { flagBit, statusIn } from './traits.ts';

type LinkedKind = LinkedPostRow['kind'];

export type LinkedPosts = ReturnType<typeof openLinkedPosts>;

const newestFirst = (one: LinkedPostRow, other: LinkedPostRow): number => other.date - one.date || other.id - one.id;

export function openLinkedPosts() {
  const byId = { venue: new Map<number, LinkedPostRow>(), organizer: new Map<number, LinkedPostRow>() };
  /** Null: a change has come since they were sorted. */
  const sorted: Record<LinkedKind, readonly LinkedPostRow[] | null> = { venue: null, organizer: null };
  return {
    replace(kind: LinkedKind, id: number, row: LinkedPostRow | null) {
      if (row === null) byId[kind].delete(id);
      else byId[kind].set(id, row);
      sorted[kind] = null;
    },
    of: (kind: LinkedKind, id: number) => byId[kind].get(id),
    /** By descending date, then id. */
    all(kind: LinkedKind) {
      sorted[kind] ??= [...byId[kind].values()].sort(newestFirst);
      return sorted[kind];
    },
  };
}

const HIDDEN = flagBit('hidden');
const UNSETTLED = (1 << statusCode('draft')) | (1 << statusCode('pending'));

/** Whether one field has all words; no words are in none. */
function inOneField(text: string, words: readonly string[]): boolean {
  if (words.length === 0 || !words.every((word) => text.includes(word))) return false;
  return words.length === 1 || searchFields(text).some((field) => words.every((word) => field.includes(word)));
}

/** All venues or organizers that a query matches, in order. */
export function findLinkedPosts(table: EventTable, posts: LinkedPosts, query: LinkedPostQuery): LinkedPostRow[] {
  const { kind, visibility, event, hasEvents, upcoming } = query;
  const { columns } = table;
  const words = query.search?.map(searchWord);
  const isAccessible = accessibleIn(table, query.events);
  const isSeen = upcoming && visibleIn(table, upcoming.visibility);

  /** Whether an event that passes is linked to it in its present life, from one of them on. */
  function some({ id, life }: LinkedPostRow, passes: (slot: number) => boolean, from = -Infinity): boolean {
    const events = table.target(kind, id, life)?.events;
    if (events === undefined) return false;
    const first = countWhile(events, (slot) => (columns.startsAt[slot] ?? 0) < from);
    for (let at = first; at < events.length; at++) if (passes(events.items[at] ?? 0)) return true;
    return false;
  }

  const isSettled = (slot: number): boolean =>
    (UNSETTLED & (1 << statusIn(columns.traits[slot] ?? 0))) === 0 && isAccessible(slot);
  const comes = (slot: number): boolean =>
    ((columns.traits[slot] ?? 0) & HIDDEN) === 0 && isSeen !== undefined && isSeen(slot) && isAccessible(slot);

  const slot = event === undefined ? undefined : table.slotOf(event);
  const isOfEvent = (post: LinkedPostRow): boolean =>
    slot !== undefined && some(post, (other) => other === slot && isAccessible(slot), columns.startsAt[slot] ?? 0);

  return posts
    .all(kind)
    .filter(
      (post) =>
        isVisible(post, visibility) &&
        (words === undefined || inOneField(post.text, words)) &&
        (event === undefined || isOfEvent(post)) &&
        (hasEvents === undefined || some(post, isSettled) === hasEvents) &&
        (upcoming === undefined || some(post, comes, upcoming.from)),
    );
}

const PROTECTED = flagBit('protected');

/** Whether a reader may see the event of a slot. */
function visibleIn({ columns }: EventTable, visibility: Visibility): (slot: number) => boolean {
  const { traits, author } = columns;
  const open = POST_STATUSES.map((status) => visibility.statuses.includes(status));
  const { own } = visibility;
  const owned = POST_STATUSES.map((status) => own?.statuses.includes(status) === true);
  return (slot) => {
    const status = statusIn(traits[slot] ?? 0);
    return open[status] === true || (owned[status] === true && author[slot] === own?.author);
  };
}

/** Whether a reader may know what the event of a slot is linked to. */
function accessibleIn(table: EventTable, { visible, unmasked }: EventAccess): (slot: number) => boolean {
  const { traits } = table.columns;
  const [sees, looksBehind] = [visibleIn(table, visible), visibleIn(table, unmasked)];
  return (slot) => sees(slot) && (((traits[slot] ?? 0) & PROTECTED) === 0 || looksBehind(slot));
}
