// What a process has dealt with, although the views still show it as due: they are behind, or it cannot be published.

import type { ScheduledPost } from '../read-model/queries.ts';
import type { EpochSeconds } from '../time/zone.ts';

/** After so many milliseconds, a post that could not be published is tried again. */
const TRY_AGAIN_AFTER_MS = 60_000;

export interface SettledPosts {
  /** How many there are. */
  size(): number;
  /** Of posts that views list as due from the earliest on, those that are still to be dealt with. Forgets what is no longer listed. */
  leftOf(listed: readonly ScheduledPost[]): ScheduledPost[];
  /** The log has it published, or no longer due. */
  settle(post: ScheduledPost): void;
  /** It cannot be published for a reason of its own. */
  setAside(post: ScheduledPost): void;
  /** Whether one that was set aside is to be tried again by now. */
  isAnyRipe(): boolean;
  /** When the earliest of those that were set aside was to be published; null: none was. */
  setAsideSince(): EpochSeconds | null;
}

/** A post that gets another date is another matter. */
const nameOf = ({ kind, id, date }: ScheduledPost): string => `${kind} ${id} ${date}`;

/** `elapsed` tells milliseconds that never go back. */
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
