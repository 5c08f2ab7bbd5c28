// What became of the deliveries of a subscription. Its streams are called `deliveries-<id of the subscription>`; they name events
// of the log by their places and never hold what was sent, so there is nothing to erase in them.

import { type Evolve, type Fact, UnexpectedFact } from '../../../domain/decider.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';

/** An event of the log, wherever the log is: positions differ between logs, places do not. */
export interface Place {
  /** Id of the event, which is that of its delivery. */
  readonly event: string;
  readonly stream: string;
  readonly revision: number;
}

/** `internal`: a fault of ours, before anything was sent. */
export const DELIVERY_FAILURES = [
  'timeout',
  'connection',
  'private_network',
  'redirect',
  'status',
  'internal',
] as const;
export type DeliveryFailure = (typeof DELIVERY_FAILURES)[number];

/** An attempt, at an instant. */
interface Attempt {
  readonly at: EpochSeconds;
  /** Counted from 1. */
  readonly attempt: number;
  /** The status of the receiver's answer; null if there was none. */
  readonly status: number | null;
}

/** `dropped`: the user whose rights count may not read of it any more. */
type Outcome = 'delivered' | 'dropped';
export interface Done extends Place, Attempt {
  readonly outcome: Outcome;
}

interface Failed extends Place, Attempt {
  readonly failure: DeliveryFailure;
  /** When it is tried again. */
  readonly next: EpochSeconds;
  /** Until when the receiver wants no deliveries at all. */
  readonly quietUntil?: EpochSeconds;
}

/** A delivery that is still to be made. */
export interface Waiting extends Place {
  readonly since: EpochSeconds;
  readonly attempts: number;
  /** The last attempt; null before the first one. */
  readonly failed: Omit<Failed, keyof Place | 'quietUntil'> | null;
}

interface Parked extends Place {
  readonly at: EpochSeconds;
  readonly attempts: number;
  readonly status: number | null;
  readonly failure: DeliveryFailure | null;
}

export interface Deliveries {
  /** Everything up to here is delivered, dropped, parked or waiting; null: nothing yet. */
  readonly upTo: Place | null;
  /** In the order of the log; those that are sent again come last. */
  readonly waiting: readonly Waiting[];
  /** The latest ones. */
  readonly parked: readonly Parked[];
  readonly quietUntil: EpochSeconds;
  /** When the receiver asked for that; absent in what earlier versions have summarized. */
  readonly quietSince?: EpochSeconds;
}

export type DeliveryFact =
  /** `waiting`: those up to there that are not done. */
  | Fact<
      'DeliveriesConfirmed',
      { readonly upTo: Place; readonly done: readonly Done[]; readonly waiting: readonly Place[] }
    >
  | Fact<'DeliveryFailed', Failed>
  | Fact<'DeliveryParked', Place>
  /** Once more, on demand. */
  | Fact<'DeliveryRequested', Place>
  /** The state so far: what comes before it need not be read. */
  | Fact<'DeliveriesSummarized', Deliveries>;

export const NO_DELIVERIES: Deliveries = { upTo: null, waiting: [], parked: [], quietUntil: 0 };

/** Older ones are found in the list of deliveries only. */
const MAX_PARKED = 1_000;

const placeOf = ({ event, stream, revision }: Place): Place => ({ event, stream, revision });

const without = <One extends Place>(all: readonly One[], gone: readonly Place[]): readonly One[] => {
  if (gone.length === 0) return all;
  const ids = new Set(gone.map(({ event }) => event));
  return all.filter(({ event }) => !ids.has(event));
};

export const waitingFrom = (place: Place, since: EpochSeconds): Waiting => ({
  ...placeOf(place),
  since,
  attempts: 0,
  failed: null,
});

