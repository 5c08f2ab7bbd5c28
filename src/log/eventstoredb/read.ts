// Reading from the server: every call ends, with events, with the end of the log, or after a time-out.

import { LRUCache } from 'lru-cache';
import { LOG_START, type Position, type RecordedEvent } from '../envelope.ts';
import type { ReadAllOptions, ReadStreamOptions } from '../event-store.ts';
import type { CallGate } from './calls.ts';
import { decodeEvent, toLogPlace } from './codec.ts';
import type { Connection, LogPlace, RawEvent, ReadRequest } from './connection.ts';
import { ATTEMPTS, type CallTerms, pauseAfter, withDeadline } from './deadline.ts';
import { isPassing, kindOfFailure } from './errors.ts';

export type EventStoreDbReader = ReturnType<typeof createReader>;

export interface ConnectionTerms extends CallTerms {
  readonly connection: Connection;
  readonly calls: CallGate;
}

interface ReaderOptions extends ConnectionTerms {
  /** The prefixes of all streams that Daybook writes in this log; none: it reads any stream. */
  readonly prefixes: readonly string[];
}

/** The last event that Daybook has written, and the last one of all that was looked at to find it. */
interface Head {
  readonly position: Position;
  readonly end: Pick<RawEvent, 'position' | 'id'>;
}

/** A stretch of the log without events of some streams: after `from`, up to and with `upTo`. */
interface Stretch {
  readonly from: Position;
  readonly upTo: Position;
}

/** Sets of prefixes that are read again and again. */
const MAX_STRETCHES = 64;
const SMALLEST_PAGE = 64;
const MAX_PAGE = 4_096;

