// The `status` filter of lists of posts: what the reader requested, and what the links show of it.
import { visibilityFor } from '../auth/policy.ts';
import type { PostKind } from '../domain/post.ts';
import type { Visibility } from '../read-model/visibility.ts';
import { listOf } from '../text/wire-words.ts';
import type { Arguments } from './arguments.ts';
import type { Reader } from './reader.ts';

export interface StatusFilter {
  readonly visibility: Visibility;
  readonly args: Arguments;
}

/** The filter of a request, or `refused` if the reader may not use it. */
export function statusFilter(sent: unknown, kind: PostKind, { caller }: Reader): StatusFilter | 'refused' {
  const requested = sent === undefined ? undefined : requestedStatuses(sent);
  const visibility = visibilityFor(caller, kind, requested);
  if (visibility === 'refused') return 'refused';
  if (requested === undefined) return { visibility, args: [['status', defaultShown(visibility)]] };
  // An empty value means what the reader sees by default; links must keep it.
  const shown = requested.length === 0 ? visibility.statuses : requested;
  return { visibility, args: [['status', shown.join(',')]] };
}

/** A reader who by default sees more than what is published requested `any`. */
const defaultShown = ({ statuses, own }: Visibility): string =>
  own === null && statuses.every((status) => status === 'publish') ? 'publish' : 'any';

const requestedStatuses = (sent: unknown): string[] => listOf(sent);
