// Publishes scheduled posts at their instant, without a request. One runs in every process that answers requests:
// they need not know of each other, for the log takes a publication at one revision only.
//
// What is due is told by the views, and decided anew on the log. The clock is looked at again and again, as it may be put
// forward or stand still: nothing here waits for the time that is left until an instant.

import { setTimeout as sleep } from 'node:timers/promises';
import type { DuePost, Publication, PublicationContext } from '../commands/publish-due.ts';
import { LOG_START, type Position } from '../event-store/envelope.ts';
import { isOutage } from '../event-store/writing.ts';
import type { ScheduledPost } from '../read-model/queries.ts';
import type { ReadModel } from '../read-model/read-model.ts';
import type { EpochSeconds } from '../time/zone.ts';
import { openSettledPosts } from './settled-posts.ts';

export interface PublisherOptions {
  readonly readModel: Pick<ReadModel, 'version' | 'nextScheduled' | 'scheduledUntil'>;
  /** `publishDue` over the log. */
  readonly publish: (context: PublicationContext, post: DuePost) => Promise<Publication>;
  /** Tells when views have applied a position. */
  readonly views: { reached(position: Position, deadlineMs: number): Promise<boolean> };
  readonly clock: { now(): EpochSeconds };
  /** Milliseconds since some moment, never going back. */
  readonly elapsed: () => number;
  readonly newId: () => string;
  readonly log: PublisherLog;
}

export interface PublisherLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface Publisher {
  /**
   * Null when nothing is to be published at an instant, as far as this process knows, which costs no more than
   * comparing two numbers. Otherwise resolves when it has been and the views show it, or after 2 s since that was begun.
   * While the stores are unavailable no request waits.
   */
  settled(now: EpochSeconds): Promise<void> | null;
  /** The views may have changed by what this process did: what it knows of them is to be asked again. */
  lookAgain(): void;
  /** For how many seconds the earliest post that should be public by now has been overdue; 0 when none is. */
  overdue(): number;
  /** Ends after the posts at hand. */
  stop(): Promise<void>;
}

/** Between two looks at the clock. */
const LOOK_AFTER_MS = 50;
/** Every so many looks, whether the views have changed by what others did. */
const LOOKS_PER_VERSION = 4;
/** The longest pause while a store is away. */
const MAX_PAUSE_MS = 2_000;
/** So many posts are published side by side: requests have their turn in between. */
const AT_ONCE = 50;
/** How long a read waits, and the views are waited for. */
const DEADLINE_MS = 2_000;
/** A look leaves nothing undone but what has come up meanwhile. */
const MAX_LOOKS_PER_READ = 3;

interface Look {
  readonly begun: number;
  readonly done: Promise<void>;
}

/** Starts publishing, and goes on until it is stopped. */
export function startPublisher(options: PublisherOptions): Publisher {
  const { readModel, publish, views, clock, elapsed, newId, log } = options;
  const ending = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { signal: ending.signal }).catch(() => {});
  const settledPosts = openSettledPosts(elapsed);
  /** The earliest that is still to be published, by the views as they were at `version`. */
  let next: EpochSeconds | null = null;
  let version: string | null = null;
  /** How often a look was wished for, and how many of these wishes have been met. */
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
    const asked = wishes;
    // In this order: should they change in between, the next look at the version finds out.
    version = await readModel.version();
    next = await firstLeft();
    met = asked;
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

  /** Publishes the next few; answers how far views have to be to show them, null when nothing is left. */
  async function publishSome(correlationId: string): Promise<Position | null> {
    const now = clock.now();
    const listed = await readModel.scheduledUntil(now, settledPosts.size() + AT_ONCE);
    const due = settledPosts.leftOf(listed).slice(0, AT_ONCE);
    if (due.length === 0) return null;
    const outcomes = await Promise.allSettled(due.map((post) => publishOne({ now, correlationId }, post)));
    let position = LOG_START;
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') throw outcome.reason;
      if (outcome.value && outcome.value.position > position) position = outcome.value.position;
    }
    return position;
  }

  async function publishAll(): Promise<void> {
    const correlationId = newId();
    let areViewsBehind = false;
    while (!ending.signal.aborted) {
      const position = await publishSome(correlationId);
      if (position === null) return;
      // Views that do not follow hold up nothing: what they still show as due is known to be dealt with.
      if (!areViewsBehind) areViewsBehind = !(await views.reached(position, DEADLINE_MS));
      else await pause(1);
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
      // The look that follows meets it too, and says so.
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
    settled(now) {
      if (isSettled(now) || failures > 0 || ending.signal.aborted) return null;
      const left = DEADLINE_MS - (elapsed() - underWay().begun);
      return left <= 0 ? null : atMost(left, untilSettled(now));
    },
    lookAgain() {
      wishes += 1;
    },
    overdue() {
      const earliest = Math.min(next ?? Infinity, settledPosts.setAsideSince() ?? Infinity);
      return Math.max(0, clock.now() - earliest);
    },
    async stop() {
      ending.abort();
      await running;
      await current?.done;
    },
  };
}

/** Waits for work, but no longer than that. */
async function atMost(milliseconds: number, work: Promise<void>): Promise<void> {
  const enough = new AbortController();
  await Promise.race([work, sleep(milliseconds, undefined, { signal: enough.signal }).catch(() => {})]);
  enough.abort();
}
