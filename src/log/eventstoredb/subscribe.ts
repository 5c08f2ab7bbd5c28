// Subscriptions. The clients' own end at the first broken connection, silently or with an error; these
// are reopened after the last delivered event, so nothing is lost or delivered twice.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Position, RecordedEvent } from '../envelope.ts';
import type { SubscribeOptions } from '../event-store.ts';
import { type ClientEvent, decodeEvent, toLogPlace, toRawEvent } from './codec.ts';
import type { Flow } from './connection.ts';
import { CallFailed, kindOfFailure } from './errors.ts';
import { type ConnectionTerms, isWanted } from './read.ts';

interface SubscriberOptions extends Omit<ConnectionTerms, 'calls'> {
  /** Called with each failure that was recovered from. */
  readonly onBreak: (failure: unknown, pauseMs: number) => void;
}

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;
/** How long a subscription that is catching up waits for a full batch. */
const FILL_MS = 25;
/** How many batches are buffered for a slow consumer before the server is slowed down. */
const HELD_BATCHES = 2;

/**
 * Never ends by itself and recovers from failures. Rejects only if the server refuses user or rights, and at once if
 * `after` is not a position. Progress that the server reports between matching events is not used: it always continues
 * after a delivered event.
 */
export async function* follow(
  options: SubscribeOptions,
  { connection, deadlineMs, closing, onBreak }: SubscriberOptions,
): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
  const prefixes = options.prefixes ?? [];
  const ending = AbortSignal.any([options.signal, closing]);
  let after = options.after;
  let failures = 0;
  while (!ending.aborted) {
    const flow = connection.subscribe(toLogPlace(after), prefixes);
    const feed = openFeed(flow, { after, prefixes, batchSize: options.batchSize, deadlineMs, ending });
    try {
      for (let batch = await feed.next(); batch !== null; batch = await feed.next()) {
        failures = 0;
        after = batch.at(-1)?.position ?? after;
        yield batch;
      }
    } finally {
      feed.stop();
    }
    if (ending.aborted) return;
    const failure = feed.failure();
    if (kindOfFailure(failure) === 'refused') throw failure;
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS) * (0.5 + Math.random() / 2);
    failures += 1;
    onBreak(failure, pauseMs);
    await sleep(pauseMs, undefined, { signal: ending }).catch(() => {});
  }
}

interface FeedOptions {
  readonly after: Position;
  readonly prefixes: readonly string[];
  readonly batchSize: number;
  readonly deadlineMs: number;
  readonly ending: AbortSignal;
}

function openFeed(flow: Flow, { after, prefixes, batchSize, deadlineMs, ending }: FeedOptions) {
  const { events } = flow;
  const buffer: RecordedEvent[] = [];
  let latest = after;
  let failure: unknown = null;
  let isLive = false;
  let wake = (): void => undefined;

  const timer = setTimeout(
    () => fail(new CallFailed('deadline-exceeded', `no subscription within ${deadlineMs} ms`)),
    deadlineMs,
  );
  const onConfirmation = (): void => clearTimeout(timer);
  const onEnd = (): void => fail(new Error('the server ended the subscription'));
  const onAbort = (): void => wake();
  const onCaughtUp = (): void => {
    isLive = true;
    wake();
  };

  function fail(error: unknown): void {
    failure ??= error;
    wake();
  }

  function accept(raw: ClientEvent): void {
    const event = isWanted(raw.streamId, prefixes) ? decodeEvent(toRawEvent(raw)) : null;
    if (!event || event.position <= latest) return;
    latest = event.position;
    buffer.push(event);
    if (buffer.length >= batchSize * HELD_BATCHES) events.pause();
    wake();
  }

  function onData({ event }: { readonly event?: ClientEvent }): void {
    if (!event || failure !== null) return;
    try {
      accept(event);
    } catch (error) {
      fail(error);
    }
  }

  events
    .on('data', onData)
    .on('error', fail)
    .on('end', onEnd)
    .on('close', onEnd)
    .on('confirmation', onConfirmation)
    .on('caughtUp', onCaughtUp);
  ending.addEventListener('abort', onAbort);

  const isOver = (): boolean => failure !== null || ending.aborted;
  const news = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });

  /** Events arrive one by one. While catching up a full batch is worth a wait; live events are passed on at once. */
  async function gather(): Promise<void> {
    if (isLive) return nextTurn();
    const filling = setTimeout(onCaughtUp, FILL_MS);
    while (buffer.length < batchSize && !isLive && !isOver()) await news();
    clearTimeout(filling);
  }

  return {
    /** The available events, at most a batch, or the next one to arrive; null at the end. */
    async next(): Promise<readonly RecordedEvent[] | null> {
      while (buffer.length === 0) {
        if (isOver()) return null;
        await news();
      }
      await gather();
      if (ending.aborted) return null;
      const batch = buffer.splice(0, batchSize);
      if (buffer.length < batchSize && events.isPaused()) events.resume();
      return batch;
    },
    /** The reason of the end. */
    failure: (): unknown => failure,
    stop() {
      clearTimeout(timer);
      ending.removeEventListener('abort', onAbort);
      events.off('data', onData).off('error', fail).off('end', onEnd).off('close', onEnd);
      flow.stop();
    },
  };
}
