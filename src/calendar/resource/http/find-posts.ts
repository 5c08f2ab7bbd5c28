// Posts as routes look for them, by id or slug, and why an event that is there cannot be read.
import type { FastifyRequest } from 'fastify';
import { ApiError, invalidParameters } from '../../../http/errors.ts';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import type { Finder } from '../../../queries/log-fallback.ts';
import type { EventDocument } from '../../../read-model/documents.ts';
import type { PostKind } from '../domain/post.ts';
import { type PostDocument, postOfSlug } from '../queries/find-by-slug.ts';
import type { Unreadable } from '../queries/get-one.ts';

export const UNREADABLE: Record<Unreadable, ErrorCode> = {
  unknown: 'rest-event-not-found',
  'in trash': 'event-no-longer-available',
  'not accessible': 'event-not-accessible',
  'password needed': 'event-password-protected',
};

type Source = Pick<Finder, 'fetch'>;

export async function postById<Kind extends PostKind>(
  source: Source,
  kind: Kind,
  id: number,
): Promise<PostDocument<Kind> | null> {
  const [document = null] = await source.fetch([{ kind, id }]);
  return document as PostDocument<Kind> | null; // The key of a kind holds a document of that kind.
}

/** The event of this id; throws when there is none. An id that names something else is not the same as one of nothing. */
export async function presentEvent(source: Source, id: number): Promise<EventDocument> {
  const event = await postById(source, 'event', id);
  if (event) return event;
  const keys = (['venue', 'organizer'] as const).map((kind) => ({ kind, id }));
  const others = await source.fetch(keys);
  if (others.some((document) => document !== null)) throw new ApiError('rest-invalid-event-id');
  throw new ApiError('rest-event-not-found');
}

/** The post that has this slug and that the caller may know of; null if there is none. */
export async function findNamed<Kind extends PostKind>(
  finder: Finder,
  kind: Kind,
  slug: string,
  caller: Caller,
): Promise<PostDocument<Kind> | null> {
  const match = await postOfSlug(finder, kind, slug, caller);
  return match && 'post' in match ? match.post : null;
}

/** The id of the post that the slug in the path names: it was looked up when parameters were checked. */
export function namedPost({ namedPost: id }: FastifyRequest): number {
  if (id === null) throw invalidParameters('slug');
  return id;
}
