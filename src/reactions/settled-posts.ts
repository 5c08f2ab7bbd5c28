// Posts that this process has dealt with although the read model still shows them as due: it lags, or they cannot be
// published.

import type { ScheduledPost } from '../read-model/queries.ts';
import type { EpochSeconds } from '../time/zone.ts';

/** Milliseconds until a post that could not be published is retried. */
const TRY_AGAIN_AFTER_MS = 60_000;

export interface SettledPosts {
  /** How many there are. */
  size(): number;
  /**
   * Those of the due posts in the read model, earliest first, that are still to be dealt with. Forgets posts that are
   * no longer listed.
   */
  leftOf(listed: readonly ScheduledPost[]): ScheduledPost[];
  /** In the log it is published, or no longer due. */
  settle(post: ScheduledPost): void;
  /** It cannot be published for a reason of its own. */
  setAside(post: ScheduledPost): void;
  /** Whether the retry of a failed post is due. */
  isAnyRipe(): boolean;
  /** The scheduled date of the earliest failed post; null if there is none. */
  setAsideSince(): EpochSeconds | null;
}

/** A post with another date counts as another entry. */
const nameOf = ({ kind, id, date }: ScheduledPost): string => `${kind} ${id} ${date}`;

/** `elapsed` is a monotonic clock in milliseconds. */
export function openSettledPosts(elapsed: () => number): SettledPosts {
  /** Until when, by `elapsed`. */
  const settled = new Map<string, { readonly post: ScheduledPost; readonly until: number }>();

  const isSettled = (post: ScheduledPost): boolean => (settled.get(nameOf(post))?.until ?? 0) > elapsed();

  return {
    size: () => settled.size,
    leftOf(listed) {
      const names = new Set(listed.map(nameOf));
      for (const name of settled.keys()) if (!names.has(name)) settled.delete(name);
      return listed.filter((post) => !isSettled(post));
    },
    settle: (post) => void settled.set(nameOf(post), { post, until: Infinity }),
    setAside: (post) => void settled.set(nameOf(post), { post, until: elapsed() + TRY_AGAIN_AFTER_MS }),
    isAnyRipe: () => [...settled.values()].some(({ until }) => until <= elapsed()),
    setAsideSince() {
      const dates = [...settled.values()].filter(({ until }) => until < Infinity).map(({ post }) => post.date);
      return dates.length === 0 ? null : Math.min(...dates);
    },
  };
}
