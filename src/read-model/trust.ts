// Whether the read model may be read: compares it with the log, and admits or refuses reads. Each process does so for
// itself, periodically, and at once when a read meets data that has not been compared yet.
// decision 10
import { setTimeout as pause } from 'node:timers/promises';
import { wholeHead } from '../editorial/change-sets/facts/whole-sets.ts';
import { LOG_START, type Position } from '../log/envelope.ts';
import { type EventStore, hasEvent, type StreamReader } from '../log/event-store.ts';
import type { Gate, Life, Progress, ReadModel } from './read-model.ts';

/**
 * `usable`: it belongs to this log, and has everything that was in the log when this process first met it. `filling`:
 * not yet. `another log`: it was built from another log, or a later copy of this one, or was found damaged; it is
 * refilled. `unknown`: it, or the log to compare it with, is unavailable.
 */
export type Trust =
  | { readonly kind: 'usable'; readonly progress: Progress }
  | { readonly kind: 'filling'; readonly progress: Progress }
  | { readonly kind: 'another log'; readonly progress: Progress }
  | { readonly kind: 'unknown' };

interface TrustOptions {
  readonly gate: Gate;
  /** As the projector has it: without a guard. */
  readonly readModel: Pick<ReadModel, 'progress'>;
  readonly store: Pick<EventStore, 'head' | 'readAll' | 'readStream'>;
  /** Prefixes of the streams that projections read. */
  readonly prefixes: readonly string[];
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  /** Milliseconds between two checks. */
  readonly pauseMs?: number;
}

export type TrustWatch = ReturnType<typeof watchTrust>;

const PAUSE_MS = 250;
/** How long a read waits for the judgement; the log may take time to report that it is unavailable. */
const PATIENCE_MS = 1_000;
/** Counting missing events ends here. */
const MAX_COUNTED = 500;
const NONE: readonly Position[] = [];

/** A life, and what it must have. */
interface Met {
  readonly life: Life;
  /** What it must have before it is read: the end of the log when it was met, without the part of a set of changes. */
  readonly target: Position;
}

