// Checks a log event by event, in order: does each follow from the one before it? Pure; keeps one hash per stream in
// memory. It cannot detect what is missing without a trace: the last events of a stream, a whole stream, or every hash
// of the log's beginning. Gaps between positions (`positionAfter`) reveal the first two, except at the very end of the
// log; for that `src/cli/verify-views.ts` checks the read model.
import { errorText } from '../../kernel/text/error-text.ts';
import { LOG_START, type Position, type RecordedEvent, type Revision } from '../envelope.ts';
import { type EventStore, EventStoreUnavailable } from '../event-store.ts';
import { GENESIS, hashOf } from './event-hash.ts';

/** The problem of an event. `gap`: events before it are missing. `unreadable`: it is not valid JSON. */
type Misfit = 'gap' | 'order' | 'revision' | 'schema version' | 'hash' | 'no hash' | 'unreadable';

export interface LogFinding {
  readonly misfit: Misfit;
  readonly position: Position;
  /** These three are null if the event is too damaged to tell. */
  readonly stream: string | null;
  readonly revision: Revision | null;
  readonly type: string | null;
  readonly expected: string;
  readonly found: string;
}

export interface LogReport {
  readonly events: number;
  readonly streams: number;
  readonly chained: number;
  /** Recorded without a hash. */
  readonly unchained: number;
  /** The position of the last event; `LOG_START` for an empty log. */
  readonly position: Position;
  /** The hash of the last event that has one. It covers only the stream of that event. */
  readonly lastHash: string | null;
  /** The problems in log order, at most `MAX_FINDINGS` of them. */
  readonly findings: readonly LogFinding[];
  /** All of them. */
  readonly misfits: number;
}

interface LogRules {
  /** The newest known version of an event type. */
  readonly newestVersion: (type: string) => number;
  /** The next position, if the store leaves none out. */
  readonly positionAfter?: (position: Position) => Position;
}

type LogChecker = ReturnType<typeof createLogChecker>;

export const MAX_FINDINGS = 20;

interface StreamEnd {
  readonly revision: Revision;
  /** Null: unknown, because an event is missing or unreadable. */
  readonly hash: string | null;
}

type Fault = Pick<LogFinding, 'misfit' | 'expected' | 'found'>;

export function createLogChecker({ newestVersion, positionAfter }: LogRules) {
  const ends = new Map<string, StreamEnd>();
  const findings: LogFinding[] = [];
  let events = 0;
  let chained = 0;
  let unchained = 0;
  let misfits = 0;
  let position = LOG_START;
  let lastHash: string | null = null;

  function positionFault(found: Position): Fault | null {
    if (found <= position) return { misfit: 'order', expected: `a position after ${position}`, found };
    const expected = positionAfter?.(position) ?? found;
    if (expected === found) return null;
    return { misfit: 'gap', expected: `an event at position ${expected}`, found: 'none up to this one' };
  }

  function hashFault(found: string | undefined, expected: string | null): Fault | null {
    if (found === undefined && chained > 0)
      return { misfit: 'no hash', expected: expected ?? 'a hash, as events before it have one', found: 'none' };
    if (found === undefined || expected === null || found === expected) return null;
    return { misfit: 'hash', expected, found };
  }

  function versionFault({ type, schemaVersion }: RecordedEvent): Fault | null {
    const newest = newestVersion(type);
    const isKnown = Number.isInteger(schemaVersion) && schemaVersion >= 1 && schemaVersion <= newest;
    return isKnown ? null : { misfit: 'schema version', expected: `1 to ${newest}`, found: String(schemaVersion) };
  }

  function add(place: Pick<LogFinding, 'position' | 'stream' | 'revision' | 'type'>, fault: Fault): void {
    misfits += 1;
    if (findings.length < MAX_FINDINGS) findings.push({ ...place, ...fault });
  }

  /** The hash that the event should have; null if its inputs are unknown. */
  function expectedHash(event: RecordedEvent): string | null {
    const end = ends.get(event.stream) ?? { revision: -1, hash: GENESIS };
    if (end.hash === null || event.revision !== end.revision + 1) return null;
    return hashOf(end.hash, event);
  }

  function revisionFault({ stream, revision }: RecordedEvent): Fault | null {
    const expected = (ends.get(stream)?.revision ?? -1) + 1;
    return expected === revision ? null : { misfit: 'revision', expected: String(expected), found: String(revision) };
  }

  return {
    /** Checks the next event of the log. */
    check(event: RecordedEvent) {
      const { hash } = event.metadata;
      const expected = withoutFailing(() => expectedHash(event));
      // A problem of the event itself says more than a missing one before it.
      const fault =
        revisionFault(event) ??
        (expected instanceof Error
          ? ({ misfit: 'unreadable', expected: 'JSON', found: expected.message } as const)
          : hashFault(hash, expected)) ??
        positionFault(event.position) ??
        versionFault(event);
      if (fault) add(event, fault);
      // From here on the event counts as it is, so that one change is not reported over and over.
      const hashed = hash ?? (expected instanceof Error ? null : expected);
      ends.set(event.stream, { revision: event.revision, hash: hashed });
      events += 1;
      if (hash === undefined) unchained += 1;
      else {
        chained += 1;
        lastHash = hash;
      }
      if (event.position > position) position = event.position;
    },
    /** Records an unreadable event; `place` is what is known of its position. */
    unreadable(place: Pick<LogFinding, 'position' | 'stream' | 'revision' | 'type'>, why: string) {
      events += 1;
      add(place, { misfit: 'unreadable', expected: 'an event that can be read', found: why });
      if (place.position > position) position = place.position;
      if (place.stream !== null && place.revision !== null)
        ends.set(place.stream, { revision: place.revision, hash: null });
    },
    report: (): LogReport => ({
      events,
      streams: ends.size,
      chained,
      unchained,
      position,
      lastHash,
      findings,
      misfits,
    }),
  };
}

