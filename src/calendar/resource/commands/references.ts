// Resolves references of a command from the log, because the read model may lag.

import { allOwners, ownersOf, streamOf } from '../../../commands/reservations/reservations.ts';
import { ownerOfSlug } from '../../../commands/reservations/slugs.ts';
import { countingLinks } from '../../../commands/reservations/tree.ts';
import type { MergedKind } from '../../../editorial/merges/domain/merge.ts';
import { slugFrom } from '../../../kernel/text/slug.ts';
import { fold, type Json, type RecordedEvent } from '../../../log/envelope.ts';
import type { StreamReader } from '../../../log/event-store.ts';
import { type CalendarEvent, type EventFact, evolveEvent } from '../../event/domain/calendar-event.ts';
import { evolveOrganizer, type Organizer, type OrganizerFact } from '../../linked-post/domain/organizer.ts';
import { evolveVenue, type Venue, type VenueFact } from '../../linked-post/domain/venue.ts';
import { evolveTerm, type Term, type TermFact, type TermKind } from '../../term/domain/term.ts';
import type { PostKind } from '../domain/post.ts';

/** The kinds that share one sequence of ids. */
const SHARED_ID_KINDS = ['event', 'venue', 'organizer', 'image', 'picture', 'series'] as const;

export const loadEvent = async (store: StreamReader, id: number): Promise<CalendarEvent | null> =>
  fold<CalendarEvent, EventFact>(await store.readStream(streamOf('event', id)), evolveEvent);

export const loadVenue = async (store: StreamReader, id: number): Promise<Venue | null> =>
  fold<Venue, VenueFact>(await store.readStream(streamOf('venue', id)), evolveVenue);

export const loadOrganizer = async (store: StreamReader, id: number): Promise<Organizer | null> =>
  fold<Organizer, OrganizerFact>(await store.readStream(streamOf('organizer', id)), evolveOrganizer);

const foldTerm = async (store: StreamReader, kind: TermKind, id: number): Promise<Term | null> =>
  fold<Term, TermFact>(await store.readStream(streamOf(kind, id)), evolveTerm);

/** A term that is not deleted, or null; for a merged one the term that stays. */
export async function loadTerm(store: StreamReader, kind: TermKind, id: number): Promise<Term | null> {
  const term = await foldTerm(store, kind, id);
  if (term?.mergedInto === undefined) return term && !term.deleted ? term : null;
  const stays = await foldTerm(store, kind, await survivorOf(store, kind, term));
  return stays && !stays.deleted ? stays : null;
}

/** The id of the one that stays of a resource and of those that it was merged into one after the other. */
export async function survivorOf(
  store: StreamReader,
  kind: MergedKind,
  { id, mergedInto }: { readonly id: number; readonly mergedInto?: number },
): Promise<number> {
  const passed = new Set([id]);
  let [at, next] = [id, mergedInto];
  while (next !== undefined && !passed.has(next)) {
    passed.add(next);
    at = next;
    next = (await loadMergeable(store, kind, at))?.mergedInto;
  }
  return at;
}

/** One that may be merged, deleted or not. */
export function loadMergeable(
  store: StreamReader,
  kind: MergedKind,
  id: number,
): Promise<Venue | Organizer | Term | null> {
  if (kind === 'venue') return loadVenue(store, id);
  return kind === 'organizer' ? loadOrganizer(store, id) : foldTerm(store, kind, id);
}

/** The effective parent: a deleted one is replaced by its own parent, and circles are broken. 0 for none. */
export async function effectiveParent(store: StreamReader, term: Term): Promise<number> {
  const links = await countingLinks(store, 'category', term);
  for (let id = links.get(term.id); id !== undefined; id = links.get(id)) {
    const parent = fold(await store.readStream(streamOf('category', id)), evolveTerm);
    if (!parent) return 0;
    if (!parent.deleted) return id;
  }
  return 0;
}

/** The resource of an id; null if it was never used. */
export async function kindOfId(
  store: StreamReader,
  id: number,
): Promise<PostKind | 'image' | 'picture' | 'series' | null> {
  for (const kind of SHARED_ID_KINDS) {
    const [first] = await store.readStream(streamOf(kind, id), { limit: 1 });
    if (first) return kind;
  }
  return null;
}

export const idOfStream = (stream: string): number => Number(stream.slice(stream.lastIndexOf('-') + 1));

