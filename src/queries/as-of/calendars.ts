// The last few calendars as of an instant, built on request, one at a time. A cached one is valid for as long as the
// log has nothing that it lacks: each request checks what has been recorded since.

import { openTurns } from '../../event-loop/turns.ts';
import { ERASING } from '../../event-store/encryption/personal-fields.ts';
import type { Position } from '../../event-store/envelope.ts';
import { shareOf } from '../../memory/limit.ts';
import type { Document, DocumentKey } from '../../read-model/documents.ts';
import type { EpochSeconds } from '../../time/zone.ts';
import { recordedAt } from '../history/moments.ts';
import type { AsOfCalendar, AsOfLog, Texts } from './as-of-log.ts';

export interface AsOfCalendars {
  /**
   * Runs a task with the calendar of an instant, which stays open until then. Throws `AsOfQueueFull` if too many others
   * are waiting for calendars of other instants. Rejections: those of the event store.
   */
  use<Result>(at: EpochSeconds, texts: Texts, work: (calendar: NamedCalendar) => Promise<Result>): Promise<Result>;
  firstInstant(): Promise<EpochSeconds | null>;
  /** Forgets those that are not in use. */
  empty(): void;
}

/** `name`: unique in this process. */
export type NamedCalendar = AsOfCalendar & { readonly name: string };

/** Building a calendar takes seconds: at most this many wait. */
export class AsOfQueueFull extends Error {
  override readonly name = 'AsOfQueueFull';
}

export interface AsOfLimits {
  readonly maxCached: number;
  readonly maxBytes: number;
  /** Besides the one that is being built. */
  readonly maxWaiting: number;
}

const AS_OF_LIMITS: AsOfLimits = { maxCached: 4, maxBytes: shareOf(256 * 1_048_576, 1 / 4), maxWaiting: 8 };

/** A calendar that would have to check more events than this is rebuilt. */
const MAX_TAIL = 20_000;
/** Its source may change while it is built. */
const MAX_ATTEMPTS = 3;

interface Cached {
  readonly calendar: NamedCalendar;
  readonly texts: Texts;
  /** Shrinks when something is recorded within. */
  until: EpochSeconds;
  /** The position up to which it is known to be right. */
  seen: Position;
  users: number;
  /** Checks of the log run one after the other. */
  turn: Promise<boolean>;
}

