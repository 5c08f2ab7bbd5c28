// Publishes scheduled posts at their instant, without a request. Runs in every process that answers requests, without
// coordination: the log accepts a publication at one revision only.
//
// The read model says what is due; the decision is made again on the log. The clock is polled, as it may be set or
// stand still: nothing here sleeps until an instant.
// decision 24
import { setTimeout as sleep } from 'node:timers/promises';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import { LOG_START, type Position } from '../../../log/envelope.ts';
import { isOutage } from '../../../log/writing.ts';
import type { Log } from '../../../observability/log.ts';
import type { ScheduledPost } from '../../../read-model/queries.ts';
import type { ReadModel } from '../../../read-model/read-model.ts';
import type { DuePost, Publication, PublicationContext } from '../commands/publish-due.ts';

interface PublisherOptions {
  readonly readModel: Pick<ReadModel, 'version' | 'nextScheduled' | 'scheduledUntil'>;
  /** `publishDue` over the log. */
  readonly publish: (context: PublicationContext, post: DuePost) => Promise<Publication>;
  /** Resolves when the read model has applied a position. */
  readonly views: { reached(position: Position, deadlineMs: number): Promise<boolean> };
  readonly clock: { now(): EpochSeconds };
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  readonly newId: () => string;
  readonly log: Log;
}

export type Publisher = ReturnType<typeof startPublisher>;

/** The interval of checking the clock. */
const LOOK_AFTER_MS = 50;
/** How many checks apart the read model is checked for changes by others. */
const LOOKS_PER_VERSION = 4;
/** The longest retry delay while a store is unavailable. */
const MAX_PAUSE_MS = 2_000;
/** Posts published concurrently: requests get their turn in between. */
const AT_ONCE = 50;
/** How many dates of a series are tried at once for each that proved to be set apart from it. */
const AT_ONCE_PER_APART = 4;
/** How long a read waits, and how long the read model is waited for. */
const DEADLINE_MS = 2_000;
/** After a check nothing is pending but what has come up meanwhile. */
const MAX_LOOKS_PER_READ = 3;

const NO_SERIES = 0;

interface Look {
  readonly begun: number;
  readonly done: Promise<void>;
}

/** Starts publishing, until it is stopped. */
export function startPublisher(options: PublisherOptions) {
  const { readModel, publish, views, clock, elapsed, newId, log } = options;
  const ending = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { signal: ending.signal }).catch(() => {});
  const settledPosts = openSettledPosts(elapsed);
  /** The earliest date that is still to be published, in the read model as of `version`. */
  let next: EpochSeconds | null = null;
  let version: string | null = null;
  /** How many checks have been requested, and how many of these requests are done. */
  let wishes = 1;
  let met = 0;
  let failures = 0;
  let current: Look | null = null;

  const isSettled = (now: EpochSeconds): boolean => met === wishes && (next === null || next > now);

  async function firstLeft(): Promise<EpochSeconds | null> {
    const size = settledPosts.size();
    if (size === 0) return readModel.nextScheduled();
    const [first] = settledPosts.leftOf(await readModel.scheduledUntil(Number.MAX_SAFE_INTEGER, size + 1));
    return first?.date ?? null;
  }

  async function askViews(): Promise<void> {
    const current = wishes;
    // In this order: if the read model changes in between, the next check of the version notices.
    version = await readModel.version();
    next = await firstLeft();
    met = current;
  }

  async function publishOne(context: PublicationContext, post: ScheduledPost): Promise<Publication | null> {
    try {
      const publication = await publish(context, post);
      settledPosts.settle(post);
      return publication;
    } catch (error) {
      if (isOutage(error)) throw error;
      log.error({ err: error, kind: post.kind, id: post.id }, 'scheduled post could not be published');
      settledPosts.setAside(post);
      return null;
    }
  }

  /**
   * Publishes the next few; returns the position at which a read model shows them, and the posts that this may have published as
   * well; null if nothing is left. `apart`: how many dates of each series have proved to be set apart from it.
   */
  async function publishSome(correlationId: string, apart: Map<number, number>) {
    const now = clock.now();
    const listed = await readModel.scheduledUntil(now, settledPosts.size() + AT_ONCE);
    const { first, followers } = bySeries(settledPosts.leftOf(listed).slice(0, AT_ONCE), apart);
    if (first.length === 0) return null;
    const outcomes = await Promise.allSettled(first.map((post) => publishOne({ now, correlationId }, post)));
    let position = LOG_START;
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === 'rejected') throw outcome.reason;
      if (outcome.value && outcome.value.position > position) position = outcome.value.position;
      const series = first[index]?.series ?? NO_SERIES;
      if (outcome.value?.isApart) apart.set(series, (apart.get(series) ?? 0) + 1);
      else apart.delete(series);
    }
    return { position, followers };
  }

  async function publishAll(): Promise<void> {
    const correlationId = newId();
    const apart = new Map<number, number>();
    let areViewsBehind = false;
    while (!ending.signal.aborted) {
      const published = await publishSome(correlationId, apart);
      if (published === null) return;
      // A lagging read model blocks nothing: what it still shows as due is known to be done.
      if (!areViewsBehind) areViewsBehind = !(await views.reached(published.position, DEADLINE_MS));
      else await pause(1);
      if (!areViewsBehind) continue;
      for (const post of published.followers) if (!apart.has(post.series)) settledPosts.putOff(post);
    }
  }

  async function look(): Promise<void> {
    try {
      await askViews();
      if (next !== null && next <= clock.now()) {
        await publishAll();
        await askViews();
      }
      if (failures > 0) log.info({}, 'publishing of scheduled posts recovered');
      failures = 0;
    } catch (error) {
      if (failures === 0) log.warn({ err: error }, 'publishing of scheduled posts failed; retrying');
      failures += 1;
    }
  }

  function underWay(): Look {
    if (current) return current;
    const done = look().finally(() => {
      current = null;
    });
    current = { begun: elapsed(), done };
    return current;
  }

  async function untilSettled(now: EpochSeconds): Promise<void> {
    for (let looks = 0; looks < MAX_LOOKS_PER_READ; looks++) {
      if (isSettled(now) || failures > 0) return;
      await underWay().done;
    }
  }

  async function noticeChanges(): Promise<void> {
    try {
      if ((await readModel.version()) !== version || settledPosts.isAnyRipe()) wishes += 1;
    } catch {
      // The next check meets the same error and logs it.
      wishes += 1;
    }
  }

  async function run(): Promise<void> {
    for (let looks = 0; !ending.signal.aborted; looks++) {
      if (looks % LOOKS_PER_VERSION === 0) await noticeChanges();
      if (failures > 0 || !isSettled(clock.now())) await underWay().done;
      await pause(Math.min(LOOK_AFTER_MS * 2 ** Math.min(failures, 10), MAX_PAUSE_MS));
    }
  }

  const running = run();
  return {
    /**
     * Null if nothing is to be published at an instant, as far as this process knows, which costs a comparison of two
     * numbers. Otherwise resolves when it has been published and is shown, or 2 s after that began. While the stores are
     * unavailable no request waits.
     */
    settled(now: EpochSeconds): Promise<void> | null {
      if (isSettled(now) || failures > 0 || ending.signal.aborted) return null;
      const left = DEADLINE_MS - (elapsed() - underWay().begun);
      return left <= 0 ? null : atMost(left, untilSettled(now));
    },
    /** This process may have changed the read model: query the next date again. */
    lookAgain() {
      wishes += 1;
    },
    /** For how many seconds the earliest post that should be public by now has been overdue; 0 if there is none. */
    overdue() {
      const earliest = Math.min(next ?? Infinity, settledPosts.setAsideSince() ?? Infinity);
      return Math.max(0, clock.now() - earliest);
    },
    /** Stops after the current posts. */
    async stop() {
      ending.abort();
      await running;
      await current?.done;
    },
  };
}

