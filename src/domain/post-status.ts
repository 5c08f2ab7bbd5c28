// The statuses of events, venues and organizers, and which status a request leads to.
import type { EpochSeconds } from '../time/zone.ts';

export type PostStatus = 'publish' | 'future' | 'draft' | 'pending' | 'private' | 'trash';

export const POST_STATUSES: readonly PostStatus[] = ['publish', 'future', 'draft', 'pending', 'private', 'trash'];

export const isPostStatus = (text: string): text is PostStatus => POST_STATUSES.some((status) => status === text);

/** The status for a caller without the right to publish: whatever would be public becomes pending. */
export function scaledStatus(wanted: PostStatus, mayPublish: 'may publish' | 'may not publish'): PostStatus {
  if (mayPublish === 'may publish') return wanted;
  return wanted === 'publish' || wanted === 'future' || wanted === 'private' ? 'pending' : wanted;
}

/** `publish` with a future date is `future`; `future` without one is `publish`. */
export function settledStatus(wanted: PostStatus, date: EpochSeconds, now: EpochSeconds): PostStatus {
  if (wanted === 'publish' && date > now) return 'future';
  if (wanted === 'future' && date <= now) return 'publish';
  return wanted;
}

/** Statuses in which the publication date is fixed. */
export const isPublicOrPlanned = (status: PostStatus): boolean =>
  status === 'publish' || status === 'future' || status === 'private';

/** Drafts and pending posts may share a slug or have none; slugs of all others are unique. */
export const needsOwnSlug = (status: PostStatus): boolean => status !== 'draft' && status !== 'pending';
