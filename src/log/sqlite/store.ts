// The event store in one SQLite file: the default, nothing to install. Several processes may share the file.
import { EventEmitter, once } from 'node:events';
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

interface PendingAppend {
  /** The instant of `performance.now()` until which it waits for other processes. */
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
  let [look, version] = [0, 0];

  function lookNow(): number {
    [look, version] = [presentLook(), Number(dataVersionOf.get())];
    return version;
  }

  /** Changes with every write of another connection. */
  const dataVersion = (): number => (presentLook() === look ? version : lookNow());

  const tail = openTail();
  const wakeups = createWakeups(dataVersion, pollIntervalMs, tail.clear);
  const recent = openRecentReads(dataVersion);
  /** With the version of the data that is read: one lock for both. */
  const readNow = db.transaction((stream: string, options: ReadStreamOptions): [number, Page] => [
    lookNow(),
    reader.readStream(stream, options, MAX_CHARACTERS),
  ]);
  const room = file === ':memory:' ? null : openSqliteRoom(file);
  let pending: PendingAppend[] = [];
  let flushing: Promise<void> | null = null;
  let isClosing = false;

  function assertOpen(): void {
    if (!db.open) throw new EventStoreUnavailable(`The event store ${file} is closed.`);
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

  /** Events of a stream, and whether there may be more of them. */
  const readSome = (stream: string, options: ReadStreamOptions): Page =>
    recent.find(stream, options, () => readNow(stream, options));

  async function readStream(stream: string, options: ReadStreamOptions = {}): Promise<readonly RecordedEvent[]> {
    // Commands that read one stream after the other would hold the event loop from their first read to their last.
    const turn = turnOfRound();
    if (turn) await turn;
    const { events, isFull } = await attempt(() => readSome(stream, options));
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
      let position = options.after;
      while (!options.signal.aborted && !isClosing) {
        const count = wakeups.count();
        const { batch, isEnd, ...read } = await readOn(position, options);
        position = read.position;
        if (batch.length > 0) {
          yield batch;
          // Catching up must not starve everything else in this process.
          await nextTurn();
        }
        // What has been written since the read does not wake a wait that begins now.
        if (isEnd && count === wakeups.count() && !isClosing) await wakeups.next(options.signal);
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
      db.close();
      wakeups.wake();
    },
  };
}

// Wakes waiting subscriptions of sqlite.ts when there may be something new to read.

const CHANGED = 'changed';

/**
 * Appends of this process call `wake`. Those of other processes show in `dataVersion`, which is polled every
 * `pollInterval` milliseconds only while a subscriber waits, and are told to `onOthers`. If polling fails all are woken: their
 * next read meets the failure and reports it to the subscriber.
 */
function createWakeups(dataVersion: () => number, pollInterval: number, onOthers: () => void) {
  const log = new EventEmitter().setMaxListeners(0);
  let version = dataVersion();
  let count = 0;
  let timer: NodeJS.Timeout | undefined;

  function wake(): void {
    count += 1;
    log.emit(CHANGED);
  }

  function poll(): void {
    try {
      const current = dataVersion();
      if (current === version) return;
      version = current;
    } catch {
      // Reported by the subscribers' own reads, see above.
    }
    onOthers();
    wake();
  }

  return {
    /** The log has changed, or is about to be closed: all waiting subscriptions check again. */
    wake,
    /** How often it was called. */
    count: () => count,
    /** Resolves at the next change of the log, or when the signal aborts; possibly early, never late. */
    async next(signal: AbortSignal) {
      timer ??= setInterval(poll, pollInterval);
      // It rejects when the signal aborts.
      await once(log, CHANGED, { signal }).catch(() => {});
      if (log.listenerCount(CHANGED) > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
  };
}
