// The references of an earlier state in today's terms: links to what still exists, and conflicts for what does not.

import { parentProblem } from '../../../calendar/event/commands/events.ts';
import type { CalendarEvent, Link } from '../../../calendar/event/domain/calendar-event.ts';
import { findImage } from '../../../calendar/resource/commands/post-input.ts';
import { loadOrganizer, loadTerm, loadVenue, survivorOf } from '../../../calendar/resource/commands/references.ts';
import type { Image } from '../../../calendar/resource/domain/image.ts';
import type { TermKind } from '../../../calendar/term/domain/term.ts';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import type { UnitOfWork } from '../../../commands/unit-of-work.ts';
import type { RevertConflict } from '../../../domain/rejections.ts';
import { fold, type Position } from '../../../log/envelope.ts';
import type { StreamReader } from '../../../log/event-store.ts';
import { evolveUser } from '../../../people/users/domain/user.ts';

/** The log as it was when an event was recorded, including that event. Its streams are read whole: it takes no options. */
export const pastStreams = (store: StreamReader, upTo: Position): StreamReader => ({
  readStream: async (stream) => (await store.readStream(stream)).filter(({ position }) => position <= upTo),
});

/** An event as it is and as it was. */
interface NowAndThen {
  readonly now: CalendarEvent;
  readonly then: CalendarEvent;
}

/** A value for today's resource, and what prevents it. */
export interface Settled<Value> {
  readonly value: Value;
  readonly conflicts: readonly RevertConflict[];
}

const settled = <Value>(value: Value): Settled<Value> => ({ value, conflicts: [] });

const LINKED = {
  venues: { kind: 'venue', load: loadVenue },
  organizers: { kind: 'organizer', load: loadOrganizer },
} as const;

/**
 * Links to the venues or organizers that were shown then, in their present lives. Links that were void then, and links
 * that show the same today, are no reason for a change.
 */
export async function linksAsThen(
  store: StreamReader,
  past: StreamReader,
  member: keyof typeof LINKED,
  { now: { [member]: now }, then: { [member]: then } }: NowAndThen,
): Promise<Settled<readonly Link[]>> {
  const { kind, load } = LINKED[member];
  const pastLinks = await livingLinks(past, load, then);
  if (isSameList(pastLinks, await livingLinks(store, load, now))) return settled(now);
  const links: Link[] = [];
  const conflicts: RevertConflict[] = [];
  for (const id of pastLinks) {
    const linkedPost = await load(store, id);
    const post =
      linkedPost?.mergedInto === undefined ? linkedPost : await load(store, await survivorOf(store, kind, linkedPost));
    if (post && post.status !== 'trash') links.push({ id: post.id, life: post.life });
    else conflicts.push({ field: kind, thing: { kind, id }, why: post ? 'in_trash' : 'gone' });
  }
  return { value: links, conflicts };
}

/** Ids behind the links that are not void. */
async function livingLinks(
  store: StreamReader,
  load: (typeof LINKED)[keyof typeof LINKED]['load'],
  links: readonly Link[],
): Promise<number[]> {
  const posts = await Promise.all(links.map(({ id }) => load(store, id)));
  const isAlive = ({ life }: Link, index: number): boolean =>
    posts[index]?.life === life && posts[index]?.status !== 'trash';
  return links.filter(isAlive).map(({ id }) => id);
}

/** The categories or tags that were shown then. */
export async function termsAsThen(
  store: StreamReader,
  past: StreamReader,
  member: 'categories' | 'tags',
  { now: { [member]: now }, then: { [member]: then } }: NowAndThen,
): Promise<Settled<readonly number[]>> {
  const kind: TermKind = member === 'categories' ? 'category' : 'tag';
  const pastTerms = await livingTerms(past, kind, then);
  const living = await livingTerms(store, kind, now);
  if (isSameList(pastTerms, living)) return settled(now);
  const terms = await Promise.all(pastTerms.map((id) => loadTerm(store, kind, id)));
  const deleted = pastTerms.filter((_, index) => terms[index] === null);
  return {
    // A term that has been merged since counts as the one that stays.
    value: [...new Set(terms.flatMap((term) => (term ? [term.id] : [])))],
    conflicts: deleted.map((id) => ({ field: member, thing: { kind, id }, why: 'deleted' })),
  };
}

async function livingTerms(store: StreamReader, kind: TermKind, ids: readonly number[]): Promise<number[]> {
  const terms = await Promise.all(ids.map((id) => loadTerm(store, kind, id)));
  return ids.filter((id, index) => terms[index]?.id === id);
}

const isSameList = (one: readonly number[], other: readonly number[]): boolean => one.join() === other.join();

/** Whether an event can have its former parent again. */
export async function parentConflicts(
  unit: UnitOfWork,
  event: CalendarEvent,
  parent: number | null,
): Promise<readonly RevertConflict[]> {
  if (parent === null) return [];
  const why = await parentProblem(unit, parent, event);
  return why === null ? [] : [{ field: 'post_parent', thing: { kind: 'event', id: parent }, why }];
}

/** Images never change; only one that is no longer recorded cannot be restored. */
export async function imageConflicts(
  store: StreamReader,
  now: Image | null,
  then: Image | null,
): Promise<readonly RevertConflict[]> {
  if (then === null || then.id === now?.id || (await findImage(store, then.id))) return [];
  return [{ field: 'image', thing: { kind: 'image', id: then.id }, why: 'gone' }];
}

/** A removed author cannot be made an author again. Imports write under authors who were never users. */
export async function authorConflicts(
  store: StreamReader,
  now: number,
  then: number,
): Promise<readonly RevertConflict[]> {
  if (now === then) return [];
  const events = await store.readStream(streamOf('user', then));
  if (events.length === 0 || fold(events, evolveUser)) return [];
  return [{ field: 'author', thing: { kind: 'user', id: then }, why: 'gone' }];
}
