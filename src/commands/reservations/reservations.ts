// Keeps the registers of slugs and names in step with a unit of work.

import { createHash } from 'node:crypto';
import type { Post, PostKind } from '../../domain/post.ts';
import { needsOwnSlug, type PostStatus } from '../../domain/post-status.ts';
import type { EventMetadata, NewEvent, RecordedEvent } from '../../event-store/envelope.ts';
import type { EventStore, ExpectedRevision, StreamAppend } from '../../event-store/event-store.ts';
import { eventOf } from '../../event-store/writing.ts';
import { slugFrom } from '../../text/slug.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { ownerOfSlug, releaseSlug } from './slugs.ts';

export interface SlugWish {
  readonly kind: PostKind | 'category' | 'tag';
  readonly id: number;
  /** The preferred slug; `''` asks for the id. */
  readonly wanted: string;
}

export const streamOf = (kind: string, id: number): string => `${kind}-${id}`;

/**
 * Reserves a slug, with a suffix where others have it. The reservation precedes the resource itself in the unit of work, so
 * that nothing can be found under a slug that is not its own.
 */
export async function reserveSlug(unit: UnitOfWork, { kind, id, wanted }: SlugWish): Promise<string> {
  const base = wanted === '' ? String(id) : wanted;
  const { metadata, newEventId } = unit;
  const request = { kind, wanted: base, owner: streamOf(kind, id), metadata, newEventId };
  const { slug, append } = await unit.findSlug(request);
  unit.add(append);
  return slug;
}

/** Gives a slug back, for others to take. */
export async function giveBackSlug(unit: UnitOfWork, kind: string, id: number, slug: string): Promise<void> {
  const { metadata, newEventId } = unit;
  unit.addLast(await releaseSlug(unit.store, { kind, slug, owner: streamOf(kind, id), metadata, newEventId }));
}

/** The slug of a new post: drafts and pending posts need not be alone with theirs, but keep others off a free one. */
export async function slugForNew(unit: UnitOfWork, wish: SlugWish, status: PostStatus): Promise<string> {
  if (needsOwnSlug(status)) return reserveSlug(unit, wish);
  return sharedSlug(unit, wish);
}

async function sharedSlug(unit: UnitOfWork, wish: SlugWish): Promise<string> {
  const { kind, wanted } = wish;
  if (wanted !== '' && (await ownerOfSlug(unit.store, kind, wanted)) === null) await reserveSlug(unit, wish);
  return wanted;
}

/** The slug of a post that changes; a reservation that it leaves behind is given back. */
export async function slugForChanged(
  unit: UnitOfWork,
  post: Post,
  wish: SlugWish,
  status: PostStatus,
): Promise<string> {
  const { kind, id, wanted } = wish;
  if (wanted === post.slug && needsOwnSlug(status) === needsOwnSlug(post.status)) return wanted;
  const slug = needsOwnSlug(status) ? await reserveSlug(unit, wish) : await sharedSlug(unit, wish);
  if (post.slug !== '' && slug !== post.slug) await giveBackSlug(unit, kind, id, post.slug);
  return slug;
}

/** A slug that a client gave, as it will be stored; undefined when it gave none. */
export const normalisedSlug = (given: string | undefined): string | undefined =>
  given === undefined ? undefined : slugFrom(given);

/** Registers a resource under its name, so that it is found by it. */
export async function enterName(unit: UnitOfWork, kind: string, id: number, name: string): Promise<void> {
  unit.add(takeName(await ownersOf(unit.store, kind, name), { owner: streamOf(kind, id), ...unit }));
}

/** Removes a resource from the register of its former name. */
export async function strikeName(unit: UnitOfWork, kind: string, id: number, name: string): Promise<void> {
  unit.addLast(releaseName(await ownersOf(unit.store, kind, name), { owner: streamOf(kind, id), ...unit }));
}

// Finding resources by name on the write side: one registry stream per kind and name. A name may have several owners.

/** 128 bits of the digest: two names that meet by chance are not to be expected, and would be told apart all the same. */
const DIGEST_LENGTH = 32;

export interface NameOwners {
  readonly kind: string;
  readonly name: string;
  /** Streams of the resources of this name (`venue-45`), in the order in which they took it. */
  readonly owners: readonly string[];
  /** At which the registry was read: an append at it conflicts with any reservation or release since. */
  readonly expected: ExpectedRevision;
}

export interface NameChange {
  readonly owner: string;
  readonly metadata: EventMetadata;
  readonly newEventId: () => string;
}

/**
 * Who bears a name, letter case aside (names are compared in lower case and Unicode normal form C, otherwise exactly).
 * Where appends to several streams are not one transaction, an owner may stand here whose own stream was never written:
 * who uses an owner loads it, and passes over one that is not there.
 */
export async function ownersOf(store: Pick<EventStore, 'readStream'>, kind: string, name: string): Promise<NameOwners> {
  const events = await store.readStream(nameStream(kind, name));
  const owners = new Set<string>();
  for (const event of events) {
    const { owner, name: registered } = factOf(event);
    if (event.type === 'NameReleased') owners.delete(owner);
    else if (folded(registered) === folded(name)) owners.add(owner);
  }
  return { kind, name, owners: [...owners], expected: events.at(-1)?.revision ?? 'no_stream' };
}

/** Enters an owner; null when it is entered already. The append belongs before the resource's own in the same batch. */
export function takeName(found: NameOwners, change: NameChange): StreamAppend | null {
  if (found.owners.includes(change.owner)) return null;
  return appendTo(found, 'NameTaken', { owner: change.owner, name: found.name }, change);
}

/** Strikes an owner out; null when it is not entered. The append belongs after the resource's own in the same batch. */
export function releaseName(found: NameOwners, change: NameChange): StreamAppend | null {
  if (!found.owners.includes(change.owner)) return null;
  return appendTo(found, 'NameReleased', { owner: change.owner }, change);
}

function appendTo(found: NameOwners, type: string, data: NewEvent['data'], change: NameChange): StreamAppend {
  const events = [eventOf({ type, data }, change)];
  return { stream: nameStream(found.kind, found.name), expected: found.expected, events };
}

// A digest, because a name may be longer than a stream's name should be and hold any character.
function nameStream(kind: string, name: string): string {
  const digest = createHash('sha256').update(folded(name)).digest('hex').slice(0, DIGEST_LENGTH);
  return `name-${kind}-${digest}`;
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function factOf({ data }: RecordedEvent): { owner: string; name: string } {
  // Only this file writes to these streams.
  const { owner, name = '' } = data as { owner: string; name?: string };
  return { owner, name };
}
