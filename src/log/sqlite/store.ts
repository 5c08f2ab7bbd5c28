// The event store in one SQLite file: the default, nothing to install. Several processes may share the file.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { lookAnew, presentLook } from '../../kernel/event-loop/one-look.ts';
import { turnOfRound } from '../../kernel/event-loop/turns.ts';
import { placeOf } from '../../kernel/files/own-file.ts';
import { LOCK_PATIENCE_MS, onceUnlocked, waitForNoLock } from '../../kernel/files/sqlite-errors.ts';
import type { Position, RecordedEvent } from '../envelope.ts';
import {
  type AppendOutcome,
  type EventStoreAdapter,
  EventStoreUnavailable,
  type ReadStreamOptions,
  type SubscribeOptions,
} from '../event-store.ts';
import { openSqliteRoom } from './disk-space.ts';
import { explainFailure, openSqliteFile } from './file.ts';
import { createSqliteReader, createSqliteStreamReader, type Page } from './read.ts';
import { openRecentReads } from './recent-reads.ts';
import { openTail } from './tail.ts';
import { createSqliteWriter, type EncodedAppend, encodeAppends } from './write.ts';

interface SqliteEventStoreOptions {
  /** Path of the file, created if absent; `:memory:` for a store that ends with the process. */
  readonly file: string;
  /** How often waiting subscriptions check for appends of other processes, in milliseconds; default 50. */
  readonly pollIntervalMs?: number;
}

/** Characters of events that are read and parsed in some milliseconds. */
const MAX_CHARACTERS = 250_000;
/** Of reads that are answered from memory, in less than a millisecond. */
const READS_AT_ONCE = 100;
/** No look has this number. */
const NONE = 0;

interface PendingAppend {
  /** Of `performance.now()`: until then it waits for other processes. */
  readonly deadline: number;
  readonly appends: readonly EncodedAppend[];
  resolve(outcome: AppendOutcome): void;
  reject(reason: unknown): void;
}

/**
 * Opens the store. Appends that arrive in the same turn of the event loop share one transaction and so one wait for the
 * disk, each with an outcome of its own. While another process has the file locked, an append is retried for 5 s at
 * most without blocking the event loop. Throws `EventStoreUnavailable` if the file cannot be used as an event store;
 * the message names it.
 */
