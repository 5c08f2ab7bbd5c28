// Updates the reservations of slugs and names within a unit of work.
// decision 3

import { hash } from 'node:crypto';
import { needsOwnSlug, type Post, type PostKind, type PostStatus } from '../../calendar/resource/domain/post.ts';
import { comparedBefore, comparedName, isSameName } from '../../kernel/text/compared-name.ts';
import { slugFrom } from '../../kernel/text/slug.ts';
import type { EventMetadata, NewEvent, RecordedEvent } from '../../log/envelope.ts';
import type { ExpectedRevision, StreamAppend, StreamReader } from '../../log/event-store.ts';
import { eventOf } from '../../log/writing.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { ownerOfSlug, releaseSlug, type SlugOrigin, type SlugRelease } from './slugs.ts';

export interface SlugWish {
  readonly kind: PostKind | 'category' | 'tag' | 'set';
  readonly id: number;
  /** The preferred slug; `''` stands for the id. */
  readonly preferred: string;
  /** Whether the client named it, or it follows from a title or name. */
  readonly origin: SlugOrigin;
}

export const streamOf = (kind: string, id: number): string => `${kind}-${id}`;

/**
 * Reserves a slug, with a suffix if others have it. The reservation precedes the resource itself in the unit of work,
 * so that nothing can be found under a slug that is not its own.
 */
export async function reserveSlug(unit: UnitOfWork, { kind, id, preferred, origin }: SlugWish): Promise<string> {
  const base = preferred === '' ? String(id) : preferred;
  const { metadata, newEventId } = unit;
  const request = { kind, base, origin, owner: streamOf(kind, id), metadata, newEventId };
  const { slug, append } = await unit.findSlug(request);
  unit.add(append);
  return slug;
}

/** Releases a slug. */
export async function giveBackSlug(
  unit: UnitOfWork,
  kind: string,
  id: number,
  { slug, leaving }: Pick<SlugRelease, 'slug' | 'leaving'>,
): Promise<void> {
  const { metadata, newEventId } = unit;
  const release = { kind, slug, owner: streamOf(kind, id), metadata, newEventId, leaving };
  unit.addLast(await releaseSlug(unit.store, release));
}

/** The slug of a new post: drafts and pending posts may share theirs, but reserve a free one. */
export async function slugForNew(unit: UnitOfWork, wish: SlugWish, status: PostStatus): Promise<string> {
  if (needsOwnSlug(status)) return reserveSlug(unit, wish);
  return sharedSlug(unit, wish);
}

async function sharedSlug(unit: UnitOfWork, wish: SlugWish): Promise<string> {
  const { kind, preferred } = wish;
  if (preferred !== '' && (await ownerOfSlug(unit.store, kind, preferred)) === null) return reserveSlug(unit, wish);
  return preferred;
}

/** The slug of a changed post; its former reservation is released. */
export async function slugForChanged(
  unit: UnitOfWork,
  post: Post,
  wish: SlugWish,
  status: PostStatus,
): Promise<string> {
  const { kind, id, preferred } = wish;
  if (preferred === post.slug && needsOwnSlug(status) === needsOwnSlug(post.status)) return preferred;
  const slug = needsOwnSlug(status) ? await reserveSlug(unit, wish) : await sharedSlug(unit, wish);
  if (post.slug === '' || slug === post.slug) return slug;
  const leaving = status !== 'trash' && wasPublic(post) ? 'leads on' : 'free at once';
  await giveBackSlug(unit, kind, id, { slug: post.slug, leaving });
  return slug;
}

/** Whether the public could read the post by its slug. */
const wasPublic = ({ slug, status, formerSlugs = [] }: Post): boolean =>
  status === 'publish' || formerSlugs.some((former) => former.slug === slug && former.status === 'publish');

/** A slug given by a client, as it will be stored; undefined if none was given. */
export const normalisedSlug = (input: string | undefined): string | undefined =>
  input === undefined ? undefined : slugFrom(input);

