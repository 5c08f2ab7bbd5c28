// Appending to EventStoreDB. It has no transactions across streams, so several are written one by one; an append whose
// answer was lost is repeated with the same ids, which the server, or reading back, recognises.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Position, RecordedEvent, Revision } from '../envelope.ts';
import { type AppendOutcome, AppendOutcomeUnknown, type OrderedOutcome, type StreamAppend } from '../event-store.ts';
import type { CallGate } from './calls.ts';
import type { EventStoreDbConnection, RawAppendReply } from './client.ts';
import { encodeEvent, toPosition } from './codec.ts';
import { type FailureKind, isPassing, kindOfFailure, NoAnswer, StoreClosed } from './errors.ts';
import { sendInOrder } from './ordered-appends.ts';
import type { EventStoreDbReader } from './read.ts';

type Written = Extract<AppendOutcome, { kind: 'appended' }>['written'][number];
type Conflict = Extract<AppendOutcome, { kind: 'conflict' }>;

interface EventStoreDbWriter {
  append(appends: readonly StreamAppend[]): Promise<AppendOutcome>;
  /** See `EventStoreAdapter`. */
  appendInOrder(appends: readonly StreamAppend[]): Promise<OrderedOutcome>;
}

interface WriterOptions {
  readonly connection: EventStoreDbConnection;
  readonly reader: EventStoreDbReader;
  /** Time-out of one append, in milliseconds. */
  readonly deadlineMs: number;
  readonly closing: AbortSignal;
  readonly calls: CallGate;
}

const WRITES_NOTHING: ReadonlySet<FailureKind> = new Set(['never sent', 'not leader', 'not ready', 'no turn']);
const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 50;
/** Beyond the server's own deadline, for a connection that is not even established. */
const DEADLINE_SLACK_MS = 250;

