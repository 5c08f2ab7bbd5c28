// The state of this process and of its dependencies, measured at each request.

import type { EpochSeconds } from '../kernel/time/zone.ts';
import type { Position } from '../log/envelope.ts';
import { type EventStore, EventStoreUnavailable } from '../log/event-store.ts';
import type { DocumentKey, ParkedDocument } from '../read-model/documents.ts';
import { type ReadModel, ReadModelUnavailable } from '../read-model/read-model.ts';
import type { Trust, TrustWatch } from '../read-model/trust.ts';
import { createLagMeter, type Lag } from './lag.ts';
import type { Log } from './log.ts';

/** The state of this process's projector. */
export interface ProjectorState {
  readonly kind: 'leading' | 'filling' | 'standing by' | 'waiting to try again';
}

/** Documents that were compared with the log since the start, and what differed. */
interface Sampled {
  readonly compared: number;
  readonly different: number;
  readonly last: { readonly key: DocumentKey; readonly part: string } | null;
}

export interface HealthOptions {
  readonly store: Pick<EventStore, 'head' | 'readAll'>;
  /** Whether it may be read or not. */
  readonly readModel: Pick<ReadModel, 'progress'>;
  /** Whether it may be read. */
  readonly trust: Pick<TrustWatch, 'look' | 'now'>;
  /** Whether texts can be searched without waiting; absent in a process that answers no lists. */
  readonly isSearchable?: () => boolean;
  /** Null in a process without a projector. */
  readonly projector: (() => ProjectorState) | null;
  /** Resources with an event that cannot be folded. */
  readonly parked: () => Promise<readonly ParkedDocument[]>;
  /** What has been compared with the log beside the work; absent if nothing is. */
  readonly sampled?: () => Sampled;
  /** Users and organizers whose personal data no key decrypts; absent if it is not checked. */
  readonly unreadable?: () => readonly string[];
  /** Prefixes of the streams that projections read. */
  readonly prefixes: readonly string[];
  readonly now: () => EpochSeconds;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  readonly log: Log;
  /** Rejects while the log would refuse writes; absent if it is not checked. */
  readonly tryWriting?: () => Promise<void>;
  /** The release of this process's zone rules, and how to read the log's; absent if unknown. */
  readonly zoneRules?: { readonly release: string; readonly ofLog: () => Promise<string | null> };
  /** Time-out of one check, in milliseconds. */
  readonly deadlineMs?: number;
}

export type Reachability = { readonly status: 'up' } | { readonly status: 'down'; readonly why: string };

export type ProjectorFinding = ProjectorState | { readonly kind: 'elsewhere' };

/**
 * `current`: nothing of the log is missing. `catching up`: missing events are recent. `filling`: reads are refused
 * until it is full. `another log`: reads are refused, too, because it was not built from this log. `unknown`: a store
 * that is needed to measure it is unavailable, or did not answer in time.
 */
export type ViewsFinding =
  | {
      readonly status: 'current' | 'catching up' | 'lagging' | 'filling';
      readonly lag: Lag;
      readonly checkpoint: Position;
    }
  | { readonly status: 'another log' | 'unknown'; readonly why: string };

export interface Findings {
  readonly eventStore: Reachability;
  readonly readModel: Reachability;
  readonly projector: ProjectorFinding;
  readonly views: ViewsFinding;
  /** Whether the read model answers reads: it belongs to this log, and has what was in it when this process met it. */
  readonly usable: boolean;
  /** Whether searches answer at once: the words of all texts are indexed after the start. */
  readonly searchable: boolean;
  /** Resources that are shown as they were before an event that cannot be folded; null if the read model cannot tell. */
  readonly parked: readonly ParkedDocument[] | null;
  /** Absent if nothing is compared in this process. */
  readonly sampled?: Sampled;
  /**
   * Users and organizers, by their streams, whose personal data no key decrypts, as far as this process has seen;
   * absent for none.
   */
  readonly unreadable?: readonly string[];
  /** Absent if this process does not know its zone rules. */
  readonly zoneRules?: ZoneRulesFinding;
}