function withoutFailing<Result>(work: () => Result): Result | Error {
  try {
    return work();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

// Reads a log from its beginning to its present end and passes it to a checker.

/** Access to events that the store cannot read. */
export type EventPlace = Pick<LogFinding, 'position' | 'stream' | 'revision' | 'type'>;

interface ReplayOptions {
  /** As stored: below the upcasters. */
  readonly log: Pick<EventStore, 'readAll' | 'head'>;
  readonly checker: LogChecker;
  /** Called with every readable event, after the checker. */
  readonly observe: (event: RecordedEvent) => void;
  /** The position of the first event after another position; absent if the store cannot tell. Null: there is none. */
  readonly placeAfter?: (position: Position) => EventPlace | null;
  /** Called every now and then with the number of events passed, including those of others in the same log. */
  readonly onProgress: (events: number) => void;
}

const PAGE = 1_000;

/**
 * Returns `complete`, or `cut short` if an event cannot be read and the store cannot say what comes after it. Rejects
 * with `EventStoreUnavailable`.
 */
export async function replayLog(options: ReplayOptions): Promise<'complete' | 'cut short'> {
  const { log, checker, observe, onProgress } = options;
  const head = await log.head();
  let after = LOG_START;
  let count = 0;
  while (after < head) {
    const page = await readPage(options, after, (passed) => {
      count += passed;
      onProgress(count);
    });
    if ('failure' in page) {
      const place = options.placeAfter?.(after) ?? null;
      checker.unreadable(place ?? unknownBehind(after), page.failure);
      if (place === null) return 'cut short';
      count += 1;
      after = place.position;
      continue;
    }
    const events = page.filter(({ position }) => position <= head);
    for (const event of events) {
      checker.check(event);
      observe(event);
    }
    count += events.length;
    onProgress(count);
    after = page.at(-1)?.position ?? head;
  }
  return 'complete';
}

/** A bad event makes its page unreadable; reading event by event finds it and checks those before it. */
async function readPage(
  { log }: ReplayOptions,
  after: Position,
  onPassed: (events: number) => void,
): Promise<readonly RecordedEvent[] | { readonly failure: string }> {
  let failure = '';
  for (const limit of [PAGE, 1]) {
    try {
      return await log.readAll({ after, limit, onPassed });
    } catch (error) {
      if (error instanceof EventStoreUnavailable) throw error;
      failure = errorText(error);
    }
  }
  return { failure };
}

/** Later than the position after which it was searched: how much is missing is unknown. */
const unknownBehind = (after: Position): EventPlace => ({ position: after, stream: null, revision: null, type: null });