/** `given` as `normalisedSlug` returns it. */
export const originOf = (input: string | undefined): SlugOrigin => (input ? 'given' : 'derived');

/** Reserves a name for a resource, so that it can be found by it. */
export async function enterName(unit: UnitOfWork, kind: string, id: number, name: string): Promise<void> {
  unit.add(takeName(await ownersOf(unit.store, kind, name), { owner: streamOf(kind, id), ...unit }));
}

/** Releases the former name of a resource. */
export async function strikeName(unit: UnitOfWork, kind: string, id: number, name: string): Promise<void> {
  unit.addLast(releaseName(await ownersOf(unit.store, kind, name), { owner: streamOf(kind, id), ...unit }));
}

// Finding resources by name on the write side: one stream of reservations per kind and name. A name may have several
// owners.

/** 128 bits of the digest: collisions are not to be expected, and would be told apart all the same. */
const DIGEST_LENGTH = 32;

interface NameOwners {
  readonly name: string;
  /** Streams of the resources of this name (`venue-45`), in the order of reservation. */
  readonly owners: readonly string[];
  /** The revision of the stream: an append at it conflicts with any reservation or release since. */
  readonly expected: ExpectedRevision;
  readonly stream: string;
  /** Where earlier builds have entered the name, if that is another stream. */
  readonly before: NameOwners | null;
}

interface NameChange {
  readonly owner: string;
  readonly metadata: EventMetadata;
  readonly newEventId: () => string;
}

/**
 * The owners of a name, as names are compared.
 * Where appends to several streams are not one transaction, an owner listed here may never have been written: callers
 * load an owner and ignore a missing one.
 */
export async function ownersOf(store: StreamReader, kind: string, name: string): Promise<NameOwners> {
  const [stream, earlier] = [nameStream(kind, comparedName(name)), nameStream(kind, comparedBefore(name))];
  const before = earlier === stream ? null : await ownersIn(store, earlier, name);
  return { ...(await ownersIn(store, stream, name)), before };
}

async function ownersIn(store: StreamReader, stream: string, name: string): Promise<NameOwners> {
  const events = await store.readStream(stream);
  const owners = new Set<string>();
  for (const event of events) {
    const { owner, name: registered } = factOf(event);
    if (event.type === 'NameReleased') owners.delete(owner);
    else if (isSameName(registered, name)) owners.add(owner);
  }
  const expected = events.at(-1)?.revision ?? 'no_stream';
  return { name, owners: [...owners], expected, stream, before: null };
}

/** All owners, wherever they were entered. */
export const allOwners = ({ owners, before }: NameOwners): readonly string[] => [
  ...new Set([...(before?.owners ?? []), ...owners]),
];

/** Adds an owner; null if it is one already. The append belongs before the resource's own in the same batch. */
export function takeName(entry: NameOwners, change: NameChange): StreamAppend | null {
  if (allOwners(entry).includes(change.owner)) return null;
  return appendTo(entry, 'NameTaken', { owner: change.owner, name: entry.name }, change);
}

/** Removes an owner; null if it is none. The append belongs after the resource's own in the same batch. */
export function releaseName(entry: NameOwners, change: NameChange): StreamAppend | null {
  const entered = entry.owners.includes(change.owner) ? entry : entry.before;
  if (!entered?.owners.includes(change.owner)) return null;
  return appendTo(entered, 'NameReleased', { owner: change.owner }, change);
}

function appendTo(entry: NameOwners, type: string, data: NewEvent['data'], change: NameChange): StreamAppend {
  const events = [eventOf({ type, data }, change)];
  return { stream: entry.stream, expected: entry.expected, events };
}

// A digest, because a name may be longer than a stream's name and contain any character.
function nameStream(kind: string, compared: string): string {
  const digest = hash('sha256', compared).slice(0, DIGEST_LENGTH);
  return `name-${kind}-${digest}`;
}

function factOf({ data }: RecordedEvent): { owner: string; name: string } {
  // Only this file writes to these streams.
  const { owner, name = '' } = data as { owner: string; name?: string };
  return { owner, name };
}