/** Rejections are the client's errors (`toPortError`), `AppendOutcomeUnknown`, or a plain `Error` for a bad request. */
export function createWriter({ connection, reader, deadlineMs, closing, calls }: WriterOptions): EventStoreDbWriter {
  /** At or before the head: an event that the server reports there was written by an earlier attempt. */
  let headSoFar: Position | null = null;

  let asked: Promise<Position> | null = null;

  async function headAtFirst(): Promise<Position> {
    asked ??= reader.head();
    try {
      const head = await asked;
      headSoFar ??= head;
      return head;
    } finally {
      asked = null;
    }
  }

  /** One attempt. Ends at the deadline even without a connection. */
  function send({ stream, expected, events }: StreamAppend): Promise<RawAppendReply> {
    return new Promise((resolve, reject) => {
      const close = (): void => settle(() => reject(new StoreClosed('the store was closed during an append')));
      const timer = setTimeout(() => {
        settle(() => reject(new NoAnswer(`no answer within ${deadlineMs} ms`)));
      }, deadlineMs + DEADLINE_SLACK_MS);
      function settle(how: () => void): void {
        clearTimeout(timer);
        closing.removeEventListener('abort', close);
        how();
      }
      closing.addEventListener('abort', close, { once: true });
      connection.append({ stream, expected, events: events.map(encodeEvent), deadlineMs }).then(
        (reply) => settle(() => resolve(reply)),
        (error: unknown) => settle(() => reject(error)),
      );
    });
  }

  /** Where the events of this append are, if they have been written in their places. */
  async function lookUp({ stream, expected, events }: StreamAppend): Promise<Written | undefined> {
    const from = expected === 'no_stream' ? 0 : expected + 1;
    return sameEvents(await reader.readStream(stream, { from, limit: events.length }), events);
  }

  /**
   * The server reports the position of a single new event. For several, and for a repeat, where it may report any or
   * none, the last event is read.
   */
  async function whereWritten(append: StreamAppend, reply: RawAppendReply, before: Position): Promise<Written> {
    const revision = Number(reply.revision);
    const replied = reply.position && toPosition(reply.position);
    if (append.events.length === 1 && replied !== undefined && replied > before) {
      if (headSoFar !== null && replied > headSoFar) headSoFar = replied;
      return { revision, position: replied };
    }
    const [last] = await reader.readStream(append.stream, { from: revision, limit: 1 });
    if (!last) throw new Error(`Event ${revision} of the stream ${append.stream} was written and cannot be read.`);
    return { revision, position: last.position };
  }

  async function answerOf(append: StreamAppend, reply: RawAppendReply, before: Position) {
    if (reply.success) return whereWritten(append, reply, before);
    const written = await lookUp(append);
    if (written) return written;
    const actual: Revision | 'no_stream' = reply.revision < 0n ? 'no_stream' : Number(reply.revision);
    return { kind: 'conflict', stream: append.stream, actual } satisfies Conflict;
  }

  /** The server has decided; only reading is left. If that fails the caller has to retry. */
  async function settled(append: StreamAppend, reply: RawAppendReply, before: Position) {
    try {
      return await answerOf(append, reply, before);
    } catch (error) {
      throw unknownOutcome(append, error);
    }
  }

  async function appendToOne(append: StreamAppend): Promise<Written | Conflict> {
    // Also a warm-up: a store that cannot even be queried has certainly received nothing.
    const before = headSoFar ?? (await headAtFirst());
    let isUncertain = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const reply = await calls.run(() => send(append));
        return await settled(append, reply, before);
      } catch (error) {
        if (error instanceof AppendOutcomeUnknown) throw error;
        const kind = kindOfFailure(error);
        if (kind === 'refused' || kind === 'rejected') throw error;
        isUncertain ||= !WRITES_NOTHING.has(kind);
        if (attempt < ATTEMPTS && isPassing(kind) && !closing.aborted) {
          await sleep(FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2));
          continue;
        }
        if (!isUncertain) throw error;
        const written = await lookUp(append).catch(() => undefined);
        if (written) return written;
        throw unknownOutcome(append, error);
      }
    }
  }

  /** The place of an append is waited for, and it may not be wanted any more by then. */
  const sendIfWanted = (append: StreamAppend, isWanted: () => boolean): Promise<RawAppendReply | null> =>
    calls.run(async () => (isWanted() ? send(append) : null));

  /** The server tells the position of a single new event. */
  async function lastPosition(append: StreamAppend | undefined, told: Position): Promise<Position> {
    if (!append || append.events.length === 1) return told;
    const written = await lookUp(append);
    if (!written) throw new Error(`What was appended to ${append.stream} cannot be read.`);
    return written.position;
  }

  function assertPossible(appends: readonly StreamAppend[]): void {
    for (const { stream, events } of appends) {
      if (events.length === 0) throw new Error(`The append to ${stream} has no events.`);
    }
    if (closing.aborted) throw new StoreClosed('the store is closed');
  }

  return {
    async appendInOrder(appends) {
      assertPossible(appends);
      const before = headSoFar ?? (await headAtFirst());
      const { positions, left } = await sendInOrder(appends, sendIfWanted);
      // What failed, and all behind it: one by one, which finds those that are written.
      const written = [...positions];
      for (const append of left) {
        const outcome = await appendToOne(append);
        if ('kind' in outcome) return outcome;
        written.push(outcome.position);
      }
      const late = written.findIndex((position, index) => position <= (written[index - 1] ?? before));
      if (late >= 0) return { kind: 'disordered', stream: appends[late]?.stream ?? '' };
      const last = await lastPosition(appends.at(-1), written.at(-1) ?? before);
      headSoFar = last;
      return { kind: 'appended', last };
    },
    async append(appends) {
      assertPossible(appends);
      const written: Written[] = [];
      for (const append of appends) {
        const outcome = await appendToOne(append);
        if ('kind' in outcome) return outcome;
        written.push(outcome);
      }
      return { kind: 'appended', written };
    },
  };
}

function unknownOutcome({ stream }: StreamAppend, cause: unknown): AppendOutcomeUnknown {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AppendOutcomeUnknown(`It is unknown whether the append to ${stream} was written: ${why}`, { cause });
}

/** EventStoreDB stores ids as numbers and returns them in lower case. */
const isSameId = (left: string, right: string | undefined): boolean => left.toLowerCase() === right?.toLowerCase();

function sameEvents(found: readonly RecordedEvent[], events: StreamAppend['events']): Written | undefined {
  const last = found.at(-1);
  if (!last || found.length !== events.length) return undefined;
  if (!found.every(({ id }, index) => isSameId(id, events[index]?.id))) return undefined;
  return { revision: last.revision, position: last.position };
}
