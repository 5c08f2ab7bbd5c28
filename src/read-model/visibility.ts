// Rights as a part of queries: which posts a reader may see, and which events may match by their content.
import type { PostStatus } from '../domain/post-status.ts';
import type { EventDocument, PostIndex } from './documents.ts';

/** Posts that a reader may see: those with a status of `statuses`, and own ones with a status of `own.statuses`. */
export interface Visibility {
  readonly statuses: readonly PostStatus[];
  readonly own: { readonly author: number; readonly statuses: readonly PostStatus[] } | null;
}

/** Sees nothing. */
export const NO_POSTS: Visibility = { statuses: [], own: null };

/** Events whose links a reader may know: visible ones; if a password protects one, `unmasked` must include it too. */
export interface EventAccess {
  readonly visible: Visibility;
  readonly unmasked: Visibility;
}

export const isVisible = (
  { status, author }: Pick<PostIndex, 'status' | 'author'>,
  { statuses, own }: Visibility,
): boolean => statuses.includes(status) || (own !== null && own.author === author && own.statuses.includes(status));

/** Whether a reader may know what an event is linked to. */
export const isAccessible = (
  event: Pick<EventDocument, 'status' | 'author' | 'protected'>,
  { visible, unmasked }: EventAccess,
): boolean => isVisible(event, visible) && (!event.protected || isVisible(event, unmasked));
