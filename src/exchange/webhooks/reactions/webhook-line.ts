// Everything that one subscription is to be sent: a queue for each resource, so that one that fails holds back itself alone.
// What happens is recorded in the log about once a second; what a crash leaves unrecorded is sent once more, with its ids.
import { evolveAll } from '../../../domain/decider.ts';
import type { Position, RecordedEvent } from '../../../log/envelope.ts';
import type { EventStore, StreamReader } from '../../../log/event-store.ts';
import { appendRepeatedly, eventOf, systemActor, systemMetadata } from '../../../log/writing.ts';
import { isBadMoment, type ReactionOptions } from '../../../reactions/repeat.ts';
import { deliveriesStream, evolved, loadDeliveries, SUMMARIZE_AFTER } from '../commands/deliveries.ts';
import type { LoadedWebhook } from '../commands/webhooks.ts';
import {
  afterFailure,
  type Backoff,
  type Deliveries,
  type DeliveryFact,
  type DeliveryFailure,
  type Done,
  evolveDeliveries,
  isDue,
  isQuiet,
  isSpent,
  MAX_RETRY_AFTER,
  NO_DELIVERIES,
  nextAttempt,
  type Place,
  type Waiting,
  waitingFrom,
} from '../domain/deliveries.ts';
import { type PauseReason, signingSecrets, type Webhook } from '../domain/webhook.ts';
import type { Delivery, DeliveryResult, Send } from './webhook-sender.ts';

interface Payload {
  readonly json: string;
  /** The trace of the request that made the change, where requests are traced. */
  readonly cause: string | undefined;
}

/** What is to be sent, as its reader may see it. */
export interface WebhookFeed {
  /** The next changes that are selected; `no_user`: whose rights count is not there any more. */
  next(
    webhook: Webhook,
    after: Position,
  ): Promise<{ readonly matches: readonly Place[]; readonly next: Position; readonly hasMore: boolean } | 'no_user'>;
  /** As it is to be sent now; null if its reader may not read of it any more. */
  payload(webhook: Webhook, place: Place): Promise<Payload | 'no_user' | null>;
}

export interface LineOptions extends ReactionOptions {
  readonly store: EventStore;
  readonly newId: () => string;
  readonly feed: WebhookFeed;
  readonly send: Send;
  readonly backoff: Backoff;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  readonly pause: (webhook: number, why: PauseReason) => Promise<void>;
  /** Something goes on: a delivery has ended. */
  readonly progressed: () => void;
}

/** Another process sends the same: this one stops. */
export class TakenOver extends Error {
  override readonly name = 'TakenOver';
}

/** Resources that are sent at the same time. */
const AT_ONCE = 8;
/** Beyond these the subscription waits: neither memory nor log grow with a receiver that is down. */
const MAX_QUEUED = 1_000;
const MAX_FAILING = 100;
const RECORD_AFTER_MS = 1_000;
const RECORD_WHEN_QUIET_MS = 200;
const RECORD_AFTER = 100;

export interface Line {
  /**
   * Goes one step on; call it again and again. Rejects if it cannot: after an outage call it again, otherwise begin another
   * one from the log.
   */
  look(webhook: Webhook, what: { readonly head: Position; readonly isAsked: boolean }): Promise<void>;
  /** Whether it has paused its subscription: it sends nothing any more. */
  hasPaused(): boolean;
  outstanding(): Pick<Deliveries, 'waiting' | 'parked'>;
  /** Lets what is being sent end within `graceMs`, and records what was. */
  stop(graceMs: number): Ending;
}

/** `ended` rejects as `look` does. */
export interface Ending {
  /** Resolves once no payload is being asked of the feed any more. */
  readonly quiet: Promise<void>;
  readonly ended: Promise<void>;
}