export function watchTrust(options: TrustOptions) {
  const { gate, readModel, store, prefixes, elapsed, pauseMs = PAUSE_MS } = options;
  const ending = new AbortController();
  let trust: Trust = { kind: 'unknown' };
  let met: Met | null = null;
  /**
   * The origin must be checked: for a new life, and after the log was unavailable, because it may have been restored
   * from a copy.
   */
  let isOriginKnown = false;
  /** Positions of events that should be shown by now, and were not at the last check. */
  let missing: readonly Position[] = NONE;
  /** The events after the checkpoint up to `readUpTo`: each is read once, however long it is missing. */
  let outstanding: readonly Position[] = NONE;
  let readUpTo: Position = LOG_START;
  /** The end of the log at an earlier check: the read model has had time to show what is before it. */
  let earlier: { readonly head: Position; readonly at: number } | null = null;
  let running: Promise<void> = Promise.resolve();

  function judged(next: Trust): Trust {
    trust = next;
    if (next.kind === 'usable') gate.admit(next.progress.life);
    else gate.refuse(next.kind === 'unknown' ? null : next.progress.life);
    return next;
  }

  async function examine(): Promise<Trust> {
    const progress = await readModel.progress().catch(() => null);
    if (progress === null) return judged({ kind: 'unknown' });
    try {
      return judged(await compare(progress));
    } catch {
      isOriginKnown = false;
      missing = NONE;
      forgetOutstanding();
      // Without the log, data that was trusted stays trusted, and nothing else becomes so.
      return judged(isTrusted(progress) ? { kind: 'usable', progress } : { kind: 'unknown' });
    }
  }

  const isTrusted = ({ life }: Progress): boolean => trust.kind === 'usable' && trust.progress.life === life;

  async function compare(progress: Progress): Promise<Trust> {
    // In this order: what the read model had is in the log by now.
    const head = await store.head();
    const wasTrusted = isTrusted(progress);
    if (met?.life !== progress.life) meet(progress, await wholeHead(store));
    if ((await originNow(progress, head)) === 'another log') return { kind: 'another log', progress };
    const next = await firstMissing(progress.checkpoint, head);
    await measure(next, head);
    if (wasTrusted) return { kind: 'usable', progress };
    const isThere = next === null || next > (met?.target ?? head);
    return { kind: isThere ? 'usable' : 'filling', progress };
  }

  function meet({ life }: Progress, target: Position): void {
    met = { life, target };
    isOriginKnown = false;
    forgetOutstanding();
    earlier = null;
  }

  async function originNow(progress: Progress, head: Position): Promise<Origin> {
    if (isOriginKnown && progress.checkpoint <= head) return 'this log';
    const origin = await originOf(store, progress);
    isOriginKnown = origin === 'this log';
    return origin;
  }

  function forgetOutstanding(): void {
    [outstanding, readUpTo] = [NONE, LOG_START];
  }

  /** The first event that is not shown and that projections read. */
  async function firstMissing(checkpoint: Position, head: Position): Promise<Position | null> {
    outstanding = outstanding.filter((position) => position > checkpoint);
    if (readUpTo < checkpoint) readUpTo = checkpoint;
    if (outstanding.length === 0 && readUpTo < head) await readOn(1, head);
    return outstanding[0] ?? null;
  }

  async function readOn(limit: number, head: Position): Promise<void> {
    const events = await store.readAll({ after: readUpTo, prefixes, limit });
    outstanding = [...outstanding, ...events.map(({ position }) => position)];
    const reached = events.at(-1)?.position ?? head;
    readUpTo = events.length < limit && reached < head ? head : reached;
  }

  async function measure(next: Position | null, head: Position): Promise<void> {
    const due = next === null ? LOG_START : (earlier?.head ?? LOG_START);
    if (readUpTo < due && outstanding.length < MAX_COUNTED) await readOn(MAX_COUNTED - outstanding.length, head);
    missing = outstanding.filter((position) => position <= due);
    if (earlier === null || elapsed() - earlier.at >= pauseMs / 2) earlier = { head, at: elapsed() };
  }

  /** One check after the other: a request during a check may concern something that happened since it began. */
  let underWay: Promise<Trust> | null = null;
  let following: Promise<Trust> | null = null;
  function look(): Promise<Trust> {
    if (underWay === null) {
      underWay = examine().finally(() => {
        underWay = null;
      });
      return underWay;
    }
    following ??= underWay.then(() => {
      following = null;
      return look();
    });
    return following;
  }

  async function poll(): Promise<void> {
    while (!ending.signal.aborted) {
      await look();
      await pause(pauseMs, undefined, { signal: ending.signal, ref: false }).catch(() => {});
    }
  }

  gate.judgeBy(async () => {
    await Promise.race([look(), pause(PATIENCE_MS, undefined, { ref: false })]);
  });

  return {
    /** As of the last check. */
    now: () => trust,
    /** Compares now; callers during a check share the next one. Never rejects. */
    look,
    /**
     * How many events an answer lacks that shows the log up to a position: those that have been in the log for longer
     * than it takes to show them, up to some hundreds. As of the last check.
     */
    behind: (at: Position) => missing.filter((position) => position > at).length,
    /** Whether the read model lacks such events. */
    isBehind: () => missing.length > 0,
    /** Starts periodic checks. */
    start() {
      running = poll();
    },
    async stop() {
      ending.abort();
      await running;
    },
  };
}

// Whether a read model was built from this log.

/**
 * `this log`: the log has, at the checkpoint, the event that was applied last; always so for an empty read model.
 * `another log`: it has not. The read model belongs to another installation, or the log is an earlier copy restored
 * from a backup: then the read model shows data that the log does not have. One that was found damaged counts as
 * `another log`, too.
 */
type Origin = 'this log' | 'another log';

/** Rejections: those of the store. */
export async function originOf(
  store: StreamReader,
  { checkpoint, mark }: Pick<Progress, 'checkpoint' | 'mark'>,
): Promise<Origin> {
  if (checkpoint === LOG_START) return 'this log';
  return (await hasEvent(store, mark, checkpoint)) ? 'this log' : 'another log';
}
