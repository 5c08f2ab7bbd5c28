// Appending to the server: a unit at once where it can write several streams, else stream after stream. An append whose answer
// was lost is repeated with the same ids, which the server, or reading back, recognises.

import { errorText } from '../../kernel/text/error-text.ts';
import type { Position, RecordedEvent } from '../envelope.ts';
import { type AppendOutcome, AppendOutcomeUnknown, type OrderedOutcome, type StreamAppend } from '../event-store.ts';
import { encodeEvent } from './codec.ts';
import type { AppendReply } from './connection.ts';
import { ATTEMPTS, pauseAfter, withDeadline } from './deadline.ts';
import { CallFailed, type FailureKind, isPassing, kindOfFailure } from './errors.ts';
import type { ConnectionTerms, EventStoreDbReader } from './read.ts';

type Unit = readonly StreamAppend[];
type Appended = Extract<AppendOutcome, { kind: 'appended' }>;
type Written = Appended['written'][number];

interface WriterOptions extends ConnectionTerms {
  readonly reader: EventStoreDbReader;
}

const WRITES_NOTHING: ReadonlySet<FailureKind> = new Set(['never sent', 'not leader', 'not ready', 'busy', 'no turn']);
const IN_VAIN: ReadonlySet<FailureKind> = new Set(['refused', 'too large', 'too old', 'rejected']);

/** Rejections are the client's errors (`toPortError`), `AppendOutcomeUnknown`, or a plain `Error` for a bad request. */
export function createWriter({ connection, reader, deadlineMs, closing, calls }: WriterOptions) {
  /** At or before the head: an event that the server reports there was written by an earlier attempt. */
  let headSoFar: Position | null = null;
  /** Whether the server has told the right position of an append of several events. Some tell another one, or none. */
  let tellsLast = false;

  let firstHead: Promise<Position> | null = null;

  async function headAtFirst(): Promise<Position> {
    firstHead ??= reader.head();
    try {
      const head = await firstHead;
      headSoFar ??= head;
      return head;
    } finally {
      firstHead = null;
    }
  }

  const send = (unit: Unit): Promise<AppendReply> =>
    withDeadline(
      (givenUp) =>
        connection.append(
          unit.map(({ stream, expected, events }) => ({ stream, expected, events: events.map(encodeEvent) })),
          givenUp,
        ),
      { deadlineMs, closing },
    );

  /** Where the events of this append are, if they have been written in their places. */
  async function lookUp({ stream, expected, events }: StreamAppend): Promise<Written | undefined> {
    const from = expected === 'no_stream' ? 0 : expected + 1;
    return sameEvents(await reader.readStream(stream, { from, limit: events.length }), events);
  }

  /** All of a unit, or nothing. */
  async function lookUpAll(unit: Unit): Promise<Appended | undefined> {
    const written: Written[] = [];
    for (const append of unit) {
      const existing = await lookUp(append);
      if (!existing) return undefined;
      written.push(existing);
    }
    return { kind: 'appended', written };
  }

  /** The server tells where the last event of a unit is; of a repeat, and some servers of several events, something else. */
  async function whereWritten(
    unit: Unit,
    { revisions, position }: Extract<AppendReply, { kind: 'appended' }>,
    previousHead: Position,
  ): Promise<Appended> {
    const told = position !== null && position > previousHead ? position : null;
    const isOne = unit.length === 1 && unit[0]?.events.length === 1;
    const last = told !== null && (isOne || tellsLast) ? told : await positionOfLast(unit, revisions);
    tellsLast ||= !isOne && told === last;
    if (headSoFar !== null && last > headSoFar) headSoFar = last;
    return { kind: 'appended', written: revisions.map((revision) => ({ revision, position: last })) };
  }

  async function positionOfLast(unit: Unit, revisions: readonly number[]): Promise<Position> {
    const [stream, from] = [unit.at(-1)?.stream ?? '', revisions.at(-1) ?? 0];
    const [event] = await reader.readStream(stream, { from, limit: 1 });
    if (!event) throw new Error(`Event ${from} of the stream ${stream} was written and cannot be read.`);
    return event.position;
  }

  /** After a wrong revision: what was written before, by an attempt whose answer was lost, is left out. */
  async function conflictOr(
    unit: Unit,
    { stream, actual }: Extract<AppendReply, { kind: 'wrong revision' }>,
  ): Promise<AppendOutcome> {
    const refused = unit.find((append) => append.stream === stream);
    if (!refused || !(await lookUp(refused))) return { kind: 'conflict', stream, actual };
    const existing = await Promise.all(unit.map(lookUp));
    const left = unit.filter((_, index) => !existing[index]);
    const outcome = left.length === 0 ? null : await appendUnit(left);
    if (outcome?.kind === 'conflict') return outcome;
    const rest = [...(outcome?.written ?? [])];
    return { kind: 'appended', written: existing.map((written) => written ?? rest.shift()).filter((one) => !!one) };
  }

  /** The server has decided; only reading is left. If that fails the caller has to retry. */
  async function settled(unit: Unit, reply: AppendReply, previousHead: Position): Promise<AppendOutcome> {
    try {
      return await (reply.kind === 'appended' ? whereWritten(unit, reply, previousHead) : conflictOr(unit, reply));
    } catch (error) {
      throw unknownOutcome(unit, error);
    }
  }

  /** Appends to streams that the server writes at once. */
  async function appendUnit(unit: Unit): Promise<AppendOutcome> {
    // Also a warm-up: a store that cannot even be queried has certainly received nothing.
    const previousHead = headSoFar ?? (await headAtFirst());
    let isUncertain = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await settled(unit, await calls.run(() => send(unit)), previousHead);
      } catch (error) {
        if (error instanceof AppendOutcomeUnknown) throw error;
        const kind = kindOfFailure(error);
        if (IN_VAIN.has(kind)) throw error;
        isUncertain ||= !WRITES_NOTHING.has(kind);
        if (attempt < ATTEMPTS && isPassing(kind) && !closing.aborted) {
          await pauseAfter(attempt);
          continue;
        }
        if (!isUncertain) throw error;
        const written = await lookUpAll(unit).catch(() => undefined);
        if (written) return written;
        throw unknownOutcome(unit, error);
      }
    }
  }

  /** What is too large for the server at once is written in halves: every beginning of the list is harmless. */
  async function appendInHalves(unit: Unit): Promise<AppendOutcome> {
    try {
      return await appendUnit(unit);
    } catch (error) {
      if (kindOfFailure(error) !== 'too large' || unit.length === 1) throw error;
      const middle = unit.length >> 1;
      return oneByOne([unit.slice(0, middle), unit.slice(middle)], appendInHalves);
    }
  }

  /** All under way at a time, in order over one call: the server writes them as they arrive. Never rejects. */
  async function sendInOrder(appends: Unit) {
    let hasFailed = false;
    const replies = appends.map(async (append) => {
      // Its place is waited for, and it may not be wanted any more by then.
      const reply = await calls.run(async () => (hasFailed ? null : send([append]))).catch(() => null);
      hasFailed ||= reply?.kind !== 'appended';
      return reply;
    });
    const positions: Position[] = [];
    for (const reply of await Promise.all(replies)) {
      if (reply?.kind !== 'appended' || reply.position === null) break;
      positions.push(reply.position);
    }
    return {
      /** Of those that were written before the first that failed. */
      positions,
      /** The first that failed, and all behind it: some of them may be written. */
      left: appends.slice(positions.length),
    };
  }

  /** The server tells the position of a single new event. */
  async function lastPosition(append: StreamAppend | undefined, position: Position): Promise<Position> {
    if (!append || append.events.length === 1) return position;
    const written = await lookUp(append);
    if (!written) throw new Error(`What was appended to ${append.stream} cannot be read.`);
    return written.position;
  }

  function assertPossible(appends: Unit): void {
    for (const { stream, events } of appends) {
      if (events.length === 0) throw new Error(`The append to ${stream} has no events.`);
    }
    if (closing.aborted) throw new CallFailed('closed', 'the store is closed');
  }

  return {
    /** See `EventStoreAdapter`. */
    async appendInOrder(appends: Unit): Promise<OrderedOutcome> {
      assertPossible(appends);
      const previousHead = headSoFar ?? (await headAtFirst());
      const { positions, left } = await sendInOrder(appends);
      // What failed, and all behind it: one by one, which finds those that are written.
      const outcome = await oneByOne(
        left.map((append) => [append]),
        appendUnit,
      );
      if (outcome.kind === 'conflict') return outcome;
      const written = [...positions, ...outcome.written.map(({ position }) => position)];
      const late = written.findIndex((position, index) => position <= (written[index - 1] ?? previousHead));
      if (late >= 0) return { kind: 'disordered', stream: appends[late]?.stream ?? '' };
      const last = await lastPosition(appends.at(-1), written.at(-1) ?? previousHead);
      headSoFar = last;
      return { kind: 'appended', last };
    },
    async append(appends: Unit): Promise<AppendOutcome> {
      assertPossible(appends);
      const units = connection.streamsAtOnce === 'one' ? appends.map((append) => [append]) : unitsOf(appends);
      return oneByOne(units, appendInHalves);
    },
  };
}

