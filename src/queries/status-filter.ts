// The `status` filter of lists of posts: what the reader asked, and what the links show of it.
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

/** The filter of a request, or `refused` when the reader may not ask for that. */
export function statusFilter(sent: unknown, kind: PostKind, { caller }: Reader): StatusFilter | 'refused' {
  const requested = sent === undefined ? undefined : requestedStatuses(sent);
  const visibility = visibilityFor(caller, kind, requested);
  if (visibility === 'refused') return 'refused';
  if (requested === undefined) return { visibility, args: [['status', defaultShown(visibility)]] };
  // An empty value stands for what the reader sees as published; links must not lose it.
  const shown = requested.length === 0 ? visibility.statuses : requested;
  return { visibility, args: [['status', shown.join(',')]] };
}

/** A reader who sees more than what is published by default asked for `any`. */
const defaultShown = ({ statuses, own }: Visibility): string =>
  own === null && statuses.every((status) => status === 'publish') ? 'publish' : 'any';

const requestedStatuses = (sent: unknown): string[] => listOf(sent);
