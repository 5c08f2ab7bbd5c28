// Finds what refers to a venue, an organizer or a term: candidates are collected while the log is read, then checked
// against their current state.
import { evolveEvent } from '../domain/calendar-event.ts';
import type { PostKind } from '../domain/post.ts';
import type { TermKind } from '../domain/term.ts';
import type { Json, RecordedEvent } from '../event-store/envelope.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { fold } from '../event-store/fold.ts';
import { effectiveParent, loadOrganizer, loadTerm, loadVenue } from './references.ts';
import { streamOf } from './reservations/reservations.ts';

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
  store: Pick<EventStore, 'readStream'>,
  { kind, id }: { readonly kind: PostKind | TermKind; readonly id: number },
  candidates: Iterable<string>,
): Promise<string[]> {
  if (kind === 'event') return [];
  const life = kind === 'venue' || kind === 'organizer' ? await lifeOf(store, kind, id) : null;
  const found: string[] = [];
  for (const stream of candidates) {
    const isReferrer = stream.startsWith('category-')
      ? await isBelow(store, stream, id)
      : await shows(store, stream, kind, id, life);
    if (isReferrer) found.push(stream);
  }
  return found;
}

async function lifeOf(
  store: Pick<EventStore, 'readStream'>,
  kind: 'venue' | 'organizer',
  id: number,
): Promise<number | null> {
  const post = await (kind === 'venue' ? loadVenue : loadOrganizer)(store, id);
  return post?.life ?? null;
}

async function isBelow(store: Pick<EventStore, 'readStream'>, stream: string, id: number): Promise<boolean> {
  const child = await loadTerm(store, 'category', Number(stream.slice('category-'.length)));
  return child !== null && (await effectiveParent(store, child)) === id;
}

async function shows(
  store: Pick<EventStore, 'readStream'>,
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
