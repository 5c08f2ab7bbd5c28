// Carries out polls of sources in this process: answers are awaited at the same time, what they say is written one after the
// other, in turns with its requests.

import type { CommandContext } from '../../commands/context.ts';
import { type Rejected, rejected } from '../../domain/decider.ts';
import { isOutage } from '../../log/writing.ts';
import type { ImportersAdmitted } from '../../people/auth/policy.ts';
import { openSourceWatch } from './commands/source-watch.ts';
import { beginPollOf, endPollOf, loadSource, problemOfUser } from './commands/sources.ts';
import {
  failingSince,
  isDue,
  NO_COUNTS,
  POLL_OUTCOMES,
  type Poll,
  type PollEnd,
  type PollFailure,
  type PollProblem,
  type Source,
} from './domain/source.ts';
import { openTurns, type PollDependencies, type PollResult, pollSource } from './poll.ts';

interface PollWish {
  /** `due`: nothing happens if it is not any more. */
  readonly why: 'due' | 'asked';
  readonly how: 'carried out' | 'dry run';
  readonly losses: 'guarded' | 'confirmed';
}

type PollAnswer = { readonly kind: 'polled'; readonly source: Source; readonly end: PollEnd | PollFailure } | Rejected;

export type SourcePolls = ReturnType<typeof openSourcePolls>;

/** A source that fails, and is not paused. */
export interface Failing {
  readonly source: number;
  readonly problem: PollProblem;
  /** In a row. */
  readonly failures: number;
  /** Since the first of them. */
  readonly seconds: number;
}

export interface SourcePollsOptions extends PollDependencies {
  readonly importers: ImportersAdmitted;
  /** Whether other processes write to the same log. */
  readonly isShared: boolean;
  readonly newId: () => string;
  /** Waits until the read model shows what was written. */
  readonly untilShown: () => Promise<void>;
}

/** Whether the poll has changed what readers see, or has proposed a change. */
const hasWritten = ({ counts: { created, changed, missing, proposed }, ...end }: PollEnd | PollFailure): boolean =>
  'outcome' in end && end.outcome !== 'looked' && created + changed + missing + proposed > 0;

/** Counted from the start, so that the first of a sort is an increase. */
const ENDS = POLL_OUTCOMES.filter((outcome) => outcome !== 'running');

/** Sources whose answers are in memory at a time. */
const READ_AT_ONCE = 3;
/** A server that trickles its pages has a place for so long while another source waits for one, and in peace for longer. */
const PATIENCE_MS = 45_000;

export function openSourcePolls(options: SourcePollsOptions) {
  const { store, siteZone, clock, isShared, newId, report, importers } = options;
  const closing = new AbortController();
  const running = new Set<string>();
  const outcomes = new Map<string, number>(ENDS.map((outcome) => [outcome, 0]));
  const watch = openSourceWatch(store);
  const opened = clock.now();
  /**
   * Whether it was begun by an earlier process that was the only one to poll. One that has begun since then may be that of a
   * command, which works on the same log.
   */
  const isAbandoned = ({ request, begun }: Poll): boolean => !isShared && begun <= opened && !running.has(request);
  const turns = { reading: openTurns(READ_AT_ONCE, PATIENCE_MS), writing: openTurns(1, PATIENCE_MS) };
  /** By their sources if they were due. */
  const underWay = new Map<number | symbol, Promise<unknown>>();

  async function result(source: Source, request: string, { how, losses }: PollWish): Promise<PollResult> {
    const failed = (problem: PollFailure['problem'], detail: string): PollResult => ({
      end: { request, problem, detail, counts: NO_COUNTS },
      items: null,
    });
    const check = await problemOfUser(store, source, importers);
    if ('problem' in check) return failed('user', check.problem);
    const pollOptions = { request, how, losses, user: check.user, signal: closing.signal, turns };
    return pollSource(options, source, pollOptions).catch((error: unknown) => {
      if (closing.signal.aborted) return failed('interrupted', '');
      report(error);
      return failed('fault', '');
    });
  }

  /** Keeps `close` waiting for it. */
  function known<Result>(key: number | symbol, work: Promise<Result>): Promise<Result> {
    underWay.set(key, work);
    return work.finally(() => underWay.delete(key));
  }

  async function poll(context: CommandContext, id: number, wish: PollWish): Promise<PollAnswer> {
    const commands = options.commandsFor(siteZone);
    const request = context.correlationId;
    if (wish.how === 'dry run') {
      const loaded = await loadSource(store, id);
      if (!loaded) return rejected('source_not_found');
      const { end } = await result(loaded.state, request, wish);
      return { kind: 'polled', source: loaded.state, end };
    }
    running.add(request);
    try {
      const begun = await beginPollOf(commands, context, id, { why: wish.why, isAbandoned });
      if (begun.kind === 'rejected') return begun;
      return await carryOut(context, begun.written.state, wish);
    } finally {
      running.delete(request);
    }
  }

  async function carryOut(context: CommandContext, source: Source, wish: PollWish): Promise<PollAnswer> {
    const { end, items } = await result(source, context.correlationId, wish);
    if (hasWritten(end)) await options.untilShown();
    const none = { reason: undefined, ifRevision: undefined, idempotencyKey: undefined };
    const ended = { ...context, ...none, now: clock.now() };
    const recorded = await endPollOf(options.commandsFor(siteZone), ended, source.id, end, items);
    const outcome = 'outcome' in end ? end.outcome : 'failed';
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    return recorded.kind === 'rejected' ? recorded : { kind: 'polled', source: recorded.written.state, end };
  }

  async function pollWhenDue(source: Source): Promise<void> {
    const context = { caller: null, now: clock.now(), correlationId: newId() };
    await poll(context, source.id, { why: 'due', how: 'carried out', losses: 'guarded' }).catch((error: unknown) => {
      if (!isOutage(error)) report(error);
    });
  }

  return {
    /** Polls a source now; its request id is that of the context. */
    poll: (context: CommandContext, id: number, wish: PollWish) => known(Symbol(), poll(context, id, wish)),
    /** Begins to poll those that are due; does not wait for their servers. */
    async pollDue(ending: AbortSignal) {
      for (const source of await watch.look()) {
        if (ending.aborted || closing.signal.aborted) return;
        if (isDue(source, clock.now()) && !underWay.has(source.id)) void known(source.id, pollWhenDue(source));
      }
    },
    /** Those that have failed their last poll, as `pollDue` has seen them. */
    failing: () =>
      watch.current().flatMap((source) => {
        const streak = failingSince(source);
        if (!streak?.last.problem) return [];
        const { problem } = streak.last;
        const seconds = Math.max(0, clock.now() - streak.since);
        return [{ source: source.id, problem, failures: source.failures, seconds }];
      }),
    /** How many polls have ended here, by what became of them. */
    outcomes: () => outcomes,
    /** Interrupts what is under way. */
    async close() {
      closing.abort();
      await Promise.allSettled(underWay.values());
    },
  };
}