/** `log` is null while the log has none, or is unavailable. */
export interface ZoneRulesFinding {
  readonly process: string;
  readonly log: string | null;
}

export type Health = ReturnType<typeof createHealth>;

/** Leaves time for an answer within one and a half seconds. */
const DEFAULT_DEADLINE_MS = 1_000;

/** Adapters time out after a few seconds; after that an answer is no longer awaited. */
const GIVE_UP_AFTER_MS = 5_000;

/**
 * The read model follows the log within milliseconds. When a leading projector crashes, another one takes over within
 * about seven seconds, which is no reason for an alarm; a longer lag does not end by itself soon.
 */
export const LAGGING_AFTER_SECONDS = 10;

export function createHealth(options: HealthOptions) {
  const { store, readModel, trust, projector, prefixes, now, elapsed, log, deadlineMs = DEFAULT_DEADLINE_MS } = options;
  const { zoneRules } = options;
  const meter = createLagMeter({ store, prefixes, now });
  const terms = { elapsed, giveUpAfterMs: GIVE_UP_AFTER_MS };
  const askHead = sharedProbe(() => store.head(), terms);
  const askCheckpoint = sharedProbe(async () => (await readModel.progress()).checkpoint, terms);
  const askTrust = sharedProbe(() => trust.look(), terms);
  const measure = sharedProbe(async () => {
    const [head, checkpoint] = await Promise.all([askHead(), askCheckpoint()]);
    return { checkpoint, lag: await meter.measure(checkpoint, head) };
  }, terms);
  const askRules = sharedProbe(async () => (await zoneRules?.ofLog()) ?? null, terms);
  const askParked = sharedProbe(() => options.parked(), terms);
  const tell = openStateLog(log);
  function reachability(what: Store | typeof WRITING, outcome: Outcome<unknown>): Reachability {
    if (outcome.ok) {
      tell.well(what);
      return { status: 'up' };
    }
    tell.failed(what, outcome.error);
    return { status: 'down', why: whyShown(outcome.error) };
  }

  function viewsFinding(measured: Outcome<Measured>, trusted: Trust['kind'], down: Store | undefined): ViewsFinding {
    if (down !== undefined) return { status: 'unknown', why: `${down} is down` };
    if (!measured.ok) {
      tell.failed('measuring the lag of the read model', measured.error);
      return { status: 'unknown', why: whyShown(measured.error) };
    }
    tell.well('measuring the lag of the read model');
    if (trusted === 'another log') return { status: trusted, why: ANOTHER_LOG };
    return { status: trusted === 'filling' ? trusted : statusOf(measured.value.lag), ...measured.value };
  }

  async function look(): Promise<Findings> {
    const [head, checkpoint, measured, looked, rules, parked] = await Promise.all([
      outcomeWithin(askHead(), deadlineMs),
      outcomeWithin(askCheckpoint(), deadlineMs),
      outcomeWithin(measure(), deadlineMs),
      outcomeWithin(askTrust(), deadlineMs),
      outcomeWithin(askRules(), deadlineMs),
      outcomeWithin(askParked(), deadlineMs),
    ]);
    const eventStore = reachability('the event store', head);
    // While it cannot be checked, reads continue as before.
    const trusted = (looked.ok ? looked.value : trust.now()).kind;
    const down = head.ok ? (checkpoint.ok ? undefined : 'the read model') : 'the event store';
    const views = viewsFinding(measured, trusted, down);
    const unreadable = options.unreadable?.() ?? [];
    return {
      eventStore,
      readModel: reachability('the read model', checkpoint),
      projector: projector?.() ?? { kind: 'elsewhere' },
      views,
      usable: trusted === 'usable',
      searchable: options.isSearchable?.() ?? true,
      parked: parked.ok ? parked.value : null,
      ...(options.sampled && { sampled: options.sampled() }),
      ...(unreadable.length > 0 && { unreadable }),
      ...(zoneRules && { zoneRules: { process: zoneRules.release, log: rules.ok ? rules.value : null } }),
    };
  }

  const lookAtWriting = sharedProbe(async () => options.tryWriting?.(), terms);
  return {
    /** Checks everything, within `deadlineMs` whatever the stores do. Callers during a check share it. Never rejects. */
    examine: sharedProbe(look, terms),
    /** Whether the log accepts writes. Like `examine`; separate, because it may write to the disk. */
    examineWriting: async (): Promise<Reachability> =>
      reachability(WRITING, await outcomeWithin(lookAtWriting(), deadlineMs)),
  };
}