/** A term by its slug, else by its name in any case; null if there is none. The lowest id if several have the name. */
export async function findTerm(store: StreamReader, kind: TermKind, text: string): Promise<Term | null> {
  const owner = await ownerOfSlug(store, kind, slugFrom(text));
  const bySlug = owner === null ? null : await loadTerm(store, kind, idOfStream(owner));
  if (bySlug) return bySlug;
  return (await termsNamed(store, kind, text))[0] ?? null;
}

/** All terms with a name in any case, by id. */
export async function termsNamed(store: StreamReader, kind: TermKind, name: string): Promise<Term[]> {
  const owners = allOwners(await ownersOf(store, kind, name));
  const ids = owners.map(idOfStream).sort((one, other) => one - other);
  const terms = await Promise.all(ids.map((id) => loadTerm(store, kind, id)));
  return terms.filter((term) => term !== null);
}

/** Ids of the venues or organizers with a name in any case, ascending. */
export async function postsNamed(store: StreamReader, kind: 'venue' | 'organizer', name: string): Promise<number[]> {
  const owners = allOwners(await ownersOf(store, kind, name));
  return owners.map(idOfStream).sort((one, other) => one - other);
}

// Finds what refers to a venue, an organizer or a term: candidates are collected while the log is read, then checked
// against their current state.

/** Referring streams by the stream that they have mentioned at some time. */
export type Mentions = Map<string, Set<string>>;

const MEMBERS = { venues: 'venue', organizers: 'organizer', categories: 'category', tags: 'tag' } as const;

/** Collects what an event mentions, as far as it is wanted. */
export function noteMentions(
  mentions: Mentions,
  isOfInterest: (stream: string) => boolean,
  event: RecordedEvent,
): void {
  for (const mentioned of mentionedBy(event)) {
    if (!isOfInterest(mentioned)) continue;
    const streams = mentions.get(mentioned) ?? new Set<string>();
    mentions.set(mentioned, streams.add(event.stream));
  }
}

function mentionedBy({ stream, data }: RecordedEvent): string[] {
  if (data === null || typeof data !== 'object') return [];
  const members = data as { readonly [member: string]: Json };
  if (stream.startsWith('category-')) return typeof members.parent === 'number' ? [`category-${members.parent}`] : [];
  if (!stream.startsWith('event-')) return [];
  return Object.entries(MEMBERS).flatMap(([member, kind]) => idsIn(members[member]).map((id) => streamOf(kind, id)));
}

/** Of terms, which are stored as ids, and of links. */
function idsIn(list: Json | undefined): number[] {
  if (!Array.isArray(list)) return [];
  return list.map((one: Json) => Number(one !== null && typeof one === 'object' && 'id' in one ? one.id : one));
}

/** Streams of those candidates that currently show the resource: removing it would change them. */
export async function referrersOf(
  store: StreamReader,
  { kind, id }: { readonly kind: PostKind | TermKind | 'series'; readonly id: number },
  candidates: Iterable<string>,
): Promise<string[]> {
  if (kind === 'event' || kind === 'series') return [];
  const life = kind === 'venue' || kind === 'organizer' ? await lifeOf(store, kind, id) : null;
  const referrers: string[] = [];
  for (const stream of candidates) {
    const isReferrer = stream.startsWith('category-')
      ? await isBelow(store, stream, id)
      : await shows(store, stream, kind, id, life);
    if (isReferrer) referrers.push(stream);
  }
  return referrers;
}

async function lifeOf(store: StreamReader, kind: 'venue' | 'organizer', id: number): Promise<number | null> {
  const post = await (kind === 'venue' ? loadVenue : loadOrganizer)(store, id);
  return post?.life ?? null;
}

async function isBelow(store: StreamReader, stream: string, id: number): Promise<boolean> {
  const child = await loadTerm(store, 'category', Number(stream.slice('category-'.length)));
  return child !== null && (await effectiveParent(store, child)) === id;
}

async function shows(
  store: StreamReader,
  stream: string,
  kind: Exclude<PostKind, 'event'> | TermKind,
  id: number,
  life: number | null,
): Promise<boolean> {
  const event = fold(await store.readStream(stream), evolveEvent);
  if (!event || event.status === 'trash') return false;
  if (kind === 'category') return event.categories.includes(id);
  if (kind === 'tag') return event.tags.includes(id);
  const links = kind === 'venue' ? event.venues : event.organizers;
  return links.some((link) => link.id === id && link.life === life);
}