export function openAsOfCalendars(log: AsOfLog, limits: AsOfLimits = AS_OF_LIMITS): AsOfCalendars {
  /** The most recently used one is last. */
  const cached = new Set<Cached>();
  const underWay = new Map<string, Promise<Cached>>();
  let waiting = 0;
  let made = 0;
  let turn: Promise<unknown> = Promise.resolve();
  let first: EpochSeconds | null = null;

  async function hold<Result>(one: Cached, work: () => Promise<Result>): Promise<Result> {
    one.users += 1;
    try {
      return await work();
    } finally {
      one.users -= 1;
      if (!cached.has(one)) closeSoon(one);
    }
  }

  /** Not before its present users are done. */
  const closeSoon = (one: Cached): void => {
    setImmediate(() => {
      if (one.users === 0) void one.calendar.readModel.close();
    });
  };

  function drop(one: Cached): void {
    if (cached.delete(one)) closeSoon(one);
  }

  function cache(one: Cached): void {
    // One that can be searched answers all queries of the other.
    for (const other of [...cached]) if (covers(one, other.calendar.from)) drop(other);
    cached.add(one);
    let bytes = 0;
    for (const { calendar } of cached) bytes += calendar.bytes;
    for (const oldest of [...cached]) {
      if (oldest === one || (cached.size <= limits.maxCached && bytes <= limits.maxBytes)) return;
      bytes -= oldest.calendar.bytes;
      drop(oldest);
    }
  }

  /** For one more of the largest: what is cached and what is being built must fit together. */
  function makeRoom(): void {
    const sizes = [...cached].map(({ calendar }) => calendar.bytes);
    let bytes = sizes.reduce((sum, size) => sum + size, Math.max(0, ...sizes));
    for (const oldest of [...cached]) {
      if (bytes <= limits.maxBytes) return;
      bytes -= oldest.calendar.bytes;
      drop(oldest);
    }
  }

  /** Checks what has been recorded since; false: it must not be used any more. */
  function isRight(one: Cached): Promise<boolean> {
    const looked = one.turn.then(
      () => look(one),
      () => look(one),
    );
    one.turn = looked;
    return looked;
  }

  async function look(one: Cached): Promise<boolean> {
    if (!cached.has(one)) return false;
    const touched = await readOn(one);
    return touched !== null && (await areAsOpen(one, touched));
  }

  /** Resources changed since; null if something was recorded that belongs into the calendar. */
  async function readOn(one: Cached): Promise<DocumentKey[] | null> {
    const head = await log.head();
    const touched = new Map<string, DocumentKey>();
    const turn = openTurns();
    let tail = 0;
    while (one.seen < head) {
      await turn();
      const events = await log.readOn(one.seen);
      for (const event of events) {
        const { at } = recordedAt(event);
        const key = log.keyOf(event.stream);
        // Erased data must not be shown from the cache either.
        if (key === null || at <= one.calendar.from || ERASING.has(event.type)) return null;
        one.until = Math.min(one.until, at);
        touched.set(event.stream, key);
      }
      const last = events.at(-1)?.position ?? head;
      one.seen = last;
      tail += events.length;
      if (tail > MAX_TAIL) return null;
    }
    return [...touched.values()];
  }

  /** A resource that was closed to the public, or opened again, changes who may see its former state. */
  async function areAsOpen({ calendar }: Cached, keys: readonly DocumentKey[]): Promise<boolean> {
    for (const document of await calendar.readModel.fetch(keys)) {
      const before = document && visibilityOf(calendar, document);
      if (!before || !document) continue;
      if ((await log.isStillOpen(document)) !== (before === 'open')) return false;
    }
    return true;
  }

  async function find(at: EpochSeconds, texts: Texts): Promise<Cached | null> {
    for (const one of [...cached]) {
      if (!covers(one, at) || (texts === 'searchable' && one.texts !== texts)) continue;
      const right = await hold(one, () => isRight(one));
      if (!right) drop(one);
      if (!right || !covers(one, at) || !cached.delete(one)) continue;
      cached.add(one);
      return one;
    }
    return null;
  }

  async function make(at: EpochSeconds, texts: Texts): Promise<Cached> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      // Two instants without an event in between share a calendar, and the other may just have been built.
      const found = await find(at, texts);
      if (found) return found;
      makeRoom();
      const calendar = await log.make(at, texts);
      made += 1;
      const { until, upTo } = calendar;
      cache({
        calendar: { ...calendar, name: String(made) },
        texts,
        until,
        seen: upTo,
        users: 0,
        turn: Promise.resolve(true),
      });
    }
    const last = await find(at, texts);
    if (last) return last;
    throw new AsOfQueueFull('the log grows faster than it can be replayed');
  }

  /** Requests for the same instant wait for the same calendar. */
  function makeInTurn(at: EpochSeconds, texts: Texts): Promise<Cached> {
    const name = `${at} ${texts}`;
    const before = underWay.get(name);
    if (before) return before;
    if (waiting > limits.maxWaiting)
      throw new AsOfQueueFull('too many requests wait for calendars as of other instants');
    waiting += 1;
    const making = turn
      .then(() => make(at, texts))
      .finally(() => {
        waiting -= 1;
        underWay.delete(name);
      });
    underWay.set(name, making);
    turn = making.catch(() => {});
    return making;
  }

  return {
    async use(at, texts, work) {
      const one = (await find(at, texts)) ?? (await makeInTurn(at, texts));
      return hold(one, () => work(one.calendar));
    },
    empty() {
      for (const one of [...cached]) drop(one);
    },
    async firstInstant() {
      first ??= await log.firstInstant();
      return first;
    },
  };
}

const covers = ({ calendar, until }: Cached, at: EpochSeconds): boolean => at >= calendar.from && at < until;

/** Null for what is not shown anyway. */
function visibilityOf({ closedTerms }: AsOfCalendar, document: Document): 'open' | 'closed' | null {
  if ('deleted' in document) return document.deleted ? null : closedTerms.has(document.id) ? 'closed' : 'open';
  if (!('status' in document) || document.status === 'trash') return null;
  return document.status === 'publish' ? 'open' : 'closed';
}