/** Rejections are the client's errors; `toPortError` turns them into the port's. */
export function createReader({ connection, deadlineMs, closing, calls, prefixes: own }: ReaderOptions) {
  /** Only what matches is sent, so a server that searches is silent: as long as it answers something else, it is waited for. */
  const drain = (request: ReadRequest, take: Take): Promise<void> => {
    const searches = request.of === 'log' && request.filter !== 'nothing';
    const options = { deadlineMs, closing, ...(searches && { onSilence: lastOfAll }) };
    return calls.run(() => withDeadline((givenUp, heard) => drained(request, take, givenUp, heard), options));
  };

  const drained = (request: ReadRequest, take: Take, givenUp: AbortSignal, heard: () => void): Promise<void> =>
    new Promise((resolve, reject) => {
      let isOver = false;
      const stop = connection.read(request, {
        event(event) {
          if (isOver) return;
          heard();
          try {
            if (take(event) === 'enough') end();
          } catch (error) {
            end(error);
          }
        },
        end,
      });
      givenUp.addEventListener('abort', end, { once: true });

      function end(error?: unknown): void {
        if (isOver) return;
        isOver = true;
        stop();
        if (error === undefined) resolve();
        else reject(error);
      }
    });

  let lastHead: Head | null = null;
  /** What was searched without a find, by the prefixes of the search: the server need not search there again. */
  const empty = new LRUCache<string, Stretch>({ max: MAX_STRETCHES });
  /** Resolves with the end of the last search for the head. */
  let searched: Promise<unknown> = Promise.resolve();

  /** Nothing of a stream that does not exist. */
  const streamPage = (request: ReadRequest): Promise<RecordedEvent[]> =>
    repeatedly(async () => {
      const events: RecordedEvent[] = [];
      await drain(request, (raw) => {
        events.push(ours(raw));
        return 'more';
      });
      return events;
    }, closing);

  /** One page of the log: its matching events, and where to continue; `next` is null at the end of the log. */
  async function logPage(
    { after, direction = 'forwards', prefixes = [], limit }: ReadAllOptions,
    maxCount: number,
  ): Promise<LogPage> {
    const events: RecordedEvent[] = [];
    const from: LogPlace | 'start' | 'end' =
      direction === 'backwards' && after === LOG_START ? 'end' : toLogPlace(after);
    const filter = prefixes.length === 0 ? 'nothing' : prefixes;
    let last: Position = after;
    let count = 0;
    let passed = 0;
    await drain({ of: 'log', from, direction, maxCount, filter }, (raw) => {
      count += 1;
      const { position } = raw;
      if (direction === 'forwards' && position <= after) return 'more';
      last = position;
      const event = decodeEvent(raw);
      if (event) events.push(event);
      else passed += 1;
      return events.length < limit ? 'more' : 'enough';
    });
    return { events, passed, next: count < maxCount && events.length < limit ? null : last };
  }

  /** A page forwards, of some streams: what was searched before without a find is passed over. */
  async function newPage(options: ReadAllOptions, maxCount: number): Promise<LogPage> {
    const key = options.prefixes?.join() ?? '';
    const end = await lastOfAll();
    const stretch = stretchNow(key, end);
    const isWithin = stretch !== undefined && options.after >= stretch.from && options.after < stretch.upTo;
    const after = isWithin ? stretch.upTo : options.after;
    if (end === null || end.position <= after) return { events: [], passed: 0, next: null };
    const page = await logPage({ ...options, after }, maxCount);
    if (page.next !== null) return page;
    const from = page.events.at(-1)?.position ?? (isWithin ? stretch.from : after);
    empty.set(key, { from, upTo: from > end.position ? from : end.position });
    return page;
  }

  /** None that is of a log which has been put back from a backup since. */
  function stretchNow(key: string, end: RawEvent | null): Stretch | undefined {
    const stretch = empty.get(key);
    if (stretch === undefined || (end !== null && stretch.upTo <= end.position)) return stretch;
    empty.clear();
    return undefined;
  }

  /** The very last event, whose it may be. */
  async function lastOfAll(): Promise<RawEvent | null> {
    let last: RawEvent | null = null;
    await drain({ of: 'log', from: 'end', direction: 'backwards', maxCount: 1, filter: 'nothing' }, (raw) => {
      last = raw;
      return 'enough';
    });
    return last;
  }

  /** The last event of ours up to the end; behind it may be any number of others, which are looked at once. */
  async function lastOfOurs(end: RawEvent): Promise<Position> {
    let position = LOG_START;
    const maxCount = Number.MAX_SAFE_INTEGER;
    const previous = lastHead && lastHead.end.position < end.position ? lastHead : null;
    if (previous === null) {
      await drain({ of: 'log', from: 'end', direction: 'backwards', maxCount, filter: own }, (raw) => {
        position = decodeEvent(raw)?.position ?? LOG_START;
        return position === LOG_START ? 'more' : 'enough';
      });
      return position;
    }
    position = previous.position;
    const from = toLogPlace(previous.end.position);
    await drain({ of: 'log', from, direction: 'forwards', maxCount, filter: own }, (raw) => {
      const eventPosition = decodeEvent(raw)?.position ?? LOG_START;
      if (eventPosition > position) position = eventPosition;
      return 'more';
    });
    return position;
  }

  const knownAt = (end: RawEvent): Position | null =>
    lastHead !== null && lastHead.end.position === end.position && lastHead.end.id === end.id
      ? lastHead.position
      : null;

  /** Another one may have looked just now. */
  async function lookUpTo(end: RawEvent): Promise<Position> {
    const position = knownAt(end) ?? decodeEvent(end)?.position ?? (await lastOfOurs(end));
    lastHead = { position, end };
    return position;
  }

  /** The server may come back with another log. */
  function forget(): void {
    lastHead = null;
    empty.clear();
  }

  async function findHead(): Promise<Position> {
    try {
      const end = await lastOfAll();
      if (end === null) return LOG_START;
      const pending = knownAt(end) ?? searched.then(() => lookUpTo(end));
      searched = Promise.allSettled([pending]);
      return await pending;
    } catch (error) {
      forget();
      throw error;
    }
  }

  return {
    async readStream(
      stream: string,
      { from, direction = 'forwards', limit }: ReadStreamOptions = {},
    ): Promise<RecordedEvent[]> {
      const maxCount = limit ?? Number.MAX_SAFE_INTEGER;
      if (maxCount < 1) return [];
      const edge = direction === 'forwards' ? 'start' : 'end';
      const start = from === undefined ? edge : BigInt(from);
      const request = { of: 'stream', stream, from: start, direction, maxCount } as const;
      const events = await streamPage(request);
      // Reading backwards from beyond the end starts at the last event; servers search for it in the empty place.
      const isBeyond = direction === 'backwards' && from !== undefined && events.length === 0;
      return isBeyond ? streamPage({ ...request, from: 'end' }) : events;
    },
    async readAll(options: ReadAllOptions): Promise<RecordedEvent[]> {
      const events: RecordedEvent[] = [];
      let after: Position | null = options.after;
      while (after !== null && events.length < options.limit) {
        const rest: ReadAllOptions = { ...options, after, limit: options.limit - events.length };
        // The page begins with the event at `after` itself.
        const pageSize = Math.min(Math.max(rest.limit + 1, SMALLEST_PAGE), MAX_PAGE);
        const isForwards = rest.direction !== 'backwards' && (rest.prefixes?.length ?? 0) > 0;
        const read = () => (isForwards ? newPage(rest, pageSize) : logPage(rest, pageSize));
        const page = await repeatedly(read, closing).catch((error: unknown) => {
          forget();
          throw error;
        });
        events.push(...page.events);
        options.onPassed?.(page.passed);
        after = page.next;
      }
      return events;
    },
    /** The member `text` of the last event of a stream that is not Daybook's log; null for none. */
    async lastText(stream: string): Promise<string | null> {
      let text: string | null = null;
      const request = { of: 'stream', stream, from: 'end', direction: 'backwards', maxCount: 1 } as const;
      const read = () =>
        drain(request, ({ data }) => {
          if (typeof data === 'object' && data !== null && 'text' in data) text = String(data.text);
          return 'enough';
        });
      await repeatedly(read, closing);
      return text;
    },
    /** The position of the last event that Daybook has written. */
    head: (): Promise<Position> => repeatedly(findHead, closing),
    /** Like `head`, without retries: the failure is returned. */
    headAtOnce: findHead,
  };
}

interface LogPage {
  readonly events: readonly RecordedEvent[];
  /** How many others it has. */
  readonly passed: number;
  readonly next: Position | null;
}

type Take = (event: RawEvent) => 'more' | 'enough';

function ours(raw: RawEvent): RecordedEvent {
  const event = decodeEvent(raw);
  if (event) return event;
  throw new Error(`Event ${raw.revision} of the stream ${raw.streamId} (${raw.id}) has not been written by Daybook.`);
}

/** Whether a stream matches the prefixes; no prefix means every stream. */
export function isWanted(stream: string, prefixes: readonly string[]): boolean {
  return prefixes.length === 0 || prefixes.some((prefix) => stream.startsWith(prefix));
}

/** Reading twice does no harm: transient failures are retried with growing delays. */
async function repeatedly<Result>(work: () => Promise<Result>, closing: AbortSignal): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (closing.aborted || attempt === ATTEMPTS || !isPassing(kindOfFailure(error))) throw error;
      await pauseAfter(attempt);
    }
  }
}