export const evolveDeliveries: Evolve<Deliveries, DeliveryFact> = (before, fact, at) => {
  const state = before ?? NO_DELIVERIES;
  switch (fact.type) {
    case 'DeliveriesConfirmed': {
      const { upTo, done, waiting } = fact.data;
      const added = waiting.map((place) => waitingFrom(place, at));
      return { ...state, upTo, waiting: [...without(state.waiting, [...done, ...waiting]), ...added] };
    }
    case 'DeliveryFailed': {
      const { quietUntil, ...failed } = fact.data;
      const waiting = state.waiting.map((one) => (one.event === failed.event ? afterFailure(one, failed) : one));
      return { ...state, waiting, ...(quietUntil !== undefined && { quietUntil, quietSince: failed.at }) };
    }
    case 'DeliveryParked': {
      const entry = state.waiting.find(({ event }) => event === fact.data.event);
      const { status = null, failure = null } = entry?.failed ?? {};
      const parked = { ...placeOf(fact.data), at, attempts: entry?.attempts ?? 0, status, failure };
      const others = without(state.parked, [parked]);
      return {
        ...state,
        waiting: without(state.waiting, [parked]),
        parked: [...others, parked].slice(-MAX_PARKED),
      };
    }
    case 'DeliveryRequested': {
      const place = fact.data;
      // One that waits already is due at once, in its turn.
      const isWaiting = state.waiting.some(({ event }) => event === place.event);
      const again = waitingFrom(place, at);
      const waiting = isWaiting
        ? state.waiting.map((one) => (one.event === place.event ? { ...one, since: at, failed: null } : one))
        : [...state.waiting, again];
      return { ...state, waiting, parked: without(state.parked, [place]) };
    }
    case 'DeliveriesSummarized':
      return fact.data;
    default:
      throw new UnexpectedFact(fact); // The log may hold what today's code does not know.
  }
};

export const afterFailure = (one: Waiting, { at, attempt, status, failure, next }: Failed): Waiting => ({
  ...one,
  attempts: attempt,
  failed: { at, attempt, status, failure, next },
});

/** When a failed delivery is tried again, in seconds. */
export interface Backoff {
  readonly first: number;
  readonly factor: number;
  readonly longest: number;
  /** After this time without success it is parked. */
  readonly total: number;
}

export const BACKOFF: Backoff = { first: 1, factor: 3, longest: 43_200, total: 259_200 };

/** What a receiver may ask for at most with `Retry-After`, in seconds. */
export const MAX_RETRY_AFTER = 86_400;

/** The next instant to try at, a fifth earlier or later than planned; `random` is from 0 to 1. */
export function nextAttempt(
  backoff: Backoff,
  { attempt, at }: Pick<Attempt, 'attempt' | 'at'>,
  random: number,
  retryAfter = 0,
): EpochSeconds {
  const planned = Math.min(backoff.first * backoff.factor ** (attempt - 1), backoff.longest);
  const delay = Math.max(planned * (0.8 + 0.4 * random), Math.min(retryAfter, MAX_RETRY_AFTER));
  return at + Math.ceil(delay);
}

/**
 * A clock that was put back must not hold a delivery up. `renewed`: since then the receiver is another one, or is to be tried
 * again.
 */
export const isDue = ({ failed }: Waiting, now: EpochSeconds, renewed: EpochSeconds): boolean =>
  failed === null || now >= failed.next || now < failed.at || failed.at < renewed;

/**
 * Whether the receiver gets nothing for now because it asked for that. A clock that was put back must not keep it waiting for
 * longer, and what it asked for before `renewed` counts no more.
 */
export const isQuiet = (
  { quietUntil, quietSince = quietUntil }: Pick<Deliveries, 'quietUntil' | 'quietSince'>,
  now: EpochSeconds,
  renewed: EpochSeconds,
): boolean => now < quietUntil && quietUntil - now <= MAX_RETRY_AFTER && quietSince >= renewed;

/** Whether it has failed for long enough; before `renewed` does not count. */
export const isSpent = ({ since }: Waiting, { total }: Backoff, now: EpochSeconds, renewed: EpochSeconds): boolean =>
  now - Math.max(since, renewed) >= total;