export function openSqliteEventStore({ file, pollIntervalMs = 50 }: SqliteEventStoreOptions): EventStoreAdapter {
  const db = openSqliteFile(file);
  const place = placeOf(file);
  waitForNoLock(db);
  const reader = createSqliteReader(db);
  const byStream = createSqliteStreamReader(db);
  const writer = createSqliteWriter(db);
  const dataVersionOf = db.prepare<[], number>('PRAGMA data_version').pluck();
  let [look, version] = [NONE, 0];
  let reads = 0;

  /** Changes with every write of another connection. */
  function dataVersion(): number {
    if (presentLook() !== look) [look, version] = [presentLook(), Number(dataVersionOf.get())];
    return version;
  }

  const tail = openTail();
  const wakeups = createWakeups(dataVersion, pollIntervalMs, tail.clear);
  const recent = openRecentReads(dataVersion);
  const room = file === ':memory:' ? null : openSqliteRoom(file);
  let pending: PendingAppend[] = [];
  let flushing: Promise<void> | null = null;
  let isClosing = false;
  let isClosed = false;

  function assertOpen(): void {
    if (isClosed) throw new EventStoreUnavailable(`The event store ${file} is closed.`);
  }

  const attempt = onceUnlocked(assertOpen, (error) => explainFailure(file, error));

  /** Appends that arrive meanwhile are written by the next transaction. */
  async function flush(): Promise<void> {
    // Those that are appended in one go.
    await null;
    while (pending.length > 0) {
      const batch = pending;
      pending = [];
      await writeBatch(batch);
    }
    flushing = null;
  }

  async function writeBatch(batch: readonly PendingAppend[]): Promise<void> {
    try {
      const appends = batch.map((entry) => entry.appends);
      const outcomes = await attempt(() => write(appends), batch[0]?.deadline);
      for (const [index, entry] of batch.entries()) {
        const outcome = outcomes[index];
        if (outcome instanceof Error || outcome === undefined) entry.reject(outcome);
        else entry.resolve(outcome);
      }
      wakeups.wake();
    } catch (error) {
      for (const entry of batch) entry.reject(error);
    }
  }

  /** What is written to a file that was deleted or replaced ends with the process. */
  function assertInPlace(): void {
    if (placeOf(file) === place) return;
    throw new EventStoreUnavailable(
      `The event store ${file} has been deleted or replaced under the running service, so nothing more is written to it. ` +
        'docs/operations/troubleshoot.md says how to save what the service still has open; do that before you stop it.',
    );
  }

  function write(batch: readonly (readonly EncodedAppend[])[]) {
    assertInPlace();
    const { outcomes, added } = writer.write(batch);
    tail.add(added);
    recent.forget(batch.flat());
    // Other connections of this process are to see it, too.
    lookAnew();
    // It may have happened since: nothing is acknowledged that is in no file.
    assertInPlace();
    return outcomes;
  }

  // A subscriber at the end of the log moves to the head even if nothing matched its prefixes. The head is read first:
  // anything added between the two is found next time.
  function readOn(after: Position, options: SubscribeOptions) {
    return attempt(() => {
      const recent = tail.after(after, options);
      if (recent) return { ...recent, isEnd: recent.batch.length < options.batchSize };
      const head = reader.head();
      const batch = reader.readAll({ ...options, after, limit: options.batchSize });
      const reached = batch.at(-1)?.position ?? head;
      return { batch, position: reached > after ? reached : after, isEnd: batch.length === 0 };
    });
  }

  /** Many reads from memory, one behind the other, would hold the event loop as well: a few of them go to the file. */
  function fromMemory(stream: string, options: ReadStreamOptions): Page | undefined {
    if (isClosed || ++reads % READS_AT_ONCE === 0) return undefined;
    try {
      return recent.find(stream, options);
    } catch {
      // The read of the file waits for a lock to be released, or explains.
      return undefined;
    }
  }

  function readNow(stream: string, options: ReadStreamOptions): Page {
    assertOpen();
    const page = reader.readStream(stream, options, MAX_CHARACTERS);
    // What is in memory may be older than this.
    look = NONE;
    recent.keep(stream, options, page);
    return page;
  }

  /** Commands that read one stream after the other would hold the event loop from their first read to their last. */
  function readInTurn(stream: string, options: ReadStreamOptions): Page | Promise<Page> {
    const turn = turnOfRound();
    return turn ? turn.then(() => readNow(stream, options)) : readNow(stream, options);
  }

  async function readStream(stream: string, options: ReadStreamOptions = {}): Promise<readonly RecordedEvent[]> {
    const { events, isFull } = fromMemory(stream, options) ?? (await attempt(() => readInTurn(stream, options)));
    if (!isFull) return events;
    await nextTurn();
    const { direction, limit = Number.MAX_SAFE_INTEGER } = options;
    const from = (events.at(-1)?.revision ?? 0) + (direction === 'backwards' ? -1 : 1);
    return [...events, ...(await readStream(stream, { ...options, from, limit: limit - events.length }))];
  }

  return {
    append(appends) {
      return new Promise((resolve, reject) => {
        if (isClosing) throw new EventStoreUnavailable(`The event store ${file} is closed.`);
        const deadline = performance.now() + LOCK_PATIENCE_MS;
        pending.push({ appends: encodeAppends(appends), deadline, resolve, reject });
        flushing ??= flush();
      });
    },
    readStream,
    readAll: (options) => attempt(() => reader.readAll(options)),
    async *readByStream(options) {
      let batch = await attempt(() => byStream.first(options));
      while (batch !== null) {
        if (batch.events.length > 0) yield batch.events;
        // A long read must not starve everything else in this process.
        await nextTurn();
        const { next } = batch;
        batch = await attempt(next);
      }
    },
    async *subscribe(options) {
      const { signal } = options;
      let position = options.after;
      signal.addEventListener('abort', wakeups.wake, { once: true });
      while (!signal.aborted && !isClosing) {
        const seen = wakeups.count();
        const { batch, isEnd, ...read } = await readOn(position, options);
        position = read.position;
        if (batch.length > 0) {
          yield batch;
          // Catching up must not starve everything else in this process.
          await nextTurn();
        }
        // What has been written since the read does not wake a wait that begins now.
        if (isEnd && seen === wakeups.count() && !isClosing) await wakeups.next();
      }
    },
    head: () => attempt(() => reader.head()),
    ...(room && {
      async tryWriting() {
        assertInPlace();
        return room.tryWriting();
      },
    }),
    async close() {
      isClosing = true;
      await flushing;
      room?.close();
      isClosed = true;
      db.close();
      wakeups.wake();
    },
  };
}

// Wakes waiting subscriptions of sqlite.ts when there may be something new to read.

interface Wakeups {
  /** Resolves at the next change of the log, possibly early, never late. */
  next(): Promise<void>;
  /** The log has changed, or a subscription is to end: all check again. */
  wake(): void;
  /** How often it was called. */
  count(): number;
}

/**
 * Appends of this process call `wake`. Those of other processes show in `dataVersion`, which is polled every
 * `pollInterval` milliseconds only while a subscriber waits, and are told to `onOthers`. If polling fails all are woken: their
 * next read meets the failure and reports it to the subscriber.
 */
function createWakeups(dataVersion: () => number, pollInterval: number, onOthers: () => void): Wakeups {
  const waiting: (() => void)[] = [];
  let seen = dataVersion();
  let count = 0;
  let timer: NodeJS.Timeout | undefined;

  function wake(): void {
    count += 1;
    for (const resolve of waiting.splice(0)) resolve();
  }

  function poll(): void {
    // Stopping it with each wait would take longer than all else in one.
    if (waiting.length === 0) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    try {
      const current = dataVersion();
      if (current === seen) return;
      seen = current;
    } catch {
      // Reported by the subscribers' own reads, see above.
    }
    onOthers();
    wake();
  }

  return {
    wake,
    count: () => count,
    next() {
      timer ??= setInterval(poll, pollInterval);
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
}
