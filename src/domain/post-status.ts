// The statuses of events, venues and organizers, and how a wish becomes a status.
import type { EpochSeconds } from '../time/zone.ts';

export type PostStatus = 'publish' | 'future' | 'draft' | 'pending' | 'private' | 'trash';

export const POST_STATUSES: readonly PostStatus[] = ['publish', 'future', 'draft', 'pending', 'private', 'trash'];

export const isPostStatus = (text: string): text is PostStatus => POST_STATUSES.some((status) => status === text);

/** The status given to a caller without the right to publish: everything that would be live waits for review. */
export function scaledStatus(wanted: PostStatus, mayPublish: 'may publish' | 'may not publish'): PostStatus {
  if (mayPublish === 'may publish') return wanted;
  return wanted === 'publish' || wanted === 'future' || wanted === 'private' ? 'pending' : wanted;
}

/** `publish` with a date ahead is `future`; `future` without one is `publish`. */
export function settledStatus(wanted: PostStatus, date: EpochSeconds, now: EpochSeconds): PostStatus {
  if (wanted === 'publish' && date > now) return 'future';
  if (wanted === 'future' && date <= now) return 'publish';
  return wanted;
}

/** Statuses in which the publication date is a fact and no longer floats. */
export const isPublicOrPlanned = (status: PostStatus): boolean =>
  status === 'publish' || status === 'future' || status === 'private';

/** Drafts and pending posts may share a slug, or have none; everything else has one to itself. */
export const needsOwnSlug = (status: PostStatus): boolean => status !== 'draft' && status !== 'pending';
