// Keeps the registers of slugs and names in step with a unit of work.
import type { Post, PostKind } from '../../domain/post.ts';
import { needsOwnSlug, type PostStatus } from '../../domain/post-status.ts';
import { slugFrom } from '../../text/slug.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { ownerOfSlug, releaseSlug } from './slugs.ts';
import { ownersOf, releaseName, takeName } from './term-names.ts';

export interface SlugWish {
  readonly kind: PostKind | 'category' | 'tag';
  readonly id: number;
  /** As the thing would like to have it; `''` asks for the id. */
  readonly wanted: string;
}

export const streamOf = (kind: string, id: number): string => `${kind}-${id}`;

/**
 * Reserves a slug, with a suffix where others have it. The reservation stands before the thing itself in the unit, so
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

/** Enters a thing under its name, for others to come upon. */
export async function enterName(unit: UnitOfWork, kind: string, id: number, name: string): Promise<void> {
  unit.add(takeName(await ownersOf(unit.store, kind, name), { owner: streamOf(kind, id), ...unit }));
}

/** Strikes a thing out of the register of a name that it no longer bears. */
export async function strikeName(unit: UnitOfWork, kind: string, id: number, name: string): Promise<void> {
  unit.addLast(releaseName(await ownersOf(unit.store, kind, name), { owner: streamOf(kind, id), ...unit }));
}