/** Pending work may delay this, but no longer than that. */
async function atMost(milliseconds: number, work: Promise<void>): Promise<void> {
  const enough = new AbortController();
  await Promise.race([work, sleep(milliseconds, undefined, { signal: enough.signal }).catch(() => {})]);
  enough.abort();
}

/**
 * One date of each series, and its others: most have no stream of their own and are published with it, and each of them would read the
 * whole series to find that. Fifty of 1,500 dates held the event loop for 0.5 s. Where dates prove to be set apart, more are tried.
 */
function bySeries(due: readonly ScheduledPost[], apart: ReadonlyMap<number, number>) {
  const begun = new Map<number, number>();
  const [first, followers]: [ScheduledPost[], ScheduledPost[]] = [[], []];
  for (const post of due) {
    const { series } = post;
    const before = begun.get(series) ?? 0;
    const isFollower = series !== NO_SERIES && before > AT_ONCE_PER_APART * (apart.get(series) ?? 0);
    (isFollower ? followers : first).push(post);
    begun.set(series, before + 1);
  }
  return { first, followers };
}

// Posts that this process has dealt with although the read model still shows them as due: it lags, or they cannot be
// published.

/** Milliseconds until a post that could not be published is retried. */
const TRY_AGAIN_AFTER_MS = 60_000;

/** A post with another date counts as another entry. */
const nameOf = ({ kind, id, date }: ScheduledPost): string => `${kind} ${id} ${date}`;

/** `elapsed` is a monotonic clock in milliseconds. */
function openSettledPosts(elapsed: () => number) {
  /** The posts, and until when by `elapsed` each is settled. */
  const settled = new Map<
    string,
    { readonly post: ScheduledPost; readonly until: number; readonly failed?: boolean }
  >();

  const isSettled = (post: ScheduledPost): boolean => (settled.get(nameOf(post))?.until ?? 0) > elapsed();

  return {
    /** How many there are. */
    size: () => settled.size,
    /**
     * Those of the due posts in the read model, earliest first, that are still to be dealt with. Forgets posts that are
     * no longer listed.
     */
    leftOf(listed: readonly ScheduledPost[]): ScheduledPost[] {
      const names = new Set(listed.map(nameOf));
      for (const name of settled.keys()) if (!names.has(name)) settled.delete(name);
      return listed.filter((post) => !isSettled(post));
    },
    /** In the log it is published, or no longer due. */
    settle: (post: ScheduledPost) => void settled.set(nameOf(post), { post, until: Infinity }),
    /** It cannot be published for a reason of its own. */
    setAside: (post: ScheduledPost) =>
      void settled.set(nameOf(post), { post, until: elapsed() + TRY_AGAIN_AFTER_MS, failed: true }),
    /** It may be published, which the read model does not show yet. */
    putOff: (post: ScheduledPost) => void settled.set(nameOf(post), { post, until: elapsed() + DEADLINE_MS }),
    /** Whether the retry of a post is due. */
    isAnyRipe: () => [...settled.values()].some(({ until }) => until <= elapsed()),
    /** The scheduled date of the earliest failed post; null if there is none. */
    setAsideSince(): EpochSeconds | null {
      const dates = [...settled.values()].filter(({ failed }) => failed).map(({ post }) => post.date);
      return dates.length === 0 ? null : Math.min(...dates);
    },
  };
}