const ANOTHER_LOG =
  'they were made from another log, or from a later copy of this one, or are damaged: they are emptied and filled again';

function statusOf({ events, seconds }: Lag): 'current' | 'catching up' | 'lagging' {
  if (events === 0) return 'current';
  return seconds > LAGGING_AFTER_SECONDS ? 'lagging' : 'catching up';
}

type Store = 'the event store' | 'the read model';

const WRITING = 'writing to the event store';

interface Measured {
  readonly checkpoint: Position;
  readonly lag: Lag;
}

const isOfPort = (error: unknown): error is EventStoreUnavailable | ReadModelUnavailable =>
  error instanceof EventStoreUnavailable || error instanceof ReadModelUnavailable;

/** Messages of the ports' own errors may be shown; others may contain anything. */
function whyShown(error: unknown): string {
  if (isOfPort(error) || error instanceof NoAnswerInTime) return oneLine(error.message);
  return 'unexpected failure; see the log';
}

const MAX_REASON_LENGTH = 300;

/** One line without user and password in addresses. */
const oneLine = (text: string): string =>
  (text.split('\n', 1)[0] ?? '').replace(/:\/\/\S*@/g, '://').slice(0, MAX_REASON_LENGTH);

/** Logs when something changes, not at every check. */
function openStateLog(log: Log) {
  const states = new Map<string, string>();

  function hasChanged(what: string, state: string): boolean {
    const previous = states.get(what) ?? 'well';
    states.set(what, state);
    return previous !== state;
  }

  return {
    well(what: string) {
      if (hasChanged(what, 'well')) log.info({}, `${what} recovered`);
    },
    failed(what: string, error: unknown) {
      const isFault = !isOfPort(error) && !(error instanceof NoAnswerInTime);
      if (!hasChanged(what, isFault ? 'at fault' : 'down')) return;
      if (isFault) log.error({ err: error }, `${what} failed unexpectedly`);
      else log.warn({ err: error }, `${what} failed`);
    },
  };
}

// Queries something that may never answer: at most one query at a time, and no caller waits longer than agreed.

/** There was no answer in time. */
class NoAnswerInTime extends Error {
  override readonly name = 'NoAnswerInTime';
}

interface ProbeTerms {
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  /** After this many milliseconds without an answer the query counts as lost and may be repeated. */
  readonly giveUpAfterMs: number;
}

interface Flight<T> {
  readonly answer: Promise<T>;
  readonly since: number;
}

/** Concurrent callers of `ask` share one query. */
function sharedProbe<T>(ask: () => Promise<T>, { elapsed, giveUpAfterMs }: ProbeTerms): () => Promise<T> {
  let underWay: Flight<T> | null = null;

  function begin(): Flight<T> {
    const flight: Flight<T> = {
      answer: Promise.resolve()
        .then(ask)
        .finally(() => {
          if (underWay === flight) underWay = null;
        }),
      since: elapsed(),
    };
    return flight;
  }

  return () => {
    if (underWay === null || elapsed() - underWay.since > giveUpAfterMs) underWay = begin();
    return underWay.answer;
  };
}

/** The outcome of a query. */
type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

/** The outcome of `work`, or `NoAnswerInTime` after `deadlineMs`. Never rejects. */
async function outcomeWithin<T>(work: Promise<T>, deadlineMs: number): Promise<Outcome<T>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new NoAnswerInTime(`there was no answer within ${deadlineMs} ms`)), deadlineMs);
  });
  try {
    return { ok: true, value: await Promise.race([work, late]) };
  } catch (error) {
    return { ok: false, error };
  } finally {
    clearTimeout(timer);
  }
}