/** Begins where the log says that it was left. */
export async function openLine({ state: begun, begun: beginning }: LoadedWebhook, options: LineOptions): Promise<Line> {
  const { store, newId, feed, send, backoff, random, clock, elapsed, log, pause, progressed } = options;
  const { id } = begun;
  const stream = deliveriesStream(id);
  const ending = new AbortController();
  const sending = new Map<string, Promise<void>>();
  const asking = new Set<Promise<unknown>>();
  const queues = new Map<string, Waiting[]>();
  let webhook = begun;
  let { state: recorded, revision } = await loadDeliveries(store, id);
  let quiet: Pick<Deliveries, 'quietUntil' | 'quietSince'> = recorded;
  let cursor = (recorded.upTo && (await positionOf(store, recorded.upTo))) ?? beginning;
  let upTo = recorded.upTo;
  let readUpTo: Position | null = null;
  let hasMore = true;
  /** What the log does not say yet. */
  let done: Done[] = [];
  let failures: DeliveryFact[] = [];
  let unrecordedSince: number | null = null;
  let recordedAt = Number.NEGATIVE_INFINITY;
  let toPause: PauseReason | null = null;
  let isPaused = false;
  let failure: unknown = null;
  for (const one of recorded.waiting) enqueue(one);

  function enqueue(one: Waiting): void {
    queues.set(one.stream, [...(queues.get(one.stream) ?? []), one]);
  }

  const queued = (): Waiting[] => [...queues.values()].flat();
  const touched = (): void => {
    unrecordedSince ??= elapsed();
  };

  function leave({ stream: of, event }: Place): void {
    const left = (queues.get(of) ?? []).filter((one) => one.event !== event);
    if (left.length > 0) queues.set(of, left);
    else queues.delete(of);
  }

  /** Reads on, unless too much waits. */
  async function fill(head: Position): Promise<void> {
    if (!hasMore && readUpTo === head) return;
    if (queued().length >= MAX_QUEUED) return;
    if ([...queues.values()].filter(([first]) => first?.failed).length >= MAX_FAILING) return;
    const page = await feed.next(webhook, cursor);
    if (page === 'no_user') {
      toPause = 'no_user';
      return;
    }
    const now = clock.now();
    for (const place of page.matches) enqueue(waitingFrom(place, now));
    const last = page.matches.at(-1) ?? (page.hasMore ? await placeBefore(store, page.next) : null);
    if (last) {
      upTo = last;
      touched();
    }
    cursor = page.next;
    readUpTo = head;
    ({ hasMore } = page);
  }

  function startDue(): void {
    const now = clock.now();
    if (isQuiet(quiet, now, webhook.renewed)) return;
    for (const [of, [first]] of queues) {
      if (sending.size >= AT_ONCE || toPause !== null) return;
      if (first === undefined || sending.has(of) || !isDue(first, now, webhook.renewed)) continue;
      const delivery = deliver(first)
        .catch((error: unknown) => {
          if (!ending.signal.aborted) failure ??= error;
        })
        .finally(() => {
          sending.delete(of);
          progressed();
        });
      sending.set(of, delivery);
    }
  }

  async function deliver(one: Waiting): Promise<void> {
    const answer = payloadOf(one);
    asking.add(answer);
    const payload = await answer.finally(() => asking.delete(answer));
    if (payload === null) return finish(one, 'dropped', null);
    if (payload === 'no_user') {
      toPause = payload;
      return;
    }
    const result = payload ? await send(deliveryOf(one, payload), ending.signal) : NOT_SENT;
    if (result.failure === null) return finish(one, 'delivered', result.status);
    fail(one, { ...result, failure: result.failure });
  }

  const deliveryOf = ({ event }: Waiting, { json, cause }: Payload): Delivery => {
    const { url } = webhook;
    return { id: event, url, secrets: signingSecrets(webhook, clock.now()), body: json, cause };
  };

  /** Undefined: there is a fault in us, which must hold back nothing but its own resource. */
  async function payloadOf(one: Waiting): Promise<Awaited<ReturnType<WebhookFeed['payload']>> | undefined> {
    try {
      return await feed.payload(webhook, one);
    } catch (error) {
      if (isBadMoment(error)) throw error;
      log.error({ err: error, webhook: id, event: one.event }, 'building a delivery failed');
      return undefined;
    }
  }

  function finish(one: Waiting, outcome: Done['outcome'], status: number | null): void {
    leave(one);
    const { event, stream: of, revision: at } = one;
    done.push({ event, stream: of, revision: at, outcome, at: clock.now(), attempt: one.attempts + 1, status });
    touched();
  }

  function fail(one: Waiting, { failure: why, status, retryAfter }: DeliveryResult & { failure: DeliveryFailure }) {
    const { event, stream: of, revision: place } = one;
    const at = clock.now();
    const attempt = one.attempts + 1;
    const next = nextAttempt(backoff, { attempt, at }, random(), retryAfter);
    const quietUntil = at + Math.min(retryAfter, MAX_RETRY_AFTER);
    if (retryAfter > 0) quiet = { quietUntil, quietSince: at };
    const what = { event, stream: of, revision: place, at, attempt, status, failure: why, next };
    const fact = { ...what, ...(retryAfter > 0 && { quietUntil }) };
    failures.push({ type: 'DeliveryFailed', data: fact });
    if (status === GONE) toPause = 'gone';
    if (isSpent(one, backoff, at, webhook.renewed)) {
      failures.push({ type: 'DeliveryParked', data: { event, stream: of, revision: place } });
      leave(one);
      log.error({ webhook: id, event, of, status, failure: why }, 'delivery given up and parked');
    } else
      queues.set(
        of,
        (queues.get(of) ?? []).map((other) => (other.event === event ? afterFailure(other, fact) : other)),
      );
    touched();
  }

  /** The first outcome after a while counts at once: a process that is killed again and again must get on. */
  const isToRecord = (): boolean =>
    unrecordedSince !== null &&
    (toPause !== null ||
      done.length >= RECORD_AFTER ||
      (done.length > 0 && elapsed() - recordedAt >= RECORD_AFTER_MS) ||
      elapsed() - unrecordedSince >= (sending.size > 0 ? RECORD_AFTER_MS : RECORD_WHEN_QUIET_MS));

  async function record(): Promise<void> {
    const known = new Set(recorded.waiting.map(({ event }) => event));
    const waiting = queued()
      .filter(({ event }) => !known.has(event))
      .map(({ event, stream: of, revision: at }) => ({ event, stream: of, revision: at }));
    const [ended, failed] = [done, failures];
    const facts: DeliveryFact[] = [...failed];
    if (upTo && (ended.length > 0 || waiting.length > 0 || upTo.event !== recorded.upTo?.event))
      facts.unshift({ type: 'DeliveriesConfirmed', data: { upTo, done: ended, waiting } });
    done = [];
    failures = [];
    unrecordedSince = null;
    recordedAt = elapsed();
    if (facts.length === 0) return;
    const after = evolveAll(evolveDeliveries, recorded, facts, clock.now()) ?? NO_DELIVERIES;
    if (Math.floor((revision + facts.length) / SUMMARIZE_AFTER) > Math.floor(revision / SUMMARIZE_AFTER))
      facts.push({ type: 'DeliveriesSummarized', data: after });
    try {
      if (await append(facts)) {
        recorded = after;
        return;
      }
    } catch (error) {
      keep();
      throw error;
    }
    // Nothing was written, because something else was meanwhile.
    keep();
    await takeRequests();

    function keep(): void {
      done = [...ended, ...done];
      failures = [...failed, ...failures];
      touched();
    }
  }

  async function append(facts: readonly DeliveryFact[]): Promise<boolean> {
    const cause = { actor: systemActor('webhooks'), now: clock.now(), correlationId: newId() };
    const metadata = systemMetadata(cause);
    const events = facts.map((fact) => eventOf(fact, { metadata, newEventId: newId }));
    const expected = revision < 0 ? 'no_stream' : revision;
    const outcome = await appendRepeatedly(() => store.append([{ stream, expected, events }]));
    if (outcome.kind === 'conflict') return false;
    revision += events.length;
    return true;
  }

  /** Takes over what users have asked for since; anything else there is the work of another dispatcher. */
  async function takeRequests(): Promise<void> {
    for (const event of await store.readStream(stream, { from: revision + 1 })) {
      if (event.type !== ('DeliveryRequested' satisfies DeliveryFact['type'])) throw new TakenOver();
      take(event);
    }
  }

  function take(event: RecordedEvent): void {
    recorded = evolved(recorded, event);
    ({ revision } = event);
    const entry = recorded.waiting.find((one) => one.event === requestedIn(event));
    if (!entry) return;
    const queue = queues.get(entry.stream) ?? [];
    const isQueued = queue.some((one) => one.event === entry.event);
    if (!isQueued) enqueue(entry);
    else
      queues.set(
        entry.stream,
        queue.map((one) => (one.event === entry.event ? { ...one, failed: null } : one)),
      );
  }

  return {
    async look(present, { head, isAsked }) {
      webhook = present;
      if (isPaused) return;
      const [thrown] = [failure];
      failure = null;
      if (thrown !== null) throw thrown;
      if (isAsked) await takeRequests();
      await fill(head);
      startDue();
      if (isToRecord()) await record();
      if (toPause === null) return;
      await pause(id, toPause);
      isPaused = true;
    },
    hasPaused: () => isPaused,
    outstanding: () => ({ waiting: queued(), parked: recorded.parked }),
    stop: (graceMs) => ({ quiet: Promise.allSettled(asking).then(() => {}), ended: end(graceMs) }),
  };

  async function end(graceMs: number): Promise<void> {
    if (graceMs === 0) ending.abort();
    const late = setTimeout(() => ending.abort(), graceMs);
    await Promise.all(sending.values());
    clearTimeout(late);
    await record();
    // A request to send again may have come first.
    if (unrecordedSince !== null) await record();
  }
}

const GONE = 410;
const NOT_SENT: DeliveryResult = { failure: 'internal', status: null, retryAfter: 0 };

// Only `sendAgain` writes these.
const requestedIn = ({ data }: RecordedEvent): string => (data as unknown as Place).event;

// Where in the log deliveries are.

/** Null: it is not there. */
async function positionOf(store: StreamReader, { stream, revision }: Place): Promise<Position | null> {
  const [event] = await store.readStream(stream, { from: revision, limit: 1 });
  return event?.position ?? null;
}

/** The place of what is recorded right before a position: what is read after it begins there. */
async function placeBefore(store: Pick<EventStore, 'readAll'>, position: Position): Promise<Place | null> {
  const [event] = await store.readAll({
    after: position,
    direction: 'backwards',
    limit: 1,
    occurrences: 'in their series',
  });
  return event ? { event: event.id, stream: event.stream, revision: event.revision } : null;
}