/** Until one meets a conflict. */
async function oneByOne(
  units: readonly Unit[],
  append: (unit: Unit) => Promise<AppendOutcome>,
): Promise<AppendOutcome> {
  const written: Written[] = [];
  for (const unit of units) {
    const outcome = await append(unit);
    if (outcome.kind === 'conflict') return outcome;
    written.push(...outcome.written);
  }
  return { kind: 'appended', written };
}

/** A server takes each stream once at a time: where one comes again, another unit begins. */
function unitsOf(appends: Unit): StreamAppend[][] {
  const units: StreamAppend[][] = [];
  let streams = new Set<string>();
  for (const append of appends) {
    if (units.length === 0 || streams.has(append.stream)) {
      units.push([]);
      streams = new Set();
    }
    streams.add(append.stream);
    units.at(-1)?.push(append);
  }
  return units;
}

function unknownOutcome(unit: Unit, cause: unknown): AppendOutcomeUnknown {
  const why = errorText(cause);
  const streams = unit.map(({ stream }) => stream).join(', ');
  return new AppendOutcomeUnknown(`It is unknown whether the append to ${streams} was written: ${why}`, { cause });
}

/** Servers store ids as numbers and return them in lower case. */
const isSameId = (left: string, right: string | undefined): boolean => left.toLowerCase() === right?.toLowerCase();

function sameEvents(recorded: readonly RecordedEvent[], events: StreamAppend['events']): Written | undefined {
  const last = recorded.at(-1);
  if (!last || recorded.length !== events.length) return undefined;
  if (!recorded.every(({ id }, index) => isSameId(id, events[index]?.id))) return undefined;
  return { revision: last.revision, position: last.position };
}
