// The last few calendars as of an instant, built on request, one at a time. A cached one is valid for as long as the
// log has nothing that it lacks: each request checks what has been recorded since.

import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import { openQueue, type Queue, singleFlight } from '../../../kernel/event-loop/shared-work.ts';
import { nextTurn, openTurns } from '../../../kernel/event-loop/turns.ts';
import { shareOf } from '../../../kernel/memory/limit.ts';
import type { Asker } from '../../../kernel/memory/watch.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import type { Position } from '../../../log/envelope.ts';
import { ERASING } from '../../../people/personal-data/facts/personal-fields.ts';
import type { DocumentKey } from '../../../read-model/documents.ts';
import { recordedAt } from '../../history/queries/moments.ts';
import type { AsOfCalendar, AsOfLog } from './as-of-log.ts';

export type AsOfCalendars = ReturnType<typeof openAsOfCalendars>;

/** `name`: unique in this process. */
export type NamedCalendar = AsOfCalendar & { readonly name: string };

/** Building a calendar takes seconds: at most this many wait. */
export class AsOfQueueFull extends Error {
  override readonly name = 'AsOfQueueFull';
}

export interface AsOfLimits {
  readonly maxBytes: number;
  /** Calendars of the public, and of users, that may wait besides the one that is being built. */
  readonly maxWaiting: number;
}

const AS_OF_LIMITS: AsOfLimits = { maxBytes: shareOf(256 * 1_048_576, 1 / 7), maxWaiting: 8 };
/** What the calendar of an empty log takes, roughly. */
const LEAST_BYTES = 262_144;

/** A calendar that would have to check more events than this is rebuilt. */
const MAX_TAIL = 5_000;
/** Documents that are folded twice, and compared. */
const COMPARED_AT_ONCE = 20;
/** Its source may change while it is built. */
const MAX_ATTEMPTS = 3;

interface Cached {
  readonly calendar: NamedCalendar;
  /** Shrinks when something is recorded within. */
  until: EpochSeconds;
  /** The position up to which it is known to be right. */
  position: Position;
  /** Checks of the log run one after the other. */
  turn: Promise<boolean>;
}

export function openAsOfCalendars(log: AsOfLog, limits: AsOfLimits = AS_OF_LIMITS) {
  const cached = new LRUCache<string, Cached>({
    maxSize: limits.maxBytes,
    // One that is larger stays until there is another.
    sizeCalculation: ({ calendar }) => Math.min(LEAST_BYTES + calendar.bytes, limits.maxBytes),
  });
  /** Requests for the same instant wait for the same calendar. */
  const making = singleFlight<Cached>();
  const inTurn = openQueue();
  const openPlaces = () =>
    openQueue({
      maxWaiting: limits.maxWaiting,
      refused: () => new AsOfQueueFull('too many requests wait for calendars as of other instants'),
    });
  /** Only the first of each waits for the one that is being built. */
  const places: { readonly [One in Asker]: Queue } = { public: openPlaces(), user: openPlaces() };
  let count = 0;
  let first: EpochSeconds | null = null;

  const drop = ({ calendar }: Cached): void => void cached.delete(calendar.name);

  /** For one more of the largest: what is cached and what is being built must fit together. */
  function makeRoom(): void {
    const largest = Math.max(0, ...[...cached.values()].map(({ calendar }) => calendar.bytes));
    while (cached.size > 0 && cached.calculatedSize + largest > limits.maxBytes) cached.pop();
  }

  /** Checks what has been recorded since; false: it must not be used any more. */
  function isRight(one: Cached): Promise<boolean> {
    const looked = one.turn.then(
      (wasRight) => wasRight && look(one),
      () => look(one),
    );
    one.turn = looked;
    return looked;
  }

  async function look(one: Cached): Promise<boolean> {
    const touched = await readOn(one);
    if (touched === null) return false;
    const { some, upTo } = one.calendar;
    for (let from = 0; from < touched.length; from += COMPARED_AT_ONCE) {
      const keys = touched.slice(from, from + COMPARED_AT_ONCE);
      await nextTurn();
      // As of the same instant nothing differs but who may see it today.
      if (!isDeepStrictEqual(await some(keys, upTo), await some(keys, one.position))) return false;
    }
    return true;
  }

  /** Resources changed since; null if something was recorded that belongs into the calendar. */
  async function readOn(one: Cached): Promise<DocumentKey[] | null> {
    const head = await log.head();
    const touched = new Map<string, DocumentKey>();
    const turn = openTurns();
    let tail = 0;
    while (one.position < head) {
      await turn();
      const events = await log.readOn(one.position);
      for (const event of events) {
        const { at } = recordedAt(event);
        const key = log.keyOf(event.stream);
        // Erased data must not be shown from the cache either.
        if (key === null || at <= one.calendar.from || ERASING.has(event.type)) return null;
        one.until = Math.min(one.until, at);
        touched.set(event.stream, key);
      }
      const last = events.at(-1)?.position ?? head;
      one.position = last;
      tail += events.length;
      if (tail > MAX_TAIL) return null;
    }
    return [...touched.values()];
  }

  async function find(at: EpochSeconds): Promise<Cached | null> {
    for (const one of [...cached.values()]) {
      if (!covers(one, at)) continue;
      if (!(await isRight(one))) drop(one);
      else if (covers(one, at)) {
        cached.get(one.calendar.name);
        return one;
      }
    }
    return null;
  }

  async function make(at: EpochSeconds, asker: Asker): Promise<Cached> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      // Two instants without an event in between share a calendar, and the other may just have been built.
      const existing = await find(at);
      if (existing) return existing;
      makeRoom();
      const calendar = await log.make(at, asker);
      count += 1;
      const { until, upTo } = calendar;
      const named = { ...calendar, name: String(count) };
      cached.set(named.name, { calendar: named, until, position: upTo, turn: Promise.resolve(true) });
    }
    const last = await find(at);
    if (last) return last;
    throw new AsOfQueueFull('the log grows faster than it can be replayed');
  }

  const makeInTurn = (at: EpochSeconds, asker: Asker, isWaiting?: () => boolean): Promise<Cached> => {
    const makeFor = async (isWanted: () => boolean): Promise<Cached> => {
      if (!isWanted()) throw new AsOfQueueFull('every client has disconnected');
      return make(at, asker);
    };
    const inPlace = (isWanted: () => boolean) => places[asker](() => inTurn(() => makeFor(isWanted)));
    return making(`${at} ${asker}`, inPlace, isWaiting);
  };

  return {
    /**
     * The calendar of an instant. Throws `AsOfQueueFull` if too many others are waiting for calendars of other instants; users
     * do not wait for all those of the public. One of which every client has gone when its turn comes is not made. Rejections: those of the
     * event store, and `MemoryShort`.
     */
    find: async (at: EpochSeconds, asker: Asker = 'public', isWaiting?: () => boolean): Promise<NamedCalendar> =>
      ((await find(at)) ?? (await makeInTurn(at, asker, isWaiting))).calendar,
    /** Forgets them all. */
    empty: () => cached.clear(),
    async firstInstant(): Promise<EpochSeconds | null> {
      first ??= await log.firstInstant();
      return first;
    },
  };
}

const covers = ({ calendar, until }: Cached, at: EpochSeconds): boolean => at >= calendar.from && at < until;
